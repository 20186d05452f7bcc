"""The outbox as it lies in the journal's file; everything here runs in the writer's thread."""

import sqlite3
from collections.abc import Set as AbstractSet
from dataclasses import replace

from controller.outbox import Waiting
from mqtt.outbox import OutgoingEvent

_READ = "SELECT id, table_id, kind, payload FROM outbox WHERE id > ? ORDER BY id LIMIT ?"
_LAST_OF_OLDEST = "SELECT id FROM outbox ORDER BY id LIMIT 1 OFFSET ?"


def found(connection: sqlite3.Connection) -> Waiting:
    """Return what waits in a file that has just been opened."""
    (depth,) = connection.execute("SELECT count(*) FROM outbox").fetchone()
    (let_go,) = connection.execute("SELECT events FROM let_go").fetchone()
    return Waiting(depth, let_go)


def events(
    connection: sqlite3.Connection, after: int, limit: int, gone: AbstractSet[int]
) -> list[OutgoingEvent]:
    """Return at most so many events beyond a place, in order, without those that are gone."""
    rows = connection.execute(_READ, (after, limit + len(gone))).fetchall()
    return [OutgoingEvent(*row) for row in rows if row[0] not in gone][:limit]


def bounded(connection: sqlite3.Connection, waiting: Waiting, most: int) -> Waiting:
    """Let the oldest events go that are too many; once none waits, the count begins anew.

    Belongs into the transaction that changed what waits.
    """
    surplus = waiting.depth - most
    if surplus > 0:
        (last,) = connection.execute(_LAST_OF_OLDEST, (surplus - 1,)).fetchone()
        connection.execute("DELETE FROM outbox WHERE id <= ?", (last,))
        return _counted(connection, Waiting(most, waiting.let_go + surplus, last))
    if waiting.let_go and not waiting.depth:
        return _counted(connection, replace(waiting, let_go=0))
    return waiting


def _counted(connection: sqlite3.Connection, waiting: Waiting) -> Waiting:
    connection.execute("UPDATE let_go SET events = ?", (waiting.let_go,))
    return waiting
