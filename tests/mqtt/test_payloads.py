import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from pydantic import ValidationError

from mqtt.catalogue import PAYLOADS
from mqtt.parts import Face, Payload
from mqtt.payloads import EventEnvelope, Heartbeat, NodeAvailability, Timers
from table.seat import Seat

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
FACE = Face(kind="turn", running=True, total_ms=20_000, remaining_ms=19_990, over=False)
TIMERS = Timers(
    table="t1",
    seq=4,
    as_of_ms=90_000,
    time=NOON,
    seats={Seat.ONE: FACE, Seat.TWO: None, Seat.THREE: None, Seat.FOUR: None},
)


def test_seats_are_keys_from_1_to_4() -> None:
    sent = json.loads(TIMERS.encode())
    assert list(sent["seats"]) == ["1", "2", "3", "4"]
    assert sent["seats"]["1"]["remaining_ms"] == 19_990
    assert sent["seats"]["2"] is sent["window"] is None


def test_what_is_sent_is_read_back() -> None:
    assert Timers.model_validate_json(TIMERS.encode()) == TIMERS


def test_times_are_utc_to_the_millisecond() -> None:
    east = datetime(2026, 7, 1, 20, 0, 0, 5999, timezone(timedelta(hours=8)))
    beat = Heartbeat(node="n1", session=1, time=east, uptime_ms=1)
    assert json.loads(beat.encode())["time"] == "2026-07-01T12:00:00.005Z"


def test_a_time_without_a_zone_is_refused() -> None:
    naive = NOON.replace(tzinfo=None)
    with pytest.raises(ValidationError, match="timezone"):
        Heartbeat(node="n1", session=1, time=naive, uptime_ms=1)


def test_a_payload_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        FACE.__setattr__("running", False)


def test_a_reader_passes_over_fields_of_a_later_version() -> None:
    later = {"node": "n1", "session": 1, "time": "2026-07-01T12:00:00Z", "uptime_ms": 1, "new": 7}
    assert Heartbeat.model_validate(later).uptime_ms == 1


@pytest.mark.parametrize("model", PAYLOADS)
def test_every_payload_carries_the_utc_of_its_node(model: type[Payload]) -> None:
    assert "time" in model.model_fields or model.__name__ == "CommandPayload"


@pytest.mark.parametrize("field", ["kind", "running", "total_ms", "remaining_ms", "over"])
def test_a_clock_has_no_field_that_may_be_left_out(field: str) -> None:
    fields: dict[str, Any] = FACE.model_dump()
    del fields[field]
    with pytest.raises(ValidationError, match=field):
        Face.model_validate(fields)


def test_a_cloud_event_says_its_version_and_has_lower_case_attributes() -> None:
    assert EventEnvelope.model_fields["specversion"].default == "1.0"
    assert all(name.isalnum() and name.islower() for name in EventEnvelope.model_fields)


def test_a_status_outside_the_contract_is_refused() -> None:
    with pytest.raises(ValidationError, match="status"):
        NodeAvailability.model_validate(
            {"node": "n1", "status": "up", "session": 1, "since": NOON, "time": NOON}
        )
