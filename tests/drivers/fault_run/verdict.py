"""What a run did to a table's truth: each list holds what must never be."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from controller.table_turn import Turn
from drivers.port import Outcome
from scoring.effects import AlertRaised
from simulator.modbus_plant import Key
from table.commands import Lift, MotorCommand, RollDice, Shuffle
from table.events import ClaimPressed, DiscardPressed, Observed, RefereeCalled
from table.fouls import FoulKind, FoulSeen
from table.happening import Input
from table.moment import Interval, Moment
from table.seat import Seat
from tests.drivers.fault_run.daemon import Sent
from tests.drivers.fault_run.evening import Evening, Press
from tests.drivers.fault_run.subject import Disturbed, Grip, Moved

TURN_LIMIT = timedelta(seconds=10)
"""mcr-2014 art. 6 (出牌)."""
CALL_LIMIT = timedelta(seconds=3)
"""mcr-2014 art. 6 (碰牌)."""
SEEN_AFTER = timedelta(milliseconds=300)
LOST_WITHIN = timedelta(seconds=4)
"""So long after a press a link may be found lost that was lost already."""
_KEYS: dict[type[MotorCommand], set[str]] = {
    Shuffle: {Key.SHUFFLE, "CYCLE"},
    Lift: {Key.LIFT, "LIFT"},
    RollDice: {Key.DICE, "DICE"},
}
_PRESSES = (DiscardPressed, ClaimPressed, RefereeCalled)


@dataclass
class Verdict:
    """What was found.

    Attributes:
        counts: what is only counted.
        missed: acknowledged or promised, and not in the record.
        untrue: in the record, and never happened, or twice.
        motors: a motor that moved twice for a command, or for none.
        fouls: charged though the true time was within the limit.
    """

    counts: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    untrue: list[str] = field(default_factory=list)
    motors: list[str] = field(default_factory=list)
    fouls: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> list[str]:
        """Everything that must never be."""
        return [*self.missed, *self.untrue, *self.motors, *self.fouls]

    def add(self, other: "Verdict") -> None:
        """Take over what another run found."""
        self.counts += other.counts
        self.missed += other.missed
        self.untrue += other.untrue
        self.motors += other.motors
        self.fouls += other.fouls


def judge_presses(verdict: Verdict, evening: Evening, turns: Iterable[Turn]) -> set[Press]:
    """Match what was heard with what was pressed; return the presses that were heard."""
    heard: set[Press] = set()
    for (seat, button), intervals in _heard(turns).items():
        true = [one for one in evening.presses if (one.seat, one.input) == (seat, button)]
        downs, following = [press.down for press in true], 0
        for when in intervals:
            first, after = bisect_left(downs, when.earliest), bisect_right(downs, when.latest)
            place = max(first, following)
            if place >= after:
                verdict.untrue.append(f"{button} of seat {seat} was not pressed within {when}")
            else:
                heard.add(true[place])
                following = place + 1
    verdict.counts["pressed"] += len(evening.presses)
    verdict.counts["heard"] += len(heard)
    return heard


def _heard(turns: Iterable[Turn]) -> dict[tuple[Seat, Input], list[Interval]]:
    heard: dict[tuple[Seat, Input], list[Interval]] = {}
    for turn in turns:
        if isinstance(turn.stimulus, Observed) and isinstance(turn.stimulus.event, _PRESSES):
            event = turn.stimulus.event
            button = Input.DISCARD if isinstance(event, DiscardPressed) else Input.CLAIM
            heard.setdefault((event.seat, button), []).append(turn.stimulus.when)
    return heard


def judge_promises(
    verdict: Verdict, presses: Iterable[Press], heard: set[Press], quiet: "Quiet"
) -> None:
    """Find the presses that had to be heard and were not."""
    for press in presses:
        if quiet.at(press):
            verdict.counts["promised"] += 1
            if press not in heard:
                verdict.missed.append(f"promised: {press}")


class Quiet:
    """When nothing kept a press from being heard."""

    def __init__(
        self,
        links: Sequence[tuple[Moment, bool]],
        disturbed: Iterable[Disturbed],
        ends: Moment,
        *,
        remembers: bool,
    ) -> None:
        grips = {Grip.MEMORY} if remembers else set(Grip)
        self._disturbed = [one for one in disturbed if one.grip in grips]
        self._up = list(_linked(links, ends))

    def at(self, press: Press) -> bool:
        """Say whether all was well from before a press until after it."""
        return any(
            since + SEEN_AFTER <= press.down and press.up + LOST_WITHIN <= until
            for since, until in self._up
        ) and not any(one.since <= press.up and press.down <= one.until for one in self._disturbed)


def _linked(links: Sequence[tuple[Moment, bool]], ends: Moment) -> Iterator[tuple[Moment, Moment]]:
    for place, (at, up) in enumerate(links):
        if up:
            later = links[place + 1 :]
            yield at, later[0][0] if later else ends


def judge_motors(verdict: Verdict, sent: Sequence[Sent], moved: Sequence[Moved]) -> None:
    """Hold every motor that moved against the one command that can have moved it."""
    left = sorted(moved, key=lambda one: one.at)
    for kind, keys in _KEYS.items():
        orders = [one for one in sent if isinstance(one.command, kind)]
        pushed = [one.at for one in left if one.key in keys]
        begins = [order.at for order in orders]
        if pushed and (not begins or pushed[0] < begins[0]):
            verdict.motors.append(f"{kind.__name__} before any command, at {pushed[0]}")
        for order, until in zip(orders, [*begins, None][1:], strict=True):
            times = sum(order.at <= at and (until is None or at < until) for at in pushed)
            verdict.counts["commands"] += 1
            verdict.counts["moved"] += times
            none = order.answer.outcome in {Outcome.REFUSED, Outcome.ABSENT}
            if times > (0 if none else 1):
                verdict.motors.append(f"{times} times for {order}")


def judge_fouls(verdict: Verdict, evening: Evening, turns: Iterable[Turn]) -> None:
    """Hold every foul against what really took how long."""
    for turn in turns:
        for effect in turn.taken.effects:
            if isinstance(effect, AlertRaised):
                verdict.counts["alerts"] += 1
            if isinstance(effect, FoulSeen):
                verdict.counts["fouls"] += 1
                if not _earned(effect, evening):
                    verdict.fouls.append(f"{effect}")


def _earned(foul: FoulSeen, evening: Evening) -> bool:
    when = foul.ended
    if when is None:
        return False
    if foul.kind is FoulKind.DISCARD_OVER_LIMIT:
        turns = (one for one in evening.turns if one.seat == foul.seat)
        return any(_in(when, one.discarded) and one.took > TURN_LIMIT for one in turns)
    if foul.kind is FoulKind.LATE_PUNG:
        claims = (one for one in evening.claims if one.seat == foul.seat)
        return any(_in(when, one.called) and one.took > CALL_LIMIT for one in claims)
    return False


def _in(when: Interval, moment: Moment) -> bool:
    return when.earliest <= moment <= when.latest
