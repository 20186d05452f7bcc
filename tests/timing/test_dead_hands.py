"""What a ruling forbids: hu and calls come to nothing, and play goes on."""

import pytest

from table.events import Call
from table.moment import Elapsed
from table.restrictions import FREE, Restriction
from table.seat import BySeat, Seat
from tests.timing.books import FIFTH, MCR, WSOM, seconds
from tests.timing.play import Play, dealt, exactly, opened
from timing.effects import (
    Barred,
    CallWithdrawn,
    HuAnnounced,
    HuTakenBack,
    Replaced,
    StepLost,
    TurnMeasured,
    TurnStarted,
    WindowOpened,
)
from timing.hand import Restricted, Unsynced, wake_at
from timing.rules import TimeRules

NO_HU = Restriction(no_hu=True)
NO_CALLS = Restriction(no_hu=True, no_calls=True)


def restricted(play: Play, seat: int, restriction: Restriction) -> Play:
    play.happens(10.1, Restricted(BySeat.all(FREE).put(Seat(seat), restriction)))
    play.effects.clear()
    return play


@pytest.mark.parametrize("rules", [MCR, WSOM, FIFTH])
def test_the_hu_of_a_dead_hand_is_barred_and_the_turn_goes_on(rules: TimeRules) -> None:
    play, undisturbed = (restricted(opened(rules, holds=True), 3, NO_HU) for _ in range(2))
    assert play.hold(3, 11)[-1] == Barred(Seat.THREE, "hu")
    undisturbed.wait(12)
    assert play.state == undisturbed.state
    assert play.all_of(HuAnnounced) == []


def test_the_window_and_the_clock_are_shown_again_after_a_barred_hu() -> None:
    play = restricted(opened(holds=True), 3, NO_HU)
    told = play.hold(3, 11)
    assert told[-3:-1] == (
        WindowOpened(Seat.ONE, seconds(3)),
        TurnStarted(Seat.TWO, seconds(10), None, presumed=False),
    )
    play.wait(13)
    assert play.all_of(TurnStarted)[-1].start == exactly(13)


def test_the_own_turn_of_a_dead_hand_is_measured_from_where_it_began() -> None:
    play = restricted(opened(holds=True), 2, NO_HU)
    play.wait(13)
    play.hold(2, 15)
    play.tap(2, 20)
    assert play.all_of(TurnMeasured)[-1].taken == Elapsed(seconds(7), seconds(7))
    assert play.fouls == []


def test_the_dealers_barred_hu_leaves_the_first_limit_running() -> None:
    play = restricted(dealt(holds=True), 1, NO_HU)
    play.hold(1, 11)
    play.tap(1, 20.01)
    assert len(play.fouls) == 1


def test_a_barred_hold_takes_back_nobodys_hu() -> None:
    play = restricted(opened(holds=True), 3, NO_HU)
    play.hold(4, 11)
    play.hold(3, 14)
    assert play.phase == "Verifying"
    assert [type(each) for each in play.effects if isinstance(each, HuTakenBack | HuAnnounced)] == [
        HuAnnounced,
        HuTakenBack,
        HuAnnounced,
    ]


def test_a_barred_hold_out_of_step_tells_nobody_whose_turn_it_is() -> None:
    play = opened(holds=True)
    play.lose_link(10.1)
    restricted(play, 3, NO_HU)
    play.hold(3, 12)
    assert play.all_of(StepLost) == [StepLost("cut")]
    assert isinstance(play.state.phase, Unsynced)
    assert wake_at(play.rules, play.state) is None


def test_what_others_said_during_a_barred_hold_stands() -> None:
    play = restricted(opened(holds=True), 3, NO_HU)
    play.discard(3, 11)
    play.claim(4, 11.2, Call.PUNG)
    play.declare(3, 11)
    assert play.state.on_turn is Seat.FOUR
    assert set(play.state.missed) == {0}


def test_a_seat_with_a_dead_hand_still_calls() -> None:
    play = restricted(opened(holds=True), 3, NO_HU)
    play.claim(3, 11, Call.PUNG)
    assert play.state.on_turn is Seat.THREE


@pytest.mark.parametrize("call", [None, Call.PUNG, Call.KONG, Call.CHOW])
def test_a_call_that_a_ruling_forbids_comes_to_nothing(call: Call | None) -> None:
    play = restricted(opened(), 4, NO_CALLS)
    before = play.state
    assert play.claim(4, 11, call) == (Barred(Seat.FOUR, "call"),)
    assert play.state.phase == before.phase
    play.claim(4, 15, call)
    play.discard(2, 20)
    assert play.fouls == []
    assert play.all_of(CallWithdrawn) == []


def test_a_forbidden_call_shows_no_discard() -> None:
    play = restricted(dealt(), 3, NO_CALLS)
    assert play.claim(3, 15, Call.PUNG) == (Barred(Seat.THREE, "call"),)
    assert play.phase == "Arranging"


@pytest.mark.parametrize("call", [Call.FLOWER, None])
@pytest.mark.parametrize("at", [11.0, 15.0])
def test_flowers_are_still_replaced_on_the_own_turn(at: float, call: Call | None) -> None:
    play = restricted(opened(), 2, NO_CALLS)
    play.claim(2, at, call)
    assert play.all_of(Replaced) == [Replaced(Seat.TWO, Call.FLOWER)]
    assert play.state.replacements[Seat.TWO].flowers == 1


@pytest.mark.parametrize("call", [Call.KONG, Call.PUNG, Call.CHOW])
def test_kongs_and_calls_of_the_seat_on_turn_are_barred_too(call: Call) -> None:
    play = restricted(opened(), 2, NO_CALLS)
    assert play.claim(2, 11, call) == (Barred(Seat.TWO, "call"),)


def test_opening_flowers_are_replaced_by_a_seat_that_may_not_call() -> None:
    play = restricted(dealt(), 3, NO_CALLS)
    assert play.claim(3, 12) == (Replaced(Seat.THREE, Call.FLOWER),)


def test_what_a_ruling_lifts_is_allowed_again() -> None:
    play = restricted(opened(holds=True), 4, NO_CALLS)
    play.happens(11, Restricted(BySeat.all(FREE)))
    play.claim(4, 11.5, Call.PUNG)
    assert play.state.on_turn is Seat.FOUR
