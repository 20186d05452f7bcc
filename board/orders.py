"""What a person asks for on a page, as a command of the contract, and the answer in words; pure."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

from board.texts import say
from mqtt.orders import CommandPayload, PreconditionFields, ReplyPayload
from mqtt.verbs import NODE_VERBS, VERBS, Need
from table.abilities import LiftAt
from table.answers import Code
from table.fouls import FoulKind
from table.sanctions import Sanction, read_sanction
from table.seat import Seat

LONGEST_NAME: Final = 60
_Id = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,64}$")]
_Words = Annotated[str, Field(max_length=500)]
_Name = Annotated[str, Field(max_length=100)]


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


def _written_sanction(text: str) -> str:
    read_sanction(text)
    return text


class Given(BaseModel):
    """What a person filled in; a verb takes from it what it knows."""

    model_config = ConfigDict(extra="forbid")

    reason: _Words = ""
    text: _Words = ""
    remark: _Words = ""
    sanction: Annotated[str, Field(max_length=200), AfterValidator(_written_sanction)] | None = None
    """As `table.sanctions` writes it."""
    to: _Name = ""
    """The player who receives a `pay-player`."""
    remaining: bool | None = None
    seconds: int | None = None
    minutes: int | None = None
    seat: Seat | None = None
    seats: tuple[Seat, ...] | None = None
    objector: Seat | None = None
    player: _Name | None = None
    throw: int | None = None
    values: tuple[int, int] | None = None
    kind: FoulKind | None = None
    position: LiftAt | None = None

    @field_validator("objector", mode="before")
    @classmethod
    def _nobody(cls, value: object) -> object:
        """Take an empty choice for none."""
        return None if value == "" else value


class Asked(Given):
    """An order for a table as a page sends it."""

    id: _Id
    table: _Id
    verb: Annotated[str, AfterValidator(_known_verb)]
    seen: Seen = Seen()


class AskedOfAll(Given):
    """An order for every table as a page sends it."""

    id: _Id
    verb: Literal["pause", "resume"]


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
    verb = VERBS[asked.verb]
    seen = {verb.need.value: getattr(asked.seen, verb.need.value, None)}
    return CommandPayload(
        id=asked.id,
        person=person,
        precondition=PreconditionFields(**(seen if verb.need is not Need.NOTHING else {})),
        arguments=_arguments(asked, verb.arguments.model_fields, asked.seen.alert),
    )


def command_for_all(asked: AskedOfAll, person: str, node: str) -> CommandPayload:
    """Return the command for one node; each has its own id."""
    wanted = NODE_VERBS[asked.verb].arguments.model_fields
    return CommandPayload(
        id=f"{asked.id[:24]}-{node[:39]}", person=person, arguments=_arguments(asked, wanted, None)
    )


def _arguments(given: Given, wanted: Mapping[str, object], alert: str | None) -> dict[str, Any]:
    known = given.model_dump(mode="json", exclude_none=True) | {"alert": alert}
    if given.sanction is not None:
        known["sanction"] = _fields(read_sanction(given.sanction), given.to)
    words = {
        name: value.strip() if isinstance(value, str) else value for name, value in known.items()
    }
    return {name: words[name] for name in wanted if words.get(name) is not None}


def _fields(sanction: Sanction, to: str) -> dict[str, Any]:
    return {
        "kind": sanction.kind.value,
        "points": sanction.points,
        "measures": [measure.value for measure in sanction.measures],
        "to": to or sanction.to,
    }


_Mood = Literal["good", "wait", "warn", "bad"]
_MOODS: dict[str, _Mood] = {
    "done": "good",
    "accepted": "good",
    "rejected": "bad",
    "failed": "bad",
}


def answered(verb: str, reply: ReplyPayload | None, waited_seconds: float) -> Answer:
    """Return what became of an order, in words."""
    order = named(verb)
    if reply is None:
        title = say("answer.silent", order=order, seconds=f"{waited_seconds:g}")
        return Answer(mood="warn", title=title, detail=say("answer.silent-detail"))
    key = "answer.stale" if reply.code == Code.STALE else f"answer.{reply.status}"
    return Answer(mood=_MOODS[reply.status], title=say(key, order=order), detail=reply.reason)


def answered_by_all(verb: str, replies: Mapping[str, ReplyPayload | None]) -> Answer:
    """Return what became of an order for every table: the answer of each node, with its counts."""
    order = named(f"{verb}-all")
    if not replies:
        return Answer(mood="bad", title=say("answer.no-node", order=order))
    done = sum(reply is not None and _MOODS[reply.status] == "good" for reply in replies.values())
    key = "answer.done" if done == len(replies) else "answer.some"
    return Answer(
        mood="good" if done == len(replies) else "warn",
        title=say(key, order=order, done=done, all=len(replies)),
        detail=" ".join(_of_node(node, reply) for node, reply in replies.items()),
    )


def _of_node(node: str, reply: ReplyPayload | None) -> str:
    if reply is None:
        return say("answer.node-silent", node=node)
    return say("answer.node", node=node, words=reply.reason or reply.status)


def named(verb: str) -> str:
    """Return the words on the button of an order."""
    return say(f"order.{verb}").rstrip("…")


def unconfirmed(verb: str, reason: str) -> Answer:
    """Return the answer to an order of which the broker did not say that it has it."""
    title = say("answer.broken", order=named(verb))
    return Answer(mood="warn", title=title, detail=f"{say('answer.silent-detail')} ({reason})")


def not_sent(verb: str) -> Answer:
    """Return the answer to an order that did not reach the broker."""
    title = say("answer.no-broker", order=named(verb))
    return Answer(mood="bad", title=title, detail=say("answer.no-broker-detail"))
