"""Compares a rehearsal with what its hand file expects."""

from collections.abc import Iterator
from datetime import timedelta

from controller.expectations import check_of
from controller.expected_effects import unnamed
from controller.rehearsal import Rehearsal
from controller.sight import Sight, Told
from controller.table_core import TableRules
from table.happening import Expectation, HandFile

_AT_LAST = timedelta.max // 2
"""After everything."""


def unmet(rules: TableRules, file: HandFile) -> Iterator[str]:
    """Play a hand file and say of each expectation that is not met what is the case instead.

    A foul, a reading too close to call, an overrun that was only recorded and a refusal must each
    be expected by a line of its own; whatever is left over is told as well.

    Raises:
        ScriptError: a line expects something that cannot be read; nothing is played.
    """
    checks = [(one, check_of(one)) for one in file.expectations]
    rehearsal = Rehearsal(rules)
    told = Told(rehearsal, [*rehearsal.play(file.lines)])
    if not checks:
        yield "no line says what is expected"
    for expectation, check in checks:
        instead = check(Sight(rules, told, expectation.at))
        if instead is not None:
            yield f"{_expected(expectation)}, but {instead}"
    for left_over in unnamed(Sight(rules, told, _AT_LAST)):
        yield f"no line expects {left_over}"


def _expected(expectation: Expectation) -> str:
    return f"line {expectation.number}: expected {' '.join(expectation.words)}"
