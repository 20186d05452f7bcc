"""The first limit of each book: from the deal, from the last flower, after an untimed opening."""

import pytest

from table.commands import Pause, Resume, StartHand
from table.events import Call
from table.moment import Interval
from table.seat import Seat
from tests.timing.books import FIFTH, GB, JINGJI, MCR, WSOM, seconds
from tests.timing.play import Play, dealt, exactly, moment
from timing.effects import Replaced, TurnMeasured, TurnStarted
from timing.rules import TimeRules


@pytest.mark.parametrize(("rules", "limit"), [(MCR, 20), (GB, 30), (JINGJI, 20)])
@pytest.mark.parametrize(("over", "fouls"), [(-0.01, 0), (0, 0), (0.01, 1)])
def test_the_first_limit_counts_from_the_end_of_the_deal(
    rules: TimeRules, limit: float, over: float, fouls: int
) -> None:
    play = dealt(rules)
    play.discard(1, limit + over)
    assert [foul.rule for foul in play.fouls] == [rules.first_discard.rule] * fouls


@pytest.mark.parametrize(("over", "fouls"), [(-0.01, 0), (0, 0), (0.01, 1)])
def test_in_wsom_the_dealer_has_fifteen_seconds_after_the_untimed_fifteen(
    over: float, fouls: int
) -> None:
    play = dealt(WSOM)
    play.discard(1, 30 + over)
    assert [foul.rule for foul in play.fouls] == ["wsom-2010 打牌时限 §2"] * fouls


@pytest.mark.parametrize(("over", "fouls"), [(0, 0), (0.01, 1)])
def test_a_quick_first_discard_leaves_the_next_seat_untimed_too(over: float, fouls: int) -> None:
    play = dealt(WSOM)
    play.discard(1, 2)
    assert play.all_of(TurnStarted)[-1].start == exactly(15)
    play.discard(2, 30 + over)
    assert [foul.seat for foul in play.fouls] == [Seat.TWO] * fouls


def test_a_claim_in_the_untimed_opening_is_timed_from_its_end() -> None:
    play = dealt(WSOM)
    play.discard(1, 2)
    play.claim(3, 4, Call.PUNG)
    play.discard(3, 30)
    assert play.fouls == []
    assert play.all_of(TurnMeasured)[-1].taken.most == seconds(15)


def test_after_the_untimed_opening_a_limit_counts_from_the_discard() -> None:
    play = dealt(WSOM)
    play.discard(1, 20)
    play.discard(2, 35.01)
    assert [foul.seat for foul in play.fouls] == [Seat.TWO]


def test_without_a_signal_the_deal_ended_at_the_first_discard_at_the_latest() -> None:
    play = Play(WSOM)
    play.order(0, StartHand())
    play.discard(1, 40)
    play.discard(2, 70)
    assert play.fouls == []
    play.discard(3, 85.01)
    assert [foul.seat for foul in play.fouls] == [Seat.THREE]


def test_a_pause_is_no_part_of_the_untimed_opening() -> None:
    play = dealt(WSOM)
    play.order(5, Pause("a fallen tile"))
    play.order(60, Resume())
    assert play.all_of(TurnStarted)[-1].start == exactly(70)


def test_after_a_restart_the_opening_has_what_was_left_of_it() -> None:
    play = dealt(WSOM)
    play.wait(6)
    play.restart(1)
    play.discard(1, 3)
    start = play.all_of(TurnStarted)[-1].start
    assert start is not None
    assert start.latest == moment(10)


@pytest.mark.parametrize("rules", [GB, JINGJI])
@pytest.mark.parametrize("call", [Call.FLOWER, None])
@pytest.mark.parametrize("seat", list(Seat))
def test_the_last_opening_flower_of_anybody_starts_the_first_limit(
    rules: TimeRules, call: Call | None, seat: Seat
) -> None:
    limit = rules.first_discard.span
    play = dealt(rules)
    assert play.claim(seat, 12, call) == (
        TurnStarted(Seat.ONE, limit, exactly(12), presumed=False),
        Replaced(seat, call),
    )
    play.discard(1, 12 + limit.total_seconds())
    assert play.fouls == []
    assert [each.taken.most for each in play.all_of(TurnMeasured)] == [limit]


def test_an_opening_flower_after_the_limit_judges_nobody() -> None:
    play = dealt(JINGJI)
    play.claim(4, 25, Call.FLOWER)
    play.discard(1, 45.01)
    assert [foul.started for foul in play.fouls] == [exactly(25)]


def test_an_opening_flower_that_was_told_late_does_not_bring_the_limit_back() -> None:
    play = dealt(GB)
    play.claim(3, 12, Call.FLOWER)
    play.claim(2, 5, Call.FLOWER, late=8)
    assert play.all_of(TurnStarted)[-1].start == exactly(12)


def test_an_opening_flower_that_was_replayed_charges_nobody() -> None:
    play = dealt(GB)
    play.claim(3, 12, Call.FLOWER, replayed=True)
    play.discard(1, 60)
    assert play.fouls == []


def test_opening_flowers_are_counted_so_that_no_claim_delays_for_ever() -> None:
    play = dealt(FIFTH)
    for at in (11, 12, 13, 14, 15):
        play.claim(1, at)
    assert play.all_of(TurnStarted)[-1].start == exactly(13)


def test_in_mcr_opening_flowers_are_inside_the_twenty_seconds() -> None:
    play = dealt(MCR)
    play.claim(3, 12, Call.FLOWER)
    play.discard(1, 20.01)
    assert [foul.started for foul in play.fouls] == [exactly(0)]


def test_a_flower_before_the_untimed_opening_ends_starts_nothing_earlier() -> None:
    play = dealt(FIFTH)
    play.claim(2, 4, Call.FLOWER)
    assert play.all_of(TurnStarted)[-1].start == Interval.exactly(moment(10), exactly(0).quality)


@pytest.mark.parametrize("rules", [GB, JINGJI, WSOM])
def test_a_turn_counts_from_the_upper_discard_or_the_claimed_one(rules: TimeRules) -> None:
    play = dealt(rules)
    play.discard(1, 20)
    play.claim(3, 22, Call.PUNG)
    play.discard(3, 25)
    play.discard(4, 30)
    limit = rules.turn.span.total_seconds()
    measured = [each.taken.least for each in play.all_of(TurnMeasured)[1:]]
    assert measured == [seconds(5), seconds(5)]
    play.discard(1, 30 + limit + 0.01)
    assert [foul.rule for foul in play.fouls] == [rules.turn.rule]


@pytest.mark.parametrize("rules", [GB, JINGJI, WSOM])
def test_a_kong_in_a_turn_counts_as_a_new_turn(rules: TimeRules) -> None:
    limit = rules.turn.span.total_seconds()
    play = dealt(rules)
    play.discard(1, 20)
    play.claim(2, 20 + limit, Call.KONG)
    play.discard(2, 20 + 2 * limit)
    assert play.fouls == []
    play.discard(3, 20 + 3 * limit + 0.01)
    assert [foul.started for foul in play.fouls] == [exactly(20 + 2 * limit)]


@pytest.mark.parametrize("rules", [GB, JINGJI])
def test_a_flower_in_a_turn_is_inside_the_limit(rules: TimeRules) -> None:
    limit = rules.turn.span.total_seconds()
    play = dealt(rules)
    play.discard(1, 20)
    play.claim(2, 20 + limit - 1, Call.FLOWER)
    play.discard(2, 20 + limit + 0.01)
    assert [foul.started for foul in play.fouls] == [exactly(20)]
