"""A hall in play with a referee who sits at a browser: what a journey about rulings begins with."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Page, expect

from controller.processes import program
from mqtt.payloads import NodeAvailability, TableSnapshot
from mqtt.payloads_of_rulings import AlertPayload, LedgerPayload
from mqtt.topics import TopicKind
from tests.harness.broker import mosquitto
from tests.journeys.hall import Hall, hall_in
from tests.journeys.referee_page import address, pick_name, referee_page
from tests.journeys.scoreboard import ROOT, Scoreboard, scoreboard


@dataclass(frozen=True)
class Evening:
    """A hall in play, somebody who reads everything, and a referee's browser."""

    hall: Hall
    seen: Scoreboard
    page: Page
    play_on: dict[str, Callable[[], None]]
    """Plays the next part of a table's hand."""

    @property
    def alerts(self) -> list[AlertPayload]:
        """What stands on the topics of alerts."""
        shown = self.seen.shown(TopicKind.ALERT).values()
        return [AlertPayload.model_validate_json(one.payload) for one in shown]

    @property
    def node(self) -> NodeAvailability:
        topic = ROOT.node_availability("node-1")
        return NodeAvailability.model_validate_json(self.seen.newest[topic].payload)

    def snapshot(self, table: str) -> TableSnapshot:
        return TableSnapshot.model_validate_json(self.seen.newest[ROOT.state(table)].payload)

    def ledger(self, table: str) -> LedgerPayload:
        return LedgerPayload.model_validate_json(self.seen.newest[ROOT.ledger(table)].payload)

    async def goes_to(self, path: str) -> None:
        await self.page.goto(address(self.hall, path))
        await expect(self.page.locator("body")).to_have_attribute("data-live", "on")


@asynccontextmanager
async def evening(
    folder: Path, ruleset: str, *scripts: str, speed: int = 2
) -> AsyncIterator[Evening]:
    """Open a hall with a table for each script; only the daemon is still missing."""
    async with AsyncExitStack() as opened:
        broker = opened.enter_context(mosquitto(folder))
        hall = hall_in(folder, broker, speed, tables=len(scripts))
        hall.plays_by(ruleset)
        seen = await opened.enter_async_context(scoreboard(broker))
        board = await opened.enter_async_context(program("board", hall.board()))
        play_on = {}
        for number, script in enumerate(scripts, start=1):
            table = hall.parted(f"t{number}", Path(__file__).with_name(script))
            play_on[f"t{number}"] = await opened.enter_async_context(table)
        await board.line_with("board http")
        page = await opened.enter_async_context(referee_page(hall))
        await pick_name(page)
        yield Evening(hall, seen, page, play_on)
