"""Sanctions, and what they forbid, in plain words."""

from board.slots import Option, option
from board.texts import say
from mqtt.parts import RestrictionFields, SanctionFields
from table.sanctions import Sanction, SanctionKind, read_sanction


def sanction(fields: SanctionFields) -> str:
    """Return a sanction as a referee says it: what it costs, to whom, and what follows."""
    return plainly(Sanction(fields.kind, fields.points, fields.measures, fields.to))


def plainly(one: Sanction) -> str:
    """Return a sanction in words, the first letter large."""
    measures = [say(f"measure.{measure}") for measure in one.measures]
    words = ", ".join(filter(None, (_cost(one), *measures))) or say("sanction.none")
    return words[:1].upper() + words[1:]


def _cost(one: Sanction) -> str:
    if one.kind is SanctionKind.MEASURE:
        return ""
    key = "sanction.player" if one.to else _COSTS[one.kind]
    return say(key, points=one.points, to=one.to)


_COSTS = {
    SanctionKind.WARNING: "sanction.warning",
    SanctionKind.POINTS: "sanction.points",
    SanctionKind.PAY_EACH: "sanction.each",
    SanctionKind.PAY_PLAYER: "sanction.harmed",
    SanctionKind.CHOICE: "sanction.choice",
}


def options(choices: tuple[str, ...]) -> list[Option]:
    """Return what may be imposed, each as it is written and in words.

    Passed over is what this board cannot read, and a choice, which nobody can impose.
    """
    found = []
    for written in choices:
        try:
            one = read_sanction(written)
        except ValueError:
            continue
        if one.kind is not SanctionKind.CHOICE:
            found.append(option(written, plainly(one)))
    return found


def dead_hand(forbidden: RestrictionFields | None, stand_in: str = "") -> str:
    """Return what a seat may not do and who plays there; empty where nothing is forbidden."""
    if stand_in:
        return say("dead.stand-in", name=stand_in)
    if forbidden is None:
        return ""
    grades = (
        ("dead.out", forbidden.out),
        ("dead.mechanical", forbidden.mechanical),
        ("dead.no-hu-no-calls", forbidden.no_hu and forbidden.no_calls),
        ("dead.no-hu", forbidden.no_hu),
        ("dead.no-calls", forbidden.no_calls),
    )
    return next((say(key) for key, holds in grades if holds), "")
