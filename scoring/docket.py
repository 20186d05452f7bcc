"""The docket: every alert of a table, from the foul to the ruling that stands or does not.

An alert is open, acknowledged for a time, then confirmed, modified, waived or lapsed; what was
confirmed or modified may be reversed. Only rulings that stand are steps of the ladder: the next
step of a player, kind and hand is their number plus one (mcr-2014 art. 11, 一盘之内).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from scoring.alert import STANDING, UNDECIDED, Alert, AlertStatus
from scoring.effects import (
    AlertChanged,
    AlertLapsed,
    AlertMarked,
    AlertRaised,
    DocketEffect,
    FoulRecorded,
    RulingMade,
)
from scoring.ladder import imposable, rung
from scoring.rules import AlertPolicy, FoulRules
from scoring.rulings import Bench, lapsed, released, ruled
from scoring.stimuli import Charged, DocketStimulus, Entered, HandBegan
from table.answers import Code, Ignored, Refused
from table.commands import Acknowledge, Confirm, Modify, Ordered, Reverse, Waive
from table.events import Restarted, Woken
from table.fouls import FoulKind
from table.moment import Moment
from table.sanctions import WARNING, Sanction


__all__ = [
    "Charged",
    "Docket",
    "DocketStimulus",
    "Entered",
    "HandBegan",
    "fresh",
    "step",
    "wake_at",
]
"""The whole interface of the docket; what belongs to one alert is in its own modules."""

Count: TypeAlias = tuple[str, FoulKind, str]
"""What repeats are counted by: player, kind of foul and hand."""


def count_of(alert: Alert) -> Count:
    """Return what repeats of this alert's foul are counted by."""
    return alert.player, alert.foul.kind, alert.foul.hand


@dataclass(frozen=True, slots=True)
class Docket:
    """The alerts of one table."""

    alerts: dict[str, Alert]
    """By id, in the order they were raised; never changed in place."""
    undecided: tuple[str, ...] = ()
    """Those before the referee, in the order they were raised."""
    standing: tuple[str, ...] = ()
    """Those whose ruling is a step, in the order they were first ruled on."""
    last: Moment | None = None
    """The last moment handled."""

    @property
    def before_the_referee(self) -> tuple[Alert, ...]:
        """What waits for a ruling: undecided alerts, and rulings to be looked at again."""
        undecided = (self.alerts[one] for one in self.undecided)
        standing = (self.alerts[one] for one in self.standing)
        return (*undecided, *(alert for alert in standing if alert.marked))

    def with_alert(self, alert: Alert) -> "Docket":
        """Return the docket with one alert new or changed."""
        alerts = self.alerts | {alert.id: alert}
        undecided = _listed(self.undecided, alert.id, listed=alert.status in UNDECIDED)
        standing = _listed(self.standing, alert.id, listed=alert.status in STANDING)
        return Docket(alerts, undecided, standing, self.last)

    def counted(self, ids: Iterable[str], count: Count) -> tuple[Alert, ...]:
        """Return those of the named alerts that count together."""
        alerts = (self.alerts[one] for one in ids)
        return tuple(alert for alert in alerts if count_of(alert) == count)


@dataclass(frozen=True, slots=True)
class Step:
    """A new docket and what follows, in order."""

    docket: Docket
    effects: tuple[DocketEffect, ...] = ()

    def then(self, alert: Alert, effect: DocketEffect) -> "Step":
        """Return the step with one more alert changed and one more effect."""
        return Step(self.docket.with_alert(alert), (*self.effects, effect))


def fresh() -> Docket:
    """Return the docket of a table that has seen no foul."""
    return Docket({})


def wake_at(docket: Docket) -> Moment | None:
    """Return the moment at which the next lease ends."""
    return min((ends for _, ends in _leases(docket)), default=None)


def step(rules: FoulRules, docket: Docket, stimulus: DocketStimulus, now: Moment) -> Step:
    """Let leases end that end by `now`, then apply one stimulus.

    Total: every stimulus has an answer for every alert; what does not fit is Ignored or Refused.
    After a restart `now` may be any moment, as the clock's origin is another.

    Raises:
        ValueError: `now` lies before the last moment handled, which is a bug of the caller.
    """
    leases = _leases(docket)
    if not isinstance(stimulus, Restarted):
        if docket.last is not None and now < docket.last:
            msg = f"{now} lies before {docket.last}"
            raise ValueError(msg)
        leases = [lease for lease in leases if lease[1] <= now]
    passed = _release(replace(docket, last=now), [alert for alert, _ in leases])
    applied = _apply(rules, passed.docket, stimulus, now)
    return Step(applied.docket, passed.effects + applied.effects)


def _apply(rules: FoulRules, docket: Docket, stimulus: DocketStimulus, now: Moment) -> Step:
    match stimulus:
        case Charged():
            return _charge(rules, docket, stimulus)
        case Entered():
            return Step(docket, (Refused(Code.BAD_VALUE, f"{rules.name} has no ladder"),))
        case HandBegan():
            return _lapse(rules, docket, stimulus.hand)
        case Ordered():
            return _order(rules, docket, stimulus, now)
        case Restarted() | Woken():
            return Step(docket)
        case _:
            assert_never(stimulus)


def _charge(rules: FoulRules, docket: Docket, charge: Charged) -> Step:
    foul, player = charge.foul, charge.player
    if foul.id in docket.alerts:
        return Step(docket, (Ignored(f"foul {foul.id} is on the docket already"),))
    ladder = rules.ladders.get(foul.kind)
    if ladder is None or ladder.policy is AlertPolicy.RECORD_ONLY:
        return Step(docket, (FoulRecorded(foul, player),))
    number = len(docket.counted(docket.standing, (player, foul.kind, foul.hand))) + 1
    alert = Alert(foul, player, number, rung(ladder, number), ladder.rule)
    return Step(docket).then(alert, AlertRaised(alert))


def _lapse(rules: FoulRules, docket: Docket, hand: str) -> Step:
    passed = Step(docket)
    for alert in (docket.alerts[one] for one in docket.undecided):
        ladder = rules.ladders.get(alert.foul.kind)
        past = alert.status is AlertStatus.OPEN and alert.foul.hand != hand
        if past and ladder is not None and ladder.lapses:
            passed = passed.then(gone := lapsed(alert), AlertLapsed(gone))
    return passed


def _order(rules: FoulRules, docket: Docket, order: Ordered, now: Moment) -> Step:
    command = order.command
    if not isinstance(command, Acknowledge | Confirm | Modify | Waive | Reverse):
        return Step(docket, (Ignored("the order is no ruling"),))
    alert = docket.alerts.get(command.alert)
    if alert is None:
        return Step(docket, (Refused(Code.UNKNOWN_ALERT, f"there is no alert {command.alert}"),))
    after = ruled(alert, command, Bench(order.person, now + rules.lease, _imposable(rules, alert)))
    if isinstance(after, Refused):
        return Step(docket, (after,))
    if isinstance(command, Acknowledge):
        return Step(docket).then(after, AlertChanged(after))
    return _recount(rules, Step(docket).then(after, RulingMade(after)), count_of(after))


def _recount(rules: FoulRules, made: Step, count: Count) -> Step:
    """Give every alert that counts together the step that the standing ones leave it."""
    standing = made.docket.counted(made.docket.standing, count)
    for number, alert in enumerate(standing, start=1):
        if alert.step != number:
            marked = replace(_proposed(rules, alert, number), marked=True)
            made = made.then(marked, AlertMarked(marked))
    for alert in made.docket.counted(made.docket.undecided, count):
        if alert.step != len(standing) + 1:
            changed = _proposed(rules, alert, len(standing) + 1)
            made = made.then(changed, AlertChanged(changed))
    return made


def _proposed(rules: FoulRules, alert: Alert, number: int) -> Alert:
    ladder = rules.ladders.get(alert.foul.kind)
    stepped = replace(alert, step=number, revision=alert.revision + 1)
    return replace(stepped, proposal=rung(ladder, number), rule=ladder.rule) if ladder else stepped


def _imposable(rules: FoulRules, alert: Alert) -> tuple[Sanction, ...]:
    ladder = rules.ladders.get(alert.foul.kind)
    return imposable(ladder) if ladder else (WARNING, alert.proposal)


def _leases(docket: Docket) -> list[tuple[Alert, Moment]]:
    """Return what is kept for a referee, in the order in which the leases end."""
    undecided = (docket.alerts[one] for one in docket.undecided)
    leases = [(alert, ends) for alert in undecided if (ends := alert.lease_ends) is not None]
    return sorted(leases, key=lambda lease: lease[1])


def _release(docket: Docket, alerts: list[Alert]) -> Step:
    made = Step(docket)
    for alert in alerts:
        made = made.then(free := released(alert), AlertChanged(free))
    return made


def _listed(ids: tuple[str, ...], one: str, *, listed: bool) -> tuple[str, ...]:
    """Return the list with or without one id; an id already listed keeps its place."""
    if listed:
        return ids if one in ids else (*ids, one)
    return tuple(other for other in ids if other != one)
