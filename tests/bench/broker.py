"""A mosquitto of our own on a free port of the loopback."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.harness.broker import free_port

CONFIGURATION = """listener {port} 127.0.0.1
allow_anonymous true
set_tcp_nodelay true
max_queued_messages 0
persistence false
log_type error
"""
PATIENCE_SECONDS = 10


@asynccontextmanager
async def running_broker(folder: Path) -> AsyncIterator[int]:
    """Run mosquitto and give its port.

    Raises:
        FileNotFoundError: mosquitto is not installed.
        TimeoutError: it does not answer.
    """
    port = free_port()
    settings = folder / "mosquitto.conf"
    settings.write_text(CONFIGURATION.format(port=port), encoding="utf-8")
    program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
    broker = await asyncio.create_subprocess_exec(program, "-c", settings)
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await _answering(port)
        yield port
    finally:
        broker.terminate()
        await broker.wait()


async def _answering(port: int) -> None:
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except ConnectionRefusedError:
            await asyncio.sleep(0.02)
        else:
            writer.close()
            await writer.wait_closed()
            return
