"""What a referee may do to the course of a hand: time, whose turn it is, who plays on."""

from dataclasses import replace
from datetime import timedelta

from table.answers import Code
from table.commands import ExtraTime, GiveTime, SeatStandIn, SetTurn
from table.moment import ZERO, Interval
from table.restrictions import Restriction
from table.seat import BySeat, Seat
from timing.effects import HandEffect, HuTakenBack
from timing.order_effects import (
    ExtraTimeGiven,
    PlayResumed,
    SeatRestricted,
    StandInSeated,
    TimeGiven,
    TurnSet,
)
from timing.phases import Arranging, Hand, Playing, Turn, Unsynced
from timing.rules import TimeRules
from timing.standing import stand
from timing.steps import Step, refused, wrong_phase
from timing.totals import on_clock
from timing.turn_clock import from_now, opening_seen, quiet, silent, started
from timing.turn_parts import Clock, Discard

LONGEST_GIVEN = timedelta(hours=1)
"""More at once is taken for a slip of the finger. House choice."""


def exercise(
    rules: TimeRules,
    hand: Hand,
    command: GiveTime | ExtraTime | SetTurn | SeatStandIn,
    when: Interval,
) -> Step:
    """Carry out what the referee orders, or refuse it."""
    match command:
        case GiveTime(span=span) | ExtraTime(span=span) if not ZERO < span <= LONGEST_GIVEN:
            longest = LONGEST_GIVEN // timedelta(minutes=1)
            reason = f"{span} is not between 0 and {longest} minutes"
            return refused(hand, Code.BAD_VALUE, reason)
        case GiveTime(span=span):
            return _give_time(hand, span)
        case ExtraTime(span=span):
            total = hand.extra_time + span
            return Step(replace(hand, extra_time=total), (ExtraTimeGiven(span, total),))
        case SetTurn(seat=seat):
            return _set_turn(rules, hand, seat, when)
        case SeatStandIn(seat=seat, player=player):
            return _seat_stand_in(hand, seat, player)


def restrict(hand: Hand, restrictions: BySeat[Restriction]) -> Step:
    """Take over what the standing rulings forbid; a player who is back needs no stand-in."""
    changed = tuple(
        SeatRestricted(seat, now)
        for seat, now in restrictions.items()
        if now != hand.restrictions[seat]
    )
    stand_ins = BySeat.of(lambda seat: hand.stand_ins[seat] if restrictions[seat].out else "")
    return Step(replace(hand, restrictions=restrictions, stand_ins=stand_ins), changed)


def _give_time(hand: Hand, span: timedelta) -> Step:
    """Lengthen the limit of the running turn; a notice that it was reached is over."""
    timed = on_clock(hand)
    if timed is None:
        return wrong_phase(hand, "no clock is running")
    seat, clock = timed
    longer = replace(silent(clock), extra=clock.extra + span)
    return Step(_clocked(hand, longer), (*quiet(seat, clock), TimeGiven(seat, span)))


def _set_turn(rules: TimeRules, hand: Hand, seat: Seat, when: Interval) -> Step:
    """Put a seat on turn with a fresh limit; nobody is charged for what was before."""
    if not isinstance(hand.phase, Playing):
        return wrong_phase(hand, "a turn is set while a hand is played and not paused")
    opened = opening_seen(rules, hand, when)
    first = seat is hand.dealer and _nobody_discarded(hand.phase)
    clock = from_now(opened, rules.first_discard if first else rules.turn, when)
    pool = Discard(_discarder(hand, hand.phase, seat), when, when, open=False, judged=False)
    phase = Arranging(when, clock) if first else Turn(seat, clock, pool)
    effects = (*_closing(hand), TurnSet(seat), started(seat, clock))
    return Step(replace(opened, phase=phase), effects)


def _seat_stand_in(hand: Hand, seat: Seat, player: str) -> Step:
    """Let somebody play on at a seat whose player is out."""
    if not hand.restrictions[seat].out:
        return wrong_phase(hand, f"the player of seat {seat} is not out")
    others = {*hand.players, *(name for at, name in hand.stand_ins.items() if at is not seat)}
    if not player or player in others:
        return refused(
            hand, Code.BAD_VALUE, f"{player!r} cannot stand in: a fifth person is needed"
        )
    seated = replace(hand, stand_ins=hand.stand_ins.put(seat, player))
    return Step(seated, (StandInSeated(seat, hand.players[seat], player),))


def _clocked(hand: Hand, clock: Clock) -> Hand:
    match hand.phase:
        case Arranging() | Turn() as phase:
            return replace(hand, phase=replace(phase, clock=clock))
        case _:
            return hand


def _nobody_discarded(phase: Playing) -> bool:
    return isinstance(phase, Arranging) or (isinstance(phase, Unsynced) and not phase.begun)


def _discarder(hand: Hand, phase: Playing, seat: Seat) -> Seat:
    """Return whose discard a seat that is put on turn follows, as far as that is known."""
    match phase:
        case Arranging():
            return hand.dealer
        case Turn(pool=pool) if pool.seat is not seat:
            return pool.seat
        case Turn() | Unsynced():
            return seat.upper


def _closing(hand: Hand) -> tuple[HandEffect, ...]:
    """Close what runs or shows, and take back what was declared when step was lost."""
    match hand.phase:
        case Unsynced(declared=declared, resumed=resumed):
            back = tuple(HuTakenBack(each) for each in declared)
            return back if resumed else (*back, PlayResumed())
        case _:
            return stand(hand).effects
