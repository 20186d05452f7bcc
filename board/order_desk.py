"""Where pages hand in their orders and hear what became of them."""

import asyncio

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from board.feed import ANSWER_SECONDS, Feed
from board.orders import (
    Answer,
    Asked,
    AskedOfAll,
    answered,
    answered_by_all,
    command,
    command_for_all,
    not_sent,
    unconfirmed,
)
from board.texts import say
from board.viewer import person_of
from mqtt.orders import ReplyPayload
from table.errors import BrokerError


class OrderDesk:
    """Carries orders to nodes and answers in words.

    Args:
        feed: the line to the broker.
    """

    def __init__(self, feed: Feed) -> None:
        self._feed = feed

    async def order(self, request: Request) -> Response:
        """Carry an order to the table's node and answer what became of it."""
        person = person_of(request.cookies)
        if not person:
            return nameless()
        try:
            asked = Asked.model_validate_json(await request.body())
            order = command(asked, person)
        except ValidationError as error:
            return not_understood(error)
        if not self._feed.online:
            return told(not_sent(asked.verb))
        try:
            reply = await self._feed.order(asked.table, asked.verb, order)
        except BrokerError as error:
            return told(unconfirmed(asked.verb, str(error)))
        return told(answered(asked.verb, reply, ANSWER_SECONDS))

    async def order_all(self, request: Request) -> Response:
        """Carry an order to every node that is there, and answer for all of them."""
        person = person_of(request.cookies)
        if not person:
            return nameless()
        try:
            asked = AskedOfAll.model_validate_json(await request.body())
        except ValidationError as error:
            return not_understood(error)
        if not self._feed.online:
            return told(not_sent(f"{asked.verb}-all"))
        return told(await self._by_all(asked, person))

    async def _by_all(self, asked: AskedOfAll, person: str) -> Answer:
        nodes = sorted(node.id for node in self._feed.hall.nodes.values() if node.here)
        sent = [
            self._feed.order_node(node, asked.verb, command_for_all(asked, person, node))
            for node in nodes
        ]
        try:
            replies: list[ReplyPayload | None] = await asyncio.gather(*sent)
        except BrokerError as error:
            return unconfirmed(f"{asked.verb}-all", str(error))
        return answered_by_all(asked.verb, dict(zip(nodes, replies, strict=True)))


def told(answer: Answer) -> JSONResponse:
    """Return an answer as the page reads it."""
    return JSONResponse(answer.model_dump())


def nameless() -> JSONResponse:
    """Return the answer to somebody who did not pick a name."""
    return told(Answer(mood="bad", title=say("person.first")))


def not_understood(error: ValidationError) -> JSONResponse:
    """Return the answer to what is no order, with the first thing that is wrong."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return told(Answer(mood="bad", title=say("answer.bad"), detail=f"{place}: {first['msg']}"))
