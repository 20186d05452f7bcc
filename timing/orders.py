"""What a referee or the staff orders about a hand."""

from dataclasses import replace
from typing import assert_never

from table.answers import Code, Refused
from table.commands import (
    ConfirmHu,
    DrawHand,
    EndDeal,
    HandCommand,
    Pause,
    Resume,
    SeatPlayers,
    StartHand,
    VoidHand,
    WithdrawHu,
)
from table.moment import Interval
from table.seat import BySeat
from timing.effects import HuTakenBack, PlayersSeated, PlayPaused, PlayResumed, Result
from timing.hu import withdraw
from timing.phases import Arranging, Hand, Idle, Over, Paused, Turn, Unsynced, Verifying
from timing.rules import TimeRules
from timing.session import begin, deal_ended, end, win
from timing.standing import set_going, stand, stilled
from timing.steps import Step, wrong_phase


def obey(rules: TimeRules, hand: Hand, command: HandCommand, when: Interval) -> Step:
    """Carry out an order, or refuse it with the reason."""
    match command:
        case StartHand() | EndDeal() | SeatPlayers():
            return _deal(rules, hand, command, when)
        case Pause(reason=reason):
            return _pause(hand, reason)
        case Resume():
            return _resume(rules, hand, when)
        case WithdrawHu():
            return _withdraw(rules, hand, when)
        case ConfirmHu() | DrawHand() | VoidHand():
            return _finish(hand, command)
    assert_never(command)


def _deal(
    rules: TimeRules, hand: Hand, command: StartHand | EndDeal | SeatPlayers, when: Interval
) -> Step:
    between = isinstance(hand.phase, Idle | Over)
    match command:
        case StartHand():
            return begin(hand, when) if between else wrong_phase(hand, "a hand is running")
        case EndDeal():
            if between or (isinstance(hand.phase, Arranging) and hand.phase.clock is None):
                return deal_ended(rules, hand, when, replayed=False)
            return wrong_phase(hand, "the deal of this hand has ended already")
        case SeatPlayers(players=players):
            if not between:
                return wrong_phase(hand, "players change seats between hands only")
            return _seat(hand, players)


def _seat(hand: Hand, players: BySeat[str]) -> Step:
    if len({*players}) < len(tuple(players)) or "" in players:
        reason = f"four different players are needed, not {', '.join(players)}"
        return Step(hand, (Refused(Code.BAD_VALUE, reason),))
    return Step(replace(hand, players=players), (PlayersSeated(players),))


def _pause(hand: Hand, reason: str) -> Step:
    match hand.phase:
        case Arranging() | Turn() as before:
            paused = replace(hand, phase=Paused(reason, stilled(before)))
            return Step(paused, (*stand(hand).effects, PlayPaused(reason)))
        case Idle() | Over():
            return wrong_phase(hand, "no hand is running")
        case Paused() | Verifying() | Unsynced():
            return wrong_phase(hand, "no clock is running")
    assert_never(hand.phase)


def _resume(rules: TimeRules, hand: Hand, when: Interval) -> Step:
    """Go on; after lost step nobody's clock can run before the next discard press."""
    match hand.phase:
        case Paused(before=before):
            going = Step(replace(hand, phase=before), (PlayResumed(),))
            return going.then(lambda h: set_going(rules, h, when))
        case Unsynced(declared=declared, resumed=False) as lost:
            back = tuple(HuTakenBack(seat) for seat in declared)
            resumed = replace(lost, declared=(), resumed=True)
            return Step(replace(hand, phase=resumed), (*back, PlayResumed()))
        case Unsynced():
            return wrong_phase(hand, "play goes on; clocks run from the next discard press")
        case _:
            return wrong_phase(hand, "play is not paused")


def _withdraw(rules: TimeRules, hand: Hand, when: Interval) -> Step:
    if isinstance(hand.phase, Verifying):
        return withdraw(rules, hand, hand.phase, when)
    return wrong_phase(hand, "no hu is declared")


def _finish(hand: Hand, command: ConfirmHu | DrawHand | VoidHand) -> Step:
    match hand.phase, command:
        case Idle() | Over(), _:
            return wrong_phase(hand, "no hand is running")
        case _, VoidHand():
            return end(hand, Result.VOID)
        case Verifying(seats=declared) | Unsynced(declared=declared), ConfirmHu():
            return win(hand, declared)
        case _, ConfirmHu():
            return _win_unsensed(hand)
        case Arranging() | Verifying(), DrawHand():
            return wrong_phase(hand, "a hand is drawn in play, when nobody has declared hu")
        case _, DrawHand():
            return end(hand, Result.DRAW)


def _win_unsensed(hand: Hand) -> Step:
    """Take the referee's word for a hu that the table's inputs cannot say."""
    if hand.inputs.holds:
        return wrong_phase(hand, "no hu is declared")
    return win(hand, ())
