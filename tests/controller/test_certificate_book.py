"""Certificates in a real journal, held against tables as they are connected and days pass."""

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from controller.certificate_book import Watched
from controller.journal_absent import NoJournal
from controller.journal_reader import JournalReader
from controller.journal_report import shown, verdict
from controller.recovery import recover
from controller.table_certificate import Policy, Status
from mqtt.certificate_orders import (
    CertifyArguments,
)
from mqtt.reply_codes import ReplyCode
from table.answers import Code
from table.commands import StartHand
from tests.controller.certificate_desk import A, B, Desk, Seen, desk, order
from tests.controller.live_table import RULES, journal_at, running
from tests.harness.virtual_clock import VirtualClock


async def test_a_required_certificate_disarms_until_the_table_is_seen_to_have_one(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path) as one:
        assert "not connected yet" in one.disarmed[0]
        assert await one.certify("1", "TL-A") == "done"
        one.plug_in[0](A)
        one.plug_in[1](B)
        assert one.disarmed == ["", "no certificate was entered for OTW-4 TL-B"]
        assert await one.certify("2", "TL-B") == "done"
        assert one.disarmed == ["", ""]


async def test_two_swapped_boxes_disarm_both_tables_and_say_so(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        await one.certify("1", "TL-A")
        await one.certify("2", "TL-B")
        one.plug_in[0](replace(A, certificate="2"))
        one.plug_in[1](replace(B, certificate="1"))
        assert all("were two swapped?" in reason for reason in one.disarmed)
        one.plug_in[0](replace(A, certificate="1"))
        assert one.disarmed[0] == ""


async def test_two_boxes_that_name_no_certificate_disarm_both_tables_when_swapped(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path) as one:
        await one.certify("1", "TL-A", table="t1")
        await one.certify("2", "TL-B", table="t2")
        one.plug_in[0](B)
        one.plug_in[1](A)
        assert one.disarmed == [
            "OTW-4 TL-B has certificate 2, which is that of table t2: were two swapped?",
            "OTW-4 TL-A has certificate 1, which is that of table t1: were two swapped?",
        ]
        one.plug_in[0](A)
        one.plug_in[1](B)
        assert one.disarmed == ["", ""]


async def test_a_certificate_that_ends_disarms_when_its_last_day_is_over(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        await one.certify("1", "TL-A", days=2)
        one.plug_in[0](A)
        await one.pass_days(2)
        assert one.disarmed[0] == ""
        await one.pass_days(1)
        assert one.disarmed[0].startswith("certificate 1 of TL-A ended on ")
        assert one.tables[0].told[-1].status is Status.EXPIRED


async def test_an_end_is_reminded_of_30_7_and_1_days_before(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    async with desk(tmp_path, Policy.WARN) as one:
        await one.certify("1", "TL-A", days=40)
        one.plug_in[0](A)
        for _ in range(40):
            await one.pass_days(1)
    ends = [line for line in caplog.messages if "certificate 1 ends" in line]
    assert [line.split(" ends ")[1].split(",")[0] for line in ends] == [
        "in 30 days",
        "in 7 days",
        "tomorrow",
    ]
    assert one.tables[0].told[-1].notice.startswith("certificate 1 ends today")


async def test_a_revoked_certificate_disarms_at_once_and_is_never_lost(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        await one.certify("1", "TL-A")
        one.plug_in[0](A)
        assert await one.revoke("1") == "done"
        assert one.disarmed[0] == "certificate 1 of TL-A was revoked: seal broken"
        (kept,) = Desk(one.clock, one.journal).book.entries
    assert (kept.certificate.seals, kept.certificate.note) == (("S-1", "S-2"), "新")
    assert (kept.person, kept.login) == ("Chen", "desk")
    assert kept.revoked
    assert kept.revoked.person == "Chen"


async def test_what_was_entered_is_there_after_a_restart_and_in_the_chain(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        await one.certify("1", "TL-A")
        entries = one.book.entries
    async with desk(tmp_path) as again:
        assert again.book.entries == entries
        again.plug_in[0](A)
        assert again.disarmed[0] == ""
    reader = JournalReader(tmp_path / "j")
    assert verdict(reader) is None
    told = [*shown(reader, [1])]
    assert "node, ordered by Chen through desk" in told[0]
    assert told[2].startswith("    certificate 1 of OTW-4 TL-A holds until ")


async def test_a_number_is_entered_once_and_revoked_once(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        assert await one.revoke("1") == Code.BAD_VALUE
        await one.certify("1", "TL-A")
        assert await one.certify("1", "TL-B") == Code.BAD_VALUE
        await one.revoke("1")
        assert await one.revoke("1") == Code.WRONG_PHASE
        assert await one.certify("1", "TL-A") == Code.BAD_VALUE
        assert len(one.book.entries) == 1


async def test_a_number_that_is_being_written_down_must_wait(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        given = CertifyArguments(
            number="1",
            issuer="x",
            model="OTW-4",
            serial="TL-A",
            inspected="2026-07-01",
            valid_until="2027-07-01",
        )
        one.book.take(order("certify", given))
        refused = one.book.refusal(order("certify", given))
        assert refused
        assert refused.code == ReplyCode.RATE_LIMITED
        await one.press.until(lambda: len(one.press.replies) > 0)


async def test_nobody_inspects_in_the_future(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        given = CertifyArguments(
            number="1",
            issuer="x",
            model="OTW-4",
            serial="TL-A",
            inspected="2026-11-30",
            valid_until="2027-07-01",
        )
        assert await one.order("certify", given) == Code.BAD_VALUE


@pytest.mark.parametrize("policy", [Policy.WARN, Policy.OFF])
async def test_where_no_certificate_is_required_no_table_is_disarmed(
    tmp_path: Path, policy: Policy
) -> None:
    async with desk(tmp_path, policy) as one:
        one.plug_in[0](A)
        assert one.disarmed == ["", ""]
        warned = [stands.status for stands in one.tables[0].told]
    assert warned == ([Status.UNSEEN, Status.UNCERTIFIED] if policy is Policy.WARN else [])


async def test_a_table_that_was_disarmed_is_armed_where_the_event_no_longer_asks(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, Policy.OFF) as one:
        table = Seen()
        one.book.watch("t3", Watched(table.arm, table.told.append, disarmed="uncertified"))
        assert table.armings == [""]


async def test_without_a_journal_nothing_is_entered_and_tables_play_on() -> None:
    one = Desk(VirtualClock(), NoJournal("disk full"))
    one.plug_in[0](A)
    assert one.disarmed == ["", ""]
    assert await one.certify("1", "TL-A") == "failed"
    assert one.press.replies[0].code == ReplyCode.NOT_RECORDED
    assert one.book.entries == ()


async def test_a_real_table_begins_no_hand_until_its_certificate_is_entered(
    tmp_path: Path,
) -> None:
    clock = VirtualClock()
    async with journal_at(tmp_path / "j", clock) as journal, running(journal, clock) as table:
        one = Desk(clock, journal)
        found = one.book.watch("t9", Watched(table.loop.offer, one.tables[0].told.append))
        found(A)
        refused = await table.order(StartHand(), "s1")
        assert (refused.code, refused.reason) == (
            Code.DISARMED,
            "no hand begins: no certificate was entered for OTW-4 TL-A",
        )
        assert await one.certify("1", "TL-A") == "done"
        assert (await table.order(StartHand(), "s2")).status == "done"
        assert table.record.state.hand.deals == 1
        assert recover(journal, RULES, "t1").state == table.record.kept.state
