"""Lost step: no clocks, no fouls, until a discard press or the referee."""

import pytest

from table.answers import Ignored
from table.commands import ConfirmHu, DrawHand, Pause, Resume, SetLamp
from table.events import DealEnded, HuDeclared, LinkDown, LinkUp, Restarted, TableRebooted
from table.seat import Seat
from tests.timing.play import Play, dealt, opened
from timing.effects import (
    Discarded,
    HandEnded,
    HandStarted,
    HuAnnounced,
    HuTakenBack,
    OverLimitClosed,
    Result,
    StepLost,
    TurnMeasured,
    TurnStarted,
    WindowClosed,
)
from timing.hand import Unsynced, wake_at
from timing.order_effects import PlayResumed


def lost(*, holds: bool = False) -> Play:
    play = opened(holds=holds)
    play.lose_link(15)
    play.effects.clear()
    return play


def test_a_lost_link_stops_the_clocks_and_closes_the_notice() -> None:
    play = dealt()
    play.wait(21)
    assert play.lose_link(22) == (
        SetLamp(Seat.ONE, lit=False),
        OverLimitClosed(Seat.ONE),
        StepLost("cut"),
    )
    assert wake_at(play.rules, play.state) is None
    assert play.state.on_turn is None


def test_a_rebooted_box_loses_step() -> None:
    play = opened()
    assert play.sees(11, TableRebooted()) == (
        WindowClosed(Seat.ONE),
        StepLost("the table's box started anew"),
    )


def test_the_next_press_resumes_and_is_judged_for_nobody() -> None:
    play = lost()
    effects = play.discard(3, 200)
    assert effects[0] == PlayResumed()
    assert isinstance(effects[1], Discarded)
    assert play.state.on_turn is Seat.FOUR
    assert play.all_of(TurnMeasured) == []
    play.discard(4, 220)
    assert [foul.seat for foul in play.fouls] == [Seat.FOUR]


def test_a_replayed_press_does_not_resume() -> None:
    play = lost()
    told = Ignored("a replayed press does not tell who is on turn now")
    assert play.discard(3, 16, late=4, replayed=True) == (told,)
    assert play.phase == "Unsynced"


def test_claims_mean_nothing_out_of_step() -> None:
    assert lost().claim(3, 16) == (Ignored("nobody knows whose discard this claims"),)


def test_a_draw_out_of_step_starts_no_clock() -> None:
    play = lost()
    play.draw(3, 16)
    assert play.all_of(TurnStarted) == []


def test_after_the_referee_resumes_the_clocks_still_wait_for_a_press() -> None:
    play = lost()
    assert play.order(20, Resume()) == (PlayResumed(),)
    assert wake_at(play.rules, play.state) is None
    assert play.discard(3, 30)[0] == play.all_of(Discarded)[0]


def test_losing_step_twice_is_told_once() -> None:
    play = lost()
    assert play.restart(1) == ()
    assert play.state.phase == Unsynced("restart", begun=True)


def test_a_restart_forgets_all_moments() -> None:
    play = opened()
    assert play.restart(2) == (WindowClosed(Seat.ONE), StepLost("restart"))
    assert play.discard(2, 3)[0] == PlayResumed()


@pytest.mark.parametrize("stimulus", [LinkDown("cut"), Restarted("restart")])
def test_between_hands_there_is_no_step_to_lose(stimulus: LinkDown | Restarted) -> None:
    play = Play()
    assert play.happens(1, stimulus) == ()
    assert play.phase == "Idle"
    play = opened()
    play.order(14, DrawHand())
    assert play.happens(15, stimulus) == ()
    assert play.phase == "Over"


def test_a_pause_ends_with_a_lost_link() -> None:
    play = opened()
    play.order(11, Pause())
    assert play.lose_link(12) == (StepLost("cut"),)
    play.deal(30)
    assert play.state.hand == "t1-2"


def test_a_declared_hu_outlives_a_lost_link() -> None:
    play = opened(holds=True)
    play.hold(3, 12)
    play.lose_link(14)
    assert play.order(30, ConfirmHu()) == (HandEnded("t1-1", Result.HU, Seat.THREE, (Seat.THREE,)),)


def test_a_declared_hu_is_taken_back_when_the_referee_resumes() -> None:
    play = opened(holds=True)
    play.hold(3, 12)
    play.lose_link(14)
    assert play.order(30, Resume()) == (HuTakenBack(Seat.THREE), PlayResumed())


def test_a_wall_raised_after_an_outage_confirms_a_declared_hu() -> None:
    play = opened(holds=True)
    play.hold(3, 12)
    play.lose_link(14)
    assert play.raise_wall(30) == (
        HandEnded("t1-1", Result.HU, Seat.THREE, (Seat.THREE,)),
        HandStarted("t1-2", 2, Seat.TWO),
    )


def test_a_wall_raised_out_of_step_ends_nothing_by_itself() -> None:
    told = Ignored("a wall raised during a hand does not end it")
    assert lost().raise_wall(30) == (told,)


def test_a_deal_that_ended_during_the_outage_begins_the_next_hand() -> None:
    play = lost()
    play.sees(30, DealEnded(), late=5, replayed=True)
    assert play.all_of(HandEnded) == [HandEnded("t1-1", Result.UNANNOUNCED)]
    play.discard(2, 90)
    assert play.fouls == []


@pytest.mark.parametrize("paused", [False, True])
def test_before_any_discard_the_end_of_the_deal_goes_on_with_the_same_hand(*, paused: bool) -> None:
    play = Play()
    play.raise_wall(1)
    if paused:
        play.order(2, Pause())
    play.lose_link(5)
    effects = play.deal(10)
    assert effects[0] == PlayResumed()
    assert (play.state.hand, play.state.on_turn) == ("t1-1", Seat.ONE)


def test_a_dealer_whose_hu_was_being_verified_had_not_discarded() -> None:
    play = dealt(holds=True)
    play.hold(1, 12)
    play.lose_link(14)
    play.order(20, Resume())
    play.deal(30)
    assert play.state.hand == "t1-1"


def test_a_seat_whose_hu_was_being_verified_in_a_turn_came_after_a_discard() -> None:
    play = opened(holds=True)
    play.hold(2, 12)
    play.lose_link(14)
    play.order(20, Resume())
    play.deal(30)
    assert play.state.hand == "t1-2"


def test_a_hu_out_of_step_is_verified_and_withdrawing_it_starts_no_clock() -> None:
    play = lost(holds=True)
    effects = play.hold(3, 20)
    assert HuAnnounced(Seat.THREE) in effects
    assert play.phase == "Verifying"
    play.hold(3, 30)
    assert play.phase == "Unsynced"


def test_step_lost_again_while_that_hu_is_verified_stays_lost() -> None:
    play = lost(holds=True)
    play.hold(3, 20)
    play.lose_link(25)
    assert play.state.phase == Unsynced("cut", begun=True, declared=(Seat.THREE,))


def test_a_replayed_press_while_that_hu_is_verified_takes_it_back() -> None:
    play = lost(holds=True)
    play.sees(20, HuDeclared(Seat.THREE))
    assert play.discard(4, 18, late=5, replayed=True)[0] == HuTakenBack(Seat.THREE)
    assert play.phase == "Unsynced"


def test_connecting_says_what_the_inputs_sense() -> None:
    play = lost()
    assert play.happens(20, LinkUp(holds=True, draws=True)) == ()
    assert (play.state.inputs.holds, play.state.inputs.draws) == (True, True)
    assert play.phase == "Unsynced"
