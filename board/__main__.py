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

from board.server import address, line_settings, listening, serve
from config.load import load
from config.models import Settings
from mqtt.messages import LineSettings
from table.errors import SettingsError

GOOD, FAILED, BAD_CONFIGURATION = 0, 1, 78


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to stop and return the exit code."""
    parser = argparse.ArgumentParser(prog="tablewarden board", description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="the venue's settings, TOML")
    chosen = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    try:
        settings = load(chosen.config, os.environ)
        line = line_settings(settings)
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return BAD_CONFIGURATION
    try:
        ear = listening(settings)
    except OSError as error:
        board = settings.board
        sys.stderr.write(f"board.host {board.host}, board.port {board.port}: {error.strerror}\n")
        return FAILED
    with ear:
        sys.stdout.write(f"board {address(ear)}\n")
        sys.stdout.flush()
        asyncio.run(_until_stopped(settings, line, ear))
    return GOOD


async def _until_stopped(settings: Settings, line: LineSettings, ear: socket.socket) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await serve(settings, line, ear, stop)


if __name__ == "__main__":
    sys.exit(main())
