"""From the deal to the discards: whose turn it is, where its clock starts, what it signals."""

from dataclasses import replace

import pytest

from table.commands import SetLamp, SoundBuzzer
from table.events import TileDrawn
from table.fouls import FoulKind
from table.moment import MILLISECOND, Elapsed
from table.seat import Seat
from tests.timing.books import FROM_DISCARD, MCR, WINDOWLESS, seconds
from tests.timing.play import Play, dealt, exactly, moment, opened
from timing.display import clocks
from timing.effects import (
    Discarded,
    Drawn,
    HandStarted,
    OverLimit,
    OverLimitClosed,
    TurnMeasured,
    TurnStarted,
    WindowClosed,
    WindowOpened,
)
from timing.hand import fresh, wake_at


def test_the_end_of_the_deal_starts_the_dealers_twenty_seconds() -> None:
    play = Play()
    assert play.deal(1) == (
        HandStarted("t1-1", 1, Seat.ONE),
        TurnStarted(Seat.ONE, seconds(20), exactly(1), presumed=False),
    )


def test_a_raised_wall_begins_a_hand_that_nothing_times_yet() -> None:
    play = Play()
    assert play.raise_wall(1) == (HandStarted("t1-1", 1, Seat.ONE),)
    assert wake_at(MCR, play.state) is None
    assert play.discard(1, 100)[0] == Discarded(Seat.ONE, exactly(100), implied=False)
    assert play.fouls == []


def test_the_end_of_the_deal_times_a_hand_that_the_wall_began() -> None:
    play = Play()
    play.raise_wall(1)
    assert play.deal(30) == (TurnStarted(Seat.ONE, seconds(20), exactly(30), presumed=False),)


def test_a_discard_opens_the_window_and_the_lower_seat_waits() -> None:
    assert dealt().discard(1, 10) == (
        TurnMeasured(Seat.ONE, Elapsed(seconds(10), seconds(10)), seconds(20), presumed=False),
        Discarded(Seat.ONE, exactly(10), implied=False),
        WindowOpened(Seat.ONE, seconds(3)),
        TurnStarted(Seat.TWO, seconds(10), None, presumed=False),
    )


def test_without_draw_sensing_a_turn_is_presumed_to_start_when_the_window_closes() -> None:
    play = opened()
    assert play.wait(12.999999) == ()
    assert play.wait(13) == (
        WindowClosed(Seat.ONE),
        TurnStarted(Seat.TWO, seconds(10), exactly(13), presumed=True),
    )


def test_with_draw_sensing_a_turn_starts_at_the_draw() -> None:
    play = opened(draws=True)
    assert play.wait(14) == (WindowClosed(Seat.ONE),)
    assert play.draw(2, 15) == (
        Drawn(Seat.TWO),
        TurnStarted(Seat.TWO, seconds(10), exactly(15), presumed=False),
    )
    assert play.discard(2, 20)[0] == TurnMeasured(
        Seat.TWO, Elapsed(seconds(5), seconds(5)), seconds(10), presumed=False
    )


def test_a_draw_that_the_sensor_missed_is_presumed_at_the_end_of_the_window() -> None:
    play = opened(draws=True)
    assert play.discard(2, 20)[1] == TurnMeasured(
        Seat.TWO, Elapsed(seconds(7), seconds(7)), seconds(10), presumed=True
    )


def test_a_second_draw_in_a_turn_starts_the_limit_anew() -> None:
    play = opened(draws=True)
    play.draw(2, 13)
    play.draw(2, 20)
    play.discard(2, 30)
    assert play.fouls == []


def test_a_draw_that_arrives_after_a_later_start_does_not_shorten_the_limit() -> None:
    play = opened()
    play.wait(13)
    presumed = TurnStarted(Seat.TWO, seconds(10), exactly(13), presumed=True)
    assert play.sees(12, TileDrawn(Seat.TWO), late=2)[-1] == presumed


def test_an_older_draw_does_not_make_a_sensed_start_presumed() -> None:
    play = opened(draws=True)
    play.draw(2, 14)
    sensed = TurnStarted(Seat.TWO, seconds(10), exactly(14), presumed=False)
    assert play.sees(12, TileDrawn(Seat.TWO), late=3)[-1] == sensed


def test_a_draw_by_a_seat_that_is_not_on_turn_is_told_and_starts_nothing() -> None:
    play = opened(draws=True)
    before = clocks(play.rules, play.state, moment(11))
    assert play.draw(4, 11) == (Drawn(Seat.FOUR),)
    assert clocks(play.rules, play.state, moment(11)) == before


def test_a_press_within_the_window_is_no_negative_time() -> None:
    play = opened()
    assert play.discard(2, 11)[1] == TurnMeasured(
        Seat.TWO, Elapsed(seconds(0), seconds(0)), seconds(10), presumed=True
    )


def test_where_the_book_counts_from_the_upper_discard_the_clock_runs_at_once() -> None:
    play = dealt(FROM_DISCARD, draws=True)
    assert play.discard(1, 10)[-1] == TurnStarted(
        Seat.TWO, seconds(12), exactly(10), presumed=False
    )
    assert play.draw(2, 15) == (WindowClosed(Seat.ONE), Drawn(Seat.TWO))
    assert play.discard(2, 18)[0] == TurnMeasured(
        Seat.TWO, Elapsed(seconds(8), seconds(8)), seconds(12), presumed=False
    )


def test_a_book_without_a_call_window_opens_none() -> None:
    play = dealt(WINDOWLESS)
    assert play.discard(1, 10)[1:] == (
        Discarded(Seat.ONE, exactly(10), implied=False),
        TurnStarted(Seat.TWO, seconds(12), exactly(10), presumed=False),
    )


def test_where_nothing_delays_a_presumed_start_it_is_the_discard_itself() -> None:
    rules = replace(MCR, call_window=None)
    assert dealt(rules).discard(1, 10)[-1] == TurnStarted(
        Seat.TWO, seconds(10), exactly(10), presumed=True
    )


def test_the_lamp_is_lit_before_the_limit_and_one_beep_sounds_at_it() -> None:
    play = dealt()
    assert play.wait(16.999999) == ()
    assert play.wait(17) == (SetLamp(Seat.ONE, lit=True),)
    assert play.wait(19.999999) == ()
    assert play.wait(20) == (
        SoundBuzzer(Seat.ONE, 300 * MILLISECOND),
        OverLimit(Seat.ONE, FoulKind.DISCARD_OVER_LIMIT),
    )
    assert play.wait(60) == ()


def test_a_press_after_the_notice_puts_out_the_lamp_and_closes_the_notice() -> None:
    play = dealt()
    play.wait(21)
    assert play.discard(1, 22)[:2] == (SetLamp(Seat.ONE, lit=False), OverLimitClosed(Seat.ONE))


def test_a_later_turn_signals_like_the_first() -> None:
    play = opened()
    play.wait(19.9)
    play.effects.clear()
    assert play.wait(23) == (
        SetLamp(Seat.TWO, lit=True),
        SoundBuzzer(Seat.TWO, 300 * MILLISECOND),
        OverLimit(Seat.TWO, FoulKind.DISCARD_OVER_LIMIT),
    )
    assert play.discard(2, 24)[:2] == (SetLamp(Seat.TWO, lit=False), OverLimitClosed(Seat.TWO))


def test_the_limit_counts_from_the_latest_moment_at_which_the_turn_can_have_started() -> None:
    play = Play(doubt=250 * MILLISECOND)
    play.deal(0)
    play.wait(20.2)
    assert play.all_of(OverLimit) == []
    play.wait(20.25)
    assert len(play.all_of(OverLimit)) == 1


@pytest.mark.parametrize("at", [10.0, 17.5, 25.0])
def test_one_late_wake_catches_up_with_everything_that_was_due(at: float) -> None:
    late, often = dealt(), dealt()
    for tick in range(int(at * 4)):
        often.wait(tick / 4)
    late.wait(at)
    often.wait(at)
    assert late.effects == often.effects
    assert late.state == often.state


@pytest.mark.parametrize(
    ("until", "wakes"), [(0, 17), (17, 20), (20, None)], ids=["lamp", "limit", "nothing"]
)
def test_a_table_says_when_it_must_be_woken(until: float, wakes: float | None) -> None:
    play = dealt()
    play.wait(until)
    assert wake_at(MCR, play.state) == (None if wakes is None else moment(wakes))


def test_a_table_wakes_for_the_end_of_the_window() -> None:
    assert wake_at(MCR, opened().state) == moment(13)


def test_a_table_without_a_hand_sleeps() -> None:
    assert wake_at(MCR, fresh("t1")) is None


def test_a_moment_before_the_last_one_is_a_bug() -> None:
    play = dealt()
    play.wait(5)
    with pytest.raises(ValueError, match="table t1 was at 5000000 µs, 4000000 µs is earlier"):
        play.wait(4)


def test_players_have_names_before_they_are_seated() -> None:
    assert fresh("t1").players[Seat.THREE] == "t1-3"


def test_the_first_hand_has_no_predecessor() -> None:
    assert (fresh("t1").hand, fresh("t1").on_turn) == ("", None)
    assert (dealt().state.hand, dealt().state.on_turn) == ("t1-1", Seat.ONE)
