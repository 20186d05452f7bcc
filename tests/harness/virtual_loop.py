"""An event loop whose time passes only while everybody waits, and then at once."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from table.moment import Moment

Result = TypeVar("Result")


class _Skipping(selectors.DefaultSelector):
    """Passes the time instead of waiting for it."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is None:
            msg = "everybody waits for ever"
            raise RuntimeError(msg)
        if not ready and timeout:
            self.seconds += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop for what has no real ends; those would be outrun."""

    def __init__(self) -> None:
        self._skipping = _Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.seconds


def played(play: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Run a coroutine to its end in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(play())


def loop_now() -> Moment:
    """Read the clock of the running loop, as a driver's `now`."""
    return Moment(round(asyncio.get_running_loop().time() * 1e6))
