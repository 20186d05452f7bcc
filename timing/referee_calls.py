"""Seats that call the referee: a call is open until a person answers it, whatever is played."""

from dataclasses import replace

from table.moment import Interval
from table.seat import Seat
from timing.effects import RefereeWanted
from timing.order_effects import CallAnswered
from timing.phases import Hand, RefereeCall
from timing.steps import Step, ignored, wrong_phase


def call_referee(hand: Hand, seat: Seat, when: Interval) -> Step:
    """Keep the call of a seat; one that waits already does not call twice."""
    if _waits(hand, seat):
        return ignored(hand, f"seat {seat} waits for the referee already")
    waiting = replace(hand, calls=(*hand.calls, RefereeCall(seat, when)))
    return Step(waiting, (RefereeWanted(seat),))


def answer_call(hand: Hand, seat: Seat) -> Step:
    """Close the call of a seat."""
    if not _waits(hand, seat):
        return wrong_phase(hand, f"seat {seat} does not wait for the referee")
    others = tuple(call for call in hand.calls if call.seat is not seat)
    return Step(replace(hand, calls=others), (CallAnswered(seat),))


def _waits(hand: Hand, seat: Seat) -> bool:
    return any(call.seat is seat for call in hand.calls)
