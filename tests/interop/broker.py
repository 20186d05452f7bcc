"""A mosquitto with two doors, TCP and WebSockets, where logins have roles."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mqtt.access import Role, mosquitto_acl
from mqtt.topics import Root
from tests.harness.broker import HOST, OPEN, Mosquitto, free_port, mosquitto

_LINES = """{open}
acl_file {folder}/acl
password_file {folder}/passwords
listener {websockets} {host}
protocol websockets
"""
_NOBODY = "topic readwrite #\n"
"""Who does not log in is of the house: daemon and tests."""


@dataclass(frozen=True)
class Door:
    """Where clients come in."""

    broker: Mosquitto
    port: int
    websockets: int

    @property
    def address(self) -> str:
        """The URL of the WebSocket listener."""
        return f"ws://{HOST}:{self.websockets}"


@contextmanager
def two_doors(folder: Path, root: Root, logins: Mapping[str, Role]) -> Iterator[Door]:
    """Run a broker; a login's password is the login, and its rights are those of its role."""
    (folder / "acl").write_text(_NOBODY + mosquitto_acl(root, logins), encoding="utf-8")
    _write_passwords(folder / "passwords", logins)
    websockets = free_port()
    lines = _LINES.format(open=OPEN, folder=folder, websockets=websockets, host=HOST)
    with mosquitto(folder, lines) as broker:
        yield Door(broker, broker.port, websockets)


def _write_passwords(file: Path, logins: Mapping[str, Role]) -> None:
    file.write_text("".join(f"{login}:{login}\n" for login in logins), encoding="utf-8")
    tool = shutil.which("mosquitto_passwd")
    assert tool, "mosquitto_passwd is not installed: apt install mosquitto"
    subprocess.run([tool, "-U", file], check=True)
