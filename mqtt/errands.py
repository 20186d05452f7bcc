"""Whether something is to be done, and whether all of it is."""

import asyncio
from collections.abc import AsyncIterator


class Errands:
    """Wakes whoever runs them, and knows when nothing is left."""

    def __init__(self) -> None:
        self._stirred = asyncio.Event()
        self.done = asyncio.Event()
        """Set while everything is done."""

    def stir(self) -> None:
        """Have one more thing to do."""
        self.done.clear()
        self._stirred.set()

    async def __aiter__(self) -> AsyncIterator[None]:
        """Yield whenever there is something to do, all of which is to be done then."""
        while True:
            await self._stirred.wait()
            self._stirred.clear()
            yield
            if not self._stirred.is_set():
                self.done.set()
