"""Brings what earlier versions wrote of a table into the present form; pure, from JSON to JSON.

A later version mostly adds fields that have a default, which needs no words here. Faults of the
machine were bare kinds up to version 1.1, whose codes are not known. What 0.1.0 wrote is told apart
by the missing `evidence`; it had another form: the dice of the machine, the presses, pauses and hu
of the hand, and the lists of the docket. Moments that were not kept are said to be implied at 0;
none of them is measured from, as a table is out of step when it is recovered.
"""

from typing import Any, TypeAlias

from table.events import Fault
from table.faults import nature

Plain: TypeAlias = Any
_UNKNOWN_WHEN = {"earliest": 0, "latest": 0, "quality": "implied", "stamp": None}


def renewed(memory: Plain) -> Plain:
    """Return a table's memory in the present form; what has it already is left alone."""
    memory = memory if "evidence" in memory else _renewed_whole(memory)
    faults = memory["state"]["machine"]["phase"].get("faults", [])
    if not any(isinstance(fault, str) for fault in faults):
        return memory
    state = memory["state"]
    phase = {**state["machine"]["phase"], "faults": [_fault(fault) for fault in faults]}
    return {**memory, "state": {**state, "machine": {**state["machine"], "phase": phase}}}


def _fault(fault: str) -> Plain:
    """Grade a fault of which only the kind was kept, as a new one of that kind is graded."""
    return {"fault": fault, "severity": nature(Fault(fault)).severity.value}


def _renewed_whole(memory: Plain) -> Plain:
    """Renew what version 0.1.0 wrote."""
    state = memory["state"]
    hand = {**state["hand"], "phase": _phase(state["hand"], state["hand"]["phase"])}
    docket = _docket(state["docket"])
    state = {"hand": hand, "machine": _machine(state["machine"]), "docket": docket}
    return {**memory, "state": state, "evidence": {"hand": [], "records": {}}}


def _phase(hand: Plain, part: Plain) -> Plain:
    """Renew a phase of a hand and every phase that it holds, however deep."""
    if isinstance(part, list):
        return [_phase(hand, one) for one in part]
    if not isinstance(part, dict):
        return part
    inner = {name: _phase(hand, value) for name, value in part.items()}
    match part.get("type"):
        case "Verifying":
            calls = [{"seat": seat, "when": _UNKNOWN_WHEN} for seat in part["declared"]]
            return {**inner, "declared": calls}
        case "Paused":
            return {**inner, "since": _UNKNOWN_WHEN}
        case None if "overruns" in part:
            return _held_press(hand, inner)
        case _:
            return inner


def _held_press(hand: Plain, press: Plain) -> Plain:
    """Have a press go back to the whole hand before it, where once it kept two things of it."""
    before = {**hand, "phase": press["before"], "missed": press["missed"]}
    kept = {name: press[name] for name in ("seat", "overruns")}
    return {**kept, "when": _UNKNOWN_WHEN, "before": before}


def _machine(machine: Plain) -> Plain:
    """Keep the newest throw; which one it was of two is not known."""
    kept = {name: value for name, value in machine.items() if name != "dice"}
    return {**kept, "throws": [machine["dice"]] if machine.get("dice") else []}


def _docket(docket: Plain) -> Plain:
    """List the alerts as they are listed now, in the order in which they were ruled on."""
    order = {name: place for place, name in enumerate(docket["standing"], start=1)}
    alerts = {name: _alert(alert, order.get(name, 0)) for name, alert in docket["alerts"].items()}
    standing: dict[str, list[str]] = {}
    hands: dict[str, list[str]] = {}
    for name in order:
        standing.setdefault(alerts[name]["player"], []).append(name)
    for name, alert in alerts.items():
        hands.setdefault(alert["foul"]["hand"], []).append(name)
    return {
        "alerts": alerts,
        "undecided": docket["undecided"],
        "standing": standing,
        "marked": [name for name in order if alerts[name]["marked"]],
        "hands": hands,
        "ruled": len(order),
        "last": docket["last"],
    }


def _alert(alert: Plain, order: int) -> Plain:
    """Say of every ruling what it did, and of the last one where it stands."""
    *earlier, last = [*alert["rulings"]] or [None]
    if last is None:
        return alert
    rulings = [{**one, "deed": _deed(one)} for one in earlier]
    rulings.append({**last, "deed": alert["status"], "step": alert["step"], "order": order})
    return {**alert, "rulings": rulings}


def _deed(ruling: Plain) -> str:
    """Guess what an earlier ruling did: a confirmation needed no reason, another sanction did."""
    if ruling["sanction"] is None:
        return "waived"
    return "modified" if ruling["reason"] else "confirmed"
