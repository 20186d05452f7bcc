import json
from datetime import UTC, datetime, timedelta
from typing import get_args

from hypothesis import given

from mqtt.events import (
    Audience,
    Described,
    Effect,
    Origin,
    Plain,
    audience,
    described,
    envelope,
    kind_of,
)
from mqtt.topics import Root, is_id
from table.answers import Refused
from table.commands import SetLamp, Shuffle, SoundBuzzer
from table.fouls import FoulKind, FoulSeen
from table.moment import DeviceStamp, Elapsed, Interval, Moment, Quality
from table.restrictions import Restriction
from table.seat import BySeat, Seat
from tests.harness.core_values import values
from timing.effects import Claimed, Discarded, TurnStarted
from timing.machine_effects import DiceThrown, MachineChanged, SendToTable
from timing.order_effects import PlayersSeated, SeatRestricted

INTERNAL = {SoundBuzzer, SetLamp, SendToTable, Refused}
SECOND = timedelta(seconds=1)
WHEN = Interval(Moment(81_200_300), Moment(81_202_300), Quality.DEVICE)
WHEN_WIRE: dict[str, Plain] = {
    "earliest_us": 81_200_300,
    "latest_us": 81_202_300,
    "quality": "device",
    "stamp": None,
}


def data_of(effect: Effect) -> object:
    event = described(effect)
    assert event
    return event.data


@given(values(Effect))
def test_every_effect_is_an_event_or_named_as_the_tables_own(effect: Effect) -> None:
    event = described(effect)
    if type(effect) in INTERNAL:
        assert event is None
        return
    assert event
    assert is_id(event.kind)
    assert event.kind.replace("-", "") == type(effect).__name__.lower()
    assert json.loads(json.dumps(event.data)) == event.data


def test_each_class_of_effects_has_a_kind_of_its_own() -> None:
    kinds = {kind_of(effect) for effect in get_args(Effect)}
    assert len(kinds) == len(get_args(Effect))


def test_what_is_not_decided_is_for_officials() -> None:
    officials = {
        effect.__name__
        for effect in get_args(Effect)
        if audience(object.__new__(effect)) is Audience.OFFICIALS
    }
    assert officials == {
        "AlertChanged",
        "AlertDropped",
        "AlertLapsed",
        "AlertMarked",
        "AlertRaised",
        "AlertRecorded",
        "CallWithdrawn",
        "FoulRecorded",
        "FoulSeen",
        "Ignored",
        "OverrunRecorded",
        "PlayInDoubt",
        "RulingMade",
        "TooClose",
    }


def test_an_interval_is_told_in_microseconds() -> None:
    assert data_of(Discarded(Seat.TWO, WHEN, implied=False)) == {
        "seat": 2,
        "when": WHEN_WIRE,
        "implied": False,
    }


def test_a_stamp_of_the_table_is_told_with_its_clock() -> None:
    stamp = DeviceStamp("A1B2-7", timedelta(milliseconds=81_199), timedelta(milliseconds=1))
    when = Interval(Moment(5), Moment(5), Quality.DEVICE, stamp)
    event = described(Discarded(Seat.TWO, when, implied=False))
    assert event
    assert event.data["when"] == {
        "earliest_us": 5,
        "latest_us": 5,
        "quality": "device",
        "stamp": {"clock": "A1B2-7", "at_us": 81_199_000, "resolution_us": 1000},
    }


def test_what_is_unknown_is_null() -> None:
    assert data_of(TurnStarted(Seat.ONE, 20 * SECOND, None, presumed=True)) == {
        "seat": 1,
        "limit_us": 20_000_000,
        "start": None,
        "presumed": True,
    }
    assert data_of(DiceThrown(None)) == {"values": None}
    assert data_of(DiceThrown((3, 5))) == {"values": [3, 5]}


def test_spans_keep_their_unit_in_the_name() -> None:
    taken = Elapsed(timedelta(milliseconds=2990), timedelta(milliseconds=2992))
    assert data_of(Claimed(Seat.THREE, None, taken)) == {
        "seat": 3,
        "call": None,
        "taken": {"least_us": 2_990_000, "most_us": 2_992_000},
    }


def test_one_value_for_each_seat_is_keyed_by_the_seat() -> None:
    seated = PlayersSeated(BySeat("an", "bo", "chen", "ding"))
    assert data_of(seated) == {"players": {"1": "an", "2": "bo", "3": "chen", "4": "ding"}}


def test_a_foul_carries_everything_an_appeal_needs() -> None:
    foul = FoulSeen(
        id="t1-4-1",
        kind=FoulKind.LATE_PUNG,
        seat=Seat.THREE,
        hand="t1-4",
        measured=Elapsed(3 * SECOND, 4 * SECOND),
        limit=3 * SECOND,
        rule="mcr-2014 art. 6",
        started=WHEN,
        ended=WHEN,
    )
    assert described(foul) == Described(
        "foul-seen",
        {
            "id": "t1-4-1",
            "kind": "late-pung",
            "seat": 3,
            "hand": "t1-4",
            "measured": {"least_us": 3_000_000, "most_us": 4_000_000},
            "limit_us": 3_000_000,
            "rule": "mcr-2014 art. 6",
            "started": WHEN_WIRE,
            "ended": WHEN_WIRE,
            "presumed": False,
            "entered_by": "",
            "remark": "",
        },
    )


def test_a_foul_that_a_referee_entered_has_no_measures() -> None:
    foul = FoulSeen(
        id="t1-4-r1",
        kind=FoulKind.FALSE_HU,
        seat=Seat.THREE,
        hand="t1-4",
        measured=None,
        limit=None,
        rule="mcr-2014 art. 11",
        started=None,
        ended=None,
        entered_by="referee-1",
        remark="7 fan",
    )
    event = described(foul)
    assert event
    unknown = {name for name, value in event.data.items() if value is None}
    assert unknown == {"measured", "limit_us", "started", "ended"}
    assert (event.data["entered_by"], event.data["remark"]) == ("referee-1", "7 fan")


def test_what_a_seat_may_not_do_is_told_whole() -> None:
    dead = Restriction(no_hu=True, no_calls=True)
    assert data_of(SeatRestricted(Seat.TWO, dead)) == {
        "seat": 2,
        "restriction": {"no_hu": True, "no_calls": True, "mechanical": False, "out": False},
    }


def test_the_message_of_an_event_is_a_cloud_event() -> None:
    event = described(MachineChanged("ready"))
    assert event
    noon = datetime(2026, 7, 1, 12, 0, 0, 123456, UTC)
    origin = Origin("n1", "t1", 3, 42, noon, "order", "5b0c", previous=40)
    assert json.loads(envelope(event, Root("mahjong", "hall"), origin).encode()) == {
        "specversion": "1.0",
        "id": "t1-3-42",
        "source": "/mahjong/1/hall/node/n1",
        "type": "tablewarden.machine-changed",
        "subject": "t1",
        "time": "2026-07-01T12:00:00.123Z",
        "datacontenttype": "application/json",
        "tableseq": 42,
        "previous": 40,
        "epoch": 3,
        "cause": "order",
        "causeid": "5b0c",
        "data": {"phase": "ready", "cause": ""},
    }


def test_an_order_for_the_wire_is_no_event() -> None:
    assert described(SendToTable(Shuffle())) is None
