"""Processes that end when their block is left."""

import asyncio
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path


@asynccontextmanager
async def process(command: list[str], errors: Path) -> AsyncIterator[Process]:
    """Run a process with its output in a pipe and its complaints in a file."""
    with errors.open("wb") as file:
        started = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=file)
        async with ended(started):
            yield started


@asynccontextmanager
async def ended(started: Process) -> AsyncIterator[None]:
    """Terminate a process when the block is left, and kill it if it does not obey."""
    try:
        yield
    finally:
        if started.returncode is None:
            started.terminate()
        try:
            async with asyncio.timeout(10):
                await started.wait()
        except TimeoutError:
            started.kill()
            await started.wait()
