"""What happened to a machine, told in sentences from its events; pure."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from board.machine_state import fault_name
from board.texts import say
from board.wall import shown
from board.words import limit, measured
from mqtt.parts import FaultFields

_Fields: TypeAlias = Mapping[str, Any]
_NOTICE = 1


def _phase(data: _Fields) -> str:
    cause = f" ({data['cause']})" if data.get("cause") else ""
    return say("event.machine-changed", phase=say(f"machine.{data['phase']}"), cause=cause)


def _dice(data: _Fields) -> str:
    return say("event.dice-thrown", values=shown(data["values"]))


def _fault(data: _Fields) -> str:
    return fault_name(
        FaultFields(
            fault=data["fault"],
            severity=data.get("severity", 0),
            code=data.get("code", 0),
            text=data.get("text", ""),
        )
    )


def _reported(data: _Fields) -> str:
    key = "fault-noticed" if data.get("severity") == _NOTICE else "fault-reported"
    return say(f"event.{key}", fault=_fault(data))


def _took(data: _Fields) -> str:
    taken = measured(data["taken"]["least_us"], data["taken"]["most_us"], 0)
    key = "cycle-disturbed" if data["disturbed"] else "cycle-measured"
    return say(f"event.{key}", taken=taken, expected=limit(data["expected_us"]))


def _lift(data: _Fields) -> str:
    return say(f"event.lift-{data['position'] or 'unknown'}", source=data["source"])


MACHINE_TELLERS: Final[Mapping[str, Callable[[_Fields], str | None]]] = {
    "dice-thrown": _dice,
    "machine-changed": _phase,
    "fault-reported": _reported,
    "fault-repeated": lambda data: say(
        "event.fault-repeated", fault=_fault(data), times=data["times"]
    ),
    "fault-gone": lambda data: say("event.fault-gone", fault=_fault(data)),
    "cycle-measured": _took,
    "cycle-reopened": lambda _: say("event.cycle-reopened"),
    "cycle-went-on": lambda _: say("event.cycle-went-on"),
    "lift-placed": _lift,
    "play-in-doubt": lambda data: say(
        "event.play-in-doubt", fault=_fault(data), reason=data["reason"]
    ),
}
"""By kind of event."""
