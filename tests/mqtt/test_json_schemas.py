import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from config.load import playing_by
from controller.rehearsal import Rehearsal
from controller.script_file import hand_file_of
from controller.table_rules import rules_of
from mqtt.catalogue import COMMANDS, EVENTS, PAYLOADS
from mqtt.certificate_orders import CertificateOrder
from mqtt.docstrings import kebab
from mqtt.events import described
from mqtt.inbox import Rejection, Request, read_request
from mqtt.json_schemas import of_payload, schemas
from mqtt.messages import Delivery
from mqtt.orders import PreconditionFields
from mqtt.pad_orders import PAD_VERBS, PadOrder
from mqtt.parts import Face
from mqtt.schema_parts import data_of, told
from mqtt.topics import Root, TopicKind
from mqtt.verbs import VERBS
from tests.harness.contract import misfits, misfits_among
from tests.mqtt.sample_orders import ARGUMENTS, node_order, order
from timing.effects import Discarded

ROOT = Root("mahjong", "hall")
REHEARSALS = Path(__file__).parents[2] / "docs" / "examples" / "rehearsals"
BOOKS = sorted(folder.name for folder in REHEARSALS.iterdir())
SCHEMAS = schemas()


def parts_of(schema: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - JSON
    """Iterate over everything of a schema that is an object, from the outside in."""
    if isinstance(schema, dict):
        yield schema
        for part in schema.values():
            yield from parts_of(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from parts_of(part)


@pytest.mark.parametrize("path", SCHEMAS)
def test_a_schema_is_of_2020_12_and_stands_alone(path: str) -> None:
    schema = SCHEMAS[path]
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"urn:tablewarden:contract:1:{path.replace('/', ':')}"
    named = {part["$ref"] for part in parts_of(schema) if isinstance(part.get("$ref"), str)}
    assert named <= {f"#/$defs/{name}" for name in schema.get("$defs", {})}


def test_there_is_a_schema_for_every_payload_event_and_verb() -> None:
    kinds = {path.rsplit("/", 1)[0] for path in SCHEMAS}
    names = {
        kind: {path.split("/")[-1] for path in SCHEMAS if path.startswith(kind)} for kind in kinds
    }
    assert names["payloads"] == {kebab(model) for model in PAYLOADS}
    assert names["events"] == set(EVENTS)
    assert names["commands/table"] == set(COMMANDS[TopicKind.TABLE_COMMAND]) >= set(VERBS)
    assert names["commands/node"] == set(COMMANDS[TopicKind.NODE_COMMAND])


def test_the_schemas_are_the_same_every_time() -> None:
    assert json.dumps(schemas()) == json.dumps(SCHEMAS)


@pytest.mark.parametrize("path", [path for path in SCHEMAS if path.startswith("commands/")])
def test_a_command_is_closed_for_fields_that_nobody_knows(path: str) -> None:
    objects = [part for part in parts_of(SCHEMAS[path]) if part.get("type") == "object"]
    assert objects
    closed = [
        one.get("additionalProperties", True) is False or "propertyNames" in one for one in objects
    ]
    assert all(closed)


@pytest.mark.parametrize(
    "path",
    [path for path in SCHEMAS if not path.startswith("commands/") and "command-" not in path],
)
def test_what_is_sent_is_open_for_fields_of_later_versions(path: str) -> None:
    assert not [
        part for part in parts_of(SCHEMAS[path]) if part.get("additionalProperties") is False
    ]


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_an_order_that_fits_its_schema_is_an_order(verb: str) -> None:
    message = order(verb)
    assert misfits(f"commands/table/{verb}", json.loads(message.payload)) == []
    assert isinstance(read_request(ROOT, message), Request)


@pytest.mark.parametrize("verb", sorted(PAD_VERBS))
def test_what_a_pad_says_and_fits_its_schema_is_understood(verb: str) -> None:
    message = order(verb)
    assert misfits(f"commands/table/{verb}", json.loads(message.payload)) == []
    assert isinstance(read_request(ROOT, message), PadOrder)


@pytest.mark.parametrize(
    "wrong",
    [
        {"seat": 5},
        {"pad": "A"},
        {"input": "draw"},
        {"change": "down"},
        {"first_us": -1},
        {"node_ms": 61.5},
        {"sent_us": 2**60},
    ],
)
def test_what_is_no_press_neither_schema_nor_node_takes(wrong: dict[str, Any]) -> None:
    message = order("press", arguments=ARGUMENTS["press"] | wrong)
    assert misfits("commands/table/press", json.loads(message.payload))
    assert isinstance(read_request(ROOT, message), Rejection)


CERTIFICATE = {
    "number": "2026-7",
    "issuer": "Hall service",
    "model": "OTW-4",
    "serial": "TL-7",
    "inspected": "2026-07-01",
    "valid_until": "2027-06-30",
}
NODE_ARGUMENTS: dict[str, dict[str, str]] = {
    "certify": CERTIFICATE,
    "revoke-certificate": {"number": "2026-7", "reason": "seal broken"},
}


@pytest.mark.parametrize("verb", sorted(COMMANDS[TopicKind.NODE_COMMAND]))
def test_an_order_for_a_node_that_fits_its_schema_is_an_order(verb: str) -> None:
    message = node_order(verb, **NODE_ARGUMENTS.get(verb, {}))
    assert misfits(f"commands/node/{verb}", json.loads(message.payload)) == []
    assert isinstance(read_request(ROOT, message), Request | CertificateOrder)


@pytest.mark.parametrize(
    "wrong",
    [
        {"number": ""},
        {"number": " 7 "},
        {"serial": " "},
        {"seals": [""]},
        {"inspected": "1 July"},
        {"valid_until": "2027-6-30"},
    ],
)
def test_what_is_no_certificate_neither_schema_nor_node_takes(wrong: dict[str, Any]) -> None:
    message = node_order("certify", **CERTIFICATE | wrong)
    assert misfits("commands/node/certify", json.loads(message.payload))
    assert isinstance(read_request(ROOT, message), Rejection)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"valid_until": "2026-06-30"}, "must not lie before the inspection"),
        ({"inspected": "2026-06-31"}, "must be a day of the calendar"),
        ({"note": "new\x1b[31m belt"}, "must be printable text"),
        ({"seals": ["S\u202e1"]}, "must be printable text"),
    ],
)
def test_what_no_schema_can_say_of_a_certificate_the_node_does(
    wrong: dict[str, Any], sentence: str
) -> None:
    heard = read_request(ROOT, node_order("certify", **CERTIFICATE | wrong))
    assert isinstance(heard, Rejection)
    assert sentence in heard.reason


@pytest.mark.parametrize(
    ("verb", "changes"),
    [
        ("pause", {"id": "Nine"}),
        ("pause", {"person": ""}),
        ("pause", {"person": 7}),
        ("pause", {"when": "now"}),
        ("pause", {"precondition": {"hand": "t1-4", "revision": 2}}),
        ("pause", {"arguments": {"reason": "tea", "length": 5}}),
        ("waive", {"precondition": {}}),
        ("waive", {"arguments": {"alert": "t1-4-1", "reason": " "}}),
        ("waive", {"arguments": {"alert": "t1-4-1"}}),
        ("give-time", {"arguments": {"seconds": 0, "reason": "tea"}}),
        ("set-lamp", {"arguments": {"seat": 5, "lit": True}}),
        ("set-lamp", {"arguments": {"seat": "2", "lit": True}}),
        ("enter-dice", {"arguments": {"throw": 1, "values": [3]}}),
        ("enter-foul", {"arguments": {"kind": "singing", "seat": 1}}),
        ("seat-players", {"arguments": {"players": {"1": "an", "2": "bo", "3": "chen"}}}),
        ("modify", {"arguments": {"alert": "t1-4-1", "reason": "r", "sanction": {"kind": "tea"}}}),
    ],
)
def test_what_a_node_refuses_the_schema_refuses(verb: str, changes: dict[str, Any]) -> None:
    message = order(verb, **changes)
    assert isinstance(read_request(ROOT, message), Rejection)
    assert misfits(f"commands/table/{verb}", json.loads(message.payload))


@pytest.mark.parametrize("book", BOOKS)
def test_every_event_of_the_rehearsals_fits_its_schema(book: str) -> None:
    rules = rules_of(playing_by(book))
    files = sorted((REHEARSALS / book).glob("*.hand"))
    played = [
        one.effect for path in files for one in Rehearsal(rules).play(hand_file_of(path).lines)
    ]
    events = [event for effect in played if (event := described(effect))]
    assert len(events) > 100
    faults = {fault for one in events for fault in misfits(f"events/{one.kind}", one.data)}
    assert faults == set()


def test_seats_are_keys_that_any_validator_takes() -> None:
    face = {"kind": "turn", "running": True, "total_ms": 1, "remaining_ms": 1, "over": False}
    told_of = {"table": "t1", "seq": 1, "as_of_ms": 1, "time": "2026-07-01T12:00:00.000Z"}
    timers = told_of | {"seats": {"1": face, "4": None}, "window": None, "totals": {}}
    assert misfits("payloads/timers", timers) == []
    assert misfits("payloads/timers", timers | {"later": 1}) == []
    assert misfits("payloads/timers", timers | {"seats": {"5": face}})
    assert misfits("payloads/timers", timers | {"seq": "1"})


def test_a_field_that_is_always_there_is_missed() -> None:
    assert told(Face)["required"] == ["kind", "running", "total_ms", "remaining_ms", "over"]
    assert any("'window'" in fault for fault in misfits("payloads/timers", {}))


def test_a_word_that_is_not_of_the_contract_is_found() -> None:
    strange = Delivery(f"{ROOT.path}/state/table/t1", b'{"hand_phase": "tea"}', retained=True)
    assert any("'tea' is not one of" in fault for fault in misfits_among(ROOT, [strange]))


def test_descriptions_speak_of_null_as_json_does() -> None:
    texts = [part.get("description", "") for one in SCHEMAS.values() for part in parts_of(one)]
    assert not [text for text in texts if isinstance(text, str) and re.search(r"\bNone\b", text)]


def test_moments_of_an_event_say_their_unit() -> None:
    interval = data_of(Discarded)["$defs"]["Interval"]
    assert interval["properties"]["earliest_us"] == {"type": "integer"}


def test_data_without_a_form_in_the_contract_are_refused() -> None:
    with pytest.raises(TypeError, match="bytes has no form in the contract"):
        data_of(Delivery)


def test_only_what_nodes_hear_may_leave_fields_out() -> None:
    assert of_payload(PreconditionFields).get("required") is None
    for model in PAYLOADS:
        if model.__name__ != "CommandPayload":
            schema = of_payload(model)
            assert schema["required"] == list(schema["properties"]), model
