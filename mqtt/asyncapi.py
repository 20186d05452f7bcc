"""The contract as an AsyncAPI 3.0 document, from the point of view of a client."""

from mqtt.asyncapi_channels import (
    BINDING,
    channel,
    channel_name,
    operation,
    operation_name,
    parameters,
)
from mqtt.asyncapi_messages import Parts
from mqtt.payloads import CONTRACT_VERSION
from mqtt.schema_parts import Schema
from mqtt.topics import CONTRACT, TopicKind

VERSION = "3.0.0"
KEEPALIVE_SECONDS = 5
_DESCRIPTION = (
    "What a venue of automatic mahjong tables says over MQTT and what it can be told. `send` and"
    " `receive` are what a client does. docs/contract.md says how clocks are shown, how gaps are"
    " filled and what a later version may change; fields that begin with x- say here what AsyncAPI"
    " has no word for."
)


def document() -> Schema:
    """Return the whole document, the same every time."""
    parts = Parts()
    channels = {channel_name(kind): channel(kind, parts) for kind in TopicKind}
    operations = {
        operation_name(kind): operation(kind, channel_name(kind))
        for kind in TopicKind
        if channels[channel_name(kind)]["messages"] and kind is not TopicKind.REPLY
    }
    return {
        "asyncapi": VERSION,
        "id": f"urn:tablewarden:contract:{CONTRACT}",
        "info": _info(),
        "defaultContentType": "application/json",
        "servers": {"plain": _server("mqtt", "1883"), "secure": _server("secure-mqtt", "8883")},
        "channels": channels,
        "operations": operations,
        "components": _components(parts),
    }


def _info() -> Schema:
    return {
        "title": "tablewarden",
        "version": CONTRACT_VERSION,
        "description": _DESCRIPTION,
        "license": {"name": "Apache-2.0"},
    }


def _server(protocol: str, port: str) -> Schema:
    return {
        "host": f"{{broker}}:{port}",
        "protocol": protocol,
        "protocolVersion": "5.0",
        "description": "The venue's broker; MQTT 3.1.1 will do too.",
        "variables": {"broker": {"default": "broker.example", "description": "Host name."}},
        "security": [{"$ref": f"#/components/securitySchemes/{name}"} for name in _SECURITY],
        "bindings": {"mqtt": {"keepAlive": KEEPALIVE_SECONDS, "bindingVersion": BINDING}},
    }


_SECURITY: Schema = {
    "password": {
        "type": "userPassword",
        "description": "User name and password at the broker; the user name is {login} of topics.",
    },
    "certificate": {
        "type": "X509",
        "description": "A certificate of the client, where the broker asks for one.",
    },
}


def _components(parts: Parts) -> Schema:
    return {
        "schemas": dict(sorted(parts.schemas.items())),
        "messages": parts.messages,
        "parameters": parameters(),
        "securitySchemes": _SECURITY,
        "correlationIds": {
            "command": {
                "description": "The id of the command; its answers bear the same.",
                "location": "$message.payload#/id",
            }
        },
    }
