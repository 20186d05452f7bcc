"""Whoever plays by the book is charged nothing, whatever the inputs say of it."""

import pytest

from table.commands import ConfirmHu
from table.events import Call
from table.fouls import FoulKind
from table.seat import Seat
from tests.timing.books import GB, JINGJI, WSOM
from tests.timing.play import dealt, opened
from timing.effects import HandEnded, Result
from timing.rules import TimeRules


@pytest.mark.parametrize("rules", [GB, JINGJI, WSOM])
@pytest.mark.parametrize("call", [Call.KONG, None])
def test_what_may_be_a_kong_of_a_discard_has_a_turn_of_its_own(
    rules: TimeRules, call: Call | None
) -> None:
    play = dealt(rules)
    play.discard(1, 20)
    play.claim(4, 22.5, call)
    play.discard(4, 22.5 + rules.turn.span.total_seconds() + 3)
    assert play.fouls == []


def test_a_chow_is_of_the_discard_that_was_pressed() -> None:
    play = opened(GB)
    play.claim(2, 12, Call.CHOW)
    play.discard(2, 25.01)
    assert [foul.kind for foul in play.fouls] == [FoulKind.DISCARD_OVER_LIMIT]


def test_eight_flowers_of_unknown_kind_leave_the_kong_its_limit() -> None:
    play = opened(GB)
    for at in (14, 15, 16, 17, 18, 19, 20, 21, 24):
        play.claim(2, at)
    play.discard(2, 39)
    assert play.fouls == []


def test_a_second_press_for_the_own_discard_takes_no_hu_back() -> None:
    play = opened(holds=True)
    play.tap(2, 10.5)
    play.hold(3, 11)
    play.discard(1, 12.5)
    play.order(20, ConfirmHu())
    (ended,) = play.all_of(HandEnded)
    assert (ended.result, ended.winner) == (Result.HU, Seat.THREE)
