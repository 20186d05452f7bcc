"""What holds for every hand, whatever happens in it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from hypothesis import Phase, event, given, note, settings
from hypothesis import strategies as st

from table.answers import Refused
from table.commands import Ordered, SetLamp
from table.events import (
    DiscardPressed,
    DiscardReleased,
    LinkDown,
    LinkUp,
    Observed,
    Restarted,
    SeatEvent,
    WallRaised,
    Woken,
)
from table.fouls import FoulKind, FoulSeen, OverrunRecorded, TooClose
from table.moment import Interval, Moment, Quality
from table.seat import Seat
from tests.timing.books import MCR, seconds
from tests.timing.strategies import ALL_EVENTS, ORDERS, RULINGS, Scene, all_replayed, scenes
from timing.display import clocks
from timing.effects import (
    Discarded,
    HandEffect,
    OverLimit,
    OverLimitClosed,
    TurnStarted,
    WindowClosed,
    WindowOpened,
)
from timing.hand import Hand, HandStimulus, Inputs, Step, fresh, running, step, wake_at
from timing.rules import TimeRules

Happenings = list[tuple[Moment, HandStimulus]]
OWN_PRESS = {FoulKind.DISCARD_OVER_LIMIT, FoulKind.LATE_PUNG}
"""What only a seat's own press can show."""


@dataclass(frozen=True)
class Moved:
    """One stimulus and what followed."""

    now: Moment
    stimulus: HandStimulus
    step: Step


def played(rules: TimeRules, happenings: Happenings) -> Iterator[Moved]:
    state = fresh("t1")
    for now, stimulus in happenings:
        done = step(rules, state, stimulus, now)
        state = done.state
        yield Moved(now, stimulus, done)


def effects_of(moves: Iterable[Moved]) -> Iterator[HandEffect]:
    for move in moves:
        yield from move.step.effects


def tell(scene: Scene) -> list[Moved]:
    """Play a scene, and let Hypothesis show which phases it reached and whether it has a foul."""
    moves = list(played(scene.rules, scene.happenings))
    reached = {type(move.step.state.phase).__name__ for move in moves}
    for phase in reached:
        event(f"phase {phase}")
    fouls = [effect for effect in effects_of(moves) if isinstance(effect, FoulSeen)]
    event(f"with a foul: {bool(fouls)}")
    note(f"{scene.rules.name}: {sorted(reached)}, fouls {[foul.kind for foul in fouls]}")
    return moves


@given(scenes(), st.data())
def test_waking_more_often_changes_nothing(scene: Scene, data: st.DataObject) -> None:
    moves = tell(scene)
    often: list[HandEffect] = []
    state, before = fresh("t1"), Moment(0)
    for move in moves:
        if not isinstance(move.stimulus, Restarted):
            for now in _wakes(scene.rules, state, (before, move.now), data):
                woken = step(scene.rules, state, Woken(), now)
                state = woken.state
                often.extend(woken.effects)
        done = step(scene.rules, state, move.stimulus, move.now)
        state, before = done.state, move.now
        often.extend(done.effects)
        assert state == move.step.state
    assert often == list(effects_of(moves))


def _wakes(
    rules: TimeRules, state: Hand, gap: tuple[Moment, Moment], data: st.DataObject
) -> Iterator[Moment]:
    """Yield moments in a gap: when the table asks to be woken, and any others."""
    start, end = gap
    length = (end - start) // timedelta(microseconds=1)
    own = wake_at(rules, state)
    drawn = data.draw(st.lists(st.integers(0, length), max_size=3))
    others = [start + timedelta(microseconds=micros) for micros in drawn]
    due = [own] if own is not None and start <= own <= end else []
    yield from sorted([*others, *due])


@given(scenes())
def test_a_table_that_is_woken_when_it_asks_is_never_late(scene: Scene) -> None:
    state = fresh("t1")
    for now, stimulus in scene.happenings:
        while not isinstance(stimulus, Restarted):
            due = wake_at(scene.rules, state)
            if due is None or due > now:
                break
            at = max(due, state.last or due)
            woken = step(scene.rules, state, Woken(), at)
            assert woken.effects
            state = woken.state
        state = step(scene.rules, state, stimulus, now).state


@given(scenes())
def test_every_stimulus_is_answered_in_every_phase(scene: Scene) -> None:
    moves = tell(scene)
    state = moves[-1].step.state
    event(f"tried in {type(state.phase).__name__}")
    now = scene.now + seconds(1)
    still = step(scene.rules, state, Woken(), now).state
    for stimulus in _every_stimulus(now):
        done = step(scene.rules, still, stimulus, now)
        assert done.state.last == now
        if isinstance(stimulus, Observed) and isinstance(stimulus.event, SeatEvent | WallRaised):
            assert done.effects or done.state != still
        if isinstance(stimulus, Ordered):
            assert done.effects
        if any(isinstance(effect, Refused) for effect in done.effects):
            assert done.state == still


def _every_stimulus(now: Moment) -> Iterator[HandStimulus]:
    when = Interval.exactly(now, Quality.DEVICE)
    for happened in ALL_EVENTS:
        yield Observed(happened, when)
        yield Observed(happened, when, replayed=True)
    for command in ORDERS:
        yield Ordered(command, "referee")
    yield from RULINGS
    yield from (LinkDown("cut"), LinkUp(holds=True, draws=True), Restarted("restart"), Woken())


@given(scenes())
def test_an_implied_event_never_makes_a_foul(scene: Scene) -> None:
    for move in tell(scene):
        implied = {
            effect.seat
            for effect in move.step.effects
            if isinstance(effect, Discarded) and effect.implied
        }
        for foul in _fouls(move.step.effects):
            if foul.kind in OWN_PRESS:
                assert foul.ended is not None
                assert foul.ended.quality is not Quality.IMPLIED
            assert foul.kind is not FoulKind.DISCARD_OVER_LIMIT or foul.seat not in implied


@given(scenes())
def test_a_foul_is_over_by_its_own_press_and_most_favourable_reading(scene: Scene) -> None:
    said: set[tuple[Seat, Interval]] = set()
    for move in tell(scene):
        if isinstance(move.stimulus, Observed):
            seat = getattr(move.stimulus.event, "seat", Seat.ONE)
            said.add((seat, move.stimulus.when))
        for foul in _fouls(move.step.effects):
            if foul.measured is None or foul.limit is None:
                continue
            margin = scene.rules.presumed_margin if foul.presumed else timedelta(0)
            assert foul.measured.least > foul.limit + margin
            assert foul.kind not in OWN_PRESS or (foul.seat, foul.ended) in said


@given(scenes())
def test_a_replayed_event_never_charges(scene: Scene) -> None:
    for move in tell(scene):
        if isinstance(move.stimulus, Observed) and move.stimulus.replayed:
            assert _fouls(move.step.effects) == []
    outage = effects_of(played(scene.rules, all_replayed(scene)))
    charging = FoulSeen | OverrunRecorded | TooClose
    charged = [effect for effect in outage if isinstance(effect, charging)]
    # What orders measure adds to the total of a hand: orders are never replayed.
    assert [effect for effect in charged if effect.kind is not FoulKind.HAND_TOTAL_OVER] == []


@given(scenes())
def test_a_press_makes_at_most_one_foul_of_a_kind_and_ids_are_never_used_twice(
    scene: Scene,
) -> None:
    fouls = _fouls(effects_of(tell(scene)))
    presses = Counter((foul.kind, foul.seat, foul.hand, foul.ended) for foul in fouls)
    assert set(presses.values()) <= {1}
    assert len({foul.id for foul in fouls}) == len(fouls)


@given(scenes())
def test_no_notice_is_given_before_the_limit(scene: Scene) -> None:
    started: dict[Seat, TurnStarted] = {}
    for move in tell(scene):
        for effect in move.step.effects:
            if isinstance(effect, TurnStarted):
                started = {effect.seat: effect}
            if isinstance(effect, OverLimit):
                clock = started[effect.seat]
                total = effect.kind is FoulKind.HAND_TOTAL_OVER
                assert clock.start is not None
                assert move.now >= clock.start.latest + (timedelta(0) if total else clock.limit)


@given(scenes())
def test_what_is_lit_goes_out_and_what_is_opened_is_closed(scene: Scene) -> None:
    lit: set[Seat] = set()
    noticed: set[Seat] = set()
    windows = 0
    for effect in effects_of(tell(scene)):
        match effect:
            case SetLamp(seat=seat, lit=on):
                assert on is not (seat in lit)
                lit ^= {seat}
            case OverLimit(seat=seat):
                assert noticed <= {seat}
                noticed = {seat}
            case OverLimitClosed(seat=seat):
                assert noticed == {seat}
                noticed = set()
            case WindowOpened():
                windows += 1
            case WindowClosed():
                windows -= 1
            case _:
                pass
        assert len(lit) <= 1
        assert windows in {0, 1}


@given(scenes())
def test_the_clocks_show_what_the_state_says(scene: Scene) -> None:
    for move in tell(scene):
        display = clocks(scene.rules, move.step.state, move.now)
        faces = {seat: face for seat, face in display.seats.items() if face is not None}
        assert set(faces) <= {move.step.state.on_turn}
        for face in faces.values():
            assert timedelta(0) <= face.remaining <= face.total
        shown = scene.rules.hand_total is not None and running(move.step.state)
        for total in display.totals:
            assert (total is not None) is shown
            assert total is None or timedelta(0) <= total.remaining <= total.total


def test_a_fifth_of_the_examples_holds_a_foul_and_all_phases_are_reached() -> None:
    reached: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    guilty: list[bool] = []

    @settings(max_examples=200, phases=[Phase.generate], derandomize=True, database=None)
    @given(scenes())
    def collect(scene: Scene) -> None:
        moves = list(played(scene.rules, scene.happenings))
        reached.update({type(move.step.state.phase).__name__ for move in moves})
        fouls = _fouls(effects_of(moves))
        kinds.update({foul.kind for foul in fouls})
        guilty.append(bool(fouls))

    collect()
    print(f"phases {dict(reached)}, with a foul {sum(guilty)} of {len(guilty)}, {dict(kinds)}")  # noqa: T201
    assert sum(guilty) >= len(guilty) / 5
    assert set(kinds) >= OWN_PRESS
    assert set(reached) == {
        "Idle",
        "Arranging",
        "Turn",
        "Verifying",
        "Paused",
        "Unsynced",
        "Over",
    }


@given(st.booleans(), st.lists(st.sampled_from(Seat), max_size=6))
def test_quick_presses_in_any_order_charge_nobody(holds: bool, order: list[Seat]) -> None:  # noqa: FBT001
    state = Hand("t1", fresh("t1").players, inputs=Inputs(holds=holds))
    for turn, seat in enumerate(order):
        now = Moment(0) + seconds(turn * 4)
        for told in (DiscardPressed(seat), DiscardReleased(seat)):
            done = step(MCR, state, Observed(told, Interval.exactly(now)), now)
            state = done.state
            assert _fouls(done.effects) == []


def _fouls(effects: Iterable[HandEffect]) -> list[FoulSeen]:
    return [effect for effect in effects if isinstance(effect, FoulSeen)]
