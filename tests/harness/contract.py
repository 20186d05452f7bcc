"""Holds what nodes say against the published schemas, with a validator that is not ours."""

import json
from collections.abc import Iterable, Iterator
from functools import cache

from jsonschema import Draft202012Validator, FormatChecker

from mqtt.catalogue import TOPICS
from mqtt.docstrings import kebab
from mqtt.json_schemas import schemas
from mqtt.messages import Delivery
from mqtt.topics import Root, TopicKind


@cache
def validators() -> dict[str, Draft202012Validator]:
    """Return a validator for each schema, by its path."""
    checker = FormatChecker()
    return {
        path: Draft202012Validator(schema, format_checker=checker)
        for path, schema in schemas().items()
    }


def misfits(path: str, content: object) -> list[str]:
    """Say what of a message does not fit a schema."""
    faults = validators()[path].iter_errors(content)
    return [f"{path} at {fault.json_path}: {fault.message}" for fault in faults]


def misfits_among(root: Root, deliveries: Iterable[Delivery]) -> set[str]:
    """Say what of all that nodes sent does not fit the contract."""
    return {fault for each in deliveries if each.payload for fault in _faults(root, each)}


def _faults(root: Root, told: Delivery) -> Iterator[str]:
    address = root.parse(told.topic)
    if address is None:
        yield f"{told.topic} is no topic of the contract"
    elif not TOPICS[address.kind].heard:
        content = json.loads(told.payload)
        yield from misfits(f"payloads/{_payload(address.kind, address.name)}", content)
        if address.kind is TopicKind.EVENT:
            yield from misfits(f"events/{address.name}", content["data"])


def _payload(kind: TopicKind, name: str) -> str:
    names = [kebab(model) for model in TOPICS[kind].payloads]
    return next((one for one in names if len(names) == 1 or name in one.split("-")), name)
