"""How a fault run reads in docs/long.md."""

from collections.abc import Iterator, Mapping

from tests.drivers.fault_run.runs import Found

_INTRODUCTION = """
Tables in virtual time (`tests/drivers/fault_run`), each reached by its real driver and the real
reconnect policy, with the time-outs of its profiles, and played at under `mcr-2014` by the real
table loop with a journal that takes 4 to 60 ms. Everything wanders a few milliseconds (jitter), and
beside that faults befall frames and tables in random mixtures, also while a table is still away
from the one before. *Missed* is what a box was told is recorded, or what a kit promises to see
between faults, and is not in the journal; *untrue* is in the journal and was never pressed, is
there twice, or has an interval without the true moment. *Doubled* commands moved a motor twice, or
moved it though they were refused; *wrong* fouls were charged within the limit by the true time.
"""
_COUNTS = ("pressed", "heard", "acknowledged", "promised")
_HOUR = 3600


def figures(found: Mapping[str, Found]) -> str:
    """Return the section."""
    return "\n".join((_INTRODUCTION.strip(), "", *_verdicts(found), "", *_faults(found)))


def _verdicts(found: Mapping[str, Found]) -> Iterator[str]:
    heads = (
        "subject", "hours", "presses", "heard", "acknowledged", "promised", "missed", "untrue",
        "commands", "moved", "doubled", "fouls", "wrong",
    )  # fmt: skip
    yield from _head(heads)
    for subject, one in found.items():
        verdict, counts = one.verdict, one.verdict.counts
        yield _row(
            subject,
            f"{one.seconds / _HOUR:.1f}",
            *(counts[name] for name in _COUNTS),
            len(verdict.missed),
            len(verdict.untrue),
            counts["commands"],
            counts["moved"],
            len(verdict.motors),
            counts["fouls"],
            len(verdict.fouls),
        )


def _faults(found: Mapping[str, Found]) -> Iterator[str]:
    yield from _head(("fault", *found))
    for fault in sorted({str(fault) for one in found.values() for fault in one.befell}):
        yield _row(fault, *(one.befell[fault] or "" for one in found.values()))


def _head(heads: tuple[str, ...]) -> Iterator[str]:
    yield _row(*heads)
    yield "|---" * len(heads) + "|"


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"
