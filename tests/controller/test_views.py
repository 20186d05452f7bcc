"""Every field of what the retained topics of a table say, after real play."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from controller.table_memory import nothing
from controller.views import Reading, Shown, snapshot, timers
from mqtt.parts import CallFields, CycleFields, Face, FaultFields
from mqtt.payloads import TableSnapshot, Timers
from table.abilities import Abilities
from table.commands import (
    AnswerCall,
    DrawHand,
    Pause,
    SeatPlayers,
    StartHand,
)
from table.events import (
    CycleStarted,
    DealEnded,
    DiceRolled,
    DiscardPressed,
    Fault,
    FaultRaised,
    HuDeclared,
    LinkDown,
    LinkUp,
    RefereeCalled,
    WallRaised,
    WallReady,
    Woken,
)
from table.moment import Moment
from table.seat import BySeat, Seat
from table.wind import Wind
from tests.controller.pure_table import RULES, Table, moment
from tests.timing.books import MCR
from timing.rules import DealEnd

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def reading(at: float = 60, seq: int = 17) -> Reading:
    return Reading(moment(at), as_of_ms=round(at * 1000), time=NOON, seq=seq)


def seen(table: Table, *, linked: bool = True) -> TableSnapshot:
    """Return the table as it is shown; each seat called at noon plus its own number in seconds."""
    called = {call.seat: str(called_at(call.seat)) for call in table.state.hand.calls}
    memory = replace(nothing("t1"), state=table.state, called=called)
    return snapshot(Shown("Table 1", table.rules), memory, reading(), linked=linked)


def called_at(seat: Seat) -> datetime:
    return NOON + timedelta(seconds=seat.value)


def shown(table: Table, at: float) -> Timers:
    """Let time pass and return the clocks."""
    table.happens(at, Woken())
    return timers(table.rules, table.state, reading(at))


def test_a_table_of_which_nothing_is_known() -> None:
    assert seen(Table(), linked=False) == TableSnapshot(
        table="t1",
        name="Table 1",
        seq=17,
        as_of_ms=60_000,
        time=NOON,
        link="down",
        machine_phase="empty",
        machine_seq=0,
        hand_phase="idle",
        hand="",
        hand_number=0,
        players={seat: f"t1-{seat}" for seat in Seat},
        missed_presses=dict.fromkeys(Seat, 0),
    )


def test_a_table_in_play() -> None:
    table = Table()
    table.order(0, SeatPlayers(BySeat("ann", "bo", "cy", "di")))
    table.sees(1, WallReady())
    table.sees(2, FaultRaised(Fault.TILE_JAM))
    table.sees(3, DealEnded())
    table.sees(4, DiscardPressed(Seat.ONE))
    table.order(5, DrawHand())
    table.sees(20, DiceRolled((2, 5)))
    table.sees(30, DealEnded())
    table.sees(34, DiscardPressed(Seat.TWO))
    assert seen(table) == TableSnapshot(
        table="t1",
        name="Table 1",
        seq=17,
        as_of_ms=60_000,
        time=NOON,
        link="up",
        machine_phase="fault",
        machine_seq=2,
        faults=(Fault.TILE_JAM,),
        machine_faults=(FaultFields(fault=Fault.TILE_JAM, severity=3),),
        hand_phase="turn",
        hand="t1-2",
        hand_number=2,
        dealer=Seat.TWO,
        prevalent_wind=Wind.EAST,  # mcr-2014 art. 4 (圈): each deals once in a round
        seat_winds={
            Seat.ONE: Wind.NORTH,
            Seat.TWO: Wind.EAST,
            Seat.THREE: Wind.SOUTH,
            Seat.FOUR: Wind.WEST,
        },
        on_turn=Seat.THREE,
        window_open=True,
        discarder=Seat.TWO,
        players={Seat.ONE: "ann", Seat.TWO: "bo", Seat.THREE: "cy", Seat.FOUR: "di"},
        missed_presses=dict.fromkeys(Seat, 0),
        dice=(2, 5),
        throws=((2, 5),),
        second_thrower=Seat.FOUR,  # the first throw counts 7 from the dealer (mcr-2014 art. 5)
    )


def test_the_machine_is_shown_with_its_cycle_its_lift_and_what_is_wrong() -> None:
    table = Table()
    table.happens(0, LinkUp(holds=True, draws=False, abilities=Abilities(lift_toggles=True)))
    assert (seen(table).lift, seen(table).cycle) == ("unknown", None)
    table.sees(0, CycleStarted())
    table.sees(1, FaultRaised(Fault.UNKNOWN, 300, "E7", 4))
    table.sees(2, FaultRaised(Fault.UNKNOWN, 300, "E7", 4))
    table.sees(3, FaultRaised(Fault.TILE_MISSING))
    shown = seen(table)
    assert shown.lift == "lowered"
    assert shown.cycle == CycleFields(
        running_ms=60_000,
        expected_ms=30_000,
        slow_ms=60_000,
        failed_ms=120_000,
        slow=False,
        reopened=False,
    )
    unknown, missing = shown.machine_faults
    assert unknown == FaultFields(
        fault=Fault.UNKNOWN, severity=4, code=300, text="E7", times=2, unfair=""
    )
    assert missing.unfair == "a tile that everybody counts on may not be in the wall"


def test_who_is_ready_is_shown() -> None:
    table = Table(replace(RULES, time=replace(MCR, deal_end=DealEnd.FOUR_READY)))
    table.order(0, StartHand())
    table.sees(1, DiscardPressed(Seat.THREE))
    assert seen(table).ready == (Seat.THREE,)


def test_the_window_closes_and_its_discarder_stays() -> None:
    table = Table()
    table.sees(0, DealEnded())
    table.sees(4, DiscardPressed(Seat.ONE))
    table.happens(7, Woken())
    assert (seen(table).window_open, seen(table).discarder) == (False, Seat.ONE)


def test_who_let_others_press_is_shown() -> None:
    table = Table()
    table.sees(0, DealEnded())
    table.sees(4, DiscardPressed(Seat.ONE))
    table.sees(30, DiscardPressed(Seat.FOUR))
    missed = seen(table).missed_presses
    assert missed == {Seat.ONE: 0, Seat.TWO: 1, Seat.THREE: 1, Seat.FOUR: 0}


def test_a_hu_is_shown_with_who_declared_it_last() -> None:
    table = Table()
    table.sees(0, DealEnded())
    table.sees(4, HuDeclared(Seat.ONE))
    table.sees(5, HuDeclared(Seat.THREE))
    assert (seen(table).hand_phase, seen(table).verifying) == ("verifying", Seat.THREE)
    assert seen(table).on_turn is Seat.ONE


def test_everybody_who_declared_hu_is_shown_and_who_would_win() -> None:
    table = Table()
    table.sees(0, DealEnded())
    table.sees(4, DiscardPressed(Seat.ONE))
    table.sees(5, HuDeclared(Seat.FOUR))
    table.sees(6, HuDeclared(Seat.TWO))
    assert seen(table).declared == (Seat.FOUR, Seat.TWO)
    assert seen(table).hu_winners == (Seat.FOUR,)  # mcr-2014 art. 7 (和牌者): not together
    table.happens(7, LinkDown("port /dev/ttyS1 hung up"))
    assert seen(table, linked=False).declared == (Seat.FOUR, Seat.TWO)
    assert seen(table, linked=False).hu_winners == ()


def test_a_view_says_every_field_itself() -> None:
    table = Table()
    assert seen(table).model_fields_set == set(TableSnapshot.model_fields)
    assert shown(table, 0).model_fields_set == set(Timers.model_fields)


def test_who_waits_for_the_referee_is_shown_until_somebody_answers() -> None:
    table = Table()
    for at, seat in enumerate((Seat.FOUR, Seat.ONE)):
        table.sees(at, RefereeCalled(seat))
    four, one = (CallFields(seat=seat, time=called_at(seat)) for seat in (Seat.FOUR, Seat.ONE))
    assert seen(table).calls == (four, one)
    table.sees(3, DealEnded())
    table.order(4, AnswerCall(Seat.FOUR))
    assert seen(table).calls == (one,)


def test_a_pause_is_shown_with_its_reason() -> None:
    table = Table()
    table.sees(0, DealEnded())
    table.order(4, Pause("spilled tea"))
    assert (seen(table).hand_phase, seen(table).paused_reason) == ("paused", "spilled tea")


def test_lost_step_is_shown_with_its_cause() -> None:
    table = Table()
    table.sees(0, DealEnded())
    table.happens(4, LinkDown("port /dev/ttyS1 hung up"))
    after = seen(table, linked=False)
    assert (after.hand_phase, after.link) == ("unsynced", "down")
    assert (after.unsynced_cause, after.on_turn) == ("port /dev/ttyS1 hung up", None)


def test_a_hand_that_is_over_keeps_its_name_and_its_seats() -> None:
    table = Table()
    table.sees(0, WallRaised())
    table.sees(1, DealEnded())
    table.sees(4, DiscardPressed(Seat.ONE))
    table.order(5, DrawHand())
    after = seen(table)
    assert (after.hand_phase, after.hand, after.dealer) == ("over", "t1-1", Seat.ONE)
    assert (after.machine_phase, after.machine_seq) == ("raised", 1)


def test_the_fifth_hand_is_played_in_the_south_round() -> None:
    table = Table()
    for hand in range(5):
        table.sees(hand * 40, DealEnded())
        table.sees(hand * 40 + 4, DiscardPressed(table.state.hand.dealer))
        table.order(hand * 40 + 8, DrawHand())
    after = seen(table)
    assert (after.hand_number, after.dealer) == (5, Seat.ONE)
    assert after.prevalent_wind is Wind.SOUTH  # mcr-2014 art. 4 (圈): four hands each


def face(
    kind: str, total: int, remaining: int, *, running: bool = True, over: bool = False
) -> Face:
    """Return a clock, in whole seconds."""
    return Face(
        kind=kind,
        running=running,
        total_ms=total * 1000,
        remaining_ms=remaining * 1000,
        over=over,
    )


def test_the_dealer_has_twenty_seconds_from_the_end_of_the_deal() -> None:
    table = Table()
    table.sees(0, DealEnded())
    assert shown(table, 5) == Timers(
        table="t1",
        seq=17,
        as_of_ms=5_000,
        time=NOON,
        seats={Seat.ONE: face("first-discard", 20, 15)} | dict.fromkeys(list(Seat)[1:]),
    )


def test_while_the_window_runs_the_next_clock_waits() -> None:
    table = Table()
    table.sees(0, DealEnded())
    table.sees(4, DiscardPressed(Seat.ONE))
    clocks = shown(table, 5)
    assert clocks.window == face("call-window", 3, 2)
    assert clocks.seats[Seat.TWO] == face("turn", 10, 10, running=False)
    assert clocks.seats[Seat.ONE] is None


def test_a_clock_stands_at_nothing_once_its_limit_is_reached() -> None:
    table = Table()
    table.sees(0, DealEnded())
    table.sees(4, DiscardPressed(Seat.ONE))
    clocks = shown(table, 30)
    assert clocks.window is None
    assert clocks.seats[Seat.TWO] == face("turn", 10, 0, over=True)


def test_a_clock_never_shows_less_than_there_is() -> None:
    table = Table()
    table.sees(0, DealEnded())
    late = reading(0)
    instant = Moment(0) + timedelta(microseconds=1)
    clock = timers(table.rules, table.state, Reading(instant, 0, late.time, late.seq))
    dealer = clock.seats[Seat.ONE]
    assert dealer
    assert dealer.remaining_ms == 20_000  # 19.999999 s are left


def test_between_hands_no_clock_is_shown() -> None:
    assert shown(Table(), 0).seats == dict.fromkeys(Seat)
