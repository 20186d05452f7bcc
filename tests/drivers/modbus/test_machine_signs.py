"""What lamps, switches and codes of a machine say."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.modbus.functions import Sign
from drivers.modbus.lamps import SMOOTHING, first_seen
from drivers.modbus.machine_signs import Signs, notice, notice_code
from drivers.modbus.profile_outputs import FaultSign
from drivers.modbus.windows import Window
from table.abilities import LiftAt
from table.events import (
    Condition,
    CyclePaused,
    CycleResumed,
    CycleStarted,
    Fault,
    FaultCleared,
    FaultRaised,
    LiftSensed,
    MachineStopped,
    Observed,
    WallRaised,
    WallReady,
)
from table.moment import Moment
from tests.drivers.modbus.pressed_inputs import MS, window

READY, CYCLING, RAISED = Sign.WALL_READY, Sign.CYCLING, Sign.WALL_RAISED
PAUSED, UP, DOWN = Sign.CYCLE_PAUSED, Sign.LIFT_UP, Sign.LIFT_DOWN
PERIOD = 20


def played(
    *spans: tuple[int, Mapping[Sign, bool] | Mapping[str, bool]],
) -> tuple[Signs, list[Observed]]:
    """Sample each set of levels for so many milliseconds, every 20."""
    signs, before, at = Signs(), None, 0
    events: list[Observed] = []
    for length, levels in spans:
        for _ in range(0, length, PERIOD):
            now = window(at, at + 5)
            noticed = notice(signs, {str(name): lit for name, lit in levels.items()}, before, now)
            signs, before, at = noticed.signs, now, at + PERIOD
            events += noticed.events
    return signs, events


def events_of(*spans: tuple[int, Mapping[Sign, bool] | Mapping[str, bool]]) -> list[object]:
    return [observed.event for observed in played(*spans)[1]]


def test_a_wall_is_ready_from_the_first_sample_that_showed_its_lamp() -> None:
    _, (ready,) = played((100, {READY: False}), (400, {READY: True}))
    assert ready.event == WallReady()
    assert ready.when.latest == Moment(105 * MS)
    assert ready.when.earliest == Moment(80 * MS) - SMOOTHING


def test_a_lamp_that_flickers_is_lit() -> None:
    flicker = [(20, {READY: lit}) for lit in (True, False, False, True, False) * 8]
    assert events_of((100, {READY: False}), *flicker) == [WallReady()]


def test_a_spike_is_no_lamp() -> None:
    assert events_of((100, {READY: False}), (20, {READY: True}), (900, {READY: False})) == []


@given(st.lists(st.integers(0, 30), max_size=40), st.integers(1, 19))
def test_a_lamp_driven_in_pulses_lights_once_and_goes_dark_once(
    waits: list[int], duty: int
) -> None:
    lamp = first_seen(window(0, 5), lit=False)
    before, at, changes = window(0, 5), 5, []
    for place, wait in enumerate([*waits, *([30] * 60)]):
        at += 1 + wait
        on = 300 <= at < 1000 and (place % 3 == 0 or at % 20 < duty)
        now = window(at, at + 3)
        lamp, change = lamp.seen(before, now, SMOOTHING, lit=on)
        before, at = now, at + 3
        changes += [(lamp.lit, change)] if change else []
    assert [lit for lit, _ in changes] == [True, False]
    assert changes[0][1].earliest <= Moment(300 * MS) <= changes[0][1].latest
    assert changes[1][1].earliest <= Moment(1000 * MS) <= changes[1][1].latest


def test_a_cycle_begins_and_ends_with_the_wall_ready() -> None:
    assert events_of(
        (100, {CYCLING: False, READY: False}),
        (900, {CYCLING: True, READY: False}),
        (900, {CYCLING: False, READY: True}),
    ) == [CycleStarted(), WallReady()]


def test_a_cycle_that_ends_without_its_lamp_was_stopped_when_it_ended() -> None:
    _, (started, stopped) = played(
        (100, {CYCLING: False, READY: False}),
        (900, {CYCLING: True, READY: False}),
        (3000, {CYCLING: False, READY: False}),
    )
    assert (started.event, stopped.event) == (CycleStarted(), MachineStopped())
    assert stopped.when.earliest == Moment(980 * MS)


def test_without_a_ready_lamp_the_end_of_cycling_means_ready() -> None:
    assert events_of((100, {CYCLING: True}), (900, {CYCLING: False})) == [WallReady()]


def test_a_ready_lamp_that_goes_dark_means_raised_only_where_nothing_says_it_better() -> None:
    assert events_of((100, {READY: True}), (900, {READY: False})) == [WallRaised()]
    assert (
        events_of((100, {READY: True, RAISED: False}), (900, {READY: False, RAISED: False})) == []
    )


def signs_of(*lit: Sign) -> dict[Sign, bool]:
    return {sign: sign in lit for sign in (CYCLING, READY, PAUSED)}


@pytest.mark.parametrize("while_open", [signs_of(CYCLING, PAUSED), signs_of(PAUSED)])
@pytest.mark.parametrize("between", [signs_of(), signs_of(CYCLING), signs_of(CYCLING, PAUSED)])
def test_a_cycle_that_was_paused_is_the_same_cycle(
    while_open: dict[Sign, bool], between: dict[Sign, bool]
) -> None:
    assert events_of(
        (300, signs_of()),
        (900, signs_of(CYCLING)),
        (100, between),
        (3000, while_open),
        (100, between),
        (3000, signs_of(CYCLING)),
        (900, signs_of(READY)),
    ) == [CycleStarted(), CyclePaused(), CycleResumed(), WallReady()]


def test_a_paused_cycle_that_never_goes_on_was_stopped() -> None:
    assert events_of(
        (900, signs_of(CYCLING)),
        (900, signs_of(PAUSED)),
        (3000, signs_of()),
        (900, signs_of(READY)),
    ) == [CyclePaused(), CycleResumed(), MachineStopped(), WallReady()]


def test_a_cycle_found_paused_goes_on_as_the_same() -> None:
    signs, events = played((20, signs_of(PAUSED)))
    assert events == []
    assert signs.condition({}) == Condition(
        cycling=True, wall_ready=False, wall_raised=False, reopened=True
    )
    assert events_of((300, signs_of(PAUSED)), (900, signs_of(CYCLING))) == [CycleResumed()]


def test_sensors_tell_where_the_lift_stands_once_it_stands_there() -> None:
    nowhere, up, down = ({UP: at is UP, DOWN: at is DOWN} for at in (None, UP, DOWN))
    signs, events = played((300, down), (900, nowhere), (900, up), (900, nowhere), (900, down))
    assert [observed.event for observed in events] == [
        LiftSensed(LiftAt.RAISED),
        LiftSensed(LiftAt.LOWERED),
    ]
    assert signs.lift is LiftAt.LOWERED
    assert played((300, {UP: True, DOWN: True}))[0].lift is None
    assert played((300, nowhere))[0].condition({}).lift is None


def test_a_fault_lamp_raises_its_fault_and_clears_it() -> None:
    jam = "fault-tile-jam"
    assert events_of((100, {jam: False}), (900, {jam: True}), (900, {jam: False})) == [
        FaultRaised(Fault.TILE_JAM),
        FaultCleared(Fault.TILE_JAM),
    ]


def test_a_machine_is_found_as_its_signs_show_it() -> None:
    lit = {READY: True, CYCLING: False, RAISED: True, "fault-overheat": True}
    signs, events = played((20, lit))
    assert events == []
    assert signs.condition({}) == Condition(
        cycling=False, wall_ready=True, wall_raised=True, faults=frozenset({Fault.OVERHEAT})
    )


def sign(value: int, fault: Fault) -> FaultSign:
    return FaultSign.model_validate(
        {
            "source": "none",
            "signal": "code",
            "value": value,
            "fault": fault,
            "severity": 3,
            "text": "what staff read",
        }
    )


LIST = (sign(3, Fault.TILE_JAM), sign(9, Fault.OVERHEAT))


def coded(codes: Sequence[int], faults: tuple[FaultSign, ...] = LIST) -> tuple[Signs, list[object]]:
    signs, events = Signs(), list[object]()
    windows: list[Window] = [window(at, at + 5) for at in range(0, 20 * (len(codes) + 1), 20)]
    for code, pair in zip(codes, pairwise(windows), strict=True):
        noticed = notice_code(signs, "code", code, faults, pair)
        signs = noticed.signs
        events += [observed.event for observed in noticed.events]
    return signs, events


def test_a_code_is_the_fault_that_its_profile_names_and_the_one_before_is_gone() -> None:
    _, events = coded([0, 3, 3, 9, 0])
    assert events == [
        FaultRaised(Fault.TILE_JAM, 3, "what staff read", 3),
        FaultCleared(Fault.TILE_JAM, 3),
        FaultRaised(Fault.OVERHEAT, 9, "what staff read", 3),
        FaultCleared(Fault.OVERHEAT, 9),
    ]


def test_a_code_that_nobody_listed_passes_through_as_unknown() -> None:
    signs, events = coded([0, 77, 78])
    assert events == [
        FaultRaised(Fault.UNKNOWN, 77),
        FaultCleared(Fault.UNKNOWN, 77),
        FaultRaised(Fault.UNKNOWN, 78),
    ]
    assert signs.condition({"code": LIST}).unknown == {78}


def test_a_code_found_at_the_first_sample_belongs_to_the_condition() -> None:
    signs, events = coded([3])
    assert events == []
    assert signs.condition({"code": LIST}).faults == {Fault.TILE_JAM}


@given(st.lists(st.integers(0, 12), max_size=20))
def test_after_any_codes_the_faults_told_are_those_that_stand(codes: list[int]) -> None:
    signs, events = coded([0, *codes])
    standing: set[Fault] = set()
    for event in events:
        if isinstance(event, FaultRaised):
            standing.add(event.fault)
        elif isinstance(event, FaultCleared):
            standing.remove(event.fault)
    assert signs.condition({"code": LIST}).faults == standing
