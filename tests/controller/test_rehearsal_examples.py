"""The written hands that are shipped, under the shipped rule set: their fouls, and nothing else."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from config.load import playing_by
from controller.rehearsal import Rehearsal
from controller.script_file import script_of
from controller.table_rules import rules_of
from scoring.alert import AlertStatus
from scoring.effects import AlertRaised
from scoring.ledger import ledger
from table.fouls import FoulKind, FoulSeen
from table.moment import MILLISECOND, Elapsed
from table.sanctions import WARNING, Sanction, points
from table.seat import Seat

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
RULES = rules_of(playing_by("mcr-2014"))
LATE, SLOW = FoulKind.LATE_PUNG, FoulKind.DISCARD_OVER_LIMIT
FIRST_DISCARD = timedelta(seconds=20), "mcr-2014 art. 5 (赛前 6)"
TURN = timedelta(seconds=10), "mcr-2014 art. 6 (出牌)"
WINDOW = timedelta(seconds=3), "mcr-2014 art. 6 (碰牌)"
CALLS = "mcr-2014 art. 11 (违例 5, 罚分 2)"
DISCARDS = "decision: same ladder as for calls, within mcr-2014 art. 11 (警告, 罚分 2)"


@dataclass(frozen=True)
class Expected:
    """One foul as the referee sees it, and what became of it."""

    kind: FoulKind
    seat: int
    measured_ms: int
    limit: tuple[timedelta, str]
    step: int
    proposal: Sanction
    status: AlertStatus = AlertStatus.OPEN


HANDS: dict[str, tuple[list[Expected], dict[str, int]]] = {
    "cut": ([], {}),
    "late-pung": (
        [
            Expected(LATE, 3, 3_400, WINDOW, 1, WARNING, AlertStatus.CONFIRMED),
            Expected(LATE, 4, 3_300, WINDOW, 1, WARNING, AlertStatus.WAIVED),
            Expected(LATE, 3, 3_500, WINDOW, 2, points(5), AlertStatus.CONFIRMED),
        ],
        {"t1-3": -5},
    ),
    "limits": (
        [
            Expected(SLOW, 3, 10_010, TURN, 1, WARNING),
            Expected(LATE, 4, 3_010, WINDOW, 1, WARNING),
        ],
        {},
    ),
    "overrun": (
        [
            Expected(SLOW, 1, 20_500, FIRST_DISCARD, 1, WARNING, AlertStatus.CONFIRMED),
            Expected(SLOW, 1, 10_900, TURN, 2, points(5), AlertStatus.MODIFIED),
        ],
        {"t1-1": -10},
    ),
    "repeat": (
        [
            Expected(SLOW, 3, 10_010, TURN, 1, WARNING),
            Expected(LATE, 4, 3_010, WINDOW, 1, WARNING),
            Expected(LATE, 4, 3_200, WINDOW, 1, WARNING),
        ],
        {},
    ),
}


def test_every_hand_that_is_shipped_is_expected_to_do_something() -> None:
    assert {file.stem for file in EXAMPLES.glob("*.hand")} == HANDS.keys()


@pytest.mark.parametrize("name", HANDS)
def test_a_shipped_hand_has_exactly_its_fouls(name: str) -> None:
    expected, totals = HANDS[name]
    rehearsal = Rehearsal(RULES)
    effects = [one.effect for one in rehearsal.play(script_of(EXAMPLES / f"{name}.hand"))]
    seen = [one for one in effects if isinstance(one, FoulSeen)]
    raised = [one.alert for one in effects if isinstance(one, AlertRaised)]
    assert [alert.foul for alert in raised] == seen
    for number, (foul, alert, wanted) in enumerate(zip(seen, raised, expected, strict=True), 1):
        taken = wanted.measured_ms * MILLISECOND
        assert foul.id == f"t1-1-f{number}"
        assert (foul.kind, foul.seat) == (wanted.kind, Seat(wanted.seat))
        assert foul.measured == Elapsed(taken - MILLISECOND, taken + MILLISECOND)
        assert (foul.limit, foul.rule) == wanted.limit
        assert (alert.step, alert.proposal) == (wanted.step, wanted.proposal)
        assert alert.rule == (CALLS if wanted.kind is LATE else DISCARDS)
        assert rehearsal.state.docket.alerts[foul.id].status is wanted.status
    assert ledger(rehearsal.state.docket).totals == totals
