"""The machine's condition as its events leave it."""

from dataclasses import replace

import pytest

from drivers.condition import after
from table.events import (
    Condition,
    CycleStarted,
    DiceRolled,
    Fault,
    FaultCleared,
    FaultRaised,
    MachineEvent,
    MachineStopped,
    WallRaised,
    WallReady,
)

EMPTY = Condition(cycling=False, wall_ready=False, wall_raised=False)
CYCLING = Condition(cycling=True, wall_ready=False, wall_raised=False)
READY = Condition(cycling=False, wall_ready=True, wall_raised=False)
RAISED = Condition(cycling=False, wall_ready=False, wall_raised=True)
JAMMED = replace(EMPTY, faults=frozenset({Fault.TILE_JAM}))


@pytest.mark.parametrize(
    ("before", "event", "expected"),
    [
        (READY, CycleStarted(), CYCLING),
        (CYCLING, WallReady(), READY),
        (READY, WallRaised(), RAISED),
        (CYCLING, MachineStopped(), EMPTY),
        (RAISED, DiceRolled((1, 2)), RAISED),
        (EMPTY, FaultRaised(Fault.TILE_JAM, 1), JAMMED),
        (JAMMED, FaultRaised(Fault.TILE_JAM, 1), JAMMED),
        (JAMMED, FaultCleared(Fault.TILE_JAM), EMPTY),
        (EMPTY, FaultCleared(Fault.OVERHEAT), EMPTY),
    ],
)
def test_an_event_leaves_the_machine_so(
    before: Condition, event: MachineEvent, expected: Condition
) -> None:
    assert after(before, event) == expected
