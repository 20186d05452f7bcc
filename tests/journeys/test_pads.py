"""A table without hardware: four phones play, one discards late, one loses its network."""

import os
from pathlib import Path

import pytest

from mqtt.payloads_of_rulings import AlertPayload
from table.fouls import FoulKind
from table.moment import Quality
from table.seat import Seat
from tests.journeys.pads import PadTable, Phone, pad_table

pytestmark = pytest.mark.journey


async def test_four_pads_play_a_hand_and_one_that_is_offline_says_so(tmp_path: Path) -> None:
    async with pad_table(tmp_path) as table:
        for phone in table.phones.values():
            await phone.counts(ready=True)
        await table.order("start-hand")
        await the_dealer_discards(table)
        await the_next_seat_is_late_and_an_alert_is_raised(table)
        await an_opponent_claims_and_another_declares_hu(table)
        await a_phone_without_network_says_so_and_comes_back_by_itself(table)


async def the_dealer_discards(table: PadTable) -> None:
    dealer, lower = table.phones[Seat.ONE], table.phones[Seat.TWO]
    await dealer.shows("Your turn")
    await dealer.tap("discard")
    await dealer.shows("Discard counted")
    await lower.shows("Your turn")
    await pictured(lower, "turn")


async def the_next_seat_is_late_and_an_alert_is_raised(table: PadTable) -> None:
    late = table.phones[Seat.TWO]
    await late.shows("over the limit")
    await pictured(late, "over")
    assert table.alerts == []
    await late.tap("discard")
    await table.seen.until(lambda: bool(table.alerts))
    (alert,) = table.alerts
    assert (alert.kind, alert.seat) == (FoulKind.DISCARD_OVER_LIMIT, Seat.TWO)
    surely_late(alert)


def surely_late(alert: AlertPayload) -> None:
    """Even the reading in the player's favour is over the limit, and a pad told both moments."""
    assert alert.measured_least_us is not None
    assert alert.limit_us is not None
    assert alert.measured_least_us > alert.limit_us == 1_500_000


async def an_opponent_claims_and_another_declares_hu(table: PadTable) -> None:
    await table.phones[Seat.FOUR].tap("claim")
    await table.phones[Seat.FOUR].shows("Claim counted")
    await table.seen.until(lambda: table.snapshot.on_turn is Seat.FOUR)
    await table.phones[Seat.THREE].hold("discard")
    await table.phones[Seat.THREE].shows("Hu declared")
    await table.seen.until(lambda: table.snapshot.verifying is Seat.THREE)
    first, second = table.seen.of("discarded")[:2]
    assert {one.data["when"]["quality"] for one in (first, second)} == {Quality.PAD}


async def a_phone_without_network_says_so_and_comes_back_by_itself(table: PadTable) -> None:
    phone = table.phones[Seat.FOUR]
    await phone.context.set_offline(True)
    await phone.counts(ready=False)
    await phone.shows("No contact with the board")
    await phone.shows("What you press does not count")
    await pictured(phone, "offline")
    before = len(table.seen.deliveries)
    await phone.tap("discard")
    told = [one.topic for one in table.seen.deliveries[before:]]
    assert not [topic for topic in told if topic.endswith("/press")]
    await phone.context.set_offline(False)
    await phone.counts(ready=True)


async def pictured(phone: Phone, name: str) -> None:
    """Keep a picture where somebody wants to look at it."""
    if folder := os.environ.get("PAD_PICTURES"):
        await phone.page.screenshot(path=f"{folder}/pad-{name}.png")
