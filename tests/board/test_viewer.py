"""Whose zones come first is remembered by the browser."""

import pytest

from board.viewer import Viewer, are_zones, viewer, written

GIVEN = {"Referee East": ("a", "b")}
EAST = {"person": "Referee%20East"}


def test_a_person_looks_after_the_zones_that_the_event_gave() -> None:
    assert viewer(EAST, GIVEN) == Viewer("Referee East", frozenset({"a", "b"}))
    assert viewer({"person": "Referee%20West"}, GIVEN) == Viewer("Referee West")
    assert viewer({}, GIVEN) == Viewer()


def test_zones_that_were_picked_go_before_those_that_were_given() -> None:
    picked = {**EAST, "zones": written(("c", "a", "c"))}
    assert viewer(picked, GIVEN).zones == {"a", "c"}


def test_whoever_picks_no_zone_looks_after_all_of_them() -> None:
    everything = viewer({**EAST, "zones": written(())}, GIVEN)
    assert everything.looks_after("a")
    assert everything.looks_after("z")


@pytest.mark.parametrize("cookie", ["%3Cb%3E", "..", "A.B", "\N{SNOWMAN}"])
def test_a_cookie_that_names_no_zone_is_passed_over(cookie: str) -> None:
    assert viewer({"zones": cookie}, {}).zones == frozenset()


def test_zones_have_the_names_that_a_table_can_have() -> None:
    assert are_zones(("a", "north-hall"))
    assert not are_zones(("a", "North Hall"))
    assert not are_zones(("a",) * 65)
