"""Events are taken once and in order, whatever the line does to their frames."""

from dataclasses import replace

from hypothesis import event as reached
from hypothesis import given
from hypothesis import strategies as st

from drivers.table_link.clock_fit import ClockFit, DeviceClock, Exchange
from drivers.table_link.codes import Flag
from drivers.table_link.counts import Counts
from drivers.table_link.frames import Deframer, Frame, following
from drivers.table_link.intake import Intake
from drivers.table_link.messages import Edge, Hello, Lost, Machine, write
from table.events import (
    DealEnded,
    DiscardPressed,
    DiscardReleased,
    FaultRaised,
    InputDismissed,
    Observed,
    TableRebooted,
)
from table.moment import Moment
from table.seat import Seat
from tests.drivers.table_link import strategies

BOOT, OLD_BOOT = 7, 6
NOW = Moment(10**12)
FIT = ClockFit.begin(DeviceClock("TL-1/00000007", 1000, 0), Exchange(1000, 1, 1, 1200))
ALL = 0x7FF


def _hello(oldest: int = 1, following: int = 1) -> Hello:
    return Hello("", "", "TL-1", "", "", BOOT, ALL, oldest=oldest, following=following)


def _frame(seq: int, event: Edge | Machine, flags: int = Flag.NEEDS_ACK) -> Frame:
    (frame,) = Deframer().feed(write(event, seq=seq, flags=flags))
    assert isinstance(frame, Frame)
    return frame


def _raised(number: int, boot: int = BOOT) -> Machine:
    """An event that tells by its fault code which one it is."""
    return Machine(boot, 1000 + number, 6, 256 + number)


def _edge(seat: int, place: int, change: int, at: int) -> Edge:
    return Edge(BOOT, 5000, at, seat, place, change)


class Fed:
    """An intake and what came out of it; `keeps` says whether that is recorded at once."""

    def __init__(self, hello: Hello | None = None, *, keeps: bool = True) -> None:
        self.keeps = keeps
        self.counts = Counts()
        self.intake = Intake(hello or _hello(), self.counts)
        self.observed: list[Observed] = []

    def feed(self, seq: int, event: Edge | Machine, flags: int = Flag.NEEDS_ACK) -> "Fed":
        observed = self.intake.take(_frame(seq, event, flags), event, FIT, NOW)
        self.observed += [observed] if observed else []
        if observed and self.keeps:
            assert self.record(observed)
        return self

    def record(self, observed: Observed) -> bool:
        assert observed.number
        return self.intake.recorded(observed.number)

    @property
    def numbers(self) -> list[int]:
        events = [observed.event for observed in self.observed]
        return [event.code - 256 for event in events if isinstance(event, FaultRaised)]


@given(
    st.integers(1, 65535),
    st.lists(
        st.tuples(
            st.sampled_from(["send", "send", "send", "again", "ahead", "old boot", "unnumbered"]),
            st.integers(0, 5),
        ),
        max_size=40,
    ),
)
def test_whatever_is_doubled_skipped_reordered_or_old_every_event_comes_once_in_order(
    first: int, deeds: list[tuple[str, int]]
) -> None:
    fed, sent, seqs = Fed(_hello(first, first)), 0, [first]
    for _ in range(60):
        seqs.append(following(seqs[-1]))
    strangers = 0
    for deed, by in deeds:
        reached(deed)
        match deed:
            case "send":
                fed.feed(seqs[sent], _raised(sent))
                sent += 1
            case "again" if sent:
                earlier = max(0, sent - 1 - by)
                fed.feed(seqs[earlier], _raised(earlier), Flag.NEEDS_ACK | Flag.REPLAY)
            case "ahead":
                fed.feed(seqs[sent + 1 + by], _raised(sent + 1 + by))
            case "old boot":
                fed.feed(seqs[sent], _raised(sent, OLD_BOOT))
                strangers += 1
            case "unnumbered":
                fed.feed(seqs[sent], _raised(sent), Flag.NONE)
                strangers += 1
            case _:
                reached("nothing to do again")
    assert fed.numbers == [*range(sent)]
    assert fed.counts.unknown == strangers
    assert fed.intake.awaited == seqs[sent]
    assert fed.intake.newest == (seqs[sent - 1] if sent else 0)


def test_a_gap_is_asked_for_once() -> None:
    fed = Fed().feed(1, _raised(1)).feed(3, _raised(3))
    assert fed.intake.asks_again()
    assert fed.intake.wanted == 2
    assert not fed.intake.asks_again()
    fed.feed(4, _raised(4))
    assert not fed.intake.asks_again()


def test_no_gap_asks_for_nothing() -> None:
    assert not Fed().feed(1, _raised(1)).intake.asks_again()


def test_a_second_gap_is_asked_for_as_well() -> None:
    fed = Fed().feed(2, _raised(2))
    assert fed.intake.asks_again()
    assert fed.intake.wanted == 1
    fed.feed(1, _raised(1)).feed(2, _raised(2)).feed(4, _raised(4))
    assert fed.intake.asks_again()
    assert fed.intake.wanted == 3


def test_a_gap_behind_what_is_not_recorded_is_filled_from_there() -> None:
    fed = Fed(keeps=False).feed(1, _raised(1)).feed(2, _raised(2)).feed(4, _raised(4))
    assert fed.intake.asks_again()
    # A rewind says that everything before it may be forgotten.
    assert fed.intake.wanted == 1
    fed.record(fed.observed[0])
    assert fed.intake.wanted == 2


def test_an_event_is_acknowledged_once_it_is_recorded_and_all_before_it_with_it() -> None:
    fed = Fed(keeps=False).feed(1, _raised(1)).feed(2, _raised(2)).feed(3, _raised(3))
    assert (fed.intake.newest, fed.intake.owes) == (0, False)
    assert fed.record(fed.observed[1])
    assert (fed.intake.newest, fed.intake.owes) == (2, True)
    assert not fed.record(fed.observed[0])
    assert fed.intake.newest == 2


def test_an_event_that_says_nothing_waits_for_those_before_it() -> None:
    claim_goes_down = _edge(3, 2, 1, 5000)
    fed = Fed(keeps=False).feed(1, claim_goes_down)
    assert fed.intake.newest == 1
    fed.feed(2, _raised(2)).feed(3, claim_goes_down).feed(4, _raised(4))
    assert fed.intake.newest == 1
    fed.record(fed.observed[0])
    assert fed.intake.newest == 3


def test_what_is_recorded_of_another_boot_acknowledges_nothing() -> None:
    fed = Fed(keeps=False).feed(1, _raised(1))
    number = fed.observed[0].number
    assert number
    assert not fed.intake.recorded(replace(number, clock="TL-1/00000006"))
    assert fed.intake.newest == 0


def test_a_duplicate_is_acknowledged_again() -> None:
    fed = Fed().feed(1, _raised(1))
    fed.intake.owes = False
    fed.feed(1, _raised(1))
    assert fed.intake.owes
    assert fed.counts.duplicates == 1


def test_what_was_recorded_before_the_host_came_is_replayed_and_the_rest_is_not() -> None:
    fed = Fed(_hello(oldest=65534, following=2))
    for number, seq in enumerate((65534, 65535, 1, 2)):
        fed.feed(seq, _raised(number), Flag.NEEDS_ACK | Flag.REPLAY)
    assert [observed.replayed for observed in fed.observed] == [True, True, True, False]
    assert fed.counts.replayed == 4


def test_lost_events_put_the_table_out_of_step_once_and_are_counted() -> None:
    fed = Fed().feed(1, _raised(1))
    lost = Lost(BOOT, 2, 9)
    observed = fed.intake.skip(lost, NOW)
    assert observed
    assert observed.event == TableRebooted()
    assert not observed.replayed
    assert fed.record(observed)
    assert fed.intake.newest == 9
    assert fed.intake.skip(lost, NOW) is None
    assert fed.counts.lost == 8
    assert fed.feed(10, _raised(10)).numbers == [1, 10]


def test_events_lost_before_the_host_came_are_replayed_news() -> None:
    fed = Fed(_hello(oldest=1, following=40))
    observed = fed.intake.skip(Lost(BOOT, 1, 20), NOW)
    assert observed
    assert observed.replayed


def test_a_loss_of_an_old_boot_is_counted_and_nothing_else() -> None:
    fed = Fed()
    assert fed.intake.skip(Lost(OLD_BOOT, 1, 9), NOW) is None
    assert fed.counts.unknown == 1
    assert fed.intake.awaited == 1


def test_a_press_whose_beginning_was_lost_is_not_held_against_an_older_one() -> None:
    fed = Fed().feed(1, _edge(2, 1, 1, 5000)).feed(2, _edge(2, 1, 2, 5080))
    fed.intake.skip(Lost(BOOT, 3, 3), NOW)
    fed.feed(4, replace(_edge(2, 1, 2, 9080), first_ms=9000))
    assert [observed.event for observed in fed.observed] == [
        DiscardPressed(Seat.TWO),
        DiscardReleased(Seat.TWO),
        DiscardReleased(Seat.TWO),
    ]


def test_an_unknown_seat_is_counted_and_acknowledged() -> None:
    fed = Fed().feed(1, _edge(9, 1, 1, 5000))
    (observed,) = fed.observed
    assert isinstance(observed.event, InputDismissed)
    assert "seat 9" in observed.event.reason
    assert fed.counts.unknown == 1
    assert fed.intake.newest == 1


def test_a_bounce_is_counted_and_told() -> None:
    fed = Fed(replace(_hello(), debounce_ms=10))
    fed.feed(1, _edge(1, 1, 1, 5000)).feed(2, _edge(1, 1, 2, 5003))
    assert [observed.event for observed in fed.observed] == [
        DiscardPressed(Seat.ONE),
        InputDismissed("bounce of discard at seat 1"),
    ]
    assert fed.counts.bounces == 1


def test_the_end_of_the_deal_is_stamped() -> None:
    (observed,) = Fed().feed(1, _edge(0, 4, 1, 5000)).observed
    assert observed.event == DealEnded()
    assert observed.when.stamp
    assert observed.when.stamp.clock == "TL-1/00000007"


@given(st.lists(st.sampled_from(["edge", "machine"]), max_size=20), st.data())
def test_every_numbered_event_of_the_boot_is_passed_whatever_it_says(
    kinds: list[str], data: st.DataObject
) -> None:
    fed = Fed()
    for number, kind in enumerate(kinds):
        if kind == "edge":
            fed.feed(number + 1, replace(data.draw(strategies.edges), boot=BOOT))
        else:
            fed.feed(number + 1, replace(data.draw(strategies.machines), boot=BOOT))
    assert fed.intake.newest == len(kinds)
    dismissed = [seen for seen in fed.observed if isinstance(seen.event, InputDismissed)]
    assert fed.counts.unknown + fed.counts.bounces == len(dismissed)
