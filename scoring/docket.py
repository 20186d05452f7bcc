"""The docket: every alert of a table, from the foul to the ruling that stands or does not.

An alert is recorded until somebody objects, or open at once, acknowledged for a time, then
confirmed, modified, waived or lapsed; what was ruled may be reversed or undone. Only rulings that
stand are steps of the ladder: the next step of a player and kind is their number in the hand, or
in the session, plus one (mcr-2014 art. 11, 一盘之内).
"""

from dataclasses import replace
from typing import assert_never, get_args

from scoring.alert import Alert
from scoring.bench import Bench
from scoring.case_list import Docket, Step
from scoring.charges import charged, entered, past
from scoring.effects import AlertChanged, AlertRaised, RulingMade
from scoring.recount import followed, settled
from scoring.rules import FoulRules
from scoring.rulings import released, ruled
from scoring.stimuli import Charged, DocketStimulus, Entered, HandBegan
from scoring.sums import summed
from table.alert_commands import Acknowledge, AddNote, AlertCommand, Escalate, TakeUp
from table.answers import Code, Ignored, Refused
from table.commands import Ordered
from table.events import Restarted, Woken
from table.moment import Moment

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


def fresh() -> Docket:
    """Return the docket of a table that has seen no foul."""
    return Docket({})


def wake_at(docket: Docket) -> Moment | None:
    """Return the moment at which the next lease ends."""
    return min((ends for _, ends in _leases(docket)), default=None)


def step(rules: FoulRules, docket: Docket, stimulus: DocketStimulus, now: Moment) -> Step:
    """Let leases end that end by `now`, then apply one stimulus.

    Total: every stimulus has an answer for every alert; what does not fit is Ignored or Refused,
    and then nothing is changed. `alerts` is the same object where no alert was changed.
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
            return charged(rules, docket, stimulus)
        case Entered(person=person):
            return entered(rules, docket, stimulus, _bench(rules, docket, person, now))
        case HandBegan():
            return past(rules, docket, stimulus.hand)
        case Ordered():
            return _order(rules, docket, stimulus, now)
        case Restarted() | Woken():
            return Step(docket)
        case _:
            assert_never(stimulus)


def _bench(rules: FoulRules, docket: Docket, person: str, now: Moment) -> Bench:
    return Bench(rules, person, now + rules.lease, docket.ruled + 1)


def _order(rules: FoulRules, docket: Docket, order: Ordered, now: Moment) -> Step:
    command = order.command
    if not isinstance(command, get_args(AlertCommand)):
        return Step(docket, (Ignored("the order is about no alert"),))
    alert = docket.alerts.get(command.alert)
    if alert is None:
        return Step(docket, (Refused(Code.UNKNOWN_ALERT, f"there is no alert {command.alert}"),))
    after = ruled(alert, command, _bench(rules, docket, order.person, now))
    if isinstance(after, Refused):
        return Step(docket, (after,))
    match command:
        case Acknowledge() | Escalate() | AddNote():
            return Step(docket).then(after, AlertChanged(after))
        case TakeUp():
            return Step(docket).then(after, AlertRaised(after))
        case _:
            return _decided(rules, docket, after)


def _decided(rules: FoulRules, docket: Docket, alert: Alert) -> Step:
    """Put a ruling down and let follow what it does to the others."""
    after = settled(rules, docket, alert)
    made = followed(rules, Step(docket).then(after, RulingMade(after)), after)
    return summed(rules, made, after)


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
