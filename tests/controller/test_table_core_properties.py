"""What holds for every evening at a whole table, whatever happens in it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from hypothesis import Phase, event, given, settings
from hypothesis import strategies as st

from controller.table_core import (
    Effect,
    Stimulus,
    TableRules,
    TableState,
    broken_wall,
    fresh,
    step,
    wake_at,
)
from controller.table_decisions import consequences
from scoring.alert import AlertStatus
from scoring.effects import AlertRaised, AlertRecorded, FoulRecorded
from table.alert_commands import (
    Acknowledge,
    AddNote,
    Confirm,
    EnterFoul,
    Escalate,
    Modify,
    Reverse,
    TakeUp,
    Undo,
    Waive,
)
from table.answers import Code, Ignored, Refused
from table.commands import ALWAYS, Command, EnterDice, Ordered, Precondition
from table.events import LinkDown, LinkUp, Observed, Restarted, TableRebooted, Woken
from table.fouls import FoulKind, FoulSeen, OverrunRecorded, TooClose
from table.moment import MICROSECOND, Interval, Moment, Quality
from table.sanctions import WARNING
from table.seat import Seat
from tests.controller.strategies import (
    FOUND,
    MOTORS,
    SIGNALS,
    Evening,
    evenings,
    fouls,
    played,
    reached,
    told,
)
from tests.harness.core_values import values
from tests.timing.strategies import ALL_EVENTS, ORDERS
from timing.effects import Discarded, WallBroken
from timing.hand import running

SECOND = timedelta(seconds=1)
SITUATIONS = {
    *(
        f"hand {phase}"
        for phase in ("Idle", "Arranging", "Turn", "Verifying", "Paused", "Unsynced", "Over")
    ),
    *(f"machine {phase}" for phase in ("empty", "cycling", "ready", "raised", "fault")),
    # What follows from several rulings of one hand is dropped in tests/scoring.
    *(f"alert {status}" for status in AlertStatus if status is not AlertStatus.DROPPED),
}
TIMED = {FoulKind.DISCARD_OVER_LIMIT, FoulKind.LATE_PUNG, FoulKind.HAND_TOTAL_OVER}


@given(evenings(), st.data())
def test_waking_more_often_changes_neither_state_nor_effects(
    evening: Evening, data: st.DataObject
) -> None:
    once: list[Effect] = []
    often: list[Effect] = []
    state, before = fresh("t1"), evening.happenings[0][0]
    for turn in told(evening):
        if not isinstance(turn.stimulus, Restarted):
            for now in _wakes(evening.rules, state, (before, turn.now), data):
                woken = step(evening.rules, state, Woken(), now)
                state = woken.state
                often.extend(woken.effects)
        taken = step(evening.rules, state, turn.stimulus, turn.now)
        state, before = taken.state, turn.now
        often.extend(taken.effects)
        once.extend(turn.taken.effects)
        assert state == turn.taken.state
    assert often == once


def _wakes(
    rules: TableRules, state: TableState, gap: tuple[Moment, Moment], data: st.DataObject
) -> Iterator[Moment]:
    """Yield moments in a gap: when the table asks to be woken, and any others, some twice."""
    start, end = gap
    length = (end - start) // MICROSECOND
    drawn = data.draw(st.lists(st.integers(0, length), max_size=3))
    due = wake_at(rules, state)
    own = [due] if due is not None and due <= end else []
    yield from sorted([*(start + micros * MICROSECOND for micros in drawn), *own])


@given(evenings())
def test_a_table_asks_to_be_woken_for_something_and_never_in_the_past(evening: Evening) -> None:
    for turn in told(evening):
        due = wake_at(evening.rules, turn.taken.state)
        if due is not None:
            assert due >= turn.now
            woken = step(evening.rules, turn.taken.state, Woken(), due)
            assert woken.effects
            event(f"woken for {type(woken.effects[0]).__name__}")


@given(evenings(), st.data())
def test_every_stimulus_is_answered_in_every_phase(evening: Evening, data: st.DataObject) -> None:
    state, now = told(evening)[-1].taken.state, evening.end + SECOND
    still = step(evening.rules, state, Woken(), now)
    event(f"tried in {type(still.state.hand.phase).__name__}")
    for stimulus in (*_happenings(now), *_any_happening(now, data)):
        taken = step(evening.rules, state, stimulus, now)
        assert _last(taken.state) == {now}
    for order in (*_orders(still.state), *_any_order(data)):
        taken = step(evening.rules, state, order, now)
        answers = taken.effects[len(still.effects) :]
        assert taken.effects[: len(still.effects)] == still.effects
        refusals = [one for one in answers if isinstance(one, Refused)]
        assert answers
        assert not any(isinstance(one, Ignored) for one in answers)
        if refusals:
            assert (len(answers), taken.state) == (1, still.state)


def _last(state: TableState) -> set[Moment | None]:
    return {state.hand.last, state.machine.last, state.docket.last}


def _happenings(now: Moment) -> Iterator[Stimulus]:
    when = Interval.exactly(now, Quality.DEVICE)
    for happened in ALL_EVENTS:
        yield Observed(happened, when)
        yield Observed(happened, when, replayed=True)
    yield from (LinkDown("cut"), LinkUp(holds=True, draws=True, condition=FOUND))
    yield from (LinkUp(holds=False, draws=False), Restarted("restart"), Woken())


def _any_happening(now: Moment, data: st.DataObject) -> Iterator[Stimulus]:
    """Yield events of any content, some of them from the past or from a clock that runs ahead."""
    for _ in range(2):
        earliest = now + data.draw(st.timedeltas(-60 * SECOND, 60 * SECOND))
        latest = earliest + data.draw(st.sampled_from([0, 1, 400_000])) * MICROSECOND
        happened = data.draw(values(Observed)).event
        yield Observed(happened, Interval(earliest, latest, Quality.DEVICE))


def _orders(state: TableState) -> Iterator[Ordered]:
    entries = (EnterFoul(kind, Seat.TWO) for kind in FoulKind)
    for command in (*ORDERS, *MOTORS, *SIGNALS, EnterDice(1, (3, 4)), *entries):
        yield Ordered(command, "referee-1")
        yield Ordered(command, "referee-1", Precondition(state.hand.hand, state.machine.seq))
        yield Ordered(command, "referee-1", Precondition("t9-9"))
    for alert in (*state.docket.alerts.values(), None):
        name, revision = (alert.id, alert.revision) if alert else ("t1-9-f9", 1)
        for ruling in (
            Acknowledge(name, revision),
            Confirm(name, revision),
            Modify(name, revision, WARNING, "rude"),
            Waive(name, revision, "elbow"),
            Reverse(name, revision, "wrong player"),
            Undo(name, revision),
            TakeUp(name, revision, Seat.ONE),
            Escalate(name, revision, "collusion?"),
            AddNote(name, "seen by two"),
            Confirm(name, revision - 1),
        ):
            yield Ordered(ruling, "referee-1")


def _any_order(data: st.DataObject) -> Iterator[Ordered]:
    for _ in range(3):
        command = data.draw(values(Command))
        precondition = data.draw(st.just(ALWAYS) | values(Precondition))
        yield Ordered(command, data.draw(st.text(max_size=5)), precondition)


@given(evenings())
def test_an_order_that_rests_on_what_has_passed_changes_nothing_but_time(evening: Evening) -> None:
    now = evening.end + SECOND
    still = step(evening.rules, evening.state, Woken(), now)
    stale = (Precondition("t1-9"), Precondition(machine_seq=evening.state.machine.seq + 1))
    for order in _orders(evening.state):
        for precondition in stale:
            taken = step(
                evening.rules, evening.state, replace(order, precondition=precondition), now
            )
            assert taken.state == still.state
            assert taken.effects[:-1] == still.effects
            refused = taken.effects[-1]
            assert isinstance(refused, Refused)
            assert refused.code is Code.STALE


@given(evenings())
def test_an_implied_discard_is_charged_to_nobody(evening: Evening) -> None:
    turns = told(evening)
    for turn in turns:
        implied = {
            one.seat for one in turn.taken.effects if isinstance(one, Discarded) and one.implied
        }
        for foul in fouls([turn]):
            assert foul.ended is None or foul.ended.quality is not Quality.IMPLIED
            assert foul.kind is FoulKind.LATE_PUNG or foul.seat not in implied


@given(evenings())
def test_what_is_told_after_an_outage_charges_nobody(evening: Evening) -> None:
    for turn in told(evening):
        if isinstance(turn.stimulus, Observed) and turn.stimulus.replayed:
            assert fouls([turn]) == []
    late = [(now, _replayed(stimulus)) for now, stimulus in evening.happenings]
    for turn in played(evening.rules, late):
        assert not any(_charges(one) for one in turn.taken.effects)


def _charges(effect: Effect) -> bool:
    """Say whether an effect says that the table saw somebody be too slow."""
    if isinstance(effect, AlertRaised | AlertRecorded):
        return not effect.alert.foul.entered_by and not effect.alert.rests_on
    return isinstance(effect, FoulSeen | OverrunRecorded | TooClose)


def _replayed(stimulus: Stimulus) -> Stimulus:
    return replace(stimulus, replayed=True) if isinstance(stimulus, Observed) else stimulus


@given(evenings())
def test_what_began_before_an_outage_or_a_restart_is_charged_to_nobody(evening: Evening) -> None:
    turns = told(evening)
    since: Moment | None = None
    for turn in turns:
        if _loses_step(turn.stimulus):
            since = turn.now
            assert fouls([turn]) == []
        for foul in fouls([turn]):
            assert since is None or (foul.started and foul.started.latest >= since)
    event(f"lost step: {since is not None}")


def _loses_step(stimulus: Stimulus) -> bool:
    rebooted = isinstance(stimulus, Observed) and isinstance(stimulus.event, TableRebooted)
    return rebooted or isinstance(stimulus, LinkDown | Restarted)


@given(evenings())
def test_every_foul_is_put_on_the_docket_once_or_kept_for_the_record(evening: Evening) -> None:
    turns = told(evening)
    seen = fouls(turns)
    assert len({foul.id for foul in seen}) == len(seen)
    recorded = {
        one.foul.id for turn in turns for one in turn.taken.effects if isinstance(one, FoulRecorded)
    }
    alerts = evening.state.docket.alerts.values()
    sensed = {
        one.id
        for one in alerts
        if not one.foul.entered_by and one.foul.kind is not FoulKind.OVERTIME_SUM
    }
    assert {foul.id for foul in seen} == sensed | recorded
    assert not sensed & recorded


@given(evenings())
def test_what_the_rulings_forbid_is_what_the_hand_forbids(evening: Evening) -> None:
    for turn in told(evening):
        state = turn.taken.state
        assert not [*consequences(state.docket, state.hand)]
        for seat, restriction in state.hand.restrictions.items():
            event(f"restricted: {bool(restriction)}")
            assert not restriction or state.hand.players[seat]


@given(evenings())
def test_where_the_wall_is_broken_is_told_whenever_it_changes(evening: Evening) -> None:
    known: WallBroken | None = WallBroken(None, None, None)
    for turn in told(evening):
        for effect in turn.taken.effects:
            known = effect if isinstance(effect, WallBroken) else known
        if running(turn.taken.state.hand):
            assert broken_wall(evening.rules, turn.taken.state) == known
        else:
            known = WallBroken(None, None, None)


def test_a_fifth_of_the_examples_holds_a_foul_and_every_situation_is_reached() -> None:
    situations: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    guilty: list[bool] = []

    @settings(max_examples=120, phases=[Phase.generate], derandomize=True, database=None)
    @given(evenings())
    def collect(evening: Evening) -> None:
        turns = told(evening)
        situations.update(reached(turns))
        kinds.update({foul.kind for foul in fouls(turns)})
        guilty.append(bool(fouls(turns)))

    collect()
    print(f"{dict(situations)}, with a foul {sum(guilty)} of {len(guilty)}, {dict(kinds)}")  # noqa: T201
    assert sum(guilty) >= len(guilty) / 5
    assert set(kinds) >= TIMED
    assert set(situations) >= SITUATIONS
