"""Several hu on one tile, robbed kongs, and whom a confirmation makes the winner."""

from dataclasses import replace

import pytest

from table.answers import Code, Refused
from table.commands import ConfirmHu
from table.events import Call
from table.moment import MILLISECOND
from table.restrictions import FREE, Restriction
from table.seat import BySeat, Seat
from tests.timing.books import FIFTH, JINGJI, MCR, WSOM
from tests.timing.play import Play, dealt, opened
from timing.effects import HandEnded, HuRanked, Result
from timing.hand import Restricted
from timing.rules import SeveralHu, TimeRules

DEAD = Restriction(no_hu=True)


def ranking(play: Play) -> HuRanked:
    return play.all_of(HuRanked)[-1]


def both_hold(play: Play, first: tuple[int, float], second: tuple[int, float]) -> None:
    """Let two seats hold at about the same time: both press before either hold is over."""
    for seat, at in sorted((first, second), key=lambda each: each[1]):
        play.discard(seat, at)
    for seat, at in (first, second):
        play.declare(seat, at)


@pytest.mark.parametrize("rules", [MCR, WSOM, JINGJI, FIFTH])
def test_one_hu_of_a_discard_is_ranked_alone(rules: TimeRules) -> None:
    play = opened(rules, holds=True)
    play.hold(3, 20)
    assert ranking(play) == HuRanked((Seat.THREE,), (Seat.THREE,), Seat.ONE, None)


@pytest.mark.parametrize("order", [(3, 4), (4, 3)])
@pytest.mark.parametrize(
    ("rules", "winners"),
    [
        (MCR, (Seat.THREE,)),  # art. 7 (和牌者): together, the nearest
        (WSOM, (Seat.THREE,)),  # 鸣牌优先规条: 截和
        (JINGJI, (Seat.THREE, Seat.FOUR)),  # ch. 3 art. 1 §35: paid in order of play
    ],
)
def test_simultaneous_hu_are_ranked_from_the_discarder_in_any_reading_order(
    rules: TimeRules, winners: tuple[Seat, ...], order: tuple[int, int]
) -> None:
    play = opened(rules, holds=True)
    play.doubt = 20 * MILLISECOND
    both_hold(play, (order[0], 11.0), (order[1], 11.01))
    assert (ranking(play).winners, ranking(play).discarder) == (winners, Seat.ONE)
    assert play.order(20, ConfirmHu())[-1] == HandEnded("t1-1", Result.HU, winners[0], winners)


@pytest.mark.parametrize(
    ("several", "winners"),
    [
        (SeveralHu.FIRST, (Seat.FOUR,)),
        (SeveralHu.NEAREST, (Seat.TWO,)),
        (SeveralHu.ALL, (Seat.TWO, Seat.FOUR)),
    ],
)
def test_an_earlier_hu_wins_only_where_the_book_counts_time(
    several: SeveralHu, winners: tuple[Seat, ...]
) -> None:
    play = opened(replace(MCR, several_hu=several), holds=True)
    both_hold(play, (4, 11), (2, 11.3))
    assert ranking(play).winners == winners


def test_two_holds_at_once_undo_both_presses() -> None:
    play = opened(holds=True)
    both_hold(play, (4, 11), (3, 11.2))
    assert set(play.state.missed) == {0}
    assert play.state.on_turn is Seat.TWO


def test_three_holds_at_once_undo_all_presses() -> None:
    play = opened(JINGJI, holds=True)
    for seat in (3, 2, 4):
        play.discard(seat, 11)
    for seat in (2, 4, 3):
        play.declare(seat, 11)
    assert play.state.on_turn is Seat.TWO
    assert ranking(play).winners == (Seat.TWO, Seat.THREE, Seat.FOUR)


def test_a_self_drawn_hu_has_no_discarder_and_wins_alone() -> None:
    play = opened(JINGJI, holds=True, draws=True)
    play.draw(2, 12)
    play.hold(2, 15)
    assert ranking(play) == HuRanked((Seat.TWO,), (Seat.TWO,), None, None)
    play.declare(3, 15.5)
    assert ranking(play).winners == (Seat.TWO,)


def test_where_draws_are_not_sensed_the_seat_on_turn_may_have_drawn_its_tile() -> None:
    play = opened(holds=True)
    play.hold(2, 15)
    assert ranking(play).discarder is None


def test_a_seat_that_called_the_discard_won_on_it() -> None:
    play = opened(holds=True)
    play.claim(2, 11, Call.PUNG)
    play.hold(2, 15)
    assert ranking(play).discarder is Seat.ONE


def test_the_dealers_own_hu_has_no_discarder() -> None:
    play = dealt(holds=True)
    play.hold(1, 5)
    assert ranking(play).discarder is None
    play.declare(3, 5.5)
    assert ranking(play).discarder is Seat.ONE


@pytest.mark.parametrize("call", [Call.KONG, None])
def test_an_added_kong_is_open_to_hu_until_the_next_discard(call: Call | None) -> None:
    play = opened(holds=True)
    play.claim(2, 15, call)
    play.hold(4, 22)
    assert ranking(play) == HuRanked((Seat.FOUR,), (Seat.FOUR,), Seat.ONE, Seat.TWO)


def test_after_the_next_discard_no_kong_can_be_robbed() -> None:
    play = opened(holds=True)
    play.claim(2, 15, Call.KONG)
    play.tap(2, 18)
    play.hold(4, 20)
    assert ranking(play) == HuRanked((Seat.FOUR,), (Seat.FOUR,), Seat.TWO, None)


def test_nobody_robs_a_flower() -> None:
    play = opened(holds=True)
    play.claim(2, 15, Call.FLOWER)
    play.hold(4, 20)
    assert ranking(play).kong is None


def test_nobody_robs_the_own_kong() -> None:
    play = opened(holds=True)
    play.claim(2, 15, Call.KONG)
    play.hold(2, 20)
    assert ranking(play) == HuRanked((Seat.TWO,), (Seat.TWO,), None, None)


def test_a_kong_that_opens_no_fresh_limit_can_be_robbed_too() -> None:
    play = opened(FIFTH, holds=True)
    play.claim(2, 20, Call.KONG)
    play.hold(3, 22)
    assert ranking(play).kong is Seat.TWO


def test_robbers_of_one_kong_are_ranked_from_its_maker() -> None:
    play = opened(JINGJI, holds=True)
    play.claim(2, 15, Call.KONG)
    both_hold(play, (1, 17), (4, 17))
    assert ranking(play).winners == (Seat.FOUR, Seat.ONE)


def test_the_referee_names_the_winners_among_those_who_declared() -> None:
    play = opened(JINGJI, holds=True)
    both_hold(play, (4, 11), (3, 11))
    told = play.order(20, ConfirmHu((Seat.TWO,)))
    assert told == (Refused(Code.BAD_VALUE, "each winner is one of 4, 3, not 2"),)
    named = play.order(21, ConfirmHu((Seat.FOUR, Seat.THREE)))[-1]
    assert named == HandEnded("t1-1", Result.HU, Seat.THREE, (Seat.THREE, Seat.FOUR))


def test_a_wall_raised_over_several_hu_confirms_the_ranked_ones() -> None:
    play = opened(JINGJI, holds=True)
    both_hold(play, (4, 11), (2, 11))
    ended = play.raise_wall(60)[0]
    assert ended == HandEnded("t1-1", Result.HU, Seat.TWO, (Seat.TWO, Seat.FOUR))


def test_out_of_step_one_hu_has_its_winner_and_several_are_left_to_the_referee() -> None:
    play = opened(holds=True)
    both_hold(play, (4, 11), (3, 11))
    play.lose_link(15)
    assert play.order(20, ConfirmHu())[-1] == HandEnded("t1-1", Result.HU)


def test_out_of_step_everybody_wins_where_the_book_pays_everybody() -> None:
    play = opened(JINGJI, holds=True)
    both_hold(play, (4, 11), (3, 11))
    play.lose_link(15)
    winners = (Seat.THREE, Seat.FOUR)
    assert play.order(20, ConfirmHu())[-1] == HandEnded("t1-1", Result.HU, winners[0], winners)


def test_hu_declared_out_of_step_is_ranked_by_time_alone() -> None:
    play = opened(holds=True)
    play.lose_link(11)
    play.declare(4, 20)
    play.declare(3, 21)
    assert ranking(play) == HuRanked((Seat.FOUR, Seat.THREE), (Seat.FOUR,), None, None)
    play.doubt = 2000 * MILLISECOND
    play.declare(2, 21.5)
    assert ranking(play).winners == ()


def test_a_hand_that_died_while_its_hu_was_verified_does_not_win() -> None:
    play = opened(holds=True)
    both_hold(play, (4, 11), (3, 11))
    play.happens(15, Restricted(BySeat(FREE, FREE, DEAD, FREE)))
    refused = Refused(Code.BAD_VALUE, "a ruling forbids hu to 3 in this hand")
    assert play.order(20, ConfirmHu((Seat.THREE,))) == (refused,)
    assert play.order(21, ConfirmHu())[-1] == HandEnded("t1-1", Result.HU, Seat.FOUR, (Seat.FOUR,))


def test_a_hu_of_dead_hands_alone_is_not_confirmed() -> None:
    play = opened(holds=True)
    play.hold(3, 11)
    play.happens(15, Restricted(BySeat.all(DEAD)))
    refused = Refused(Code.BAD_VALUE, "a ruling forbids hu to 3 in this hand")
    assert play.order(20, ConfirmHu()) == (refused,)
