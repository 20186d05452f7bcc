"""The flight recorder: the last frames of a line, told with the first thing that goes wrong."""

import logging
from collections import deque

from table.moment import Moment

logger = logging.getLogger(__name__)

KEPT = 20


class Recorder:
    """Keeps the last frames both ways."""

    def __init__(self, port: str) -> None:
        self._port = port
        self._frames: deque[tuple[str, Moment, object]] = deque(maxlen=KEPT)
        self._told = False
        self.on = False
        """While a box is only greeted, half a frame at the start is no news."""

    def note(self, direction: str, now: Moment, what: object) -> None:
        """Keep a frame, or what arrived instead of one."""
        self._frames.append((direction, now, what))

    def tell(self, trouble: object) -> None:
        """Log trouble; the first time with the frames that led to it."""
        if self._told or not self.on:
            logger.debug("port %s: %s", self._port, trouble)
            return
        self._told = True
        frames = "\n".join(f"  {way} {now.micros} {what}" for way, now, what in self._frames)
        logger.warning("port %s: %s; the last frames were\n%s", self._port, trouble, frames)
