"""The referee's page in a real browser: nothing moves under the thumb, rulings are commands."""

import re

import pytest
from playwright.async_api import FloatRect, Locator, Page, expect

from scoring.alert import AlertStatus, Ruling
from scoring.effects import RulingMade
from table.sanctions import WARNING
from table.seat import Seat
from tests.board import scenery
from tests.board.conftest import DESK, PHONE, Stage
from tests.board.test_table_in_browser import ordered
from tests.board.venue import venue_on

pytestmark = pytest.mark.asyncio(loop_scope="session")
FIRST = scenery.alert("t1", 1)
HOSTILE = "<script>document.title='owned'</script>"


async def opened(page: Page, stage: Stage) -> Locator:
    """Open the first alert and return its sheet."""
    await page.goto(f"{stage.address}/referee")
    await page.locator(f'[data-key="alert:{FIRST.alert}"] a').first.click()
    sheet = page.locator("#sheet")
    await expect(sheet.locator(".case-took")).to_contain_text(
        "Discard took between 10.009 s and 10.011 s, limit 10 s"
    )
    return sheet


async def places(sheet: Locator) -> list[FloatRect | None]:
    return [await button.bounding_box() for button in await sheet.locator("button").all()]


@pytest.mark.parametrize("size", [DESK, PHONE])
async def test_an_opened_alert_does_not_move_when_others_arrive(
    stage: Stage, size: tuple[int, int]
) -> None:
    await stage.venue.show(FIRST)
    async with stage.visitor(size) as page:
        sheet = await opened(page, stage)
        before = await places(sheet)
        await stage.venue.show(
            *(scenery.alert("t1", number) for number in range(2, 9)),
            scenery.snapshot("t1", calls=(scenery.waits(Seat.FOUR, 61),)),
            scenery.timers("t1", stage.venue.uptime_ms, seat_2=scenery.reached()),
        )
        await expect(page.locator("#next .count")).to_have_text("7")
        await expect(sheet.locator(".case-took")).to_contain_text(
            "Discard took between 10.009 s and 10.011 s, limit 10 s"
        )
        assert await places(sheet) == before


async def test_rows_stay_in_place_when_one_above_is_settled(stage: Stage) -> None:
    second = scenery.alert("t1", 2)
    await stage.venue.show(FIRST, second)
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/referee")
        row = page.locator(f'[data-key="alert:{second.alert}"]')
        before = await row.bounding_box()
        await stage.venue.settle(FIRST)
        settled = page.locator(f'[data-key="alert:{FIRST.alert}"]')
        await expect(settled).to_contain_text("Settled elsewhere")
        assert await row.bounding_box() == before
        await page.get_by_role("button", name="Sort and clear (1)").click()
        await expect(settled).to_have_count(0)


async def test_the_sheet_of_an_alert_that_another_referee_settles_says_so_and_stays(
    stage: Stage,
) -> None:
    await stage.venue.show(FIRST)
    async with stage.visitor(PHONE) as page:
        sheet = await opened(page, stage)
        before = await places(sheet)
        waived = scenery.ruled(FIRST, AlertStatus.WAIVED, Ruling("Referee West", None, "Seen"))
        await stage.venue.show(scenery.event("t1", 60, RulingMade(waived)))
        await stage.venue.settle(FIRST)
        await expect(sheet).to_contain_text("No sanction by Referee West: Seen")
        assert await places(sheet) == before
        confirm = sheet.get_by_role("button", name="Confirm")
        await expect(confirm).to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize(("button", "verb"), [("Take it", "acknowledge"), ("Confirm", "confirm")])
async def test_one_press_takes_or_confirms(stage: Stage, button: str, verb: str) -> None:
    await stage.venue.show(FIRST)
    async with stage.visitor(PHONE) as page:
        sheet = await opened(page, stage)
        await sheet.get_by_role("button", name=button).click()
        sent, table, command = await ordered(stage)
        assert (sent, table, command.person) == (verb, "t1", "Referee East")
        assert command.precondition.revision == 1
        assert command.arguments == {"alert": FIRST.alert}


async def test_modify_sends_the_sanction_and_the_reason(stage: Stage) -> None:
    await stage.venue.show(FIRST)
    async with stage.visitor(PHONE) as page:
        sheet = await opened(page, stage)
        await sheet.get_by_role("button", name="Other sanction…").click()
        dialog = page.locator("#ask-modify")
        await dialog.get_by_role("radio", name="\N{MINUS SIGN}20 points").check()
        await dialog.get_by_role("radio", name="Repeated in this session").check()
        await dialog.get_by_role("button", name="Rule so").click()
        verb, _, command = await ordered(stage)
        assert verb == "modify"
        assert command.arguments == {
            "alert": FIRST.alert,
            "reason": "Repeated in this session",
            "sanction": {"kind": "points", "points": 20, "measures": [], "to": ""},
        }


async def test_waive_needs_a_reason(stage: Stage) -> None:
    await stage.venue.show(FIRST)
    async with stage.visitor() as page:
        sheet = await opened(page, stage)
        await sheet.get_by_role("button", name="No sanction…").click()
        dialog = page.locator("#ask-waive")
        await dialog.get_by_role("button", name="Rule no sanction").click()
        await expect(dialog).to_be_visible()
        await dialog.get_by_role("radio", name="Discarded in time, pressed late").check()
        await dialog.get_by_role("button", name="Rule no sanction").click()
        verb, _, command = await ordered(stage)
        assert (verb, command.arguments["reason"]) == ("waive", "Discarded in time, pressed late")


async def test_a_ruling_that_comes_too_late_shows_what_was_decided(stage: Stage) -> None:
    stage.venue.reply = {
        "status": "rejected",
        "code": "stale",
        "reason": "Referee West waived it: seen from here.",
    }
    await stage.venue.show(FIRST)
    async with stage.visitor() as page:
        sheet = await opened(page, stage)
        await sheet.get_by_role("button", name="Confirm").click()
        answer = page.locator("#answer")
        await expect(answer).to_contain_text("Confirm: too late, it has changed")
        await expect(answer).to_contain_text("Referee West waived it: seen from here.")


async def test_an_alert_taken_by_another_referee_shows_who_and_how_long(stage: Stage) -> None:
    taken = {
        "status": AlertStatus.ACKNOWLEDGED,
        "holder": "Referee West",
        "revision": 2,
        "lease_ends_ms": stage.venue.uptime_ms + 45_000,
    }
    await stage.venue.show(scenery.alert("t1", 1, **taken))
    async with stage.visitor() as page:
        sheet = await opened(page, stage)
        await expect(sheet).to_contain_text("Taken by Referee West")
        await expect(sheet.locator('[data-clock="lease"]')).to_have_text(re.compile("^4[0-5]$"))


async def test_a_ruling_that_stands_can_be_reversed(stage: Stage) -> None:
    line = scenery.line("t1", 9, scenery.minus(5), revision=4)
    await stage.venue.show(scenery.ledger("t1", line))
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/referee")
        ruling = page.locator(f'[data-key="ruling:{line.alert}"]')
        await expect(ruling).to_contain_text("\N{MINUS SIGN}5 points")
        await ruling.get_by_role("button", name="Reverse…").click()
        dialog = page.locator("#ask-reverse")
        await dialog.get_by_role("radio", name="Ruled by mistake").check()
        await dialog.get_by_role("button", name="Reverse", exact=True).click()
        verb, _, command = await ordered(stage)
        assert (verb, command.precondition.revision) == ("reverse", 4)
        assert command.arguments == {"alert": line.alert, "reason": "Ruled by mistake"}


async def test_an_alert_settled_before_the_page_was_opened_is_not_listed(stage: Stage) -> None:
    await stage.venue.show(FIRST, scenery.alert("t1", 2))
    await stage.venue.settle(FIRST)
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/referee")
        await expect(page.locator("body")).to_have_attribute("data-live", "on")
        await expect(page.locator('[data-list="alert"] > li')).to_have_count(1)


async def test_a_seat_that_calls_is_shown_until_somebody_goes_whatever_restarts(
    stage: Stage,
) -> None:
    called = {"calls": (scenery.waits(Seat.FOUR, 61),)}
    async with stage.visitor(PHONE) as page:
        await page.goto(f"{stage.address}/referee")
        await expect(page.locator("body")).to_have_attribute("data-live", "on")
        await stage.venue.show(scenery.snapshot("t1", **called))
        call = page.locator('[data-key="call:t1-4"]')
        await expect(call).to_contain_text("Table 1 Seat 4 calls")
        await stage.board.stop()
        stage.board.start()
        await expect(page.locator("body")).to_have_attribute("data-live", "no-board")
        await expect(page.locator("body")).to_have_attribute("data-live", "on")
        await call.get_by_role("button", name="On my way").click()
        verb, table, command = await ordered(stage)
        assert (verb, table, command.person) == ("answer-call", "t1", "Referee East")
        assert command.arguments == {"seat": 4}
        await expect(page.locator("#answer")).to_contain_text("Answer the call: done")
        await stage.venue.show(scenery.snapshot("t1"))
        await expect(call).to_have_count(0)
    stage.complaints.clear()


async def test_hostile_words_in_an_alert_are_shown_as_text(stage: Stage) -> None:
    hostile = scenery.alert("t1", 1, player=HOSTILE, limit_rule=HOSTILE)
    line = scenery.line("t1", 9, scenery.WARNING, person=HOSTILE, reason=HOSTILE)
    await stage.venue.show(hostile, scenery.ledger("t1", line))
    async with stage.visitor() as page:
        sheet = await opened(page, stage)
        await expect(sheet.locator(".case-player")).to_have_text(HOSTILE)
        await page.reload()
        await expect(page.locator(".decided")).to_contain_text(HOSTILE)
        await expect(page).to_have_title("Referee · Hall One")


async def test_a_warning_that_was_confirmed_moves_to_the_rulings(stage: Stage) -> None:
    await stage.venue.show(FIRST)
    async with stage.visitor() as page:
        sheet = await opened(page, stage)
        confirmed = scenery.ruled(FIRST, AlertStatus.CONFIRMED, Ruling("Referee East", WARNING, ""))
        line = scenery.line("t1", 1, scenery.WARNING, person="Referee East", player=FIRST.player)
        await stage.venue.show(
            scenery.event("t1", 60, RulingMade(confirmed)), scenery.ledger("t1", line)
        )
        await stage.venue.settle(FIRST)
        await expect(sheet).to_contain_text("Confirmed (Warning) by Referee East")
        await sheet.get_by_role("link", name="Back to the list").click()
        await expect(page.locator(f'[data-key="alert:{FIRST.alert}"]')).to_have_count(0)
        await expect(page.locator(f'[data-key="ruling:{FIRST.alert}"]')).to_contain_text("Warning")


async def test_an_alert_settled_while_the_broker_was_away_is_settled_here_too(
    stage: Stage,
) -> None:
    kept, gone = FIRST, scenery.alert("t1", 2)
    await stage.venue.show(kept, gone)
    async with stage.visitor() as page:
        await page.goto(f"{stage.address}/referee")
        row = page.locator(f'[data-key="alert:{gone.alert}"]')
        await expect(row).to_contain_text("Open")
        stage.broker.kill()
        (stage.broker.directory / "mosquitto.db").unlink(missing_ok=True)
        stage.broker.start()
        async with venue_on(stage.broker.line("venue-again")) as again:
            await again.open_up("t1")
            await again.show(kept)
            await expect(row).to_contain_text("Settled elsewhere")
            other = page.locator(f'[data-key="alert:{kept.alert}"]')
            await expect(other).to_contain_text("Open")
