"""What the doctor tries at the broker, and what it concludes from what was seen; pure."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from mqtt.access import (
    COMMANDS,
    OF_NODES,
    OF_TABLES,
    Deed,
    Grant,
    Holder,
    Role,
    event_kinds,
    grants,
    permits,
)
from mqtt.certificate_orders import CERTIFICATE_VERBS
from mqtt.events import Audience
from mqtt.inquiries import QUESTIONS
from mqtt.pad_orders import PAD_VERBS
from mqtt.topics import Root, TopicKind
from mqtt.verbs import NODE_VERBS, VERBS

VERSION_TOPIC = "$SYS/broker/version"
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Ward:
    """The users of a broker, and the id under which they are tried.

    No node and no table has the id, and no reader of the contract knows its topics.
    """

    root: Root
    holders: tuple[Holder, ...]
    mark: str

    @property
    def nodes(self) -> tuple[str, ...]:
        """Nodes that may be at work: their own topics are said again as they were, never anew."""
        return tuple(each.node for each in self.holders if each.role is Role.NODE)

    def grants(self) -> dict[str, tuple[Grant, ...]]:
        """Return what each login may do."""
        return {each.login: grants(self.root, each) for each in self.holders}

    def attempts(self, login: str) -> tuple[str, ...]:
        """Return the topics that a login tries to write under the mark."""
        return tuple(dict.fromkeys((*self._shared(), *self._commands(login))))

    def outside(self) -> str:
        """Return a topic that is not of this venue."""
        return f"{self.mark}/elsewhere"

    def kept(self) -> str:
        """Return a topic to have something retained on."""
        return self._marked(TopicKind.TABLE_META)

    def private(self, login: str) -> str:
        """Return a topic that hardly anybody but one login reads."""
        return self._marked(TopicKind.REPLY, login=login)

    def echoes(self) -> tuple[str, ...]:
        """Return topics of real nodes, on which only what stands there may be said again."""
        return tuple(topic for node in self.nodes for topic in self.echoes_of(node))

    def echoes_of(self, node: str) -> tuple[str, ...]:
        """Return those topics of one node."""
        return tuple(self.root.every(kind, node=node) for kind in OF_NODES)

    def _shared(self) -> Iterator[str]:
        for kind in (*OF_NODES, *OF_TABLES, TopicKind.VENUE_STATE):
            if kind is not TopicKind.EVENT:
                yield self._marked(kind)
        for name in event_kinds(*Audience):
            yield self._marked(TopicKind.EVENT, name=name)
        for holder in self.holders:
            yield self._marked(TopicKind.REPLY, login=holder.login)
        yield self.outside()

    def _commands(self, login: str) -> Iterator[str]:
        for holder in self.holders:
            for kind in COMMANDS:
                yield self._marked(kind, login=holder.login)
        for verb in (*VERBS, *QUESTIONS, *PAD_VERBS):
            yield self._marked(TopicKind.TABLE_COMMAND, login=login, name=verb)
        for verb in (*NODE_VERBS, *CERTIFICATE_VERBS):
            yield self._marked(TopicKind.NODE_COMMAND, login=login, name=verb)

    def _marked(self, kind: TopicKind, **known: str) -> str:
        return self.root.every(kind, **known).replace("+", self.mark)


@dataclass
class Observed:
    """What the broker let pass."""

    seen: set[tuple[str, str, str]] = field(default_factory=set)
    """Who saw what of whom: reader, writer, topic."""
    refused: set[tuple[str, str]] = field(default_factory=set)
    """What the broker said no to: writer, topic."""
    tells: bool = True
    """Whether it says so at all; not in MQTT 3.1.1."""
    echoed: dict[tuple[str, str], bool] = field(default_factory=dict)
    """Whether a writer could say again what a real node had said: writer, topic."""
    figures: set[str] = field(default_factory=set)
    """Who reads the broker's own figures."""

    def wrote(self, login: str, topic: str) -> bool:
        """Say whether a message got through."""
        if self.tells and (login, topic) not in self.refused:
            return True
        return any((writer, at) == (login, topic) for _, writer, at in self.seen)


@dataclass
class Opinion:
    """What was found of one login."""

    allowed: int = 0
    """So many topics it may use, and can."""
    forbidden: int = 0
    """So many it may not use, and cannot, though others can or would have seen it."""
    wrong: list[str] = field(default_factory=list)

    def note(self, deed: str, *, may: bool, can: bool) -> None:
        """Compare what should be with what is."""
        if can and not may:
            self.wrong.append(f"can {deed}, but must not")
        elif may and not can:
            self.wrong.append(f"cannot {deed}, but should")
        elif may:
            self.allowed += 1
        else:
            self.forbidden += 1

    def sentence(self) -> str:
        """Return what is wrong, shortened, or what is proven."""
        if not self.wrong:
            forbidden = f"none of the {self.forbidden} that it must not"
            return f"can do the {self.allowed} things that it may, and {forbidden}"
        more = len(self.wrong) - _SHOWN
        shown = "; ".join(self.wrong[:_SHOWN])
        return f"{shown}; and {more} more" if more > 0 else shown


class Judgement:
    """Compares what the broker let pass with what the roles of its users are."""

    def __init__(self, ward: Ward, observed: Observed) -> None:
        self._ward = ward
        self._observed = observed
        self._granted = ward.grants()
        self._opinions = {login: Opinion() for login in self._granted}

    def opinions(self) -> dict[str, Opinion]:
        """Return what was found of each login."""
        for login in self._granted:
            self._judge_figures(login)
            self._judge_writing(login)
        for (login, topic), can in self._observed.echoed.items():
            self._note(login, Deed.WRITE, topic, can=can)
        for topic in sorted(self._written()):
            self._judge_reading(topic)
        return self._opinions

    def _judge_writing(self, login: str) -> None:
        for topic in self._ward.attempts(login):
            can = self._observed.wrote(login, topic)
            if can or self._observed.tells or self._readers(topic):
                self._note(login, Deed.WRITE, topic, can=can)

    def _judge_reading(self, topic: str) -> None:
        seen_by = {reader for reader, _, at in self._observed.seen if at == topic}
        for login in self._granted:
            if seen_by or login in self._readers(topic):
                self._note(login, Deed.READ, topic, can=login in seen_by)

    def _judge_figures(self, login: str) -> None:
        may = permits(self._granted[login], Deed.READ, VERSION_TOPIC)
        if self._observed.figures or may:
            self._note(login, Deed.READ, VERSION_TOPIC, can=login in self._observed.figures)

    def _written(self) -> set[str]:
        return {
            topic
            for login in self._granted
            for topic in self._ward.attempts(login)
            if self._observed.wrote(login, topic)
        }

    def _readers(self, topic: str) -> set[str]:
        return {login for login, held in self._granted.items() if permits(held, Deed.READ, topic)}

    def _note(self, login: str, deed: Deed, topic: str, *, can: bool) -> None:
        may = permits(self._granted[login], deed, topic)
        where = topic.removeprefix(f"{self._ward.root.path}/").replace(self._ward.mark, "+")
        self._opinions[login].note(f"{deed} {where}", may=may, can=can)
