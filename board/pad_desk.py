"""Carries what pads say to the nodes of their tables, and the answers back.

A pad speaks for the seat that its page names, and nobody proves to be sitting there: like every
page of the board it is served to this machine alone.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from board.feed import Feed
from mqtt.orders import CommandPayload, ReplyPayload
from mqtt.pad_orders import PadBeatArguments, PressArguments
from table.errors import BrokerError

_Id = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,64}$")]


class _Told(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: _Id
    table: _Id


class _Pressed(_Told):
    arguments: PressArguments


class _Beat(_Told):
    arguments: PadBeatArguments


class PadAnswer(BaseModel):
    """What a pad is told."""

    outcome: Literal["done", "refused", "silent"]
    """`silent`: nobody answered in time; the same again, with its id, counts once."""
    reason: str = ""


class PadDesk:
    """Takes what pads say.

    Args:
        feed: the line to the broker.
    """

    def __init__(self, feed: Feed) -> None:
        self._feed = feed

    async def press(self, request: Request) -> Response:
        """Carry a press to the table's node."""
        return await self._carried("press", _Pressed, request)

    async def beat(self, request: Request) -> Response:
        """Tell the table's node that a pad is there."""
        return await self._carried("pad-beat", _Beat, request)

    async def _carried(
        self, verb: str, kind: type[_Pressed] | type[_Beat], request: Request
    ) -> Response:
        try:
            told = kind.model_validate_json(await request.body())
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            return _answer(PadAnswer(outcome="refused", reason=f"{place}: {first['msg']}"))
        seat = told.arguments.seat
        order = CommandPayload(
            id=told.id, person=f"pad of seat {seat}", arguments=told.arguments.fields()
        )
        try:
            reply = await self._feed.order(told.table, verb, order)
        except BrokerError:
            reply = None
        return _answer(_heard(reply))


def _heard(reply: ReplyPayload | None) -> PadAnswer:
    if reply is None:
        return PadAnswer(outcome="silent")
    if reply.status == "done":
        return PadAnswer(outcome="done")
    return PadAnswer(outcome="refused", reason=reply.reason)


def _answer(answer: PadAnswer) -> JSONResponse:
    return JSONResponse(answer.model_dump())
