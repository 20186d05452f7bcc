"""The one place where the simulator reads a clock, and where its time runs faster than ours."""

import time
from dataclasses import dataclass
from fractions import Fraction

from table.moment import Moment


@dataclass(frozen=True, slots=True)
class ScaledClock:
    """The monotonic clock, `speed` times as fast as it really runs."""

    speed: Fraction = Fraction(1)

    def now(self) -> Moment:
        """Return the present moment of the simulated tables."""
        real_ns = time.monotonic_ns()  # noqa: TID251 -- the one reading of the simulator
        return Moment(real_ns * self.speed.numerator // (self.speed.denominator * 1000))

    def wait(self, moment: Moment) -> float:
        """Return the real time until a moment of the simulated tables, 0 where it has passed.

        Units: seconds, as the timers of asyncio take them.
        """
        micros = max(0, moment.micros - self.now().micros)
        return micros * self.speed.denominator / (1_000_000 * self.speed.numerator)
