"""Which records of the journal an alert rests on: what began and ended it, what was ruled; pure.

A record's number is known once it is durable, so this follows the journal and not the table. What
a table saw is remembered for the hand that is played, what an alert rests on for ever.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from controller.table_core import Effect, Stimulus
from scoring.alert import Alert
from scoring.effects import AlertRaised, AlertRecorded, RulingMade
from table.answers import Ignored, Refused
from table.events import DiscardReleased, Observed, Restarted
from table.fouls import FoulSeen
from table.moment import Interval, Moment
from timing.effects import HandEnded, HandStarted

THIS_RECORD = 0
"""Stands for a record whose number is not known yet."""


@dataclass(frozen=True, slots=True)
class Seen:
    """When something happened that changed the table, and the number of its record."""

    when: Interval
    record: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a table's records."""

    hand: tuple[Seen, ...] = ()
    """Everything that changed the present hand, in the order of its records."""
    records: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """By alert, in ascending order; never changed in place."""

    def after(
        self, stimulus: Stimulus, effects: tuple[Effect, ...], moment: Moment, record: int
    ) -> "Evidence":
        """Return what is known once a stimulus and what followed from it is a durable record."""
        hand = () if isinstance(stimulus, Restarted) else self.hand
        if any(not isinstance(one, Ignored | Refused) for one in effects):
            hand = (*hand, *_seen(stimulus, moment, record))
        records = self.records
        for alert in _touched(effects):
            known = (*records.get(alert.id, _found(hand, alert.foul)), record)
            records = records | {alert.id: tuple(sorted(set(known)))}
        if any(isinstance(one, HandStarted | HandEnded) for one in effects):
            hand = tuple(one for one in hand if one.record == record)
        return replace(self, hand=hand, records=records)

    def placed(self, record: int) -> "Evidence":
        """Return the evidence with the number of what was `THIS_RECORD` filled in."""

        def number(one: int) -> int:
            return record if one == THIS_RECORD else one

        hand = tuple(Seen(one.when, number(one.record)) for one in self.hand)
        records = {
            alert: tuple(sorted(map(number, known))) for alert, known in self.records.items()
        }
        return Evidence(hand, records)


def _seen(stimulus: Stimulus, moment: Moment, record: int) -> Iterator[Seen]:
    """Say when a stimulus happened; a release only settles what its press began."""
    match stimulus:
        case Observed(event=DiscardReleased()):
            return
        case Observed(when=when):
            yield Seen(when, record)
        case _:
            yield Seen(Interval.exactly(moment), record)


def _touched(effects: Iterable[Effect]) -> Iterator[Alert]:
    """Yield the alerts that came up or were ruled on."""
    for effect in effects:
        if isinstance(effect, AlertRecorded | AlertRaised | RulingMade):
            yield effect.alert


def _found(hand: tuple[Seen, ...], foul: FoulSeen) -> tuple[int, ...]:
    """Find the records that gave a foul its start and its end."""
    ends = (one for one in (foul.started, foul.ended) if one is not None)
    found = (_record(hand, when) for when in ends)
    return tuple(one for one in found if one is not None)


def _record(hand: tuple[Seen, ...], when: Interval) -> int | None:
    """Find the record of just this interval, or else the newest before it, which led to it.

    A window that closed or an opening that ended is no record; what opened it is.
    """
    exact = (one.record for one in hand if one.when == when)
    before = (one.record for one in reversed(hand) if one.when.latest <= when.latest)
    return next(exact, next(before, None))
