"""Puts the parts of a node together from its settings."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from config.models import Broker, Settings
from config.secrets import kept_secret, read_secret
from controller.journal import Boot, Journal
from controller.journal_absent import NoJournal
from controller.journal_file import JournalFile
from controller.node import Node
from controller.recovery import recover
from controller.table_core import TableRules
from controller.table_drivers import TableDrivers
from controller.table_loop import TableLoop
from controller.table_memory import TableMemory
from controller.table_notice import TableNotice
from controller.table_record import TableRecord
from controller.table_rules import rules_at
from controller.table_wire import TableWire
from controller.views_of_rulings import enterable, powers_payload, titles
from mqtt.messages import LineSettings
from mqtt.payloads import TableMeta
from table.commands import Ordered, SeatPlayers
from table.errors import JournalError
from table.events import Restarted

logger = logging.getLogger(__name__)

Alive: TypeAlias = Callable[[], None]
CONFIGURATION = "configuration"
"""Who seats the players of a table that was never played at."""


@dataclass(frozen=True, slots=True)
class Memories:
    """The journal, and what it remembers of each table."""

    journal: Journal
    tables: dict[str, TableMemory]


@dataclass(frozen=True, slots=True)
class Plan:
    """What the tables of a node are put together from."""

    settings: Settings
    rules: TableRules
    drivers: TableDrivers


@dataclass(frozen=True, slots=True)
class Table:
    """One table put together."""

    loop: TableLoop
    wire: TableWire
    record: TableRecord
    notice: TableNotice

    async def listen(self) -> None:
        """Keep the wire connected and hand what it says to the loop."""
        await self.wire.run(self.loop.offer)


def line_settings(broker: Broker, client: str) -> LineSettings:
    """Return how to reach the broker.

    Raises:
        SettingsError: password or key cannot be read, or others can read it.
    """
    return LineSettings(
        host=broker.host,
        port=broker.port,
        client_id=client,
        login=broker.login or "",
        password=read_secret(broker.password_file) if broker.password_file else "",
        tls_ca_file=broker.tls_ca_file,
        tls_certificate_file=broker.tls_certificate_file,
        tls_key_file=kept_secret(broker.tls_key_file) if broker.tls_key_file else None,
        protocol=broker.protocol,
    )


async def remember(settings: Settings, rules: TableRules, boot: Boot) -> Memories:
    """Open the journal and recover every table; without a journal the tables play on unrecorded."""
    file = settings.node.journal_file
    try:
        _make_folder(file)
        journal = await JournalFile.open(file, boot, settings.broker.most_waiting_events)
        try:
            return _recovered(journal, settings, rules)
        except JournalError:
            await journal.close()
            raise
    except JournalError as error:
        logger.error("%s; tables play on, nothing is recorded or proposed", error)  # noqa: TRY400 - for staff, not for a debugger
        return _recovered(NoJournal(str(error)), settings, rules)


def _recovered(journal: Journal, settings: Settings, rules: TableRules) -> Memories:
    return Memories(
        journal,
        {
            table: recover(journal, rules_at(settings, rules, table), table)
            for table in settings.tables
        },
    )


def _make_folder(file: Path) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"journal {file}: {error}"
        raise JournalError(message) from error


def table_of(node: Node, plan: Plan, memory: TableMemory, alive: Alive) -> Table:
    """Put one table together and have it begin where its record ends.

    Raises:
        SettingsError: a profile of its modules is wrong, or its wiring makes no sense.
    """
    table = memory.state.hand.table
    settings = plan.settings
    rules = rules_at(settings, plan.rules, table)
    record = TableRecord(node, settings.tables[table].name or table, rules, memory)
    notice = TableNotice(node, _meta(node, settings, rules, table))
    record.seated = notice.seat
    if memory.seq:
        notice.seat(memory.state.hand.players)
    wire = TableWire(table, plan.drivers.driver_of(table), node.clock, notice)
    loop = TableLoop(rules, record, node.clock, wire.send, alive)
    loop.reports.recorded = wire.recorded
    loop.offer(Restarted("the daemon was started"))
    if not memory.seq:
        loop.offer(Ordered(SeatPlayers(settings.players(table)), CONFIGURATION))
    return Table(loop, wire, record, notice)


def _meta(node: Node, settings: Settings, rules: TableRules, table: str) -> TableMeta:
    wired = settings.tables[table]
    return TableMeta(
        table=table,
        name=wired.name or table,
        node=node.id,
        time=node.clock.utc(),
        ruleset=settings.event.ruleset,
        wire=wired.wire,
        players=dict(settings.players(table).items()),
        zone=wired.zone or "",
        fouls=enterable(rules.fouls),
        titles=titles(rules.fouls),
        powers=powers_payload(rules.fouls.powers),
        chiefs=tuple(sorted(rules.fouls.chiefs)),
        tile_set=wired.tiles,
        tiles_needed=rules.wall.tiles,
        deal_end=wired.deal_end.value,
    )
