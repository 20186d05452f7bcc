"""A docket that is driven at random, and what holds of it whatever was done."""

from collections import defaultdict
from dataclasses import replace
from datetime import timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from scoring.alert import STANDING, UNDECIDED, WAITING, Alert, AlertStatus
from scoring.effects import RulingMade
from scoring.ledger import Line, ledger
from scoring.payments import cost
from scoring.restrictions import restrictions, voided
from scoring.rules import FoulRules, Scope
from table.alert_commands import AlertCommand, Confirm, Modify, Reverse, TakeUp, Undo, Waive
from table.commands import Ordered
from table.fouls import FoulKind
from table.restrictions import SESSION_LONG
from table.sanctions import Sanction
from tests.scoring.cases import LATE, LEASE, PLAYERS, SECOND, SLOW, SUM, Table, charge, foul
from tests.scoring.evenings import (
    CHARGES,
    DECIDED,
    ENTRIES,
    RULES,
    SANCTIONS,
    Charge,
    Entry,
    command,
)  # fmt: skip

WHICH = st.integers(0, 20)
WHO = st.sampled_from(["referee-1", "chief"])
DECISIONS = st.sampled_from([Confirm, Confirm, Modify, Waive, Reverse, Reverse])


class DocketMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.table = Table()
        self.number = 0
        self.hand = 1
        self.made: dict[str, int] = defaultdict(int)

    @initialize(rules=RULES)
    def opened(self, rules: FoulRules) -> None:
        self.table = Table(rules)
        for over in (SECOND, 20 * SECOND, 200 * SECOND):
            self.a_foul_is_seen_and_stands(LATE, over)
            self.a_foul_is_seen_and_stands(SLOW, over)

    @rule(charged=CHARGES)
    def a_foul_is_seen(self, charged: Charge) -> None:
        self.number += 1
        seen = foul(f"f{self.number}", f"h{self.hand}", charged.kind, charged.over)
        self.table.happens(charge(seen, charged.player))

    @rule(kind=st.sampled_from([LATE, LATE, SLOW]), over=st.sampled_from([SECOND, 200 * SECOND]))
    def a_foul_is_seen_and_stands(self, kind: FoulKind, over: timedelta) -> None:
        self.a_foul_is_seen(Charge("ann", kind, over))
        alert = self.table.docket.alerts.get(f"f{self.number}")
        if alert and alert.status is AlertStatus.UNCLAIMED:
            self.order(TakeUp, alert)
        if alert:
            self.order(Confirm, self.table[alert.id])

    @rule(entry=ENTRIES)
    def a_foul_is_entered(self, entry: Entry) -> None:
        if entry.kind is not SUM and entry.kind in self.table.rules.ladders:
            self.table.entered(entry.kind, entry.player, f"h{self.hand}", entry.person)

    @rule()
    def the_next_hand_begins(self) -> None:
        self.hand += 1
        self.table.hand_began(f"h{self.hand}")

    @rule()
    def leases_end(self) -> None:
        self.table.waited(LEASE)

    @rule(which=WHICH)
    def somebody_objects(self, which: int) -> None:
        if unclaimed := self.table.docket.waiting_for_objection:
            self.order(TakeUp, unclaimed[which % len(unclaimed)])

    @rule(which=WHICH, verb=DECISIONS, sanction=SANCTIONS, person=WHO)
    def a_referee_decides(
        self, which: int, verb: type[AlertCommand], sanction: Sanction, person: str
    ) -> None:
        if alert := self.some(UNDECIDED | DECIDED, which):
            self.order(verb, alert, sanction, person)

    @rule(which=WHICH, verb=DECISIONS, sanction=SANCTIONS)
    def a_ruling_is_reversed_and_one_it_marks_is_looked_at_again(
        self, which: int, verb: type[AlertCommand], sanction: Sanction
    ) -> None:
        if alert := self.some(STANDING, which % 3):
            self.order(Reverse, alert)
        if marked := self.table.docket.marked:
            self.order(verb, self.table[marked[which % len(marked)]], sanction)

    @rule(which=st.sampled_from([0, 0, 1, 2, 7]))
    def what_is_reversed_and_reversed_again_is_as_it_was(self, which: int) -> None:
        alert = self.some(STANDING | {AlertStatus.REVERSED}, which)
        if alert is None:
            return
        before = self.seen()
        self.order(Reverse, alert)
        self.order(Reverse, self.table[alert.id])
        assert self.table[alert.id].status is alert.status
        assert self.seen() == before

    @rule(which=WHICH, verb=DECISIONS, sanction=SANCTIONS)
    def what_is_decided_and_undone_is_as_it_was(
        self, which: int, verb: type[AlertCommand], sanction: Sanction
    ) -> None:
        alert = self.some(UNDECIDED | DECIDED, which)
        if alert is None:
            return
        before = self.seen()
        if self.order(verb, alert, sanction):
            assert self.order(Undo, self.table[alert.id], person=alert.holder or "chief")
            after = self.table[alert.id]
            waits = alert.status in UNDECIDED
            assert after.status is (AlertStatus.ACKNOWLEDGED if waits else alert.status)
            assert not waits or after.holder == (alert.holder or "chief")
            assert self.seen() == before

    def some(self, among: frozenset[AlertStatus], which: int) -> Alert | None:
        alerts = [one for one in self.table.docket.alerts.values() if one.status in among]
        return alerts[which % len(alerts)] if alerts else None

    def order(
        self,
        verb: type[AlertCommand],
        alert: Alert,
        sanction: Sanction | None = None,
        person: str = "chief",
    ) -> bool:
        """Give an order as whoever holds the alert, and say whether it led to a ruling."""
        given = command(verb, alert, sanction or alert.proposal, "reason")
        self.table.happens(Ordered(given, alert.holder or person))
        ruled = [one for one in self.table.effects if isinstance(one, RulingMade)]
        self.made[alert.id] += len(ruled)
        return bool(ruled)

    def seen(self) -> tuple[object, ...]:
        """Return all that a reversal or a slip may not change for good."""
        docket = self.table.docket
        book = ledger(docket)
        hand = f"h{self.hand}"
        steps = {
            one.id: (one.step, one.proposal, one.marked)
            for one in docket.alerts.values()
            if one.status in STANDING or (one.status in UNDECIDED and one.foul.kind is not SUM)
        }
        return (
            [_plain(line) for line in book.lines],
            book.payments,
            book.totals,
            steps,
            restrictions(docket, hand, PLAYERS),
            voided(docket, hand),
        )

    @invariant()
    def no_ruling_is_lost(self) -> None:
        for alert in self.table.docket.alerts.values():
            assert len(alert.rulings) == self.made[alert.id]

    @invariant()
    def only_what_stands_is_a_step(self) -> None:
        for alert in self.table.docket.alerts.values():
            together = self.counted_with(alert)
            if alert.status in WAITING:
                assert alert.step == len(together) + 1
            if alert.status in STANDING and alert.step:
                assert together[alert.step - 1] == alert
            if alert.status in STANDING:
                assert alert.marked is (alert.step != alert.rulings[-1].step)

    def counted_with(self, alert: Alert) -> list[Alert]:
        ladder = self.table.rules.ladders.get(alert.foul.kind)
        hand = alert.foul.hand if not ladder or ladder.scope is Scope.HAND else None
        together = [
            one
            for one in self.table.docket.alerts.values()
            if one.status in STANDING
            and (one.player, one.foul.kind) == (alert.player, alert.foul.kind)
            and hand in (None, one.foul.hand)
        ]
        return sorted(together, key=lambda one: one.rulings[-1].order)

    @invariant()
    def the_lists_say_what_the_alerts_say(self) -> None:
        docket = self.table.docket
        alerts = docket.alerts.values()
        assert set(docket.undecided) == {one.id for one in alerts if one.status in UNDECIDED}
        unclaimed = {one.id for one in alerts if one.status is AlertStatus.UNCLAIMED}
        assert set(docket.unclaimed) == unclaimed
        assert set(docket.marked) == {one.id for one in alerts if one.marked}
        assert set(docket.lasting) == {
            one.id for one in alerts if one.imposed and set(one.imposed.measures) & SESSION_LONG
        }
        for player, names in docket.standing.items():
            assert list(names) == [
                one.id
                for one in sorted(alerts, key=lambda a: a.rulings[-1].order if a.rulings else 0)
                if one.player == player and one.status in STANDING
            ]
        for hand, names in docket.hands.items():
            assert list(names) == [one.id for one in alerts if one.foul.hand == hand]

    @invariant()
    def what_is_paid_is_received(self) -> None:
        book = ledger(self.table.docket)
        lost = sum(one.points for one in book.payments if one.payee is None)
        assert sum(book.totals.values()) == -lost
        assert all(one.points > 0 and one.payer != one.payee for one in book.payments)
        stand = [one for one in self.table.docket.alerts.values() if one.status in STANDING]
        assert sorted(line.alert for line in book.lines) == sorted(one.id for one in stand)

    @invariant()
    def too_much_overtime_is_before_a_referee_or_was(self) -> None:
        rules = self.table.rules.overtime_sum
        sums = [one for one in self.table.docket.alerts.values() if one.foul.kind is SUM]
        assert rules is not None or not sums
        for player in ("ann", "bob"):
            for hand in self.table.docket.hands:
                theirs = [one for one in sums if (one.player, one.foul.hand) == (player, hand)]
                over = self.over(player, hand)
                assert not over or any(one.rests_on for one in theirs)
                waiting = [one for one in theirs if one.status in WAITING | STANDING]
                assert all(set(one.rests_on) == set(over) for one in waiting)
                assert all(over or one.status in STANDING for one in waiting)

    def over(self, player: str, hand: str) -> list[str]:
        rules = self.table.rules.overtime_sum
        overtimes = [
            one
            for one in self.table.docket.alerts.values()
            if (one.player, one.foul.hand) == (player, hand)
            and rules is not None
            and one.foul.kind in rules.kinds
            and one.status in STANDING
        ]
        too_much = rules is not None and sum(map(cost, overtimes)) > rules.above
        return [one.id for one in overtimes] if too_much else []


def _plain(line: Line) -> Line:
    return replace(line, revision=0, rulings=())


DocketMachine.TestCase.settings = settings(stateful_step_count=25)
TestDocketMachine = DocketMachine.TestCase
