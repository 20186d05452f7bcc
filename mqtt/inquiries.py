"""What may be asked of a table's past: verbs that read the record and change nothing; pure."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from mqtt.arguments import Arguments
from mqtt.events import Audience

_LARGEST = 2**63 - 1
_Number: TypeAlias = Annotated[int, Field(ge=0, le=_LARGEST)]


class ReplayArguments(Arguments):
    """Which epoch, after which `tableseq`, and before which where not up to the newest."""

    epoch: _Number
    after: _Number
    before: _Number | None = None

    @field_validator("before")
    @classmethod
    def _leaves_room(cls, before: int | None, others: ValidationInfo) -> int | None:
        after = others.data.get("after", 0)
        if before is not None and before <= after:
            kind, sentence = "range", "must be more than after, which is {after}"
            raise PydanticCustomError(kind, sentence, {"after": after})
        return before


@dataclass(frozen=True, slots=True)
class Question:
    """One verb that asks; who may send it is for the broker's access list to say."""

    asks: str
    """One sentence for the page of the contract."""
    audience: Audience
    """Whose events it is answered with; those for officials include those for everyone."""
    arguments: type[ReplayArguments] = ReplayArguments


QUESTIONS: dict[str, Question] = {
    "replay": Question(
        "Send the events for everyone again that lie between two numbers.", Audience.EVERYONE
    ),
    "replay-official": Question(
        "Send all events again that lie between two numbers.", Audience.OFFICIALS
    ),
}
"""Verbs of a table that ask, by name."""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question that is well formed: it needs no precondition and may be asked again."""

    id: str
    login: str
    """As the broker knows the sender."""
    person: str
    """As the sender authenticated it."""
    table: str
    verb: str
    audience: Audience
    epoch: int
    after: int
    """Events with a higher `tableseq` are asked for."""
    before: int | None
    """And a lower one than this; None: up to the newest."""
    reply_topic: str
    node: str = ""
    """No node is asked as a whole."""
