"""The press that may become a hu, and the hu that may be taken back."""

import pytest

from table.answers import Ignored
from table.commands import ConfirmHu, Pause, WithdrawHu
from table.events import Call, DiscardReleased, HuDeclared
from table.fouls import TooClose
from table.moment import Interval
from table.seat import Seat
from tests.timing.books import seconds
from tests.timing.play import Play, dealt, exactly, moment, opened
from timing.effects import (
    Discarded,
    HandEnded,
    HuAnnounced,
    HuRanked,
    HuTakenBack,
    OverLimitClosed,
    Result,
    TurnStarted,
    WindowClosed,
)
from timing.hand import wake_at


def test_a_foul_by_a_press_waits_for_the_release() -> None:
    play = dealt(holds=True)
    play.discard(1, 21)
    assert play.fouls == []
    assert play.state.on_turn is Seat.TWO
    play.release(1, 21)
    assert [(foul.seat, foul.ended) for foul in play.fouls] == [(Seat.ONE, exactly(21))]


def test_where_holds_are_not_sensed_the_foul_is_seen_at_once() -> None:
    play = dealt()
    play.discard(1, 21)
    assert len(play.fouls) == 1


def test_a_held_press_was_no_discard_and_no_foul() -> None:
    play = dealt(holds=True)
    play.hold(1, 21)
    assert play.phase == "Verifying"
    assert play.fouls == []
    assert play.state.on_turn is Seat.ONE
    assert play.release(1, 21, after=1.2) == (Ignored("no press waits for this release"),)


def test_what_is_too_close_is_recorded_with_the_release_and_never_of_a_hu() -> None:
    tapped, held = (dealt(holds=True, doubt=seconds(0.01)) for _ in range(2))
    tapped.discard(1, 20)
    held.hold(1, 20)
    assert tapped.all_of(TooClose) + held.all_of(TooClose) == []
    tapped.release(1, 20)
    assert len(tapped.all_of(TooClose)) == 1


def test_a_replayed_release_charges_nothing() -> None:
    play = dealt(holds=True)
    play.discard(1, 21)
    play.sees(21, DiscardReleased(Seat.ONE), late=1, replayed=True)
    assert play.fouls == []


def test_a_held_press_of_a_seat_not_on_turn_takes_back_what_it_implied() -> None:
    play = opened(holds=True)
    play.hold(4, 20)
    assert set(play.state.missed) == {0}
    play.order(30, WithdrawHu())
    assert play.state.on_turn is Seat.TWO


def test_the_clocks_that_a_held_press_started_are_closed() -> None:
    play = dealt(holds=True)
    play.discard(1, 10)
    assert play.sees(10, HuDeclared(Seat.ONE), late=1) == (
        WindowClosed(Seat.ONE),
        HuAnnounced(Seat.ONE),
        HuRanked((Seat.ONE,), (Seat.ONE,), discarder=None, kong=None),
    )
    assert wake_at(play.rules, play.state) is None


def test_a_late_pung_concluded_by_a_held_press_is_no_foul() -> None:
    play = opened(holds=True)
    play.claim(4, 13.5)
    play.hold(4, 20)
    assert play.fouls == []


def test_presses_of_two_seats_at_once_are_settled_each_by_its_own_release() -> None:
    play = dealt(holds=True)
    play.discard(1, 21)
    play.discard(2, 21.01)
    play.release(2, 21.01)
    assert play.fouls == []
    play.release(1, 21, after=0.2)
    assert [foul.seat for foul in play.fouls] == [Seat.ONE]


def test_a_hold_takes_back_its_own_press_and_not_that_of_another_seat() -> None:
    play = opened(holds=True)
    play.discard(2, 14)
    play.discard(3, 14.5)
    play.sees(14.5, HuDeclared(Seat.THREE), late=1)
    play.order(30, WithdrawHu())
    assert play.state.on_turn is Seat.THREE


def test_a_press_whose_release_never_came_is_forgotten_with_the_next() -> None:
    play = dealt(holds=True)
    play.discard(1, 21)
    play.tap(2, 23)
    play.tap(3, 28)
    play.tap(4, 33)
    play.tap(1, 38)
    assert play.fouls == []


def test_a_claim_between_press_and_release_does_not_lose_the_foul() -> None:
    play = dealt(holds=True)
    play.discard(1, 21)
    play.claim(4, 21.02, Call.PUNG)
    play.claim(1, 21.03, Call.PUNG)
    play.release(1, 21)
    assert [foul.seat for foul in play.fouls] == [Seat.ONE]


def test_an_implied_discard_between_press_and_release_does_not_lose_the_foul() -> None:
    play = dealt(holds=True)
    play.discard(1, 21)
    play.claim(3, 21.05, Call.CHOW)
    play.release(1, 21)
    assert [foul.seat for foul in play.fouls] == [Seat.ONE]


def test_pausing_drops_a_foul_that_is_not_settled() -> None:
    play = dealt(holds=True)
    play.discard(1, 21)
    play.order(21.05, Pause())
    assert play.release(1, 21) == (Ignored("no press waits for this release"),)
    assert play.fouls == []


def test_losing_the_link_drops_a_foul_that_is_not_settled() -> None:
    play = dealt(holds=True)
    play.discard(1, 21)
    play.lose_link(21.05)
    play.release(1, 21)
    assert play.fouls == []


def test_a_hu_closes_the_notice_without_a_foul() -> None:
    play = dealt(holds=True)
    play.wait(25)
    assert OverLimitClosed(Seat.ONE) in play.hold(1, 25)
    play.order(40, ConfirmHu())
    assert play.fouls == []


def test_a_confirmed_hu_ends_the_hand() -> None:
    play = opened(holds=True)
    play.hold(3, 12)
    assert play.order(20, ConfirmHu()) == (HandEnded("t1-1", Result.HU, Seat.THREE, (Seat.THREE,)),)
    assert play.phase == "Over"


def test_a_hu_that_the_referee_withdraws_gives_a_fresh_limit() -> None:
    play = opened(holds=True)
    play.hold(3, 12)
    assert play.order(60, WithdrawHu()) == (
        HuTakenBack(Seat.THREE),
        TurnStarted(Seat.TWO, seconds(10), Interval.exactly(moment(60)), presumed=False),
    )
    play.tap(2, 70)
    assert play.fouls == []


def test_the_dealers_hu_that_is_withdrawn_gives_the_first_limit_again() -> None:
    play = dealt(holds=True)
    play.hold(1, 12)
    assert play.order(60, WithdrawHu())[-1] == TurnStarted(
        Seat.ONE, seconds(20), Interval.exactly(moment(60)), presumed=False
    )


def test_a_hu_in_an_untimed_first_turn_gives_no_limit_back() -> None:
    play = Play(holds=True)
    play.raise_wall(1)
    play.hold(1, 12)
    assert play.order(60, WithdrawHu()) == (HuTakenBack(Seat.ONE),)


def test_the_same_seat_holding_again_takes_its_hu_back() -> None:
    play = opened(holds=True)
    play.hold(2, 20)
    effects = play.hold(2, 40)
    assert effects[-1] == TurnStarted(Seat.TWO, seconds(10), exactly(40), presumed=False)
    assert play.phase == "Turn"
    assert play.state.on_turn is Seat.TWO


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_a_discard_press_of_any_seat_takes_the_hu_back_and_is_a_discard(seat: int) -> None:
    play = opened(holds=True)
    play.hold(2, 20)
    effects = play.tap(seat, 40)
    assert effects[0] == HuTakenBack(Seat.TWO)
    assert Discarded(Seat(seat), exactly(40), implied=False) in effects
    assert play.fouls == []


def test_a_second_hu_is_verified_beside_the_first_and_the_referee_knows_the_winner() -> None:
    play = opened(holds=True)
    play.hold(3, 12)
    effects = play.hold(4, 14)
    ranking = HuRanked((Seat.THREE, Seat.FOUR), (Seat.THREE,), discarder=Seat.ONE, kong=None)
    assert HuAnnounced(Seat.THREE) in effects
    assert effects[-2:] == (HuAnnounced(Seat.FOUR), ranking)
    assert play.order(20, ConfirmHu((Seat.FOUR,)))[-1] == HandEnded(
        "t1-1", Result.HU, Seat.FOUR, (Seat.FOUR,)
    )


def test_of_two_declared_hu_one_can_be_taken_back() -> None:
    play = opened(holds=True)
    play.hold(3, 12)
    play.hold(4, 14)
    assert play.hold(3, 16)[-2:] == (
        HuTakenBack(Seat.THREE),
        HuRanked((Seat.FOUR,), (Seat.FOUR,), discarder=Seat.ONE, kong=None),
    )
    assert play.order(20, ConfirmHu()) == (HandEnded("t1-1", Result.HU, Seat.FOUR, (Seat.FOUR,)),)


def test_claims_wait_while_a_hu_is_verified() -> None:
    play = opened(holds=True)
    play.hold(3, 12)
    assert play.claim(4, 14) == (Ignored("a hu is being verified"),)


def test_a_wall_raised_while_a_hu_is_verified_confirms_it() -> None:
    play = opened(holds=True)
    play.hold(3, 12)
    assert play.raise_wall(40)[0] == HandEnded("t1-1", Result.HU, Seat.THREE, (Seat.THREE,))
    assert (play.phase, play.state.hand) == ("Arranging", "t1-2")


def test_the_end_of_a_deal_while_a_hu_is_verified_confirms_it() -> None:
    play = opened(holds=True)
    play.hold(3, 12)
    assert play.deal(40)[0] == HandEnded("t1-1", Result.HU, Seat.THREE, (Seat.THREE,))


def test_a_hu_without_a_hand_or_in_a_pause_is_ignored() -> None:
    assert Play(holds=True).sees(1, HuDeclared(Seat.ONE)) == (Ignored("no hand is running"),)
    play = opened(holds=True)
    play.order(11, Pause())
    paused = (Ignored("play is paused; the referee resumes it first"),)
    assert play.sees(12, HuDeclared(Seat.ONE)) == paused


def test_a_second_hold_takes_the_hu_back_though_its_press_repeats_the_discard() -> None:
    play = dealt(holds=True)
    play.tap(1, 5)
    play.hold(1, 6)
    assert play.phase == "Verifying"
    play.hold(1, 7.5)
    assert play.phase == "Turn"
    assert play.all_of(HuTakenBack) == [HuTakenBack(Seat.ONE)]
