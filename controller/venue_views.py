"""What the venue's retained topics say, from what all its tables retain; pure."""

from collections.abc import Iterable
from datetime import datetime

from mqtt.payloads import TableMeta
from mqtt.payloads_of_rulings import LedgerPayload
from mqtt.payloads_of_venue import RosterTable, Standing, VenueRoster, VenueStandings


def roster(node: str, time: datetime, metas: Iterable[TableMeta]) -> VenueRoster:
    """Return which tables there are and who sits at them."""
    tables = sorted(metas, key=lambda meta: meta.table)
    zones = sorted({meta.zone for meta in tables if meta.zone})
    return VenueRoster(
        node=node,
        time=time,
        tables=tuple(map(_table, tables)),
        zones={zone: tuple(one.table for one in tables if one.zone == zone) for zone in zones},
    )


def _table(meta: TableMeta) -> RosterTable:
    return RosterTable(
        table=meta.table,
        name=meta.name,
        node=meta.node,
        zone=meta.zone,
        ruleset=meta.ruleset,
        players=meta.players,
    )


def standings(node: str, time: datetime, ledgers: Iterable[LedgerPayload]) -> VenueStandings:
    """Return what the rulings at all tables together cost each player, or brought."""
    points: dict[str, int] = {}
    tables: dict[str, list[str]] = {}
    for ledger in sorted(ledgers, key=lambda one: one.table):
        for player, total in ledger.totals.items():
            points[player] = points.get(player, 0) + total
            tables.setdefault(player, []).append(ledger.table)
    order = sorted(points, key=lambda player: (-points[player], player))
    players = (Standing(player=one, points=points[one], tables=tuple(tables[one])) for one in order)
    return VenueStandings(node=node, time=time, players=tuple(players))
