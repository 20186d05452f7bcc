"""The machine as the table page and the hall show it, and what may be ordered of it."""

import pytest

from board import hall_page
from board.machine_state import fault_name, machine_details
from board.table_view import TableView
from mqtt.parts import FaultFields
from mqtt.payloads import PaceFields
from table.events import Fault
from tests.board import scenery
from tests.board.test_page_items import a_hall_with, of_table, shown

CYCLE = {"expected_ms": 35_000, "slow_ms": 80_000, "failed_ms": 160_000, "running_ms": 5_000}
RUNNING = {**CYCLE, "slow": False, "reopened": False}
SLOW = {**CYCLE, "slow": True, "reopened": False}
OPEN = {**CYCLE, "running_ms": None, "slow": False, "reopened": True}
EVERYTHING = dict.fromkeys(("shuffle", "lift", "lift-toggle", "reopen", "dice-roll"), "native")
MISSING = {
    "fault": "tile-missing",
    "severity": 3,
    "unfair": "a tile that everybody counts on may not be in the wall",
}


def test_a_fault_that_makes_play_unfair_says_why_and_a_hand_needs_a_reason() -> None:
    hall = a_hall_with(
        scenery.snapshot(
            "t1",
            hand_phase="over",
            machine_phase="fault",
            faults=("tile-missing",),
            machine_faults=(MISSING,),
        )
    )
    items = of_table(hall)
    assert shown(items, "notice:unfair-tile-missing") == {
        "state": "bad",
        "text": "Play may be unfair (tile missing): a tile that everybody counts on may not be in"
        " the wall. A hand begins only with a reason",
    }
    table = shown(items, "table:")
    assert (table["can_start-hand"], table["can_start-despite"]) == ("away", "main")
    tile = shown(hall_page.items(hall), "tile:t1")
    assert (tile["machine"], tile["machine_text"]) == ("fault", "Fault: tile missing")


def test_a_hand_begins_plainly_while_nothing_is_unfair() -> None:
    table = shown(of_table(a_hall_with(scenery.snapshot("t1", hand_phase="over"))), "table:")
    assert (table["can_start-hand"], table["can_start-despite"]) == ("main", "away")


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        (FaultFields(fault=Fault.TILE_JAM, severity=3, code=17), "tile jam"),
        (FaultFields(fault=Fault.TILE_JAM, severity=3, text="E7"), "tile jam (E7)"),
        (FaultFields(fault=Fault.UNKNOWN, severity=2, code=300), "unknown fault (code 300)"),
    ],
)
def test_a_fault_is_called_by_its_name_and_what_the_maker_says(
    fault: FaultFields, name: str
) -> None:
    assert fault_name(fault) == name


def test_a_fault_that_hinders_little_is_a_warning() -> None:
    dirty = {"fault": "sensor-dirty", "severity": 2}
    hall = a_hall_with(
        scenery.snapshot(
            "t1", machine_phase="fault", faults=("sensor-dirty",), machine_faults=(dirty,)
        )
    )
    assert shown(of_table(hall), "notice:fault-sensor-dirty")["state"] == "warn"


def test_an_older_node_that_tells_kinds_alone_is_still_read() -> None:
    hall = a_hall_with(scenery.snapshot("t1", machine_phase="fault", faults=("overheat",)))
    assert shown(of_table(hall), "notice:fault-overheat")["state"] == "bad"


def test_a_slow_cycle_is_a_notice() -> None:
    items = of_table(a_hall_with(scenery.snapshot("t1", machine_phase="cycling", cycle=SLOW)))
    assert shown(items, "notice:slow") == {
        "state": "warn",
        "text": "The machine shuffles for more than 80 s",
    }
    assert shown(items, "table:")["machine_more"] == "A cycle usually takes 35 s."


@pytest.mark.parametrize(
    ("hand", "cycle", "offers"),
    [
        ("over", RUNNING, ("yes", "no")),
        ("paused", RUNNING, ("yes", "no")),
        ("turn", RUNNING, ("no", "no")),
        ("paused", OPEN, ("no", "main")),
        ("turn", OPEN, ("no", "no")),
    ],
)
def test_the_table_is_opened_in_mid_cycle_only_while_nobody_plays(
    hand: str, cycle: dict[str, object], offers: tuple[str, str]
) -> None:
    hall = a_hall_with(
        scenery.table_meta("t1").model_copy(update={"capabilities": EVERYTHING}),
        scenery.snapshot("t1", hand_phase=hand, machine_phase="cycling", cycle=cycle),
    )
    table = shown(of_table(hall), "table:")
    assert (table["can_pause-cycle"], table["can_resume-cycle"]) == offers
    opened = cycle["reopened"] is True
    assert table["machine_text"] == ("Table open, cycle paused" if opened else "Shuffling")


@pytest.mark.parametrize(
    ("lift", "raises", "says"),
    [("unknown", "no", "main"), ("raised", "no", "yes"), ("lowered", "main", "yes")],
)
def test_a_lift_is_raised_only_where_it_is_known_to_be_down(
    lift: str, raises: str, says: str
) -> None:
    hall = a_hall_with(scenery.snapshot("t1", hand_phase="over", machine_phase="ready", lift=lift))
    table = shown(of_table(hall), "table:")
    assert table["can_lift"] == raises
    assert (table["can_lift-is-up"], table["can_lift-is-down"]) == (says, says)


def test_a_table_that_needs_nobody_to_say_it_offers_nothing_about_the_lift() -> None:
    table = shown(of_table(a_hall_with(scenery.snapshot("t1", hand_phase="over"))), "table:")
    assert (table["can_lift"], table["can_lift-is-up"]) == ("main", "away")


def test_what_a_table_has_no_part_for_is_not_offered() -> None:
    hall = a_hall_with(
        scenery.table_meta("t1").model_copy(
            update={"capabilities": {"dice-roll": "absent", "shuffle": "retrofit"}}
        ),
        scenery.snapshot("t1", hand_phase="over", machine_phase="raised"),
    )
    table = shown(of_table(hall), "table:")
    assert (table["can_shuffle"], table["can_roll-dice"], table["can_lift"]) == (
        "yes",
        "away",
        "away",
    )


def test_a_throw_that_nobody_read_asks_for_its_dice() -> None:
    hall = a_hall_with(scenery.snapshot("t1", throws=(None,)))
    assert shown(of_table(hall), "table:")["can_enter-dice"] == "main"


def test_how_closely_seats_are_watched_is_told_where_it_is_measured() -> None:
    pace = PaceFields(wanted_us=20_000, achieved_us=21_000, width_us=23_100, widest_us=30_000)
    plain = scenery.table_meta("t1")
    watched = plain.model_copy(update={"pace": pace, "resolution_us": 28_100})
    told = [
        machine_details(TableView("t1", meta=meta))["machine_more"] for meta in (plain, watched)
    ]
    assert told == ["", "Presses are known to within 29 ms, as measured."]


@pytest.mark.parametrize(("tiles", "warned"), [(144, False), (136, True)])
def test_another_tile_set_than_the_book_needs_is_a_notice(tiles: int, *, warned: bool) -> None:
    meta = scenery.table_meta("t1").model_copy(update={"tile_set": tiles, "tiles_needed": 144})
    items = of_table(a_hall_with(meta))
    assert ("notice:tiles" in items) is warned
    said = str(shown(items, "table:")["machine_more"])
    assert said.startswith(f"Set to {tiles} tiles")
