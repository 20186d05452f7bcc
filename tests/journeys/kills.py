"""One hand with late pungs, and the daemon killed in it at a seeded moment."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from random import Random

from controller.processes import program
from controller.table_memory import STIMULUS
from scoring.effects import AlertRaised
from table.events import Call, LinkUp
from table.happening import TAP, SeatTap
from table.moment import MICROSECOND
from table.script import read_script
from table.seat import Seat
from tests.harness.broker import Mosquitto, mosquitto
from tests.journeys.hall import Hall, Play, begun, hall_in, killed, until
from tests.journeys.referee import Referee, refereed
from tests.journeys.scoreboard import Scoreboard, scoreboard

SCRIPT = Path(__file__).with_name("kills.hand")
SPEED = 3
PLAYED_US = 1_000_000, 34_000_000
"""Between the end of the deal and the last discard."""
KNOWN_US = 1_000_000
"""So long after a press it is in the journal, however busy the machine is."""
AFTER_US = 300_000
"""So long after a discard the daemon is killed that has just heard of it."""
JUST_US = 90_000
"""So long after a discard, at most, the daemon is killed that can just have heard of it."""
QUICK_SECONDS = 0.001
EARLY_US = 1_200_000
"""So long before a late claim the broker is frozen, to be still when the alert is made."""


class Blow(StrEnum):
    """What is killed, and when."""

    NONE = "nothing is killed"
    PLAY = "at any moment of play"
    COMMIT = "between commit and publish"
    BOTH = "between commit and publish, and the broker too"
    RULING = "while a ruling is on its way"
    TURN = "between a discard and its late claim"
    PRESS = "in the moment of a discard"
    START = "at any moment of play, and again as it starts"


@dataclass(frozen=True)
class Late:
    """A late pung of the script, in script time."""

    seat: Seat
    discard_us: int
    claim_us: int

    @property
    def taken_us(self) -> int:
        return self.claim_us - self.discard_us

    @property
    def known_us(self) -> int:
        """When the claim is in the journal: it acts as it is let go."""
        return self.claim_us + TAP // MICROSECOND + KNOWN_US


def late_pungs() -> tuple[Late, ...]:
    """Return the fouls of the script; each pung calls the discard right before it."""
    lines = read_script(SCRIPT.read_text(encoding="utf-8"))
    return tuple(
        Late(call.happening.seat, discard.at // MICROSECOND, call.at // MICROSECOND)
        for discard, call in pairwise(lines)
        if isinstance(call.happening, SeatTap) and call.happening.call is Call.PUNG
    )


def played_presses() -> Counter[Seat]:
    """Return how often each seat presses in the script."""
    lines = read_script(SCRIPT.read_text(encoding="utf-8"))
    return Counter(line.happening.seat for line in lines if isinstance(line.happening, SeatTap))


@dataclass(frozen=True)
class Moment:
    """What befalls one hall."""

    seed: int
    blow: Blow
    at_us: int
    """In script time; about when the chosen late pung is claimed, where one is."""
    after_ms: int
    """From a ruling's departure, or from the new start, to the kill; real time."""

    @classmethod
    def drawn(cls, seed: int, blow: Blow | None = None) -> "Moment":
        """Draw a moment; every kind comes round, some more often."""
        random = Random(seed)
        blow = blow or random.choice([*Blow][1:])
        late = random.choice(late_pungs())
        match blow:
            case Blow.PLAY | Blow.START:
                at = random.randrange(*PLAYED_US)
            case Blow.TURN:
                at = late.discard_us + AFTER_US
            case Blow.PRESS:
                at = late.discard_us + random.randrange(JUST_US)
            case _:
                at = late.claim_us
        return cls(seed, blow, at, random.randrange(30 if blow is Blow.RULING else 1500))


@dataclass(frozen=True)
class Outcome:
    """What is left of a hall after its hand."""

    hall: Hall
    seen: Scoreboard
    referee: Referee
    cut_us: tuple[int, int] | None
    """Script time from the kill until the table was followed again."""
    durable: tuple[str, ...]
    """Alerts that were in the journal at the kill."""

    @property
    def outage(self) -> str:
        """Say when nobody followed the table."""
        if self.cut_us is None:
            return "none"
        return " to ".join(f"{micros / 1_000_000:.3f}" for micros in self.cut_us)


@asynccontextmanager
async def struck(moment: Moment, folder: Path) -> AsyncIterator[Outcome]:
    """Play the hand with what befalls it, until everything has settled; the broker still runs."""
    keeping = moment.blow is Blow.BOTH
    with mosquitto(folder, keeping=keeping) as broker:
        hall = hall_in(folder, broker, SPEED)
        async with (
            scoreboard(broker) as seen,
            refereed(broker, seen) as referee,
            program("simulator", hall.simulator(SCRIPT)) as tables,
        ):
            await tables.line_with("ready")
            blows = _Blows(moment, hall, seen, referee)
            killed_at = await blows.fall(broker)
            before = max(hall.boots()) if killed_at else 0
            durable = tuple(alerts(hall)) if killed_at else ()
            async with program("daemon", hall.daemon()):
                play = await begun(hall)
                await until(play.ended)
                await until(lambda: followed(play, before) and settled(hall, seen, referee))
            cut = (killed_at, followed(play, before)) if killed_at else None
            yield Outcome(hall, seen, referee, cut, durable)


@dataclass(frozen=True)
class _Blows:
    """Carries out what befalls a hall."""

    moment: Moment
    hall: Hall
    seen: Scoreboard
    referee: Referee

    async def fall(self, broker: Mosquitto) -> int | None:
        """Kill what is to be killed; return when, in script time."""
        if self.moment.blow is Blow.NONE:
            return None
        async with program("daemon", self.hall.daemon()) as daemon:
            play = await begun(self.hall)
            match self.moment.blow:
                case Blow.COMMIT | Blow.BOTH:
                    await self._committed(play, broker)
                case Blow.RULING:
                    await self._asked()
                case _:
                    await play.reach(self.moment.at_us)
            killed_at = play.now()
            await killed(daemon)
        await self._aftermath(broker)
        return killed_at

    async def _committed(self, play: Play, broker: Mosquitto) -> None:
        """Freeze the broker until an alert is durable that it has not heard of."""
        await play.reach(self.moment.at_us - EARLY_US)
        before = len(alerts(self.hall))
        broker.freeze()
        await until(lambda: len(alerts(self.hall)) > before)
        newest = alerts(self.hall)[-1]
        assert newest not in {
            one.data["alert"]["foul"]["id"] for one in self.seen.of("alert-raised")
        }

    async def _asked(self) -> None:
        number = [late.claim_us for late in late_pungs()].index(self.moment.at_us) + 1
        await until(lambda: self.referee.asked >= number, QUICK_SECONDS)
        await asyncio.sleep(self.moment.after_ms / 1000)

    async def _aftermath(self, broker: Mosquitto) -> None:
        match self.moment.blow:
            case Blow.COMMIT:
                broker.thaw()
            case Blow.BOTH:
                broker.kill()
                self.seen.connected.clear()
                broker.start()
                await self.seen.connected.wait()
            case Blow.START:
                async with program("daemon", self.hall.daemon()) as daemon:
                    await asyncio.sleep(self.moment.after_ms / 1000)
                    await killed(daemon)
            case _:
                pass


def alerts(hall: Hall) -> list[str]:
    """Return the alerts in the journal, as they were raised."""
    return [effect.alert.id for _, effect in hall.effects() if isinstance(effect, AlertRaised)]


def followed(play: Play, before: int) -> int:
    """Return at what script time a start after the one named had the table; 0: not yet."""
    boots = play.hall.boots()
    connected = (
        play.recorded(record, boots[record.session])
        for record in play.hall.journal.records("t1")
        if record.session > before
        and isinstance(STIMULUS.decode(record.stimulus, "journal"), LinkUp)
    )
    return next(connected, 0)


def settled(hall: Hall, seen: Scoreboard, referee: Referee) -> bool:
    """Say whether everything was ruled on, answered and told."""
    newest = max((event.tableseq for event in seen.events.values()), default=0)
    last = list(hall.journal.records("t1"))[-1].seq
    ruled = len(referee.answered()) == len(alerts(hall))
    return newest == last and ruled
