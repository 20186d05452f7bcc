"""What a person asks for on a page, as a command of the contract, and the answer in words; pure."""

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from board.texts import say
from mqtt.orders import CommandPayload, PreconditionFields, ReplyPayload
from mqtt.verbs import VERBS, Need
from table.answers import Code
from table.sanctions import WARNING, Sanction, points

SANCTIONS: Final = (WARNING, *(points(amount) for amount in (5, 10, 20, 30, 40, 50, 60)))
"""What a referee may choose (mcr-2014 art. 11, 罚分 2)."""
LONGEST_NAME: Final = 60
_Id = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,64}$")]


class Seen(BaseModel):
    """What the page showed when the person pressed."""

    model_config = ConfigDict(extra="forbid")

    hand: str | None = None
    machine_seq: int | None = None
    revision: int | None = None
    alert: _Id | None = None


def _known_verb(verb: str) -> str:
    if verb not in VERBS:
        message = f"there is no verb {verb!r}"
        raise ValueError(message)
    return verb


class Asked(BaseModel):
    """An order as a page sends it."""

    model_config = ConfigDict(extra="forbid")

    id: _Id
    table: _Id
    verb: Annotated[str, AfterValidator(_known_verb)]
    seen: Seen = Seen()
    reason: str = Field("", max_length=500)
    sanction: int | None = Field(None, ge=0, le=1000)
    """0 for a warning, else points."""


class Answer(BaseModel):
    """What a page shows after an order."""

    mood: Literal["good", "wait", "warn", "bad"]
    title: str
    detail: str = ""


def command(asked: Asked, person: str) -> CommandPayload:
    """Return the command, resting on what the person saw.

    Raises:
        pydantic.ValidationError: the name of the person cannot go into a command.
    """
    need = VERBS[asked.verb].need
    seen = {need.value: getattr(asked.seen, need.value)} if need is not Need.NOTHING else {}
    return CommandPayload(
        id=asked.id,
        person=person,
        precondition=PreconditionFields(**seen),
        arguments=_arguments(asked),
    )


def _arguments(asked: Asked) -> dict[str, Any]:
    wanted = VERBS[asked.verb].arguments.model_fields
    given: dict[str, Any] = {"alert": asked.seen.alert, "reason": asked.reason.strip()}
    if asked.sanction is not None:
        given["sanction"] = _fields(points(asked.sanction) if asked.sanction else WARNING)
    return {name: given[name] for name in wanted if name in given}


def _fields(sanction: Sanction) -> dict[str, Any]:
    return {"kind": sanction.kind.value, "points": sanction.points}


def answered(verb: str, reply: ReplyPayload | None, waited_seconds: float) -> Answer:
    """Return what became of an order, in words."""
    order = say(f"order.{verb}").rstrip("…")
    if reply is None:
        title = say("answer.silent", order=order, seconds=f"{waited_seconds:g}")
        return Answer(mood="warn", title=title, detail=say("answer.silent-detail"))
    moods: dict[str, Literal["good", "wait", "warn", "bad"]] = {
        "done": "good",
        "accepted": "good",
        "rejected": "bad",
        "failed": "bad",
    }
    key = "answer.stale" if reply.code == Code.STALE else f"answer.{reply.status}"
    return Answer(mood=moods[reply.status], title=say(key, order=order), detail=reply.reason)


def unconfirmed(verb: str, reason: str) -> Answer:
    """Return the answer to an order of which the broker did not say that it has it."""
    title = say("answer.broken", order=say(f"order.{verb}").rstrip("…"))
    return Answer(mood="warn", title=title, detail=f"{say('answer.silent-detail')} ({reason})")


def not_sent(verb: str) -> Answer:
    """Return the answer to an order that did not reach the broker."""
    title = say("answer.no-broker", order=say(f"order.{verb}").rstrip("…"))
    return Answer(mood="bad", title=title, detail=say("answer.no-broker-detail"))
