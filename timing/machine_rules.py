"""What a venue says about the machine of one table, as the core needs it."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class MachineRules:
    """How long a cycle takes; defaults are those of tables with four ports."""

    expected: timedelta = timedelta(seconds=35)
    """Makers and repair guides name 18 to 35 s."""
    slow: timedelta = timedelta(seconds=80)
    """From here on it is a notice; repair guides take more for a symptom of a fault."""
    failed: timedelta = timedelta(seconds=160)
    """From here on it is a fault (house choice: twice the time of the notice)."""
