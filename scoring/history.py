"""What a list of rulings comes to.

Nothing is ever taken out of the list: what was undone is followed by a ruling that says so.
"""

from collections.abc import Sequence
from dataclasses import replace

from scoring.alert import Alert, AlertStatus, Deed, Ruling


def not_undone(rulings: Sequence[Ruling]) -> tuple[Ruling, ...]:
    """Return the rulings that were not undone, oldest first."""
    kept: list[Ruling] = []
    for ruling in rulings:
        if ruling.deed == Deed.UNDONE:
            kept.pop()
        else:
            kept.append(ruling)
    return tuple(kept)


def outcome(rulings: Sequence[Ruling]) -> AlertStatus | None:
    """Return what an alert with these rulings is; None where it waits for a decision."""
    deciding = _deciding(not_undone(rulings))
    return AlertStatus(deciding.deed) if deciding else None


def going_back(alert: Alert, person: str, reason: str, deed: Deed) -> Ruling:
    """Return a ruling that goes back to an earlier one, with what stands after it."""
    bare = Ruling(person, None, reason, deed)
    left = _deciding(not_undone((*alert.rulings, bare)))
    if left is None:
        return bare
    return replace(bare, sanction=left.sanction, step=left.step, order=left.order)


def _deciding(rulings: Sequence[Ruling]) -> Ruling | None:
    """Return the ruling that decides, none of them undone; a reversed waiver leaves it open."""
    if not rulings:
        return None
    *earlier, last = rulings
    if last.deed == Deed.RESTORED:
        return _deciding(earlier[:-1])
    if last.deed == Deed.REVERSED and outcome(earlier) is AlertStatus.WAIVED:
        return None
    return last
