"""What a node keeps retained at the broker, and what of it the broker has yet to hear; pure."""

from collections.abc import Iterable
from itertools import islice

from mqtt.messages import Message
from mqtt.topics import Root, TopicKind

_ORDER = (
    TopicKind.NODE_META,
    TopicKind.TABLE_META,
    TopicKind.STATE,
    TopicKind.TIMERS,
    TopicKind.VENUE_STATE,
    TopicKind.LEDGER,
    TopicKind.ALERT,
    TopicKind.TABLE_AVAILABILITY,
)
"""Whoever sees a table come online finds everything else about it in place."""


class Retained:
    """The newest payload of every retained topic; an empty one clears its topic.

    Args:
        root: the topics of the venue.
    """

    def __init__(self, root: Root) -> None:
        self._root = root
        self._held: dict[str, bytes] = {}
        self._changed: dict[str, None] = {}

    def put(self, topic: str, payload: bytes) -> None:
        """Hold a payload; an older one of the topic is not sent any more.

        Raises:
            ValueError: the contract has no such retained topic.
        """
        if topic not in self._held:
            self._rank(topic)
        if self._held.get(topic) != payload:
            self._held[topic] = payload
            self._changed[topic] = None

    def holds(self, topic: str) -> bool:
        """Say whether the topic is one of ours, or about to be cleared by us."""
        return topic in self._held

    def start_over(self) -> None:
        """Take the broker for empty: everything is to be sent, in the order of the contract."""
        self._changed = dict.fromkeys(sorted(self._held, key=self._rank))

    @property
    def waiting(self) -> int:
        """How many topics the broker has yet to hear of."""
        return len(self._changed)

    def take_changes(self, most: int | None = None) -> list[Message]:
        """Return what changed and was not taken yet, oldest change first, as it is by now."""
        topics = list(islice(self._changed, most))
        for topic in topics:
            del self._changed[topic]
        return [Message(topic, self._held[topic], retain=True) for topic in topics]

    def sent(self, messages: Iterable[Message]) -> None:
        """Forget topics that the broker has cleared."""
        for message in messages:
            if not message.payload and self._held.get(message.topic) == b"":
                del self._held[message.topic]

    def _rank(self, topic: str) -> int:
        address = self._root.parse(topic)
        if address is None or address.kind not in _ORDER:
            message = f"{topic} is no retained topic of the contract"
            raise ValueError(message)
        return _ORDER.index(address.kind)
