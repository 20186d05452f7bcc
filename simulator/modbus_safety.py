"""The host-loss timer of Wiren Board relays: what outputs do when no host asks any more.

Source: wirenboard/wb-mqtt-serial, template config-wb-mr6c.json.jinja (registers 8, 930, 938).
"""

from dataclasses import dataclass
from datetime import timedelta

from simulator.modbus_cells import Register
from simulator.modbus_switches import Switch
from table.moment import Moment


@dataclass(frozen=True, slots=True)
class Outage:
    """What one output does when the host is lost."""

    switch: Switch
    safe: Register
    """1 is on; also the state after a restart."""
    behaviour: Register
    """0 leaves the output as it is, 1 switches it to the safe state."""


class Safety:
    """Runs from the last request; one that never came runs nothing."""

    def __init__(self, timer: Register, outages: tuple[Outage, ...]) -> None:
        self._timer = timer
        self._outages = outages
        self._heard: Moment | None = None

    def heard(self, now: Moment) -> None:
        """Notice that the host is there."""
        self._heard = now

    def restart(self, at: Moment) -> None:
        """Start in the safe state."""
        self._heard = None
        for outage in self._outages:
            outage.switch.turn(at, on=bool(outage.safe.value))

    def wake_at(self) -> Moment | None:
        """Say when the host counts as lost."""
        return self._heard and self._heard + timedelta(seconds=self._timer.value)

    def pass_time(self, now: Moment) -> None:
        """Switch to the safe state where the host is lost."""
        lost_at = self.wake_at()
        if lost_at is None or lost_at > now:
            return
        self._heard = None
        for outage in self._outages:
            if outage.behaviour.value:
                outage.switch.turn(lost_at, on=bool(outage.safe.value))
