"""What the log of a simulated table says, one JSON object per line."""

import re
from dataclasses import asdict
from typing import TypeAlias

from drivers.table_link.codes import Verb
from drivers.table_link.messages import Command
from simulator.deeds import Touch
from table.happening import SensedEvent

LogLine: TypeAlias = dict[str, object]


def edge_line(touch: Touch) -> LogLine:
    """Say which input went down or up."""
    line: LogLine = {"edge": "down" if touch.down else "up", "seat": touch.seat}
    return line | {"input": touch.input} | ({"call": touch.call} if touch.call else {})


def sensed_line(event: SensedEvent) -> LogLine:
    """Say what a sensor saw, or what the machine did."""
    words = re.sub(r"(?<!^)(?=[A-Z])", "-", type(event).__name__).lower()
    return {"sensed": words} | asdict(event)


def command_line(command: Command) -> LogLine:
    """Say which command came in, by the words of the table link; a repeated one comes again."""
    line: LogLine = {"id": command.id}
    match command.verb:
        case Verb.BUZZER:
            return line | {"command": "buzzer", "seat": command.seat, "length_ms": command.value}
        case Verb.LAMP:
            return line | {"command": "lamp", "seat": command.seat, "lit": bool(command.value)}
        case Verb.SHUFFLE | Verb.LIFT | Verb.REOPEN | Verb.RESUME | Verb.DICE | Verb.STOP:
            return line | {"command": Verb(command.verb).name.lower()}
        case unknown:
            return line | {"command": f"unknown {unknown}"}
