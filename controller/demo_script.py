"""Plays one written hand over real wires and tells what a subscriber saw of it."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, TextIO
from uuid import uuid4

from controller.clock import Clock, MonotonicClock
from controller.demo import VENUE, Venue, Wishes, say, venue
from controller.demo_watcher import Watcher
from controller.script_file import hand_file_of
from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import LineSettings
from mqtt.topics import Root
from table.errors import BrokerError, TablewardenError
from table.happening import RefereeOrders, RefereeRules, ScriptLine
from table.moment import Moment
from table.script import duration

START_UP = timedelta(seconds=30)
"""Broker, table, daemon and board must be up within this (house choice)."""
AFTERMATH = timedelta(seconds=3)
"""What the last line sets off is seen within this (house choice)."""
_POLL_SECONDS = 0.02


def play(path: Path, wishes: Wishes) -> int:
    """Play a script at one simulated table by the rules wished for; return the exit code.

    Raises:
        ScriptError: the file is no written hand.
        TablewardenError: a program is missing, or nothing was played in time.
    """
    return asyncio.run(_play(path, hand_file_of(path).lines, wishes))


async def _play(path: Path, script: Sequence[ScriptLine], wishes: Wishes) -> int:
    most = START_UP + duration(script) + AFTERMATH
    say(f"playing {path.name} in real time: {duration(script)} of play, over by itself")
    say(f"at most {most.total_seconds():.0f} s from now")
    try:
        async with (
            asyncio.timeout(most.total_seconds()),
            venue(replace(wishes, tables=1, script=path)) as running,
        ):
            with (running.folder / "t1.log.jsonl").open(encoding="utf-8") as log:
                await _watch(running, script, log)
    except TimeoutError as error:
        message = f"{path.name} was not played to its end within {most.total_seconds():.0f} s"
        raise TablewardenError(message) from error
    return 0


async def _watch(running: Venue, script: Sequence[ScriptLine], log: TextIO) -> None:
    say(f"board {running.address}")
    watcher = Watcher(Root("mahjong", VENUE), "t1", say)
    line = LineSettings(running.broker.host, running.broker.port, f"watcher-{uuid4().hex[:8]}")
    async with connect(line) as broker, asyncio.TaskGroup() as tasks:
        reading = tasks.create_task(watcher.watch(broker))
        cues, clock = _cues(log), MonotonicClock()
        zero = Moment(await _cue(cues, "started"))
        watcher.begin(clock.utc() - (clock.now() - zero))
        speaking = tasks.create_task(_referee(watcher, broker, script, zero))
        await _cue(cues, "ended")
        await speaking
        await asyncio.sleep(AFTERMATH.total_seconds())
        reading.cancel()
    totals = watcher.ledger.totals if watcher.ledger else {}
    for player, points in totals.items():
        say(f"    ledger  {player} {points:+}")


async def _referee(
    watcher: Watcher, broker: BrokerLine, script: Sequence[ScriptLine], zero: Moment
) -> None:
    """Say the referee's lines at their time, each after the last one was answered."""
    clock: Clock = MonotonicClock()
    for line in script:
        if isinstance(line.happening, RefereeOrders | RefereeRules):
            await clock.sleep_until(zero + line.at)
            await watcher.order(broker, line.happening)
            await watcher.replied.get()


async def _cue(cues: AsyncIterator[dict[str, Any]], wanted: str) -> int:
    async for entry in cues:
        if entry.get("script") == wanted:
            return int(entry["monotonic_us"])
    message = f"the simulator's log ended before the script {wanted}"
    raise BrokerError(message)


async def _cues(lines: TextIO) -> AsyncIterator[dict[str, Any]]:
    """Follow the log of the simulated table as it grows."""
    whole = ""
    while True:
        whole += lines.readline()
        if whole.endswith("\n"):
            yield json.loads(whole)
            whole = ""
        else:
            await asyncio.sleep(_POLL_SECONDS)
