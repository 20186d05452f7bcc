"""Publishes changes by our path: journal, outbox, broker.

Runs as a process: `python -m tests.bench.peer_ours PORT COUNT RATE FOLDER`. Each payload begins
with the moment of the change in microseconds. Prints the processor time in seconds that all
changes took.
"""

import asyncio
import sys
import time
import uuid
from datetime import timedelta
from pathlib import Path

from controller.clock import MonotonicClock
from controller.journal import Boot, Entry, Outgoing
from controller.journal_file import JournalFile
from mqtt.broker_line import connect
from mqtt.drain import Drain
from mqtt.messages import LineSettings
from tests.bench.append import EFFECTS, STIMULUS
from tests.bench.publish_rate import KIND, PAYLOAD, ROOT, TABLE


async def _main(port: int, count: int, rate: int, folder: Path) -> float:
    clock = MonotonicClock()
    boot = Boot(str(uuid.uuid4()), clock.now(), clock.utc(), "bench")
    journal = await JournalFile.open(folder / "peer.sqlite", boot)
    async with connect(LineSettings("127.0.0.1", port, "tablewarden-bench")) as line:
        draining = asyncio.create_task(Drain(journal.outbox, ROOT, line).run())
        await asyncio.sleep(1)
        used, due, receipts = time.process_time(), clock.now(), []
        for number in range(1, count + 1):
            due += timedelta(seconds=1) / rate
            await clock.sleep_until(due)
            payload = f"{clock.now().micros} ".encode() + PAYLOAD
            event = Outgoing(KIND, TABLE, number, payload)
            entry = Entry(TABLE, due, clock.utc(), STIMULUS, EFFECTS, number, (event,))
            receipts.append(journal.submit(entry))
        await asyncio.gather(*receipts)
        await asyncio.sleep(1)
        used = time.process_time() - used
        draining.cancel()
    await journal.close()
    return used


if __name__ == "__main__":
    _port, _count, _rate = map(int, sys.argv[1:4])
    sys.stdout.write(f"{asyncio.run(_main(_port, _count, _rate, Path(sys.argv[4])))}\n")
