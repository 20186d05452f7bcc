"""What a venue says about the machine of one table."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, TypeAlias

from pydantic import Field, ValidationInfo

from config.section import Section
from config.values import SECOND, Kind, Span, refuse
from config.words import words
from timing.machine_rules import MachineRules

_CycleTime: TypeAlias = Annotated[timedelta, Span(SECOND, timedelta(minutes=10))]
_USUAL = MachineRules()
TILE_SETS = (136, 144)


@dataclass(frozen=True, slots=True)
class _TileSet(Kind):
    """How many tiles a table is set to."""

    allowed: str = "136 (no flowers) or 144 (with eight flowers)"

    def read(self, value: object, _info: ValidationInfo) -> int:
        """Return the number."""
        if isinstance(value, bool) or not isinstance(value, int) or value not in TILE_SETS:
            refuse(self.allowed)
        return value


TileSet: TypeAlias = Annotated[int, _TileSet()]


class Cycle(Section):
    """How long the machine takes to shuffle and stack, by our own clock."""

    expected: _CycleTime = Field(default=_USUAL.expected, alias="expected_seconds")
    """What a cycle usually takes: 18 to 35 s with four ports, about 120 s with one."""
    slow: _CycleTime | None = Field(default=None, alias="slow_seconds")
    """From here on staff get a notice; `slow_cycle_seconds` of the event if not given."""
    failed: _CycleTime | None = Field(default=None, alias="failed_seconds")
    """From here on it is a fault; twice the time of the notice if not given."""

    def rules(self, usually_slow: timedelta) -> MachineRules:
        """Return what the core needs, where the event says from when on a cycle is slow."""
        slow = self.slow or usually_slow
        return MachineRules(self.expected, slow, self.failed or 2 * slow)

    def wrong(self, usually_slow: timedelta) -> str | None:
        """Return a sentence about times that do not follow one another."""
        rules = self.rules(usually_slow)
        if rules.expected < rules.slow < rules.failed:
            return None
        return (
            f"a cycle is expected to take {words(rules.expected)}, is slow from"
            f" {words(rules.slow)} and failed from {words(rules.failed)}, but each must be more"
            " than the one before"
        )
