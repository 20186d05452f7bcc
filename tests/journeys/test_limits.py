"""A hand with presses ten milliseconds on either side of the limits, from wire to referee."""

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from controller.processes import program
from scoring.effects import AlertRaised
from tests.harness.broker import mosquitto
from tests.journeys.hall import Hall, digits, hall_in
from tests.journeys.referee_page import confirm, pick_name, referee_page
from tests.journeys.scoreboard import Scoreboard, scoreboard

pytestmark = pytest.mark.journey
SCRIPT = Path(__file__).with_name("limits.hand")
LIMIT_US = 10_000_000


async def waive(page: Page, alert: str) -> None:
    await page.click(f'[data-key="alert:{alert}"] a')
    await page.click('#sheet [data-ask="ask-waive"]')
    await page.click("#ask-waive fieldset label:first-of-type")
    await page.click("#ask-waive button[type=submit]")


async def test_a_hand_from_wire_to_referee(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        hall = hall_in(tmp_path, broker)
        async with (
            scoreboard(broker) as seen,
            program("board", hall.board()) as board,
            program("daemon", hall.daemon()),
        ):
            await board.line_with("board http")
            async with (
                referee_page(hall) as page,
                program("simulator", hall.simulator(SCRIPT)),
            ):
                await pick_name(page)
                await referee_rules(page, seen)
                await third_alert_proposes_five_points(page, seen)
        await asyncio.to_thread(everywhere_the_same, hall, seen)


async def referee_rules(page: Page, seen: Scoreboard) -> None:
    await seen.until(lambda: len(seen.of("alert-raised")) == 2)
    overrun, late = (event.data["alert"] for event in seen.of("alert-raised"))
    assert (overrun["foul"]["kind"], overrun["foul"]["seat"]) == ("discard-over-limit", 3)
    assert overrun["foul"]["measured"] == {"least_us": 10_009_000, "most_us": 10_011_000}
    assert (late["foul"]["kind"], late["foul"]["seat"]) == ("late-pung", 4)
    assert late["foul"]["measured"] == {"least_us": 3_009_000, "most_us": 3_011_000}
    await page.click(f'[data-key="alert:{overrun["foul"]["id"]}"] a')
    took = await page.locator('#sheet [data-slot="took"]').inner_text()
    assert {"10.009", "10.011", "10"} <= set(digits(took))
    await confirm(page, late["foul"]["id"])
    await waive(page, overrun["foul"]["id"])
    await seen.until(lambda: len(seen.of("ruling-made")) == 2)
    confirmed, waived = (event.data["alert"] for event in seen.of("ruling-made"))
    assert (confirmed["foul"]["id"], confirmed["status"]) == (late["foul"]["id"], "confirmed")
    assert (waived["foul"]["id"], waived["status"]) == (overrun["foul"]["id"], "waived")
    assert confirmed["rulings"][0]["person"] == "Referee A"


async def third_alert_proposes_five_points(page: Page, seen: Scoreboard) -> None:
    """The second late pung of one player in one hand costs 5 (mcr-2014 art. 11, 违例 5)."""
    await seen.until(lambda: len(seen.of("alert-raised")) == 3)
    again = seen.of("alert-raised")[2].data["alert"]
    assert (again["player"], again["step"]) == ("t1-4", 2)
    assert (again["proposal"]["kind"], again["proposal"]["points"]) == ("points", 5)
    row = page.locator(f'[data-key="alert:{again["foul"]["id"]}"]')
    await expect(row.locator('[data-slot="proposal"]')).to_contain_text("5")


def everywhere_the_same(hall: Hall, seen: Scoreboard) -> None:
    assert len(seen.of("foul-seen")) == 3
    recorded = [effect.alert.id for _, effect in hall.effects() if isinstance(effect, AlertRaised)]
    assert recorded == [event.data["alert"]["foul"]["id"] for event in seen.of("alert-raised")]
    assert hall.journal.verify() is None
    buzzer_sounds_at_the_limit_and_never_before(hall)


def buzzer_sounds_at_the_limit_and_never_before(hall: Hall) -> None:
    """The box receives the tone 10 s after the draw at the earliest, by its own clock."""
    log = hall.log()
    (tone,) = (line for line in log if line.get("command") == "buzzer")
    before = log[: log.index(tone)]
    drawn = [line for line in before if line.get("sensed") == "tile-drawn"][-1]
    assert tone["seat"] == drawn["seat"] == 3
    assert tone["device_us"] - drawn["device_us"] >= LIMIT_US
    assert tone["length_ms"] <= 300
