"""The hall page in a real browser, fed by a real broker."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.board import scenery
from tests.board.conftest import PHONE, Stage
from tests.board.scenery import NODE, ROOT

pytestmark = pytest.mark.asyncio(loop_scope="session")
HOSTILE = '<img src=x onerror="document.title=1">{{7*7}}&amp;'


def tile(page: Page, table: str) -> Locator:
    return page.locator(f'[data-key="tile:{table}"]')


async def test_the_hall_shows_a_table_in_play(stage: Stage) -> None:
    async with stage.visitor() as page:
        await page.goto(stage.address)
        await expect(tile(page, "t1")).to_contain_text("In play")
        await expect(tile(page, "t1")).to_contain_text("Seat 2 東 East")
        await expect(tile(page, "t1")).to_contain_text("Online")


async def test_the_hall_follows_what_happens(stage: Stage) -> None:
    async with stage.visitor() as page:
        await page.goto(stage.address)
        await stage.venue.show(
            scenery.snapshot("t1", on_turn=3), scenery.alert("t1", 1), scenery.alert("t1", 2)
        )
        await expect(tile(page, "t1")).to_contain_text("Seat 3 南 South")
        await expect(tile(page, "t1").locator('[data-slot="alerts"]')).to_have_text("2")
        await expect(page.locator('[data-key="need:t1"]')).to_contain_text("2 open alerts")


async def test_a_table_that_comes_later_appears(stage: Stage) -> None:
    async with stage.visitor() as page:
        await page.goto(stage.address)
        await expect(tile(page, "t1")).to_be_visible()
        await stage.venue.open_up("t2")
        await expect(tile(page, "t2")).to_contain_text("In play")
        await expect(tile(page, "t2").locator("a")).to_have_attribute("href", "/table/t2")


async def test_a_clock_counts_down_and_stops_at_0_when_over(stage: Stage) -> None:
    async with stage.visitor() as page:
        await page.goto(stage.address)
        digits = tile(page, "t1").locator('[data-clock="clock"]')
        now = stage.venue.uptime_ms
        await stage.venue.show(scenery.timers("t1", now, seat_2=scenery.running(90_000, 90_000)))
        await expect(digits).to_have_text(re.compile(r"^[3-9]\d$"))
        earlier = await digits.inner_text()
        await expect(digits).not_to_have_text(earlier)
        assert int(await digits.inner_text()) < int(earlier)
        await stage.venue.show(scenery.timers("t1", now, seat_2=scenery.reached()))
        await expect(digits).to_have_text("0")
        await expect(tile(page, "t1")).to_contain_text("over the limit")


async def test_a_clock_never_shows_less_than_the_node_has(stage: Stage) -> None:
    started = stage.venue.uptime_ms
    await stage.venue.show(scenery.timers("t1", started, seat_2=scenery.running(60_000, 60_000)))
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/table/t1")
        digits = page.locator('[data-key="seat:2"] [data-clock="clock"]')
        await expect(digits).not_to_have_text("60")
        for _ in range(20):
            shown = int(await digits.inner_text())
            left_ms = 60_000 - (stage.venue.uptime_ms - started)
            assert shown >= -(-left_ms // 1000)


async def test_a_node_that_goes_offline_leaves_its_tables_stale_without_clocks(
    stage: Stage,
) -> None:
    async with stage.visitor() as page:
        await page.goto(stage.address)
        await stage.venue.publish(
            ROOT.node_availability(NODE), scenery.node_availability("offline")
        )
        await expect(tile(page, "t1")).to_contain_text("No news from its node")
        await expect(tile(page, "t1").locator('[data-clock="clock"]')).to_have_text("\N{EN DASH}")
        await expect(page.locator(f'[data-key="node:{NODE}"]')).to_contain_text("offline")


async def test_a_broker_that_is_killed_is_told_and_its_return_too(stage: Stage) -> None:
    async with stage.visitor() as page:
        await page.goto(stage.address)
        alarm = page.locator(".alarm.no-broker")
        await expect(page.locator("body")).to_have_attribute("data-live", "on")
        await expect(alarm).to_be_hidden()
        stage.broker.kill()
        await expect(alarm).to_be_visible()
        await expect(alarm).to_contain_text("The board has lost the broker")
        stage.broker.start()
        await expect(alarm).to_be_hidden()


async def test_a_hostile_name_is_shown_as_text(stage: Stage) -> None:
    async with stage.visitor() as page:
        await page.goto(stage.address)
        await stage.venue.show(scenery.table_meta("t1", HOSTILE))
        name = tile(page, "t1").locator('[data-slot="name"]')
        await expect(name).to_have_text(HOSTILE)
        await page.reload()
        await expect(name).to_have_text(HOSTILE)
        await expect(page).to_have_title("Hall · Hall One")
        await expect(page.locator("main img")).to_have_count(0)


async def test_a_phone_shows_every_page_without_scrolling_sideways(stage: Stage) -> None:
    await stage.venue.show(
        scenery.table_meta("t1", "The table beside the long window at the back"),
        scenery.table_availability("t1", "degraded", "The clock of the table drifts too much."),
        scenery.alert("t1", 1, player="a-player-with-a-name-that-does-not-want-to-end-at-all"),
        scenery.ledger("t1", scenery.line("t1", 9, scenery.minus(5), reason="Seen by the referee")),
    )
    async with stage.visitor(PHONE) as page:
        for path in ("/", "/table/t1", "/referee", "/referee#a-t1-s1-h3-f1"):
            await page.goto(stage.address + path)
            await expect(page.locator("body")).to_have_attribute("data-live", "on")
            width = await page.evaluate("document.documentElement.scrollWidth")
            assert width == PHONE[0], path


async def test_a_table_that_nobody_reported_is_said_to_be_absent(stage: Stage) -> None:
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/table/t77")
        await expect(page.locator("main")).to_contain_text("No table t77 has reported here.")
    stage.complaints.clear()
