"""Whether the interval that is told of a press holds its true moment, and how wide it is."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from table.moment import MILLISECOND, ZERO
from tests.drivers.modbus.heard_kits import Group, Heard, heard_in_virtual_time, heard_on_ports
from tests.drivers.modbus.pressed_kits import (
    DEBOUNCE,
    SEATS_MODULE,
    Verdict,
    judged,
    waits_for_module,
)
from tests.harness.long_figures import write_section

KITS = tuple(SEATS_MODULE)
TABLES, PRESSES, AT_ONCE = 50, 200, 5
GOAL = 2 * MILLISECOND
"""What an interval may be wider than one period and the debounce (issue 5)."""
MOST_SHORT = 0.01
"""Share of presses told by level that a busy machine may overlook."""
ON_THE_WAY = 3 * MILLISECOND
"""Room for what the clocks of a line are given, and for the daemon itself."""
_INTRODUCTION = """
{presses} presses of each kit, {each} at each of {tables} tables, of random length at random moments
(`tests/drivers/modbus/pressed_kits.py`). Simulated modules stand behind real ports in a process of
their own, {at_once} tables at a time: pseudo-terminals whose bytes take what the baud rate says,
TCP for *ethernet*. The drivers are those of the daemon. Presses are told by level from 50 ms on
(*odd*: 120 ms), by counter from 12 ms on; none is longer than 300 ms. *Held* are those whose
interval contains the true moment, one interval for each; *missed* those without one, *invented* the
intervals without a press. *Short* are presses told by level that came and went between two samples,
because these lay further apart than the press was long: a busy machine, not a wrong interval. The
interval of a press begins where the module can have looked first in the sample that does not show
it, less the debounce, and ends where it can have looked last in the one that does. *Goal* is the
measured poll period, the debounce and 2 ms. Times are milliseconds.

{ports}

What lies beyond poll period and debounce is where a module looked between the end of a request and
the beginning of its reply, which nobody tells: *module* is what the simulated one takes there, the
silence that ends a request included. *Line* is the rest: 6 % of the time on the wire for clocks
that are off, what an adapter holds back, and the daemon. The same kits in virtual time, where
nothing but the wire and the module takes any time, {virtual_presses} presses each:

{virtual}
"""
_HEAD = (
    "| kit | presses | held | short | missed | invented | poll period | debounce | median width"
    " | widest | goal | beyond it | module | line |\n|" + "---|" * 14
)


@dataclass(frozen=True)
class Row:
    """A kit in the table of the figures."""

    kit: str
    verdict: Verdict

    @property
    def doubt(self) -> timedelta:
        """What the interval is wider than one period and the debounce."""
        return self.verdict.width - self.verdict.period - DEBOUNCE[self.kit]

    def __str__(self) -> str:
        one, module = self.verdict, waits_for_module(self.kit)
        goal = one.period + DEBOUNCE[self.kit] + GOAL
        counts = (one.presses, one.held, one.short, one.missed, one.invented)
        times = (one.period, DEBOUNCE[self.kit], one.width, one.widest, goal)
        beyond = (max(ZERO, self.doubt - GOAL), module, self.doubt - module)
        spans = (f"{span / MILLISECOND:.1f}" for span in (*times, *beyond))
        return f"| {' | '.join((self.kit, *map(str, counts), *spans))} |"


def sound(kit: str, verdict: Verdict) -> None:
    """Every press was told once, at its seat, within its interval, and nothing else was."""
    assert (verdict.missed, verdict.invented, verdict.strange) == (0, 0, []), kit
    assert verdict.short <= verdict.presses * MOST_SHORT


@pytest.mark.parametrize("kit", KITS)
def test_a_press_is_told_once_within_an_interval_as_narrow_as_its_module_allows(kit: str) -> None:
    verdict = judged(kit, *heard_in_virtual_time(Group(kit, tables=1, presses=40, seed=1)))
    sound(kit, verdict)
    assert verdict.held == verdict.presses
    beyond = verdict.width - verdict.period - DEBOUNCE[kit]
    assert beyond <= waits_for_module(kit) + ON_THE_WAY


async def test_presses_on_a_real_port_are_told_within_their_intervals(tmp_path: Path) -> None:
    sound(
        "counted",
        judged("counted", *await heard_on_ports(Group("counted", 1, 16, seed=2), tmp_path)),
    )


@pytest.mark.long
@pytest.mark.timeout(1800)
async def test_ten_thousand_presses_of_each_kit_lie_in_their_intervals(tmp_path: Path) -> None:
    ports = [Row(kit, judged(kit, *await _on_ports(kit, tmp_path))) for kit in KITS]
    virtual = [
        Row(kit, judged(kit, *heard_in_virtual_time(Group(kit, 5, PRESSES, seed=1))))
        for kit in KITS
    ]
    _write(ports, virtual)
    for row in (*ports, *virtual):
        sound(row.kit, row.verdict)


async def _on_ports(kit: str, folder: Path) -> Heard:
    truths, hearings = [], []
    for seed in range(TABLES // AT_ONCE):
        group = Group(kit, AT_ONCE, PRESSES, seed)
        (place := folder / f"{kit}-{seed}").mkdir()
        truth, heard = await heard_on_ports(group, place)
        truths += truth
        hearings += heard
    return truths, hearings


def _write(ports: list[Row], virtual: list[Row]) -> None:
    text = _INTRODUCTION.format(
        presses=TABLES * PRESSES,
        each=PRESSES,
        tables=TABLES,
        at_once=AT_ONCE,
        ports=_table(ports),
        virtual_presses=5 * PRESSES,
        virtual=_table(virtual),
    )
    write_section("Presses within their intervals", text)


def _table(rows: list[Row]) -> str:
    return "\n".join((_HEAD, *map(str, rows)))
