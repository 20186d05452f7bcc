"""Programs of other people at a real hall: they read it, order, come late and miss nothing."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from mqtt.messages import Protocol
from tests.interop.broker import Door
from tests.interop.examples import Board, Place, Shown, showing, terminal, window
from tests.interop.reference import Reference, now_ms
from tests.interop.speakers import Said, Speaker, Visit, mosquitto_clients, mqtt_js
from tests.interop.venue import DISPLAY, REFEREE, TABLE, Venue, venue_in
from tests.journeys.gate import Gate, gate
from tests.journeys.hall import until
from tests.journeys.scoreboard import ROOT

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="module")]
UNBROKEN_MS = 3000
"""A board that counts by the wall clock is wrong by as much at the end."""
STATE = ROOT.state(TABLE)
FINAL = {"done", "rejected", "failed"}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def venue(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Venue]:
    async with venue_in(tmp_path_factory.mktemp("venue")) as made:
        yield made


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
@pytest.mark.parametrize("speaking", [mosquitto_clients, mqtt_js])
async def test_other_peoples_clients_read_a_table_and_order(
    venue: Venue,
    speaking: Callable[[Visit], AbstractAsyncContextManager[Speaker]],
    protocol: Protocol,
) -> None:
    await venue.begin_anew()
    tones = _tones(venue)
    visit = Visit(venue.door, REFEREE, protocol, (STATE, f"{ROOT.path}/reply/{REFEREE}/+"))
    async with speaking(visit) as speaker:
        state = await speaker.hears(STATE, lambda _: True)
        seen = {} if protocol == "5" else {"hand": state["hand"]}
        buzzed = await _ordered(speaker, "sound-buzzer", {}, {"seat": 3})
        paused = await _ordered(speaker, "pause", seen, {"reason": "tea"})
        resumed = await _ordered(speaker, "resume", seen, {"remaining": True})
        again = await _ordered(speaker, "resume", seen, {})

    assert [each["status"] for each in (buzzed, paused, resumed)] == ["done"] * 3
    assert (again["status"], again["code"]) == ("rejected", "wrong-phase")
    assert paused["seq"] < resumed["seq"]
    await until(lambda: _tones(venue) == [*tones, 3])


async def _ordered(speaker: Speaker, verb: str, seen: Said, arguments: Said) -> Said:
    """Order something and return the final answer."""
    name = f"{verb}-{uuid4()}"
    order = {"id": name, "person": "Referee A", "precondition": seen, "arguments": arguments}
    await speaker.say(ROOT.table_command(REFEREE, TABLE, verb), json.dumps(order))
    return await speaker.hears(ROOT.reply(REFEREE, name), lambda said: said["status"] in FINAL)


def _tones(venue: Venue) -> list[int]:
    """Return the seats whose buzzers the table sounded so far."""
    return [line["seat"] for line in venue.hall.log() if line.get("command") == "buzzer"]


@dataclass(frozen=True)
class Late:
    """A scoreboard that came late, and the way by which it came."""

    board: Board
    gate: Gate

    async def has(self, events: list[str]) -> None:
        """Wait until the last of some events is the last it has."""
        async with asyncio.timeout(30):
            while [event["id"] for event in await self.board.events()][-1:] != events[-1:]:
                await self.board.shown()


@asynccontextmanager
async def late(venue: Venue, browser: Browser, folder: Path) -> AsyncIterator[list[Late]]:
    """Open both scoreboards, each by a way of its own that can be shut."""
    async with AsyncExitStack() as stack:
        ways = [
            await stack.enter_async_context(gate(port))
            for port in (venue.door.port, venue.door.websockets)
        ]
        door = Door(venue.door.broker, *(way.port for way in ways))
        place = Place(door, ROOT, folder, DISPLAY)
        opened = (terminal(place), window(browser, place))
        boards: list[Board] = [await stack.enter_async_context(each) for each in opened]
        yield [Late(board, way) for board, way in zip(boards, ways, strict=True)]


async def test_late_boards_with_wrong_wall_clocks_show_right_clocks(
    venue: Venue, browser: Browser, tmp_path: Path
) -> None:
    await venue.begin_anew()
    async with late(venue, browser, tmp_path) as boards, asyncio.TaskGroup() as tasks:
        for each in boards:
            tasks.create_task(_agrees(each.board, venue.clocks))


async def _agrees(board: Board, clocks: Reference) -> None:
    """Watch until all pictures of some seconds agree with the reference."""
    agreed_since = None
    while agreed_since is None or now_ms() - agreed_since < UNBROKEN_MS:
        shown = await showing(board, lambda shown: "1" in shown.clocks)
        assert clocks.left_ms("1", now_ms()) > 0, f"never agreed; in the end {shown}"
        if not _is_right(shown, clocks, board.unit_ms):
            agreed_since = None
        elif agreed_since is None:
            agreed_since = shown.after_ms


def _is_right(shown: Shown, clocks: Reference, unit_ms: int) -> bool:
    least, most = (clocks.left_ms("1", at) for at in (shown.before_ms, shown.after_ms))
    return least - unit_ms <= shown.clocks["1"] * 1000 <= most + unit_ms


async def test_boards_that_were_cut_off_have_every_event_once_and_asked_for_no_other(
    venue: Venue, browser: Browser, tmp_path: Path
) -> None:
    await venue.begin_anew()
    asked_before = len(venue.questions(DISPLAY))
    async with late(venue, browser, tmp_path) as boards:
        for each in boards:
            await showing(each.board, lambda shown: "1" in shown.clocks)
        await venue.order("pause")
        whole = venue.events()
        for each in boards:
            await each.has(whole)
        for each in boards:
            await each.gate.shut()
        for verb in ("resume", "pause", "resume", "pause"):
            await venue.order(verb)
        missed = venue.events()[len(whole) :]
        for each in boards:
            await each.gate.open()
            await each.has(missed)
        await venue.order("resume")
        for each in boards:
            await each.has(venue.events())
            await _has_each_once(venue, each.board)
    questions = venue.questions(DISPLAY)[asked_before:]
    assert [venue.sent_again(DISPLAY, question.id) for question in questions] == [missed, missed]


async def _has_each_once(venue: Venue, board: Board) -> None:
    had = await board.events()
    first = venue.events().index(had[0]["id"])
    assert [event["id"] for event in had] == venue.events()[first:]
    texts = [[json.loads(text) for text in venue.seen.texts[event["id"]]] for event in had]
    assert texts == [[event] for event in had]
