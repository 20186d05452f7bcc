"""How a hand ends on order: won, drawn, void, or void and begun anew."""

from table.answers import Code
from table.commands import ConfirmHu, DrawHand, RestartHand, VoidHand
from table.moment import Interval
from table.seat import Seat
from timing.effects import Result
from timing.hu_ranking import may_win, order_of_pay, winners
from timing.phases import Arranging, Hand, Idle, Over, Unsynced, Verifying
from timing.rules import TimeRules
from timing.session import Ending, begin, end
from timing.steps import Step, refused, wrong_phase


def finish(
    rules: TimeRules,
    hand: Hand,
    command: ConfirmHu | DrawHand | VoidHand | RestartHand,
    when: Interval,
) -> Step:
    """End the hand as ordered, or refuse it."""
    if isinstance(hand.phase, Idle | Over):
        return wrong_phase(hand, "no hand is running")
    match command:
        case VoidHand(reason=reason):
            return end(rules, hand, Ending(Result.VOID, when, reason=reason))
        case RestartHand(reason=reason):
            void = end(rules, hand, Ending(Result.VOID, when, reason=reason))
            return void.then(lambda h: begin(h, when))
        case DrawHand(reason=reason):
            if isinstance(hand.phase, Arranging | Verifying):
                return wrong_phase(hand, "a hand is drawn in play, when nobody has declared hu")
            return end(rules, hand, Ending(Result.DRAW, when, reason=reason, unsaid=True))
        case ConfirmHu(seats=seats):
            return _confirm(rules, hand, seats, when)


def _confirm(rules: TimeRules, hand: Hand, seats: tuple[Seat, ...], when: Interval) -> Step:
    """Take the referee's word for who wins: of those who declared, where the table heard them."""
    declared = _declared(hand)
    unheard = not hand.inputs.holds or isinstance(hand.phase, Unsynced)
    if not declared and not unheard:
        return wrong_phase(hand, "no hu is declared")
    allowed = tuple(Seat) if not hand.inputs.holds or not declared else declared
    if len({*seats}) < len(seats) or not {*seats} <= {*allowed}:
        named, known = (", ".join(map(str, each)) for each in (seats, allowed))
        return refused(hand, Code.BAD_VALUE, f"each winner is one of {known}, not {named}")
    dead = [seat for seat in seats or declared if not may_win(hand, seat)]
    if dead and (seats or len(dead) == len(declared)):
        named = ", ".join(map(str, dead))
        return refused(hand, Code.BAD_VALUE, f"a ruling forbids hu to {named} in this hand")
    won = order_of_pay(hand, seats) or winners(rules, hand)
    return end(rules, hand, Ending(Result.HU, when, won, unsaid=not declared))


def _declared(hand: Hand) -> tuple[Seat, ...]:
    match hand.phase:
        case Verifying(seats=declared) | Unsynced(declared=declared):
            return declared
        case _:
            return ()
