"""The daemon: tables, journal and broker running, until told to stop."""

import asyncio
import gc
import logging
import signal
import sys
from collections.abc import Coroutine, Iterator
from importlib.metadata import version
from uuid import uuid4

from config.models import Settings
from config.rules_table import rules_in_force
from controller.alertness import Alertness
from controller.assembly import Memories, Plan, line_settings, remember, table_of
from controller.certificate_book import CertificateBook, Watched
from controller.clock import Clock, MonotonicClock
from controller.forgetting import Forgetting
from controller.journal import Boot
from controller.node import Node
from controller.pad_hearing import PadHearing
from controller.reception import Reception
from controller.replay import Replay
from controller.service import Watchdog
from controller.spokesman import speak
from controller.table_certificate import Policy
from controller.table_core import TableRules
from controller.table_drivers import TableDrivers
from controller.table_rules import rules_of
from controller.venue import Venue
from mqtt.inbox import Heard
from mqtt.payloads import Heartbeat, NodeMeta
from mqtt.presence import BEAT_SECONDS, Place
from mqtt.publisher import Publisher
from mqtt.rate import Rates
from mqtt.topics import Root

logger = logging.getLogger(__name__)

LOOK_SECONDS = 10.0
"""Between two looks at the wires and at a sick journal (house choice)."""
TAKE_TURNS_SECONDS = 0.0002
"""How long the journal's thread waits for the loop to let it on, at most (house choice)."""
FAREWELL_SECONDS = 5.0
"""How long the broker may take to hear our farewell (house choice)."""


async def serve(settings: Settings, clock: Clock) -> None:
    """Run a node from its settings until SIGTERM or SIGINT.

    Raises:
        SettingsError: the rule set or a secret cannot be read.
    """
    boot = Boot(uuid4().hex, clock.now(), clock.utc(), version("tablewarden"))
    rules = rules_of(settings)
    memories = await remember(settings, rules, boot)
    await Daemon(settings, clock, boot, rules, memories).run()


class Daemon:
    """All tables of one node with what they share.

    Args:
        settings: what the node is told.
        clock: real, or scaled where every port is simulated.
        boot: this run.
        rules: what all its tables are played under.
        memories: the journal and what it remembers.
    """

    def __init__(
        self, settings: Settings, clock: Clock, boot: Boot, rules: TableRules, memories: Memories
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._boot = boot
        self._journal = memories.journal
        self._session = memories.journal.session or int(boot.utc.timestamp())
        root = Root(settings.broker.prefix, settings.node.venue)
        self._publisher = self._made_publisher(root)
        self._node = Node(
            settings.node.id, root, clock, boot.moment, self._journal, self._publisher
        )
        self._watchdog = Watchdog(MonotonicClock().now)
        plan = Plan(settings, rules, TableDrivers(settings, clock.now))
        self._tables = {
            table: table_of(self._node, plan, memory, self._watchdog.part(f"table {table}"))
            for table, memory in memories.tables.items()
        }
        loops = {table: parts.loop for table, parts in self._tables.items()}
        self._alertness = Alertness(MonotonicClock())
        rates = Rates(settings.broker.orders_per_second, settings.broker.orders_at_once)
        sweeper = line_settings(settings.broker, f"tablewarden-{settings.node.id}-sweep")
        self._forgetting = Forgetting(self._node, sweeper, BEAT_SECONDS)
        self._replay = Replay(self._node, self._publisher.answered)
        self._reception = Reception(self._node, loops, self._alertness, rates, self._replay.ask)
        pads = PadHearing(self._node, self._session, plan.drivers.pads, loops)
        self._reception.hear_pads(pads)
        self._certificates = CertificateBook(self._node, Policy(settings.event.certificates))
        self._reception.keep_certificates(self._certificates)
        for table, parts in self._tables.items():
            watched = Watched(
                parts.loop.offer, parts.notice.certify, parts.record.state.hand.disarmed
            )
            parts.notice.identified = self._certificates.watch(table, watched)
        if settings.node.keeps_venue:
            self._publisher.admit(Venue(self._node, settings.tables))
            self._reception.keep_venue(self._forgetting.take)

    async def run(self) -> None:
        """Serve until SIGTERM or SIGINT, then say goodbye and close the journal."""
        stopping = _stop_signal()
        _hurry()
        self._introduce()
        async with asyncio.TaskGroup() as tasks:
            running = [tasks.create_task(part, name=name) for name, part in self._parts()]
            speaking = tasks.create_task(speak(self._publisher.serve, self._clock), name="broker")
            await stopping.wait()
            for task in running:
                task.cancel()
            self._publisher.stop()
            await asyncio.wait([speaking], timeout=FAREWELL_SECONDS)
            speaking.cancel()
        await self._journal.close()

    def _parts(self) -> Iterator[tuple[str, Coroutine[None, None, None]]]:
        for table, parts in self._tables.items():
            yield f"loop of {table}", parts.loop.run()
            yield f"wire of {table}", parts.listen()
        yield "look", self._look()
        yield "alertness", self._alertness.run()
        yield "replay", self._replay.run()
        yield "venue", self._forgetting.run()
        yield "watchdog", self._watchdog.run()

    async def _look(self) -> None:
        """See to the wires and the journal at a slow beat."""
        alive = self._watchdog.part("journal")
        while True:
            await self._journal.probe()
            alive()
            self._reception.settle()
            self._certificates.look()
            for table in self._tables.values():
                table.wire.look()
            await asyncio.sleep(LOOK_SECONDS)

    def _made_publisher(self, root: Root) -> Publisher:
        settings = self._settings
        place = Place(
            root=root,
            node=settings.node.id,
            session=self._session,
            since=self._boot.utc,
            tables=tuple(settings.tables),
            keeps_venue=settings.node.keeps_venue,
        )
        line = line_settings(settings.broker, place.client_id)
        return Publisher(
            line,
            place,
            self._journal.outbox,
            self._heed,
            self._pulse,
        )

    def _heed(self, heard: Heard) -> None:
        self._reception.receive(heard)

    def _pulse(self) -> Heartbeat:
        now = self._clock.now()
        return Heartbeat(
            node=self._settings.node.id,
            session=self._session,
            time=self._clock.utc(),
            uptime_ms=self._node.uptime_ms(now),
            last_seq={table: parts.record.seq for table, parts in self._tables.items()},
            outbox=self._journal.outbox.depth,
            alarms=self._journal.alarms,
        )

    def _introduce(self) -> None:
        """Publish what the node is, and every table as it was recovered."""
        settings = self._settings
        meta = NodeMeta(
            node=settings.node.id,
            time=self._clock.utc(),
            venue_name=settings.node.venue_name or settings.node.venue,
            software=self._boot.version,
            ruleset=settings.event.ruleset,
            overrides=_overridden(settings),
            keeps_venue=settings.node.keeps_venue,
            tables=tuple(settings.tables),
        )
        self._publisher.retain(self._node.root.node_meta(settings.node.id), meta)
        for table in self._tables.values():
            table.record.show_decisions()


def _overridden(settings: Settings) -> dict[str, str]:
    return {rule.name: rule.value for rule in rules_in_force(settings) if rule.own}


def _hurry() -> None:
    """Let neither a search among what lives for ever nor a busy thread keep an event waiting."""
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(TAKE_TURNS_SECONDS)


def _stop_signal() -> asyncio.Event:
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    return stopping
