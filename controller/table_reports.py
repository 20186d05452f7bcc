"""What a table reports again: it counts once, and the table is told when it need not be kept."""

from collections.abc import Callable

from table.events import Observed
from table.moment import DeviceNumber


class Reports:
    """The reports of one table, in order.

    Args:
        recorded: the newest one in the journal, None where none is numbered.
    """

    def __init__(self, recorded: DeviceNumber | None) -> None:
        self._taken = self._settled = recorded
        self.recorded: Callable[[Observed], None] = lambda _: None
        """Told of each report that is durable, or cannot be."""

    def repeats(self, observed: Observed) -> bool:
        """Say whether a report was taken before, by this run of the daemon or an earlier one."""
        number = observed.number
        if number is None:
            return False
        if self._taken is None or not self._taken.covers(number):
            self._taken = number
            return False
        if self._settled is not None and self._settled.covers(number):
            self.recorded(observed)
        return True

    def settle(self, observed: Observed) -> None:
        """Learn that a report is durable, or cannot be: there is no journal, or it is sick."""
        self._settled = observed.number or self._settled
        self.recorded(observed)
