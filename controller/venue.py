"""Keeps the venue's retained topics: the part of the one node that has `keeps_venue`."""

import logging
from collections.abc import Collection
from typing import TypeAlias, TypeVar

from pydantic import BaseModel, ValidationError

from controller.node import Node
from controller.venue_views import roster, standings
from mqtt.payloads import TableMeta
from mqtt.payloads_of_rulings import LedgerPayload
from mqtt.payloads_of_venue import VenueRoster, VenueStandings
from mqtt.topics import Address, TopicKind

logger = logging.getLogger(__name__)

_Kept: TypeAlias = VenueRoster | VenueStandings
_Said = TypeVar("_Said", bound=BaseModel)


class Venue:
    """Hears the meta and the ledger of every table and tells what follows; a `mqtt` witness.

    Nothing is told before everything was heard: what an earlier run told stays until then.

    Args:
        node: tells it.
        tables: those of this node.
    """

    def __init__(self, node: Node, tables: Collection[str]) -> None:
        self._node = node
        self._own = frozenset(tables)
        self._metas: dict[str, TableMeta] = {}
        self._ledgers: dict[str, LedgerPayload] = {}
        self._confirmed: set[tuple[TopicKind, str]] = set()
        self._told: dict[str, _Kept] = {}
        self._complete = False

    @property
    def filters(self) -> tuple[str, ...]:
        """The metas and ledgers of all tables."""
        every = self._node.root.every
        return every(TopicKind.TABLE_META), every(TopicKind.LEDGER)

    def starts_over(self) -> None:
        """Take note that all the broker holds is heard again."""
        self._confirmed.clear()

    def heard(self, address: Address, payload: bytes) -> None:
        """Take in what a table retains now."""
        match address.kind:
            case TopicKind.TABLE_META:
                _take(self._metas, address.table, TableMeta, payload)
            case TopicKind.LEDGER:
                _take(self._ledgers, address.table, LedgerPayload, payload)
            case _:
                return
        self._confirmed.add((address.kind, address.table))
        if self._complete:
            self._tell()

    def caught_up(self, *, remembers: bool) -> None:
        """Tell what was heard, without what the broker has forgotten in our absence.

        A broker that has lost what we retain ourselves has lost everything; the other nodes will
        tell theirs again.
        """
        if remembers:
            self._forget(self._metas, TopicKind.TABLE_META)
            self._forget(self._ledgers, TopicKind.LEDGER)
        self._complete = True
        self._tell()

    def _forget(self, known: dict[str, _Said], kind: TopicKind) -> None:
        for table in set(known) - self._own:
            if (kind, table) not in self._confirmed:
                del known[table]

    def _tell(self) -> None:
        node, time = self._node.id, self._node.clock.utc()
        self._retain("roster", roster(node, time, self._metas.values()))
        self._retain("standings", standings(node, time, self._ledgers.values()))

    def _retain(self, name: str, payload: _Kept) -> None:
        """Tell it unless only its time is new."""
        told = self._told.get(name)
        if told is None or told.model_copy(update={"time": payload.time}) != payload:
            self._told[name] = payload
            self._node.press.retain(self._node.root.venue_state(name), payload)


def _take(known: dict[str, _Said], table: str, model: type[_Said], payload: bytes) -> None:
    try:
        known[table] = model.model_validate_json(payload)
    except ValidationError as error:
        known.pop(table, None)
        if payload:
            fault = error.errors(include_url=False)[0]
            logger.warning("table %s counts for nothing: %s %s", table, fault["loc"], fault["msg"])
