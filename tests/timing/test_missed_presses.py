"""Presses that never came, came late, or came twice: normal life, charged to nobody."""

from datetime import timedelta

import pytest

from table.answers import Ignored
from table.commands import SetLamp
from table.events import Call
from table.moment import Interval, Quality
from table.seat import Seat
from tests.timing.books import GB, seconds
from tests.timing.play import Play, dealt, exactly, moment, opened
from timing.effects import Discarded, PressesMissed, TurnMeasured, TurnStarted, WindowClosed
from timing.hand import Turn

REPEATED = (Ignored("the press repeats what is known"),)


def whole(earliest: float, latest: float) -> Interval:
    return Interval(moment(earliest), moment(latest), Quality.IMPLIED)


def test_a_press_implies_the_discards_of_the_seats_in_between() -> None:
    play = opened()
    effects = play.discard(4, 40)
    assert [effect for effect in effects if isinstance(effect, Discarded)] == [
        Discarded(Seat.TWO, whole(10, 40), implied=True),
        Discarded(Seat.THREE, whole(10, 40), implied=True),
        Discarded(Seat.FOUR, exactly(40), implied=False),
    ]
    assert play.state.on_turn is Seat.ONE


def test_seats_that_are_passed_over_and_the_presser_are_not_measured() -> None:
    play = opened()
    play.discard(4, 100)
    assert play.fouls == []
    assert play.all_of(TurnMeasured) == []


def test_missed_presses_are_counted_and_told_from_the_notice_on() -> None:
    play = opened()
    play.discard(3, 20)
    assert play.state.missed[Seat.TWO] == 1
    assert play.all_of(PressesMissed) == []
    play.discard(1, 60)
    play.discard(3, 80)
    assert play.all_of(PressesMissed) == [PressesMissed(Seat.TWO, 2)]
    assert (play.state.missed[Seat.FOUR], play.state.missed[Seat.ONE]) == (1, 0)


def test_missed_presses_are_forgotten_with_the_hand() -> None:
    play = opened()
    play.discard(3, 20)
    play.deal(50)
    assert set(play.state.missed) == {0}


def test_another_seats_press_implies_the_dealers_first_discard() -> None:
    play = dealt()
    effects = play.discard(2, 30)
    assert [effect for effect in effects if isinstance(effect, Discarded)] == [
        Discarded(Seat.ONE, whole(0, 30), implied=True),
        Discarded(Seat.TWO, exactly(30), implied=False),
    ]
    assert play.fouls == []
    assert play.all_of(TurnMeasured) == []


@pytest.mark.parametrize(("seat", "fouls"), [(4, 0), (3, 1)])
def test_a_press_that_would_skip_a_round_before_the_first_discard_times_nobody(
    seat: int, fouls: int
) -> None:
    play = dealt(GB)
    play.discard(seat, 5)
    play.discard(Seat(seat).lower, 20.01)
    assert len(play.fouls) == fouls


def test_an_untimed_first_discard_is_implied_from_the_beginning_of_the_hand() -> None:
    play = Play()
    play.raise_wall(5)
    assert Discarded(Seat.ONE, whole(5, 30), implied=True) in play.discard(2, 30)


def test_the_same_seat_pressing_twice_says_it_once() -> None:
    play = opened()
    before = play.state.phase
    assert play.discard(1, 12.9) == REPEATED
    assert play.state.phase == before
    play.wait(13)
    assert play.discard(1, 13) == REPEATED


def test_the_same_seat_pressing_after_time_for_a_go_around_has_discarded_again() -> None:
    play = opened()
    play.discard(1, 13.01)
    assert play.state.on_turn is Seat.TWO
    assert [event.seat for event in play.all_of(Discarded)] == [2, 3, 4, 1]


def test_a_late_press_of_a_seat_just_passed_over_says_nothing_new() -> None:
    play = opened()
    play.discard(3, 20)
    assert play.discard(2, 21) == REPEATED
    assert play.state.on_turn is Seat.FOUR


def test_a_press_of_a_seat_passed_over_after_that_time_is_a_new_discard() -> None:
    play = opened()
    play.discard(3, 20)
    play.discard(2, 23.01)
    assert play.state.on_turn is Seat.THREE


@pytest.mark.parametrize(("again", "on_turn"), [(13, 3), (13.01, 2)])
def test_who_presses_its_own_discard_twice_may_do_so_after_the_next_one(
    again: float, on_turn: int
) -> None:
    play = opened()
    play.discard(2, 11)
    play.discard(1, again)
    assert play.state.on_turn == on_turn


def test_who_presses_late_and_again_after_the_next_discard_says_it_once() -> None:
    play = opened()
    play.claim(3, 12, Call.CHOW)
    play.discard(2, 12.4)
    play.discard(3, 13)
    assert play.discard(2, 15.4) == REPEATED
    assert play.state.on_turn is Seat.FOUR


def test_who_has_called_since_its_discard_discards_again() -> None:
    play = opened()
    play.discard(2, 10.8)
    play.claim(1, 11.2, Call.PUNG)
    play.discard(1, 12.9)
    assert play.state.on_turn is Seat.TWO


def test_a_quick_discard_after_a_pung_that_was_not_pressed_is_believed() -> None:
    play = opened()
    play.discard(4, 12)
    assert play.state.on_turn is Seat.ONE


def test_the_opposite_seats_press_is_believed_however_soon() -> None:
    play = opened()
    play.discard(3, 10.5)
    assert play.state.on_turn is Seat.FOUR


def test_the_discarder_pressing_again_after_a_claim_says_nothing_new() -> None:
    play = opened()
    play.claim(4, 10.5)
    assert play.discard(1, 11) == REPEATED
    assert play.state.on_turn is Seat.FOUR


def test_a_claim_before_the_discarders_press_implies_the_discard() -> None:
    play = opened()
    effects = play.claim(1, 18, Call.PUNG)
    assert Discarded(Seat.TWO, whole(10, 18), implied=True) in effects
    assert play.state.on_turn is Seat.ONE
    assert play.fouls == []


def test_the_late_press_after_a_claim_only_narrows_the_interval() -> None:
    play = opened()
    play.claim(1, 18, Call.PUNG)
    play.effects.clear()
    assert play.discard(2, 18.4) == ()
    assert play.state.on_turn is Seat.ONE
    play.discard(1, 25)
    assert set(play.state.missed) == {0}
    assert play.fouls == []


def test_no_other_clock_starts_before_a_late_press_which_may_be_of_a_later_discard() -> None:
    play = opened(GB)
    play.claim(3, 12, Call.CHOW)
    play.wait(25)
    effects = play.discard(2, 26)
    assert effects == (
        SetLamp(Seat.THREE, lit=False),
        TurnStarted(Seat.THREE, seconds(15), exactly(26), presumed=True),
    )
    play.discard(3, 44)
    assert play.fouls == []


def test_a_press_from_before_the_claim_that_arrives_after_it_dates_the_discard() -> None:
    play = opened()
    play.claim(1, 18, Call.PUNG)
    play.discard(2, 17.5, late=1)
    assert isinstance(play.state.phase, Turn)
    assert play.state.phase.pool.when == exactly(17.5)


def test_a_press_that_may_be_after_the_claim_does_not_date_the_discard() -> None:
    play = opened()
    play.claim(1, 18, Call.PUNG)
    play.doubt = timedelta(milliseconds=400)
    play.discard(2, 17.9, late=1)
    assert isinstance(play.state.phase, Turn)
    assert play.state.phase.pool.when == whole(10, 18)


def test_a_press_that_never_came_after_a_claim_is_counted_once() -> None:
    play = opened()
    play.claim(1, 18, Call.PUNG)
    play.discard(1, 25)
    assert play.state.missed[Seat.TWO] == 1


def test_long_after_a_claim_the_discarders_press_is_a_new_discard() -> None:
    play = opened()
    play.claim(1, 18, Call.PUNG)
    play.discard(2, 28.01)
    assert play.state.on_turn is Seat.THREE
    assert play.fouls == []


def test_whoever_lost_the_turn_to_a_claim_and_discards_next_is_believed() -> None:
    play = opened()
    play.claim(4, 12)
    effects = play.discard(2, 20)
    assert not any(isinstance(effect, TurnMeasured) for effect in effects)
    assert play.state.on_turn is Seat.THREE
    assert set(play.state.missed) == {0}


@pytest.mark.parametrize("seat", [2, 3])
def test_a_press_of_another_seat_closes_the_old_window_and_opens_its_own(seat: int) -> None:
    play = opened()
    effects = play.discard(seat, 12.9)
    assert WindowClosed(Seat.ONE) in effects
    assert effects[-1] == TurnStarted(Seat(seat).lower, seconds(10), None, presumed=False)
