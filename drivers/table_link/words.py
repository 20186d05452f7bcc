"""Frames of the table link in words, as `tablewarden wire` and the log show them."""

from collections.abc import Iterable, Iterator
from enum import IntEnum, IntFlag

from drivers.recorder import Noted
from drivers.table_link.codes import (
    Ability,
    CallKind,
    Change,
    Ending,
    FaultCode,
    Flag,
    Happening,
    Input,
    Kind,
    MachineBit,
    Question,
    Refusal,
    Stage,
    Verb,
)
from drivers.table_link.frames import Arrival, Damage, Deframer, Frame
from drivers.table_link.messages import read

_NUMBERS: dict[str, type[IntEnum]] = {
    "question": Question,
    "input": Input,
    "change": Change,
    "call": CallKind,
    "verb": Verb,
    "stage": Stage,
    "ending": Ending,
    "refusal": Refusal,
    "happening": Happening,
    "fault": FaultCode,
}
_BITS: dict[str, type[IntFlag]] = {"machine": MachineBit, "abilities": Ability}
_SHOWN_BYTES = 24
_UNSAID = ("", 0, ())


def words(noted: Iterable[Noted]) -> Iterator[str]:
    """Say what each frame means; what was sent is noted as bytes."""
    for one in noted:
        if isinstance(one.what, bytes):
            yield "; ".join(map(arrival_words, Deframer().feed(one.what)))
        elif isinstance(one.what, Frame | Damage):
            yield arrival_words(one.what)
        else:
            yield str(one.what)


def arrival_words(arrival: Arrival) -> str:
    """Say what a frame means, or what is wrong with what is none."""
    message = read(arrival) if isinstance(arrival, Frame) else arrival
    if isinstance(message, Damage):
        more = " ..." if len(message.raw) > _SHOWN_BYTES else ""
        return f"DAMAGED ({message.harm}): {message.raw[:_SHOWN_BYTES].hex(' ')}{more}"
    said = [_said(name, getattr(message, name)) for name in message.__slots__]
    return f"{_head(arrival)}: {', '.join(filter(None, said))}".rstrip(": ")


def _head(arrival: Arrival) -> str:
    if isinstance(arrival, Damage):
        return "DAMAGED"
    number = f" {arrival.seq}" if arrival.seq else ""
    ack = f", acknowledges {arrival.ack}" if arrival.ack else ""
    again = " again" if arrival.flags & Flag.REPLAY else ""
    return f"{Kind(arrival.kind).name}{number}{again}{ack}"


def _said(name: str, value: object) -> str:
    if value in _UNSAID and name not in ("boot", "seat"):
        return ""
    if isinstance(value, int) and name in _NUMBERS:
        known = {one.value: one.name for one in _NUMBERS[name]}
        return f"{name} {_plain(known.get(value, str(value)))}"
    if isinstance(value, int) and name in _BITS:
        return f"{name} {'+'.join(_plain(bit.name or '') for bit in _BITS[name] if bit & value)}"
    if isinstance(value, int) and name == "boot":
        return f"boot {value:08x}"
    if isinstance(value, int) and name.endswith("_ms") and name != "debounce_ms":
        return f"{name.removesuffix('_ms')} {value / 1000:.3f} s"
    return f"{name.replace('_', ' ')} {value}"


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")
