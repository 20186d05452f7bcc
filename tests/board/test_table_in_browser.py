"""The page of a table in a real browser: clocks, notices, and orders as commands."""

import asyncio

import pytest
from playwright.async_api import expect

from mqtt.orders import CommandPayload, PreconditionFields
from table.seat import Seat
from tests.board import scenery
from tests.board.conftest import Stage
from timing.effects import HuAnnounced
from timing.machine_effects import DiceThrown

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def ordered(stage: Stage) -> tuple[str, str, CommandPayload]:
    """Return the next command that the node heard."""
    async with asyncio.timeout(15):
        return await stage.venue.heard.get()


async def test_four_clocks_stand_around_the_table(stage: Stage) -> None:
    now = stage.venue.uptime_ms
    await stage.venue.show(
        scenery.snapshot("t1", window_open=True, discarder=1, dice=(3, 5)),
        scenery.timers(
            "t1", now, window=scenery.running(60_000, 60_000, "window"), seat_2=scenery.reached()
        ),
    )
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/table/t1")
        for number, wind in ((1, "North"), (2, "East"), (3, "South"), (4, "West")):
            await expect(page.locator(f'[data-key="seat:{number}"]')).to_contain_text(wind)
        seat = page.locator('[data-key="seat:2"]')
        await expect(seat.locator('[data-clock="clock"]')).to_have_text("0")
        await expect(seat).to_contain_text("over the limit")
        await expect(page.locator(".middle")).to_contain_text(
            "Pung or kong on the discard of seat 1"
        )
        await expect(page.locator(".middle")).to_contain_text("Dice 3 + 5")
        await expect(page.locator('[data-key="notice:over-2"]')).to_be_visible()


async def test_what_happened_is_told_newest_first(stage: Stage) -> None:
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/table/t1")
        await stage.venue.show(scenery.event("t1", 51, DiceThrown((2, 6))))
        await stage.venue.show(scenery.event("t1", 52, HuAnnounced(Seat.FOUR)))
        lines = page.locator(".events li")
        await expect(lines).to_have_count(2)
        await expect(lines.first).to_contain_text("Seat 4 declared hu")
        await expect(lines.last).to_contain_text("Dice: 2 + 6")


async def test_pause_goes_out_for_the_hand_that_was_shown(stage: Stage) -> None:
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/table/t1")
        await expect(page.locator("body")).to_have_attribute("data-live", "on")
        await page.get_by_role("button", name="Pause").click()
        verb, table, command = await ordered(stage)
        assert (verb, table, command.person) == ("pause", "t1", "Referee East")
        assert command.precondition == PreconditionFields(hand="t1-s1-h3")
        await expect(page.locator("#answer")).to_contain_text("Pause: done")


async def test_stop_is_always_taken(stage: Stage) -> None:
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/table/t1")
        await expect(page.locator("body")).to_have_attribute("data-live", "on")
        await page.get_by_role("button", name="Stop machine").click()
        assert (await ordered(stage))[0] == "stop"


async def test_a_motor_order_names_the_machine_state_that_was_shown(stage: Stage) -> None:
    await stage.venue.show(scenery.snapshot("t1", machine_phase="empty", hand_phase="over"))
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/table/t1")
        shuffle = page.get_by_role("button", name="Shuffle")
        await expect(shuffle).to_have_attribute("aria-disabled", "false")
        await shuffle.click()
        verb, _, command = await ordered(stage)
        assert (verb, command.precondition.machine_seq) == ("shuffle", 7)


async def test_an_order_that_does_not_fit_is_not_sent_and_says_so(stage: Stage) -> None:
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/table/t1")
        await page.get_by_role("button", name="Resume", exact=True).click(force=True)
        await expect(page.locator("#answer")).to_contain_text("Resume: not now")
    assert stage.venue.heard.empty()


async def test_a_hand_is_voided_only_with_a_reason(stage: Stage) -> None:
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/table/t1")
        await expect(page.locator("body")).to_have_attribute("data-live", "on")
        await page.get_by_role("button", name="Void hand…").click()
        dialog = page.locator("#ask-void-hand")
        await dialog.get_by_role("button", name="Void the hand").click()
        await expect(dialog).to_be_visible()
        await dialog.get_by_label("Another reason, or more words").fill("Tiles fell off the table")
        await dialog.get_by_role("button", name="Void the hand").click()
        verb, _, command = await ordered(stage)
        assert (verb, command.arguments) == ("void-hand", {"reason": "Tiles fell off the table"})


async def test_a_refusal_is_shown_with_its_reason(stage: Stage) -> None:
    stage.venue.reply = {
        "status": "rejected",
        "code": "wrong-phase",
        "reason": "No hand is running at table t1.",
    }
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/table/t1")
        await expect(page.locator("body")).to_have_attribute("data-live", "on")
        await page.get_by_role("button", name="Pause").click()
        answer = page.locator("#answer")
        await expect(answer).to_contain_text("Pause: refused")
        await expect(answer).to_contain_text("No hand is running at table t1.")


async def test_silence_is_told_after_3_seconds(stage: Stage) -> None:
    stage.venue.reply = None
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/table/t1")
        await expect(page.locator("body")).to_have_attribute("data-live", "on")
        await page.get_by_role("button", name="Pause").click()
        await expect(page.locator("#answer")).to_contain_text("Pause: no answer within 3 s")


async def test_nothing_is_ordered_without_a_name(stage: Stage) -> None:
    async with stage.visitor(person="") as page:
        await page.goto(f"{stage.address}/table/t1")
        await expect(page.locator("body")).to_have_attribute("data-live", "on")
        await page.get_by_role("button", name="Pause").click()
        dialog = page.locator("#pick-person")
        await expect(dialog).to_be_visible()
        assert stage.venue.heard.empty()
        await dialog.get_by_role("radio", name="Referee West").check()
        await dialog.get_by_role("button", name="Use this name").click()
        await expect(page.locator("#person")).to_contain_text("Referee West")
        await expect(page.locator("#person")).to_contain_text("unverified")
        await page.get_by_role("button", name="Pause").click()
        assert (await ordered(stage))[2].person == "Referee West"


async def test_a_page_survives_a_restart_of_the_board(stage: Stage) -> None:
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/table/t1")
        await expect(page.locator("body")).to_have_attribute("data-live", "on")
        await stage.board.stop()
        await expect(page.locator(".alarm.no-board")).to_be_visible()
        stage.board.start()
        await expect(page.locator("body")).to_have_attribute("data-live", "on")
        await stage.venue.show(scenery.snapshot("t1", hand_phase="arranging"))
        await expect(page.locator(".middle")).to_contain_text("Arranging")
        await page.get_by_role("button", name="Deal ended").click()
        assert (await ordered(stage))[0] == "end-deal"
    stage.complaints.clear()


async def test_a_person_says_where_the_lift_is(stage: Stage) -> None:
    await stage.venue.show(
        scenery.snapshot(
            "t1", hand_phase="over", machine_phase="ready", machine_seq=9, lift="unknown"
        )
    )
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/table/t1")
        await expect(page.locator("body")).to_have_attribute("data-live", "on")
        await expect(page.get_by_text("Nobody knows where the lift is")).to_be_visible()
        await page.get_by_role("button", name="The lift is down").click()
        verb, _, command = await ordered(stage)
        assert (verb, command.arguments) == ("set-lift", {"position": "lowered"})
        assert command.precondition == PreconditionFields(machine_seq=9)


async def test_a_hand_begins_despite_a_fault_only_with_a_reason(stage: Stage) -> None:
    missing = {"fault": "tile-missing", "severity": 3, "unfair": "a tile may not be in the wall"}
    await stage.venue.show(
        scenery.snapshot(
            "t1",
            hand_phase="over",
            machine_phase="fault",
            faults=("tile-missing",),
            machine_faults=(missing,),
        )
    )
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/table/t1")
        await expect(page.locator("body")).to_have_attribute("data-live", "on")
        await expect(page.locator('[data-key="notice:unfair-tile-missing"]')).to_be_visible()
        await page.get_by_role("button", name="Start hand despite the fault").click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_role("radio", name="The tiles were counted").check()
        await dialog.get_by_role("button", name="Start the hand").click()
        verb, _, command = await ordered(stage)
        assert (verb, command.arguments) == ("start-hand", {"reason": "The tiles were counted"})
