"""Who may read and write a kind of topic, by the grants that also make the access list."""

import re
from functools import cache

from mqtt.access import Deed, Grant, Holder, Role, grants, permits
from mqtt.catalogue import COMMANDS, EVENTS
from mqtt.topics import Root, TopicKind

_ROOT = Root("mahjong", "venue")
_LOGIN = "login"


def who_may(deed: Deed, kind: TopicKind, name: str = "") -> list[Role]:
    """Return the roles that may do something with topics of a kind.

    Args:
        deed: what they may do.
        kind: of topic; where it names a login or a node, it is their own.
        name: the event kind or verb; empty asks who may do so with one of them at least.
    """
    names = [name] if name else names_of(kind)
    return [role for role in Role if any(_may(role, deed, kind, each) for each in names)]


def names_of(kind: TopicKind) -> list[str]:
    """Return the event kinds or verbs of a kind of topic; a sample where anything may be named."""
    return list(EVENTS if kind is TopicKind.EVENT else COMMANDS.get(kind, ())) or ["name"]


def _may(role: Role, deed: Deed, kind: TopicKind, name: str) -> bool:
    known = {"login": _LOGIN, "node": _LOGIN, "name": name}
    below = re.sub(r"\{(\w+)\}", lambda level: known.get(level[1], level[1]), kind)
    return permits(_granted(role), deed, f"{_ROOT.path}/{below}")


@cache
def _granted(role: Role) -> tuple[Grant, ...]:
    return grants(_ROOT, Holder(_LOGIN, role, keeps_venue=True))
