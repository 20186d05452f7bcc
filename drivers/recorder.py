"""The flight recorder of a line: its last frames, told with the first thing that goes wrong."""

import logging
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from threading import Thread
from typing import TypeAlias

from table.moment import Moment

logger = logging.getLogger(__name__)

KEPT = 20
QUIET = timedelta(minutes=5)
"""Trouble after so long without any is told with its frames again; house choice."""
SENT, HEARD = ">", "<"


@dataclass(frozen=True, slots=True)
class Noted:
    """A frame, or what came instead of one."""

    way: str
    """Sent or heard."""
    at: Moment
    what: object
    """Bytes, or what was made of them."""


Words: TypeAlias = Callable[[Iterable[Noted]], Iterable[str]]
"""Says of each frame of a line, in order, what it means."""


class Recorder:
    """Keeps the last frames both ways; outlives the connections of its line.

    Args:
        line: name of the port.
        words: how its frames are read.
        file: where they are written at the first trouble, for `tablewarden wire`.

    Attributes:
        on: while a box is only greeted, half a frame at the start is no news.
    """

    def __init__(self, line: str, words: Words, file: Path | None = None) -> None:
        self.line = line
        self.on = False
        self._words = words
        self._file = file
        self._frames: deque[Noted] = deque(maxlen=KEPT)
        self._troubled: Moment | None = None

    def note(self, way: str, now: Moment, what: object) -> None:
        """Keep a frame, or what arrived instead of one."""
        self._frames.append(Noted(way, now, what))

    def tell(self, trouble: object, now: Moment) -> None:
        """Log trouble; the first time of an episode with the frames that led to it."""
        if not self.on:
            logger.debug("port %s: %s", self.line, trouble)
            return
        episode = self._troubled is None or now - self._troubled >= QUIET
        self._troubled = now
        if not episode:
            logger.debug("port %s: %s", self.line, trouble)
            return
        told = f"port {self.line}: {trouble}; the last frames were\n{self.shown(now)}"
        logger.warning("%s", told)
        if self._file:
            Thread(target=_keep, args=(self._file, told)).start()  # a card may be slow

    def shown(self, now: Moment) -> str:
        """Return the frames in lines, each with the seconds from now back to it."""
        frames = [*self._frames]
        return "\n".join(
            f"  {(one.at - now).total_seconds():+9.3f} s {one.way} {said}"
            for one, said in zip(frames, self._words(frames), strict=True)
        )


def _keep(file: Path, told: str) -> None:
    try:
        file.parent.mkdir(exist_ok=True)
        file.write_text(told + "\n", encoding="utf-8")
    except OSError as error:
        logger.warning("the last frames cannot be kept: %s", error)
