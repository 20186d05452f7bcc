"""The checker is worth something: it catches each planted fault within the sample."""

import pytest

from tests.second_opinion.faults import FAULTS, Fault
from tests.second_opinion.limits import BOOKS
from tests.second_opinion.moves import random_hand
from tests.second_opinion.table_under_test import disagreements, rules_of_event
from tests.second_opinion.test_agreement import SAMPLE


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_checker_catches_a_planted_fault_within_the_sample(
    fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = next(one for one in BOOKS if one.name == fault.book)

    for number in range(SAMPLE):
        played, story = random_hand(f"{book.name}-{number}", book)
        if disagreements(played, story, fault.plant(monkeypatch, rules_of_event(played))):
            return
    pytest.fail(f"{SAMPLE} hands of {book.name} do not show that {fault.name}")
