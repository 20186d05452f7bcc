"""What version 0.1.0 wrote of a table is still read, and its rulings still stand."""

import json
from pathlib import Path
from typing import Any

import pytest

from controller.records import Codec
from controller.records_former import renewed
from controller.table_core import Stimulus
from controller.table_memory import MEMORY, STIMULUS, TableMemory
from scoring import docket
from scoring.alert import AlertStatus, Deed
from scoring.ledger import ledger
from table.abilities import EVERY
from table.alert_commands import Reverse, Undo
from table.commands import Ordered, Precondition, StartHand
from table.events import Condition, Fault, FaultRaised, LinkUp, Observed
from table.faults import Severity
from table.fouls import FoulSeen
from table.moment import Interval, Moment, Quality
from table.sanctions import WARNING, Sanction, points
from table.seat import Seat
from tests.controller.pure_table import RULES
from timing.machine_phases import Cycling, StandingFault
from timing.phases import Paused, Turn, Verifying

MEMORIES: dict[str, Any] = json.loads(
    Path(__file__).with_name("former_memories.json").read_text(encoding="utf-8")
)
"""As version 0.1.0 wrote them, one for each phase of a hand."""


def recalled(name: str) -> TableMemory:
    return MEMORY.decode(json.dumps(MEMORIES[name]), name)


@pytest.mark.parametrize("name", MEMORIES)
def test_every_phase_is_read_and_written_in_the_present_form(name: str) -> None:
    memory = recalled(name)
    assert memory.state.hand.players.three == "cy"
    again = json.loads(MEMORY.encode(memory))
    assert renewed(again) is again
    assert MEMORY.decode(json.dumps(again), name) == memory


def test_who_had_declared_hu_is_kept() -> None:
    phase = recalled("verifying").state.hand.phase
    assert isinstance(phase, Verifying)
    assert phase.seats == (Seat.THREE, Seat.TWO)


def test_a_held_press_and_a_pause_are_kept() -> None:
    turn = recalled("turn with a held press").state.hand.phase
    assert isinstance(turn, Turn)
    assert [press.seat for press in turn.held] == [Seat.ONE]
    paused = recalled("paused").state.hand.phase
    assert isinstance(paused, Paused)
    assert paused.reason == "tea"


def test_the_newest_throw_is_kept() -> None:
    assert recalled("turn").state.machine.throws == ((2, 5),)
    assert recalled("idle").state.machine.throws == ()


def test_faults_that_were_kept_as_bare_kinds_are_graded() -> None:
    memory = json.loads(MEMORY.encode(recalled("turn")))
    beneath = {"type": "Cycling", "since": 1, "slow": True}
    phase = {"type": "Faulty", "faults": ["tile-jam", "unknown"], "beneath": beneath}
    memory["state"]["machine"] = {"phase": phase, "seq": 3, "throws": [], "last": 5}
    machine = MEMORY.decode(json.dumps(memory), "memory of 1.1").state.machine
    assert machine.standing == (
        StandingFault(Fault.TILE_JAM, severity=Severity.STANDSTILL),
        StandingFault(Fault.UNKNOWN, severity=Severity.HINDRANCE),
    )
    assert machine.beneath == Cycling(Moment(1), slow=True)
    assert (machine.lift, machine.abilities) == (None, EVERY)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            (
                '{"type":"LinkUp","holds":true,"draws":false,"condition":{"cycling":true,'
                '"wall_ready":false,"wall_raised":true,"faults":["unknown"]}}'
            ),
            LinkUp(
                holds=True,
                draws=False,
                condition=Condition(
                    cycling=True,
                    wall_ready=False,
                    wall_raised=True,
                    faults=frozenset({Fault.UNKNOWN}),
                ),
            ),
        ),
        (
            (
                '{"type":"Observed","event":{"type":"FaultRaised","fault":"tile-jam","code":17},'
                '"when":{"earliest":1,"latest":1,"quality":"device","stamp":null},"replayed":false}'
            ),
            Observed(FaultRaised(Fault.TILE_JAM, 17), Interval.exactly(Moment(1), Quality.DEVICE)),
        ),
        (
            (
                '{"type":"Ordered","command":{"type":"StartHand"},"person":"li",'
                '"precondition":{"hand":"","machine_seq":null}}'
            ),
            Ordered(StartHand(), "li", Precondition(hand="")),
        ),
    ],
)
def test_what_was_recorded_of_machines_and_hands_is_still_read(text: str, wanted: Stimulus) -> None:
    assert STIMULUS.decode(text, "record 7") == wanted


def test_the_rulings_stand_where_they_stood() -> None:
    kept = recalled("over").state.docket
    statuses = {name: alert.status for name, alert in kept.alerts.items()}
    assert statuses == {
        "t1-1-f1": AlertStatus.REVERSED,
        "t1-1-f2": AlertStatus.MODIFIED,
        "t1-1-f3": AlertStatus.WAIVED,
        "t1-1-f4": AlertStatus.ACKNOWLEDGED,
    }
    assert [(line.alert, line.step) for line in ledger(kept).lines] == [("t1-1-f2", 1)]
    assert ledger(kept).totals == {"cy": -10}
    assert [alert.id for alert in kept.before_the_referee] == ["t1-1-f4", "t1-1-f2"]
    assert [one.deed for one in kept.alerts["t1-1-f1"].rulings] == [Deed.CONFIRMED, Deed.REVERSED]


def test_a_ruling_made_before_can_still_be_reversed_and_a_slip_undone() -> None:
    kept, now = recalled("over").state.docket, Moment(60_000_000)
    reversal = Ordered(Reverse("t1-1-f2", 3, "wrong seat"), "referee-1")
    after = docket.step(RULES.fouls, kept, reversal, now).docket
    assert after.alerts["t1-1-f2"].status is AlertStatus.REVERSED
    undone = docket.step(RULES.fouls, kept, Ordered(Undo("t1-1-f3", 2), "referee-1"), now).docket
    assert undone.alerts["t1-1-f3"].status is AlertStatus.ACKNOWLEDGED


def test_values_written_before_a_field_existed_are_read_without_it() -> None:
    fouls, sanctions = Codec[FoulSeen](FoulSeen), Codec[Sanction](Sanction)
    foul = MEMORIES["over"]["state"]["docket"]["alerts"]["t1-1-f1"]["foul"]
    read = fouls.decode(json.dumps(foul), "record 1")
    assert (read.id, read.entered_by, read.remark) == ("t1-1-f1", "", "")
    assert sanctions.decode('{"kind":"points","points":10}', "record 1") == points(10)
    assert sanctions.decode('{"kind":"warning","points":0}', "record 1") == WARNING
