"""Overtime that costs a player so much in one hand that the sum is a foul of its own."""

from dataclasses import replace

from scoring.alert import STANDING, WAITING, Alert, AlertStatus
from scoring.case_list import Docket, Step
from scoring.effects import AlertChanged, AlertDropped, AlertMarked, AlertRaised, AlertRecorded
from scoring.payments import cost
from scoring.recount import settled
from scoring.rules import AlertPolicy, FoulRules, SumRule
from scoring.rulings import dropped
from table.fouls import FoulKind, FoulSeen
from table.sanctions import CHOICE


def summed(rules: FoulRules, made: Step, alert: Alert) -> Step:
    """Let the sum of the player's hand follow a ruling on one of its overtimes, or on itself.

    Rule: more than 80 points for overtime in one hand (wsom-2010 打牌时限 §7).
    """
    rule, kind = rules.overtime_sum, alert.foul.kind
    if rule is None or kind not in rule.kinds | {FoulKind.OVERTIME_SUM}:
        return made
    over = _over(rule, made.docket, alert)
    for one in _sums(made.docket, alert):
        if one.status in WAITING | STANDING and one.rests_on != over:
            made = _resting_on(rules, made, one, over)
    if over and not any(map(_answers, _sums(made.docket, alert))):
        return _raised(rules, rule, made, replace(alert, rests_on=over))
    return made


def _over(rule: SumRule, docket: Docket, alert: Alert) -> tuple[str, ...]:
    """Return the overtimes that cost too much together; empty where they do not."""
    overtimes = [
        one
        for one in docket.of_hand(alert.foul.hand)
        if one.player == alert.player and one.foul.kind in rule.kinds and one.status in STANDING
    ]
    return tuple(one.id for one in overtimes) if sum(map(cost, overtimes)) > rule.above else ()


def _sums(docket: Docket, alert: Alert) -> tuple[Alert, ...]:
    return tuple(
        one
        for one in docket.of_hand(alert.foul.hand)
        if one.player == alert.player and one.foul.kind is FoulKind.OVERTIME_SUM
    )


def _answers(one: Alert) -> bool:
    """Say whether this sum is before a referee, or was decided while it was too much."""
    return one.status is not AlertStatus.DROPPED and bool(one.rests_on)


def _resting_on(rules: FoulRules, made: Step, one: Alert, over: tuple[str, ...]) -> Step:
    """Let a sum that waits or stands follow what it rests on now."""
    if not over and one.status in WAITING:
        gone = dropped(one)
        return made.then(gone, AlertDropped(gone))
    changed = replace(one, rests_on=over, revision=one.revision + 1)
    after = settled(rules, made.docket, changed)
    return made.then(after, AlertMarked(after) if after.marked else AlertChanged(after))


def _raised(rules: FoulRules, rule: SumRule, made: Step, cause: Alert) -> Step:
    """Put the sum before the referee, as the policy of its kind has it."""
    ladder = rules.ladders.get(FoulKind.OVERTIME_SUM)
    policy = ladder.policy if ladder else AlertPolicy.AUTO
    if policy is AlertPolicy.RECORD_ONLY:
        return made
    alert = Alert(
        foul=_foul(rule, made.docket, cause),
        player=cause.player,
        step=0,
        proposal=CHOICE,
        rule=rule.rule,
        status=AlertStatus.UNCLAIMED if policy is AlertPolicy.ON_CLAIM else AlertStatus.OPEN,
        players=cause.players,
        rests_on=cause.rests_on,
    )
    new = settled(rules, made.docket, alert)
    unclaimed = new.status is AlertStatus.UNCLAIMED
    return made.then(new, AlertRecorded(new) if unclaimed else AlertRaised(new))


def _foul(rule: SumRule, docket: Docket, cause: Alert) -> FoulSeen:
    kind, hand = FoulKind.OVERTIME_SUM, cause.foul.hand
    number = 1 + sum(one.foul.kind is kind for one in docket.of_hand(hand))
    name = f"{hand}-s{number}"
    return FoulSeen(name, kind, cause.foul.seat, hand, None, None, rule.rule, None, None)
