"""One run: a table, a daemon, and an evening of troubles, in virtual time from a seed."""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random

from simulator.habits import Span, within
from simulator.modbus_kits import KITS
from table.commands import Lift, RollDice, SetLamp, Shuffle, SoundBuzzer, Stop, TableCommand
from table.moment import Moment
from table.seat import Seat
from tests.drivers.fault_run.box_port import plugged
from tests.drivers.fault_run.daemon import Daemon, running
from tests.drivers.fault_run.evening import Evening
from tests.drivers.fault_run.link_subject import LinkSubject
from tests.drivers.fault_run.module_subject import ModuleSubject
from tests.drivers.fault_run.subject import Subject
from tests.drivers.fault_run.told import judge_told
from tests.drivers.fault_run.verdict import (
    Quiet,
    Verdict,
    judge_fouls,
    judge_motors,
    judge_presses,
    judge_promises,
)
from tests.drivers.fault_run.virtual_time import now
from tests.harness.virtual_loop import played

LINK = "serial link"
CALM = timedelta(seconds=60)
"""After the troubles, so that the longest pause of the reconnect policy passes and play goes on."""
_LAST_TURN = timedelta(seconds=30)
"""A turn that began in time may last so long, and its press be told."""
_BETWEEN_ORDERS: Span = (4_500, 9_000)
_BEEP = timedelta(milliseconds=300)


@dataclass
class Found:
    """What runs of one subject found.

    Attributes:
        befell: how often each fault happened.
        verdict: what came of them.
        seconds: how long play went on.
    """

    befell: Counter[str] = field(default_factory=Counter)
    verdict: Verdict = field(default_factory=Verdict)
    seconds: float = 0

    def add(self, other: "Found") -> None:
        """Take over what another run found."""
        self.befell += other.befell
        self.verdict.add(other.verdict)
        self.seconds += other.seconds


def run(subject: str, seed: int, lasts: timedelta, calm: timedelta = CALM) -> Found:
    """Have one evening of a subject, and judge it."""
    return played(lambda: _run(subject, seed, lasts, calm))


async def _run(name: str, seed: int, lasts: timedelta, calm: timedelta) -> Found:
    random = Random(f"{name} {seed}")
    until = now() + lasts
    subject = _subject(name, random, until + calm)
    daemon = Daemon(subject.driver, random)
    subject.begin()
    with plugged(subject.port) if isinstance(subject, LinkSubject) else nullcontext():
        async with running(daemon):
            orders = asyncio.create_task(_order(daemon, random, until + calm))
            await subject.suffer(until)
            await asyncio.sleep((calm + _LAST_TURN).total_seconds())
            await orders
    return Found(subject.befell, _judged(subject, daemon), lasts.total_seconds())


def _subject(name: str, random: Random, until: Moment) -> Subject:
    if name == LINK:
        return LinkSubject(random, Evening(random, until, draws=False))
    kit = KITS[name]
    evening = Evening(random, until, draws=kit.senses_draws)
    return ModuleSubject(name, random.choice(kit.wires), random, evening)


async def _order(daemon: Daemon, random: Random, until: Moment) -> None:
    """Order this and that, one thing after the other, as long as people play."""
    choices: tuple[Callable[[], TableCommand], ...] = (
        Shuffle,
        Shuffle,
        Lift,
        RollDice,
        RollDice,
        Stop,
        lambda: SetLamp(random.choice(list(Seat)), lit=random.random() < 1 / 2),
        lambda: SoundBuzzer(random.choice(list(Seat)), _BEEP),
    )
    while now() < until:
        await asyncio.sleep(within(random, _BETWEEN_ORDERS).total_seconds())
        await daemon.send(random.choice(choices)())


def _judged(subject: Subject, daemon: Daemon) -> Verdict:
    verdict, turns = Verdict(), daemon.record.turns
    heard = judge_presses(verdict, subject.evening, turns)
    quiet = Quiet(daemon.links, subject.disturbed, daemon.now, remembers=subject.remembers)
    judge_promises(verdict, subject.evening.presses, heard, quiet)
    judge_motors(verdict, daemon.sent, subject.moved())
    judge_fouls(verdict, subject.evening, turns)
    if isinstance(subject, LinkSubject):
        judge_told(verdict, subject.table.boots, turns)
    return verdict
