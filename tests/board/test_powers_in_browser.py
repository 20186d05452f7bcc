"""Everything a referee can order beside a plain ruling, from press to command."""

import pytest
from playwright.async_api import Locator, Page, expect

from table.sanctions import SanctionKind
from table.seat import Seat
from tests.board import scenery
from tests.board.conftest import PHONE, Stage
from tests.board.scenery import NODE
from tests.board.test_table_in_browser import ordered

pytestmark = pytest.mark.asyncio(loop_scope="session")
FIRST = scenery.alert("t1", 1)


async def live(page: Page, stage: Stage, path: str) -> None:
    await page.goto(stage.address + path)
    await expect(page.locator("body")).to_have_attribute("data-live", "on")


async def answered(page: Page, name: str) -> Locator:
    """Return the dialog of that name, once it is open."""
    dialog = page.locator(f"#ask-{name}")
    await expect(dialog).to_be_visible()
    return dialog


async def test_the_last_decision_is_undone_after_a_reload_and_a_restart_of_the_board(
    stage: Stage,
) -> None:
    waived = scenery.waived("t1", 1, "Referee East", revision=4)
    await stage.venue.show(scenery.ledger("t1", closed=(waived,)))
    async with stage.visitor(PHONE) as page:
        await live(page, stage, "/referee")
        await stage.board.stop()
        await expect(page.locator(".alarm.no-board")).to_be_visible()
        stage.board.start()
        await expect(page.locator("body")).to_have_attribute("data-live", "on")
        await page.reload()
        mine = page.locator(f'[data-key="mine:{waived.alert}"]')
        await expect(mine).to_contain_text("Your last decision No sanction suzuki-1")
        await mine.get_by_role("button", name="Undo").click()
        verb, table, command = await ordered(stage)
        assert (verb, table, command.precondition.revision) == ("undo", "t1", 4)
        assert command.arguments == {"alert": waived.alert}
    stage.complaints.clear()


async def test_the_referee_who_ruled_can_undo_it_where_it_was_ruled(stage: Stage) -> None:
    await stage.venue.show(FIRST)
    async with stage.visitor(PHONE, person="Referee%20West") as page:
        await live(page, stage, f"/referee#a-{FIRST.alert}")
        line = scenery.line("t1", 1, scenery.WARNING, revision=3)
        await stage.venue.show(scenery.ledger("t1", line))
        await stage.venue.settle(FIRST)
        await page.locator("#sheet").get_by_role("button", name="Undo my decision").click()
        verb, _, command = await ordered(stage)
        assert (verb, command.precondition.revision) == ("undo", 3)


async def test_what_nobody_objected_to_is_taken_up_for_the_seat_that_objects(stage: Stage) -> None:
    await stage.venue.show(scenery.alert("t1", 1, status="unclaimed", revision=2))
    async with stage.visitor(PHONE) as page:
        await live(page, stage, "/referee")
        await expect(page.locator(".waiting header .count")).to_have_text("0")
        await page.locator("summary").click()
        await page.get_by_role("button", name="Take up…").click()
        dialog = await answered(page, "take-up")
        await dialog.get_by_role("radio", name="Seat 4 · novak-4").check()
        await dialog.get_by_role("button", name="Take it up").click()
        verb, _, command = await ordered(stage)
        assert (verb, command.precondition.revision) == ("take-up", 2)
        assert command.arguments == {"alert": FIRST.alert, "objector": 4}


async def test_points_for_the_player_who_was_harmed_need_that_player(stage: Stage) -> None:
    choice = scenery.minus(0).model_copy(update={"kind": SanctionKind.CHOICE})
    choices = ("warning", "20-player")
    await stage.venue.show(scenery.alert("t1", 1, proposal=choice, choices=choices))
    async with stage.visitor(PHONE) as page:
        await live(page, stage, f"/referee#a-{FIRST.alert}")
        sheet = page.locator("#sheet")
        confirm = sheet.get_by_role("button", name="Confirm")
        await expect(confirm).to_have_attribute("aria-disabled", "true")
        await sheet.get_by_role("button", name="Other sanction…").click()
        dialog = await answered(page, "modify")
        payee = dialog.get_by_role("radio", name="Seat 2 · suzuki-1")
        await dialog.get_by_role("radio", name="Warning").check()
        await expect(payee).to_be_hidden()
        await dialog.get_by_role("radio", name="20 points to the player").check()
        await dialog.get_by_role("radio", name="Seen by the referee").check()
        await dialog.get_by_role("button", name="Rule so").click()
        await expect(dialog).to_be_visible()
        await payee.check()
        await dialog.get_by_role("button", name="Rule so").click()
        verb, _, command = await ordered(stage)
        assert verb == "modify"
        sanction = {"kind": "pay-player", "points": 20, "measures": [], "to": "suzuki-1"}
        assert command.arguments["sanction"] == sanction


async def test_an_alert_is_handed_to_the_chief_referee_and_noted_upon(stage: Stage) -> None:
    await stage.venue.show(FIRST)
    async with stage.visitor(PHONE) as page:
        await live(page, stage, f"/referee#a-{FIRST.alert}")
        await page.get_by_role("button", name="To the chief…").click()
        dialog = await answered(page, "escalate")
        await dialog.get_by_role("radio", name="The players disagree").check()
        await dialog.get_by_role("button", name="Hand over").click()
        verb, _, command = await ordered(stage)
        assert (verb, command.arguments["reason"]) == ("escalate", "The players disagree")
        await page.get_by_role("button", name="Note…").click()
        dialog = await answered(page, "add-note")
        await dialog.get_by_label("Words").fill("Asked both players")
        await dialog.get_by_role("button", name="Keep the note").click()
        verb, _, command = await ordered(stage)
        assert (verb, command.arguments["text"]) == ("add-note", "Asked both players")


async def test_a_foul_that_no_table_senses_is_entered_from_the_page_of_its_table(
    stage: Stage,
) -> None:
    await stage.venue.open_up("t2")
    async with stage.visitor(PHONE) as page:
        await live(page, stage, "/referee#enter-t2")
        dialog = await answered(page, "enter-foul")
        await expect(dialog.get_by_label("Table")).to_have_value("t2")
        await dialog.get_by_role("radio", name="Seat 1").check()
        await dialog.get_by_label("Search the fouls of this book").fill("phone")
        await expect(dialog.get_by_role("radio", name="False hu")).to_be_hidden()
        await dialog.get_by_role("radio", name="Phone rang").check()
        await dialog.get_by_label("Remark, if any").fill("Second time")
        await dialog.get_by_role("button", name="Enter it").click()
        verb, table, command = await ordered(stage)
        assert (verb, table, command.precondition.hand) == ("enter-foul", "t2", "t2-s1-h3")
        assert command.arguments == {"kind": "phone-rang", "seat": 1, "remark": "Second time"}


async def test_the_zones_that_were_picked_come_first_and_are_remembered(stage: Stage) -> None:
    await stage.venue.open_up("t2")
    await stage.venue.show(
        scenery.table_meta("t1", "Table 1", zone="a"),
        scenery.table_meta("t2", "Table 2", zone="b"),
        FIRST,
        scenery.alert("t2", 2),
    )
    async with stage.visitor(PHONE) as page:
        await live(page, stage, "/referee")
        rows = page.locator('[data-list="alert"] > li')
        await expect(rows).to_have_count(2)
        await page.reload()
        await expect(rows.first).to_contain_text("Table 1")
        await page.get_by_role("button", name="Zones: All zones").click()
        await page.get_by_role("checkbox", name="Zone b").check()
        await page.get_by_role("button", name="Use these zones").click()
        await expect(page.get_by_role("button", name="Zones: b")).to_be_visible()
        await page.get_by_role("button", name="Sort and clear").click()
        await expect(rows.first).to_contain_text("Table 2")
        await page.reload()
        await expect(rows.first).to_contain_text("Table 2")


async def test_all_tables_are_paused_at_once_after_a_question(stage: Stage) -> None:
    async with stage.visitor(PHONE) as page:
        await live(page, stage, "/")
        await page.get_by_role("button", name="Pause all tables…").click()
        dialog = await answered(page, "pause-all")
        await dialog.get_by_role("radio", name="Emergency").check()
        await dialog.get_by_role("button", name="Pause all").click()
        verb, node, command = await ordered(stage)
        assert (verb, node, command.arguments) == ("pause", NODE, {"reason": "Emergency"})
        await expect(page.locator("#answer")).to_contain_text("Pause all tables: done")
        await page.get_by_role("button", name="Resume all…").click()
        dialog = await answered(page, "resume-all")
        await dialog.get_by_role("button", name="Resume all").click()
        assert (await ordered(stage))[:2] == ("resume", NODE)


async def test_of_several_hu_only_those_that_stay_ticked_are_confirmed(stage: Stage) -> None:
    several = {"verifying": 1, "declared": (1, 4), "hu_winners": (4, 1)}
    await stage.venue.show(scenery.snapshot("t1", hand_phase="verifying", **several))
    async with stage.visitor(PHONE) as page:
        await live(page, stage, "/table/t1")
        await page.get_by_role("button", name="Confirm hu…").click()
        dialog = await answered(page, "confirm-hu")
        winners = dialog.get_by_role("checkbox")
        await winners.nth(0).uncheck()
        await winners.nth(1).uncheck()
        await dialog.get_by_role("button", name="Confirm").click()
        await expect(dialog).to_be_visible()
        await dialog.get_by_role("checkbox", name="Seat 1 · chen-3").check()
        await dialog.get_by_role("button", name="Confirm").click()
        verb, _, command = await ordered(stage)
        assert (verb, command.arguments) == ("confirm-hu", {"seats": [1]})


async def test_a_pause_ends_with_what_was_left_where_the_referee_wants_it(stage: Stage) -> None:
    await stage.venue.show(scenery.snapshot("t1", hand_phase="paused"))
    async with stage.visitor(PHONE) as page:
        await live(page, stage, "/table/t1")
        await page.get_by_role("button", name="Resume, time that was left").click()
        verb, _, command = await ordered(stage)
        assert (verb, command.arguments) == ("resume", {"remaining": True})


@pytest.mark.parametrize(
    ("button", "picks", "fills", "sent"),
    [
        (
            "Give time…",
            ("15 s", "The player was disturbed"),
            "",
            {"seconds": 15, "reason": "The player was disturbed"},
        ),
        (
            "Set turn…",
            ("Seat 4", "The presses were out of order"),
            "",
            {"seat": 4, "reason": "The presses were out of order"},
        ),
        (
            "Stand-in…",
            ("Seat 1", "The player is out"),
            "lee-9",
            {"seat": 1, "player": "lee-9", "reason": "The player is out"},
        ),
        ("Enter dice…", ("second",), "", {"throw": 2, "values": [3, 6]}),
    ],
)
async def test_a_power_of_the_referee_goes_out_as_it_was_filled_in(
    stage: Stage, button: str, picks: tuple[str, ...], fills: str, sent: dict[str, object]
) -> None:
    out = {Seat.ONE: {"no_hu": True, "no_calls": True, "mechanical": True, "out": True}}
    await stage.venue.show(scenery.snapshot("t1", restrictions=out))
    async with stage.visitor(PHONE) as page:
        await live(page, stage, "/table/t1")
        await page.get_by_role("button", name=button).click()
        dialog = page.locator("dialog[open]")
        for pick in picks:
            await dialog.get_by_role("radio", name=pick).check()
        if fills:
            await dialog.get_by_label("Name of the stand-in").fill(fills)
        if "values" in sent:
            await dialog.get_by_role("group", name="One die").get_by_label("3").check()
            await dialog.get_by_role("group", name="Other die").get_by_label("6").check()
        await dialog.locator("button[type=submit]").click()
        assert (await ordered(stage))[2].arguments == sent
