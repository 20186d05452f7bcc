"""Writes the contract as files for other people's programs: document, schemas, access list."""

import json
from collections.abc import Iterator
from pathlib import Path

from mqtt.access import Role, mosquitto_acl
from mqtt.asyncapi import VERSION, document
from mqtt.contract_payloads import rows_of
from mqtt.json_schemas import schemas
from mqtt.payloads import CONTRACT_VERSION
from mqtt.schema_parts import Schema
from mqtt.topics import Root
from table.errors import ExportError

ROOT = Root("mahjong", "venue")
"""What the access list speaks of until a venue puts its own names in."""
_MAJOR = CONTRACT_VERSION.split(".", maxsplit=1)[0]
_PARTS = (
    ("`asyncapi.json`", f"topics, messages, logins in AsyncAPI {VERSION}, as a client sees them"),
    ("`schemas/payloads/`", "a JSON Schema (2020-12) of each whole payload"),
    ("`schemas/events/`", "a schema of `data` of each kind of event"),
    ("`schemas/commands/`", "a schema of the payload of each verb, by what takes it"),
    ("`mosquitto.acl`", "an access list with one login for each role, named like the role"),
)
_README = f"""# The contract in files, version {CONTRACT_VERSION}

`tablewarden contract export DIR` writes this folder from the code that sends and reads the
messages: change nothing by hand. `docs/contract.md` tells what it all means.

{rows_of("file | what it is", _PARTS)}
Each schema stands alone and is known by its `$id`, which stays the same within version {_MAJOR}.
What nodes send may have more fields than a schema names; a command may not. An event fits two
schemas: `schemas/payloads/event-envelope.json` as a whole, that of its kind with its `data`.

In the access list `{ROOT.path}` stands for the root of the venue and `node` for a node that keeps
the venue. Put in your own names, give each login a password, and each further node lines of its
own.
"""


def write(folder: Path) -> None:
    """Write every file of the contract below a folder, which is made if it is not there.

    Raises:
        ExportError: something cannot be written.
    """
    for name, text in files().items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            message = f"{path}: cannot be written: {error.strerror}"
            raise ExportError(message) from error


def files() -> dict[str, str]:
    """Return every file of the contract by its path, the same every time."""
    return {
        "README.md": _README,
        "asyncapi.json": _json(document()),
        "mosquitto.acl": mosquitto_acl(ROOT, {str(role): role for role in Role}, keeper=Role.NODE),
        **dict(_schemas()),
    }


def _schemas() -> Iterator[tuple[str, str]]:
    for path, schema in schemas().items():
        yield f"schemas/{path}.json", _json(schema)


def _json(content: Schema) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
