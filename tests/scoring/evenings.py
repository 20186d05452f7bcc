"""Whole evenings at one table, drawn at random: fouls, hands, restarts and what referees do."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from hypothesis import event
from hypothesis import strategies as st

from scoring import docket
from scoring.alert import STANDING, UNDECIDED, Alert, AlertStatus
from scoring.docket import Entered, HandBegan
from scoring.rules import FoulRules
from table.alert_commands import (
    Acknowledge,
    AddNote,
    AlertCommand,
    Confirm,
    EnterFoul,
    Escalate,
    Modify,
    Reverse,
    TakeUp,
    Undo,
    Waive,
)
from table.commands import Ordered
from table.events import Restarted, Woken
from table.fouls import FoulKind
from table.moment import Moment
from table.sanctions import WARNING, Sanction, pay_each, points
from table.seat import Seat
from tests.scoring.cases import (
    BOOKS,
    CHEATED,
    LATE,
    OUT,
    PLAYERS,
    SECOND,
    SLOW,
    SUM,
    Table,
    charge,
    foul,
    seat_of,
    to_player,
)

GAPS = st.sampled_from([0, 0, 1, 1_000_000, 1_000_000, 30_000_000, 59_999_999, 60_000_000])
PEOPLE = st.sampled_from(["referee-1", "referee-1", "referee-2", "chief"])
SANCTIONS = st.sampled_from(
    [WARNING, points(5), points(7), points(60), pay_each(10), to_player(10, "dan"), OUT]
)
RULES = st.sampled_from(list(BOOKS.values()))


@dataclass(frozen=True)
class Charge:
    player: str
    kind: FoulKind
    over: timedelta


@dataclass(frozen=True)
class Entry:
    player: str
    kind: FoulKind
    person: str


@dataclass(frozen=True)
class Order:
    verb: type[AlertCommand]
    among: frozenset[AlertStatus]
    """What kind of alert the referee looks for; if there is none, any."""
    which: int
    """Counted from the alert raised last back, or from the first on where it is negative."""
    behind: int
    """How far the revision named lies behind."""
    person: str
    sanction: Sanction
    reason: str

    def command(self, alert: Alert) -> AlertCommand:
        return command(self.verb, alert, self.sanction, self.reason, self.behind)


def command(
    verb: type[AlertCommand], alert: Alert, sanction: Sanction, reason: str, behind: int = 0
) -> AlertCommand:
    """Return an order about an alert."""
    name, revision = alert.id, alert.revision - behind
    if verb is Modify:
        return Modify(name, revision, sanction, reason)
    if verb is AddNote:
        return AddNote(name, reason)
    if verb is TakeUp:
        return TakeUp(name, revision, Seat.ONE)
    if verb in (Waive, Reverse, Escalate):
        return verb(name, revision, reason)
    return verb(name, revision)  # type: ignore[call-arg,arg-type]  # the rest do not


@dataclass(frozen=True)
class NextHand:
    pass


@dataclass(frozen=True)
class Restart:
    pass


@dataclass(frozen=True)
class Wake:
    pass


Deed = Charge | Entry | Order | NextHand | Restart | Wake
Evening = list[tuple[int, Deed]]
VERBS: list[type[AlertCommand]] = [
    Acknowledge, Confirm, Modify, Waive, Reverse, Undo, TakeUp, Escalate, AddNote,
]  # fmt: skip
COMMON = {
    "which": st.sampled_from([0, 0, 1, -1, -1, -2]),
    "behind": st.sampled_from([0, 0, 0, 0, 1]),
    "person": PEOPLE,
    "sanction": SANCTIONS,
    "reason": st.sampled_from(["rude", "rude", "rude", ""]),
}
FIRST = st.sampled_from([Acknowledge, Confirm, Confirm, Modify, Waive, Escalate])
AGAIN = st.sampled_from([Reverse, Reverse, Undo, Confirm, Modify, Waive])
DECIDED = STANDING | {AlertStatus.REVERSED, AlertStatus.WAIVED}
ORDERS = st.one_of(
    st.builds(Order, st.just(Confirm), st.just(UNDECIDED), **COMMON),
    st.builds(Order, FIRST, st.just(UNDECIDED), **COMMON),
    st.builds(Order, AGAIN, st.just(DECIDED), **COMMON),
    st.builds(Order, st.just(TakeUp), st.just(frozenset({AlertStatus.UNCLAIMED})), **COMMON),
    st.builds(Order, st.sampled_from(VERBS), st.just(frozenset(AlertStatus)), **COMMON),
)
ANYBODY = st.sampled_from(["ann"] * 5 + ["bob"])
CHARGES = st.builds(
    Charge,
    ANYBODY,
    st.sampled_from([LATE, LATE, SLOW, SLOW, FoulKind.EARLY_DRAW]),
    st.sampled_from([SECOND / 100, SECOND, 20 * SECOND, 200 * SECOND]),
)
ENTRIES = st.builds(Entry, ANYBODY, st.sampled_from([LATE, CHEATED, SUM]), PEOPLE)
REST = st.sampled_from([NextHand(), Restart(), Wake(), Wake()])
DEEDS = st.one_of(CHARGES, CHARGES, ENTRIES, ORDERS, ORDERS, ORDERS, ORDERS, REST)
EVENINGS = st.one_of(
    st.lists(st.tuples(GAPS, DEEDS), max_size=8),
    st.lists(st.tuples(GAPS, DEEDS), min_size=15, max_size=40),
)


def played(rules: FoulRules, evening: Evening, *, waking: bool = False) -> Iterator[Table]:
    """Play deed after deed, waking at every lease's end and in between where asked to."""
    table, hands = Table(rules), 1
    for number, (gap, deed) in enumerate(evening):
        due = Moment(table.now.micros + gap)
        if waking:
            yield from woken(table, due)
        after = due - table.now
        hand = f"h{hands}"
        match deed:
            case Charge(player, kind, over):
                yield table.happens(charge(foul(f"f{number}", hand, kind, over), player), after)
            case Entry(player, kind, person):
                entry = EnterFoul(kind, seat_of(player), "seen")
                yield table.happens(Entered(entry, person, hand, player, PLAYERS), after)
            case Order():
                yield ordered(table, deed, after)
            case NextHand():
                hands += 1
                yield table.happens(HandBegan(f"h{hands}"), after)
            case Restart():
                yield table.happens(Restarted("power"), after)
            case Wake():
                yield table.happens(Woken(), after)


def ordered(table: Table, order: Order, after: timedelta) -> Table:
    every = list(table.docket.alerts.values())
    alerts = [alert for alert in every if alert.status in order.among] or every
    if not alerts:
        return table.happens(Ordered(Confirm("nothing", 1), order.person), after)
    alert = alerts[(-1 - order.which) % len(alerts)]
    event(f"{order.verb.__name__} on {alert.status}{' marked' if alert.marked else ''}")
    # The revision named is the one a referee sees who looks while the order is under way.
    looking = docket.step(table.rules, table.docket, Woken(), table.now + after)
    seen = looking.docket.alerts[alert.id]
    return table.happens(Ordered(order.command(seen), order.person), after)


def woken(table: Table, due: Moment) -> Iterator[Table]:
    while (next_wake := docket.wake_at(table.docket)) is not None and next_wake <= due:
        yield table.happens(Woken(), next_wake - table.now)
        assert docket.wake_at(table.docket) != next_wake
    yield table.happens(Woken(), (due - table.now) // 2)
