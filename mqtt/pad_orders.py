"""What the pads of a table say: phones and tablets that take the place of buttons; pure."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from mqtt.arguments import Arguments
from mqtt.topics import ID

_LARGEST = 2**53 - 1
_Micros: TypeAlias = Annotated[int, Field(ge=0, le=_LARGEST)]
_SeatNumber: TypeAlias = Literal[1, 2, 3, 4]
_Pad: TypeAlias = Annotated[str, Field(pattern=f"^{ID.pattern}$")]


class PadBeatArguments(Arguments):
    """Which seat's pad is there."""

    seat: _SeatNumber
    pad: _Pad
    """Chosen anew each time that the pad begins: its clock and the order of its presses."""


class PressArguments(PadBeatArguments):
    """What happened at an input of a pad, and when as far as its own clock tells.

    Times are µs of the pad's own monotonic clock, whatever its zero; none of them is a wall clock.
    """

    input: Literal["discard", "claim"]
    change: Literal["pressed", "released", "held"]
    """`held`: it has been down for 1 s and still is."""
    session: Annotated[int, Field(ge=0, le=_LARGEST)]
    """Of the node, as in its heartbeat; `node_ms` belongs to it."""
    node_ms: Annotated[int, Field(ge=0, le=_LARGEST)]
    """A reading of the node's `uptime_ms` that the pad had heard, the newest or the best one."""
    heard_us: _Micros
    """When the pad had it."""
    first_us: _Micros
    """The first edge of this press."""
    changed_us: _Micros
    """This change; the same as `first_us` when the input is pressed."""
    sent_us: _Micros
    """When this message was sent, or sent again."""


@dataclass(frozen=True, slots=True)
class PadVerb:
    """One verb of a table that is played with pads; it needs no precondition."""

    does: str
    """One sentence for the page of the contract."""
    arguments: type[PadBeatArguments]


PAD_VERBS: dict[str, PadVerb] = {
    "press": PadVerb(
        "An input of a seat's pad was pressed, let go or held; only at a table of pads.",
        PressArguments,
    ),
    "pad-beat": PadVerb(
        "A seat's pad is there; said every 2 s, and after 6 s without any the table is away.",
        PadBeatArguments,
    ),
}
"""Verbs of a table of pads by name."""


@dataclass(frozen=True, slots=True)
class PadOrder:
    """What a pad says, well formed."""

    id: str
    login: str
    """As the broker knows the sender, which is the board that serves the pad."""
    person: str
    """Names the pad: nobody is logged in at it."""
    table: str
    verb: str
    arguments: PadBeatArguments
    reply_topic: str
    expiry_seconds: int | None
    """What was left of it when the broker handed the message on."""
    node: str = ""
    """No node is meant as a whole."""
