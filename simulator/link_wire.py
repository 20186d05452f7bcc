"""The wire of a table link: frames that get lost, late, doubled or damaged, and silence."""

from collections import deque
from random import Random

from simulator.habits import within
from simulator.modbus_trouble import DELAY, LATENESS, Harm, Trouble
from table.moment import ZERO, Moment

TO_BOX = frozenset((Harm.REQUEST_LOST, Harm.TWICE, Harm.BIT_FLIPPED))
FROM_BOX = frozenset((Harm.REPLY_LOST, Harm.DELAYED, Harm.LATE, Harm.TWICE, Harm.BIT_FLIPPED))
"""What can befall a frame; what leaves late keeps what is behind it waiting."""


class LinkWire:
    """Both ways of one wire, with time as an argument.

    Args:
        random: draws how a frame is harmed.
        trouble: draws whether; the wire is whole without it.
    """

    def __init__(self, random: Random | None = None, trouble: Trouble | None = None) -> None:
        self._random = random or Random(0)  # noqa: S311 -- trouble, repeatable from a seed
        self.trouble = trouble or Trouble(self._random)
        self._heard = b""
        self._leaving: deque[tuple[Moment, bytes]] = deque()
        self._dead_until = Moment(0)

    def break_off(self, until: Moment) -> None:
        """Let nothing pass, either way."""
        self._dead_until = max(until, self._dead_until)
        self._heard = b""
        self._leaving.clear()

    def to_box(self, chunk: bytes, now: Moment) -> bytes:
        """Return what of the bytes of a host reaches the box now."""
        if now < self._dead_until:
            return b""
        *frames, self._heard = (self._heard + chunk).split(b"\0")
        passed = (self._harmed(frame + b"\0", self.trouble.draw(TO_BOX)) for frame in frames)
        return b"".join(passed)

    def put(self, chunk: bytes, now: Moment) -> None:
        """Take the whole frames that the box sends."""
        if now < self._dead_until:
            return
        *frames, rest = chunk.split(b"\0")
        for frame in (*(frame + b"\0" for frame in frames), *filter(None, (rest,))):
            harm = self.trouble.draw(FROM_BOX)
            spans = {Harm.DELAYED: DELAY, Harm.LATE: LATENESS}
            late = within(self._random, spans[harm]) if harm in spans else ZERO
            leaves = now + late + self.trouble.wandering()
            if self._leaving:
                leaves = max(leaves, self._leaving[-1][0])
            self._leaving.append((leaves, self._harmed(frame, harm)))

    def wake_at(self) -> Moment | None:
        """Say when bytes leave that are kept."""
        return self._leaving[0][0] if self._leaving else None

    def from_box(self, now: Moment) -> bytes:
        """Return the bytes that leave now."""
        leaving = b""
        while self._leaving and self._leaving[0][0] <= now:
            leaving += self._leaving.popleft()[1]
        return leaving

    def _harmed(self, frame: bytes, harm: Harm | None) -> bytes:
        match harm:
            case Harm.REQUEST_LOST | Harm.REPLY_LOST:
                return b""
            case Harm.TWICE:
                return frame * 2
            case Harm.BIT_FLIPPED:
                place = self._random.randrange(len(frame))
                flipped = bytes([frame[place] ^ 1 << self._random.randrange(8)])
                return frame[:place] + flipped + frame[place + 1 :]
            case _:
                return frame
