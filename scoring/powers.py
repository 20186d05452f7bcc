"""What a referee may impose for one alert."""

from collections.abc import Iterator
from dataclasses import replace

from scoring.alert import Alert
from scoring.ladder import PAYING, spans
from scoring.rules import FoulRules
from table.sanctions import CHOICE, WARNING, Sanction, SanctionKind, measure, points


def on_offer(rules: FoulRules, alert: Alert) -> tuple[Sanction, ...]:
    """Return what may be imposed, part by part: every sanction is made of these.

    They are what the book gives this kind of foul, its steps and its choices, and beside them
    whatever a referee may impose for any foul.
    """
    warning = (WARNING,) if rules.powers.warning else ()
    parts = (*warning, *_of_the_kind(rules, alert), *_of_the_powers(rules))
    return tuple(dict.fromkeys(part for part in parts if part != CHOICE))


def not_allowed(rules: FoulRules, alert: Alert, sanction: Sanction) -> str | None:
    """Say in a sentence what of a sanction the book does not allow, and what it does."""
    allowed = on_offer(rules, alert)
    parts = tuple(_parts(sanction))
    wrong = _malformed(sanction) or _named(part for part in parts if part not in allowed)
    if wrong is None:
        return wrong_payee(alert, sanction)
    source = f" ({rules.powers.rule})" if rules.powers.rule else ""
    known = ", ".join(map(str, allowed))
    return f"alert {alert.id}: sanction is {sanction}, but {wrong}; allowed are {known}{source}"


def wrong_payee(alert: Alert, sanction: Sanction) -> str | None:
    """Say in a sentence that a sanction pays nobody who may be paid."""
    if sanction.kind is not SanctionKind.PAY_PLAYER or sanction.to in filter(None, alert.others):
        return None
    named = f"{sanction.to} is not" if sanction.to else "it does not name"
    others = ", ".join(alert.others)
    return f"alert {alert.id}: sanction is {sanction}, but {named} one of the others: {others}"


def _named(parts: Iterator[Sanction]) -> str | None:
    """Name the parts that are not allowed, if any is."""
    names = ", ".join(map(str, parts))
    return f"nobody may impose {names}" if names else None


def _malformed(sanction: Sanction) -> str | None:
    pays = sanction.kind in PAYING
    if pays is not (sanction.points > 0):
        return "it needs points above 0" if pays else "it has points all the same"
    if sanction.to and sanction.kind is not SanctionKind.PAY_PLAYER:
        return "it pays nobody in particular"
    if len(set(sanction.measures)) < len(sanction.measures):
        return "a measure stands twice"
    if sanction.kind is SanctionKind.MEASURE and not sanction.measures:
        return "it is empty"
    return "a choice must be made" if sanction.kind is SanctionKind.CHOICE else None


def _parts(sanction: Sanction) -> Iterator[Sanction]:
    """Take a sanction apart: what it costs, and each measure; who is paid is asked elsewhere."""
    if sanction.kind is not SanctionKind.MEASURE:
        yield replace(sanction, measures=(), to="")
    yield from (measure(one) for one in sanction.measures)


def _of_the_kind(rules: FoulRules, alert: Alert) -> Iterator[Sanction]:
    ladder = rules.ladders.get(alert.foul.kind)
    known = (*ladder.steps, *ladder.choices) if ladder else ()
    for sanction in (*known, alert.proposal):
        yield from _parts(sanction)
    if ladder and ladder.started and alert.foul.measured:
        for count in range(spans(ladder.started, alert.foul)):
            yield points(ladder.started.points * (count + 1))


def _of_the_powers(rules: FoulRules) -> Iterator[Sanction]:
    powers = rules.powers
    yield from map(points, powers.points)
    yield from (Sanction(SanctionKind.PAY_EACH, amount) for amount in powers.each)
    yield from (Sanction(SanctionKind.PAY_PLAYER, amount) for amount in powers.player)
    yield from (measure(one) for one in sorted(powers.measures))
