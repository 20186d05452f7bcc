"""Calls that come to nothing: whose they were, and when they are empty calls."""

from dataclasses import replace

import pytest

from table.commands import Pause, Resume
from table.events import Call
from table.fouls import FoulKind, FoulSeen
from table.seat import Seat
from tests.timing.books import FIFTH, GB, JINGJI, LENIENT, MCR, REACHING, WSOM
from tests.timing.play import Play, dealt, exactly, opened
from timing.effects import CallWithdrawn
from timing.rules import Sensed, TimeRules

EMPTY = FoulKind.EMPTY_CALL
FOUR = [CallWithdrawn(Seat.FOUR, Call.PUNG)]


def called(
    rules: TimeRules = MCR,
    call: Call | None = Call.PUNG,
    *,
    holds: bool = False,
    draws: bool = False,
) -> Play:
    """Return a table whose seat 4 called seat 1's discard after 1 s, and has the turn."""
    play = opened(rules, holds=holds, draws=draws)
    play.claim(4, 11, call)
    assert play.state.on_turn is Seat.FOUR
    return play


def empty_calls(play: Play) -> list[FoulSeen]:
    return [foul for foul in play.fouls if foul.kind is EMPTY]


@pytest.mark.parametrize("call", [Call.PUNG, Call.KONG])
@pytest.mark.parametrize("rules", [MCR, GB, JINGJI, WSOM])
def test_a_call_is_empty_where_the_next_seat_plays_on(rules: TimeRules, call: Call) -> None:
    play = called(rules, call)
    play.discard(2, 18)
    assert play.fouls == [
        FoulSeen(
            id="t1-1-f1",
            kind=EMPTY,
            seat=Seat.FOUR,
            hand="t1-1",
            measured=None,
            limit=None,
            rule=rules.sensed.empty_call,
            started=exactly(11),
            ended=exactly(18),
        )
    ]
    assert play.all_of(CallWithdrawn) == [CallWithdrawn(Seat.FOUR, call)]
    assert play.state.on_turn is Seat.THREE
    assert set(play.state.missed) == {0}


def test_only_the_calls_that_the_book_names_can_be_empty() -> None:
    play = called(FIFTH, Call.PUNG)
    play.discard(2, 18)
    assert play.fouls == []
    assert play.all_of(CallWithdrawn) == FOUR


@pytest.mark.parametrize("rules", [REACHING, replace(MCR, sensed=Sensed())])
def test_where_the_press_is_no_call_or_the_book_names_none_none_is_empty(rules: TimeRules) -> None:
    play = called(rules)
    play.discard(2, 18)
    assert play.fouls == []
    assert play.all_of(CallWithdrawn) == FOUR


def test_a_call_of_unknown_kind_is_not_empty() -> None:
    play = called(call=None)
    play.discard(2, 18)
    assert play.fouls == []
    assert play.all_of(CallWithdrawn) == [CallWithdrawn(Seat.FOUR, None)]


def test_the_caller_who_discards_has_withdrawn_nothing() -> None:
    play = called()
    play.discard(4, 18)
    assert play.fouls == []
    assert play.all_of(CallWithdrawn) == []


def test_another_claimer_who_plays_on_had_the_tile() -> None:
    play = called()
    play.claim(2, 11.5, Call.CHOW)
    play.discard(2, 18)
    assert play.fouls == []
    assert play.all_of(CallWithdrawn) == []


def test_a_seat_that_is_not_next_shows_no_withdrawn_call() -> None:
    play = called()
    play.discard(3, 18)
    assert play.fouls == []
    assert play.all_of(CallWithdrawn) == []


@pytest.mark.parametrize(("at", "fouls"), [(14, 0), (14.01, 1), (24, 1), (24.01, 0)])
def test_a_discard_that_may_be_the_called_one_or_of_a_later_turn_charges_nothing(
    at: float, fouls: int
) -> None:
    play = called()
    play.discard(2, at)
    assert len(empty_calls(play)) == fouls
    assert play.all_of(CallWithdrawn) == FOUR


def test_a_refused_call_is_not_empty() -> None:
    play = opened()
    play.claim(4, 13.5, Call.PUNG)
    play.discard(2, 20)
    assert [foul.kind for foul in play.fouls] == [FoulKind.LATE_PUNG]
    assert play.all_of(CallWithdrawn) == []


def test_a_late_call_that_stands_is_late_and_not_empty_too() -> None:
    play = opened(LENIENT)
    play.claim(4, 13.5, Call.PUNG)
    play.discard(2, 20)
    assert [foul.kind for foul in play.fouls] == [FoulKind.LATE_PUNG]
    assert play.all_of(CallWithdrawn) == FOUR


def test_an_empty_call_is_charged_with_the_release_and_not_to_a_hu() -> None:
    tapped, held = called(holds=True), called(holds=True)
    for play in (tapped, held):
        play.discard(2, 18)
        assert play.fouls == []
    tapped.release(2, 18)
    held.declare(2, 18)
    assert ([foul.seat for foul in empty_calls(tapped)], held.fouls) == ([Seat.FOUR], [])


def test_replayed_calls_and_discards_charge_no_empty_call() -> None:
    claim, discard = opened(), called()
    claim.claim(4, 11, Call.PUNG, replayed=True)
    claim.discard(2, 18)
    discard.discard(2, 18, replayed=True)
    assert claim.fouls + discard.fouls == []


def test_a_call_of_a_discard_that_was_only_implied_is_not_empty() -> None:
    play = dealt()
    play.claim(3, 12, Call.PUNG)
    play.discard(2, 18)
    assert play.fouls == []


def test_a_caller_whose_own_discard_an_implied_one_hides_is_not_charged() -> None:
    play = called()
    play.claim(1, 18, Call.CHOW)
    play.discard(2, 24)
    assert play.fouls == []


@pytest.mark.parametrize("how", ["pause", "link", "restart"])
def test_what_stops_the_clocks_forgets_a_call(how: str) -> None:
    play = called()
    match how:
        case "pause":
            play.order(12, Pause("tea"))
            play.order(13, Resume())
        case "link":
            play.lose_link(12)
        case _:
            play.restart(12)
    play.discard(2, 18)
    assert play.fouls == []


def test_the_seat_that_plays_on_is_not_measured_by_the_callers_clock() -> None:
    play = called()
    play.discard(2, 23.5)
    assert [foul.seat for foul in play.fouls] == [Seat.FOUR]


def test_a_withdrawn_call_is_that_of_whoever_had_the_turn() -> None:
    play = called()
    play.claim(3, 11.4, Call.PUNG)
    play.discard(2, 18)
    assert [foul.seat for foul in play.fouls] == [Seat.FOUR]
    assert play.all_of(CallWithdrawn) == FOUR
