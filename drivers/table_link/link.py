"""One connection to a box, from its HELLO to the loss of the wire.

Stamps come from the `now` that is handed in. The timers of the conversation itself run on the
event loop's clock and are never scaled: they are about the wire, not about play.
"""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

from drivers import condition
from drivers.port import Answer, Capability, Grade, Identity, LinkHealth, Now
from drivers.reports import until_lost
from drivers.table_link import dialect
from drivers.table_link.codes import MachineBit, Question
from drivers.table_link.frames import Frame
from drivers.table_link.messages import (
    Ack,
    Ask,
    Edge,
    FromHost,
    Heartbeat,
    Hello,
    Lost,
    Machine,
    Message,
    Nack,
    Progress,
    Result,
    Rewind,
    State,
    SyncEcho,
)
from drivers.table_link.orders import Orders
from drivers.table_link.session import Session
from drivers.table_link.talk import Batch, Talk
from drivers.turns import next_turn
from table.commands import TableCommand
from table.errors import LinkError, LinkLost, NoAnswer
from table.events import Condition, MachineEvent, MachineFound, Observed, TableRebooted
from table.moment import Interval, Moment, Quality

BEAT_SECONDS = 0.25
SUSPECT_SECONDS = 1.0
LOST_SECONDS = 2.0
SYNC_EVERY_BEATS = 8
SYNCS_AT_FIRST = 4
_ARMED = MachineBit.ARMED.value  # a plain number: flags are slow


class SerialTableLink:
    """A box that has said who it is; obeys `drivers.port.TableLink` once `begin` has returned.

    Args:
        talk: the open line; its messages are heard by this link from now on.
        now: the daemon's clock.
        frame: the frame that carried `hello`.
        hello: who is on the other end.
    """

    def __init__(self, talk: Talk, now: Now, frame: Frame, hello: Hello) -> None:
        self._talk = talk
        self._now = now
        self._loop = asyncio.get_running_loop()
        self._orders = Orders(self._say, now().micros)
        self._session = Session.begin(frame, hello, talk.counts)
        self._condition = Condition(cycling=False, wall_ready=False, wall_raised=False)
        self._queue: asyncio.Queue[Observed | LinkLost] = asyncio.Queue()
        self._cause: LinkLost | None = None
        self._greeting: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._beats = 0
        self._beat_at = self._loop.time()
        talk.listener = self

    @property
    def identity(self) -> Identity:
        """Who is on the other end."""
        return dialect.identity(self._session.hello)

    @property
    def capabilities(self) -> dict[Capability, Grade]:
        """What it can do, and how."""
        return dialect.capabilities(self._session.hello)

    @property
    def resolution(self) -> timedelta:
        """Step of the device's time stamps."""
        return timedelta(microseconds=self._session.hello.resolution_us)

    @property
    def condition(self) -> Condition:
        """The machine as last reported."""
        return self._condition

    @property
    def health(self) -> LinkHealth:
        """What the wire did to us so far."""
        counts, fit = self._talk.counts, self._session.syncs.fit
        return LinkHealth(
            damaged_frames=counts.damaged,
            resent_commands=self._orders.resent,
            replayed_events=counts.replayed,
            lost_events=counts.lost,
            bounces=counts.bounces,
            unknown=counts.unknown,
            suspect=self._loop.time() - self._talk.heard_at >= SUSPECT_SECONDS,
            time_doubt=fit.bound() if fit else timedelta(0),
        )

    def events(self) -> AsyncIterator[Observed]:
        """Iterate over what the table reports.

        Raises:
            LinkLost: the wire or the box went away.
        """
        return until_lost(self._queue)

    def recorded(self, observed: Observed, /) -> None:
        """Acknowledge an event, and all before it, to the box that told it."""
        if observed.number and self._session.intake.recorded(observed.number):
            self._loop.call_soon(self._acknowledge)

    async def send(self, command: TableCommand) -> Answer:
        """Have the table carry out a command and say how it ended.

        Raises:
            LinkLost: the wire went away before the command was sent.
        """
        if self._cause:
            raise LinkLost(str(self._cause)) from self._cause
        return await self._orders.carry_out(command)

    async def begin(self) -> None:
        """Take the state, set the clock, ask for events and keep the line alive.

        Raises:
            NoAnswer: the box fell silent or rebooted meanwhile.
            LinkLost: the line went away meanwhile.
        """
        await self._arm()
        self._talk.recorder.on = True
        self._beat()

    async def close(self) -> None:
        """End the conversation; the line itself is its owner's."""
        self._end(LinkLost(f"port {self._talk.port} was closed"))
        if self._greeting:
            await self._greeting

    def hear(self, batch: Batch, now: Moment) -> None:
        """Take the messages that arrived together."""
        for frame, message in batch:
            self._take(frame, message, now)
        session = self._session
        if session.playing and not self._cause:
            if session.intake.asks_again():
                self._say(Rewind(session.intake.wanted))
            else:
                self._acknowledge()

    def lose(self, cause: LinkLost) -> None:
        """Learn that the line is gone."""
        self._end(cause)

    def _end(self, cause: LinkLost) -> None:
        if self._cause:
            return
        self._cause = cause
        if self._timer:
            self._timer.cancel()
        self._talk.end(cause)
        self._orders.abandon(str(cause))
        self._queue.put_nowait(cause)

    def _acknowledge(self) -> None:
        """Say once what is recorded, however many events that are."""
        intake = self._session.intake
        if intake.owes and intake.newest:
            self._say(Ack())

    def _say(self, message: FromHost) -> None:
        intake = self._session.intake
        intake.owes = False
        self._talk.write(message, intake.newest)

    async def _arm(self) -> None:
        session = self._session
        _, state = await self._talk.ask(lambda: Ask(Question.STATE), State)
        for _ in range(SYNCS_AT_FIRST):
            await self._talk.ask(lambda: session.syncs.ask(self._now()), SyncEcho)
        if state.boot != session.hello.boot or not session.syncs.fit:
            msg = f"port {self._talk.port}: the table's box rebooted as it was greeted"
            raise NoAnswer(msg)
        session.playing = True
        self._say(Rewind(session.intake.wanted))

    def _take(self, frame: Frame, message: Message, now: Moment) -> None:
        match message:
            case Edge() | Machine():
                self._take_event(frame, message, now)
            case Heartbeat():
                self._take_heartbeat(message)
            case SyncEcho():
                self._talk.counts.unknown += not self._session.syncs.take(message, now)
            case Progress() | Result() | Nack():
                self._talk.counts.duplicates += not self._orders.take(message)
            case State() if message.boot == self._session.hello.boot:
                self._take_state(message, now)
            case Lost():
                self._take_loss(message, now)
            case Hello():
                self._check(message.boot)
            case _:
                self._talk.counts.unknown += 1

    def _take_event(self, frame: Frame, event: Edge | Machine, now: Moment) -> None:
        session = self._session
        if not session.playing or not session.syncs.fit:
            return  # meant for the host before us; the box sends it again when we ask
        observed = session.intake.take(frame, event, session.syncs.fit, now)
        if observed and isinstance(observed.event, MachineEvent) and session.is_news(frame.seq):
            self._condition = condition.after(self._condition, observed.event)
        self._tell(observed)

    def _take_loss(self, lost: Lost, now: Moment) -> None:
        if observed := self._session.intake.skip(lost, now):
            self._tell(observed)
            self._session.unsure = True
            self._say(Ask(Question.STATE))

    def _take_state(self, state: State, now: Moment) -> None:
        """Take the machine whole; after a loss, tell how it stands."""
        session = self._session
        self._condition = dialect.condition(state)
        session.state_following = state.following
        if session.unsure:
            session.unsure = False
            found = MachineFound(self._condition)
            self._tell(Observed(found, Interval.exactly(now, Quality.POLLED)))

    def _tell(self, observed: Observed | None) -> None:
        if observed:
            self._queue.put_nowait(observed)

    def _take_heartbeat(self, heartbeat: Heartbeat) -> None:
        self._check(heartbeat.boot)
        session = self._session
        known = heartbeat.boot == session.hello.boot
        if known and session.playing and not heartbeat.machine & _ARMED:
            self._say(Rewind(session.intake.wanted))

    def _check(self, boot: int) -> None:
        """Ask the box again who it is if somebody spoke of another boot."""
        if boot == self._session.hello.boot or not self._session.playing:
            return
        if self._greeting is None or self._greeting.done():
            self._greeting = self._loop.create_task(self._greet_again())

    async def _greet_again(self) -> None:
        try:
            frame, hello = await self._talk.ask(lambda: Ask(Question.HELLO), Hello)
            known = self._session.hello
            if hello.serial != known.serial:
                msg = f"port {self._talk.port}: box {known.serial} was replaced by {hello.serial}"
                raise LinkLost(msg)
            if hello.boot == known.boot:
                self._say(Rewind(self._session.intake.wanted))
                return
            self._session = Session.begin(frame, hello, self._talk.counts)
            self._session.unsure = True
            self._orders.abandon("the table's box rebooted")
            self._tell(Observed(TableRebooted(), Interval.exactly(self._now(), Quality.POLLED)))
            await self._arm()
        except LinkError as error:
            self._end(LinkLost(str(error)))

    def _beat(self) -> None:
        """Show that we live, and see whether the box does; each quarter of a second."""
        at, before = self._loop.time(), self._beat_at
        self._beat_at = at
        if at - before > SUSPECT_SECONDS:
            self._talk.heard_at = at  # we slept ourselves; what came meanwhile is still unread
        if at - self._talk.heard_at >= LOST_SECONDS:
            cause = LinkLost(f"port {self._talk.port}: the box is silent for {LOST_SECONDS:g} s")
            self._talk.lost(cause)
            return
        self._beats += 1
        if self._beats % SYNC_EVERY_BEATS == 0:
            self._say(self._session.syncs.ask(self._now()))
        elif at - self._talk.sent_at >= BEAT_SECONDS / 2:
            self._say(
                Heartbeat(self._session.hello.boot, damaged=self._talk.counts.damaged % 2**16)
            )
        next_beat = next_turn(self._talk.port, at, BEAT_SECONDS)
        self._timer = self._loop.call_at(next_beat, self._beat)
