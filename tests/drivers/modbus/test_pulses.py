"""Orders against outputs that obey, fall silent, or refuse."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.modbus.functions import Motor
from drivers.modbus.images import Part
from drivers.modbus.master_answers import Answer as Exchanged
from drivers.modbus.master_answers import Refused, Replied, Trouble, Unanswered
from drivers.modbus.profile_outputs import Limits
from drivers.modbus.pulse_run import Run
from drivers.modbus.pulse_steps import Step, Steps, level_steps, pulse_steps, took
from drivers.modbus.pulses import LATEST, Accepted, Job, Orders, Outlets, Place, accept, over
from drivers.modbus.requests import Read, Write
from drivers.port import Answer, Outcome
from table.commands import (
    Lift,
    PauseCycle,
    ResumeCycle,
    RollDice,
    SetLamp,
    Shuffle,
    SoundBuzzer,
    Stop,
    TableCommand,
)
from table.moment import MILLISECOND, Moment
from table.seat import Seat
from tests.drivers.modbus.pressed_inputs import window
from tests.drivers.modbus.pulsed_outputs import METHODS, Relay, layout

SILENT = Unanswered(Trouble.SILENT)
LATE = LATEST // MILLISECOND


def ms(count: int) -> timedelta:
    return timedelta(milliseconds=count)


def at(count: int) -> Moment:
    return Moment(count * 1000)


def outlets(
    motors: Mapping[str, str], *, rate: int = 600, limits: Mapping[str, Limits] | None = None
) -> Outlets:
    """Return a table whose functions each have a module with one output of a method."""
    return Outlets(
        {name: layout(method, rate=rate) for name, method in motors.items()},
        limits or {},
        {name: Place(name, "relay") for name in motors},
    )


def job(command: TableCommand, table: Outlets) -> Job:
    accepted = accept(table, Orders(), command, at(0))
    assert isinstance(accepted, Accepted)
    return accepted.job


def writes(method: str, length: int = 300) -> list[Step]:
    steps = pulse_steps(layout(method), "relay", ms(length))
    assert isinstance(steps, Steps)
    return list(steps.steps)


def test_a_flash_is_one_write_of_tenths_of_a_second_to_its_own_address() -> None:
    assert writes("flash") == [Step(Write(5, 0x0200, (3,)), starts=True)]


def test_a_start_coil_follows_its_widths() -> None:
    assert writes("start") == [
        Step(Write(6, 0x20, (3,))),
        Step(Write(6, 0x21, (3,))),
        Step(Write(6, 0x22, (1,))),
        Step(Write(5, 0x10, (0xFF00,)), starts=True),
    ]


def test_width_registers_are_followed_by_the_count_that_starts_them() -> None:
    assert writes("widths") == [
        Step(Write(16, 24, (0, 3))),
        Step(Write(16, 12, (0, 3))),
        Step(Write(16, 36, (0, 1)), starts=True),
    ]


def test_mode_and_delay_are_written_together() -> None:
    assert writes("mode") == [Step(Write(16, 3, (2, 3)), starts=True)]


def test_what_the_host_switches_on_it_switches_off_until_that_is_answered() -> None:
    assert writes("host") == [
        Step(Write(5, 0, (0xFF00,)), starts=True),
        Step(Write(5, 0, (0,)), after=ms(300), until_answered=True),
    ]


@pytest.mark.parametrize(("wanted", "tenths"), [(20, 1), (100, 1), (299, 2), (300, 3), (500, 5)])
def test_a_pulse_is_as_long_as_it_can_be_without_being_longer(wanted: int, tenths: int) -> None:
    assert writes("flash", wanted)[0].write.values == (tenths,)


def test_a_pulse_that_is_too_long_is_refused_with_its_limit() -> None:
    steps = pulse_steps(layout("flash"), "relay", ms(501))
    assert steps == "relay: 501 ms is longer than 500 ms"


def test_an_output_that_may_start_a_motor_is_never_left_on() -> None:
    assert level_steps(layout("flash"), "relay", "on") == (
        "relay may start a motor and is only ever pulsed"
    )


def test_a_lamp_is_switched_until_that_is_answered() -> None:
    lamp = level_steps(layout("host", motor=False), "relay", "on")
    assert isinstance(lamp, Steps)
    assert lamp.steps == (Step(Write(5, 0, (0xFF00,)), until_answered=True),)


def test_no_output_means_no_command() -> None:
    answer = accept(outlets({}), Orders(), SetLamp(Seat.ONE, lit=True), at(0))
    assert answer == Answer(Outcome.REFUSED, "this table has no output for SetLamp")


def test_lift_and_shuffle_never_go_together() -> None:
    table = outlets({Motor.LIFT: "flash", Motor.SHUFFLE: "flash"})
    lifted = accept(table, Orders(), Lift(), at(0))
    assert isinstance(lifted, Accepted)
    assert accept(table, lifted.orders, Shuffle(), at(1)) == Answer(
        Outcome.REFUSED, "shuffle.relay waits: the pulse of lift.relay is not surely over"
    )
    done = over(lifted.orders, lifted.job, at(20), Outcome.DONE)
    assert isinstance(accept(table, done, Shuffle(), at(219)), Answer)
    assert isinstance(accept(table, done, Shuffle(), at(220)), Accepted)


def test_after_a_time_out_an_output_waits_for_what_may_come_late() -> None:
    table = outlets({Motor.LIFT: "flash"})
    lifted = accept(table, Orders(), Lift(), at(0))
    assert isinstance(lifted, Accepted)
    doubted = over(lifted.orders, lifted.job, at(100), Outcome.UNCERTAIN)
    assert isinstance(accept(table, doubted, Lift(), at(299 + LATE)), Answer)
    assert isinstance(accept(table, doubted, Lift(), at(300 + LATE)), Accepted)


def test_outputs_that_a_profile_keeps_apart_are_not_pulsed_together() -> None:
    relays = layout("host", motor=False)
    two = {**relays.points, "other": relays.points["relay"]}
    both = type(relays)(two, {}, {"relay": METHODS["host"], "other": METHODS["host"]}, (), {})
    limits = Limits.model_validate({"source": "s", "never_together": [["relay", "other"]]})
    places = {"buzzer-1": Place("out", "relay"), "buzzer-2": Place("out", "other")}
    table = Outlets({"out": both}, {"out": limits}, places)
    first = accept(table, Orders(), SoundBuzzer(Seat.ONE, ms(200)), at(0))
    assert isinstance(first, Accepted)
    assert isinstance(accept(table, first.orders, SoundBuzzer(Seat.TWO, ms(200)), at(1)), Answer)


def test_an_output_is_not_pulsed_more_often_than_its_profile_allows() -> None:
    table, orders = outlets({Motor.DICE: "flash"}, rate=2), Orders()
    for place in range(2):
        thrown = accept(table, orders, RollDice(), at(place * 10_000))
        assert isinstance(thrown, Accepted)
        orders = over(thrown.orders, thrown.job, at(place * 10_000 + 5), Outcome.DONE)
    assert accept(table, orders, RollDice(), at(59_999)) == Answer(
        Outcome.REFUSED, "dice.relay was pulsed 2 times within a minute, more is not allowed"
    )
    assert isinstance(accept(table, orders, RollDice(), at(60_000)), Accepted)


def test_stop_is_always_taken_and_switches_every_motor_off() -> None:
    table = outlets({Motor.LIFT: "flash", Motor.SHUFFLE: "host"})
    lifted = accept(table, Orders(), Lift(), at(0))
    assert isinstance(lifted, Accepted)
    stopped = accept(table, lifted.orders, Stop(), at(1))
    assert isinstance(stopped, Accepted)
    assert {name: steps.steps for name, steps in stopped.job.steps} == {
        name: (Step(Write(5, 0, (0,)), until_answered=True),) for name in table.layouts
    }


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Replied(), Outcome.DONE),
        (SILENT, Outcome.UNCERTAIN),
        (Refused(0x02), Outcome.REFUSED),
        (Refused(0x0B), Outcome.UNCERTAIN),
    ],
)
def test_what_came_of_the_starting_write_is_what_came_of_the_order(
    reply: Exchanged, outcome: Outcome
) -> None:
    run = Run(Steps(tuple(writes("flash")))).heard(reply)
    assert run.due is None
    assert run.answer.outcome is outcome


def test_a_width_that_was_not_answered_starts_nothing() -> None:
    run = Run(Steps(tuple(writes("start")))).heard(Replied()).heard(SILENT)
    assert run.due is None
    assert run.answer == Answer(Outcome.REFUSED, "nothing was started: no answer in time")


def test_an_output_that_may_be_on_is_switched_off_even_so() -> None:
    run = Run(Steps(tuple(writes("host")))).heard(SILENT)
    assert run.due == writes("host")[1]
    assert run.wait == ms(300)
    for _ in range(5):
        run = run.heard(SILENT)
        assert run.wait == ms(0)
        assert run.due == writes("host")[1]
    run = run.heard(Replied())
    assert run.due is None
    assert run.answer.outcome is Outcome.UNCERTAIN


def test_a_module_that_will_not_switch_one_output_off_is_still_asked_for_the_others() -> None:
    off = (
        Step(Write(5, 0, (0,)), until_answered=True),
        Step(Write(5, 1, (0,)), until_answered=True),
    )
    run = Run(Steps(off)).heard(Refused(0x06)).heard(Refused(0x02))
    assert run.due == off[1]
    assert run.heard(Replied()).answer.outcome is Outcome.FAILED


@pytest.mark.parametrize("method", sorted(METHODS))
def test_an_order_that_was_stopped_starts_nothing_more(method: str) -> None:
    steps = writes(method)
    for done in range(len(steps)):
        run = Run(Steps(tuple(steps)))
        for _ in range(done):
            run = run.heard(Replied())
        run = run.stopped()
        begun = any(step.starts for step in steps[:done])
        assert run.due == (steps[-1] if begun else None)
        assert run.answer == Answer(Outcome.FAILED, "stopped")


def test_a_pulse_seen_while_it_lasts_is_certain() -> None:
    steps = pulse_steps(layout("flash"), "relay", ms(300))
    assert isinstance(steps, Steps)
    assert steps.proof == Read(1, 0, 1)
    assert took(steps, Part(steps.proof, (1,), window(0, 5)))
    assert not took(steps, Part(steps.proof, (0,), window(0, 5)))
    assert Run(steps).heard(SILENT).seen_on().answer == Answer(Outcome.DONE)


class Fate(Enum):
    """What becomes of a write."""

    DONE = auto()
    REPLY_LOST = auto()
    WRITE_LOST = auto()
    REFUSED = auto()
    GATEWAY = auto()


@dataclass
class Wire:
    """Carries orders out, write by write, against modules that obey at some moment or never."""

    relays: dict[str, Relay]
    fates: list[Fate]
    now: int = 0

    def carry_out(self, job: Job) -> Outcome:
        run = Run(Steps(()))
        for module, steps in job.steps:
            run = Run(steps)
            while (step := run.due) is not None:
                self.now += run.wait // MILLISECOND
                run = run.heard(self._ask(self.relays[module], step.write))
        return run.answer.outcome

    def _ask(self, relay: Relay, write: Write) -> Exchanged:
        fate = self.fates.pop() if self.fates else Fate.DONE
        self.now += 3
        if fate in {Fate.DONE, Fate.REPLY_LOST, Fate.GATEWAY}:
            relay.obey(write, self.now)
        self.now += 3
        match fate:
            case Fate.DONE:
                return Replied()
            case Fate.REFUSED:
                return Refused(0x06)
            case Fate.GATEWAY:
                return Refused(0x0B)
            case _:
                return SILENT


ORDERS = st.lists(
    st.tuples(
        st.sampled_from([Lift(), Shuffle(), RollDice(), PauseCycle(), ResumeCycle(), Stop()]),
        st.sampled_from([0, 1, 150, 400, 3000]),
    ),
    max_size=12,
)
METHOD = st.sampled_from(sorted(METHODS))


@given(
    ORDERS,
    st.lists(METHOD, min_size=len(Motor), max_size=len(Motor)),
    st.lists(st.sampled_from(Fate), max_size=40),
)
def test_no_orders_start_a_motor_twice_hold_it_too_long_or_run_two(
    orders: list[tuple[TableCommand, int]], methods: list[str], fates: list[Fate]
) -> None:
    wiring = dict(zip(map(str, Motor), methods, strict=True))
    table, state = outlets(wiring), Orders()
    wire = Wire({name: Relay(method) for name, method in wiring.items()}, fates)
    starts, sent = 0, tuple(fates)
    for command, wait in orders:
        wire.now += wait
        accepted = accept(table, state, command, at(wire.now))
        if isinstance(accepted, Answer):
            assert accepted.outcome is Outcome.REFUSED
            continue
        outcome = wire.carry_out(accepted.job)
        state = over(accepted.orders, accepted.job, at(wire.now), outcome)
        starts += accepted.job.pulses is not None
        assert sum(len(relay.spans) for relay in wire.relays.values()) <= starts
    lost = sum(fate is not Fate.DONE for fate in sent)
    spans = sorted(span for relay in wire.relays.values() for span in relay.spans)
    for since, until in spans:
        assert until - since <= 500 + 6 * (2 + lost)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
