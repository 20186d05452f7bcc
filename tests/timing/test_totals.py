"""The thinking time of a whole hand: what adds to it, when it is told, and what it charges."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.commands import (
    ConfirmHu,
    DrawHand,
    HandCommand,
    Pause,
    Resume,
    SetTurn,
    SoundBuzzer,
    VoidHand,
    WithdrawHu,
)
from table.events import Call, DealEnded
from table.fouls import FoulKind, FoulSeen, TooClose
from table.moment import MILLISECOND, Elapsed, Interval
from table.seat import BySeat, Seat
from tests.timing.books import FIFTH, GB, JINGJI, WSOM, seconds
from tests.timing.play import Play, dealt, exactly, moment
from timing.display import ClockFace, clocks
from timing.effects import OverLimit, OverLimitClosed
from timing.rules import Limit, TimeRules
from timing.totals import unused

TOTAL = FoulKind.HAND_TOTAL_OVER
SHORT = replace(WSOM, hand_total=Limit(seconds(40), "wsom-2010 打牌时限 §1"))
"""As the book, but with a total that two slow turns use up."""


def used(play: Play, at: float = 0) -> list[timedelta]:
    """Return what is counted against each seat, with the turn that is not finished at a moment."""
    limit = Limit(seconds(10_000), "")
    now = max(moment(at), play.state.last or moment(at))
    return [limit.span - unused(limit, play.state, seat, now) for seat in Seat]


def totals(play: Play) -> list[FoulSeen]:
    return [foul for foul in play.fouls if foul.kind is TOTAL]


def gone_round(rules: TimeRules, times: int, takes: float) -> Play:
    """Return a table where each seat has taken so long so often; each turn starts at a discard."""
    play = dealt(rules)
    at = 15.0
    for turn in range(4 * times):
        at += takes
        play.discard(turn % 4 + 1, at)
    return play


def test_each_own_turn_adds_what_it_took_from_the_end_of_the_untimed_opening() -> None:
    play = dealt(WSOM)
    play.discard(1, 20)
    play.discard(2, 31)
    play.discard(3, 34)
    assert used(play) == [seconds(5), seconds(11), seconds(3), seconds(0)]


def test_a_turn_that_a_claim_takes_away_adds_nothing() -> None:
    play = dealt(WSOM)
    play.discard(1, 20)
    play.claim(3, 24, Call.PUNG)
    play.discard(3, 27)
    assert used(play) == [seconds(5), seconds(0), seconds(7), seconds(0)]


def test_a_discard_that_is_only_implied_adds_nothing() -> None:
    play = dealt(WSOM)
    play.discard(1, 20)
    play.discard(3, 40)
    assert used(play) == [seconds(5), seconds(0), seconds(0), seconds(0)]


def test_a_kong_closes_one_stretch_and_begins_the_next() -> None:
    play = dealt(WSOM)
    play.discard(1, 20)
    play.claim(2, 24, Call.KONG)
    play.claim(2, 29, Call.KONG)
    assert used(play)[1] == seconds(9)
    play.discard(2, 35)
    assert used(play)[1] == seconds(15)


def test_the_total_adds_up_doubt_to_the_most_and_the_least_reading() -> None:
    play = dealt(WSOM, doubt=20 * MILLISECOND)
    play.discard(1, 20)
    play.discard(2, 30)
    assert play.state.used[Seat.TWO] == Elapsed(seconds(9.96), seconds(10.04))


def test_what_was_replayed_adds_nothing() -> None:
    play = dealt(WSOM)
    play.discard(1, 20)
    play.discard(2, 30, replayed=True)
    play.discard(3, 40)
    assert used(play)[1:3] == [seconds(0), seconds(0)]


def test_a_lost_link_drops_the_running_stretch_and_keeps_the_totals() -> None:
    play = dealt(WSOM)
    play.discard(1, 20)
    play.discard(2, 30)
    play.lose_link(36)
    play.discard(3, 50)
    play.discard(4, 54)
    assert used(play) == [seconds(5), seconds(10), seconds(0), seconds(4)]


def test_a_restart_keeps_the_totals() -> None:
    play = dealt(WSOM)
    play.discard(1, 20)
    play.discard(2, 30)
    play.restart(3)
    assert used(play) == [seconds(5), seconds(10), seconds(0), seconds(0)]


def test_a_turn_set_by_the_referee_drops_the_running_stretch() -> None:
    play = dealt(WSOM)
    play.discard(1, 20)
    play.order(29, SetTurn(Seat.FOUR, "a claim that nobody pressed"))
    play.discard(4, 33)
    assert used(play) == [seconds(5), seconds(0), seconds(0), seconds(4)]


def test_a_pause_keeps_what_was_used_and_is_not_counted_itself() -> None:
    play = dealt(WSOM)
    play.discard(1, 20)
    play.order(26, Pause())
    assert used(play)[1] == seconds(6)
    play.order(100, Resume())
    play.discard(2, 103)
    assert used(play)[1] == seconds(9)


def test_a_pause_keeps_what_was_used_where_a_draw_moves_the_start_afterwards() -> None:
    play = dealt(FIFTH, draws=True)
    play.discard(1, 15)
    play.claim(3, 16, Call.KONG)
    play.order(24, Pause())
    play.order(60, Resume())
    play.draw(3, 61)
    play.discard(3, 65)
    # The window of 4 s ends at 19 s, where the limit of a call is presumed to start.
    assert used(play)[2] == seconds(5 + 4)


def test_a_declared_hu_ends_the_stretch_at_its_first_edge() -> None:
    play = dealt(WSOM, holds=True)
    play.tap(1, 20)
    play.hold(3, 26)
    assert used(play) == [seconds(5), seconds(6), seconds(0), seconds(0)]
    play.order(60, WithdrawHu())
    play.tap(2, 63)
    assert used(play)[1] == seconds(9)


def test_a_press_that_becomes_a_hu_counts_once() -> None:
    play = dealt(WSOM, holds=True)
    play.tap(1, 20)
    play.hold(2, 27)
    assert used(play, 40) == [seconds(5), seconds(7), seconds(0), seconds(0)]
    play.order(60, WithdrawHu())
    play.tap(2, 65)
    assert used(play)[:2] == [seconds(5), seconds(12)]


@pytest.mark.parametrize(("over", "fouls"), [(-0.01, 0), (0, 0), (0.01, 1)])
def test_more_than_three_minutes_in_a_hand_is_a_foul_when_the_hand_ends(
    over: float, fouls: int
) -> None:
    play = gone_round(WSOM, 12, 14)
    play.discard(1, 15 + 48 * 14 + 12 + over)
    assert used(play)[0] == seconds(180 + over)
    assert totals(play) == []
    end = 15 + 48 * 14 + 13 + over
    play.order(end, DrawHand("the wall is empty"))
    taken = seconds(180 + over)
    assert (
        totals(play)
        == [
            FoulSeen(
                id="t1-1-f1",
                kind=TOTAL,
                seat=Seat.ONE,
                hand="t1-1",
                measured=Elapsed(taken, taken),
                limit=seconds(180),
                rule="wsom-2010 打牌时限 §1",
                started=exactly(0),
                ended=Interval.exactly(moment(end)),
            )
        ]
        * fouls
    )


def test_an_unfinished_turn_counts_up_to_the_hu_that_ends_the_hand() -> None:
    play = dealt(SHORT, holds=True)
    play.tap(1, 15 + 14)
    play.tap(2, 15 + 14 + 14)
    play.tap(3, 15 + 28 + 14)
    play.tap(4, 15 + 42 + 14)
    end = 15 + 56 + 26.01
    play.hold(3, end)
    play.order(end + 60, ConfirmHu())
    assert [(foul.seat, foul.excess) for foul in totals(play)] == [(Seat.ONE, seconds(0.01))]


@pytest.mark.parametrize("ending", [DrawHand(), ConfirmHu()])
def test_an_end_that_no_seat_said_counts_no_unfinished_turn_against_anybody(
    ending: HandCommand,
) -> None:
    play = gone_round(SHORT, 2, 14)
    play.order(15 + 8 * 14 + 12.01, ending)
    assert totals(play) == []
    close = [(each.seat, each.measured.least) for each in play.all_of(TooClose)]
    assert close == [(Seat.ONE, seconds(28))]


def test_the_totals_come_before_the_end_of_the_hand_and_in_order_of_seats() -> None:
    play = gone_round(SHORT, 3, 14)
    play.order(200, DrawHand())
    assert [foul.seat for foul in totals(play)] == list(Seat)
    assert len({foul.id for foul in play.fouls}) == 4
    assert [type(effect).__name__ for effect in play.effects[-5:]] == ["FoulSeen"] * 4 + [
        "HandEnded"
    ]


def test_a_void_hand_has_no_total() -> None:
    play = gone_round(SHORT, 3, 14)
    play.order(200, VoidHand("a wall fell"))
    assert totals(play) == []
    assert play.all_of(TooClose) == []


def test_a_hand_that_nobody_ended_counts_no_unfinished_turn_against_anybody() -> None:
    play = gone_round(SHORT, 2, 14)
    play.deal(500)
    assert totals(play) == []
    close = [(each.seat, each.measured.least) for each in play.all_of(TooClose)]
    assert close == [(Seat.ONE, seconds(28))]


def test_the_next_hand_begins_with_nothing_used() -> None:
    play = gone_round(SHORT, 3, 14)
    play.deal(500)
    assert [foul.seat for foul in totals(play)] == list(Seat)
    assert used(play) == [seconds(0)] * 4
    play.discard(2, 520)
    play.order(530, DrawHand())
    assert len(totals(play)) == 4


def test_a_total_with_readings_on_both_sides_is_too_close_to_call() -> None:
    play = dealt(SHORT, doubt=5 * MILLISECOND)
    play.discard(1, 29)
    play.discard(2, 42)
    play.discard(3, 55)
    play.discard(4, 68)
    play.discard(1, 81)
    play.claim(3, 82, Call.PUNG)
    play.discard(3, 90)
    play.claim(1, 92, Call.PUNG)
    play.discard(1, 103)
    play.order(104, DrawHand())
    close = play.all_of(TooClose)
    assert [(each.kind, each.seat, each.limit) for each in close] == [
        (TOTAL, Seat.ONE, seconds(40))
    ]
    assert totals(play) == []


def test_a_replayed_end_charges_no_total() -> None:
    play = gone_round(SHORT, 3, 14)
    play.deal(500)
    fresh = gone_round(SHORT, 3, 14)
    fresh.sees(500, DealEnded(), replayed=True)
    assert (len(totals(play)), len(totals(fresh))) == (4, 0)


def test_reaching_the_total_is_told_once_and_is_no_foul() -> None:
    play = gone_round(SHORT, 2, 14)
    start = 15 + 8 * 14
    assert play.wait(start + 11.99) == ()
    told = play.wait(start + 12)
    assert OverLimit(Seat.ONE, TOTAL) in told
    assert SoundBuzzer(Seat.ONE, SHORT.beep) in told
    assert OverLimitClosed(Seat.ONE) in play.discard(1, start + 13)
    for turn, seat in enumerate((2, 3, 4, 1)):
        play.discard(seat, start + 14 + turn)
    assert play.all_of(OverLimit).count(OverLimit(Seat.ONE, TOTAL)) == 1
    assert play.fouls == []


def test_the_notice_of_the_total_goes_by_the_most_favourable_reading() -> None:
    play = dealt(SHORT, doubt=100 * MILLISECOND)
    at = 15.0
    for turn in range(8):
        at += 14
        play.discard(turn % 4 + 1, at)
    assert play.state.used[Seat.ONE].least == seconds(28 - 4 * 0.1)
    told = play.wait(at + 12.49)
    assert OverLimit(Seat.ONE, TOTAL) not in told
    assert OverLimit(Seat.ONE, TOTAL) in play.wait(at + 12.5)


def test_the_display_shows_what_each_seat_has_left() -> None:
    play = dealt(WSOM)
    play.discard(1, 20)
    display = clocks(play.rules, play.state, moment(24))
    limit = seconds(180)
    still = ClockFace("hand-total", running=False, total=limit, remaining=limit, over=False)
    assert display.totals == BySeat(
        replace(still, remaining=seconds(175)),
        replace(still, remaining=seconds(176), running=True),
        still,
        still,
    )


def test_a_used_up_total_shows_zero() -> None:
    play = gone_round(SHORT, 2, 14)
    play.wait(15 + 8 * 14 + 13)
    face = clocks(play.rules, play.state, moment(15 + 8 * 14 + 13)).totals[Seat.ONE]
    assert face == ClockFace(
        "hand-total", running=True, total=seconds(40), remaining=seconds(0), over=True
    )


@pytest.mark.parametrize("rules", [GB, JINGJI])
def test_a_book_without_a_total_shows_and_charges_none(rules: TimeRules) -> None:
    play = gone_round(rules, 8, 9)
    assert clocks(play.rules, play.state, moment(400)).totals == BySeat.all(None)
    play.order(400, DrawHand())
    assert totals(play) == []


BOOKS = (
    WSOM,
    SHORT,
    replace(GB, hand_total=SHORT.hand_total, call_window=None),
    replace(FIFTH, call_window=None),
)
"""Books with a total; a call window is closed by a pause, so that other calls would stand."""


@dataclass(frozen=True)
class Move:
    """What the seat on turn does, or another seat to it, so long after the move before."""

    after: float
    discards: bool = True
    call: Call | None = None
    caller: int = 0
    """So many seats after the one on turn; 0 is its own kong."""


moves = st.lists(
    st.one_of(
        st.builds(Move, after=st.integers(1, 20).map(float)),
        st.builds(
            Move,
            after=st.integers(1, 20).map(float),
            discards=st.just(value=False),
            call=st.just(Call.KONG),
            caller=st.sampled_from([0, 0, 1, 2]),
        ),
    ),
    min_size=1,
    max_size=14,
)


def make(play: Play, at: float, move: Move) -> None:
    seat = play.state.on_turn
    assert seat is not None
    if move.discards:
        play.discard(seat, at)
    else:
        play.claim(seat.after(move.caller), at, move.call)


def timed(line: list[Move]) -> Iterator[tuple[float, Move]]:
    at = 15.0
    for move in line:
        at += move.after
        yield at, move


def calls_over_a_pause(after: list[Move]) -> bool:
    """Say whether another seat calls the discard that lay in the pool during the pause."""
    before_discard = takewhile(lambda move: not move.discards, after)
    return any(move.caller for move in before_discard)


@given(
    st.sampled_from(BOOKS),
    moves,
    st.integers(1, 3000).map(lambda tenths: tenths / 10 + 0.05),
    st.integers(1, 300).map(float),
    st.booleans(),
)
def test_pausing_anywhere_changes_no_used_total(
    rules: TimeRules,
    line: list[Move],
    at: float,
    lasting: float,
    remaining: bool,  # noqa: FBT001 - drawn by Hypothesis
) -> None:
    straight, broken = dealt(rules), dealt(rules)
    end = 15 + sum(move.after for move in line) + 1
    pause = min(at, end - 0.5)
    for when, move in timed(line):
        make(straight, when, move)
    for when, move in timed(line):
        if when < pause:
            make(broken, when, move)
    broken.order(pause, Pause("a fallen tile"))
    broken.order(pause + lasting, Resume(remaining=remaining))
    for when, move in timed(line):
        if when >= pause:
            make(broken, when + lasting, move)
    counted, whole = used(broken, end + lasting), used(straight, end)
    assert all(mine <= all_told for mine, all_told in zip(counted, whole, strict=True))
    # A call of a discard from before a pause is not judged, nor is the turn that it opens.
    if not calls_over_a_pause([move for when, move in timed(line) if when >= pause]):
        assert counted == whole


@given(st.sampled_from((*BOOKS, FIFTH)), moves, st.lists(st.integers(0, 300), max_size=20))
def test_totals_are_independent_of_when_the_table_is_woken(
    rules: TimeRules, line: list[Move], wakes: list[int]
) -> None:
    asleep, awake = dealt(rules), dealt(rules)
    before = 0.0
    for when, move in timed(line):
        make(asleep, when, move)
        for wake in sorted(wakes):
            if before <= wake <= when:
                awake.wait(wake)
        make(awake, when, move)
        before = when
    asleep.order(before + 1, DrawHand())
    awake.order(before + 1, DrawHand())
    assert awake.state.used == asleep.state.used
    assert awake.effects == asleep.effects


@given(moves)
def test_in_wsom_all_measured_time_adds_up_to_the_time_from_the_opening(line: list[Move]) -> None:
    discards = [move for move in line if move.discards]
    play = dealt(WSOM)
    for when, move in timed(discards):
        make(play, when, move)
    assert sum(used(play), timedelta(0)) == seconds(sum(move.after for move in discards))
    assert used(play) == [total.least for total in play.state.used]
