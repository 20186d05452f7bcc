"""Makes sure, before a node connects again, that nobody else speaks in its name by now."""

import asyncio
from contextlib import suppress
from dataclasses import replace

from pydantic import BaseModel, ValidationError

from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import Delivery, LineSettings, Subscription
from mqtt.payloads import NodeAvailability
from mqtt.presence import Place
from table.errors import SpokenForError

_BEATS = 2
"""Somebody who is online beats within so many beats (house choice)."""
_QUICK_BEATS = 0.3
"""Somebody who is about to be online beats within this part of a beat (house choice)."""


async def look_out(settings: LineSettings, place: Place) -> None:
    """Look under another client id, which throws nobody out, who speaks as the node.

    Most brokers tell nobody that it was thrown out. What is retained may be as old as the broker's
    last backup, so it only says how long to listen; the heartbeat of another session is the proof.

    Raises:
        SpokenForError: another daemon speaks as this node.
        BrokerError: the broker cannot be reached, or breaks off.
    """
    own = f"{place.client_id}-look-{place.session}"
    look = _Look(place.session)
    async with connect(replace(settings, client_id=own)) as line, asyncio.TaskGroup() as tasks:
        listening = tasks.create_task(look.listen(line))
        await line.subscribe(Subscription(place.topic), Subscription(place.heartbeat))
        await line.catch_up()
        beats = _BEATS if look.names_another() else _QUICK_BEATS
        with suppress(TimeoutError):
            async with asyncio.timeout(beats * place.beat_seconds):
                await look.beaten.wait()
        listening.cancel()
    if look.beaten.is_set():
        raise SpokenForError(spoken_for(place.node, look.rival))


def spoken_for(node: str, session: int | None = None) -> str:
    """Say that somebody speaks as the node, and what to do about it."""
    which = "" if session is None else f", in session {session}"
    remedy = "stop one of the two or give it an id of its own"
    return f"another daemon speaks as node {node}{which}; {remedy}"


def session_of(payload: bytes) -> int | None:
    """Return the session that a message of a node names, None where it names none."""
    try:
        return _Session.model_validate_json(payload).session
    except ValidationError:
        return None


class _Session(BaseModel):
    session: int


class _Look:
    """What is seen and heard of a node while it says nothing itself."""

    def __init__(self, own: int) -> None:
        self._own = own
        self._presence: NodeAvailability | None = None
        self.rival = 0
        self.beaten = asyncio.Event()

    async def listen(self, line: BrokerLine) -> None:
        async for message in line.deliveries():
            self._hear(message)

    def _hear(self, message: Delivery) -> None:
        with suppress(ValidationError):
            self._presence = NodeAvailability.model_validate_json(message.payload)
            return
        session = session_of(message.payload)
        if session is not None and session != self._own:
            self.rival = session
            self.beaten.set()

    def names_another(self) -> bool:
        """Say whether another session is said to be there."""
        said = self._presence
        return said is not None and said.session != self._own and said.status != "offline"
