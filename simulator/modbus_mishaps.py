"""What befalls modules, boxes and cables, each at its moment."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TypeAlias

from simulator.habits import Span, within
from simulator.modbus_trouble import Harm
from table.moment import Moment

NEAR_WRAP = 2
"""Counters stand so many counts before they begin at 0 again."""

_MUTE: Span = (500, 4_000)
_POWER: Span = (300, 5_000)
_UNPLUGGED: Span = (500, 5_000)


@dataclass(frozen=True, slots=True)
class Reboot:
    """A module starts anew."""

    module: str


@dataclass(frozen=True, slots=True)
class Mute:
    """A module says nothing for a while and works on."""

    module: str
    span: timedelta


@dataclass(frozen=True, slots=True)
class NearWrap:
    """The counters of a module are about to wrap."""

    module: str


@dataclass(frozen=True, slots=True)
class PowerCut:
    """The whole table is without power for a while."""

    span: timedelta


@dataclass(frozen=True, slots=True)
class Unplugged:
    """The cables of the table are out for a while; its modules work on."""

    span: timedelta


@dataclass(frozen=True, slots=True)
class Harmed:
    """The next requests suffer this, or the next frames of a table link."""

    harm: Harm
    times: int


Mishap: TypeAlias = Reboot | Mute | NearWrap | PowerCut | Unplugged | Harmed


def mishaps(
    random: Random, modules: tuple[str, ...], start: Moment, every: timedelta
) -> Iterator[tuple[Moment, Mishap]]:
    """Draw mishaps without end, on average one in a time."""
    at = start
    while True:
        at += every * random.randint(500, 1500) / 1000
        yield at, _draw(random, random.choice(modules))


def _draw(random: Random, module: str) -> Mishap:
    return random.choice(
        (
            Reboot(module),
            Mute(module, within(random, _MUTE)),
            NearWrap(module),
            PowerCut(within(random, _POWER)),
            Unplugged(within(random, _UNPLUGGED)),
        )
    )
