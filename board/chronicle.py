"""What happened at a table, told in sentences from its events; pure.

A kind of event that nobody needs to read, or that is newer than this board, is passed over.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from board.machine_chronicle import MACHINE_TELLERS
from board.sanction_words import dead_hand, sanction
from board.table_view import Seen, TableView
from board.texts import ENGLISH, say
from board.wall import broken
from board.words import foul_name, limit, measured, span
from mqtt.parts import RestrictionFields, SanctionFields
from table.fouls import FoulKind
from table.seat import Seat

_Fields: TypeAlias = Mapping[str, Any]
Titles: TypeAlias = Mapping[FoulKind, str]
NO_TITLES: Final[Titles] = {}
_DECIDED = frozenset({"ruling-made", "alert-lapsed", "alert-dropped"})
_SECOND_US = 1_000_000


def told(seen: Seen, titles: Titles = NO_TITLES) -> str | None:
    """Return one sentence about an event, or None where it is passed over.

    Args:
        seen: the event.
        titles: what the book of the table calls a foul.
    """
    tell = _TELLERS.get(seen.kind)
    if tell is None:
        return None
    try:
        return tell({**seen.envelope.data, "titles": titles})
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
    if last.get("deed") == "undone":
        status = say("deed.undone")
    what = f" ({_sanction(last['sanction'])})" if last.get("sanction") else ""
    return say(
        "answer.settled", status=f"{status}{what}", person=last["person"], reason=_because(last)
    )


def _sanction(fields: _Fields) -> str:
    return sanction(SanctionFields.model_validate(fields))


def _plain(kind: str) -> Callable[[_Fields], str]:
    """Tell an event whose fields stand in the sentence as they are."""
    return lambda data: say(f"event.{kind}", **data)


def _took(kind: str, field: str = "measured") -> Callable[[_Fields], str]:
    """Tell an event about a measured time."""

    def tell(data: _Fields) -> str:
        least, most = data[field]["least_us"], data[field]["most_us"]
        words = {
            "measured": measured(least, most, data.get("limit_us", 0)),
            "limit": limit(data.get("limit_us", 0)),
            "call": _call(data),
        }
        return say(f"event.{kind}", seat=data["seat"], **words)

    return tell


def _called(kind: str) -> Callable[[_Fields], str]:
    """Tell an event about a call of which the kind may be unknown."""
    return lambda data: say(f"event.{kind}", seat=data["seat"], call=_call(data))


def _call(data: _Fields) -> str:
    return say(f"call.{data.get('call') or 'unknown'}")


def _of_alert(kind: str) -> Callable[[_Fields], str]:
    def tell(data: _Fields) -> str:
        alert = data["alert"]
        words = {
            "foul": foul_name(data["titles"], alert["foul"]["kind"]),
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
    return say("event.play-paused", reason=_because(data))


def _ended(data: _Fields) -> str:
    winners = data.get("winners") or ([data["winner"]] if data.get("winner") else [])
    return say(
        "event.hand-ended",
        result=say(f"result.{data['result']}"),
        winner=say("event.winner", seat=_seats(winners)) if winners else "",
        reason=_because(data),
    )


def _because(data: _Fields) -> str:
    return f": {data['reason']}" if data.get("reason") else ""


def _seats(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats))


def _ranked(data: _Fields) -> str | None:
    winners = data["winners"]
    return say("event.hu-ranked", seats=_seats(winners)) if winners else None


def _barred(data: _Fields) -> str:
    return say(f"event.barred-{data['what']}", seat=data["seat"])


def _restricted(data: _Fields) -> str:
    words = dead_hand(RestrictionFields.model_validate(data["restriction"]))
    if not words:
        return say("event.seat-free", seat=data["seat"])
    return say("event.seat-restricted", seat=data["seat"], words=words)


def _given(kind: str) -> Callable[[_Fields], str]:
    """Tell an event about time that was given."""

    def tell(data: _Fields) -> str:
        spans = {
            name.removesuffix("_us"): span(value // _SECOND_US)
            for name, value in data.items()
            if name.endswith("_us")
        }
        return say(f"event.{kind}", seat=data.get("seat", ""), **spans)

    return tell


def _decreed(data: _Fields) -> str:
    key = f"order.{data['order']}"
    order = say(key).rstrip("…") if key in ENGLISH else data["order"]
    return say("event.decreed", order=order, person=data["person"], reason=_because(data))


def _wall(data: _Fields) -> str | None:
    if data["wall"] and data["stack"]:
        return broken(Seat(data["wall"]), data["stack"])
    return say("table.thrower", seat=data["thrower"]) if data["thrower"] else None


def _recorded(data: _Fields) -> str:
    foul = foul_name(data["titles"], data["foul"]["kind"])
    return say("event.foul-recorded", foul=foul, player=data["player"])


_TELLERS: dict[str, Callable[[_Fields], str | None]] = {
    "hand-started": _plain("hand-started"),
    "hand-ended": _ended,
    "discarded": _discarded,
    "turn-measured": _took("turn-measured", "taken"),
    "claimed": _took("claimed", "taken"),
    "call-withdrawn": _called("call-withdrawn"),
    "replaced": _called("replaced"),
    "over-limit": _plain("over-limit"),
    "presses-missed": _plain("presses-missed"),
    "hu-announced": _plain("hu-announced"),
    "hu-ranked": _ranked,
    "hu-taken-back": _plain("hu-taken-back"),
    "barred": _barred,
    "seat-restricted": _restricted,
    "stand-in-seated": _plain("stand-in-seated"),
    "time-given": _given("time-given"),
    "extra-time-given": _given("extra-time-given"),
    "turn-set": _plain("turn-set"),
    "decreed": _decreed,
    "wall-broken": _wall,
    "seat-ready": _plain("seat-ready"),
    "referee-wanted": _plain("referee-wanted"),
    "call-answered": _plain("call-answered"),
    "play-paused": _paused,
    "play-resumed": _plain("play-resumed"),
    "table-armed": _plain("table-armed"),
    "table-disarmed": _plain("table-disarmed"),
    "step-lost": _plain("step-lost"),
    "too-close": _took("too-close"),
    "overrun-recorded": _took("overrun-recorded"),
    "foul-recorded": _recorded,
    "alert-recorded": _of_alert("alert-recorded"),
    "alert-raised": _of_alert("alert-raised"),
    "alert-changed": _alert_changed,
    "alert-marked": _of_alert("alert-marked"),
    "alert-lapsed": _of_alert("alert-lapsed"),
    "alert-dropped": _of_alert("alert-dropped"),
    "ruling-made": _of_alert("ruling-made"),
    **MACHINE_TELLERS,
}
