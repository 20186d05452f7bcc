"""`python -m board --config FILE`: serve the web pages of a venue."""

import argparse
import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from board.server import listening, serve
from config.load import load
from config.models import Settings
from table.errors import SettingsError

GOOD, BAD_CONFIGURATION = 0, 78


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to stop and return the exit code."""
    parser = argparse.ArgumentParser(prog="tablewarden board", description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="the venue's settings, TOML")
    chosen = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    try:
        settings = load(chosen.config, os.environ)
        ear = listening(settings)
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return BAD_CONFIGURATION
    host, port = ear.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    sys.stdout.write(f"board http://{shown}:{port}/\n")
    sys.stdout.flush()
    with ear:
        asyncio.run(_until_stopped(settings, ear))
    return GOOD


async def _until_stopped(settings: Settings, ear: socket.socket) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await serve(settings, ear, stop)


if __name__ == "__main__":
    sys.exit(main())
