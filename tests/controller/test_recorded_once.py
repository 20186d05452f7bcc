"""Whatever the line loses and whoever is killed, an event is recorded once or told to be lost."""

from collections import deque
from collections.abc import Iterator
from datetime import timedelta

from hypothesis import event as reached
from hypothesis import given
from hypothesis import strategies as st

from controller.table_reports import Reports
from drivers.table_link.clock_fit import ClockFit, DeviceClock, Exchange
from drivers.table_link.codes import Flag, Happening
from drivers.table_link.counts import Counts
from drivers.table_link.frames import Frame
from drivers.table_link.intake import Intake
from drivers.table_link.messages import Hello, Lost, Machine
from simulator.ring import CAPACITY, Ring
from table.events import FaultRaised, Observed, TableRebooted
from table.moment import DeviceNumber, Moment

BOOT = 7
FIT = ClockFit.begin(DeviceClock("TL-1/00000007", 1000, 0), Exchange(1000, 1, 1, 1200))
OVERDUE = timedelta(seconds=1)
FIRST_CODE = 256


class Venue:
    """A box that keeps events, a daemon that may die, and what its journal has."""

    def __init__(self) -> None:
        self.now = Moment(10**12)
        self.ring = Ring()
        self.made = 0
        self.journal: list[Observed] = []
        self.connect()

    def connect(self, heard: DeviceNumber | None = None) -> None:
        """Have a daemon begin that knows only its journal."""
        hello = Hello(
            "", "", "TL-1", "", "", BOOT, oldest=self.ring.oldest, following=self.ring.following
        )
        self.intake = Intake(hello, Counts())
        self.reports = Reports(heard)
        self.reports.recorded = self.acknowledge
        self.unrecorded: deque[Observed] = deque()
        self.ring.rewind(self.intake.wanted)

    def act(self, deed: str, count: int) -> None:
        reached(deed)
        match deed:
            case "happen":
                for _ in range(count):
                    self.made += 1
                    event = Machine(BOOT, 1, Happening.FAULT_RAISED, FIRST_CODE + self.made)
                    self.ring.keep(event, waits=False)
            case "overflow":
                self.act("happen", CAPACITY + count)
            case "send":
                self.carry(lost_each=0)
            case "send badly":
                self.carry(lost_each=count)
            case "record":
                self.record(count)
            case "acknowledge" if self.intake.newest:
                self.ring.acknowledge(self.intake.newest)
            case "kill":
                self.connect(self.journal[-1].number if self.journal else None)
            case _:
                reached("nothing to acknowledge")

    def carry(self, lost_each: int) -> None:
        """Send what is due; each so many-th frame is lost on the line."""
        self.now += OVERDUE
        for place, observed in enumerate(self._arriving(lost_each)):
            reached(f"arrived {min(place, 1)}")
            if not self.reports.repeats(observed):
                self.unrecorded.append(observed)
        if self.intake.asks_again():
            self.ring.rewind(self.intake.wanted)

    def _arriving(self, lost_each: int) -> Iterator[Observed]:
        due = self.ring.due(self.now)
        if due and self.ring.lost:
            skipped = self.intake.skip(Lost(BOOT, *self.ring.lost), self.now)
            yield from [skipped] if skipped else []
        for place, kept in enumerate(due, start=1):
            if lost_each and not place % lost_each:
                continue
            assert isinstance(kept.event, Machine)
            flags = Flag.NEEDS_ACK | (Flag.REPLAY if kept.replay else Flag.NONE)
            frame = Frame(Machine.KIND, kept.event.to_bytes(), kept.seq, flags=flags)
            taken = self.intake.take(frame, kept.event, FIT, self.now)
            yield from [taken] if taken else []

    def record(self, count: int) -> None:
        """Have the journal write so many turns."""
        for _ in range(min(count, len(self.unrecorded))):
            self.journal.append(self.unrecorded.popleft())
            self.reports.settle(self.journal[-1])

    def acknowledge(self, observed: Observed) -> None:
        assert observed.number
        self.intake.recorded(observed.number)

    def recorded(self) -> list[int]:
        events = [one.event for one in self.journal]
        return [one.code - FIRST_CODE for one in events if isinstance(one, FaultRaised)]


deeds = st.lists(
    st.tuples(
        st.sampled_from(
            ["happen", "send", "send badly", "record", "acknowledge", "kill", "overflow"]
        ),
        st.integers(1, 20),
    ),
    max_size=40,
)


@given(deeds)
def test_an_event_is_recorded_once_or_told_to_be_lost(acts: list[tuple[str, int]]) -> None:
    venue = Venue()
    for deed, count in acts:
        venue.act(deed, count)
    while len(venue.ring):
        for deed in ("send", "record", "acknowledge"):
            venue.act(deed, CAPACITY)
    recorded = venue.recorded()
    assert recorded == sorted(set(recorded))
    missing = venue.made - len(recorded)
    assert (missing == 0) or any(one.event == TableRebooted() for one in venue.journal)
    assert missing <= venue.ring.lost_count
