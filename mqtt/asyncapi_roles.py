"""Which roles may do what a channel is for, by the grants that also make the access list."""

import re
from functools import cache

from mqtt.access import Deed, Holder, Role, grants
from mqtt.catalogue import COMMANDS, EVENTS, TOPICS
from mqtt.topics import Root, TopicKind

_ROOT = Root("mahjong", "venue")
_LOGIN = "login"


def roles(kind: TopicKind, name: str = "") -> list[str]:
    """Return who may read a kind of topic, or write it where nodes hear it.

    Args:
        kind: of topic.
        name: the event kind or verb; empty asks who may do so with one of them at least.
    """
    deed = Deed.WRITE if TOPICS[kind].heard else Deed.READ
    names = [name] if name else EVENTS if kind is TopicKind.EVENT else COMMANDS.get(kind) or ["x"]
    topics = [f"{_ROOT.path}/{_sample(kind, last)}" for last in names]
    return [str(role) for role in Role if any(_may(role, deed, topic) for topic in topics)]


def _sample(kind: TopicKind, last: str) -> str:
    """Return a topic of a kind; its levels are called what they are."""
    known = {"login": _LOGIN, "name": last}
    return re.sub(r"\{(\w+)\}", lambda level: known.get(level[1], level[1]), kind)


def _may(role: Role, deed: Deed, topic: str) -> bool:
    return any(allowed.fullmatch(topic) for allowed in _allowed(role, deed))


@cache
def _allowed(role: Role, deed: Deed) -> list[re.Pattern[str]]:
    every = grants(_ROOT, Holder(_LOGIN, role, keeps_venue=True))
    return [_pattern(each.topic_filter) for each in every if each.deed is deed]


def _pattern(topic_filter: str) -> re.Pattern[str]:
    return re.compile(re.escape(topic_filter).replace(r"\+", "[^/]+").replace("\\#", ".*"))
