"""A seat that calls the referee waits until somebody answers, whatever is played meanwhile."""

from collections.abc import Callable

import pytest

from table.answers import Code, Ignored, Refused
from table.commands import AnswerCall, DrawHand, Ordered, WithdrawHu
from table.events import RefereeCalled
from table.seat import Seat
from tests.timing.play import Play, dealt, exactly, opened
from tests.timing.test_orders import PHASES
from timing.effects import RefereeWanted
from timing.order_effects import CallAnswered, Decreed
from timing.phases import RefereeCall


def waiting(play: Play) -> list[int]:
    return [call.seat.value for call in play.state.calls]


@pytest.mark.parametrize("reached", PHASES, ids=lambda reached: reached.__name__)
def test_in_every_phase_a_call_is_kept_until_a_person_answers_it(
    reached: Callable[[], Play],
) -> None:
    play = reached()
    play.wait(15)
    phase = play.state.phase
    assert play.call_referee(4, 15)[-1] == RefereeWanted(Seat.FOUR)
    assert play.state.calls == (RefereeCall(Seat.FOUR, exactly(15)),)
    answered = play.happens(15, Ordered(AnswerCall(Seat.FOUR), "Ito"))
    assert answered == (Decreed("answer-call", "Ito", ""), CallAnswered(Seat.FOUR))
    assert waiting(play) == []
    assert play.state.phase == phase


def test_calls_are_kept_in_the_order_in_which_they_came() -> None:
    play = opened()
    for at, seat in enumerate((3, 1, 4), start=11):
        play.call_referee(seat, at)
    play.order(15, AnswerCall(Seat.ONE))
    assert waiting(play) == [3, 4]


def test_a_seat_that_waits_and_calls_again_changes_nothing() -> None:
    play = opened()
    play.call_referee(3, 11)
    before = play.state.calls
    assert play.call_referee(3, 12) == (Ignored("seat 3 waits for the referee already"),)
    assert play.state.calls == before


def test_a_seat_that_was_answered_may_call_again() -> None:
    play = opened()
    play.call_referee(3, 11)
    play.order(12, AnswerCall(Seat.THREE))
    assert play.call_referee(3, 12.5) == (RefereeWanted(Seat.THREE),)


def test_a_call_that_nobody_made_or_that_was_answered_cannot_be_answered() -> None:
    play = opened()
    play.call_referee(3, 11)
    play.order(12, AnswerCall(Seat.THREE))
    for seat in (Seat.THREE, Seat.FOUR):
        refused = Refused(Code.WRONG_PHASE, f"seat {seat} does not wait for the referee")
        assert play.order(12, AnswerCall(seat)) == (refused,)


def test_a_call_outlives_restart_lost_link_and_the_next_hand() -> None:
    play = opened()
    play.call_referee(3, 11)
    play.lose_link(12)
    play.restart(2)
    play.order(3, DrawHand())
    play.deal(20)
    assert (play.state.number, waiting(play)) == (2, [3])


def test_a_call_that_a_cut_wire_kept_back_is_a_call() -> None:
    play = opened()
    play.lose_link(11)
    play.sees(12, RefereeCalled(Seat.TWO), late=5, replayed=True)
    assert play.state.calls == (RefereeCall(Seat.TWO, exactly(12)),)


def test_a_press_that_becomes_a_hu_neither_loses_a_call_nor_brings_one_back() -> None:
    play = dealt(holds=True)
    play.call_referee(2, 1)
    play.discard(1, 5)
    play.order(5.2, AnswerCall(Seat.TWO))
    play.call_referee(4, 5.4)
    play.declare(1, 5)
    assert (play.phase, waiting(play)) == ("Verifying", [4])
    play.order(8, WithdrawHu())
    assert waiting(play) == [4]
