"""What each role may read and write at the broker, derived from topics and audiences; pure.

A login is the user name at the broker and the `{login}` level of commands and replies, so the
broker itself sees to it that nobody orders in another's name.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import get_args

from mqtt.events import Audience, Effect, audience, kind_of
from mqtt.inquiries import QUESTIONS
from mqtt.topics import Root, TopicKind, is_id


class Role(StrEnum):
    """What somebody at the broker is there for."""

    NODE = "node"
    """A daemon with table cables: says everything about its tables, answers orders."""
    BOARD = "board"
    """The web pages for hall and referees: reads everything, orders under its own login."""
    REFEREE = "referee"
    """A referee's own tool; the same as a board."""
    SCOREBOARD = "scoreboard"
    """A display for everyone: nothing undecided, no orders, only `replay`."""
    ADMIN = "admin"
    """Staff: reads everything and the broker's own figures, orders, clears what was left behind."""


class Deed(StrEnum):
    """What a grant lets somebody do with topics."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class Grant:
    """One thing that a login may do; whatever no grant names is forbidden."""

    deed: Deed
    topic_filter: str


@dataclass(frozen=True, slots=True)
class Holder:
    """A login and what it is there for."""

    login: str
    role: Role
    node: str = ""
    """Of role node only: the id in its topics; the login where it is empty."""
    keeps_venue: bool = False
    """Of role node only: also tells the venue's state, and clears what gone nodes left behind."""


EVERYTHING, ANYTHING = "#", "+"
BROKER_FIGURES = "$SYS/#"
PUBLIC_VERBS = tuple(
    verb for verb, question in QUESTIONS.items() if question.audience is Audience.EVERYONE
)
"""Verbs of a table that even a scoreboard may send."""
COMMANDS = (TopicKind.TABLE_COMMAND, TopicKind.NODE_COMMAND, TopicKind.VENUE_COMMAND)
OF_NODES = (TopicKind.NODE_AVAILABILITY, TopicKind.HEARTBEAT, TopicKind.NODE_META)
OF_TABLES = (
    TopicKind.TABLE_META,
    TopicKind.TABLE_AVAILABILITY,
    TopicKind.STATE,
    TopicKind.TIMERS,
    TopicKind.LEDGER,
    TopicKind.EVENT,
    TopicKind.ALERT,
)
RETAINED = tuple(
    kind
    for kind in TopicKind
    if kind not in (*COMMANDS, TopicKind.HEARTBEAT, TopicKind.EVENT, TopicKind.REPLY)
)
"""What the broker keeps, and somebody may have to clear one day."""
PUBLIC = tuple(kind for kind in (*RETAINED, TopicKind.HEARTBEAT) if kind is not TopicKind.ALERT)
"""What a display for everyone may read beside the events for everyone."""


def event_kinds(*audiences: Audience) -> tuple[str, ...]:
    """Return the wire names of the events for somebody, in order of the alphabet."""
    # Who may hear of an event depends on nothing that an event of its class could hold.
    heard = (each for each in get_args(Effect) if audience(object.__new__(each)) in audiences)
    return tuple(sorted(map(kind_of, heard)))


def grants(root: Root, holder: Holder) -> tuple[Grant, ...]:
    """Return all that a login may do.

    Raises:
        ValueError: the login or its node is no id of the contract.
    """
    if not is_id(holder.login):
        message = f"login {holder.login!r}: only a-z, 0-9 and hyphen are allowed, 1 to 64 of them"
        raise ValueError(message)
    match holder.role:
        case Role.NODE:
            return (*_reads(_node_reads(root)), *_writes(_node_writes(root, holder)))
        case Role.BOARD | Role.REFEREE:
            return (*_reads([_all_of(root)]), *_writes(_orders(root, holder.login)))
        case Role.SCOREBOARD:
            replay = [
                root.every(TopicKind.TABLE_COMMAND, login=holder.login, name=verb)
                for verb in PUBLIC_VERBS
            ]
            return (*_reads(_scoreboard_reads(root, holder.login)), *_writes(replay))
        case Role.ADMIN:
            ghosts = map(root.every, RETAINED)
            allowed = (*_orders(root, holder.login), *ghosts)
            return (*_reads([_all_of(root), BROKER_FIGURES]), *_writes(allowed))


def permits(granted: Iterable[Grant], deed: Deed, topic: str) -> bool:
    """Say whether one of some grants lets somebody read or write a topic."""
    return any(each.deed is deed and matches(each.topic_filter, topic) for each in granted)


def matches(topic_filter: str, topic: str) -> bool:
    """Say whether a topic is one of a filter's; `#` and `+` first match no `$` topics."""
    levels = topic_filter.split("/")
    names = topic.split("/")
    if names[0].startswith("$") and levels[0] != names[0]:
        return False
    if levels[-1] == EVERYTHING:
        levels = levels[:-1]
        names = names[: len(levels)]
    return len(levels) == len(names) and all(
        level in {ANYTHING, name} for level, name in zip(levels, names, strict=True)
    )


def _reads(filters: Iterable[str]) -> Iterator[Grant]:
    return (Grant(Deed.READ, each) for each in filters)


def _writes(filters: Iterable[str]) -> Iterator[Grant]:
    return (Grant(Deed.WRITE, each) for each in filters)


def _all_of(root: Root) -> str:
    return f"{root.path}/{EVERYTHING}"


def _orders(root: Root, login: str) -> list[str]:
    return [root.every(kind, login=login) for kind in COMMANDS]


def _node_reads(root: Root) -> list[str]:
    return [root.every(kind) for kind in (*COMMANDS, *RETAINED, TopicKind.HEARTBEAT)]


def _node_writes(root: Root, holder: Holder) -> list[str]:
    everywhere = [*map(root.every, OF_TABLES), root.every(TopicKind.REPLY)]
    if holder.keeps_venue:
        return [*map(root.every, OF_NODES), *everywhere, root.every(TopicKind.VENUE_STATE)]
    own = holder.node or holder.login
    return [*(root.every(kind, node=own) for kind in OF_NODES), *everywhere]


def _scoreboard_reads(root: Root, login: str) -> list[str]:
    events = [root.every(TopicKind.EVENT, name=kind) for kind in event_kinds(Audience.EVERYONE)]
    reply = root.every(TopicKind.REPLY, login=login)
    return [*map(root.every, PUBLIC), *events, reply]


def mosquitto_acl(
    root: Root, logins: Mapping[str, Role], nodes: Mapping[str, str] | None = None, keeper: str = ""
) -> str:
    """Return the access list of a venue as an `acl_file` of mosquitto 2.

    Every login has lines of its own: mosquitto's `pattern` lines hold for everybody. It applies
    `read` when it delivers, so it answers a forbidden subscription with success and then silence.

    Args:
        root: the topics of the venue.
        logins: the role of each login.
        nodes: the node that a login of role node speaks for; the login itself where not given.
        keeper: the login of the node that keeps the venue.

    Raises:
        ValueError: a login or node is no id of the contract.
    """
    spoken_for = nodes or {}
    holders = (
        Holder(login, role, spoken_for.get(login, ""), login == keeper)
        for login, role in logins.items()
    )
    return "\n".join(_section(root, holder) for holder in holders)


def _section(root: Root, holder: Holder) -> str:
    lines = [f"topic {each.deed} {each.topic_filter}" for each in grants(root, holder)]
    return "\n".join([f"# {holder.role}", f"user {holder.login}", *lines, ""])
