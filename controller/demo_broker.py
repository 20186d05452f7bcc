"""A broker of our own for demonstrations: mosquitto where it is installed, else iotcore.

It listens on the loopback only and lets everybody in; a venue runs a broker of its own.
"""

import asyncio
import getpass
import importlib.util
import os
import shutil
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from controller.processes import Program, program
from table.errors import BrokerError

HOST = "127.0.0.1"
START_SECONDS = 10.0
_PROBE_SECONDS = 0.02
_MOSQUITTO = """listener {port} 127.0.0.1
allow_anonymous true
set_tcp_nodelay true
user {user}
persistence true
persistence_location {directory}/
autosave_interval 10
max_queued_messages 10000
log_dest file {directory}/mosquitto.log
"""
_IOTCORE = """id = 0

[router]
id = 0
max_connections = 1000
max_outgoing_packet_count = 200
max_segment_size = 1048576
max_segment_count = 10

[v5.1]
name = "five"
listen = "127.0.0.1:{port}"
next_connection_delay_ms = 1

[v5.1.connections]
connection_timeout_ms = 60000
max_payload_size = 262144
max_inflight_count = 500
dynamic_filters = true

[v4.1]
name = "three"
listen = "127.0.0.1:{old_port}"
next_connection_delay_ms = 1

[v4.1.connections]
connection_timeout_ms = 60000
max_payload_size = 262144
max_inflight_count = 500
dynamic_filters = true
"""


class BrokerKind(StrEnum):
    """The brokers a demonstration can start."""

    MOSQUITTO = "mosquitto"
    IOTCORE = "iotcore"
    """Keeps retained messages in memory only, and speaks MQTT 3.1.1 on a port of its own.

    Version 0.4.0 may drop a connection that is made in the moment in which another one ends (one
    in a hundred under load); whoever connects must try again.
    """


@dataclass(frozen=True, slots=True)
class DemoBroker:
    """A broker that runs."""

    kind: BrokerKind
    host: str
    port: int
    """For MQTT 5."""
    old_port: int
    """For MQTT 3.1.1; mosquitto has both on one port."""


@asynccontextmanager
async def demo_broker(directory: Path, kind: BrokerKind | None = None) -> AsyncIterator[DemoBroker]:
    """Run a broker on a free port as long as the context lasts.

    Args:
        directory: where it keeps its configuration and its messages.
        kind: which broker; None: the first that is installed.

    Raises:
        BrokerError: none is installed, or it does not start.
    """
    chosen = kind or _installed()
    port = _free_port()
    old_port = port if chosen is BrokerKind.MOSQUITTO else _free_port()
    broker = DemoBroker(chosen, HOST, port, old_port)
    async with program(chosen, _command(broker, directory)) as running:
        await _listening(running, broker)
        yield broker


def _installed() -> BrokerKind:
    if _mosquitto():
        return BrokerKind.MOSQUITTO
    if importlib.util.find_spec("iotcore"):
        return BrokerKind.IOTCORE
    message = (
        "no broker: install mosquitto (apt install mosquitto) or iotcore (pip install iotcore)"
    )
    raise BrokerError(message)


def _mosquitto() -> str | None:
    # Debian puts it where the path of plain users does not lead.
    path = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/usr/local/sbin"
    return shutil.which("mosquitto", path=path)


def _command(broker: DemoBroker, directory: Path) -> Sequence[str]:
    if broker.kind is BrokerKind.MOSQUITTO:
        settings = directory / "mosquitto.conf"
        text = _MOSQUITTO.format(port=broker.port, user=getpass.getuser(), directory=directory)
        command = [_mosquitto() or "mosquitto", "-c", str(settings)]
    else:
        settings = directory / "iotcore.toml"
        text = _IOTCORE.format(port=broker.port, old_port=broker.old_port)
        command = [sys.executable, "-P", "-m", "iotcore", "--config", str(settings)]
        command += ["--log-level", "CRITICAL"]
    settings.write_text(text, encoding="utf-8")
    return command


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


async def _listening(running: Program, broker: DemoBroker) -> None:
    try:
        async with asyncio.timeout(START_SECONDS):
            while not await _answers(broker.port):
                if running.process.returncode is not None:
                    message = f"{broker.kind} ended at once, exit code {running.process.returncode}"
                    raise BrokerError(message)
                await asyncio.sleep(_PROBE_SECONDS)
    except TimeoutError as error:
        message = f"{broker.kind} does not answer on {broker.host}:{broker.port}"
        raise BrokerError(message) from error


async def _answers(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(HOST, port)
    except ConnectionRefusedError:
        return False
    writer.close()
    await writer.wait_closed()
    return True
