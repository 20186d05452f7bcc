from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta

from hypothesis import event, given
from hypothesis import strategies as st

from scoring import docket
from scoring.alert import STANDING, UNDECIDED, Alert, AlertStatus
from scoring.docket import Charged, Docket, HandBegan, count_of
from scoring.effects import (
    AlertChanged,
    AlertLapsed,
    AlertMarked,
    AlertRaised,
    DocketEffect,
    RulingMade,
)
from scoring.ledger import ledger
from table.answers import Ignored, Refused
from table.commands import Acknowledge, Confirm, Modify, Ordered, Reverse, RulingCommand, Waive
from table.events import Restarted, Woken
from table.moment import Moment
from table.sanctions import WARNING, points
from tests.scoring.cases import LATE, MCR, SLOW, Table, foul

ZERO = timedelta(0)
GAPS = st.sampled_from([0, 0, 1, 1_000_000, 1_000_000, 30_000_000, 59_999_999, 60_000_000])
PEOPLE = st.sampled_from(["referee-1", "referee-2"])
CARRYING = (AlertRaised, AlertChanged, RulingMade, AlertLapsed, AlertMarked)


@dataclass(frozen=True)
class Charge:
    player: str
    late: bool


@dataclass(frozen=True)
class Order:
    verb: type[RulingCommand]
    among: frozenset[AlertStatus]
    """What kind of alert the referee looks for; if there is none, any."""
    which: int
    """Counted from the alert raised last back, or from the first on where it is negative."""
    behind: int
    """How far the revision named lies behind."""
    person: str
    amount: int
    reason: str

    def command(self, alert: Alert) -> RulingCommand:
        revision = alert.revision - self.behind
        sanction = points(self.amount) if self.amount else WARNING
        if self.verb is Modify:
            return Modify(alert.id, revision, sanction, self.reason)
        if self.verb is Waive:
            return Waive(alert.id, revision, self.reason)
        if self.verb is Reverse:
            return Reverse(alert.id, revision, self.reason)
        return self.verb(alert.id, revision)  # type: ignore[call-arg]  # Acknowledge and Confirm


@dataclass(frozen=True)
class NextHand:
    pass


@dataclass(frozen=True)
class Restart:
    pass


@dataclass(frozen=True)
class Wake:
    pass


Deed = Charge | Order | NextHand | Restart | Wake
VERBS: list[type[RulingCommand]] = [Acknowledge, Confirm, Modify, Waive, Reverse]
COMMON = {
    "which": st.sampled_from([0, 0, 1, -1, -1, -2]),
    "behind": st.sampled_from([0, 0, 0, 0, 1]),
    "person": PEOPLE,
    "amount": st.sampled_from([0, 5, 60, 7]),
    "reason": st.sampled_from(["rude", "rude", "rude", ""]),
}
FIRST = st.sampled_from([Acknowledge, Confirm, Confirm, Modify, Waive])
AGAIN = st.sampled_from([Reverse, Reverse, Confirm, Modify, Waive])
ORDERS = st.one_of(
    st.builds(Order, st.just(Confirm), st.just(UNDECIDED), **COMMON),
    st.builds(Order, FIRST, st.just(UNDECIDED), **COMMON),
    st.builds(Order, AGAIN, st.just(STANDING), **COMMON),
    st.builds(Order, st.sampled_from(VERBS), st.just(frozenset(AlertStatus)), **COMMON),
)
CHARGES = st.builds(
    Charge, st.sampled_from(["ann"] * 5 + ["bob"]), st.sampled_from([True] * 5 + [False])
)
REST = st.sampled_from([NextHand(), Restart(), Wake(), Wake()])
DEEDS = st.one_of(CHARGES, CHARGES, ORDERS, ORDERS, ORDERS, ORDERS, REST)
EVENINGS = st.one_of(
    st.lists(st.tuples(GAPS, DEEDS), max_size=8),
    st.lists(st.tuples(GAPS, DEEDS), min_size=15, max_size=40),
)
Evening = list[tuple[int, Deed]]


def played(evening: Evening, *, waking: bool = False) -> Iterator[Table]:
    """Play deed after deed, waking at every lease's end and in between where asked to."""
    table, hands = Table(), 1
    for number, (gap, deed) in enumerate(evening):
        due = Moment(table.now.micros + gap)
        if waking:
            yield from woken(table, due)
        after = due - table.now
        match deed:
            case Charge(player, late):
                seen = foul(f"f{number}", f"h{hands}", LATE if late else SLOW)
                yield table.happens(Charged(seen, player), after)
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
    seen = docket.step(MCR, table.docket, Woken(), table.now + after).docket.alerts[alert.id]
    return table.happens(Ordered(order.command(seen), order.person), after)


def woken(table: Table, due: Moment) -> Iterator[Table]:
    while (next_wake := docket.wake_at(table.docket)) is not None and next_wake <= due:
        yield table.happens(Woken(), next_wake - table.now)
        assert docket.wake_at(table.docket) != next_wake
    yield table.happens(Woken(), (due - table.now) // 2)


def outcome(evening: Evening, *, waking: bool = False) -> tuple[Docket, list[DocketEffect]]:
    effects: list[DocketEffect] = []
    last = docket.fresh()
    for table in played(evening, waking=waking):
        effects += table.effects
        last = table.docket
    return replace(last, last=None), effects


@given(EVENINGS)
def test_only_standing_fouls_count_as_steps(evening: Evening) -> None:
    for table in played(evening):
        for alert in table.docket.alerts.values():
            together = table.docket.counted(table.docket.standing, count_of(alert))
            if alert.status in UNDECIDED:
                assert alert.step == len(together) + 1
            if alert.status in STANDING:
                assert together[alert.step - 1] == alert


@given(EVENINGS)
def test_the_lists_of_a_docket_say_what_the_alerts_say(evening: Evening) -> None:
    for table in played(evening):
        alerts = table.docket.alerts
        assert list(table.docket.undecided) == [
            name for name, alert in alerts.items() if alert.status in UNDECIDED
        ]
        assert sorted(table.docket.standing) == sorted(
            name for name, alert in alerts.items() if alert.status in STANDING
        )


@given(EVENINGS)
def test_the_ledger_is_the_sum_of_what_stands(evening: Evening) -> None:
    for table in played(evening):
        book = ledger(table.docket)
        for player in ("ann", "bob"):
            stands = [
                alert.rulings[-1].sanction
                for alert in table.docket.alerts.values()
                if alert.status in STANDING and alert.player == player
            ]
            cost = sum(sanction.points for sanction in stands if sanction)
            assert book.totals.get(player, 0) == -cost
            assert len(book.of(player)) == len(stands)


@given(EVENINGS)
def test_a_reversed_ruling_never_counts_again(evening: Evening) -> None:
    gone: set[str] = set()
    for table in played(evening):
        alerts = table.docket.alerts.values()
        gone |= {alert.id for alert in alerts if alert.status is AlertStatus.REVERSED}
        assert not gone & set(table.docket.standing)
        assert not gone & {line.alert for line in ledger(table.docket).lines}


@given(EVENINGS)
def test_every_change_of_an_alert_is_told_once_with_the_next_revision(evening: Evening) -> None:
    known: dict[str, Alert] = {}
    for table in played(evening):
        for effect in table.effects:
            if isinstance(effect, CARRYING):
                before = known.get(effect.alert.id)
                assert effect.alert.revision == (before.revision + 1 if before else 1)
                known[effect.alert.id] = effect.alert
        assert known == table.docket.alerts


@given(EVENINGS)
def test_no_ruling_is_ever_lost(evening: Evening) -> None:
    made: dict[str, list[object]] = {}
    for table in played(evening):
        for effect in table.effects:
            if isinstance(effect, RulingMade):
                made.setdefault(effect.alert.id, []).append(effect.alert.rulings[-1])
    if evening:
        rulings = {name: list(one.rulings) for name, one in table.docket.alerts.items()}
        assert {name: ruled for name, ruled in rulings.items() if ruled} == made


@given(EVENINGS)
def test_every_order_is_answered_once_whatever_the_alert_has_become(evening: Evening) -> None:
    deeds = [deed for _, deed in evening]
    for deed, table in zip(deeds, played(evening), strict=True):
        answers = [one for one in table.effects if isinstance(one, RulingMade | Refused | Ignored)]
        if isinstance(deed, Order):
            last = table.effects[-1]
            kept = isinstance(last, AlertChanged) and last.alert.holder == deed.person
            assert len(answers) == 1 or kept
        else:
            assert not answers


@given(EVENINGS)
def test_a_refused_order_changes_no_alert(evening: Evening) -> None:
    before: dict[str, Alert] = {}
    for table in played(evening):
        if any(isinstance(one, Refused) for one in table.effects):
            freed = {one.alert.id for one in table.effects if isinstance(one, AlertChanged)}
            changed = {n for n, alert in table.docket.alerts.items() if alert != before.get(n)}
            assert changed == freed
        before = table.docket.alerts


@given(EVENINGS)
def test_a_replay_gives_the_same_docket_and_effects(evening: Evening) -> None:
    assert outcome(evening) == outcome(evening)


@given(EVENINGS)
def test_waking_more_often_changes_nothing(evening: Evening) -> None:
    assert outcome(evening, waking=True) == outcome(evening)
