"""The contract's document, as the official parser of AsyncAPI reads it."""

import json
import subprocess
from pathlib import Path
from typing import Any

from mqtt.asyncapi import document
from mqtt.catalogue import EVENTS
from mqtt.json_schemas import of_payload
from mqtt.payloads import TableSnapshot
from mqtt.topics import TopicKind

HERE = Path(__file__).parent
COMMITTED = HERE.parents[1] / "docs" / "contract" / "asyncapi.json"
ERROR = 0
Document = dict[str, Any]


def parsed(*paths: Path) -> list[Any]:
    """Return what the parser found in each document and what it complains about."""
    call = ("node", "asyncapi.mjs", *map(str, paths))
    ran = subprocess.run(call, cwd=HERE, capture_output=True, text=True, check=False, timeout=100)
    assert ran.returncode == 0, ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


def errors(read: Any) -> list[str]:  # noqa: ANN401 - JSON
    """Return what the parser holds for wrong."""
    return [
        f"{'.'.join(map(str, one['path']))}: {one['message']}"
        for one in read["diagnostics"]
        if one["severity"] == ERROR
    ]


def test_the_committed_document_is_good_and_whole() -> None:
    (read,) = parsed(COMMITTED)
    assert errors(read) == []
    found = read["found"]
    assert found["version"] == "3.0.0"
    assert len(found["channels"]) == len(TopicKind)
    heard = {name for name, action in found["operations"] if action == "send"}
    assert {"sendTableCommand", "sendNodeCommand"} <= heard
    assert {f"event.{kind}" for kind in EVENTS} <= set(found["messages"])


def _strange_action(broken: Document) -> None:
    broken["operations"]["receiveState"]["action"] = "read"


def _lost_schema(broken: Document) -> None:
    del broken["components"]["schemas"]["TableSnapshot"]


def _bad_schema(broken: Document) -> None:
    broken["components"]["schemas"]["TableSnapshot"]["properties"]["seq"] = {
        "type": "number of events"
    }


def _bad_delivery(broken: Document) -> None:
    broken["operations"]["receiveState"]["bindings"]["mqtt"]["qos"] = 5


def _small() -> Document:
    """Return the document cut down to the state of a table, to be read quickly."""
    whole: Document = json.loads(json.dumps(document()))
    for place, kept in (("channels", "state"), ("operations", "receiveState")):
        whole[place] = {kept: whole[place][kept]}
    parts = whole["components"]
    parts["messages"] = {"table-snapshot": parts["messages"]["table-snapshot"]}
    needed = {"TableSnapshot", *of_payload(TableSnapshot)["$defs"]}
    parts["schemas"] = {name: parts["schemas"][name] for name in sorted(needed)}
    return whole


def _nothing(_good: Document) -> None:
    pass


SPOILT = (_strange_action, _lost_schema, _bad_schema, _bad_delivery)


def test_a_broken_document_is_found_out(tmp_path: Path) -> None:
    for spoil in (_nothing, *SPOILT):
        broken = _small()
        spoil(broken)
        (tmp_path / spoil.__name__).write_text(json.dumps(broken), encoding="utf-8")
    good, *broken_ones = parsed(*(tmp_path / one.__name__ for one in (_nothing, *SPOILT)))
    assert errors(good) == []
    found_out = [spoil for spoil, read in zip(SPOILT, broken_ones, strict=True) if errors(read)]
    assert found_out == list(SPOILT)
