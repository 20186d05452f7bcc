"""The records of the journal that an alert rests on, by their numbers."""

from dataclasses import dataclass, field

from controller.evidence import Evidence
from controller.table_core import Stimulus, TableRules, step
from table.alert_commands import Acknowledge, Confirm, EnterFoul, Reverse
from table.commands import Command, DrawHand, Ordered
from table.events import (
    Call,
    ClaimPressed,
    DealEnded,
    DiscardPressed,
    DiscardReleased,
    LinkUp,
    Observed,
    Restarted,
    SeatEvent,
)
from table.fouls import FoulKind
from table.moment import Interval, Quality
from table.seat import Seat
from tests.controller.pure_table import RULES, Table, moment


@dataclass
class Recorded:
    """A table whose every stimulus is a record; others write into the journal between."""

    table: Table = field(default_factory=Table)
    evidence: Evidence = field(default_factory=Evidence)
    record: int = 100

    def happens(self, at: float, stimulus: Stimulus) -> int:
        self.record += 10
        effects = self.table.happens(at, stimulus)
        self.evidence = self.evidence.after(stimulus, effects, moment(at), self.record)
        return self.record

    def sees(self, at: float, event: SeatEvent | DealEnded, heard: float | None = None) -> int:
        when = Interval.exactly(moment(at), Quality.DEVICE)
        return self.happens(heard or at, Observed(event, when))

    def order(self, at: float, command: Command) -> int:
        return self.happens(at, Ordered(command, "referee-1"))

    def of(self, alert: str) -> tuple[int, ...]:
        return self.evidence.records[alert]


def test_a_late_pung_rests_on_the_discard_and_the_call() -> None:
    here = Recorded()
    here.sees(0, DealEnded())
    discard = here.sees(5, DiscardPressed(Seat.ONE))
    call = here.sees(9, ClaimPressed(Seat.THREE, Call.PUNG))
    assert here.of("t1-1-f1") == (discard, call)


def test_a_foul_settled_by_a_release_names_the_press_and_the_record_that_raised_it() -> None:
    here = Recorded()
    here.happens(0, LinkUp(holds=True, draws=False))
    deal = here.sees(0, DealEnded())
    press = here.sees(21, DiscardPressed(Seat.ONE))
    release = here.happens(
        21.1, Observed(DiscardReleased(Seat.ONE), Interval.exactly(moment(21), Quality.DEVICE))
    )
    assert here.of("t1-1-f1") == (deal, press, release)


def test_a_start_that_is_no_record_names_the_newest_before_it() -> None:
    here = Recorded()
    here.sees(0, DealEnded())
    discard = here.sees(4, DiscardPressed(Seat.ONE))
    press = here.sees(21, DiscardPressed(Seat.TWO))  # from the end of the window, at 7 s
    assert here.of("t1-1-f1") == (discard, press)


def test_every_ruling_is_added_and_a_look_is_not() -> None:
    here = Recorded()
    here.sees(0, DealEnded())
    discard = here.sees(5, DiscardPressed(Seat.ONE))
    call = here.sees(9, ClaimPressed(Seat.THREE, Call.PUNG))
    here.order(10, Acknowledge("t1-1-f1", 1))
    ruled = here.order(11, Confirm("t1-1-f1", 2))
    back = here.order(12, Reverse("t1-1-f1", 3, "wrong seat"))
    assert here.of("t1-1-f1") == (discard, call, ruled, back)


def test_a_foul_that_was_entered_rests_on_its_entry() -> None:
    here = Recorded()
    here.sees(0, DealEnded())
    entry = here.order(5, EnterFoul(FoulKind.FALSE_HU, Seat.TWO))
    assert here.of("t1-1-r1") == (entry,)


def test_a_restart_forgets_moments_of_another_clock_and_keeps_what_was_found() -> None:
    here = Recorded()
    here.sees(0, DealEnded())
    here.sees(5, DiscardPressed(Seat.ONE))
    here.sees(9, ClaimPressed(Seat.THREE, Call.PUNG))
    found = here.evidence.records
    restart = here.happens(0, Restarted("the machine booted"))
    assert here.evidence.records == found
    assert [one.record for one in here.evidence.hand] == [restart]


def test_a_hand_that_is_over_leaves_nothing_but_its_alerts() -> None:
    here = Recorded()
    here.sees(0, DealEnded())
    here.sees(5, DiscardPressed(Seat.ONE))
    end = here.order(6, DrawHand())
    assert [one.record for one in here.evidence.hand] == [end]


def test_what_is_not_numbered_yet_is_numbered_when_it_is_read_back() -> None:
    rules: TableRules = RULES
    table = Table()
    table.late_pung()
    order = Ordered(Confirm("t1-1-f1", 1), "referee-1")
    effects = step(rules, table.state, order, moment(10)).effects
    known = Evidence((), {"t1-1-f1": (120, 140)})
    assert known.after(order, effects, moment(10), 0).placed(150) == known.after(
        order, effects, moment(10), 150
    )
