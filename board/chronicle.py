"""What happened at a table, told in sentences from its events; pure.

A kind of event that nobody needs to read, or that is newer than this board, is passed over.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from board.table_view import Seen, TableView
from board.texts import say
from board.words import limit, measured, sanction
from mqtt.parts import SanctionFields

_Fields: TypeAlias = Mapping[str, Any]
_DECIDED = frozenset({"ruling-made", "alert-lapsed"})


def told(seen: Seen) -> str | None:
    """Return one sentence about an event, or None where it is passed over."""
    tell = _TELLERS.get(seen.kind)
    if tell is None:
        return None
    try:
        return tell(seen.envelope.data)
    except (KeyError, TypeError, ValueError):
        return say("event.unreadable", kind=seen.kind)


def verdict(table: TableView, alert: str) -> str | None:
    """Return how an alert was settled, as far as this board heard of it."""
    for seen in reversed(table.events):
        told_of = seen.envelope.data.get("alert")
        if seen.kind in _DECIDED and isinstance(told_of, Mapping) and _id(told_of) == alert:
            return _settled(told_of)
    return None


def _id(alert: _Fields) -> object:
    foul = alert.get("foul")
    return foul.get("id") if isinstance(foul, Mapping) else None


def _settled(alert: _Fields) -> str:
    status = say(f"alert.{alert['status']}", holder=alert["holder"])
    rulings = alert.get("rulings")
    if not rulings:
        return status
    last = rulings[-1]
    what = f" ({_sanction(last['sanction'])})" if last.get("sanction") else ""
    because = f": {last['reason']}" if last.get("reason") else ""
    return say("answer.settled", status=f"{status}{what}", person=last["person"], reason=because)


def _sanction(fields: _Fields) -> str:
    return sanction(SanctionFields.model_validate(fields))


def _plain(kind: str) -> Callable[[_Fields], str]:
    """Tell an event whose fields stand in the sentence as they are."""
    return lambda data: say(f"event.{kind}", **data)


def _named(kind: str, group: str, field: str) -> Callable[[_Fields], str]:
    """Tell an event of which one field is a word of a group of texts."""
    return lambda data: say(f"event.{kind}", **{**data, field: say(f"{group}.{data[field]}")})


def _took(kind: str, field: str = "measured") -> Callable[[_Fields], str]:
    """Tell an event about a measured time."""

    def tell(data: _Fields) -> str:
        least, most = data[field]["least_us"], data[field]["most_us"]
        words = {
            "measured": measured(least, most, data.get("limit_us", 0)),
            "limit": limit(data.get("limit_us", 0)),
            "call": say(f"call.{data.get('call') or 'unknown'}"),
        }
        return say(f"event.{kind}", seat=data["seat"], **words)

    return tell


def _of_alert(kind: str) -> Callable[[_Fields], str]:
    def tell(data: _Fields) -> str:
        alert = data["alert"]
        words = {
            "foul": say(f"alert.{alert['foul']['kind']}"),
            "player": alert["player"],
            "proposal": _sanction(alert["proposal"]),
            "holder": alert["holder"],
            "settled": _settled(alert),
        }
        return say(f"event.{kind}", **words)

    return tell


def _discarded(data: _Fields) -> str:
    return say("event.implied" if data["implied"] else "event.discarded", seat=data["seat"])


def _alert_changed(data: _Fields) -> str:
    taken = data["alert"]["status"] == "acknowledged"
    return _of_alert("alert-taken" if taken else "alert-changed")(data)


def _paused(data: _Fields) -> str:
    reason = f": {data['reason']}" if data["reason"] else ""
    return say("event.play-paused", reason=reason)


def _replaced(data: _Fields) -> str:
    call = say(f"call.{data['call'] or 'unknown'}")
    return say("event.replaced", seat=data["seat"], call=call)


def _ended(data: _Fields) -> str:
    winner = say("event.winner", seat=data["winner"]) if data.get("winner") else ""
    return say("event.hand-ended", result=say(f"result.{data['result']}"), winner=winner)


def _dice(data: _Fields) -> str:
    values = data["values"]
    return say("event.dice-thrown", values=" + ".join(map(str, values)) if values else "?")


def _machine(data: _Fields) -> str:
    cause = f" ({data['cause']})" if data.get("cause") else ""
    return say("event.machine-changed", phase=say(f"machine.{data['phase']}"), cause=cause)


def _recorded(data: _Fields) -> str:
    foul = say(f"alert.{data['foul']['kind']}")
    return say("event.foul-recorded", foul=foul, player=data["player"])


_TELLERS: dict[str, Callable[[_Fields], str]] = {
    "hand-started": _plain("hand-started"),
    "hand-ended": _ended,
    "discarded": _discarded,
    "turn-measured": _took("turn-measured", "taken"),
    "claimed": _took("claimed", "taken"),
    "replaced": _replaced,
    "over-limit": _plain("over-limit"),
    "presses-missed": _plain("presses-missed"),
    "hu-announced": _plain("hu-announced"),
    "hu-taken-back": _plain("hu-taken-back"),
    "referee-wanted": _plain("referee-wanted"),
    "play-paused": _paused,
    "play-resumed": _plain("play-resumed"),
    "step-lost": _plain("step-lost"),
    "too-close": _took("too-close"),
    "overrun-recorded": _took("overrun-recorded"),
    "foul-recorded": _recorded,
    "alert-raised": _of_alert("alert-raised"),
    "alert-changed": _alert_changed,
    "alert-marked": _of_alert("alert-marked"),
    "alert-lapsed": _of_alert("alert-lapsed"),
    "ruling-made": _of_alert("ruling-made"),
    "dice-thrown": _dice,
    "machine-changed": _machine,
    "fault-reported": _named("fault-reported", "fault", "fault"),
    "fault-gone": _named("fault-gone", "fault", "fault"),
}
