"""A real mosquitto on a free port of the loopback, to connect to, to kill and to start again."""

import getpass
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import randbelow

from mqtt.messages import LineSettings, Protocol

HOST = "127.0.0.1"
_CONFIGURATION = """listener {port} 127.0.0.1
set_tcp_nodelay true
user {user}
max_queued_messages 100000
log_dest file {directory}/mosquitto.log
"""
_KEEPING = """persistence true
persistence_location {directory}/
autosave_on_changes true
autosave_interval 1
"""
OPEN = "allow_anonymous true"
_PORTS = range(20_000, 32_000)


class Mosquitto:
    """A broker process that keeps its port from one start to the next.

    Args:
        directory: where its configuration and its log are.
        lines: further lines of its configuration.
        keeping: whether it keeps messages too, at every single change, even if it is killed.
    """

    def __init__(self, directory: Path, lines: str = OPEN, *, keeping: bool = False) -> None:
        self.directory = directory
        self.port = free_port()
        self._settings = directory / "mosquitto.conf"
        user = getpass.getuser()
        text = _CONFIGURATION + (_KEEPING if keeping else "")
        text = text.format(port=self.port, user=user, directory=directory)
        self._settings.write_text(text + lines + "\n", encoding="utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    def line(self, client_id: str, protocol: Protocol = "5", login: str = "") -> LineSettings:
        """Return how to connect to it; a login's password is the login."""
        return LineSettings(HOST, self.port, client_id, login, login, protocol=protocol)

    def start(self) -> None:
        """Start it and wait until it listens."""
        found = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
        assert found, "mosquitto is not installed: apt install mosquitto"
        self._process = subprocess.Popen([found, "-c", self._settings])
        deadline = iter(range(1000))
        while not self._listens():
            assert self._process.poll() is None, "mosquitto ended at once"
            assert next(deadline, None) is not None, "mosquitto does not listen"
            time.sleep(0.01)

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex((HOST, self.port)) == 0

    def kill(self) -> None:
        """End it without a word to anybody."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it in order."""
        self._end(signal.SIGTERM)

    def freeze(self) -> None:
        """Have it hold its connections and answer nothing."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Have it go on."""
        assert self._process
        self._process.send_signal(signal.SIGCONT)

    def reload(self) -> None:
        """Have it read its access list anew, if it runs."""
        if self._process:
            self._process.send_signal(signal.SIGHUP)

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        self._process.wait(10)
        self._process = None


@contextmanager
def mosquitto(directory: Path, lines: str = OPEN, *, keeping: bool = False) -> Iterator[Mosquitto]:
    """Run a broker; without mosquitto the test fails."""
    broker = Mosquitto(directory, lines, keeping=keeping)
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()


def free_port() -> int:
    """Return a port of the loopback on which nobody listens.

    It lies below those that connections are given by chance while it is not taken yet.
    """
    while True:
        port = _PORTS.start + randbelow(len(_PORTS))
        with socket.socket() as probe, suppress(OSError):
            probe.bind((HOST, port))
            return port
