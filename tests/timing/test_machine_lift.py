"""A lift with one key for both ways: it is never pushed while nobody knows where it stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.abilities import Abilities, LiftAt
from table.answers import Code, Refused
from table.commands import Lift, SetLift
from table.events import (
    Condition,
    CycleStarted,
    LiftSensed,
    LinkDown,
    LinkUp,
    Observed,
    Restarted,
    TableEvent,
    TableRebooted,
    WallRaised,
    WallReady,
)
from tests.timing.play import exactly, moment
from timing.machine import Machine, MachineStimulus, MotorOrder, fresh, step
from timing.machine_effects import LiftPlaced, MachineEffect, SendToTable
from timing.machine_rules import MachineRules

STACKED = Condition(cycling=False, wall_ready=True, wall_raised=False)
TOGGLES = Abilities(lift_toggles=True)
PLUGGED = LinkUp(holds=True, draws=False, condition=STACKED, abilities=TOGGLES)
PUSH = MotorOrder(Lift(), hand_running=False)


def after(*stimuli: MachineStimulus | TableEvent) -> Machine:
    return tried(fresh(), *stimuli)[0]


def tried(
    state: Machine, *stimuli: MachineStimulus | TableEvent
) -> tuple[Machine, tuple[MachineEffect, ...]]:
    effects: tuple[MachineEffect, ...] = ()
    for one in stimuli:
        known = isinstance(one, MachineStimulus)
        stimulus = one if known else Observed(one, exactly(1))  # type: ignore[arg-type] # an event
        done = step(MachineRules(), state, stimulus, moment(1))  # type: ignore[arg-type]
        state, effects = done.state, done.effects
    return state, effects


def pushed(state: Machine) -> bool:
    _, effects = tried(state, PUSH)
    return SendToTable(Lift()) in effects


def refusal(state: Machine) -> Refused:
    (refused,) = tried(state, PUSH)[1]
    assert isinstance(refused, Refused)
    return refused


def test_a_lift_whose_position_nobody_knows_is_not_moved_and_the_reason_is_told() -> None:
    refused = refusal(after(PLUGGED))
    assert refused.code is Code.LIFT_UNKNOWN
    assert refused.reason == (
        "nobody knows where the lift stands, and its one key moves it either way: look at it and"
        " say so with set-lift"
    )


def test_a_person_who_looked_lets_it_move() -> None:
    state, told = tried(after(PLUGGED), SetLift(LiftAt.LOWERED))
    assert told == (LiftPlaced(LiftAt.LOWERED, "a person looked"),)
    assert pushed(state)


def test_a_push_on_a_lift_that_is_up_would_lower_it() -> None:
    refused = refusal(after(PLUGGED, SetLift(LiftAt.RAISED)))
    assert (refused.code, refused.reason) == (
        Code.WRONG_PHASE,
        "the lift is raised: its key would lower it",
    )


def test_a_second_push_waits_until_the_first_has_shown_where_the_lift_is() -> None:
    state, told = tried(after(PLUGGED, SetLift(LiftAt.LOWERED)), PUSH)
    assert told == (SendToTable(Lift()), LiftPlaced(None, "its key was pushed"))
    assert refusal(state).code is Code.LIFT_UNKNOWN
    state, told = tried(state, WallRaised())
    assert LiftPlaced(LiftAt.RAISED, "the wall was raised") in told


@pytest.mark.parametrize(
    "lost", [LinkDown("cut"), Restarted("the daemon was started"), TableRebooted()]
)
def test_what_was_known_is_forgotten_when_people_can_have_pushed_the_key(
    lost: LinkDown | Restarted | TableRebooted,
) -> None:
    known = after(PLUGGED, SetLift(LiftAt.LOWERED))
    assert pushed(known)
    state, told = tried(known, lost)
    assert [one.position for one in told if isinstance(one, LiftPlaced)] == [None]
    assert not pushed(tried(state, PLUGGED)[0])


def test_a_sensor_says_where_it_is_on_connect_and_later() -> None:
    sensed = Condition(cycling=False, wall_ready=True, wall_raised=False, lift=LiftAt.LOWERED)
    link = LinkUp(holds=True, draws=False, condition=sensed, abilities=TOGGLES)
    assert pushed(after(link))
    assert not pushed(after(link, LiftSensed(LiftAt.RAISED)))


def test_a_cycle_shows_that_the_lift_is_down() -> None:
    assert pushed(after(PLUGGED, CycleStarted(), WallReady()))


def test_what_is_replayed_after_an_outage_shows_nothing_about_the_lift() -> None:
    old = Observed(CycleStarted(), exactly(1), replayed=True)
    assert not pushed(after(PLUGGED, old, WallReady()))


def test_a_lift_that_does_not_toggle_needs_nobody() -> None:
    plain = LinkUp(holds=True, draws=False, condition=STACKED)
    assert pushed(after(plain))
    assert pushed(after(plain, LinkDown("cut"), plain))
    (refused,) = tried(after(plain), SetLift(LiftAt.RAISED))[1]
    assert isinstance(refused, Refused)
    assert refused.code is Code.NOT_ABLE


def test_each_change_of_what_is_known_moves_the_precondition_on() -> None:
    state = after(PLUGGED)
    for stimulus in (SetLift(LiftAt.LOWERED), PUSH, WallRaised(), LinkDown("cut")):
        before = state.seq
        state = tried(state, stimulus)[0]
        assert state.seq > before


KNOWING = st.sampled_from(
    [SetLift(at) for at in LiftAt] + [LiftSensed(at) for at in LiftAt] + [WallRaised()]
)
LOSING = st.sampled_from([LinkDown("cut"), Restarted("restart"), TableRebooted(), PUSH])
OTHER = st.sampled_from([WallReady(), PLUGGED])


@given(st.lists(st.one_of(KNOWING, LOSING, OTHER), max_size=20))
def test_the_key_is_never_pushed_unless_something_said_since_that_the_lift_is_down(
    stimuli: list[MachineStimulus | TableEvent],
) -> None:
    state, down = after(PLUGGED), False
    for one in stimuli:
        moved = pushed(state)
        assert not moved or down
        if one is not PUSH or moved:
            down = _says_down(one, down)
        state = tried(state, one)[0]


def _says_down(one: MachineStimulus | TableEvent, before: bool) -> bool:  # noqa: FBT001 - a fold
    match one:
        case SetLift(position) | LiftSensed(position):
            return position is LiftAt.LOWERED
        case WallRaised() | LinkDown() | Restarted() | TableRebooted() | MotorOrder():
            return False
        case _:
            return before
