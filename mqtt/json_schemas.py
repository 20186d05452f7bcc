"""JSON Schemas (2020-12) of everything that goes over the broker.

What nodes send is open: a later minor version may add fields. What nodes hear is closed: a field
that they do not know is refused. Every schema stands alone, so any validator can use it.
"""

from mqtt.catalogue import COMMANDS, EVENTS, PAYLOADS, RECEIVED, Spoken
from mqtt.docstrings import kebab
from mqtt.orders import CommandPayload
from mqtt.parts import Payload
from mqtt.schema_parts import Schema, data_of, heard, told
from mqtt.topics import CONTRACT, TopicKind
from mqtt.verbs import Need

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_OWNERS = {
    TopicKind.TABLE_COMMAND: "table",
    TopicKind.NODE_COMMAND: "node",
    TopicKind.VENUE_COMMAND: "venue",
}


def schemas() -> dict[str, Schema]:
    """Return every schema by the path of its file, without the ending."""
    whole = {f"payloads/{kebab(model)}": of_payload(model) for model in PAYLOADS}
    events = {f"events/{kind}": data_of(effect) for kind, (effect, _) in EVENTS.items()}
    orders = {
        f"commands/{_OWNERS[kind]}/{name}": of_command(name, verb)
        for kind, verbs in COMMANDS.items()
        for name, verb in verbs.items()
    }
    return {path: _headed(path, one) for path, one in (whole | events | orders).items()}


def of_payload(model: type[Payload]) -> Schema:
    """Return the schema of a whole payload."""
    return heard(model) if model in RECEIVED else told(model)


def of_command(name: str, verb: Spoken) -> Schema:
    """Return the schema of the payload that orders a verb."""
    made, arguments = heard(CommandPayload), heard(verb.arguments)
    precondition = _precondition(made["$defs"].pop("PreconditionFields"), verb.need)
    shared = made.pop("$defs") | arguments.pop("$defs", {})
    parts = {"precondition": precondition, "arguments": arguments}
    needed = [part for part, one in parts.items() if one.get("required")]
    return (
        made
        | {"title": name, "description": verb.purpose}
        | {"properties": made["properties"] | parts, "required": [*made["required"], *needed]}
        | ({"$defs": shared} if shared else {})
    )


def _precondition(schema: Schema, need: Need) -> Schema:
    """Narrow what may be given to what is checked, and demand what no message may leave out."""
    checked = {name: one for name, one in schema["properties"].items() if name == need.value}
    if need is Need.ALERT:
        revision = {need.value: {"type": "integer"}}
        return schema | {"properties": revision, "required": [need.value]}
    return schema | {"properties": checked}


def _headed(path: str, schema: Schema) -> Schema:
    name = path.replace("/", ":")
    return {"$schema": _DIALECT, "$id": f"urn:tablewarden:contract:{CONTRACT}:{name}"} | schema
