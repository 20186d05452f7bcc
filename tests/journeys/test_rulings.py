"""Rulings as people live them: objections, dead hands, a halt of the hall, and slips undone."""

import asyncio
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from controller.processes import program
from mqtt.events import Audience, audience, kind_of
from mqtt.payloads_of_rulings import AlertPayload
from scoring.alert import AlertStatus
from table.seat import Seat
from tests.journeys.evening import Evening, evening
from tests.journeys.hall import Hall, digits, killed
from tests.journeys.referee_page import PERSON, ask, confirm
from tests.journeys.test_commands import run
from tests.journeys.verdict import told_whole
from timing.order_effects import Decreed

pytestmark = pytest.mark.journey


async def test_an_overrun_costs_ten_points_where_an_opponent_objects(tmp_path: Path) -> None:
    async with (
        evening(tmp_path, "wsom-2010", "overtime.hand", "unobjected.hand", speed=8) as hall,
        program("daemon", hall.hall.daemon()),
    ):
        await hall.seen.until(lambda: len(hall.seen.of("alert-recorded")) == 2)
        await nobody_is_disturbed(hall)
        await a_seat_calls_the_referee(hall)
        alert = await the_referee_takes_it_up(hall)
        await he_reads_what_it_rests_on(hall.page, alert)
        await confirm(hall.page, alert.alert)
        await hall.seen.until(lambda: len(hall.seen.of("ruling-made")) == 1)
        await ten_points_are_paid(hall, alert)
        await what_nobody_objects_to_is_gone_with_the_next_hand(hall)
        told_whole(hall.seen)
        await asyncio.to_thread(the_record_has_it_all, hall, alert)


async def nobody_is_disturbed(hall: Evening) -> None:
    """The overruns are recorded; no alert is raised, and who only watches is told nothing."""
    await hall.seen.until(lambda: len(hall.alerts) == 2)
    assert {alert.status for alert in hall.alerts} == {AlertStatus.UNCLAIMED}
    assert hall.seen.of("alert-raised") == []
    assert [hall.ledger(table).lines for table in ("t1", "t2")] == [(), ()]
    public = {
        kind_of(type(effect))
        for _, effect in hall.hall.effects()
        if audience(effect) is Audience.EVERYONE
    }
    names = [alert.alert for alert in hall.alerts]
    telling = {
        event.type.removeprefix("tablewarden.")
        for event in hall.seen.events.values()
        if any(name in event.model_dump_json() for name in names)
    }
    assert "alert-recorded" in telling
    assert not telling & public
    await expect(hall.page.locator(".waiting header .count")).to_have_text("0")
    await expect(hall.page.locator('[data-list="unclaimed"] > li')).to_have_count(2)


async def a_seat_calls_the_referee(hall: Evening) -> None:
    hall.play_on["t1"]()
    call = hall.page.locator('[data-list="call"] > li')
    await expect(call).to_contain_text("Table 1")
    await expect(call).to_contain_text("4")
    await call.get_by_role("button").click()
    await expect(call).to_have_count(0)


async def the_referee_takes_it_up(hall: Evening) -> AlertPayload:
    """Raise the overrun of table 1, because seat 4 objects."""
    (recorded,) = (alert for alert in hall.alerts if alert.table == "t1")
    page = hall.page
    await page.locator("summary").click()
    await page.click(f'[data-key="unclaimed:{recorded.alert}"] [data-ask="ask-take-up"]')
    await ask(page, "take-up", "Seat 4")
    await hall.seen.until(lambda: len(hall.seen.of("alert-raised")) == 1)
    await hall.seen.until(lambda: any(alert.objector for alert in hall.alerts))
    (raised,) = (alert for alert in hall.alerts if alert.table == "t1")
    assert (raised.alert, raised.status) == (recorded.alert, AlertStatus.OPEN)
    assert (raised.objector, raised.player) == (Seat.FOUR, "t1-2")
    return raised


async def he_reads_what_it_rests_on(page: Page, alert: AlertPayload) -> None:
    """Article, interval and records stand on the sheet in plain words."""
    await page.click(f'[data-key="alert:{alert.alert}"] a')
    sheet = page.locator("#sheet")
    took = await sheet.locator('[data-slot="took"]').inner_text()
    assert digits(took) == ["32.999", "33.001", "15"]
    await expect(sheet.locator('[data-slot="book"]')).to_have_text("wsom-2010 打牌时限 §2")
    await expect(sheet.locator('[data-slot="rule"]')).to_have_text("wsom-2010 打牌时限 §2")
    await expect(sheet.locator('[data-slot="over"]')).to_contain_text("17.999 s")
    await expect(sheet.locator('[data-slot="objector"]')).to_contain_text("Seat 4")
    await expect(sheet.locator('[data-verb="confirm"]')).to_contain_text("\N{MINUS SIGN}10")
    records = ", ".join(map(str, alert.records))
    await expect(sheet.locator('[data-slot="records"]')).to_have_text(records)


async def ten_points_are_paid(hall: Evening, alert: AlertPayload) -> None:
    """Two started 15 s cost twice 5 (wsom-2010 打牌时限 §2), and points go to nobody."""
    await hall.seen.until(lambda: bool(hall.ledger("t1").payments))
    ledger = hall.ledger("t1")
    (payment,) = ledger.payments
    assert (payment.payer, payment.payee, payment.points) == ("t1-2", None, 10)
    assert payment.alert == alert.alert
    assert ledger.totals == {"t1-2": -10}
    (line,) = ledger.lines
    assert (line.person, line.step, line.seat) == (PERSON, 1, Seat.TWO)
    await hall.goes_to("table/t1")
    await expect(hall.page.locator('[data-list="payment"]')).to_contain_text("t1-2 loses 10")


async def what_nobody_objects_to_is_gone_with_the_next_hand(hall: Evening) -> None:
    hall.play_on["t2"]()
    await hall.seen.until(lambda: len(hall.seen.of("alert-lapsed")) == 1)
    await hall.seen.until(lambda: not hall.alerts)
    assert hall.ledger("t2").lines == ()
    await hall.goes_to("referee")
    await expect(hall.page.locator('[data-list="unclaimed"] > li')).to_have_count(0)


def the_record_has_it_all(hall: Evening, alert: AlertPayload) -> None:
    """The journal shows just the records that the ledger names: presses, objection, ruling."""
    (line,) = hall.ledger("t1").lines
    config = ("--config", str(hall.hall.settings))
    shown = run("journal", "show", *map(str, line.records), *config)
    assert shown.returncode == 0, shown.stderr
    numbers = re.findall(r"^record (\d+),", shown.stdout, re.MULTILINE)
    assert numbers == [*map(str, line.records)]
    heard = re.findall(r'^    heard: .*"type":"(\w+)","(?:seat|alert)"', shown.stdout, re.MULTILINE)
    assert heard == ["DiscardPressed", "DiscardPressed", "DiscardReleased", "TakeUp", "Confirm"]
    assert set(alert.records) < set(line.records)
    assert shown.stdout.count(f"ordered by {PERSON} through board") == 2
    assert run("journal", "verify", *config).stdout == "every record is as it was written\n"


async def test_a_dead_hand_plays_on_until_the_ruling_is_undone(tmp_path: Path) -> None:
    async with evening(tmp_path, "jingji-2012", "dead_hand.hand") as hall:
        async with program("daemon", hall.hall.daemon()) as daemon:
            await hall.seen.until(lambda: len(hall.seen.of("hu-announced")) == 1)
            await the_referee_rules_it_false(hall)
            await the_seat_is_barred_and_plays_on(hall)
            await killed(daemon)
        gone = hall.node.session
        async with program("daemon", hall.hall.daemon()):
            await hall.seen.until(lambda: hall.node.session > gone)
            await the_ruling_was_a_slip(hall)
            await the_seat_wins_after_all(hall)
            told_whole(hall.seen)
        assert hall.hall.journal.verify() is None


async def the_referee_rules_it_false(hall: Evening) -> None:
    """All clocks stand while a hu is looked at, so there is time to enter the foul."""
    page = hall.page
    await hall.goes_to("table/t1")
    await page.click('a[href="/referee#enter-t1"]')
    await ask(page, "enter-foul", "Seat 3", "False hu")
    await hall.seen.until(lambda: len(hall.alerts) == 1)
    (alert,) = hall.alerts
    assert (alert.entered_by, alert.holder, alert.seat) == (PERSON, PERSON, Seat.THREE)
    await confirm(page, alert.alert)
    await hall.seen.until(lambda: bool(hall.snapshot("t1").restrictions))
    restriction = hall.snapshot("t1").restrictions[Seat.THREE]
    assert (restriction.no_hu, restriction.mechanical, restriction.out) == (True, True, False)
    # Each of the other three receives 10 (jingji-2012 ch. 4 art. 2 (六) (一)).
    assert hall.ledger("t1").totals == {"t1-1": 10, "t1-2": 10, "t1-3": -30, "t1-4": 10}
    await hall.goes_to("table/t1")
    await expect(page.locator('[data-key="seat:3"] .dead')).to_have_text("mechanical")
    await page.click('[data-verb="withdraw-hu"]')


async def the_seat_is_barred_and_plays_on(hall: Evening) -> None:
    await hall.seen.until(lambda: len(hall.seen.of("hu-taken-back")) == 1)
    hall.play_on["t1"]()
    await hall.seen.until(lambda: hall.snapshot("t1").on_turn is Seat.ONE)
    (barred,) = hall.seen.of("barred")
    assert barred.data == {"seat": 3, "what": "hu"}
    assert len(hall.seen.of("hu-announced")) == 1
    assert hall.seen.of("foul-seen") == []


async def the_ruling_was_a_slip(hall: Evening) -> None:
    page = hall.page
    await hall.goes_to("referee")
    await page.click('[data-list="mine"] [data-verb="undo"]')
    await hall.seen.until(lambda: len(hall.seen.of("ruling-made")) == 2)
    await hall.seen.until(lambda: not hall.snapshot("t1").restrictions)
    await hall.seen.until(lambda: not hall.ledger("t1").lines)
    (alert,) = hall.alerts
    assert (alert.status, alert.holder) == (AlertStatus.ACKNOWLEDGED, PERSON)
    await hall.goes_to("table/t1")
    await expect(page.locator('[data-key="seat:3"] .dead')).to_have_text("")


async def the_seat_wins_after_all(hall: Evening) -> None:
    hall.play_on["t1"]()
    await hall.seen.until(lambda: len(hall.seen.of("hu-announced")) == 2)
    await hall.page.click('[data-verb="confirm-hu"]')
    await hall.seen.until(lambda: len(hall.seen.of("hand-ended")) == 1)
    (ended,) = hall.seen.of("hand-ended")
    assert (ended.data["result"], ended.data["winners"]) == ("hu", [3])


async def test_the_whole_hall_is_halted_and_goes_on_with_fresh_limits(tmp_path: Path) -> None:
    async with (
        evening(tmp_path, "jingji-2012", "halted.hand", "halted.hand") as hall,
        program("daemon", hall.hall.daemon()),
    ):
        await hall.seen.until(lambda: len(hall.seen.of("discarded")) == 2)
        await hall.goes_to("")
        await hall.page.click('[data-ask="ask-pause-all"]')
        await ask(hall.page, "pause-all", "Announcement")
        await expect(hall.page.locator("#answer")).to_contain_text("2 of 2 tables")
        everybody_stands(hall)
        await hall.page.click('[data-ask="ask-resume-all"]')
        await ask(hall.page, "resume-all")
        await expect(hall.page.locator("#answer")).to_contain_text("Resume all: done")
        await everybody_goes_on(hall)
        told_whole(hall.seen)


def everybody_stands(hall: Evening) -> None:
    """Both tables are paused, and the record of each says on whose order and why."""
    for table in ("t1", "t2"):
        snapshot, decreed = hall.snapshot(table), [*decrees(hall.hall, table)]
        assert snapshot.hand_phase == "paused"
        assert decreed == [("pause", PERSON, snapshot.paused_reason)]
        assert "Announcement" in (snapshot.paused_reason or "")


async def everybody_goes_on(hall: Evening) -> None:
    """Seat 2 has its 10 s again (jingji-2012 ch. 3 art. 7 (四)) and needs less."""
    await hall.seen.until(lambda: len(hall.seen.of("play-resumed")) == 2)
    for play_on in hall.play_on.values():
        play_on()
    await hall.seen.until(lambda: len(hall.seen.of("turn-measured")) == 4)
    for table in hall.play_on:
        fresh = hall.seen.of("turn-started", table)[2].data
        assert (fresh["seat"], fresh["limit_us"]) == (2, 10_000_000)
        assert fresh["start"]["quality"] == "referee"
        assert [order for order, *_ in decrees(hall.hall, table)] == ["pause", "resume"]
    assert hall.seen.of("foul-seen") == []


def decrees(hall: Hall, table: str) -> Iterable[tuple[str, str, str]]:
    """Return what came as an order at a table, as its record has it."""
    for record, effect in hall.effects(table):
        if isinstance(effect, Decreed) and record.origin:
            assert record.origin.person == effect.person
            yield effect.order, effect.person, effect.reason
