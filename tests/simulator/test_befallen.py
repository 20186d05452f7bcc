"""What goes wrong while people play, from the file to the table."""

from datetime import timedelta

import pytest

from simulator.befallen import Befallen, Stuck, Written
from simulator.deeds import Act, Touch
from simulator.mishap_file import BOX, read_mishaps
from simulator.modbus_mishaps import Harmed, Mute, NearWrap, PowerCut, Reboot, Unplugged
from simulator.modbus_trouble import Harm
from simulator.plays import WrittenHand
from table.errors import ScriptError
from table.happening import Input
from table.moment import MILLISECOND, Moment
from table.script import read_script
from table.seat import Seat

SECOND = timedelta(seconds=1)
START = Moment(5_000_000)
ONE, TWO = Seat.ONE, Seat.TWO


def read(text: str, *modules: str) -> tuple[Written, ...]:
    return read_mishaps(text, ("t1", "t2"), modules or ("seats", "keys"), tuple(Harm))["t1"]


def played(script: str, *written: Written) -> list[tuple[int, Act]]:
    """Return what is done, each with its moment in ms."""
    play = Befallen(WrittenHand(read_script(script)), written)
    play.begin(START)
    done = []
    while (at := play.wake_at()) is not None:
        deed = play.next_deed()
        assert deed.at == at
        done.append(((at - START) // MILLISECOND, deed.act))
    return [(at, act) for at, act in done if not isinstance(act, str)]


def test_every_mishap_can_be_written() -> None:
    text = """
    # what can go wrong
    1   t1 reboot seats
    2   t1 mute keys 2.5
    3   t1 near-wrap seats     # counters
    4   t2 power-cut 9
    4   t1 power-cut 1
    5   t1 unplug 1
    6   t1 stuck discard 2 4
    7   t1 harm late 3
    """
    assert read(text) == (
        (SECOND, Reboot("seats")),
        (2 * SECOND, Mute("keys", 2.5 * SECOND)),
        (3 * SECOND, NearWrap("seats")),
        (4 * SECOND, PowerCut(SECOND)),
        (5 * SECOND, Unplugged(SECOND)),
        (6 * SECOND, Stuck(TWO, Input.DISCARD, 4 * SECOND)),
        (7 * SECOND, Harmed(Harm.LATE, 3)),
    )


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("1 t3 power-cut 1", "line 1: 't3' is not a table; allowed: t1, t2"),
        ("1 t1 explode", "line 1: 'explode' is not what befalls a table"),
        ("1 t1 reboot lamps", "line 1: 'lamps' is not a module; allowed: seats, keys"),
        ("1 t1 power-cut", "line 1: ends where how long it lasts should stand"),
        ("1 t1 power-cut 1 2", "line 1: '2' is one word too many"),
        ("\n1 t1 harm late 0", "line 2: '0' is not how many times; allowed: 1 to 9999"),
    ],
)
def test_a_line_that_means_nothing_is_named(line: str, sentence: str) -> None:
    with pytest.raises(ScriptError, match=sentence):
        read(line)


def test_a_table_link_has_no_counter_that_could_wrap() -> None:
    with pytest.raises(ScriptError, match="near-wrap"):
        read("1 t1 near-wrap box", BOX)


def test_what_befalls_comes_between_what_people_do() -> None:
    power = PowerCut(SECOND)
    tapped = played("1 seat 1 discard\n", (SECOND, power))
    assert tapped == [
        (1000, power),
        (1000, Touch(ONE, Input.DISCARD, down=True)),
        (1080, Touch(ONE, Input.DISCARD, down=False)),
    ]


def test_a_stuck_button_stays_down_whatever_its_seat_does() -> None:
    stuck = Stuck(ONE, Input.DISCARD, 2 * SECOND)
    done = played("2 seat 1 discard\n2 seat 2 discard\n4 seat 1 discard\n", (SECOND, stuck))
    own = [(at, act.down) for at, act in done if isinstance(act, Touch) and act.seat is ONE]
    others = [at for at, act in done if isinstance(act, Touch) and act.seat is TWO]
    assert own == [
        (1000, True), (2000, True), (2080, True), (3000, False), (4000, True), (4080, False),
    ]  # fmt: skip
    assert others == [2000, 2080]
