"""Edges are stamped at once, bounces swallowed, holds told while they last."""

from datetime import timedelta

from drivers.table_link.codes import CallKind, Change
from drivers.table_link.codes import Input as WireInput
from drivers.table_link.messages import Edge
from simulator.deeds import Touch
from simulator.device_time import WRAP, DeviceTime
from simulator.inputs import Inputs
from table.events import Call
from table.happening import Input
from table.moment import Moment
from table.seat import Seat

TIME = DeviceTime(7, Moment(0))


def at(milliseconds: float) -> Moment:
    return Moment(int(milliseconds * 1000))


def down(seat: Seat, button: Input = Input.DISCARD, call: Call | None = None) -> Touch:
    return Touch(seat, button, down=True, call=call)


def up(seat: Seat, button: Input = Input.DISCARD) -> Touch:
    return Touch(seat, button, down=False)


def test_a_tap_is_a_down_and_an_up_with_the_same_first_edge() -> None:
    inputs = Inputs(TIME)
    told = inputs.touch(down(Seat.TWO), at(70_000)) + inputs.touch(up(Seat.TWO), at(70_080))
    assert told == [
        Edge(7, 70_000, 70_000, 2, WireInput.DISCARD, Change.DOWN),
        Edge(7, 70_000, 70_080, 2, WireInput.DISCARD, Change.UP),
    ]


def test_device_time_is_cut_to_milliseconds_never_rounded() -> None:
    assert Inputs(TIME).touch(down(Seat.ONE), at(9.999))[0].first_ms == 9


def test_a_named_claim_keeps_its_name_to_the_end() -> None:
    inputs = Inputs(TIME)
    told = inputs.touch(down(Seat.THREE, Input.CLAIM, Call.PUNG), at(0))
    told += inputs.touch(up(Seat.THREE, Input.CLAIM), at(84))
    assert [edge.call for edge in told] == [CallKind.PUNG, CallKind.PUNG]


def test_an_input_that_stays_down_is_told_as_held_once_at_its_hold_time() -> None:
    inputs = Inputs(TIME)
    inputs.touch(down(Seat.ONE), at(500))
    assert inputs.wake_at() == at(1500)
    assert inputs.pass_time(at(1499.999)) == []
    assert inputs.pass_time(at(1507)) == [
        Edge(7, 500, 1500, 1, WireInput.DISCARD, Change.HELD),
    ]
    assert inputs.pass_time(at(9000)) == []
    assert inputs.wake_at() is None
    assert inputs.touch(up(Seat.ONE), at(9001))[0].change == Change.UP


def test_a_bounce_is_swallowed() -> None:
    inputs = Inputs(TIME)
    inputs.touch(down(Seat.ONE), at(0))
    assert inputs.touch(up(Seat.ONE), at(3)) == []
    assert inputs.touch(down(Seat.ONE), at(4)) == []
    assert inputs.touch(up(Seat.ONE), at(80))[0].change == Change.UP


def test_an_up_without_a_down_says_nothing() -> None:
    assert Inputs(TIME).touch(up(Seat.ONE), at(80)) == []


def test_inputs_of_different_seats_do_not_hide_each_other() -> None:
    inputs = Inputs(TIME)
    for seat in Seat:
        assert inputs.touch(down(seat), at(seat))
    inputs.touch(down(Seat.FOUR, Input.CLAIM), at(5))
    assert inputs.bits == 0b1000_1111


def test_stamps_go_on_through_the_wrap_of_the_counter() -> None:
    late = at(WRAP - 40)
    inputs = Inputs(TIME)
    told = inputs.touch(down(Seat.ONE), late)
    told += inputs.touch(up(Seat.ONE), late + timedelta(milliseconds=80))
    assert [(edge.first_ms, edge.at_ms) for edge in told] == [
        (WRAP - 40, WRAP - 40),
        (WRAP - 40, 40),
    ]
    assert TIME.wraps(late) == 0
    assert TIME.wraps(late + timedelta(milliseconds=80)) == 1
