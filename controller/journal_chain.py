"""The chain of the journal: a record that was changed afterwards does not fit its successors.

Layout: `head(n) = SHA-256(head(n-1) as 32 bytes + canonical bytes)`, head(0) is 32 zero bytes. The
canonical bytes are a JSON array in UTF-8 without spaces, no character escaped that JSON does not
force to be:

- of a record `["record", position, session, table, moment, utc, stimulus, effects, seq, login,
  person, command, digest]`
- of the start of a daemon, which stands before its first record, `["boot", session, id, moment,
  utc, version, after]`

Units: `moment` and `utc` are whole microseconds, the latter since 1970-01-01 UTC; `stimulus` and
`effects` are JSON text inside a string; `after` is the last position before the start.
"""

import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from controller.journal import Boot, Origin, Record
from table.moment import MICROSECOND

GENESIS = bytes(32).hex()
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NOBODY = Origin("")
_TEXT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def utc_micros(utc: datetime) -> int:
    """Return a wall time as whole microseconds since 1970-01-01 UTC."""
    return (utc - _EPOCH) // MICROSECOND


def utc_of(micros: int) -> datetime:
    """Return the wall time of so many microseconds since 1970-01-01 UTC."""
    return _EPOCH + timedelta(microseconds=micros)


def written(record: Record) -> tuple[int | str, ...]:
    """Return the fields of a record in the order in which they are chained and stored."""
    origin = record.origin or _NOBODY
    return (
        record.position,
        record.session,
        record.table,
        record.moment.micros,
        utc_micros(record.utc),
        record.stimulus,
        record.effects,
        record.seq,
        origin.login,
        origin.person,
        origin.command,
        record.digest,
    )


def record_head(previous: str, record: Record) -> str:
    """Return the head that belongs to a record behind another head; `record.head` is not read.

    Raises:
        UnicodeEncodeError: the record holds half a surrogate pair, which no file can keep.
    """
    return _chained(previous, ["record", *written(record)])


def boot_head(previous: str, session: int, boot: Boot, after: int) -> str:
    """Return the head that belongs to a start of the daemon behind a record."""
    utc = utc_micros(boot.utc)
    return _chained(
        previous, ["boot", session, boot.id, boot.moment.micros, utc, boot.version, after]
    )


def _chained(previous: str, fields: list[str | int]) -> str:
    return sha256(bytes.fromhex(previous) + _TEXT.encode(fields).encode()).hexdigest()
