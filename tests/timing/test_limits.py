"""Over the limit, too close to call, in time: by intervals, in device time, with margins."""

from datetime import timedelta

import pytest

from table.fouls import FoulKind, FoulSeen, OverrunRecorded, TooClose
from table.moment import MILLISECOND, Elapsed
from table.seat import Seat
from tests.timing.books import seconds
from tests.timing.play import dealt, exactly, opened
from timing.effects import TurnMeasured

DISCARD = FoulKind.DISCARD_OVER_LIMIT


@pytest.mark.parametrize("taken", [0.1, 19.99, 20])
def test_a_first_discard_up_to_twenty_seconds_is_in_time(taken: float) -> None:
    play = dealt()
    play.discard(1, taken)
    assert play.fouls == []
    assert play.all_of(TooClose) == []


def test_a_first_discard_after_twenty_seconds_is_a_foul_by_its_article() -> None:
    play = dealt()
    play.discard(1, 20.01)
    assert play.fouls == [
        FoulSeen(
            id="t1-1-f1",
            kind=DISCARD,
            seat=Seat.ONE,
            hand="t1-1",
            measured=Elapsed(seconds(20.01), seconds(20.01)),
            limit=seconds(20),
            rule="mcr-2014 art. 5 (赛前 6)",
            started=exactly(0),
            ended=exactly(20.01),
        )
    ]


@pytest.mark.parametrize(("taken", "fouls"), [(9.99, 0), (10, 0), (10.01, 1)])
def test_a_discard_after_a_sensed_draw_has_ten_seconds(taken: float, fouls: int) -> None:
    play = opened(draws=True)
    play.draw(2, 12)
    play.discard(2, 12 + taken)
    assert len(play.fouls) == fouls
    assert all(foul.rule == "mcr-2014 art. 6 (出牌)" for foul in play.fouls)


def test_readings_on_both_sides_of_the_limit_are_too_close_to_call() -> None:
    play = dealt(doubt=20 * MILLISECOND)
    play.discard(1, 20.03)
    reading = Elapsed(seconds(19.99), seconds(20.07))
    assert play.all_of(TooClose) == [TooClose(DISCARD, Seat.ONE, reading, seconds(20))]
    assert play.fouls == []


@pytest.mark.parametrize(
    ("taken", "fouls", "close"), [(20.04, 0, 1), (20.040001, 1, 0), (19.96, 0, 0)]
)
def test_only_the_most_favourable_reading_makes_a_foul(
    taken: float, fouls: int, close: int
) -> None:
    play = dealt(doubt=20 * MILLISECOND)
    play.discard(1, taken)
    assert (len(play.fouls), len(play.all_of(TooClose))) == (fouls, close)


@pytest.mark.parametrize(
    ("taken", "fouls", "close"),
    [(19.99, 0, 0), (19.999, 0, 0), (20, 0, 1), (20.001, 0, 1), (20.002, 1, 0), (20.01, 1, 0)],
)
def test_stamps_of_one_device_are_compared_in_its_own_time(
    taken: float, fouls: int, close: int
) -> None:
    play = dealt(doubt=timedelta(seconds=1), clock="box-7/boot-2")
    play.discard(1, taken)
    assert (len(play.fouls), len(play.all_of(TooClose))) == (fouls, close)


@pytest.mark.parametrize(
    ("taken", "fouls", "recorded"),
    [(10, 0, 0), (10.01, 0, 1), (13, 0, 1), (13.01, 1, 0)],
)
def test_a_presumed_start_has_a_margin_before_it_alerts(
    taken: float, fouls: int, recorded: int
) -> None:
    play = opened()
    play.discard(2, 13 + taken)
    assert (len(play.fouls), len(play.all_of(OverrunRecorded))) == (fouls, recorded)


def test_an_overrun_within_the_margin_is_recorded_with_it() -> None:
    play = opened()
    play.discard(2, 24)
    reading = Elapsed(seconds(11), seconds(11))
    assert play.all_of(OverrunRecorded) == [
        OverrunRecorded(DISCARD, Seat.TWO, reading, seconds(10), seconds(3))
    ]


def test_a_foul_from_a_presumed_start_says_so() -> None:
    play = opened()
    play.discard(2, 27)
    assert [(foul.presumed, foul.started, foul.ended) for foul in play.fouls] == [
        (True, exactly(13), exactly(27))
    ]


def test_a_press_in_time_that_arrives_after_the_notice_is_in_time() -> None:
    play = dealt()
    play.wait(20.5)
    play.discard(1, 19.9, late=1)
    assert play.fouls == []
    assert play.all_of(TurnMeasured)[0].taken == Elapsed(seconds(19.9), seconds(19.9))


def test_a_replayed_press_is_measured_and_charges_nothing() -> None:
    play = dealt()
    play.discard(1, 25, replayed=True)
    assert len(play.all_of(TurnMeasured)) == 1
    assert play.fouls == []
    assert play.all_of(OverrunRecorded) == []


def test_a_clock_that_a_replay_started_charges_nothing() -> None:
    play = opened(draws=True)
    play.draw(2, 12, replayed=True)
    play.discard(2, 40)
    assert play.fouls == []


def test_a_turn_after_a_replayed_discard_charges_nothing() -> None:
    play = dealt()
    play.discard(1, 5, replayed=True)
    play.discard(2, 60)
    assert play.fouls == []


def test_fouls_are_numbered_within_their_hand() -> None:
    play = dealt()
    play.discard(1, 21)
    play.discard(2, 60)
    assert [foul.id for foul in play.fouls] == ["t1-1-f1", "t1-1-f2"]
