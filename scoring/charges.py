"""From a foul, seen or entered, to the alert; and to what is past when the next hand begins."""

from dataclasses import replace

from scoring.alert import Alert, AlertStatus
from scoring.bench import Bench
from scoring.case_list import Docket, Step
from scoring.effects import AlertLapsed, AlertRaised, AlertRecorded, FoulRecorded
from scoring.recount import settled
from scoring.rules import AlertPolicy, FoulRules, Ladder
from scoring.rulings import kept, lapsed
from scoring.stimuli import Charged, Entered
from table.answers import Code, Ignored, Refused
from table.fouls import FoulKind, FoulSeen
from table.moment import ZERO
from table.sanctions import CHOICE


def charged(rules: FoulRules, docket: Docket, charge: Charged) -> Step:
    """Put a foul that was seen before the referee, or record it, as the policy has it."""
    foul = charge.foul
    if foul.id in docket.alerts:
        return Step(docket, (Ignored(f"foul {foul.id} is on the docket already"),))
    ladder = rules.ladders.get(foul.kind)
    if ladder is None or ladder.policy is AlertPolicy.RECORD_ONLY:
        return Step(docket, (FoulRecorded(foul, charge.player),))
    new = Alert(foul, charge.player, 0, CHOICE, ladder.rule, players=charge.players)
    if _waits_for_objection(ladder, foul):
        recorded = settled(rules, docket, replace(new, status=AlertStatus.UNCLAIMED))
        return Step(docket).then(recorded, AlertRecorded(recorded))
    alert = settled(rules, docket, new)
    return Step(docket).then(alert, AlertRaised(alert))


def entered(rules: FoulRules, docket: Docket, entry: Entered, bench: Bench) -> Step:
    """Make an alert of a foul that a referee saw, kept for that referee whatever the policy."""
    refused = _no_entry(rules, entry)
    if refused is not None:
        return Step(docket, (refused,))
    ladder, command, hand = rules.ladders[entry.command.kind], entry.command, entry.hand
    number = 1 + sum(bool(one.foul.entered_by) for one in docket.of_hand(hand))
    foul = FoulSeen(
        id=f"{hand}-r{number}",
        kind=command.kind,
        seat=command.seat,
        hand=hand,
        measured=None,
        limit=None,
        rule=ladder.rule,
        started=None,
        ended=None,
        entered_by=entry.person,
        remark=command.remark,
    )
    new = Alert(foul, entry.player, 0, CHOICE, ladder.rule, players=entry.players)
    taken = kept(replace(new, status=AlertStatus.ACKNOWLEDGED), bench)
    alert = settled(rules, docket, taken)
    return Step(docket).then(alert, AlertRaised(alert))


def past(rules: FoulRules, docket: Docket, hand: str) -> Step:
    """Let what nobody took lapse, now that the next hand is under way: no late claims.

    What a referee entered, ruled on or put before the chief was taken, and is not lost.
    """
    passed = Step(docket)
    for name in (*docket.undecided, *docket.unclaimed):
        alert = docket.alerts[name]
        ladder = rules.ladders.get(alert.foul.kind)
        free = alert.status in {AlertStatus.OPEN, AlertStatus.UNCLAIMED} and not _taken(alert)
        if free and alert.foul.hand != hand and ladder is not None and ladder.lapses:
            passed = passed.then(gone := lapsed(alert), AlertLapsed(gone))
    return passed


def _taken(alert: Alert) -> bool:
    return bool(alert.rulings or alert.escalated or alert.foul.entered_by)


def _waits_for_objection(ladder: Ladder, foul: FoulSeen) -> bool:
    within = foul.measured is not None and ZERO < foul.excess <= ladder.margin
    return ladder.policy is AlertPolicy.ON_CLAIM or within


def _no_entry(rules: FoulRules, entry: Entered) -> Refused | None:
    kind = entry.command.kind
    if not entry.hand:
        return Refused(Code.WRONG_PHASE, f"no hand was dealt yet in which {kind} could be entered")
    if kind is FoulKind.OVERTIME_SUM:
        return Refused(Code.BAD_VALUE, f"kind is {kind}, which follows from rulings by itself")
    if kind not in rules.ladders:
        known = ", ".join(sorted(set(rules.ladders) - {FoulKind.OVERTIME_SUM}))
        return Refused(Code.BAD_VALUE, f"kind is {kind}, but {rules.name} has only {known}")
    return None
