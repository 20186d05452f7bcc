"""The journal's file: its tables, its versions, and how it is opened."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from table.errors import JournalError

APPLICATION_ID = 0x4D4A5457
"""`MJTW`, in the file's header: this SQLite file is a journal of tablewarden."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE boots(
            session INTEGER PRIMARY KEY, id TEXT NOT NULL, moment INTEGER NOT NULL,
            utc INTEGER NOT NULL, version TEXT NOT NULL, after INTEGER NOT NULL,
            head TEXT NOT NULL) STRICT""",
        """CREATE TABLE records(
            position INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES boots,
            table_id TEXT NOT NULL, moment INTEGER NOT NULL, utc INTEGER NOT NULL,
            stimulus TEXT NOT NULL, effects TEXT NOT NULL, seq INTEGER NOT NULL,
            login TEXT NOT NULL, person TEXT NOT NULL, command TEXT NOT NULL,
            digest TEXT NOT NULL, head TEXT NOT NULL) STRICT""",
        "CREATE INDEX records_of_table ON records(table_id, position)",
        """CREATE TABLE snapshots(
            table_id TEXT NOT NULL, position INTEGER NOT NULL REFERENCES records,
            closes_gap INTEGER NOT NULL, state BLOB NOT NULL,
            PRIMARY KEY(table_id, position)) STRICT""",
        """CREATE TABLE outbox(
            id INTEGER PRIMARY KEY, kind TEXT NOT NULL, table_id TEXT NOT NULL,
            seq INTEGER NOT NULL, payload BLOB NOT NULL) STRICT""",
        """CREATE TABLE replies(
            login TEXT NOT NULL, command TEXT NOT NULL, utc INTEGER NOT NULL,
            reply BLOB NOT NULL, PRIMARY KEY(login, command)) STRICT, WITHOUT ROWID""",
        "CREATE INDEX replies_by_age ON replies(utc)",
        "CREATE TABLE trials(id INTEGER PRIMARY KEY, room BLOB NOT NULL) STRICT",
    ),
    (
        "CREATE TABLE let_go(events INTEGER NOT NULL) STRICT",
        "INSERT INTO let_go VALUES (0)",
    ),
)
"""The statements that lead from each version to the next; version 0 is an empty file."""


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn what SQLite and the disk say about a journal into a JournalError that names it."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        message = f"journal {path}: {error}"
        raise JournalError(message) from error


def take(path: Path) -> int:
    """Claim a journal for this process and return the descriptor that holds the claim.

    Raises:
        JournalError: another process writes it, or its folder cannot be written.
    """
    with told(path):
        claim = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(claim)
        message = f"journal {path}: another tablewarden is writing it"
        raise JournalError(message) from error
    return claim


def writing(path: Path, *, create: bool) -> sqlite3.Connection:
    """Open a journal for its one writer and bring it to the newest version.

    Raises:
        JournalError: the file is damaged, foreign, of a newer version, or cannot be written; it is
            left as it is.
    """
    with told(path):
        connection = _connected(path, "rwc" if create else "rw")
        try:
            bring_up(connection, path, MIGRATIONS)
            for pragma in ("foreign_keys = ON", "journal_size_limit = 16777216"):
                connection.execute(f"PRAGMA {pragma}")
        except BaseException:
            connection.close()
            raise
    return connection


def reading(path: Path) -> sqlite3.Connection:
    """Open a journal for reading only.

    Raises:
        JournalError: there is no such journal, or it is damaged, foreign or of a newer version.
    """
    with told(path):
        connection = _connected(path, "ro")
        try:
            if version_of(connection, path, MIGRATIONS) != len(MIGRATIONS):
                message = f"journal {path}: of an older version; the daemon brings it up to date"
                raise JournalError(message)  # noqa: TRY301 - one place closes the connection
        except BaseException:
            connection.close()
            raise
    return connection


def bring_up(
    connection: sqlite3.Connection, path: Path, migrations: Sequence[tuple[str, ...]]
) -> None:
    """Lead a journal forward to the newest version, after a backup of the older one beside it.

    Raises:
        JournalError: the file is no journal of ours or of a newer version.
    """
    version = version_of(connection, path, migrations)
    connection.execute("PRAGMA synchronous = FULL")
    if version == len(migrations):
        return
    if version:
        _back_up(connection, Path(f"{path}.v{version}-backup"))
    else:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    for statement in (each for step in migrations[version:] for each in step):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {len(migrations)}")
    connection.execute("COMMIT")


def version_of(
    connection: sqlite3.Connection, path: Path, migrations: Sequence[tuple[str, ...]]
) -> int:
    """Return the version of a journal's tables, 0 for an empty file.

    Raises:
        JournalError: the file is no journal of ours or of a newer version.
    """
    (owner,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if (tables or version) and owner != APPLICATION_ID:
        message = f"journal {path}: a database of another program, left as it is"
        raise JournalError(message)
    if version > len(migrations):
        message = (
            f"journal {path}: written by a newer tablewarden (version {version} of the file, "
            f"this one knows up to {len(migrations)}), left as it is"
        )
        raise JournalError(message)
    return int(version)


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, isolation_level=None)


def _back_up(connection: sqlite3.Connection, copy: Path) -> None:
    copy.unlink(missing_ok=True)
    with closing(sqlite3.connect(copy)) as target:
        connection.backup(target)
