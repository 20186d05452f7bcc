"""Events of the contract as lines for a terminal: what a referee would have seen.

The rehearsal and the watcher of a demonstration print through here, so that both say the same of
the same hand.
"""

from collections.abc import Callable, Mapping, Sequence
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
    entered = f", entered by {data['entered_by']}" if data["entered_by"] else ""
    remark = f": {data['remark']}" if data["remark"] else ""
    presumed = ", start presumed" if data["presumed"] else ""
    return (
        f"foul {data['id']}: {data['kind']} by seat {data['seat']}{_measures(data)}"
        f" ({data['rule']}){presumed}{entered}{remark}"
    )


def _measures(data: Data) -> str:
    """Tell what was measured against which limit, if anything was."""
    if data["measured"] is None:
        return ""
    limit = "" if data["limit_us"] is None else f", limit {seconds(data['limit_us'])} s"
    return f", {_span(data['measured'])}{limit}"


def _too_close(data: Data) -> str:
    return f"too close to call: {data['kind']} by seat {data['seat']}{_measures(data)}"


def _overrun(data: Data) -> str:
    return (
        f"recorded only: {data['kind']} by seat {data['seat']}, {_span(data['measured'])} from a"
        f" presumed start, margin {seconds(data['margin_us'])} s"
    )


def sanction(data: Data) -> str:
    """Return a sanction in a few words."""
    points = data["points"]
    cost = {
        "points": f"-{points}",
        "pay-each": f"{points} to each",
        "pay-player": f"{points} to {data['to'] or 'one player'}",
        "measure": "",
        "choice": "the referee's choice",
    }.get(data["kind"], data["kind"])
    return ", ".join(filter(None, (cost, *data["measures"]))) or "nothing"


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
    return (
        f"alert {identity} {last['deed'] or alert['status']} by {last['person']}{imposed}{reason}"
    )


def _changed(data: Data) -> str:
    holder = data["alert"]["holder"]
    return _alert("{status}" + (" by {holder}" if holder else "") + ", proposes {proposal}")(data)


def _machine(data: Data) -> str:
    cause = f": {data['cause']}" if data["cause"] else ""
    return f"machine {data['phase']}{cause}"


def _fault(data: Data) -> str:
    code = f" (code {data['code']})" if data["fault"] == "unknown" and data["code"] else ""
    text = f": {data['text']}" if data["text"] else ""
    grave = "notice" if data["severity"] == 1 else "fault"
    return f"machine {grave} {data['fault']}{code}{text}"


def _cycle(data: Data) -> str:
    disturbed = ", with a fault in it" if data["disturbed"] else ""
    expected = seconds(data["expected_us"])
    return f"the cycle took {_span(data['taken'])}, {expected} s expected{disturbed}"


def _dice(data: Data) -> str:
    return f"dice: {', '.join(map(str, data['values'] or ())) or 'not read'}"


def _hand_ended(data: Data) -> str:
    winners = data["winners"] or ([data["winner"]] if data["winner"] else [])
    won = f", won by {_seats(winners)}" if winners else ""
    reason = f" ({data['reason']})" if data["reason"] else ""
    return f"hand {data['hand']} over: {data['result']}{won}{reason}"


def _seats(seats: Sequence[int]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {', '.join(map(str, seats))}"


def _hu_ranked(data: Data) -> str:
    winners = f"{_seats(data['winners'])} would win" if data["winners"] else "nobody would win"
    discarder = f" on the discard of seat {data['discarder']}" if data["discarder"] else ""
    kong = f", robbing the kong of seat {data['kong']}" if data["kong"] else ""
    return f"declared by {_seats(data['declared'])}: {winners}{discarder}{kong}"


def _restricted(data: Data) -> str:
    forbidden = [said for name, said in _FORBIDDEN.items() if data["restriction"][name]]
    return f"seat {data['seat']} {', '.join(forbidden) or 'may do everything again'}"


def _withdrawn(data: Data) -> str:
    return f"seat {data['seat']} withdrew its call{' of ' + data['call'] if data['call'] else ''}"


def _decreed(data: Data) -> str:
    reason = f": {data['reason']}" if data["reason"] else ""
    return f"{data['order']} by {data['person']}{reason}"


def _wall(data: Data) -> str:
    if data["wall"] is not None:
        return f"the wall of seat {data['wall']} is broken at stack {data['stack']}"
    if data["thrower"] is not None:
        return f"seat {data['thrower']} throws second"
    return "where the wall is broken is not known"


_FORBIDDEN = {
    "no_hu": "may not win",
    "no_calls": "may not call",
    "mechanical": "discards what it draws",
    "out": "is played by a stand-in",
}


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
    "hu-ranked": _hu_ranked,
    "hu-taken-back": _seat("takes hu back"),
    "barred": _seat("may not {what}: nothing follows"),
    "seat-restricted": _restricted,
    "stand-in-seated": _seat("is played by {stand_in} in place of {player}"),
    "call-withdrawn": _withdrawn,
    "seat-ready": _seat("is ready"),
    "referee-wanted": _seat("calls the referee"),
    "call-answered": _seat("is answered by the referee"),
    "play-paused": lambda data: f"paused: {data['reason'] or 'no reason given'}",
    "play-resumed": lambda _: "play goes on",
    "time-given": lambda data: f"seat {data['seat']} has {seconds(data['span_us'])} s more",
    "extra-time-given": lambda data: (
        f"the table has {seconds(data['span_us'])} s more, {seconds(data['total_us'])} s in all"
    ),
    "turn-set": _seat("is on turn, says the referee"),
    "decreed": _decreed,
    "wall-broken": _wall,
    "table-armed": lambda _: "the table is armed: hands may begin, motors may run",
    "table-disarmed": lambda data: f"the table is disarmed: {data['reason']}",
    "step-lost": lambda data: f"out of step ({data['cause']}): no clocks, no fouls",
    "foul-seen": _foul,
    "too-close": _too_close,
    "overrun-recorded": _overrun,
    "foul-recorded": lambda data: f"for the record only: {data['foul']['id']}",
    "alert-recorded": _alert("recorded, {player}: would propose {proposal}, nobody objected yet"),
    "alert-raised": _alert("raised, {player}: proposes {proposal}"),
    "alert-changed": _changed,
    "alert-marked": _alert("to be looked at again, proposes {proposal}"),
    "alert-dropped": _alert("dropped: the rulings it followed from stand no more"),
    "alert-lapsed": _alert("lapsed: nobody took it before the next hand"),
    "ruling-made": _ruling,
    "dice-thrown": _dice,
    "machine-changed": _machine,
    "fault-reported": _fault,
    "fault-repeated": lambda data: f"machine fault {data['fault']} again, {data['times']} times",
    "fault-gone": lambda data: f"machine fault {data['fault']} is gone",
    "cycle-measured": _cycle,
    "cycle-reopened": lambda _: "the cycle is paused, the table is open",
    "cycle-went-on": lambda _: "the table is closed, the cycle goes on",
    "lift-placed": lambda data: (
        f"the lift is {data['position'] or 'nobody knows where'}: {data['source']}"
    ),
    "play-in-doubt": lambda data: (
        f"hand {data['hand']} may be unfair ({data['fault']}): {data['reason']}"
    ),
    "ignored": lambda data: f"ignored: {data['reason']}",
    "refused": lambda data: f"refused ({data['code']}): {data['reason']}",
}
