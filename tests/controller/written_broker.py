"""A broker as `tablewarden init broker` wrote it, run by a real mosquitto."""

import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from controller.command_line import main
from controller.logins_file import Login, Logins, read_logins
from mqtt.access import Role
from mqtt.messages import LineSettings, Protocol
from tests.harness.broker import HOST, free_port

WHO = ["--venue", "hall", "--node", "node-1", "node-2", "--referee", "referee-1"]
AS_ONESELF = ["--user", getpass.getuser()] if os.geteuid() == 0 else []
"""Folders of tests are closed to the user that a packaged broker runs as."""
SCREENS = ["--scoreboard", "screen-1"]


@dataclass
class Written:
    """The folder that init wrote, and where its broker listens."""

    folder: Path
    port: int
    local_port: int
    log: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def logins(self) -> Logins:
        """The users as they are in the file."""
        return read_logins(self.folder / "logins.toml")

    def entry(self, role: Role) -> tuple[str, Login]:
        """Return the first user of a role."""
        return next(pair for pair in self.logins.logins.items() if pair[1].role is role)

    def line(self, login: str, protocol: Protocol = "5") -> LineSettings:
        """Return how a user of the file logs in over TLS, from any place."""
        entry = self.logins.logins[login]
        return LineSettings(
            host=HOST,
            port=self.port,
            client_id=f"test-{login}",
            login=login,
            password=entry.password_file.read_text("utf-8").strip(),
            tls_ca_file=self.folder / "ca.crt",
            tls_certificate_file=entry.tls_certificate_file,
            tls_key_file=entry.tls_key_file,
            protocol=protocol,
        )

    @property
    def passwords(self) -> list[str]:
        """What must stand nowhere but in its own file."""
        return [file.read_text("utf-8").strip() for file in self.folder.glob("logins/*.password")]

    def reload(self, acl: str) -> None:
        """Have the running broker take another access list, and wait until it did."""
        assert self.process
        (self.folder / "broker" / "acl").write_text(acl, encoding="utf-8")
        before = self.log.read_text("utf-8").count("Reloading config")
        self.process.send_signal(1)
        for _ in range(1000):
            if self.log.read_text("utf-8").count("Reloading config") > before:
                return
            time.sleep(0.01)
        message = "mosquitto did not reload"
        raise AssertionError(message)


def init(folder: Path, *more: str) -> Written:
    """Run `tablewarden init broker` with ports that are free."""
    port, local = free_port(), free_port()
    ports = ["--port", str(port), "--local-port", str(local)]
    arguments = ["init", "broker", str(folder), "--host", HOST, "localhost", *WHO, *SCREENS]
    assert main([*arguments, *ports, *AS_ONESELF, *more]) == 0
    return Written(folder, port, local, folder.parent / "mosquitto.log")


@contextmanager
def running(written: Written, *ports: int) -> Iterator[Written]:
    """Run the broker with the files as they are, until its listeners answer."""
    found = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
    assert found, "mosquitto is not installed: apt install mosquitto"
    with written.log.open("wb") as log:
        process = subprocess.Popen(
            [found, "-c", written.folder / "broker" / "mosquitto.conf"], stderr=log
        )
    try:
        for port in (written.port, written.local_port, *ports):
            _await_listener(port, process, written.log)
        written.process = process
        yield written
    finally:
        process.kill()
        process.wait(10)


def _await_listener(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(1000):
        assert process.poll() is None, log.read_text("utf-8")
        with socket.socket() as probe:
            if probe.connect_ex((HOST, port)) == 0:
                return
        time.sleep(0.01)
    message = f"mosquitto does not listen on {port}"
    raise AssertionError(message)
