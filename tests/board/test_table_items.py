"""Dead hands, several hu, dice, wall and given time, as table page and hall show them."""

import pytest

from board import hall_page
from table.seat import Seat
from tests.board import scenery
from tests.board.scenery import a_hall
from tests.board.test_page_items import a_hall_with, of_table, shown


def test_several_hu_are_confirmed_by_choice_in_the_order_of_the_book() -> None:
    several = {"verifying": 1, "declared": (1, 3, 4), "hu_winners": (4,)}
    hall = a_hall_with(scenery.snapshot("t1", hand_phase="verifying", **several))
    items = of_table(hall)
    slots = shown(items, "table:")
    assert (slots["can_confirm-hu"], slots["can_confirm-which"]) == ("away", "main")
    winners = slots["winners"]
    assert isinstance(winners, list)
    assert [(one["value"], one["picked"]) for one in winners] == [
        ("4", True),
        ("1", False),
        ("3", False),
    ]
    assert shown(items, "notice:hu")["text"] == (
        "Seats 1, 3, 4 declared hu; if all are valid, seat 4 wins"
    )


def test_a_single_hu_is_confirmed_with_one_press() -> None:
    hall = a_hall_with(
        scenery.snapshot("t1", hand_phase="verifying", verifying=4, declared=(4,), hu_winners=(4,))
    )
    slots = shown(of_table(hall), "table:")
    assert (slots["can_confirm-hu"], slots["can_confirm-which"]) == ("main", "away")


DEAD = {"no_hu": True, "no_calls": True, "mechanical": True}


def test_dead_hands_are_shown_at_the_seat_in_the_notices_and_in_the_hall() -> None:
    hall = a_hall_with(scenery.snapshot("t1", restrictions={2: DEAD, 4: {"no_hu": True}}))
    items = of_table(hall)
    assert (shown(items, "seat:2")["dead"], shown(items, "seat:4")["dead"]) == (
        "mechanical",
        "no hu",
    )
    assert shown(items, "seat:1")["dead"] == ""
    assert shown(items, "notice:dead-4")["text"] == "Seat 4 dead hand: no hu"
    tiles = hall_page.items(hall)
    assert shown(tiles, "tile:t1")["dead"] == "2 mechanical, 4 no hu"
    assert shown(tiles, "hall:")["dead"] == "2"
    assert tiles["need:t1"] is None


def test_a_player_who_is_out_asks_for_a_stand_in_until_one_sits_there() -> None:
    out = {1: {**DEAD, "out": True}}
    empty = a_hall_with(scenery.snapshot("t1", restrictions=out))
    slots = shown(of_table(empty), "table:")
    assert slots["can_seat-stand-in"] == "main"
    seats = slots["out_seats"]
    assert isinstance(seats, list)
    assert [one["value"] for one in seats] == ["1"]
    text = "Seat 1: chen-3 is out, seat a stand-in"
    assert shown(hall_page.items(empty), "need:t1")["text"] == text
    seated = a_hall_with(scenery.snapshot("t1", restrictions=out, stand_ins={1: "lee-9"}))
    assert shown(of_table(seated), "seat:1")["dead"] == "stand-in: lee-9"
    assert shown(of_table(seated), "table:")["can_seat-stand-in"] == "yes"
    assert shown(of_table(a_hall()), "table:")["can_seat-stand-in"] == "no"


@pytest.mark.parametrize(
    ("state", "dice", "wall"),
    [
        ({}, "", ""),
        ({"throws": ((3, 5),), "second_thrower": 4}, "Dice 3 + 5", "Seat 4 throws next"),
        (
            {"throws": ((3, 5), (2, 6)), "wall_seat": 4, "wall_break": 16},
            "Dice 3 + 5, then 2 + 6",
            "Wall of seat 4, from stack 16",
        ),
        ({"throws": ((3, 5), None), "second_thrower": 4}, "Dice 3 + 5, then ?", ""),
    ],
)
def test_the_dice_and_the_break_are_told_as_far_as_they_are_known(
    state: dict[str, object], dice: str, wall: str
) -> None:
    slots = shown(of_table(a_hall_with(scenery.snapshot("t1", **state))), "table:")
    assert (slots["dice"], slots["wall"]) == (dice, wall)


def test_extra_time_and_the_time_left_for_the_whole_hand_are_shown() -> None:
    totals = {Seat.TWO: scenery.running(121_000, 180_000, "hand-total")}
    timers = scenery.timers("t1", 60_000, seat_2=scenery.running(9_000))
    hall = a_hall_with(
        scenery.snapshot("t1", extra_time_ms=300_000), timers.model_copy(update={"totals": totals})
    )
    items = of_table(hall)
    assert shown(items, "table:")["extra"] == "Extra time 5 min"
    seat = shown(items, "seat:2")
    assert isinstance(seat["total"], dict)
    assert (seat["total"]["remaining"], seat["total_text"]) == (121_000, "whole hand")
    assert shown(items, "seat:1")["total"] is None


def test_a_pause_is_counted_in_the_hall() -> None:
    hall = a_hall_with(scenery.snapshot("t1", hand_phase="paused", paused_reason="Fire alarm"))
    items = hall_page.items(hall)
    assert (shown(items, "hall:")["paused"], shown(items, "hall:")["paused_mark"]) == (
        "1",
        "paused",
    )
    assert shown(items, "need:t1")["text"] == "Paused: Fire alarm"
