"""Discard presses that a release has not settled yet, and what to go back to if they were none."""

from collections.abc import Iterable
from dataclasses import replace

from table.events import (
    ClaimPressed,
    DiscardPressed,
    DiscardReleased,
    HuDeclared,
    Observed,
    TileDrawn,
)
from table.moment import Interval
from table.seat import Seat
from timing.intervals import since
from timing.judgement import charge
from timing.phases import Arranging, Hand, HeldPress, Turn, Verifying
from timing.rules import TimeRules
from timing.steps import Step
from timing.turn_clock import silent
from timing.turn_parts import Overrun

_DEEPEST = len(Seat) - 1
"""So many presses of other seats can be held at once."""


def held(hand: Hand) -> tuple[HeldPress, ...]:
    """Return the presses that are not settled, also those from before a hu was declared."""
    match hand.phase:
        case Turn(held=presses) | Verifying(before=Turn(held=presses)):
            return presses
        case _:
            return ()


def with_held(hand: Hand, presses: Iterable[HeldPress]) -> Hand:
    """Return the hand with other unsettled presses; mostly there are none, before and after."""
    unsettled = tuple(presses)
    if not unsettled and not held(hand):
        return hand
    match hand.phase:
        case Turn() as turn:
            return replace(hand, phase=replace(turn, held=unsettled))
        case Verifying(before=Turn() as turn) as verifying:
            before = replace(turn, held=unsettled)
            return replace(hand, phase=replace(verifying, before=before))
        case _:
            return hand


def held_by(hand: Hand, seat: Seat) -> HeldPress | None:
    """Return the unsettled press of a seat."""
    return next((press for press in held(hand) if press.seat is seat), None)


def settled(hand: Hand, seat: Seat) -> Hand:
    """Return the hand after a seat's press is settled."""
    return with_held(hand, (press for press in held(hand) if press.seat is not seat))


def charged_with(hand: Hand, seat: Seat, overruns: tuple[Overrun, ...]) -> Step:
    """Charge what a discard turns out to have been, or let the release of its press charge it."""
    press = held_by(hand, seat)
    if press is None:
        return charge(hand, overruns)
    more = replace(press, overruns=(*press.overruns, *overruns))
    return Step(with_held(hand, (more if each is press else each for each in held(hand))))


def snapshot(hand: Hand, deepest: int = _DEEPEST) -> Hand:
    """Return the hand to go back to: as it is, but for what was signalled meanwhile."""
    presses = held(hand) if deepest else ()
    kept = with_held(
        replace(hand, last=None),
        (replace(press, before=snapshot(press.before, deepest - 1)) for press in presses),
    )
    match kept.phase:
        case Arranging(clock=clock) as phase if clock is not None:
            return replace(kept, phase=replace(phase, clock=silent(clock)))
        case Turn(clock=clock) as phase:
            return replace(kept, phase=replace(phase, clock=silent(clock)))
        case _:
            return kept


def gone_back(hand: Hand, press: HeldPress) -> Hand:
    """Return the hand as if a press had not been, but for fouls seen and orders given since."""
    return replace(
        press.before,
        fouls=hand.fouls,
        last=hand.last,
        inputs=hand.inputs,
        total_over=hand.total_over,
        restrictions=hand.restrictions,
        stand_ins=hand.stand_ins,
        extra_time=hand.extra_time,
        calls=hand.calls,
    )


def remember(rules: TimeRules, hand: Hand, seen: Observed) -> Hand:
    """Note what a seat said with each unsettled press of another seat that it follows closely."""
    return with_held(hand, (_noted(rules, press, seen) for press in held(hand)))


def forget(hand: Hand, seat: Seat, when: Interval) -> Hand:
    """Strike the press with which a hu began from all that is to be heard again."""
    return with_held(hand, (_without(press, seat, when) for press in held(hand)))


def _without(press: HeldPress, seat: Seat, when: Interval) -> HeldPress:
    kept = tuple(seen for seen in press.since if not _is(seen, seat, when))
    return replace(press, before=forget(press.before, seat, when), since=kept)


def _noted(rules: TimeRules, press: HeldPress, seen: Observed) -> HeldPress:
    own = _seat_of(seen) is press.seat
    if own or since(press.when, seen.when).over(rules.repeat_press):
        return press
    return replace(press, since=(*press.since, seen))


def _is(seen: Observed, seat: Seat, when: Interval) -> bool:
    return _seat_of(seen) is seat and seen.when == when


def _seat_of(seen: Observed) -> Seat | None:
    match seen.event:
        case (
            DiscardPressed(seat=seat)
            | DiscardReleased(seat=seat)
            | ClaimPressed(seat=seat)
            | HuDeclared(seat=seat)
            | TileDrawn(seat=seat)
        ):
            return seat
        case _:
            return None
