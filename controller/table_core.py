"""The whole table as one pure core: hand, machine and docket in step with each other.

The live table loop, the rehearsal and the replay of the journal all drive this one function.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from controller import arming, table_routing
from controller.fair_play import in_doubt, unfair_start
from controller.table_decisions import consequences
from scoring import docket
from scoring.docket import Docket
from scoring.effects import DocketEffect
from scoring.rules import FoulRules
from scoring.stimuli import Charged, HandBegan
from table.alert_commands import EnterFoul
from table.answers import Code, Refused
from table.commands import Ordered, SignalCommand
from table.events import Restarted, Woken
from table.fouls import FoulSeen
from table.moment import Moment
from timing import hand, machine
from timing.effects import HandEnded, HandStarted, TimingEffect, WallBroken
from timing.machine import Machine
from timing.machine_dice import forgotten
from timing.machine_rules import MachineRules
from timing.phases import Hand
from timing.rules import TimeRules, WallRules
from timing.wall import wall_break

Stimulus: TypeAlias = table_routing.Stimulus
Effect: TypeAlias = TimingEffect | DocketEffect
_UNBROKEN = WallBroken(None, None, None)


@dataclass(frozen=True, slots=True)
class TableRules:
    """The rules a table is played under."""

    time: TimeRules
    fouls: FoulRules
    wall: WallRules
    machine: MachineRules = field(default_factory=MachineRules)


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything the core knows of one table."""

    hand: Hand
    machine: Machine
    docket: Docket


@dataclass(frozen=True, slots=True)
class Step:
    """A new state and what follows, in order."""

    state: TableState
    effects: tuple[Effect, ...] = ()

    def then(self, follow: "Callable[[TableState], Step]") -> "Step":
        """Let another step follow on the state reached."""
        following = follow(self.state)
        return Step(following.state, self.effects + following.effects)


def fresh(table: str) -> TableState:
    """Return the state of a table of which nothing is known."""
    return TableState(hand.fresh(table), machine.fresh(), docket.fresh())


def wake_at(rules: TableRules, state: TableState) -> Moment | None:
    """Return the next moment at which time alone changes something.

    Never before the last moment handled, even where a happening told late set it off.
    """
    moments = (
        hand.wake_at(rules.time, state.hand),
        machine.wake_at(rules.machine, state.machine),
        docket.wake_at(state.docket),
    )
    due = min((moment for moment in moments if moment is not None), default=None)
    return None if due is None else max(due, state.hand.last or due)


def step(rules: TableRules, state: TableState, stimulus: Stimulus, now: Moment) -> Step:
    """Let time pass to `now`, then apply one stimulus.

    Total: every stimulus has an answer in every phase; what does not fit is Ignored or Refused.
    With `Restarted` moments start anew: no time passes to it, and `now` may be lower than before.

    Raises:
        ValueError: `now` lies before the last moment handled, which is a bug of the caller.
    """
    if isinstance(stimulus, Restarted):
        return _apply(rules, state, stimulus, now)
    passed = _pass_to(rules, state, now)
    known = passed.state
    refused = (
        _precondition_missed(state, stimulus)
        or arming.refused(known.hand, stimulus)
        or unfair_start(known.hand, known.machine, stimulus)
    )
    if refused is not None:
        still = passed.then(partial(_wake, rules, now))
        return Step(still.state, (*still.effects, refused))
    return passed.then(lambda s: _apply(rules, s, stimulus, now))


def _pass_to(rules: TableRules, state: TableState, now: Moment) -> Step:
    """Let everything happen that is due, each at its moment, so that its order is that of time."""
    passed = Step(state)
    while (due := wake_at(rules, passed.state)) is not None and due <= now:
        passed = passed.then(partial(_wake, rules, due))
    return passed


def _wake(rules: TableRules, due: Moment, state: TableState) -> Step:
    return _apply(rules, state, Woken(), due)


def _apply(rules: TableRules, state: TableState, stimulus: Stimulus, now: Moment) -> Step:
    """Let a stimulus happen, then what rulings make of it and what it says of the wall."""
    happened = _happen(rules, state, stimulus, now)
    ruled = happened.then(partial(_obey_rulings, rules, now))
    told = (*_wall_told(rules, state, ruled.state), *_doubted(state, ruled.state))
    return Step(ruled.state, (*ruled.effects, *told, *_signalled(stimulus)))


def _happen(rules: TableRules, state: TableState, stimulus: Stimulus, now: Moment) -> Step:
    """Give hand, machine and docket their part of one stimulus."""
    played = hand.step(rules.time, state.hand, table_routing.for_hand(stimulus), now)
    for_machine = table_routing.for_machine(rules.wall, stimulus, state.hand)
    moved = machine.step(rules.machine, state.machine, for_machine, now)
    for_docket = table_routing.for_docket(stimulus, state.hand)
    ruled = docket.step(rules.fouls, state.docket, for_docket, now)
    judged = _judge(rules.fouls, ruled.docket, played, now)
    left = forgotten(moved.state) if _ended_by_order(stimulus, played) else moved.state
    return Step(
        TableState(played.state, left, judged.docket),
        (*ruled.effects, *judged.effects, *moved.effects),
    )


def _ended_by_order(stimulus: Stimulus, played: hand.Step) -> bool:
    """Say whether a person ended the hand, so that every throw so far belongs to it.

    Where the next deal shows that a hand is over, the newest throws are the next hand's.
    """
    ordered = isinstance(stimulus, Ordered)
    return ordered and any(isinstance(effect, HandEnded) for effect in played.effects)


def _obey_rulings(rules: TableRules, now: Moment, state: TableState) -> Step:
    """Let the rulings that stand act on the hand."""
    obeyed = Step(state)
    for stimulus in consequences(state.docket, state.hand):
        obeyed = obeyed.then(partial(_play, rules, stimulus, now))
    return obeyed


def _play(rules: TableRules, stimulus: hand.HandStimulus, now: Moment, state: TableState) -> Step:
    played = hand.step(rules.time, state.hand, stimulus, now)
    judged = _judge(rules.fouls, state.docket, played, now)
    return Step(replace(state, hand=played.state, docket=judged.docket), judged.effects)


def broken_wall(rules: TableRules, state: TableState) -> WallBroken:
    """Return where the wall of the running hand is broken, as far as that is known."""
    if not hand.running(state.hand):
        return _UNBROKEN
    return wall_break(rules.wall, state.hand.dealer, state.machine.throws)


def _wall_told(rules: TableRules, before: TableState, after: TableState) -> tuple[Effect, ...]:
    """Tell where the wall is broken when that changes while a hand is dealt or played."""
    broken = broken_wall(rules, after)
    changed = hand.running(after.hand) and broken != broken_wall(rules, before)
    return (broken,) if changed else ()


def _doubted(before: TableState, after: TableState) -> tuple[Effect, ...]:
    """Tell what makes the running hand unfair as it comes, or as the hand begins."""
    known = in_doubt(before.hand, before.machine)
    return tuple(one for one in in_doubt(after.hand, after.machine) if one not in known)


def _signalled(stimulus: Stimulus) -> tuple[Effect, ...]:
    """Let an ordered buzzer or lamp through; nothing at the table depends on it."""
    if isinstance(stimulus, Ordered) and isinstance(stimulus.command, SignalCommand):
        return (stimulus.command,)
    return ()


def _judge(rules: FoulRules, before: Docket, played: hand.Step, now: Moment) -> "_Judged":
    """Put what the hand says on the docket, each happening right before what follows from it."""
    current = before
    effects: list[Effect] = []
    for effect in played.effects:
        effects.append(effect)
        if isinstance(effect, FoulSeen):
            ruled = docket.step(rules, current, _charged(effect, played.state), now)
        elif isinstance(effect, HandStarted):
            ruled = docket.step(rules, current, HandBegan(effect.hand), now)
        else:
            continue
        current = ruled.docket
        effects.extend(ruled.effects)
    return _Judged(current, tuple(effects))


def _charged(foul: FoulSeen, played: Hand) -> Charged:
    return Charged(foul, played.sits(foul.seat), played.players)


@dataclass(frozen=True, slots=True)
class _Judged:
    docket: Docket
    effects: tuple[Effect, ...]


def _precondition_missed(state: TableState, stimulus: Stimulus) -> Refused | None:
    """Refuse an order that rests on a hand or a machine state that has passed, or is not yet."""
    if not isinstance(stimulus, Ordered):
        return None
    wanted = stimulus.precondition
    if wanted.hand is not None and wanted.hand != state.hand.hand:
        now_played = state.hand.hand or "not dealt yet"
        return Refused(
            Code.STALE, f"the order is for hand {wanted.hand}, the table's is {now_played}"
        )
    if wanted.machine_seq is not None and wanted.machine_seq != state.machine.seq:
        return Refused(
            Code.STALE,
            f"the order rests on machine state {wanted.machine_seq},"
            f" the machine has moved on to {state.machine.seq}",
        )
    if isinstance(stimulus.command, EnterFoul) and not state.hand.deals:
        return Refused(Code.WRONG_PHASE, "no hand was dealt yet, so no foul can belong to one")
    return None
