"""The messages and schemas of the AsyncAPI document, made of the models and of the JSON Schemas."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from mqtt.access import Deed
from mqtt.catalogue import COMMANDS, EVENTS, TOPICS, Delivered
from mqtt.docstrings import kebab, sentence
from mqtt.events import Audience, Effect
from mqtt.json_schemas import of_command, of_payload
from mqtt.reach import who_may
from mqtt.schema_parts import Schema, data_of
from mqtt.topics import TopicKind

EVENT_CONTENT = "application/cloudevents+json"
SCHEMAS = "#/components/schemas/"
_DEFINITIONS = "#/$defs/"
_ENVELOPE = "EventEnvelope"


@dataclass(slots=True)
class Parts:
    """What the channels refer to, gathered while they are written."""

    schemas: dict[str, Schema] = field(default_factory=dict)
    messages: dict[str, Schema] = field(default_factory=dict)

    def messages_of(self, kind: TopicKind) -> list[str]:
        """Return the names of the messages of a kind of topic, and keep them with their schemas."""
        found = dict(self._messages(kind, TOPICS[kind]))
        self.messages |= found
        return list(found)

    def _messages(self, kind: TopicKind, told: Delivered) -> Iterator[tuple[str, Schema]]:
        if kind is TopicKind.EVENT:
            self._keep(_ENVELOPE, of_payload(told.payloads[0]))
            for name, (effect, audience) in EVENTS.items():
                yield f"event.{name}", self._event(name, effect, audience)
        elif kind in COMMANDS:
            for name, verb in COMMANDS[kind].items():
                path = f"{kind.name.lower().replace('_', '-')}.{name}"
                self._keep(path, of_command(name, verb))
                made = _message(path, verb.purpose) | _IDENTIFIED
                yield path, made | {"x-roles": who_may(Deed.WRITE, kind, name)}
        else:
            for model in told.payloads:
                self._keep(model.__name__, of_payload(model))
                told_by_id = _IDENTIFIED if kind is TopicKind.REPLY else {}
                made = _message(model.__name__, sentence(model)) | told_by_id
                yield kebab(model), made

    def _event(self, kind: str, effect: type[Effect], audience: Audience) -> Schema:
        path = f"event.{kind}"
        self._keep(effect.__name__, data_of(effect))
        told = {
            "type": {"const": f"tablewarden.{kind}"},
            "data": {"$ref": SCHEMAS + effect.__name__},
        }
        whole = [{"$ref": SCHEMAS + _ENVELOPE}, {"type": "object", "properties": told}]
        self._keep(path, {"title": path, "allOf": whole})
        reach = {"x-audience": str(audience), "x-roles": who_may(Deed.READ, TopicKind.EVENT, kind)}
        return _message(path, sentence(effect)) | {"contentType": EVENT_CONTENT} | reach

    def _keep(self, name: str, schema: Schema) -> None:
        """Keep a schema and the definitions that it brings.

        Raises:
            ValueError: two that differ bear one name.
        """
        inner = schema.pop("$defs", {})
        for known, one in [*inner.items(), (name, schema)]:
            moved = _moved(one)
            if self.schemas.setdefault(known, moved) != moved:
                message = f"two schemas are called {known}"
                raise ValueError(message)


_IDENTIFIED: Schema = {"correlationId": {"$ref": "#/components/correlationIds/command"}}


def _message(schema: str, summary: str) -> Schema:
    return {"name": schema, "summary": summary, "payload": {"$ref": SCHEMAS + schema}}


def _moved(schema: Any) -> Any:  # noqa: ANN401 - JSON
    """Return a schema whose references lead to the components of the document."""
    match schema:
        case {"$ref": str(reference), **more}:
            return {"$ref": reference.replace(_DEFINITIONS, SCHEMAS), **_moved(more)}
        case dict():
            return {name: _moved(part) for name, part in schema.items()}
        case list():
            return [_moved(part) for part in schema]
        case _:
            return schema
