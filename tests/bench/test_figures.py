"""The arithmetic of the bench: middle and tail, and the page that says what misses."""

from dataclasses import replace

import pytest

from tests.bench.finding import Finding, page
from tests.bench.spread import Spread, milliseconds, ratio

MET = Finding(
    number=6,
    title="durable append",
    goal="p50 at most 5 times fdatasync",
    beside="fdatasync in C.",
    columns=("what", "p50"),
    rows=(("fdatasync", "0.10"), ("one event", "0.30")),
)


@pytest.mark.parametrize(
    ("durations", "p50", "p99"),
    [
        ([7.0], 7.0, 7.0),
        ([1.0, 2.0], 1.0, 2.0),
        (list(map(float, range(1, 101))), 50.0, 99.0),
        (list(map(float, range(1000, 0, -1))), 500.0, 990.0),
    ],
)
def test_the_middle_and_the_tail_are_readings_that_were_taken(
    durations: list[float], p50: float, p99: float
) -> None:
    spread = Spread.of(durations)

    assert (spread.count, spread.p50, spread.p99) == (len(durations), p50, p99)
    assert (spread.least, spread.most) == (min(durations), max(durations))


def test_of_nothing_there_is_no_spread() -> None:
    with pytest.raises(IndexError):
        Spread.of([])


def test_durations_are_written_in_milliseconds_and_as_ratios() -> None:
    assert milliseconds(1234) == "1.23"
    assert ratio(300, 100) == "3.0 x"


def test_the_page_says_first_what_misses() -> None:
    missed = replace(MET, number=2, misses=("p99 lateness is 3.0 x the bare timers'",))

    text = page({"processor": "some"}, [missed, MET])

    assert text.index("- Budget 2: p99 lateness is 3.0 x") < text.index("## The machine")
    assert "## Budget 2: durable append\n\nGoal: p50 at most 5 times fdatasync. **missed**" in text
    assert "## Budget 6: durable append\n\nGoal: p50 at most 5 times fdatasync. **met**" in text


def test_a_page_without_misses_says_so() -> None:
    assert "Every goal measured here was met." in page({}, [MET])


def test_a_row_of_a_finding_is_a_row_of_its_table() -> None:
    assert "| what | p50 |\n| --- | --- |\n| fdatasync | 0.10 |\n" in page({}, [MET])
