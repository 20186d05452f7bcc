"""Play under fire: one trouble after the other, after each a newcomer who must see the truth."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from config.load import load
from controller.table_rules import rules_of
from tests.journeys.chaos_comparer import Comparer, compared
from tests.journeys.chaos_hall import SPEED, Archive, Field, field_in, played
from tests.journeys.chaos_people import Official, Staff, at_work, rulings
from tests.journeys.chaos_plan import Kind, Trouble
from tests.journeys.chaos_probe import Since, true_again
from tests.journeys.chaos_truth import Truth
from tests.journeys.hall import Hall, until

TRUE_AGAIN = 120
"""After so many seconds of play everything that the broker keeps must be true again."""


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
        truth = Truth(ground.hall, rules_of(load(ground.hall.settings, {})))
        officials = Official("referee", rulings), Official("board", Staff(seed).wishes)
        async with compared(ground.broker, truth) as comparer:
            outcome = Outcome(ground.hall, truth, comparer, ground.archives, officials)
            async with at_work(ground.broker, *officials):
                async with played(ground.hall, seed):
                    await _burn(ground, outcome, troubles)
                    await _rest(outcome)
                await until(lambda: settled(outcome))
        for archive in ground.archives.values():
            await archive.end()
    return outcome


async def _burn(ground: Field, outcome: Outcome, troubles: Iterable[Trouble]) -> None:
    await until(lambda: _discarded(outcome))
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


def _discarded(outcome: Outcome) -> bool:
    """Say whether play is under way at every table."""
    tables = outcome.truth.tables.values()
    kinds = [{told.envelope["type"] for told in table.events} for table in tables]
    return bool(kinds) and all("tablewarden.discarded" in seen for seen in kinds)


async def _rest(outcome: Outcome) -> None:
    """Have the officials ask nothing more, and wait until each order is answered."""
    for official in outcome.officials:
        official.resting = True
    await until(lambda: not any(official.unanswered() for official in outcome.officials))
    # What the broker dropped last shows in the events that follow.
    seen = {name: table.seq for name, table in outcome.truth.tables.items()}
    await until(lambda: _all_beyond(outcome, seen))


def _all_beyond(outcome: Outcome, seen: dict[str, int]) -> bool:
    tables = outcome.truth.tables.values()
    return all(any(told.everyone for told in one.events[seen[one.name] :]) for one in tables)


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
