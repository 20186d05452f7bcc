"""Work that may hang, each in a thread of its own, which nobody waits for at the end."""

import asyncio
import termios
from collections.abc import Callable
from threading import Thread
from typing import TypeVar

Made = TypeVar("Made")


class Apart:
    """Opens things by name; one that hangs is not opened a second time meanwhile.

    The threads that asyncio lends are few and waited for at the end: a handful of hanging ports
    would keep all others from being opened, and the program from ending.
    """

    def __init__(self) -> None:
        self._hanging: set[str] = set()

    async def make(
        self, name: str, work: Callable[[], Made], give_back: Callable[[Made], None]
    ) -> Made:
        """Return what the work makes.

        Args:
            name: of what is opened.
            work: may raise OSError, ValueError or termios.error.
            give_back: takes what came when nobody waited for it any more.

        Raises:
            TimeoutError: an earlier attempt still hangs.
        """
        if name in self._hanging:
            msg = "an earlier attempt to open it still hangs; unplug it and plug it in again"
            raise TimeoutError(msg)
        made: asyncio.Future[Made] = asyncio.get_running_loop().create_future()
        self._hanging.add(name)
        Thread(target=self._run, args=(name, work, made, give_back), daemon=True).start()
        return await made

    def _run(
        self,
        name: str,
        work: Callable[[], Made],
        made: "asyncio.Future[Made]",
        give_back: Callable[[Made], None],
    ) -> None:
        def tell(outcome: Made | Exception) -> None:
            if made.done():
                if not isinstance(outcome, Exception):
                    Thread(target=give_back, args=(outcome,), daemon=True).start()
            elif isinstance(outcome, Exception):
                made.set_exception(outcome)
            else:
                made.set_result(outcome)

        outcome: Made | Exception
        try:
            outcome = work()
        except (OSError, ValueError, termios.error) as error:
            outcome = error
        finally:
            self._hanging.discard(name)
        loop = made.get_loop()
        if not loop.is_closed():
            loop.call_soon_threadsafe(tell, outcome)
