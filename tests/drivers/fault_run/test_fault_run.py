"""Whatever befalls wires and devices: nothing recorded is lost, doubled, or charged wrongly."""

import os
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta

import pytest

from tests.drivers.fault_run.figures import figures
from tests.drivers.fault_run.runs import LINK, Found, run
from tests.harness.long_figures import write_section

KITS = ("basic", "counted", "ethernet", "odd")
OF_EACH_FAULT = 1_000
RUNS = {LINK: (90, timedelta(minutes=10)), **dict.fromkeys(KITS, (50, timedelta(minutes=4)))}
"""So many evenings, and how long each: enough for a thousand of each fault on link and modules."""
SAMPLES = {LINK: timedelta(minutes=4), **dict.fromkeys(KITS, timedelta(seconds=20))}
SAMPLE_CALM = timedelta(seconds=15)


@pytest.mark.parametrize("subject", SAMPLES)
def test_nothing_is_lost_doubled_or_charged_wrongly_in_an_evening_of_faults(subject: str) -> None:
    found = run(subject, 1, SAMPLES[subject], SAMPLE_CALM)

    assert found.verdict.wrong == []
    assert found.befell.total() > 0
    assert found.verdict.counts["promised"] > 0


@pytest.mark.long
@pytest.mark.timeout(3_600)
def test_nothing_is_lost_doubled_or_charged_wrongly_by_a_thousand_of_each_fault() -> None:
    jobs = [(subject, seed) for subject, (many, _) in RUNS.items() for seed in range(many)]
    found = {subject: Found() for subject in RUNS}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for (subject, _), one in zip(jobs, pool.map(_evening, jobs), strict=True):
            found[subject].add(one)
    text = figures(found)
    write_section("Faults on the wire", text)
    print(text)  # noqa: T201 - who runs the long tests wants to see them
    assert [wrong for one in found.values() for wrong in one.verdict.wrong] == []
    for family in ([LINK], KITS):
        befell = _together(found[subject] for subject in family)
        assert {fault for fault, times in befell.items() if times < OF_EACH_FAULT} == set()


def _evening(job: tuple[str, int]) -> Found:
    subject, seed = job
    return run(subject, seed, RUNS[subject][1])


def _together(found: Iterable[Found]) -> Counter[str]:
    return sum((one.befell for one in found), Counter())
