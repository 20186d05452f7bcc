"""Writes a journal as fast as it can until it is killed, telling what it was promised."""

import asyncio
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from controller.journal import Receipt
from controller.journal_file import JournalFile
from tests.controller.journal_entries import boot, entry, whole

EVENTS = 2


def write_until_killed(path: Path, seed: int, told: Connection) -> None:
    asyncio.run(_write(path, Random(seed), told))


async def _write(path: Path, chance: Random, told: Connection) -> None:
    journal = await JournalFile.open(path, boot())
    number = 0
    while True:
        for _ in range(chance.choice((1, 1, 2, 7, 30))):
            number += 1
            made = whole if chance.random() < 0.1 else entry
            submitted = journal.submit(made(number, f"t{number % 3}"))
            submitted.add_done_callback(partial(_tell, told))
        await _drain(journal, chance)
        await asyncio.sleep(0)


async def _drain(journal: JournalFile, chance: Random) -> None:
    """Play a broker that takes some of what waits."""
    if chance.random() < 0.3:
        some = await journal.outbox.next_batch(0, 20)
        await journal.outbox.acknowledge([event.position for event in some])


def _tell(told: Connection, receipt: "asyncio.Future[Receipt]") -> None:
    durable = receipt.result()
    told.send((durable.position, durable.head))
