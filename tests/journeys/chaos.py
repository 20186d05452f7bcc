"""Play under fire: one trouble after the other, after each a newcomer who must see the truth."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from config.load import load
from controller.table_rules import rules_at, rules_of
from tests.journeys.chaos_comparer import Comparer, compared
from tests.journeys.chaos_hall import SPEED, Archive, Field, field_in, played
from tests.journeys.chaos_people import Official, Staff, at_work, closing, rulings
from tests.journeys.chaos_plan import Kind, Trouble
from tests.journeys.chaos_probe import Since, true_again
from tests.journeys.chaos_truth import Truth
from tests.journeys.hall import Hall, until

TRUE_AGAIN = 200
"""After so many seconds of play everything that the broker keeps must be true again."""


SETTLED_SECONDS = 5.0
MOST_CLOSINGS = 5


@dataclass(frozen=True)
class Fire:
    """A trouble that has been."""

    trouble: Trouble
    since: float
    healed: float
    """When the newcomer came; everything that befell the hall was over by then."""
    true_after: float
    """Seconds of play until a newcomer was told nothing but the truth."""
    untrue: tuple[str, ...]
    """What was still untrue when patience ended."""


@dataclass
class Outcome:
    """What is left when play has ended."""

    hall: Hall
    truth: Truth
    comparer: Comparer
    archives: dict[str, Archive]
    officials: tuple[Official, ...]
    fires: list[Fire] = field(default_factory=list)


async def under_fire(folder: Path, seed: int, troubles: Iterable[Trouble]) -> Outcome:
    """Play with what befalls the hall, until everything has settled."""
    async with field_in(folder, keeping=bool(seed % 2)) as ground:
        settings = load(ground.hall.settings, {})
        truth = Truth(ground.hall, rules_at(settings, rules_of(settings), "t1"))
        officials = Official("referee", rulings), Official("board", Staff(seed).wishes)
        async with compared(ground.broker, truth) as comparer:
            outcome = Outcome(ground.hall, truth, comparer, ground.archives, officials)
            async with at_work(ground.broker, *officials):
                async with played(ground.hall, seed):
                    await ground.daemon.start()  # scaled time is refused where no port is yet
                    await _burn(ground, outcome, troubles)
                for official in officials:
                    official.resting = True
                await _close(outcome)
        for archive in ground.archives.values():
            await archive.end()
    return outcome


async def _burn(ground: Field, outcome: Outcome, troubles: Iterable[Trouble]) -> None:
    await until(lambda: _dealt(outcome))
    for trouble in troubles:
        await asyncio.sleep(trouble.calm)
        outcome.fires.append(await _fire(ground, outcome.truth, trouble))


async def _fire(ground: Field, truth: Truth, trouble: Trouble) -> Fire:
    now = asyncio.get_running_loop().time
    since, session = now(), truth.session
    async with asyncio.TaskGroup() as mishaps:
        for mishap in trouble.mishaps:
            mishaps.create_task(ground.befall(mishap))
    healed = now()
    killed = any(mishap.kind is Kind.DAEMON for mishap in trouble.mishaps)
    must = replace(Since.now(truth), session=session + killed)
    untrue = await true_again(ground.broker, truth, must, TRUE_AGAIN / SPEED)
    return Fire(trouble, since, healed, (now() - healed) * SPEED, tuple(untrue))


def _dealt(outcome: Outcome) -> bool:
    """Say whether play is under way at every table."""
    tables = outcome.truth.tables.values()
    return bool(tables) and all(table.memory.state.hand.deals for table in tables)


async def _close(outcome: Outcome) -> None:
    """Wait until all is answered and told; what the broker dropped last shows in what follows."""
    board = outcome.officials[-1]
    for number in count():
        for table in outcome.truth.tables:
            board.wish(closing(table, number))
        await until(lambda: not any(one.unanswered() for one in outcome.officials))
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLED_SECONDS):
                await until(lambda: settled(outcome))
                return
        assert number < MOST_CLOSINGS, "the archives do not get to the end"


def settled(outcome: Outcome) -> bool:
    """Say whether both archives have the newest event, and everything was compared."""
    outcome.truth.read_on()
    newest = {
        "archivist": {name: table.seq for name, table in outcome.truth.tables.items()},
        "scoreboard": {
            name: max(told.seq for told in table.events if told.everyone)
            for name, table in outcome.truth.tables.items()
        },
    }
    return outcome.comparer.rest() and all(
        outcome.archives[login].reached() == wanted for login, wanted in newest.items()
    )
