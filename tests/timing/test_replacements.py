"""A claim on the own turn: a replacement tile for a kong or a flower."""

from dataclasses import replace

import pytest

from table.answers import Ignored
from table.events import Call
from table.fouls import OverrunRecorded
from table.moment import Elapsed
from table.seat import Seat
from tests.timing.books import FROM_DISCARD, GB, MCR, WSOM, seconds
from tests.timing.play import dealt, exactly, opened
from timing.effects import Claimed, Drawn, Replaced, TurnMeasured, TurnStarted
from timing.phases import Replacements

ANY = [Call.KONG, Call.FLOWER, None]


@pytest.mark.parametrize("call", ANY)
def test_a_replacement_after_the_window_opens_a_fresh_limit(call: Call | None) -> None:
    play = opened()
    play.wait(13)
    assert play.claim(2, 15, call) == (
        TurnMeasured(Seat.TWO, Elapsed(seconds(2), seconds(2)), seconds(10), presumed=True),
        Replaced(Seat.TWO, call),
        TurnStarted(Seat.TWO, seconds(10), exactly(15), presumed=True),
    )


def test_an_overrun_before_a_replacement_is_an_overrun() -> None:
    play = opened()
    play.claim(2, 26.01, Call.KONG)
    play.discard(2, 30)
    assert [(foul.seat, foul.ended) for foul in play.fouls] == [(Seat.TWO, exactly(26.01))]


def test_where_draws_are_sensed_the_fresh_limit_waits_for_the_replacement() -> None:
    play = opened(draws=True)
    play.draw(2, 13)
    claimed = play.claim(2, 15, Call.KONG)
    assert claimed[-1] == TurnStarted(Seat.TWO, seconds(10), None, presumed=False)
    assert play.draw(2, 16) == (
        Drawn(Seat.TWO),
        TurnStarted(Seat.TWO, seconds(10), exactly(16), presumed=False),
    )


def test_a_replacement_that_the_sensor_missed_is_presumed_at_the_claim() -> None:
    play = opened(draws=True)
    play.draw(2, 13)
    play.claim(2, 15, Call.KONG)
    measured = play.discard(2, 20)[0]
    assert measured == TurnMeasured(
        Seat.TWO, Elapsed(seconds(5), seconds(5)), seconds(10), presumed=True
    )


@pytest.mark.parametrize("call", [Call.KONG, None])
def test_within_the_window_the_next_seat_calls_the_discard(call: Call | None) -> None:
    assert Claimed(Seat.TWO, call, Elapsed(seconds(2), seconds(2))) in opened().claim(2, 12, call)


def test_within_the_window_a_flower_is_a_replacement_and_starts_no_clock_early() -> None:
    play = opened()
    assert play.claim(2, 12, Call.FLOWER)[-1] == TurnStarted(
        Seat.TWO, seconds(10), exactly(13), presumed=True
    )


@pytest.mark.parametrize("call", [Call.KONG, None])
def test_after_a_sensed_draw_a_claim_is_a_replacement_even_in_the_window(
    call: Call | None,
) -> None:
    play = opened(draws=True)
    play.draw(2, 11)
    assert Replaced(Seat.TWO, call) in play.claim(2, 12, call)


def test_where_a_sensor_saw_no_draw_an_unknown_claim_is_a_chow() -> None:
    play = opened(draws=True)
    assert Claimed(Seat.TWO, None, Elapsed(seconds(6), seconds(6))) in play.claim(2, 16)


def test_where_a_sensor_saw_no_draw_a_kong_after_the_window_is_the_own() -> None:
    play = opened(draws=True)
    assert Replaced(Seat.TWO, Call.KONG) in play.claim(2, 16, Call.KONG)
    assert play.fouls == []


def test_after_a_claimed_tile_the_next_claim_is_a_replacement() -> None:
    play = opened()
    play.claim(4, 11, Call.KONG)
    assert Replaced(Seat.FOUR, Call.FLOWER) in play.claim(4, 17, Call.FLOWER)


@pytest.mark.parametrize("draws", [False, True])
def test_after_a_replacement_the_next_claim_of_unknown_kind_is_one_too(*, draws: bool) -> None:
    play = opened(draws=draws)
    play.claim(2, 11, Call.FLOWER)
    assert Replaced(Seat.TWO, None) in play.claim(2, 12.5)


def test_nobody_takes_two_tiles_in_one_turn() -> None:
    told = (Ignored("the seat has its tile for this turn already"),)
    claimed = opened()
    claimed.claim(4, 11, Call.PUNG)
    claimed.wait(15)
    assert claimed.claim(4, 16, Call.CHOW) == told
    drawn = opened(draws=True)
    drawn.draw(2, 11)
    assert drawn.claim(2, 12, Call.PUNG) == told


@pytest.mark.parametrize("call", [Call.FLOWER, Call.KONG])
def test_a_book_that_keeps_the_limit_measures_it_to_the_discard(call: Call) -> None:
    rules = replace(FROM_DISCARD, kong_restarts=False)
    play = opened(rules)
    play.wait(13)
    assert play.claim(2, 15, call) == (Replaced(Seat.TWO, call),)
    play.discard(2, 23)
    assert [foul.measured and foul.measured.least for foul in play.fouls] == [seconds(13)]


def test_a_book_may_restart_for_kongs_alone() -> None:
    play = opened(FROM_DISCARD)
    play.wait(13)
    assert play.claim(2, 15, Call.FLOWER) == (Replaced(Seat.TWO, Call.FLOWER),)
    kong = play.claim(2, 16, Call.KONG)
    assert kong[-1] == TurnStarted(Seat.TWO, seconds(12), exactly(16), presumed=True)


def test_after_a_kong_the_limit_counts_from_the_tile_in_every_book_where_draws_are_sensed() -> None:
    play = opened(FROM_DISCARD, draws=True)
    play.draw(2, 13)
    kong = play.claim(2, 16, Call.KONG)
    assert kong[-1] == TurnStarted(Seat.TWO, seconds(12), None, presumed=False)
    drawn = play.draw(2, 20)
    assert drawn[-1] == TurnStarted(Seat.TWO, seconds(12), exactly(20), presumed=False)
    play.discard(2, 32)
    assert play.fouls == []


def test_fresh_limits_are_bounded_by_the_kongs_and_flowers_of_a_hand() -> None:
    rules = replace(MCR, kongs_at_most=1, flowers_at_most=2)
    play = opened(rules)
    restarts = [len(play.claim(2, 15 + turn)) > 1 for turn in range(4)]
    assert restarts == [True, True, True, False]
    assert play.state.replacements[Seat.TWO] == Replacements(kongs=1, flowers=2)


def test_a_kong_spends_no_flower_and_a_flower_no_kong() -> None:
    rules = replace(MCR, kongs_at_most=1, flowers_at_most=1)
    play = opened(rules)
    calls = [Call.KONG, Call.KONG, Call.FLOWER, Call.FLOWER]
    restarts = [
        any(isinstance(effect, TurnStarted) for effect in play.claim(2, 15 + turn, call))
        for turn, call in enumerate(calls)
    ]
    assert restarts == [True, False, True, False]


def test_where_flowers_open_no_limit_those_of_unknown_kind_use_up_no_kong() -> None:
    play = opened(replace(GB, kongs_at_most=1, flowers_at_most=2))
    restarts = [len(play.claim(2, 15 + turn)) > 1 for turn in range(3)]
    restarts += [len(play.claim(2, 18, Call.KONG)) > 1, len(play.claim(2, 19, Call.FLOWER)) > 1]
    assert restarts == [True, True, True, False, False]
    assert play.state.replacements[Seat.TWO] == Replacements(kongs=1, flowers=2)


def test_the_bounds_begin_anew_with_each_hand() -> None:
    play = opened()
    play.claim(2, 15, Call.KONG)
    play.deal(30)
    assert play.state.replacements[Seat.TWO] == Replacements()


def test_a_replayed_replacement_charges_nothing() -> None:
    play = opened()
    play.claim(2, 60, Call.KONG, replayed=True)
    play.discard(2, 100)
    assert play.fouls == []


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_opening_flowers_are_inside_the_first_limit(seat: int) -> None:
    play = dealt()
    assert play.claim(seat, 5, Call.FLOWER) == (Replaced(Seat(seat), Call.FLOWER),)
    play.discard(1, 20.01)
    assert len(play.fouls) == 1


@pytest.mark.parametrize("call", [Call.KONG, None])
def test_what_may_be_the_dealers_kong_opens_the_first_limit_afresh(call: Call | None) -> None:
    play = dealt()
    assert play.claim(1, 15, call) == (
        TurnMeasured(Seat.ONE, Elapsed(seconds(15), seconds(15)), seconds(20), presumed=False),
        Replaced(Seat.ONE, call),
        TurnStarted(Seat.ONE, seconds(20), exactly(15), presumed=False),
    )


def test_the_limit_that_a_replayed_kong_opened_charges_nothing() -> None:
    play = dealt()
    play.claim(1, 15, Call.KONG, replayed=True)
    play.discard(1, 60)
    assert play.fouls == []


def test_an_overrun_before_the_dealers_kong_is_an_overrun() -> None:
    play = dealt()
    play.claim(1, 20.01, Call.KONG)
    assert len(play.fouls) == 1


def test_an_unknown_claim_of_another_seat_while_arranging_is_its_flower() -> None:
    assert dealt().claim(3, 5) == (Replaced(Seat.THREE, None),)


def test_the_dealers_kongs_are_bounded_too() -> None:
    play = dealt(replace(MCR, kongs_at_most=1))
    play.claim(1, 5, Call.KONG)
    assert play.claim(1, 7, Call.KONG) == (Replaced(Seat.ONE, Call.KONG),)


@pytest.mark.parametrize(("over", "fouls"), [(0, 0), (0.01, 1)])
def test_a_kong_of_a_discard_is_another_turn_from_its_sensed_replacement(
    over: float, fouls: int
) -> None:
    play = dealt(WSOM, draws=True)
    play.discard(1, 20)
    play.claim(3, 24, Call.KONG)
    play.draw(3, 26)
    play.discard(3, 41 + over)
    assert len(play.fouls) == fouls


def test_a_kong_of_a_discard_is_another_turn_from_the_call_where_no_draw_is_sensed() -> None:
    play = dealt(WSOM)
    play.discard(1, 20)
    play.claim(3, 24, Call.KONG)
    play.discard(3, 41)
    assert play.fouls == []
    (recorded,) = play.all_of(OverrunRecorded)
    assert recorded.measured == Elapsed(seconds(17), seconds(17))


@pytest.mark.parametrize("draws", [False, True])
@pytest.mark.parametrize(("seat", "over", "fouls"), [(3, 0, 0), (3, 0.01, 1), (2, 0.01, 1)])
def test_a_call_of_unknown_kind_may_be_a_kong_so_that_its_start_is_presumed_at_the_call(
    seat: int, over: float, fouls: int, *, draws: bool
) -> None:
    play = opened(GB, draws=draws)
    play.claim(seat, 12)
    assert play.all_of(TurnStarted)[-1].start == exactly(12)
    play.discard(seat, 30 + over)
    assert len(play.fouls) == fouls


def test_a_pung_of_a_discard_counts_from_that_discard() -> None:
    play = dealt(WSOM)
    play.discard(1, 20)
    play.claim(3, 24, Call.PUNG)
    play.discard(3, 35.01)
    assert [foul.measured for foul in play.fouls] == [Elapsed(seconds(15.01), seconds(15.01))]
