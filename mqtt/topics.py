"""Topic names of the contract, built and read in one place; pure."""

import re
from dataclasses import dataclass
from enum import StrEnum

CONTRACT = "1"
"""Major version; a level of every topic."""
ID = re.compile(r"[a-z0-9-]{1,64}")
"""What may be a level of a topic: names of nodes, tables, logins, alerts and commands."""
TRIAL = "-trial-"
"""Begins the ids that `doctor` tries the broker with; no node and no table is called so."""
_PREFIX = re.compile(r"[a-z0-9-]{1,64}(/[a-z0-9-]{1,64}){0,3}")


class TopicKind(StrEnum):
    """The topics below the root; the value is the pattern."""

    NODE_AVAILABILITY = "avail/node/{node}"
    HEARTBEAT = "hb/node/{node}"
    NODE_META = "meta/node/{node}"
    TABLE_META = "meta/table/{table}"
    TABLE_AVAILABILITY = "avail/table/{table}"
    STATE = "state/table/{table}"
    TIMERS = "state/table/{table}/timers"
    LEDGER = "ledger/table/{table}"
    VENUE_STATE = "state/venue/{name}"
    EVENT = "event/table/{table}/{name}"
    ALERT = "alert/table/{table}/{name}"
    TABLE_COMMAND = "cmd/{login}/table/{table}/{name}"
    NODE_COMMAND = "cmd/{login}/node/{node}/{name}"
    VENUE_COMMAND = "cmd/{login}/venue/{name}"
    REPLY = "reply/{login}/{name}"


@dataclass(frozen=True, slots=True)
class Address:
    """What a topic names; a level that its kind does not have is empty."""

    kind: TopicKind
    node: str = ""
    table: str = ""
    login: str = ""
    name: str = ""
    """Event kind, alert, verb, command id or kind of venue state."""


def is_id(text: str) -> bool:
    """Say whether a text may be a level of a topic: 1 to 64 of a-z, 0-9 and hyphen."""
    return ID.fullmatch(text) is not None


def _reader(kind: TopicKind) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[a-z0-9-]{1,64})", kind))


_READERS = {kind: _reader(kind) for kind in TopicKind}


class Root:
    """The topics of one venue.

    Args:
        prefix: first level or levels, `mahjong` by default.
        venue: id of the venue.

    Raises:
        ValueError: an id holds more than a-z, 0-9 and hyphen.
    """

    def __init__(self, prefix: str, venue: str) -> None:
        if _PREFIX.fullmatch(prefix) is None:
            message = f"topic prefix {prefix!r}: only a-z, 0-9, hyphen and slash are allowed"
            raise ValueError(message)
        self.path = f"{prefix}/{CONTRACT}/{_checked(venue)}"

    def node_availability(self, node: str) -> str:
        """Whether a node is online; retained, also its last will."""
        return self._topic(TopicKind.NODE_AVAILABILITY, node=node)

    def heartbeat(self, node: str) -> str:
        """A node's clock and counters, every 2 s."""
        return self._topic(TopicKind.HEARTBEAT, node=node)

    def node_meta(self, node: str) -> str:
        """What a node is; retained."""
        return self._topic(TopicKind.NODE_META, node=node)

    def table_meta(self, table: str) -> str:
        """What a table is and can do; retained."""
        return self._topic(TopicKind.TABLE_META, table=table)

    def table_availability(self, table: str) -> str:
        """Whether a table is reachable; retained."""
        return self._topic(TopicKind.TABLE_AVAILABILITY, table=table)

    def state(self, table: str) -> str:
        """Snapshot of a table; retained."""
        return self._topic(TopicKind.STATE, table=table)

    def timers(self, table: str) -> str:
        """Clocks of a table; retained."""
        return self._topic(TopicKind.TIMERS, table=table)

    def ledger(self, table: str) -> str:
        """Decided rulings of the session; retained."""
        return self._topic(TopicKind.LEDGER, table=table)

    def venue_state(self, name: str) -> str:
        """State of the whole venue of one kind; retained."""
        return self._topic(TopicKind.VENUE_STATE, name=name)

    def event(self, table: str, kind: str) -> str:
        """Numbered events of a table."""
        return self._topic(TopicKind.EVENT, table=table, name=kind)

    def alert(self, table: str, foul: str) -> str:
        """A foul before the referees, or recorded until one objects; retained while undecided."""
        return self._topic(TopicKind.ALERT, table=table, name=foul)

    def table_command(self, login: str, table: str, verb: str) -> str:
        """An order for a table."""
        return self._topic(TopicKind.TABLE_COMMAND, login=login, table=table, name=verb)

    def node_command(self, login: str, node: str, verb: str) -> str:
        """An order for a node."""
        return self._topic(TopicKind.NODE_COMMAND, login=login, node=node, name=verb)

    def venue_command(self, login: str, verb: str) -> str:
        """An order for the venue."""
        return self._topic(TopicKind.VENUE_COMMAND, login=login, name=verb)

    def reply(self, login: str, command: str) -> str:
        """Where the sender of a command hears of it."""
        return self._topic(TopicKind.REPLY, login=login, name=command)

    def every(self, kind: TopicKind, **known: str) -> str:
        """Return the subscription filter for a kind of topic; levels not given match anything."""
        levels = {name: _checked(value) for name, value in known.items()}
        filled = re.sub(r"\{(\w+)\}", lambda level: levels.get(level[1], "+"), kind)
        return f"{self.path}/{filled}"

    def parse(self, topic: str) -> Address | None:
        """Return what a topic names, or None where it is no topic of this venue's contract.

        What `doctor` sends under ids of its own is none, so nobody takes it for more.
        """
        if not topic.startswith(f"{self.path}/") or f"/{TRIAL}" in topic:
            return None
        below = topic[len(self.path) + 1 :]
        for kind, reader in _READERS.items():
            if found := reader.fullmatch(below):
                return Address(kind, **found.groupdict())
        return None

    def _topic(self, kind: TopicKind, **levels: str) -> str:
        ids = {name: _checked(value) for name, value in levels.items()}
        return f"{self.path}/{kind.format(**ids)}"


def _checked(text: str) -> str:
    if not is_id(text):
        message = f"topic level {text!r}: only a-z, 0-9 and hyphen are allowed, 1 to 64 of them"
        raise ValueError(message)
    return text
