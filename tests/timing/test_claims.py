"""Claims of the newest discard: in time or late, who has the tile, who is on turn."""

import pytest

from table.answers import Ignored
from table.commands import Pause, Resume, SetLamp, WithdrawHu
from table.events import Call
from table.fouls import FoulKind, FoulSeen, TooClose
from table.moment import MILLISECOND, Elapsed, Quality
from table.seat import Seat
from tests.timing.books import FROM_DISCARD, LENIENT, REACHING, WINDOWLESS, seconds
from tests.timing.play import dealt, exactly, opened
from timing.effects import (
    Claimed,
    Discarded,
    OverLimitClosed,
    Replaced,
    TurnMeasured,
    TurnStarted,
    WindowClosed,
)
from timing.hand import Turn

LATE = FoulKind.LATE_PUNG
OF_THREE = [Call.PUNG, Call.KONG]


def after(taken: float) -> float:
    """Return the moment so long after the discard of `opened`."""
    return 10 + taken


def reading(taken: float) -> Elapsed:
    return Elapsed(seconds(taken), seconds(taken))


@pytest.mark.parametrize("call", [None, *OF_THREE])
@pytest.mark.parametrize("taken", [0.3, 2.99, 3])
def test_a_pung_within_three_seconds_has_the_turn(taken: float, call: Call | None) -> None:
    play = opened()
    effects = play.claim(4, after(taken), call)
    assert Claimed(Seat.FOUR, call, reading(taken)) in effects
    assert play.state.on_turn is Seat.FOUR
    play.discard(4, 20)
    assert play.fouls == []
    assert play.all_of(TooClose) == []


@pytest.mark.parametrize("call", OF_THREE)
def test_a_pung_after_three_seconds_is_a_foul_at_once_and_refused(call: Call) -> None:
    play = opened()
    play.claim(4, after(3.01), call)
    assert play.fouls == [
        FoulSeen(
            id="t1-1-f1",
            kind=LATE,
            seat=Seat.FOUR,
            hand="t1-1",
            measured=reading(3.01),
            limit=seconds(3),
            rule="mcr-2014 art. 6 (碰牌)",
            started=exactly(10),
            ended=exactly(after(3.01)),
        )
    ]
    assert play.state.on_turn is Seat.TWO


def test_where_the_book_lets_a_late_pung_stand_it_has_the_turn_and_is_a_foul() -> None:
    play = opened(LENIENT)
    play.claim(4, after(3.01), Call.PUNG)
    assert (len(play.fouls), play.state.on_turn) == (1, Seat.FOUR)


def test_the_seat_that_a_refused_pung_held_up_has_a_fresh_limit() -> None:
    play = opened()
    play.wait(13)
    effects = play.claim(4, after(5), Call.PUNG)
    assert effects[-1] == TurnStarted(Seat.TWO, seconds(10), exactly(15), presumed=True)
    play.discard(2, 28)
    assert [foul.seat for foul in play.fouls] == [Seat.FOUR]


def test_a_refused_pung_moves_the_presumed_start_of_a_seat_that_has_not_drawn() -> None:
    play = opened(draws=True)
    play.claim(4, after(5), Call.PUNG)
    play.discard(2, 28)
    assert [foul.seat for foul in play.fouls] == [Seat.FOUR]


def test_a_late_claim_of_unknown_kind_is_concluded_when_the_next_seat_plays_on() -> None:
    play = opened()
    play.claim(4, after(3.5))
    assert play.fouls == []
    play.discard(2, 20)
    assert [(foul.seat, foul.kind, foul.measured) for foul in play.fouls] == [
        (Seat.FOUR, LATE, reading(3.5))
    ]


@pytest.mark.parametrize("plays_on", [16.5, 26.51])
def test_a_late_claim_of_unknown_kind_may_be_of_a_discard_pressed_late_or_never(
    plays_on: float,
) -> None:
    play = opened()
    play.claim(4, after(3.5))
    play.discard(2, plays_on)
    play.discard(4, 40)
    assert LATE not in {foul.kind for foul in play.fouls}


def test_where_late_pungs_are_refused_whoever_discards_after_one_has_called_in_time() -> None:
    play = opened()
    play.claim(4, after(3.5))
    play.discard(4, 20)
    assert play.fouls == []
    assert play.all_of(TurnMeasured) == []


def test_where_late_pungs_stand_one_of_unknown_kind_has_the_turn_until_concluded() -> None:
    play = opened(LENIENT)
    play.claim(4, after(3.5))
    assert play.state.on_turn is Seat.FOUR
    play.discard(4, 20)
    assert [foul.kind for foul in play.fouls] == [LATE]


def test_a_late_claim_that_was_replayed_charges_nothing() -> None:
    known, unknown = opened(), opened()
    known.claim(4, after(3.5), Call.PUNG, replayed=True)
    unknown.claim(4, after(3.5), replayed=True)
    unknown.discard(2, 20)
    assert known.fouls + unknown.fouls == []


def test_a_replayed_discard_does_not_conclude_a_late_claim() -> None:
    play = opened()
    play.claim(4, after(3.5))
    play.discard(2, 20, replayed=True)
    assert play.fouls == []


def test_a_call_of_a_replayed_discard_is_not_measured() -> None:
    play = dealt()
    play.discard(1, 10, replayed=True)
    play.claim(4, after(3.5), Call.PUNG)
    assert play.fouls == []


def test_readings_on_both_sides_of_the_window_are_too_close_and_in_time() -> None:
    play = opened()
    play.doubt = 20 * MILLISECOND
    play.claim(4, after(3.01), Call.PUNG)
    close = TooClose(LATE, Seat.FOUR, Elapsed(seconds(2.99), seconds(3.03)), seconds(3))
    assert play.all_of(TooClose) == [close]
    assert play.state.on_turn is Seat.FOUR


@pytest.mark.parametrize(("taken", "fouls"), [(2.99, 0), (3.001, 0), (3.01, 1)])
def test_calls_too_are_compared_in_device_time(taken: float, fouls: int) -> None:
    play = dealt(doubt=500 * MILLISECOND, clock="box-7/boot-2")
    play.discard(1, 10)
    play.claim(4, after(taken), Call.PUNG)
    assert len(play.fouls) == fouls


@pytest.mark.parametrize(("taken", "fouls"), [(3.99, 0), (4, 0), (4.01, 1)])
def test_where_the_word_is_the_call_the_reach_favours_the_player(taken: float, fouls: int) -> None:
    play = opened(REACHING)
    play.claim(4, after(taken), Call.PUNG)
    assert len(play.fouls) == fouls
    assert Claimed(Seat.FOUR, Call.PUNG, Elapsed(seconds(taken - 1), seconds(taken))) in (
        play.effects
    )


def test_a_claim_in_the_window_is_in_time_however_late_it_arrives() -> None:
    play = opened()
    play.wait(13)
    play.claim(4, after(2.9), Call.PUNG, late=0.5)
    assert play.fouls == []
    assert play.state.on_turn is Seat.FOUR


def test_a_claimers_clock_starts_when_the_window_would_close() -> None:
    play = opened()
    assert play.claim(4, after(1), Call.PUNG) == (
        Claimed(Seat.FOUR, Call.PUNG, reading(1)),
        WindowClosed(Seat.ONE),
        TurnStarted(Seat.FOUR, seconds(10), exactly(13), presumed=True),
    )


def test_a_claimers_clock_starts_at_a_claim_that_is_later_than_the_window() -> None:
    play = opened(REACHING)
    play.wait(13)
    effects = play.claim(4, after(3.5), Call.PUNG)
    assert effects[-1] == TurnStarted(Seat.FOUR, seconds(10), exactly(13.5), presumed=True)


def test_the_later_of_two_doubtful_starts_covers_both() -> None:
    play = opened()
    play.doubt = 200 * MILLISECOND
    play.claim(4, after(3.1), Call.PUNG)
    start = play.all_of(TurnStarted)[-1].start
    assert start is not None
    assert (start.earliest.micros, start.latest.micros, start.quality) == (
        13_000_000,
        13_300_000,
        Quality.DEVICE,
    )


def test_where_limits_count_from_the_discard_a_claimers_does_too() -> None:
    play = opened(FROM_DISCARD)
    effects = play.claim(4, after(1), Call.PUNG)
    assert effects[-1] == TurnStarted(Seat.FOUR, seconds(12), exactly(10), presumed=False)


def test_a_limit_from_an_implied_discard_is_presumed() -> None:
    play = opened(FROM_DISCARD)
    play.claim(1, 18, Call.PUNG)
    assert play.all_of(TurnStarted)[-1].presumed


def test_the_seat_that_loses_the_turn_is_no_longer_signalled() -> None:
    play = opened(FROM_DISCARD)
    play.rules = LENIENT
    play.wait(30)
    lost = play.claim(4, after(2), Call.PUNG, late=20)
    assert lost[:2] == (Claimed(Seat.FOUR, Call.PUNG, reading(2)), SetLamp(Seat.TWO, lit=False))
    assert lost[2] == OverLimitClosed(Seat.TWO)


def test_a_chow_leaves_the_window_open_for_a_pung() -> None:
    play = opened()
    chow = play.claim(2, after(1), Call.CHOW)
    assert not any(isinstance(effect, WindowClosed) for effect in chow)
    play.claim(4, after(2), Call.PUNG)
    assert play.state.on_turn is Seat.FOUR


def test_a_chow_after_a_pung_does_not_have_the_tile() -> None:
    play = opened()
    play.claim(4, after(1), Call.PUNG)
    assert play.claim(2, after(1.2), Call.CHOW) == (Claimed(Seat.TWO, Call.CHOW, reading(1.2)),)
    assert play.state.on_turn is Seat.FOUR
    assert play.wait(14) == ()


def test_of_two_unknown_claims_the_one_that_may_be_a_chow_ranks_below() -> None:
    play = opened()
    play.claim(2, after(1))
    play.claim(3, after(1.5))
    assert play.state.on_turn is Seat.THREE


@pytest.mark.parametrize(
    ("taken", "holder"), [(0.5, Seat.THREE), (1, Seat.THREE), (1.5, Seat.FOUR)]
)
def test_of_two_claims_of_one_rank_the_earlier_or_else_the_nearest_has_the_turn(
    taken: float, holder: Seat
) -> None:
    play = opened()
    play.claim(4, after(1), late=1)
    play.claim(3, after(taken), late=1.5)
    assert play.state.on_turn is holder


@pytest.mark.parametrize("seat", [3, 4])
def test_of_simultaneous_claims_the_seat_that_discards_next_was_the_claimer(seat: int) -> None:
    play = opened()
    play.doubt = 200 * MILLISECOND
    play.claim(4, after(1))
    play.claim(3, after(1.1))
    play.discard(seat, 16)
    assert play.state.on_turn is Seat(seat).lower
    assert set(play.state.missed) == {0}
    assert play.fouls == []


def test_a_chow_has_no_limit_and_starts_the_clock_anew() -> None:
    play = opened()
    play.wait(13)
    effects = play.claim(2, after(9), Call.CHOW)
    assert effects[-1] == TurnStarted(Seat.TWO, seconds(10), exactly(19), presumed=True)
    assert play.fouls == []


def test_a_known_late_pung_of_the_next_seat_is_a_foul_and_it_plays_on() -> None:
    play = opened()
    play.claim(2, after(3.01), Call.PUNG)
    assert [foul.seat for foul in play.fouls] == [Seat.TWO]
    assert play.state.on_turn is Seat.TWO
    play.claim(3, after(3.02), Call.PUNG)
    assert play.state.on_turn is Seat.TWO


def test_a_seat_whose_own_late_pung_is_refused_has_no_fresh_limit() -> None:
    play = opened()
    play.wait(13)
    effects = play.claim(2, after(5), Call.PUNG)
    assert not any(isinstance(effect, TurnStarted) for effect in effects)


@pytest.mark.parametrize("draws", [False, True])
def test_an_unknown_late_claim_of_the_next_seat_is_no_late_pung(*, draws: bool) -> None:
    play = opened(draws=draws)
    play.claim(2, after(3.5))
    play.discard(2, 20)
    assert play.fouls == []


# Whose discard?


@pytest.mark.parametrize("call", [None, *OF_THREE])
def test_a_call_later_than_anybody_calls_is_of_a_discard_that_was_not_pressed(
    call: Call | None,
) -> None:
    late, too_late = opened(), opened()
    late.claim(4, after(6), call)
    too_late.claim(4, after(6.01), call)
    too_late.discard(4, 20)
    late.discard(2, 20)
    assert [event.seat for event in too_late.all_of(Discarded)] == [Seat.TWO, Seat.FOUR]
    assert [event.seat for event in late.all_of(Discarded)] == [Seat.TWO]
    assert (len(late.fouls), len(too_late.fouls)) == (1, 0)


def test_the_discarder_cannot_claim_its_own_tile() -> None:
    play = opened()
    assert play.claim(1, after(2)) == (Ignored("nobody claims the own discard"),)
    play.claim(1, after(8))
    assert play.all_of(Discarded)[-1].seat is Seat.TWO
    assert play.state.on_turn is Seat.ONE


def test_a_seat_whose_discard_a_claim_has_shown_cannot_claim_it() -> None:
    play = opened()
    play.claim(1, 18, Call.PUNG)
    assert play.claim(2, 19) == (Ignored("nobody claims the own discard"),)


def test_a_chow_tells_whose_discard_it_claims() -> None:
    play = opened()
    play.claim(3, after(5), Call.CHOW)
    assert play.all_of(Discarded)[-1].seat is Seat.TWO
    assert play.state.on_turn is Seat.THREE
    assert play.wait(18) == (WindowClosed(Seat.TWO),)


def test_only_the_next_seat_can_chow() -> None:
    assert opened().claim(4, after(1), Call.CHOW) == (Ignored("only the next seat can chow"),)


def test_a_late_call_after_a_call_in_time_is_of_the_claimers_discard() -> None:
    play = opened()
    play.claim(4, after(1), Call.PUNG)
    play.claim(2, after(3.5), Call.PUNG)
    assert play.all_of(Discarded)[-1].seat is Seat.FOUR
    assert play.fouls == []


def test_an_unknown_late_claim_after_the_draw_may_be_of_the_drawers_discard() -> None:
    play = opened(draws=True)
    play.draw(2, 11)
    play.claim(4, after(3.5))
    play.discard(4, 20)
    assert play.all_of(Discarded)[0].seat is Seat.TWO
    assert play.fouls == []


def test_a_known_late_pung_after_the_draw_is_late() -> None:
    play = opened(draws=True)
    play.draw(2, 11)
    play.claim(4, after(3.5), Call.PUNG)
    assert len(play.fouls) == 1


def test_without_a_window_every_claim_is_of_the_newest_discard() -> None:
    play = opened(WINDOWLESS)
    play.claim(4, after(11))
    assert play.all_of(Discarded) == []
    assert play.state.on_turn is Seat.FOUR


def test_without_a_window_the_next_seats_unknown_claim_is_a_replacement() -> None:
    play = opened(WINDOWLESS)
    assert Replaced(Seat.TWO, None) in play.claim(2, after(1))


def test_a_seat_claims_a_discard_once() -> None:
    play = opened()
    play.claim(4, after(1), Call.PUNG)
    play.claim(3, after(1.5))
    once = (Ignored("the seat has claimed this discard already"),)
    assert play.claim(4, after(2), Call.PUNG) == once
    assert play.claim(3, after(2)) == once


def test_a_flower_is_replaced_on_the_own_turn_only() -> None:
    told = (Ignored("a flower is replaced on the own turn"),)
    assert opened().claim(4, after(1), Call.FLOWER) == told


def test_the_window_that_a_pause_cut_measures_no_call() -> None:
    play = opened()
    play.order(11, Pause())
    play.order(12, Resume())
    assert play.wait(13.4) == ()
    play.claim(4, after(3.5), Call.PUNG)
    assert play.fouls == []
    assert play.state.on_turn is Seat.FOUR
    play.discard(4, 60)
    assert play.fouls == []


def test_where_limits_count_from_the_discard_a_pause_moves_a_claimers_start() -> None:
    play = opened(FROM_DISCARD)
    play.order(11, Pause())
    play.order(50, Resume())
    play.claim(4, 51, Call.PUNG)
    assert isinstance(play.state.phase, Turn)
    assert play.state.phase.clock.start == exactly(51)


@pytest.mark.parametrize(("seat", "call"), [(3, Call.PUNG), (4, Call.KONG), (2, Call.CHOW)])
def test_a_call_while_the_dealer_arranges_shows_its_discard(seat: int, call: Call) -> None:
    play = dealt()
    play.claim(seat, 12, call)
    assert play.all_of(Discarded)[0].seat is Seat.ONE
    assert play.state.on_turn is Seat(seat)
    assert play.fouls == []


def test_calls_that_fit_nothing_while_the_dealer_arranges() -> None:
    assert dealt().claim(1, 5, Call.PUNG) == (Ignored("there is no discard to claim"),)
    assert dealt().claim(3, 5, Call.CHOW) == (Ignored("only the next seat can chow"),)


# At once


@pytest.mark.parametrize("order", [(3, 4), (4, 3)])
def test_of_simultaneous_pungs_the_nearest_has_the_turn_in_any_reading_order(
    order: tuple[int, int],
) -> None:
    play = opened()
    play.doubt = 200 * MILLISECOND
    for seat in order:
        play.claim(seat, after(1 + seat / 10), Call.PUNG, late=1 - seat / 10)
    assert play.state.on_turn is Seat.THREE
    play.discard(3, 20)
    assert play.fouls == []


@pytest.mark.parametrize("order", [(2, 4), (4, 2)])
def test_a_pung_has_the_tile_before_a_simultaneous_chow(order: tuple[int, int]) -> None:
    play = opened()
    calls = {2: Call.CHOW, 4: Call.PUNG}
    for seat in order:
        play.claim(seat, after(1), calls[seat])
    assert play.state.on_turn is Seat.FOUR


@pytest.mark.parametrize("order", [(3, 4), (4, 3)])
def test_a_late_pung_beside_one_in_time_is_late_in_any_reading_order(
    order: tuple[int, int],
) -> None:
    play = opened()
    play.doubt = 5 * MILLISECOND
    at = {3: after(3.012), 4: after(3.004)}
    for seat in order:
        play.claim(seat, at[seat], Call.PUNG, late=after(3.5) - at[seat])
    assert [foul.seat for foul in play.fouls] == [Seat.THREE]
    assert play.state.on_turn is Seat.FOUR


def test_a_typed_call_of_the_seat_on_turn_that_is_later_than_anybody_calls_is_no_foul() -> None:
    play = opened()
    play.claim(2, after(6.01), Call.PUNG)
    assert play.fouls == []


def test_a_call_that_may_be_later_than_anybody_calls_is_no_foul() -> None:
    play = opened()
    play.doubt = 20 * MILLISECOND
    play.claim(4, after(5.99), Call.PUNG)
    assert play.fouls == []


def test_the_next_seat_calls_no_more_once_it_has_drawn_even_off_turn() -> None:
    play = opened(draws=True)
    play.draw(2, 11)
    play.claim(4, 11.5, Call.PUNG)
    play.claim(2, 11.5, Call.PUNG)
    assert play.state.on_turn is Seat.FOUR


def test_a_kong_of_the_next_seats_own_as_another_calls_changes_nothing() -> None:
    play = opened()
    play.doubt = 50 * MILLISECOND
    play.claim(4, after(2.97), Call.PUNG)
    play.claim(2, after(3.06), Call.KONG)
    assert play.state.on_turn is Seat.FOUR
    assert play.fouls == []


def test_a_claim_from_before_a_hu_that_is_reported_after_it_has_the_turn() -> None:
    play = opened(holds=True)
    play.discard(3, 11)
    play.declare(3, 11)
    play.claim(4, 11, Call.PUNG, late=1.2)
    play.order(30, WithdrawHu())
    assert play.state.on_turn is Seat.FOUR


def test_a_late_pung_reported_after_a_hu_is_a_foul_all_the_same() -> None:
    play = opened(holds=True)
    play.discard(3, 14)
    play.declare(3, 14)
    play.claim(4, 13.9, Call.PUNG, late=1.5)
    assert [foul.seat for foul in play.fouls] == [Seat.FOUR]
