"""Speaks for a node at the broker, one connection at a time."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Literal

from mqtt.broker_line import BrokerLine, connect
from mqtt.drain import Drain
from mqtt.errands import Errands
from mqtt.first_error import first_known_error
from mqtt.ghosts import Ghosts
from mqtt.inbox import Heard, read_request
from mqtt.lookout import look_out, session_of, spoken_for
from mqtt.messages import Delivery, LineSettings, Message, Subscription
from mqtt.orders import ReplyPayload
from mqtt.outbox import Outbox
from mqtt.parts import Payload
from mqtt.payloads import Heartbeat
from mqtt.presence import Place
from mqtt.retained import Retained
from mqtt.topics import TopicKind
from mqtt.witness import Witness
from table.errors import BrokerError, SpokenForError

TURN = 100
"""So many retained topics are told at a time when all are told (house choice)."""
TURN_SECONDS = 0.1
"""Between two turns (house choice)."""
QUICKER = 8
"""So much quicker are heartbeats until the node is online: whoever it threw out hears them."""
FLUSH_SECONDS = 2.0
"""How long a node that stops waits for the broker to take what is left."""
REPLY_EXPIRY_SECONDS = 60
_log = logging.getLogger(__name__)


class Publisher:
    """Keeps the broker's picture of a node true, and hears its commands.

    Args:
        settings: how to reach the broker; the client id is the place's.
        place: the node it speaks for.
        outbox: where numbered events wait.
        heed: told every command, well formed or not; must not block.
        pulse: gives the heartbeat of this moment.
    """

    def __init__(
        self,
        settings: LineSettings,
        place: Place,
        outbox: Outbox,
        heed: Callable[[Heard], None],
        pulse: Callable[[], Heartbeat],
    ) -> None:
        self._settings = replace(settings, client_id=place.client_id)
        self._place = place
        self._outbox = outbox
        self._heed = heed
        self._pulse = pulse
        self._retained = Retained(place.root)
        self._unsaid: deque[Message] = deque()
        self._telling, self._answering = Errands(), Errands()
        self._stopping = asyncio.Event()
        self._said = Message("")
        self._spoke = False
        self._witness: Witness | None = None
        self.connected = asyncio.Event()
        """Set while the node is announced as online."""

    def admit(self, witness: Witness) -> None:
        """Have somebody hear what is retained in the venue, from the next connection on."""
        self._witness = witness

    def retain(self, topic: str, payload: Payload) -> None:
        """Keep a payload at the broker, now and after every reconnect."""
        self._keep(topic, payload.encode())

    def clear(self, topic: str) -> None:
        """Take a retained topic away from the broker."""
        if self._retained.holds(topic):
            self._keep(topic, b"")

    def reply(self, topic: str, payload: ReplyPayload) -> None:
        """Answer a command; kept until the broker has it."""
        self._say(Message(topic, payload.encode(), expiry_seconds=REPLY_EXPIRY_SECONDS))

    async def answered(self) -> None:
        """Return when the broker has every answer; not before it is there."""
        await self._answering.done.wait()

    def stop(self) -> None:
        """Have `serve` say goodbye and return."""
        self._stopping.set()

    async def serve(self) -> None:
        """Speak for the node over one connection, until `stop`.

        The first connection throws out whoever bears the same client id; later ones look first.

        Raises:
            SpokenForError: another daemon speaks as this node; to be tried again after a while.
            BrokerError: the broker is away, refused something, or the connection broke. Events
                that it did not acknowledge are sent again by the next call, with the same id.
        """
        will = self._place.will(self._pulse().time)
        with first_known_error():
            if self._spoke:
                await look_out(self._settings, self._place)
            async with connect(self._settings, will) as line:
                self._spoke = True
                try:
                    await self._converse(line)
                except* BrokerError as lost:
                    if line.taken_over:
                        raise SpokenForError(spoken_for(self._place.node)) from lost
                    raise
                finally:
                    self.connected.clear()
                    # Leaving in order publishes no will.
                    if not line.broken:
                        with suppress(BrokerError):
                            await line.publish(self._presence("offline"))

    async def _converse(self, line: BrokerLine) -> None:
        self._telling.stir()
        self._answering.stir()
        async with asyncio.TaskGroup() as tasks:
            ghosts = Ghosts(self._place, self._retained.holds)
            drain = Drain(self._outbox, self._place.root, line)
            steady = [self._listen(line, ghosts), self._beat(line), self._answer(line)]
            running = [tasks.create_task(task) for task in steady]
            await self._introduce(line, ghosts)
            running += [tasks.create_task(task) for task in (self._tell(line), drain.run())]
            await self._stopping.wait()
            await self._take_leave(line, drain)
            for task in running:
                task.cancel()

    async def _introduce(self, line: BrokerLine, ghosts: Ghosts) -> None:
        place = self._place
        commands = (
            Subscription(topics, retained=False, flag_retained=True) for topics in place.commands()
        )
        await line.subscribe(*commands, Subscription(place.topic, echo=False))
        await self._look_around(line, ghosts)
        await self._tell_everything(line)
        await line.publish(self._presence("online"))
        self.connected.set()

    async def _look_around(self, line: BrokerLine, ghosts: Ghosts) -> None:
        """Learn what the broker holds, and clear what nobody keeps any more."""
        witness = self._witness
        kept_up = witness.filters if witness else ()
        if witness:
            witness.starts_over()
            await line.subscribe(*(Subscription(one, echo=False) for one in kept_up))
        looked: list[str] = []
        more = ghosts.subscriptions()
        while more:
            new = [one for one in more if one.topic_filter not in kept_up]
            await line.subscribe(*new)
            looked += [one.topic_filter for one in new]
            await line.catch_up()
            more = ghosts.take_tables()
        if looked:
            await line.unsubscribe(*looked)
        if witness:
            witness.caught_up(remembers=ghosts.remembered)
        await self._clear(line, [one for one in ghosts.found() if not self._retained.holds(one)])

    async def _clear(self, line: BrokerLine, ghosts: list[str]) -> None:
        for first in range(0, len(ghosts), TURN):
            some = ghosts[first : first + TURN]
            cleared = [(one, line.post(Message(one, b"", retain=True))) for one in some]
            for topic, acknowledged in cleared:
                await self._cleared(line, topic, acknowledged)

    async def _cleared(
        self, line: BrokerLine, topic: str, acknowledged: "asyncio.Future[None]"
    ) -> None:
        try:
            await line.acknowledged(acknowledged, topic)
        except BrokerError as error:
            # Whatever the broker does not let us clear must not keep us from telling the rest.
            if line.broken:
                raise
            _log.warning("%s stays at the broker: %s", topic, error)
        else:
            _log.info("cleared %s, left by an earlier session", topic)

    async def _tell_everything(self, line: BrokerLine) -> None:
        """Tell all that is retained, in turns, so that no reader's queue at the broker runs over.

        What changes meanwhile and was told already is for the turns after these.
        """
        self._retained.start_over()
        left = self._retained.waiting
        while left > 0:
            await self._tell_changes(line, min(left, TURN))
            left -= TURN
            if left > 0:
                await asyncio.sleep(TURN_SECONDS)

    async def _listen(self, line: BrokerLine, ghosts: Ghosts) -> None:
        async for message in line.deliveries():
            address = self._place.root.parse(message.topic)
            if address is None:
                continue
            if address.kind is TopicKind.NODE_AVAILABILITY:
                self._hear_presence(line, message)
            elif heard := read_request(self._place.root, message):
                self._heed(heard)
            else:
                ghosts.hear(address, message)
                if self._witness and not self._retained.holds(message.topic):
                    self._witness.heard(address, message.payload)

    def _hear_presence(self, line: BrokerLine, message: Delivery) -> None:
        """Contradict a will of ours that the broker published late.

        A newer session is only said to be there: whoever connects again looks for its heartbeat.
        """
        if not self.connected.is_set() or message.payload == self._said.payload:
            return
        session = session_of(message.payload) or 0
        if session > self._place.session:
            rival = spoken_for(self._place.node, session)
            line.tear(rival)
            raise BrokerError(rival)
        self._say(self._said)

    async def _beat(self, line: BrokerLine) -> None:
        """Tell the clock, and make sure that the broker still answers."""
        seconds = self._place.beat_seconds
        while True:
            await line.publish(Message(self._place.heartbeat, self._pulse().encode(), qos=0))
            await line.probe()
            await asyncio.sleep(seconds if self.connected.is_set() else seconds / QUICKER)

    async def _answer(self, line: BrokerLine) -> None:
        """Say what is not retained; it does not wait for what is."""
        async for _ in self._answering:
            messages = list(self._unsaid)
            await line.publish_all(messages)
            for _ in messages:
                self._unsaid.popleft()

    async def _tell(self, line: BrokerLine) -> None:
        async for _ in self._telling:
            await self._tell_changes(line)

    async def _tell_changes(self, line: BrokerLine, most: int | None = None) -> None:
        messages = self._retained.take_changes(most)
        await line.publish_all(messages)
        self._retained.sent(messages)

    async def _take_leave(self, line: BrokerLine, drain: Drain) -> None:
        await line.publish(self._presence("stopping"))
        with suppress(TimeoutError):
            async with asyncio.timeout(FLUSH_SECONDS):
                await drain.empty.wait()
                await self._telling.done.wait()
                await self._answering.done.wait()

    def _presence(self, status: Literal["online", "stopping", "offline"]) -> Message:
        self._said = self._place.presence(status, self._pulse().time)
        return self._said

    def _keep(self, topic: str, payload: bytes) -> None:
        self._retained.put(topic, payload)
        self._telling.stir()
        if self._witness and (address := self._place.root.parse(topic)):
            self._witness.heard(address, payload)

    def _say(self, message: Message) -> None:
        self._unsaid.append(message)
        self._answering.stir()
