import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from mqtt.access import Deed, Role
from mqtt.asyncapi import document
from mqtt.asyncapi_messages import Parts
from mqtt.catalogue import COMMANDS, EVENTS, TOPICS, levels, pattern, purpose
from mqtt.events import Audience
from mqtt.reach import who_may
from mqtt.topics import Root, TopicKind

DOCUMENT = document()
COMPONENTS = DOCUMENT["components"]
OFFICIALS = [Role.BOARD, Role.REFEREE, Role.ADMIN]


def references(part: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    """Iterate over everything that a part of the document refers to."""
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for inner in part.values():
            yield from references(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from references(inner)


def resolved(reference: str) -> Any:  # noqa: ANN401 - JSON
    part: Any = DOCUMENT
    for name in reference.removeprefix("#/").split("/"):
        part = part[name]
    return part


def test_the_document_is_the_same_every_time() -> None:
    assert json.dumps(document()) == json.dumps(DOCUMENT)


def test_every_reference_leads_somewhere() -> None:
    found = set(references(DOCUMENT))
    assert len(found) > len(EVENTS)
    assert all(resolved(one) for one in found)


def test_nothing_is_kept_that_nobody_refers_to() -> None:
    used = set(references(DOCUMENT))
    for place in ("schemas", "messages", "parameters", "correlationIds"):
        assert {f"#/components/{place}/{name}" for name in COMPONENTS[place]} <= used


@pytest.mark.parametrize("kind", TopicKind)
def test_a_channel_has_the_levels_of_its_topic(kind: TopicKind) -> None:
    addresses = {one["address"]: one for one in DOCUMENT["channels"].values()}
    channel = addresses[f"{{prefix}}/1/{{venue}}/{pattern(kind)}"]
    assert list(channel["parameters"]) == ["prefix", "venue", *levels(kind)]
    assert channel["description"] == purpose(kind)


def test_the_patterns_of_levels_take_what_a_topic_may_be_made_of() -> None:
    patterns = {name: one["x-pattern"] for name, one in COMPONENTS["parameters"].items()}
    assert re.search(patterns["table"], "t-1")
    assert not re.search(patterns["table"], "T1")
    assert not re.search(patterns["login"], "a/b")
    assert re.search(patterns["prefix"], "hall/mahjong")
    assert Root("hall/mahjong", "venue").path == "hall/mahjong/1/venue"


def test_a_client_receives_what_nodes_say_and_sends_what_they_hear() -> None:
    for name, one in DOCUMENT["operations"].items():
        assert name.startswith(one["action"])
        kept = one["bindings"]["mqtt"]["retain"]
        assert (one["action"] == "send") is ("reply" in one)
        assert not (kept and "reply" in one)


def test_orders_are_answered_on_the_reply_channel_by_their_id() -> None:
    order = DOCUMENT["operations"]["sendTableCommand"]
    assert order["reply"] == {"channel": {"$ref": "#/channels/reply"}}
    assert order["bindings"]["mqtt"]["messageExpiryInterval"] == 5
    assert "reply/{login}/" in order["x-response-topic"]
    messages = [COMPONENTS["messages"][name] for name in ("reply-payload", "table-command.waive")]
    assert {one["correlationId"]["$ref"] for one in messages} == {
        "#/components/correlationIds/command"
    }


def test_a_message_says_who_may_read_or_send_it() -> None:
    messages = COMPONENTS["messages"]
    assert messages["event.alert-raised"]["x-roles"] == OFFICIALS
    assert messages["event.alert-raised"]["x-audience"] == "officials"
    assert Role.SCOREBOARD in messages["event.discarded"]["x-roles"]
    assert Role.SCOREBOARD in messages["table-command.replay"]["x-roles"]
    assert messages["table-command.replay-official"]["x-roles"] == OFFICIALS
    assert messages["table-command.waive"]["x-roles"] == OFFICIALS


@pytest.mark.parametrize("kind", TopicKind)
def test_the_list_of_topics_and_the_access_list_agree(kind: TopicKind) -> None:
    told = TOPICS[kind]
    reads, writes = who_may(Deed.READ, kind), who_may(Deed.WRITE, kind)
    assert (Role.NODE in writes) is not told.heard
    assert (Role.ADMIN in writes) is (told.heard or told.retained)
    if told.audience is Audience.OFFICIALS:
        assert Role.SCOREBOARD not in reads
    if told.audience is Audience.EVERYONE:
        assert Role.SCOREBOARD in reads


@pytest.mark.parametrize("kind", EVENTS)
def test_a_scoreboard_reads_exactly_the_events_for_everyone(kind: str) -> None:
    _, audience = EVENTS[kind]
    readers = who_may(Deed.READ, TopicKind.EVENT, kind)
    assert (Role.SCOREBOARD in readers) is (audience is Audience.EVERYONE)
    assert set(OFFICIALS) <= set(readers)


def test_every_verb_has_its_message() -> None:
    for kind, verbs in COMMANDS.items():
        prefix = kind.name.lower().replace("_", "-")
        assert {f"{prefix}.{verb}" for verb in verbs} <= set(COMPONENTS["messages"])


def test_two_schemas_of_one_name_are_not_mixed_up() -> None:
    parts = Parts(schemas={"Face": {"type": "string"}})
    with pytest.raises(ValueError, match="two schemas are called Face"):
        parts.messages_of(TopicKind.TIMERS)


def test_a_server_takes_a_password_or_a_certificate() -> None:
    for server, protocol in (("plain", "mqtt"), ("secure", "secure-mqtt")):
        told = DOCUMENT["servers"][server]
        assert told["protocol"] == protocol
        assert [resolved(one["$ref"])["type"] for one in told["security"]] == [
            "userPassword",
            "X509",
        ]
