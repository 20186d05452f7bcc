"""Which step every alert has: the standing ones their place, the others the next.

A ruling was made at a step. While its alert has that step it rests on what it rested on; at any
other step it is marked, to be looked at again, and the mark goes when the step comes back.
"""

from dataclasses import replace

from scoring.alert import STANDING, WAITING, Alert
from scoring.case_list import Docket, Step
from scoring.effects import AlertChanged, AlertMarked
from scoring.ladder import proposed
from scoring.rules import FoulRules, Scope
from table.fouls import FoulKind


def settled(rules: FoulRules, docket: Docket, alert: Alert) -> Alert:
    """Return a new or changed alert with the step that the others on the docket leave it."""
    orders = [_order(one) for one in _alike(rules, docket, alert) if _counts(one, alert)]
    stands = alert.status in STANDING
    place = sum(order < _order(alert) for order in orders) if stands else len(orders)
    return _placed(rules, alert, place + 1)


def followed(rules: FoulRules, made: Step, alert: Alert) -> Step:
    """Give every other alert that counts together with a changed one its step."""
    alike = _alike(rules, made.docket, alert)
    standing = sorted((one for one in alike if one.status in STANDING), key=_order)
    for place, one in enumerate(standing, start=1):
        made = _moved(rules, made, one, place)
    for one in (one for one in alike if one.status in WAITING):
        made = _moved(rules, made, one, len(standing) + 1)
    return made


def _alike(rules: FoulRules, docket: Docket, alert: Alert) -> tuple[Alert, ...]:
    ladder = rules.ladders.get(alert.foul.kind)
    return tuple(docket.alike(alert, ladder.scope if ladder else Scope.HAND))


def _counts(one: Alert, alert: Alert) -> bool:
    return one.status in STANDING and one.id != alert.id


def _order(alert: Alert) -> int:
    return alert.rulings[-1].order


def _moved(rules: FoulRules, made: Step, alert: Alert, place: int) -> Step:
    placed = _placed(rules, alert, place)
    if placed == alert:
        return made
    moved = replace(placed, revision=alert.revision + 1)
    return made.then(moved, AlertMarked(moved) if moved.marked else AlertChanged(moved))


def _placed(rules: FoulRules, alert: Alert, place: int) -> Alert:
    groundless = alert.foul.kind is FoulKind.OVERTIME_SUM and not alert.rests_on
    step = 0 if groundless else place
    marked = alert.status in STANDING and step != alert.rulings[-1].step
    placed = replace(alert, step=step, marked=marked)
    ladder = rules.ladders.get(alert.foul.kind)
    if ladder is None or groundless or step == alert.step:
        return placed
    return replace(placed, proposal=proposed(ladder, step, alert.foul), rule=ladder.rule)
