"""Numbers of the wire and words of the table."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import gestures
from drivers.gestures import SeatInput, Senses
from drivers.port import Answer, Capability, Grade, Identity, Outcome
from drivers.table_link import codes, dialect
from drivers.table_link.messages import Command, Edge, Hello, Machine, Nack, Result, State
from table.abilities import LiftAt
from table.commands import Lift, RollDice, SetLamp, Shuffle, SoundBuzzer, Stop, TableCommand
from table.events import (
    Call,
    CyclePaused,
    CycleResumed,
    CycleStarted,
    DiceRolled,
    Fault,
    FaultCleared,
    FaultRaised,
    LiftSensed,
    MachineEvent,
    MachineStopped,
    WallRaised,
    WallReady,
)
from table.seat import Seat

NO_TIME = timedelta(0)
HELLO = Hello("Lotus", "Box A", "TL-1", "1.0", "C-7", 1, debounce_ms=10, hold_ms=900)


def _edge(seat: int, place: int, change: int, call: int = 0) -> gestures.Edge | None:
    heard = Edge(1, 0, 0, seat, place, change, call)
    return dialect.edge(heard, NO_TIME, NO_TIME)


def test_seat_one_of_the_wire_is_seat_one() -> None:
    assert [_edge(number, 1, 1) for number in (1, 2, 3, 4)] == [
        gestures.Edge(seat, SeatInput.DISCARD, gestures.Change.DOWN, NO_TIME, NO_TIME)
        for seat in Seat
    ]


def test_a_claim_names_its_call() -> None:
    calls = [edge.call for number in range(5) if (edge := _edge(3, 2, 2, number))]
    assert calls == [None, Call.CHOW, Call.PUNG, Call.KONG, Call.FLOWER]


@pytest.mark.parametrize(
    "numbers", [(0, 1, 1, 0), (5, 1, 1, 0), (1, 5, 1, 0), (1, 0, 1, 0), (1, 1, 4, 0), (1, 2, 1, 5)]
)
def test_an_unlisted_number_stands_for_nothing(numbers: tuple[int, int, int, int]) -> None:
    assert _edge(*numbers) is None


def test_the_end_of_the_deal_is_the_tables_own() -> None:
    assert dialect.ends_deal(Edge(1, 0, 0, 0, 4, 1))
    assert not dialect.ends_deal(Edge(1, 0, 0, 0, 4, 2))
    assert not dialect.ends_deal(Edge(1, 0, 0, 2, 4, 1))


@pytest.mark.parametrize(
    ("heard", "event"),
    [
        (Machine(1, 0, 1), CycleStarted()),
        (Machine(1, 0, 2), WallReady()),
        (Machine(1, 0, 3), WallRaised()),
        (Machine(1, 0, 4), MachineStopped()),
        (Machine(1, 0, 5, dice=(3, 5)), DiceRolled((3, 5))),
        (Machine(1, 0, 5), DiceRolled(None)),
        (Machine(1, 0, 6, 1), FaultRaised(Fault.TILE_JAM, 1)),
        (Machine(1, 0, 6, 0x1234), FaultRaised(Fault.UNKNOWN, 0x1234)),
        (Machine(1, 0, 7, 10), FaultCleared(Fault.POWER_LOST, 10)),
        (Machine(1, 0, 7, 0x1234), FaultCleared(Fault.UNKNOWN, 0x1234)),
        (Machine(1, 0, 8), CyclePaused()),
        (Machine(1, 0, 9), CycleResumed()),
        (Machine(1, 0, 10), LiftSensed(LiftAt.RAISED)),
        (Machine(1, 0, 11), LiftSensed(LiftAt.LOWERED)),
        (Machine(1, 0, 12), None),
    ],
)
def test_what_the_machine_did(heard: Machine, event: MachineEvent | None) -> None:
    assert dialect.machine_event(heard) == event


def test_every_fault_has_one_number() -> None:
    words = [dialect.fault(code) for code in codes.FaultCode]
    assert {*words, Fault.UNKNOWN} == {*Fault}
    assert len(words) == len({*words})


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (Shuffle(), Command(9, 1)),
        (Lift(), Command(9, 2)),
        (RollDice(), Command(9, 3)),
        (Stop(), Command(9, 4)),
        (SoundBuzzer(Seat.TWO, timedelta(milliseconds=300)), Command(9, 5, 2, 300)),
        (SoundBuzzer(Seat.TWO, timedelta(hours=1)), Command(9, 5, 2, 0xFFFF)),
        (SetLamp(Seat.FOUR, lit=True), Command(9, 6, 4, 1)),
        (SetLamp(Seat.FOUR, lit=False), Command(9, 6, 4, 0)),
    ],
)
def test_a_command_on_the_wire(command: TableCommand, message: Command) -> None:
    assert dialect.order(command, 9) == message


@pytest.mark.parametrize(
    ("result", "answer"),
    [
        (Result(9, 1), Answer(Outcome.DONE)),
        (Result(9, 2, 1), Answer(Outcome.FAILED, "tile-jam, code 1")),
        (Result(9, 3), Answer(Outcome.FAILED, "stopped")),
        (Result(9, 7), Answer(Outcome.UNCERTAIN, "the table gave ending 7")),
    ],
)
def test_how_a_command_ended(result: Result, answer: Answer) -> None:
    assert dialect.over(result) == answer


def test_a_refusal_gives_its_reason() -> None:
    assert dialect.refused(Nack(9, 4)) == Answer(Outcome.REFUSED, "another movement forbids it")
    assert dialect.refused(Nack(9, 77)) == Answer(Outcome.REFUSED, "the table gave reason 77")


def test_every_refusal_has_a_sentence_of_its_own() -> None:
    reasons = {dialect.refused(Nack(9, refusal)).reason for refusal in codes.Refusal}
    assert len(reasons) == len(codes.Refusal)
    assert not any("gave reason" in reason for reason in reasons)


def test_who_the_box_is() -> None:
    assert dialect.identity(HELLO) == Identity("Lotus", "Box A", "TL-1", "1.0", "C-7")


@given(st.sets(st.sampled_from(sorted(set(codes.Ability) - {codes.Ability.NONE}))))
def test_what_the_box_can_do(abilities: set[codes.Ability]) -> None:
    bits = sum(abilities)
    hello = Hello("", "", "", "", "", 1, abilities=bits)
    graded = dialect.capabilities(hello)
    assert {*graded} == {*Capability}
    native = {capability for capability, grade in graded.items() if grade is Grade.NATIVE}
    assert len(native) == len(abilities) + 2
    assert Capability.DEVICE_TIME in native
    assert dialect.senses(hello).releases == (codes.Ability.HOLD in abilities)


def test_what_the_inputs_can_tell() -> None:
    ms = timedelta(milliseconds=1)
    assert dialect.senses(HELLO) == Senses(releases=False, debounce=10 * ms, hold=900 * ms)


def test_the_machine_whole() -> None:
    condition = dialect.condition(State(1, 1, 0b10101, faults=(1, 999)))
    assert (condition.cycling, condition.wall_ready, condition.wall_raised) == (True, False, True)
    assert condition.faults == {Fault.TILE_JAM, Fault.UNKNOWN}
    assert condition.unknown == frozenset({999})
    assert (condition.reopened, condition.lift) == (False, None)


@pytest.mark.parametrize(
    ("bits", "reopened", "lift"),
    [
        (0b0010_0001, True, None),
        (0b0100_0000, False, LiftAt.RAISED),
        (0b1000_0000, False, LiftAt.LOWERED),
        (0b1100_0000, False, None),
    ],
)
def test_an_open_table_and_the_lift_show_in_the_state(
    bits: int, *, reopened: bool, lift: LiftAt | None
) -> None:
    condition = dialect.condition(State(1, 1, bits))
    assert (condition.reopened, condition.lift) == (reopened, lift)
