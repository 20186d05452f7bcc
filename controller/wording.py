"""Events of the contract as lines for a terminal: what a referee would have seen.

The rehearsal and the watcher of a demonstration print through here, so that both say the same of
the same hand.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Data: TypeAlias = Mapping[str, Any]
SECOND_US = 1_000_000


def line(kind: str, data: Data) -> str:
    """Return one line about an event; of a kind that is not known the name alone."""
    tell = _LINES.get(kind)
    return tell(data) if tell else kind


def seconds(micros: int) -> str:
    """Return microseconds as seconds with three decimals, more where the time has more."""
    sign, micros = ("-", -micros) if micros < 0 else ("", micros)
    whole, part = divmod(micros, SECOND_US)
    decimals = f"{part:06}".rstrip("0").ljust(3, "0")
    return f"{sign}{whole}.{decimals}"


def _span(least_most: Data) -> str:
    least, most = seconds(least_most["least_us"]), seconds(least_most["most_us"])
    return f"{least} s" if least == most else f"{least} to {most} s"


def _seat(said: str) -> Callable[[Data], str]:
    """Tell what a seat did, the other fields in the words of the sentence."""
    return lambda data: f"seat {data['seat']} " + said.format(**data)


def _turn_started(data: Data) -> str:
    start = "waits" if data["start"] is None else "runs"
    presumed = ", start presumed" if data["presumed"] else ""
    return f"seat {data['seat']} on turn: {seconds(data['limit_us'])} s, clock {start}{presumed}"


def _discarded(data: Data) -> str:
    return f"seat {data['seat']} discarded" + (" without pressing" if data["implied"] else "")


def _measured(data: Data) -> str:
    presumed = " from a presumed start" if data["presumed"] else ""
    taken = _span(data["taken"])
    return f"seat {data['seat']} took {taken} of {seconds(data['limit_us'])} s{presumed}"


def _claimed(data: Data) -> str:
    called = data["call"] or "the discard"
    return f"seat {data['seat']} claims {called} after {_span(data['taken'])}"


def _replaced(data: Data) -> str:
    cause = f" for a {data['call']}" if data["call"] else ""
    return f"seat {data['seat']} took a replacement tile{cause}"


def _foul(data: Data) -> str:
    presumed = ", start presumed" if data["presumed"] else ""
    return (
        f"foul {data['id']}: {data['kind']} by seat {data['seat']}, {_span(data['measured'])},"
        f" limit {seconds(data['limit_us'])} s ({data['rule']}){presumed}"
    )


def _too_close(data: Data) -> str:
    return (
        f"too close to call: {data['kind']} by seat {data['seat']}, {_span(data['measured'])},"
        f" limit {seconds(data['limit_us'])} s"
    )


def _overrun(data: Data) -> str:
    return (
        f"recorded only: {data['kind']} by seat {data['seat']}, {_span(data['measured'])} from a"
        f" presumed start, margin {seconds(data['margin_us'])} s"
    )


def sanction(data: Data) -> str:
    """Return a sanction in a word."""
    return "warning" if data["kind"] == "warning" else f"-{data['points']}"


def _alert(said: str) -> Callable[[Data], str]:
    def tell(data: Data) -> str:
        alert = data["alert"]
        proposal = f"{sanction(alert['proposal'])} (step {alert['step']}, {alert['rule']})"
        return f"alert {alert['foul']['id']} " + said.format(**{**alert, "proposal": proposal})

    return tell


def _ruling(data: Data) -> str:
    alert, last = data["alert"], data["alert"]["rulings"][-1]
    imposed = f", {sanction(last['sanction'])}" if last["sanction"] else ""
    reason = f": {last['reason']}" if last["reason"] else ""
    identity = alert["foul"]["id"]
    return f"alert {identity} {alert['status']} by {last['person']}{imposed}{reason}"


def _changed(data: Data) -> str:
    holder = data["alert"]["holder"]
    return _alert("{status}" + (" by {holder}" if holder else "") + ", proposes {proposal}")(data)


def _machine(data: Data) -> str:
    cause = f": {data['cause']}" if data["cause"] else ""
    return f"machine {data['phase']}{cause}"


def _dice(data: Data) -> str:
    return f"dice: {', '.join(map(str, data['values'] or ())) or 'not read'}"


def _hand_ended(data: Data) -> str:
    winner = f", won by seat {data['winner']}" if data["winner"] else ""
    return f"hand {data['hand']} over: {data['result']}{winner}"


_LINES: dict[str, Callable[[Data], str]] = {
    "hand-started": lambda data: f"hand {data['hand']} began, seat {data['dealer']} deals",
    "hand-ended": _hand_ended,
    "players-seated": lambda data: f"players: {', '.join(data['players'].values())}",
    "turn-started": _turn_started,
    "discarded": _discarded,
    "turn-measured": _measured,
    "window-opened": lambda data: f"call window open, {seconds(data['limit_us'])} s",
    "window-closed": lambda _: "call window closed",
    "claimed": _claimed,
    "replaced": _replaced,
    "drawn": _seat("drew"),
    "over-limit": _seat("is at the limit: buzzer, not yet a foul"),
    "over-limit-closed": _seat("notice closed"),
    "presses-missed": _seat("let others press for it ({count} in this hand)"),
    "hu-announced": _seat("declares hu: all clocks stand"),
    "hu-taken-back": _seat("takes hu back"),
    "referee-wanted": _seat("calls the referee"),
    "play-paused": lambda data: f"paused: {data['reason'] or 'no reason given'}",
    "play-resumed": lambda _: "play goes on",
    "step-lost": lambda data: f"out of step ({data['cause']}): no clocks, no fouls",
    "foul-seen": _foul,
    "too-close": _too_close,
    "overrun-recorded": _overrun,
    "foul-recorded": lambda data: f"for the record only: {data['foul']['id']}",
    "alert-raised": _alert("raised, {player}: proposes {proposal}"),
    "alert-changed": _changed,
    "alert-marked": _alert("to be looked at again, proposes {proposal}"),
    "alert-lapsed": _alert("lapsed: nobody took it before the next hand"),
    "ruling-made": _ruling,
    "dice-thrown": _dice,
    "machine-changed": _machine,
    "fault-reported": lambda data: f"machine fault {data['fault']}",
    "fault-gone": lambda data: f"machine fault {data['fault']} is gone",
    "ignored": lambda data: f"ignored: {data['reason']}",
    "refused": lambda data: f"refused ({data['code']}): {data['reason']}",
}
