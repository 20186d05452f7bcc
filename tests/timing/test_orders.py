"""What referees and staff order: carried out in its phase, refused with a reason in any other."""

from collections.abc import Callable

import pytest

from table.answers import Code, Ignored, Refused
from table.commands import (
    ConfirmHu,
    DrawHand,
    EndDeal,
    HandCommand,
    Ordered,
    Pause,
    Resume,
    SeatPlayers,
    SetLamp,
    StartHand,
    Stop,
    VoidHand,
    WithdrawHu,
)
from table.events import TileDrawn
from table.moment import Interval
from table.seat import BySeat, Seat
from tests.timing.books import seconds
from tests.timing.play import Play, dealt, moment, opened
from timing.effects import (
    Drawn,
    HandEnded,
    HandStarted,
    OverLimitClosed,
    RefereeWanted,
    Result,
    TurnStarted,
    WindowClosed,
)
from timing.order_effects import PlayersSeated, PlayPaused, PlayResumed

PLAYERS = BySeat("ann", "bo", "cy", "di")


def idle() -> Play:
    return Play(holds=True)


def arranging() -> Play:
    return dealt(holds=True)


def turn() -> Play:
    return opened(holds=True)


def verifying() -> Play:
    play = opened(holds=True)
    play.hold(2, 11)
    return play


def paused() -> Play:
    play = opened(holds=True)
    play.order(11, Pause("tea"))
    return play


def unsynced() -> Play:
    play = opened(holds=True)
    play.lose_link(11)
    return play


def over() -> Play:
    play = verifying()
    play.order(13, ConfirmHu())
    return play


PHASES = [idle, arranging, turn, verifying, paused, unsynced, over]
RUNNING = {"arranging", "turn", "verifying", "paused", "unsynced"}
BETWEEN = {"idle", "over"}
CARRIED_OUT: dict[HandCommand, set[str]] = {
    StartHand(): BETWEEN,
    EndDeal(): BETWEEN,
    SeatPlayers(PLAYERS): BETWEEN,
    Pause(): {"arranging", "turn"},
    Resume(): {"paused", "unsynced"},
    ConfirmHu(): {"verifying", "unsynced"},
    WithdrawHu(): {"verifying"},
    DrawHand(): {"turn", "paused", "unsynced"},
    VoidHand("tiles fell"): RUNNING,
}


@pytest.mark.parametrize("reached", PHASES, ids=lambda reached: reached.__name__)
@pytest.mark.parametrize("command", CARRIED_OUT, ids=lambda command: type(command).__name__)
def test_an_order_is_carried_out_in_its_phases_and_refused_in_all_others(
    command: HandCommand, reached: Callable[[], Play]
) -> None:
    play = reached()
    before = play.state.phase
    effects = play.order(15, command)
    refused = [effect for effect in effects if isinstance(effect, Refused)]
    if reached.__name__ in CARRIED_OUT[command]:
        assert refused == []
        assert play.state.phase != before or isinstance(command, SeatPlayers)
    else:
        assert [refusal.code for refusal in refused] == [Code.WRONG_PHASE]
        assert all(refusal.reason for refusal in refused)


def test_a_referee_begins_a_hand_and_ends_its_deal() -> None:
    play = Play()
    assert play.order(1, StartHand()) == (HandStarted("t1-1", 1, Seat.ONE),)
    start = Interval.exactly(moment(9))
    assert play.order(9, EndDeal()) == (TurnStarted(Seat.ONE, seconds(20), start, presumed=False),)


def test_a_first_limit_that_the_referee_started_is_judged() -> None:
    play = Play()
    play.order(1, EndDeal())
    play.discard(1, 21.01)
    assert len(play.fouls) == 1


def test_a_pause_closes_the_window_and_silences_the_table() -> None:
    play = opened()
    assert play.order(11, Pause("tea")) == (WindowClosed(Seat.ONE), PlayPaused("tea"))
    assert play.wait(100) == ()


def test_a_pause_after_the_notice_closes_it_without_a_foul() -> None:
    play = dealt()
    play.wait(25)
    assert play.order(26, Pause()) == (
        SetLamp(Seat.ONE, lit=False),
        OverLimitClosed(Seat.ONE),
        PlayPaused(""),
    )
    assert play.fouls == []


def test_after_a_pause_the_seat_on_turn_has_a_fresh_limit() -> None:
    play = opened()
    play.order(20, Pause())
    fresh = TurnStarted(Seat.TWO, seconds(10), Interval.exactly(moment(60)), presumed=False)
    assert play.order(60, Resume()) == (PlayResumed(), fresh)
    play.discard(2, 70)
    assert play.fouls == []


def test_after_a_pause_the_dealer_has_the_first_limit_again() -> None:
    play = dealt()
    play.order(15, Pause())
    play.order(60, Resume())
    play.discard(1, 80.01)
    assert [foul.measured and foul.measured.least for foul in play.fouls] == [seconds(20.01)]


def test_an_untimed_first_turn_stays_untimed_after_a_pause() -> None:
    play = Play()
    play.raise_wall(1)
    play.order(5, Pause())
    assert play.order(60, Resume()) == (PlayResumed(),)


def test_what_seats_say_in_a_pause_changes_nothing_but_they_may_call_the_referee() -> None:
    play = paused()
    before = play.state.phase
    told = (Ignored("play is paused"),)
    assert play.discard(2, 12) == told
    assert play.claim(3, 13) == told
    assert play.deal(14) == told
    assert play.sees(15, TileDrawn(Seat.TWO)) == (Drawn(Seat.TWO),)
    assert play.call_referee(3, 16) == (RefereeWanted(Seat.THREE),)
    assert play.state.phase == before


@pytest.mark.parametrize("reached", PHASES, ids=lambda reached: reached.__name__)
def test_the_referee_can_be_called_in_every_phase(reached: Callable[[], Play]) -> None:
    assert reached().call_referee(4, 13)[-1] == RefereeWanted(Seat.FOUR)


def test_between_hands_presses_mean_nothing() -> None:
    play = Play()
    told = (Ignored("no hand is running"),)
    assert play.discard(1, 1) == told
    assert play.claim(1, 2) == told
    assert play.draw(1, 3) == told


def test_a_drawn_hand_has_no_winner() -> None:
    play = opened()
    play.wait(13)
    assert play.order(14, DrawHand()) == (HandEnded("t1-1", Result.DRAW),)


def test_where_a_hu_cannot_be_sensed_the_referee_says_it() -> None:
    play = opened()
    assert play.order(11, ConfirmHu()) == (WindowClosed(Seat.ONE), HandEnded("t1-1", Result.HU))


def test_players_are_seated_between_hands() -> None:
    play = Play()
    assert play.order(1, SeatPlayers(PLAYERS)) == (PlayersSeated(PLAYERS),)
    assert play.state.players == PLAYERS


@pytest.mark.parametrize("names", [("ann", "bo", "ann", "di"), ("ann", "", "cy", "di")])
def test_four_different_players_are_needed(names: tuple[str, str, str, str]) -> None:
    play = Play()
    (refused,) = play.order(1, SeatPlayers(BySeat(*names)))
    assert isinstance(refused, Refused)
    assert refused.code is Code.BAD_VALUE
    assert "four different players" in refused.reason
    assert play.state.players[Seat.ONE] == "t1-1"


def test_an_order_for_the_machine_is_no_order_for_a_hand() -> None:
    (refused,) = Play().happens(1, Ordered(Stop(), "staff"))
    assert refused == Refused(Code.BAD_VALUE, "Stop is no order for a hand")
