"""Starts and ends the programs that a demonstration is made of."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from table.errors import TablewardenError

END_SECONDS = 5.0
"""A program that has not ended so long after SIGTERM is killed (house choice)."""


class Program:
    """A running program whose standard output is read line by line."""

    def __init__(self, name: str, process: asyncio.subprocess.Process) -> None:
        self.name = name
        self.process = process

    async def line_with(self, text: str, seconds: float = 20.0) -> str:
        """Wait for a line that contains a text.

        Raises:
            TablewardenError: the program ended or said nothing of the kind in time.
        """
        try:
            async with asyncio.timeout(seconds):
                async for line in self.lines():
                    if text in line:
                        return line
        except TimeoutError as error:
            message = f"{self.name} did not say '{text}' within {seconds:g} s"
            raise TablewardenError(message) from error
        message = f"{self.name} ended (exit code {await self.process.wait()}) without '{text}'"
        raise TablewardenError(message)

    async def lines(self) -> AsyncIterator[str]:
        """Iterate over what the program prints."""
        output = self.process.stdout
        if output is None:
            return
        async for line in output:
            yield line.decode(errors="replace").rstrip("\n")

    async def drain(self) -> int:
        """Read on, so that the program never blocks, and return its exit code."""
        async for _ in self.lines():
            pass
        return await self.process.wait()

    async def end(self) -> int:
        """Ask the program to end, kill it if it does not, and return its exit code."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(END_SECONDS):
                return await self.drain()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            return await self.process.wait()


@asynccontextmanager
async def program(name: str, arguments: Sequence[str]) -> AsyncIterator[Program]:
    """Run a program as long as the context lasts.

    It has a session of its own, so that Ctrl-C reaches only us and we end things in order.

    Raises:
        TablewardenError: it cannot be started.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *arguments, stdout=asyncio.subprocess.PIPE, start_new_session=True
        )
    except OSError as error:
        message = f"cannot start {name} ({arguments[0]}): {error}"
        raise TablewardenError(message) from error
    running = Program(name, process)
    try:
        yield running
    finally:
        await running.end()


def ours(module: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs one of our own programs with this interpreter."""
    return (sys.executable, "-m", module, *arguments)
