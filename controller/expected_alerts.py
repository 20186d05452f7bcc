"""Expectations of alerts, rulings and what they cost."""

from collections.abc import Callable

from controller.sight import Check, Sight, same
from scoring.alert import Alert, AlertStatus
from scoring.ledger import ledger
from table.fouls import FoulKind
from table.sanctions import Sanction
from table.script_words import Words

_Ask = Callable[[Alert], str | None]
"""Returns what is the case instead, or None."""


def no_alert(sight: Sight) -> str | None:
    """Expect that nothing is before the referee."""
    undecided = sight.state.docket.undecided
    return f"undecided are {', '.join(undecided)}" if undecided else None


def expected_alert(words: Words) -> Check:
    """Read `last`, or an id, and what is to be true of that alert.

    Raises:
        ScriptError: a word is none that may stand there.
    """
    named = words.take("the alert (last, or its id)")
    asked = [_ask(words)]
    while words.left:
        asked.append(_ask(words))

    def check(sight: Sight) -> str | None:
        alert = sight.state.docket.alerts.get(sight.alert(named))
        if alert is None:
            return "there is no such alert"
        return next((said for ask in asked if (said := ask(alert))), None)

    return check


def expected_ledger(words: Words) -> Check:
    """Read a player and the points received minus those paid.

    Raises:
        ScriptError: a word is none that may stand there.
    """
    player = words.take("a player")
    wanted = words.whole("a number of points", range(-9999, 10000))
    return same(
        wanted,
        lambda sight: ledger(sight.state.docket).totals.get(player, 0),
        lambda found: f"{player} has {found:+}",
    )


def _ask(words: Words) -> _Ask:
    word = words.choose("what is said of the alert", (*_ASKED, *AlertStatus, *FoulKind))
    if word in _ASKED:
        return _ASKED[word](words)
    if word in set(FoulKind):
        return lambda alert: _unless(alert.foul.kind == word, f"it is for {alert.foul.kind}")
    return lambda alert: _unless(alert.status == word, f"it is {alert.status}")


def _proposes(words: Words) -> _Ask:
    wanted = words.sanction()
    return lambda alert: _unless(alert.proposal == wanted, f"it proposes {alert.proposal}")


def _imposed(words: Words) -> _Ask:
    wanted: Sanction | None = None if words.takes("nothing") else words.sanction()
    return lambda alert: _unless(alert.imposed == wanted, f"imposed is {alert.imposed}")


def _step(words: Words) -> _Ask:
    wanted = words.whole("a step", range(1, 100))
    return lambda alert: _unless(alert.step == wanted, f"it is step {alert.step}")


def _seat(words: Words) -> _Ask:
    wanted = words.seat()
    return lambda alert: _unless(alert.foul.seat is wanted, f"it is of seat {alert.foul.seat}")


def _player(words: Words) -> _Ask:
    wanted = words.take("a player")
    return lambda alert: _unless(alert.player == wanted, f"it is of {alert.player}")


def _objector(words: Words) -> _Ask:
    wanted = words.seat()
    return lambda alert: _unless(alert.objector is wanted, f"the objector is {alert.objector}")


_ASKED: dict[str, Callable[[Words], _Ask]] = {
    "proposes": _proposes,
    "imposed": _imposed,
    "step": _step,
    "seat": _seat,
    "player": _player,
    "objector": _objector,
    "marked": lambda _: lambda alert: _unless(alert.marked, "it is not marked"),
    "escalated": lambda _: lambda alert: _unless(bool(alert.escalated), "it is not escalated"),
}


def _unless(met: bool, instead: str) -> str | None:  # noqa: FBT001 - read as: unless met
    return None if met else instead
