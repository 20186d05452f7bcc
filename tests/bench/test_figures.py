"""The arithmetic of the bench: middle and tail, and the page that says what misses."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench.core_share import forecast, polled
from tests.bench.finding import Finding, page
from tests.bench.polls import Pair, summed_up
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


def test_a_poll_that_misses_its_beat_is_late_and_one_outside_the_watch_is_not_counted(
    tmp_path: Path,
) -> None:
    heard = ["7 900 1", "7 20000 0", "7 40000 1", "7 81000 0", "8 30000 0", "8 50000 0"]
    trace = tmp_path / "trace.txt"
    trace.write_text("\n".join(heard) + "\n", encoding="ascii")
    figures = {"begin": 1000, "end": 101_000, "processor": 2500, "told": 1}

    one = summed_up((2, 50), figures, trace)

    assert (one.late, one.shown, one.told) == (1, 1, 1)
    assert one.gaps.most == 41_000
    assert (one.rate, one.share, one.cost) == pytest.approx((50, 0.025, 500))
    assert one.missing == pytest.approx(0.5)


def test_what_does_not_fit_on_a_core_is_forecast_from_the_cost_of_a_poll(tmp_path: Path) -> None:
    trace = tmp_path / "trace.txt"
    trace.write_text("7 20000 0\n7 40000 1\n", encoding="ascii")
    one = summed_up((1, 50), {"begin": 0, "end": 40_000, "processor": 200, "told": 0}, trace)

    assert forecast(one) == pytest.approx(1.25)
    assert polled([Pair(one, one)]).misses == (
        "of 1 presses at 1 Modbus tables 0 were told",
        "250 Modbus tables at 50 Hz would take 125% of a core",
    )
