"""The hall says which tables are disarmed or soon will be, and why."""

from board.conditions import notices
from tests.board import scenery
from tests.board.scenery import ROOT, a_hall, told

WHY = "certificate 2026-7 of TL-7 ended on 2026-06-30"
SOON = "certificate 2026-7 ends in 7 days, on 2026-07-08"


def of_certificate(disarmed: str, notice: str) -> list[tuple[str, str]]:
    hall = a_hall()
    meta = scenery.table_meta("t1").model_copy(update={"certificate_notice": notice})
    told(hall, ROOT.table_meta("t1"), meta)
    told(hall, ROOT.state("t1"), scenery.snapshot("t1", disarmed=disarmed))
    found = notices(hall, hall.tables["t1"])
    return [told for key, told in found.items() if key in {"disarmed", "certificate"}]


def test_a_disarmed_table_is_told_once_and_gravely() -> None:
    assert of_certificate(WHY, WHY) == [("bad", f"No hand begins: {WHY}")]


def test_an_end_that_comes_near_is_told() -> None:
    assert of_certificate("", SOON) == [("warn", SOON)]


def test_nothing_is_told_where_all_is_well() -> None:
    assert of_certificate("", "") == []
