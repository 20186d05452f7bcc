"""Cycle times in a few figures, and a drift only where there is one."""

from datetime import timedelta
from random import Random

from timing.cycle_times import quantile, summed_up


def spans(*seconds: float) -> list[timedelta]:
    return [timedelta(seconds=one) for one in seconds]


def machine(dice: Random, cycles: int, grows: float = 0.0) -> list[timedelta]:
    return spans(*(dice.gauss(38 + grows * number, 1.5) for number in range(cycles)))


def test_no_cycles_have_no_figures() -> None:
    assert summed_up([], 1) is None


def test_quantiles_are_values_that_were_seen() -> None:
    ordered = spans(*range(1, 11))
    assert [quantile(ordered, share) for share in (0, 0.5, 0.9, 1)] == spans(1, 5, 9, 10)


def test_one_cycle_is_every_figure() -> None:
    times = summed_up(spans(40), 1)
    assert times
    assert {times.shortest, times.median, times.slow, times.longest, times.later} == {*spans(40)}
    assert not times.drifts


def test_figures_of_several_cycles() -> None:
    times = summed_up(spans(40, 38, 45, 39), 1)
    assert times
    assert (times.count, [times.shortest], [times.longest]) == (4, spans(38), spans(45))
    assert [times.median, times.earlier, times.later] == spans(39, 38, 39)


def test_a_steady_machine_drifts_in_no_hall_of_three_hundred() -> None:
    dice = Random(11)
    seen = [summed_up(machine(dice, 60), 1) for _ in range(300)]
    assert not any(times and times.drifts for times in seen)


def test_a_machine_that_grows_slower_is_told_and_which_way() -> None:
    times = summed_up(machine(Random(12), 100, grows=0.08), 16)
    assert times
    assert times.drifts
    assert times.way == "slower"
    quicker = summed_up(machine(Random(12), 100, grows=-0.08), 16)
    assert quicker
    assert (quicker.drifts, quicker.way) == (True, "quicker")


def test_a_sure_but_tiny_change_is_not_worth_telling() -> None:
    times = summed_up(spans(*(40 + number / 1000 for number in range(200))), 1)
    assert times
    assert not times.drifts


def test_a_machine_that_always_takes_the_same_does_not_drift() -> None:
    times = summed_up(spans(*[40] * 80), 1)
    assert times
    assert not times.drifts


def test_few_cycles_are_no_drift_however_they_differ() -> None:
    times = summed_up(spans(*[30] * 14, *[50] * 15), 1)
    assert times
    assert not times.drifts
