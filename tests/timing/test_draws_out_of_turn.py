"""Draws before the turn and after the discard, and all that only looks like it."""

from dataclasses import replace

import pytest

from table.commands import Pause, Resume, WithdrawHu
from table.events import Call
from table.fouls import FoulKind, FoulSeen
from table.moment import MILLISECOND, Elapsed
from table.seat import Seat
from tests.timing.books import FIFTH, GB, JINGJI, MCR, WSOM, seconds
from tests.timing.play import Play, dealt, exactly, opened
from timing.effects import Discarded, Drawn, TurnStarted
from timing.rules import Sensed, TimeRules

BOOKS = [MCR, GB, JINGJI, WSOM, FIFTH]
EARLY = FoulKind.EARLY_DRAW
BEFORE = FoulKind.DISCARD_BEFORE_DRAW
SILENT = replace(WSOM, sensed=Sensed())


def kinds(play: Play) -> list[tuple[int, FoulKind]]:
    return [(foul.seat, foul.kind) for foul in play.fouls]


# Before the upper seat has discarded


@pytest.mark.parametrize("rules", BOOKS)
def test_a_draw_before_the_upper_seats_discard_is_early(rules: TimeRules) -> None:
    play = opened(rules, draws=True)
    play.draw(2, 11)
    play.draw(3, 14)
    assert play.fouls == []
    play.discard(2, 15)
    assert play.fouls == [
        FoulSeen(
            id="t1-1-f1",
            kind=EARLY,
            seat=Seat.THREE,
            hand="t1-1",
            measured=Elapsed(seconds(1), seconds(1)),
            limit=seconds(0),
            rule=rules.sensed.early_draw,
            started=exactly(14),
            ended=exactly(15),
        )
    ]


@pytest.mark.parametrize(("ahead", "fouls"), [(0.01, 1), (0, 0), (-0.01, 0)])
def test_a_draw_at_the_discard_is_in_time(ahead: float, fouls: int) -> None:
    play = opened(draws=True)
    play.draw(2, 11)
    play.draw(3, 15 - ahead) if ahead >= 0 else play.wait(15)
    play.discard(2, 15)
    if ahead < 0:
        play.draw(3, 15 - ahead)
    assert len(play.fouls) == fouls


def test_a_draw_that_may_have_come_after_the_discard_is_in_time_and_counts() -> None:
    play = opened(draws=True)
    play.draw(2, 11)
    play.doubt = 20 * MILLISECOND
    play.draw(3, 14.97)
    play.discard(2, 15)
    assert play.fouls == []
    start = play.all_of(TurnStarted)[-1]
    assert (start.seat, start.presumed, start.start is not None) == (Seat.THREE, False, True)


def test_an_early_draw_does_not_start_the_clock_of_the_drawer() -> None:
    play = opened(draws=True)
    play.draw(3, 14)
    play.discard(2, 15)
    assert play.all_of(TurnStarted)[-1].start is None
    play.draw(3, 20)
    play.discard(3, 30)
    assert kinds(play) == [(3, EARLY)]


def test_an_early_draw_is_charged_with_the_release_and_not_to_a_hu() -> None:
    tapped, held = opened(holds=True, draws=True), opened(holds=True, draws=True)
    for play in (tapped, held):
        play.draw(3, 14)
        play.discard(2, 15)
        assert play.fouls == []
    tapped.release(2, 15)
    held.declare(2, 15)
    assert (kinds(tapped), kinds(held)) == ([(3, EARLY)], [])


def test_a_book_without_that_foul_sees_none() -> None:
    play = opened(SILENT, draws=True)
    play.draw(3, 14)
    play.discard(2, 15)
    assert play.fouls == []


def test_a_draw_before_a_discard_that_was_only_implied_is_not_charged() -> None:
    passed, claimed = opened(draws=True), opened(draws=True)
    for play in (passed, claimed):
        play.draw(2, 11)
        play.draw(3, 14)
    passed.discard(3, 18)
    claimed.claim(1, 24, Call.PUNG)
    assert [event.seat for event in claimed.all_of(Discarded)] == [Seat.TWO]
    assert passed.fouls + claimed.fouls == []


def test_a_replayed_draw_or_discard_charges_no_early_draw() -> None:
    drawn, laid = opened(draws=True), opened(draws=True)
    drawn.draw(3, 14, replayed=True)
    drawn.discard(2, 15)
    laid.draw(3, 14)
    laid.discard(2, 15, replayed=True)
    assert drawn.fouls + laid.fouls == []


def test_a_natural_drawer_who_loses_the_turn_to_a_claim_drew_in_turn() -> None:
    play = opened(draws=True)
    play.draw(2, 11)
    play.claim(4, 11.5, Call.PUNG)
    play.discard(4, 20)
    play.draw(1, 22)
    play.discard(1, 25)
    assert play.fouls == []


def test_a_draw_at_the_claim_that_gave_the_turn_is_not_early() -> None:
    play = opened(draws=True)
    play.claim(4, 12, Call.PUNG)
    play.draw(1, 12)
    play.discard(4, 20)
    assert play.fouls == []


def test_a_tile_put_back_is_no_early_draw() -> None:
    play = opened(draws=True)
    play.draw(2, 11)
    play.claim(4, 11.5, Call.PUNG)
    play.discard(4, 16)
    play.draw(1, 18)
    play.draw(2, 19)
    play.discard(1, 21)
    assert play.fouls == []


def test_a_tile_drawn_early_that_goes_back_is_one_foul() -> None:
    play = opened(draws=True)
    play.draw(2, 11)
    play.draw(3, 14)
    play.draw(3, 15)
    play.discard(2, 16)
    play.draw(3, 18)
    play.discard(3, 22)
    assert kinds(play) == [(3, EARLY)]


def test_a_draw_of_yet_another_seat_shows_that_play_went_on_unpressed() -> None:
    play = opened(draws=True)
    play.draw(3, 14)
    play.draw(4, 16)
    play.discard(2, 30)
    assert (3, EARLY) not in kinds(play)


def test_a_draw_by_the_seat_on_turn_after_it_leaves_open_whose_turn_it_was() -> None:
    play = opened(draws=True)
    play.draw(3, 14)
    play.draw(2, 15)
    play.discard(2, 16)
    assert play.fouls == []


@pytest.mark.parametrize(
    ("call", "fouls"), [(Call.PUNG, 0), (Call.KONG, 0), (None, 0), (Call.FLOWER, 1)]
)
def test_whoever_claims_may_have_discarded_before_the_draw(call: Call | None, fouls: int) -> None:
    play = opened(draws=True)
    play.draw(2, 10.5)
    play.draw(3, 13)
    play.claim(2, 17, call)
    play.discard(2, 20)
    assert len(play.fouls) == fouls


def test_who_was_passed_over_with_its_tile_may_put_it_back() -> None:
    play = opened(draws=True)
    play.draw(2, 10.5)
    play.discard(4, 12)
    play.draw(2, 12.5)
    play.discard(1, 16)
    assert play.fouls == []


@pytest.mark.parametrize("how", ["pause", "hu", "link", "restart"])
def test_what_stops_the_clocks_forgets_an_early_draw(how: str) -> None:
    play = opened(holds=True, draws=True)
    play.draw(3, 14)
    match how:
        case "pause":
            play.order(14.5, Pause("tea"))
            play.order(20, Resume())
        case "hu":
            play.hold(4, 14.5)
            play.order(20, WithdrawHu())
        case "link":
            play.lose_link(20)
        case _:
            play.restart(20)
    play.tap(2, 21)
    assert play.fouls == []


def test_before_the_dealers_first_discard_a_draw_is_early_where_nothing_is_replaced() -> None:
    play = dealt(replace(WSOM, untimed_opening=None), draws=True)
    play.draw(2, 5)
    play.discard(1, 9)
    assert kinds(play) == [(2, EARLY)]


@pytest.mark.parametrize("rules", [MCR, GB, JINGJI, FIFTH])
def test_among_opening_flowers_a_draw_means_nothing(rules: TimeRules) -> None:
    play = dealt(rules, draws=True)
    play.draw(2, 5)
    play.discard(1, 15)
    assert (2, EARLY) not in kinds(play)


def test_tiles_taken_in_the_deal_and_the_untimed_opening_are_no_early_draws() -> None:
    deal, opening = Play(WSOM, draws=True), dealt(WSOM, draws=True)
    deal.raise_wall(1)
    deal.draw(2, 3)
    deal.deal(10)
    deal.discard(1, 30)
    opening.draw(2, 14)
    opening.discard(1, 20)
    assert deal.fouls + opening.fouls == []


# After the own discard


@pytest.mark.parametrize("rules", [WSOM, FIFTH])
def test_a_draw_after_the_own_discard_shows_a_discard_before_the_draw(rules: TimeRules) -> None:
    play = opened(rules, draws=True)
    play.discard(2, 20)
    play.draw(2, 22)
    assert play.fouls == [
        FoulSeen(
            id="t1-1-f1",
            kind=BEFORE,
            seat=Seat.TWO,
            hand="t1-1",
            measured=Elapsed(seconds(2), seconds(2)),
            limit=seconds(0),
            rule=rules.sensed.discard_before_draw,
            started=exactly(20),
            ended=exactly(22),
        )
    ]


def test_without_a_draw_afterwards_the_sensor_missed_it() -> None:
    play = opened(WSOM, draws=True)
    play.discard(2, 20)
    play.draw(3, 22)
    play.discard(3, 25)
    assert play.fouls == []


@pytest.mark.parametrize("rules", [MCR, GB, JINGJI, SILENT])
def test_other_books_know_no_discard_before_the_draw(rules: TimeRules) -> None:
    play = opened(rules, draws=True)
    play.discard(2, 20)
    play.draw(2, 22)
    assert play.fouls == []


def test_whoever_drew_called_or_replaced_need_not_draw() -> None:
    drawn, called, replaced = (opened(WSOM, draws=True) for _ in range(3))
    drawn.draw(2, 11)
    called.claim(2, 11, Call.CHOW)
    replaced.claim(2, 11, Call.KONG)
    for play in (drawn, called, replaced):
        play.discard(2, 15)
        play.draw(2, 17)
        assert play.fouls == []


def test_a_draw_that_may_have_come_before_the_discard_is_in_turn() -> None:
    play = opened(WSOM, draws=True)
    play.doubt = 50 * MILLISECOND
    play.discard(2, 20)
    play.draw(2, 20.1)
    play.draw(2, 22)
    assert play.fouls == []


@pytest.mark.parametrize("what", ["draw", "claim", "discard", "pause"])
def test_once_the_next_turn_has_begun_a_draw_shows_nothing(what: str) -> None:
    play = opened(WSOM, draws=True)
    play.discard(2, 20)
    match what:
        case "draw":
            play.draw(3, 21)
        case "claim":
            play.claim(4, 21, Call.PUNG)
        case "discard":
            play.discard(3, 21)
        case _:
            play.order(21, Pause("tea"))
            play.order(21.5, Resume())
    play.draw(2, 22)
    assert (2, BEFORE) not in kinds(play)


def test_passed_over_replayed_and_implied_discards_are_no_discards_before_the_draw() -> None:
    passed, replayed, implied = (opened(WSOM, draws=True) for _ in range(3))
    passed.discard(3, 20)
    passed.draw(2, 21)
    passed.draw(3, 22)
    replayed.discard(2, 20, replayed=True)
    replayed.draw(2, 22)
    implied.claim(1, 20, Call.PUNG)
    implied.draw(2, 22)
    assert passed.fouls + replayed.fouls + implied.fouls == []


def test_a_replayed_draw_after_the_discard_charges_nothing() -> None:
    play = opened(WSOM, draws=True)
    play.discard(2, 20)
    play.draw(2, 22, replayed=True)
    play.draw(2, 23)
    assert play.fouls == []


def test_a_discard_before_the_draw_waits_for_the_release_of_its_press() -> None:
    tapped, held = (opened(WSOM, holds=True, draws=True) for _ in range(2))
    for play in (tapped, held):
        play.discard(2, 20)
        play.draw(2, 20.05)
        assert play.fouls == []
    tapped.release(2, 20)
    held.declare(2, 20)
    assert (kinds(tapped), kinds(held)) == ([(2, BEFORE)], [])


def test_where_draws_are_not_sensed_nothing_is_seen_out_of_turn() -> None:
    play = opened(WSOM)
    play.draw(3, 12)
    play.discard(2, 20)
    play.draw(2, 22)
    assert (2, BEFORE) not in kinds(play)


def test_a_draw_out_of_turn_is_told() -> None:
    assert opened(draws=True).draw(3, 11) == (Drawn(Seat.THREE),)
