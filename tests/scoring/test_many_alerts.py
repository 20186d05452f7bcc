"""A docket that has seen a whole event: a step looks at few of its alerts."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import NoReturn

import pytest

from scoring import docket
from scoring.alert import Alert
from scoring.docket import Charged, Docket, DocketStimulus, HandBegan
from scoring.restrictions import restrictions
from table.alert_commands import Acknowledge, Confirm
from table.commands import Ordered
from table.events import Woken
from tests.scoring.cases import LATE, MCR, PLAYERS, START, Table, charge, foul

MANY = 2_000


class Watched(dict[str, Alert]):
    """Alerts that count how often one is looked at, and are never looked through."""

    def __init__(self, alerts: dict[str, Alert], looks: list[str]) -> None:
        super().__init__(alerts)
        self.looks = looks
        """Shared with every copy."""

    def __getitem__(self, name: str) -> Alert:
        self.looks.append(name)
        return super().__getitem__(name)

    def __or__(self, more: dict[str, Alert]) -> "Watched":  # type: ignore[override]  # no others
        return Watched(dict(list(super().items())) | more, self.looks)

    def __iter__(self) -> Iterator[str]:
        pytest.fail("all alerts are looked through")

    def values(self) -> NoReturn:
        pytest.fail("all alerts are looked through")


@cache
def after_an_event() -> Docket:
    table = Table()
    for number in range(MANY // 4):
        hand = f"h{number}"
        table.hand_began(hand)
        for seat, player in PLAYERS.items():
            table.charged(f"{hand}-f{seat}", player, hand)
            table.confirmed(f"{hand}-f{seat}")
    table.charged("open", hand="last")
    return table.docket


SEEN: Charged = charge(foul("new", "last", LATE))
ORDERS: list[DocketStimulus] = [
    Woken(),
    SEEN,
    HandBegan("next"),
    Ordered(Acknowledge("open", 1), "referee-1"),
    Ordered(Confirm("open", 1), "referee-1"),
]


@pytest.mark.parametrize("stimulus", ORDERS)
def test_a_step_looks_at_a_handful_of_two_thousand_alerts(stimulus: DocketStimulus) -> None:
    full, looks = after_an_event(), list[str]()
    assert len(full.alerts) == MANY + 1
    docket.step(MCR, replace(full, alerts=Watched(full.alerts, looks)), stimulus, START)
    assert len(looks) < 30


def test_to_ask_what_is_forbidden_looks_at_the_hand_alone() -> None:
    full, looks = after_an_event(), list[str]()
    restrictions(replace(full, alerts=Watched(full.alerts, looks)), "h7", PLAYERS)
    assert 0 < len(looks) < 10
