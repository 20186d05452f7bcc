"""What the players do could have been done at a table, and shows their habits."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from itertools import islice, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.deeds import Deed, Key, Sense, Touch
from simulator.habits import HABITS, Habit
from simulator.players import WALL, Players
from table.events import Call, DealEnded, TileDrawn
from table.happening import Input
from table.moment import ZERO, Moment
from table.seat import BySeat, Seat

START = Moment(0)
LIMIT = timedelta(seconds=10)
WINDOW = timedelta(seconds=3)


def hand(seed: int, habits: BySeat[Habit], *, draws: bool = True) -> list[Deed]:
    players = Players(Random(seed), habits, draws)
    return players.hand(Seat.TWO, START)


def presses(deeds: list[Deed], button: Input) -> list[tuple[Moment, Touch]]:
    return [
        (deed.at, deed.act)
        for deed in deeds
        if isinstance(deed.act, Touch) and deed.act.down and deed.act.input is button
    ]


def hundred_hands(habit: Habit) -> list[list[Deed]]:
    return [hand(seed, BySeat.all(habit)) for seed in range(100)]


MIXED = BySeat(*islice(HABITS.values(), 4))
tables = st.permutations(list(HABITS.values())).map(lambda habits: BySeat(*habits[:4]))


@given(st.integers(0, 100_000), tables)
def test_a_hand_goes_from_dice_and_deal_to_the_start_key_in_order_of_time(
    seed: int, habits: BySeat[Habit]
) -> None:
    deeds = hand(seed, habits)
    assert [deed.at for deed in deeds] == sorted(deed.at for deed in deeds)
    assert deeds[0].act is Key.DICE
    assert deeds[1].act == Sense(DealEnded())
    assert deeds[-1].act is Key.START


@given(st.integers(0, 100_000), tables)
def test_every_input_goes_down_and_up_in_turn(seed: int, habits: BySeat[Habit]) -> None:
    levels: dict[tuple[Seat, Input], bool] = {}
    for deed in hand(seed, habits):
        if isinstance(deed.act, Touch):
            place = (deed.act.seat, deed.act.input)
            assert levels.get(place, False) is not deed.act.down
            levels[place] = deed.act.down
    assert not any(levels.values())


@given(st.integers(0, 100_000), tables)
def test_nobody_draws_more_than_the_wall_holds(seed: int, habits: BySeat[Habit]) -> None:
    acts = [deed.act for deed in hand(seed, habits)]
    drawn = sum(isinstance(act, Sense) and isinstance(act.event, TileDrawn) for act in acts)
    assert 0 < drawn <= WALL


@given(st.integers(0, 100_000))
def test_quick_players_are_never_over_a_limit(seed: int) -> None:
    deeds = hand(seed, BySeat.all(HABITS["quick"]))
    discards = presses(deeds, Input.DISCARD)
    turns = [later - earlier for (earlier, _), (later, _) in pairwise(discards)]
    assert max(turns, default=timedelta(0)) < LIMIT + WINDOW
    for at, claim in presses(deeds, Input.CLAIM):
        if claim.call in {Call.PUNG, Call.CHOW}:
            assert min(at - earlier for earlier, _ in discards if earlier < at) <= WINDOW


def test_the_first_discard_is_the_dealers() -> None:
    assert presses(hand(3, BySeat.all(HABITS["quick"])), Input.DISCARD)[0][1].seat is Seat.TWO


def test_the_same_seed_plays_the_same_hand_and_another_seed_another() -> None:
    assert hand(5, MIXED) == hand(5, MIXED)
    assert hand(5, MIXED) != hand(6, MIXED)


def test_a_table_without_draw_sensors_sees_no_draw() -> None:
    assert not any(
        isinstance(deed.act, Sense) and isinstance(deed.act.event, TileDrawn)
        for deed in hand(5, MIXED, draws=False)
    )


def test_hands_end_by_hu_or_in_a_draw_game() -> None:
    held = Counter(
        any(later.at - earlier.at > timedelta(seconds=1) for earlier, later in _pairs(deeds))
        for deeds in hundred_hands(HABITS["quick"])
    )
    assert held[True] > 30
    assert held[False] > 5


def _pairs(deeds: list[Deed]) -> list[tuple[Deed, Deed]]:
    touches = [deed for deed in deeds if isinstance(deed.act, Touch)]
    touches.sort(key=_place)
    return list(zip(touches[::2], touches[1::2], strict=True))


def _place(deed: Deed) -> tuple[Seat, Input]:
    assert isinstance(deed.act, Touch)
    return deed.act.seat, deed.act.input


def test_the_forgetful_leave_out_every_fifth_press() -> None:
    pressed, pressed_by_forgetful = (
        sum(len(presses(deeds, Input.DISCARD)) for deeds in hundred_hands(habit))
        for habit in (replace(HABITS["forgetful"], forgets=0), HABITS["forgetful"])
    )
    assert pressed_by_forgetful / pressed == pytest.approx(0.8, abs=0.05)


def test_hesitant_players_are_over_the_limit_now_and_then() -> None:
    over = 0
    for deeds in hundred_hands(HABITS["hesitant"]):
        drawn_at = START
        for deed in deeds:
            if isinstance(deed.act, Sense):
                drawn_at = deed.at
            elif isinstance(deed.act, Touch) and deed.act.input is Input.DISCARD and deed.act.down:
                over += deed.at - drawn_at > LIMIT
    assert over > 100


def test_late_callers_call_pungs_after_the_window_now_and_then() -> None:
    late = in_time = 0
    for deeds in hundred_hands(HABITS["late"]):
        discards = [at for at, _ in presses(deeds, Input.DISCARD)]
        for at, claim in presses(deeds, Input.CLAIM):
            if claim.call is Call.PUNG:
                taken = min(at - discard for discard in discards if discard < at)
                late += taken > WINDOW
                in_time += taken <= WINDOW
    assert late > 20
    assert in_time > 100


def test_hasty_players_draw_before_the_discard_now_and_then() -> None:
    early = 0
    for deeds in hundred_hands(HABITS["hasty"]):
        discards = [at for at, _ in presses(deeds, Input.DISCARD)]
        for deed in deeds:
            if isinstance(deed.act, Sense) and isinstance(deed.act.event, TileDrawn):
                early += any(ZERO < at - deed.at <= timedelta(seconds=1.2) for at in discards)
    assert early > 200


def test_wavering_players_call_tiles_that_they_leave_to_the_next() -> None:
    left = 0
    for deeds in hundred_hands(replace(HABITS["wavering"], wavers=20)):
        for at, claim in presses(deeds, Input.CLAIM):
            after = (who.seat for when, who in presses(deeds, Input.DISCARD) if when > at)
            left += claim.call is Call.PUNG and next(after, claim.seat) is not claim.seat
    assert left > 100


def test_brooding_players_are_over_the_limits_of_every_book() -> None:
    longest = max(
        later - earlier
        for deeds in hundred_hands(HABITS["brooding"])[:10]
        for (earlier, _), (later, _) in pairwise(presses(deeds, Input.DISCARD))
    )
    assert longest > timedelta(seconds=30)
