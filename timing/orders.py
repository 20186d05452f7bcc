"""What a referee or the staff orders about a hand."""

import re
from dataclasses import replace
from typing import assert_never

from table.answers import Code, Refused
from table.commands import (
    AnswerCall,
    ConfirmHu,
    DrawHand,
    EndDeal,
    ExtraTime,
    GiveTime,
    HandCommand,
    Ordered,
    Pause,
    RestartHand,
    Resume,
    SeatPlayers,
    SeatStandIn,
    SetTurn,
    StartHand,
    VoidHand,
    WithdrawHu,
)
from table.moment import Interval
from table.seat import BySeat
from timing.endings import finish
from timing.hu import withdraw
from timing.order_effects import Decreed, PlayersSeated
from timing.pauses import pause, resume
from timing.phases import Arranging, Hand, Idle, Over, Verifying
from timing.powers import exercise
from timing.referee_calls import answer_call
from timing.rules import TimeRules
from timing.session import begin, deal_ended
from timing.steps import Step, refused, wrong_phase

_NEED_A_REASON = GiveTime | ExtraTime | SetTurn | VoidHand | RestartHand | SeatStandIn


def obey(rules: TimeRules, hand: Hand, ordered: Ordered, when: Interval) -> Step:
    """Carry out an order and say who gave it, or refuse it with the reason."""
    command = ordered.command
    if not isinstance(command, HandCommand):
        return refused(hand, Code.BAD_VALUE, f"{type(command).__name__} is no order for a hand")
    if isinstance(command, _NEED_A_REASON) and not command.reason.strip():
        return refused(hand, Code.REASON_MISSING, f"{_verb(command)} needs a reason")
    done = _carry_out(rules, hand, command, when)
    if any(isinstance(effect, Refused) for effect in done.effects):
        return done
    decreed = Decreed(_verb(command), ordered.person, getattr(command, "reason", ""))
    return Step(done.state, (decreed, *done.effects))


def _verb(command: HandCommand) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", type(command).__name__).lower()


def _carry_out(rules: TimeRules, hand: Hand, command: HandCommand, when: Interval) -> Step:
    match command:
        case StartHand() | EndDeal() | SeatPlayers():
            return _deal(rules, hand, command, when)
        case Pause() | Resume() | WithdrawHu():
            return _stop_or_go(rules, hand, command, when)
        case GiveTime() | ExtraTime() | SetTurn() | SeatStandIn():
            return exercise(rules, hand, command, when)
        case ConfirmHu() | DrawHand() | VoidHand() | RestartHand():
            return finish(rules, hand, command, when)
        case AnswerCall(seat=seat):
            return answer_call(hand, seat)
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
        return refused(hand, Code.BAD_VALUE, reason)
    seated = replace(hand, players=players, stand_ins=BySeat.all(""))
    return Step(seated, (PlayersSeated(players),))


def _stop_or_go(
    rules: TimeRules, hand: Hand, command: Pause | Resume | WithdrawHu, when: Interval
) -> Step:
    match command:
        case Pause(reason=reason):
            return pause(hand, reason, when)
        case Resume(remaining=remaining):
            return resume(rules, hand, when, remaining=remaining)
        case WithdrawHu():
            if isinstance(hand.phase, Verifying):
                return withdraw(rules, hand, hand.phase, when)
            return wrong_phase(hand, "no hu is declared")
