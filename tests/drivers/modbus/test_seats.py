"""What seats say by polled inputs, against what they truly pressed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from drivers.modbus.functions import DEAL_END, seat_signal
from drivers.modbus.images import Part
from drivers.modbus.profile_layout import EdgeSource
from drivers.modbus.profile_words import Area, Sensing
from drivers.modbus.requests import Read
from drivers.modbus.seats import hear, listening
from drivers.modbus.signals import sample, watching
from drivers.modbus.windows import Window
from table.events import (
    Call,
    ClaimPressed,
    DealEnded,
    DiscardPressed,
    DiscardReleased,
    HuDeclared,
    InputDismissed,
    Observed,
    RefereeCalled,
    TableRebooted,
    TileDrawn,
)
from table.moment import Moment
from table.seat import Seat
from tests.drivers.modbus.pressed_inputs import (
    MS,
    Module,
    Press,
    looks,
    point,
    presses,
    source,
    window,
)

HOLD = timedelta(seconds=1)
LEVELS, COUNTS = Read(2, 0, 4), Read(4, 0, 4)
READS = (COUNTS, LEVELS)
DISCARDS = {f"in{seat - 1}": f"discard-{seat}" for seat in Seat}


def polled(number: int) -> EdgeSource:
    watch = point(f"in{number}", Area.DISCRETE, number)
    return replace(source(Sensing.LEVEL, debounce_ms=5), name=f"in{number}", watch=watch)


def counted(number: int, *, leveled: bool = True) -> EdgeSource:
    watch = point(f"count{number}", Area.INPUT, number)
    beside = point(f"in{number}", Area.DISCRETE, number) if leveled else None
    return replace(source(Sensing.COUNTER), name=f"in{number}", watch=watch, level=beside)


def shown(counts: Sequence[int], levels: Sequence[int], at: Window) -> Mapping[Read, Part]:
    return {
        COUNTS: Part(COUNTS, tuple(counts), at),
        LEVELS: Part(LEVELS, tuple(map(int, levels)), at),
    }


def said(
    sources: Sequence[EdgeSource],
    functions: Mapping[str, str],
    samples: Sequence[Mapping[Read, Part]],
) -> list[Observed]:
    signals, seats = watching(sources, READS), listening(sources, functions, HOLD)
    events: list[Observed] = []
    for parts in samples:
        told = sample(signals, parts, HOLD)
        heard = hear(seats, told, parts[COUNTS].window)
        signals, seats = told.signals, heard.seats
        events += heard.events
    return events


def one_input(function: str, *levels: tuple[int, int]) -> list[object]:
    """Return what a function says whose level was sampled at these milliseconds."""
    samples = [shown([0] * 4, [down, 0, 0, 0], window(at, at + 5)) for at, down in levels]
    return [observed.event for observed in said([polled(0)], {"in0": function}, samples)]


SEATS = st.lists(presses(4), min_size=4, max_size=4)


@given(SEATS, st.data(), st.permutations(range(4)))
def test_simultaneous_seats_say_the_same_in_whatever_order_they_are_read(
    histories: list[list[Press]], data: st.DataObject, order: list[int]
) -> None:
    modules = [Module(history) for history in histories]
    until = max((history[-1].up for history in histories if history), default=MS)
    samples = [
        shown(
            [one.count(look.at) for one in modules],
            [one.down(look.at) for one in modules],
            look.window,
        )
        for look in data.draw(looks(until))
    ]
    plain = said([counted(number) for number in range(4)], DISCARDS, samples)
    turned = said([counted(number) for number in order], DISCARDS, samples)
    assert plain == turned
    for seat, history in zip(Seat, histories, strict=True):
        times = [each.when for each in plain if each.event == DiscardPressed(seat)]
        seen = history[Module(history).count(samples[0][COUNTS].window.arrived.micros) :]
        assert len(times) >= len(seen) - 1
        ends = [when.latest for when in times]
        assert ends == sorted(ends)
        assert all(
            any(when.earliest <= Moment(press.down) <= when.latest for press in history)
            for when in times
        )


def test_a_tap_of_discard_is_pressed_and_released() -> None:
    assert one_input("discard-2", (0, 0), (20, 1), (40, 0)) == [
        DiscardPressed(Seat.TWO),
        DiscardReleased(Seat.TWO),
    ]


def test_discard_held_is_a_hu_only_when_it_surely_lasted_so_long() -> None:
    almost = one_input("discard-1", (0, 0), (20, 1), (1024, 1), (1040, 0))
    assert almost == [DiscardPressed(Seat.ONE), DiscardReleased(Seat.ONE)]
    surely = one_input("discard-1", (0, 0), (20, 1), (1025, 1), (1040, 0))
    assert surely == [DiscardPressed(Seat.ONE), HuDeclared(Seat.ONE)]


def test_a_claim_acts_when_it_is_let_go_and_names_its_call() -> None:
    assert one_input("claim-3", (0, 0), (20, 1)) == []
    assert one_input("claim-3", (0, 0), (20, 1), (40, 0)) == [ClaimPressed(Seat.THREE)]
    assert one_input("pung-3", (0, 0), (20, 1), (40, 0)) == [ClaimPressed(Seat.THREE, Call.PUNG)]
    assert one_input("claim-3", (0, 0), (20, 1), (1100, 1), (1120, 0)) == [
        RefereeCalled(Seat.THREE)
    ]


def test_a_draw_and_the_end_of_the_deal_act_when_they_are_seen() -> None:
    assert one_input("draw-4", (0, 0), (20, 1), (40, 0)) == [TileDrawn(Seat.FOUR)]
    assert one_input(DEAL_END, (0, 0), (20, 1), (40, 0)) == [DealEnded()]


def test_without_a_level_a_counted_claim_acts_at_once() -> None:
    samples = [shown([count] * 4, [0] * 4, window(at, at + 5)) for at, count in ((0, 3), (20, 4))]
    events = said([counted(0, leveled=False)], {"in0": "claim-1"}, samples)
    assert [observed.event for observed in events] == [ClaimPressed(Seat.ONE)]


def test_two_buttons_of_one_seat_pressed_over_each_other_keep_their_own_times() -> None:
    functions = {"in0": "pung-1", "in1": "chow-1"}
    samples = [
        shown([0] * 4, [*levels, 0, 0], window(at, at + 5))
        for at, levels in ((0, [0, 0]), (20, [1, 0]), (40, [1, 1]), (60, [0, 1]), (80, [0, 0]))
    ]
    pung, chow = said([polled(0), polled(1)], functions, samples)
    assert (pung.event, pung.when.latest) == (ClaimPressed(Seat.ONE, Call.PUNG), Moment(25 * MS))
    assert (chow.event, chow.when.latest) == (ClaimPressed(Seat.ONE, Call.CHOW), Moment(45 * MS))


def test_a_module_that_restarted_reboots_the_table_and_charges_nothing() -> None:
    samples = [
        shown([500, 0, 0, 0], [0] * 4, window(0, 5)),
        shown([0, 1, 0, 0], [0, 1, 0, 0], window(20, 25)),
        shown([0, 2, 0, 0], [0, 1, 0, 0], window(40, 45)),
    ]
    events = said([counted(number) for number in range(4)], DISCARDS, samples)
    assert [observed.event for observed in events] == [TableRebooted(), DiscardPressed(Seat.TWO)]


def test_a_trouble_is_told_when_it_begins() -> None:
    samples = [
        shown([count] * 4, [0] * 4, window(at, at + 5))
        for at, count in ((0, 0), (20, 9000), (40, 18000), (60, 18000), (80, 1000))
    ]
    events = said([counted(0)], {"in0": "discard-1"}, samples)
    assert [observed.event for observed in events] == [
        InputDismissed("discard-1: from 0 to 9000 in 25 ms"),
        InputDismissed("discard-1: from 18000 to 1000 in 25 ms"),
    ]


def test_a_button_that_nobody_lets_go_is_named_once_and_counts_again_when_it_is() -> None:
    minute = 60_000
    events = one_input(
        "discard-1", (0, 0), (20, 1), (2 * minute, 1), (2 * minute + 40, 1), (3 * minute, 1)
    )
    assert events == [
        DiscardPressed(Seat.ONE),
        HuDeclared(Seat.ONE),
        InputDismissed("discard-1: pressed for more than 2 minutes: it may be stuck"),
    ]
    freed = one_input("discard-1", (0, 0), (20, 1), (3 * minute, 1), (200_000, 0), (200_020, 1))
    assert freed[-1] == DiscardPressed(Seat.ONE)


def test_a_contact_that_flutters_is_named_once_in_twenty_presses_and_every_press_counts() -> None:
    levels = [(20 * place, place % 2) for place in range(91)]
    events = one_input("discard-1", *levels)
    flutters = InputDismissed("discard-1: 20 presses within 5 s: it may flutter")
    assert events.count(DiscardPressed(Seat.ONE)) == 45
    assert events.count(flutters) == 2


def test_quick_hands_do_not_flutter() -> None:
    levels = [(140 * place, place % 2) for place in range(91)]
    assert not any(isinstance(one, InputDismissed) for one in one_input("discard-1", *levels))


def test_every_seat_has_its_functions() -> None:
    assert all(
        seat_signal(f"{kind}-{seat}") for seat in Seat for kind in ("discard", "claim", "draw")
    )
    assert seat_signal("discard-5") is None
