"""Models of commands and replies."""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from mqtt.parts import Payload, Utc
from mqtt.payloads import EventEnvelope
from mqtt.topics import ID


class PreconditionFields(Payload):
    """What must still hold when a command arrives; which one a verb needs stands in its table."""

    model_config = ConfigDict(extra="forbid", strict=True)

    revision: int | None = None
    hand: str | None = None
    machine_seq: int | None = None


class CommandPayload(Payload):
    """An order."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: str = Field(pattern=f"^{ID.pattern}$")
    """Chosen by the sender, never used twice: the same id again gets the same reply."""
    person: str = Field(min_length=1, max_length=100)
    """Who orders, as the sender authenticated it."""
    precondition: PreconditionFields = PreconditionFields()
    arguments: dict[str, Any] = Field(default_factory=dict)


class ReplyPayload(Payload):
    """What became of a command."""

    id: str
    status: Literal["accepted", "done", "rejected", "failed"]
    code: str = ""
    """Empty where all went well."""
    reason: str = ""
    """One sentence for a person."""
    counts: dict[str, int] = Field(default={})
    """Of an order for a node: how many of its tables answered with each status.

    Of `forget-node`: how many topics were `cleared`.
    """
    seq: int | None = None
    """Newest event of the table when this was written; carries the command's effects if done."""
    events: tuple[EventEnvelope, ...] = ()
    """Of a replay: one page of the events asked for, in order; at most 100 of them."""
    time: Utc
