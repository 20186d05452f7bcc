"""What may be ordered of the venue as a whole: nothing that a table does; pure."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from mqtt.arguments import Arguments
from mqtt.topics import ID


class ForgetArguments(Arguments):
    """Which node will not come back."""

    node: Annotated[str, Field(pattern=f"^{ID.pattern}$")]


@dataclass(frozen=True, slots=True)
class Chore:
    """One verb of the venue; it needs no precondition."""

    does: str
    """One sentence for the page of the contract."""
    arguments: type[ForgetArguments]


VENUE_VERBS: dict[str, Chore] = {
    "forget-node": Chore(
        "Clear every retained topic of a node that is gone for good, and of its tables.",
        ForgetArguments,
    )
}
"""Verbs of the venue by name; the node that keeps the venue does it."""


@dataclass(frozen=True, slots=True)
class VenueOrder:
    """An order for the venue that is well formed."""

    id: str
    login: str
    """As the broker knows the sender."""
    person: str
    """As the sender authenticated it."""
    verb: str
    node: str
    """The node that is to be forgotten."""
    reply_topic: str
    expiry_seconds: int | None
    """What was left of it when the broker handed the message on."""
    table: str = ""
    """No table alone is meant."""
