from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqtt.retained import Retained
from mqtt.topics import Root, TopicKind

ROOT = Root("mahjong", "hall")
STATE, ALERT = ROOT.state("t1"), ROOT.alert("t1", "f1")
TOPICS = [
    STATE,
    ALERT,
    ROOT.node_meta("n1"),
    ROOT.table_meta("t1"),
    ROOT.timers("t2"),
    ROOT.ledger("t1"),
    ROOT.venue_state("roster"),
    ROOT.table_availability("t1"),
]
Change = tuple[str, bytes] | Literal["send", "lose"]
puts: st.SearchStrategy[Change] = st.tuples(st.sampled_from(TOPICS), st.binary(max_size=2))
turns: st.SearchStrategy[Change] = st.sampled_from(["send", "lose"])


@given(st.lists(puts | turns))
def test_the_broker_ends_up_with_the_newest_of_everything(changes: list[Change]) -> None:
    retained = Retained(ROOT)
    broker: dict[str, bytes] = {}
    newest: dict[str, bytes] = {}
    for change in changes:
        match change:
            case "send":
                messages = retained.take_changes()
                broker |= {message.topic: message.payload for message in messages}
                retained.sent(messages)
            case "lose":
                retained.take_changes()
                retained.start_over()
            case (topic, payload):
                retained.put(topic, payload)
                newest[topic] = payload
    broker |= {message.topic: message.payload for message in retained.take_changes()}
    assert {topic: payload for topic, payload in broker.items() if payload} == {
        topic: payload for topic, payload in newest.items() if payload
    }


def test_only_the_newest_of_a_topic_is_sent() -> None:
    retained = Retained(ROOT)
    retained.put(STATE, b"1")
    retained.put(STATE, b"2")
    assert [message.payload for message in retained.take_changes()] == [b"2"]
    retained.put(STATE, b"2")
    assert retained.take_changes() == []


def test_what_changes_while_all_is_told_is_told_once_as_it_is_by_then() -> None:
    retained = Retained(ROOT)
    for topic in TOPICS:
        retained.put(topic, b"old")
    told = retained.take_changes(2)
    for topic in TOPICS:
        retained.put(topic, b"new")
    told += retained.take_changes()
    assert [m.payload for m in told if m.topic in TOPICS[2:]] == [b"new"] * len(TOPICS[2:])
    assert len(told) == len(TOPICS) + 2
    assert retained.waiting == 0


def test_a_new_connection_hears_everything_in_the_order_of_the_contract() -> None:
    retained = Retained(ROOT)
    for topic in TOPICS:
        retained.put(topic, b"x")
    retained.take_changes()
    retained.start_over()
    kinds = [address.kind for m in retained.take_changes() if (address := ROOT.parse(m.topic))]
    assert kinds == [
        TopicKind.NODE_META,
        TopicKind.TABLE_META,
        TopicKind.STATE,
        TopicKind.TIMERS,
        TopicKind.VENUE_STATE,
        TopicKind.LEDGER,
        TopicKind.ALERT,
        TopicKind.TABLE_AVAILABILITY,
    ]


def test_a_cleared_topic_is_cleared_again_until_the_broker_has_heard_it() -> None:
    retained = Retained(ROOT)
    retained.put(ALERT, b"")
    retained.take_changes()
    retained.start_over()
    messages = retained.take_changes()
    assert [(message.topic, message.payload) for message in messages] == [(ALERT, b"")]
    retained.sent(messages)
    retained.start_over()
    assert retained.take_changes() == []
    assert not retained.holds(ALERT)


@pytest.mark.parametrize("topic", [ROOT.event("t1", "discarded"), ROOT.heartbeat("n1"), "hall"])
def test_a_topic_that_is_not_retained_is_refused(topic: str) -> None:
    with pytest.raises(ValueError, match="no retained topic"):
        Retained(ROOT).put(topic, b"x")
