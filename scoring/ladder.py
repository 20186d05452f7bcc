"""From the number of standing fouls, and the time over the limit, to the sanction proposed."""

from dataclasses import replace

from scoring.rules import Ladder, Started
from table.fouls import FoulSeen
from table.sanctions import Sanction, SanctionKind, points

PAYING = frozenset({SanctionKind.POINTS, SanctionKind.PAY_EACH, SanctionKind.PAY_PLAYER})


def proposed(ladder: Ladder, step: int, foul: FoulSeen) -> Sanction:
    """Return the sanction of a step, counted from 1; the last one repeats.

    Where the book counts started spans, their amount is the sanction, or comes on top of a step
    that costs points; a warning remains a warning.

    Rule: a first foul is warned, the second costs 5, then 10, 20 and so on through the amounts
    of 罚分 2, hence 30, 40, 50 and at last 60 (mcr-2014 art. 11, 违例 3 to 5).
    """
    amount = ladder.started.points * spans(ladder.started, foul) if ladder.started else 0
    if not ladder.steps:
        return points(amount)
    rung = ladder.steps[min(step, len(ladder.steps)) - 1]
    return replace(rung, points=rung.points + amount) if rung.kind in PAYING else rung


def spans(started: Started, foul: FoulSeen) -> int:
    """Count the spans that have started over the limit, by the reading most favourable.

    Exactly one span over is one span. Where nothing was measured one has started, as there
    would be no foul otherwise.

    Rule: 每15秒(或不足15秒) (wsom-2010 打牌时限 §§1, 2).
    """
    return max(1, -(-foul.excess // started.span))
