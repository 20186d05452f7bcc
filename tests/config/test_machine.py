"""What a venue says about one table's machine, tiles and the end of its deal."""

from datetime import timedelta
from pathlib import Path

import pytest

from config.tile_sets import other_tiles
from controller.table_rules import rules_at, rules_of
from tests.config.files import GOOD, complaint, loaded
from timing.machine_rules import MachineRules
from timing.rules import DealEnd

SECOND = timedelta(seconds=1)
T1 = "[tables.t1]\n"


def with_table(said: str, event: str = "") -> str:
    assert T1 in GOOD
    return GOOD.replace(T1, T1 + said).replace('"mcr-2014"\n', f'"mcr-2014"\n{event}')


def test_a_table_of_which_nothing_is_said_has_four_ports(tmp_path: Path) -> None:
    settings = loaded(tmp_path)
    rules = rules_at(settings, rules_of(settings), "t1")
    assert rules.machine == MachineRules(35 * SECOND, 80 * SECOND, 160 * SECOND)
    assert rules.time.deal_end is DealEnd.SIGNAL


def test_a_table_has_times_of_its_own(tmp_path: Path) -> None:
    said = 'deal_end = "four-ready"\ncycle = { expected_seconds = 120, slow_seconds = 150.5 }\n'
    settings = loaded(tmp_path, with_table(said))
    rules = rules_at(settings, rules_of(settings), "t1")
    assert rules.machine == MachineRules(120 * SECOND, 150.5 * SECOND, 301 * SECOND)
    assert rules.time.deal_end is DealEnd.FOUR_READY


def test_the_event_says_when_a_cycle_is_slow_where_the_table_does_not(tmp_path: Path) -> None:
    settings = loaded(tmp_path, with_table("", "slow_cycle_seconds = 90\n"))
    rules = rules_at(settings, rules_of(settings), "t1").machine
    assert (rules.slow, rules.failed) == (90 * SECOND, 180 * SECOND)


def test_times_that_do_not_follow_one_another_are_refused(tmp_path: Path) -> None:
    text = with_table("cycle = { expected_seconds = 120 }\n")
    assert complaint(tmp_path, text) == (
        "tablewarden.toml: tables.t1.cycle: a cycle is expected to take 120 s, is slow from 80 s"
        " and failed from 160 s, but each must be more than the one before."
    )


@pytest.mark.parametrize("tiles", ["137", "true", '"144"', "0"])
def test_a_tile_set_is_one_of_two(tmp_path: Path, tiles: str) -> None:
    wrong = complaint(tmp_path, with_table(f"tiles = {tiles}\n"))
    assert wrong.endswith("must be 136 (no flowers) or 144 (with eight flowers).")


@pytest.mark.parametrize(("book", "tiles"), [("mcr-2014", 144), ("wsom-2010", 136)])
def test_a_tile_set_other_than_the_book_needs_is_a_warning(
    tmp_path: Path, book: str, tiles: int
) -> None:
    def warned(set_to: int) -> list[str]:
        text = with_table(f"tiles = {set_to}\n").replace("mcr-2014", book)
        return other_tiles(loaded(tmp_path, text))

    assert warned(tiles) == []
    (sentence,) = warned(280 - tiles)
    assert sentence.startswith(f"table t1 is set to {280 - tiles} tiles")
    assert f"{book} is played with {tiles} tiles" in sentence
