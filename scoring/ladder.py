"""From the number of standing fouls to the sanction that is proposed."""

from scoring.rules import Ladder
from table.sanctions import WARNING, Sanction


def rung(ladder: Ladder, step: int) -> Sanction:
    """Return the sanction of a step, counted from 1; the last one repeats.

    Rule: a first foul is warned, the second costs 5, then 10, 20 and so on through the amounts
    of 罚分 2, hence 30, 40, 50 and at last 60 (mcr-2014 art. 11, 违例 3 to 5).
    """
    return ladder.steps[min(step, len(ladder.steps)) - 1]


def imposable(ladder: Ladder) -> tuple[Sanction, ...]:
    """Return what a referee may impose instead: a warning, and every amount of the ladder."""
    return tuple(dict.fromkeys((WARNING, *ladder.steps)))
