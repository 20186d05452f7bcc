"""A discard press: always believed, and what it shows about presses that were missed."""

from dataclasses import replace
from typing import assert_never

from table.moment import Interval
from table.seat import Seat
from timing.draws import take
from timing.effects import Discarded, HandEffect, PressesMissed, WindowOpened
from timing.held_presses import held, held_by, settled, snapshot
from timing.hu import withdraw
from timing.intervals import implied, since
from timing.judgement import Gesture, Verdict, charge, judge_turn
from timing.order_effects import PlayResumed
from timing.out_of_turn import is_undrawn, judge_early_draw, left_out, still_out
from timing.phases import (
    Arranging,
    Hand,
    HeldPress,
    Idle,
    Over,
    Paused,
    Timed,
    Turn,
    Unsynced,
    Verifying,
)
from timing.precedence import certainly_before
from timing.rules import TimeRules
from timing.standing import stand
from timing.steps import Step, ignored
from timing.totals import add
from timing.turn_clock import opening_clock, opening_seen, quiet, silent, started
from timing.turn_parts import Clock, Discard, EarlyDraw
from timing.withdrawn_calls import late_calls, withdrawn


def press(rules: TimeRules, hand: Hand, said: Gesture) -> Step:
    """Take a discard press: the seat has discarded, and its lower seat is on turn."""
    match hand.phase:
        case Idle() | Over():
            return ignored(hand, "no hand is running")
        case Paused():
            return ignored(hand, "play is paused")
        case Verifying(before=Turn() as turn) if _repeats(rules, hand, turn, said):
            return ignored(hand, "the press repeats what is known")
        case Verifying() as before:
            back = withdraw(rules, hand, before, said.when)
            return back.then(lambda h: _press(rules, h, said, hand))
        case Arranging() | Turn() | Unsynced():
            return _press(rules, hand, said, hand)
    assert_never(hand.phase)


def release(hand: Hand, said: Gesture) -> Step:
    """Settle a discard press: it was a discard and nothing else, so its fouls are charged."""
    press = held_by(hand, said.seat)
    if press is None:
        return ignored(hand, "no press waits for this release")
    known = Step(settled(hand, said.seat), () if said.replayed else press.doubts)
    return known.then(lambda h: charge(h, () if said.replayed else press.overruns))


def imply_discard(rules: TimeRules, hand: Hand, phase: Timed, said: Gesture) -> Step:
    """Take the discard of the seat on turn as shown by another seat's claim."""
    when = _within_turn(phase, said)
    seat, open_now = _awaited(hand, phase), rules.call_window is not None
    away = still_out(hand, seat)
    pool = Discard(seat, when, None, open_now, judged=not said.replayed, returning=away)
    waiting = held(hand)
    return _count_unsaid(rules, stand(hand)).then(lambda h: _lay(rules, h, pool, waiting))


def _press(rules: TimeRules, hand: Hand, said: Gesture, before: Hand) -> Step:
    """Take a press during play; `before` is what a hold would lead back to."""
    match hand.phase:
        case Unsynced() if said.replayed:
            return ignored(hand, "a replayed press does not tell who is on turn now")
        case Turn() as turn if _is_late_press(rules, turn, said):
            return _pressed_late(_noted(hand, said), turn, said)
        case Turn() as turn if _repeats(rules, hand, turn, said):
            return ignored(hand, "the press repeats what is known")
        case _:
            return _discard(rules, hand, said, before)


def _is_late_press(rules: TimeRules, turn: Turn, said: Gesture) -> bool:
    """Say whether a seat presses for the discard that another seat's claim has shown already."""
    unsaid = said.seat is turn.pool.seat and turn.pool.said is None
    return unsaid and not since(turn.pool.when, said.when).over(rules.turn.span)


def _pressed_late(hand: Hand, turn: Turn, said: Gesture) -> Step:
    """Narrow the time of a discard that a claim has shown.

    A press after the claim may be of a later discard: no other's clock starts before it.
    """
    pool, clock = turn.pool, turn.clock
    inside = pool.when.earliest <= said.when.earliest and said.when.latest <= pool.when.latest
    turn = replace(
        turn, pool=replace(pool, when=said.when if inside else pool.when, said=said.when)
    )
    if clock.start is None or not certainly_before(clock.start, said.when):
        return Step(replace(hand, phase=turn))
    fresh = silent(replace(clock, start=said.when))
    known = Step(replace(hand, phase=replace(turn, clock=fresh)))
    return known.also(*quiet(turn.seat, clock), started(turn.seat, fresh))


def _repeats(rules: TimeRules, hand: Hand, turn: Turn, said: Gesture) -> bool:
    """Say whether a seat that has not called since presses twice, or a passed over one late."""
    pool, own = turn.pool, hand.pressed[said.seat]
    known = said.seat is pool.seat or said.seat in pool.passed_over
    if known and not since(pool.said or pool.when, said.when).over(rules.repeat_press):
        return True
    called = any(claim.seat is said.seat for claim in pool.claims)
    return own is not None and not called and not since(own, said.when).over(rules.repeat_press)


def _noted(hand: Hand, said: Gesture) -> Hand:
    return replace(hand, pressed=hand.pressed.put(said.seat, said.when))


def _discard(rules: TimeRules, hand: Hand, said: Gesture, before: Hand) -> Step:
    verdict = _verdict(rules, hand, said)
    mark = HeldPress(said.seat, said.when, snapshot(before), verdict.overruns, verdict.doubts)
    waiting = (*held(settled(hand, said.seat)), mark)
    passed = _passed_over(hand, said.seat)
    pool = Discard(
        said.seat,
        said.when,
        said.when,
        open=rules.call_window is not None,
        judged=not said.replayed and not _skips_a_round(hand, said),
        passed_over=frozenset(passed),
        undrawn=is_undrawn(rules, hand, said),
        returning=still_out(hand, said.seat, *passed) | left_out(hand, said.seat),
    )
    measured = add(_noted(hand, said), said.seat, verdict.used)
    closed = _count_unsaid(rules, stand(measured).also(*verdict.effects))
    laid = (
        closed.then(lambda h: _pass_over(rules, h, said))
        .then(lambda h: _lay(rules, h, pool, waiting))
        .then(lambda h: _take_drawn(rules, h, hand, said))
    )
    return laid if hand.inputs.holds else laid.then(lambda h: release(h, said))


def _verdict(rules: TimeRules, hand: Hand, said: Gesture) -> Verdict:
    """Measure the presser's own turn, and conclude calls that are late or were withdrawn."""
    match hand.phase:
        case Arranging(clock=clock, early=early) if clock is not None and said.seat is hand.dealer:
            return _own_turn(rules, clock, early, said)
        case Turn(seat=seat, clock=clock, early=early) as turn:
            own = said.seat is seat
            found = _own_turn(rules, clock, early, said) if own else withdrawn(rules, turn, said)
            return replace(found, overruns=(*late_calls(rules, turn, said), *found.overruns))
        case _:
            return Verdict()


def _own_turn(rules: TimeRules, clock: Clock, early: EarlyDraw | None, said: Gesture) -> Verdict:
    """Measure a turn, and whether the next seat drew before it was over."""
    own = judge_turn(rules, clock, said)
    return replace(own, overruns=(*own.overruns, *judge_early_draw(rules, early, said)))


def _lay(rules: TimeRules, hand: Hand, pool: Discard, held: tuple[HeldPress, ...]) -> Step:
    """Put the discard in the pool: the window opens and the next seat is on turn."""
    hand = opening_seen(rules, hand, pool.when)
    seat, clock = pool.seat.lower, opening_clock(rules, hand, pool)
    effects: list[HandEffect] = [Discarded(pool.seat, pool.when, implied=pool.said is None)]
    if isinstance(hand.phase, Unsynced) and not hand.phase.resumed:
        effects.insert(0, PlayResumed())
    if rules.call_window is not None:
        effects.append(WindowOpened(pool.seat, rules.call_window.span))
    turn = Turn(seat, clock, pool, held=held)
    return Step(replace(hand, phase=turn), (*effects, started(seat, clock)))


def _take_drawn(rules: TimeRules, hand: Hand, before: Hand, said: Gesture) -> Step:
    """Let the next seat have the tile that it drew when the discard may have been there."""
    early = before.phase.early if isinstance(before.phase, Timed) else None
    match hand.phase:
        case Turn(seat=seat) as turn if early is not None and early.seat is seat:
            in_turn = not certainly_before(early.when, said.when)
            drawn = Gesture(seat, early.when, early.replayed)
            return take(rules, hand, turn, drawn) if in_turn else Step(hand)
        case _:
            return Step(hand)


def _pass_over(rules: TimeRules, hand: Hand, said: Gesture) -> Step:
    """Imply the discards of the seats in between; they are charged nothing."""
    step = Step(hand)
    if isinstance(hand.phase, Arranging | Turn):
        when = _within_turn(hand.phase, said)
        for seat in _passed_over(hand, said.seat):
            step = _miss(rules, step.also(Discarded(seat, when, implied=True)), seat)
    return step


def _passed_over(hand: Hand, seat: Seat) -> tuple[Seat, ...]:
    """Return the seats whose missing discards a seat's discard shows, in order of play.

    Whoever claimed the newest discard, or would be next without a claim, passes over nobody: the
    claims of the others then came to nothing.
    """
    match hand.phase:
        case Arranging():
            first = hand.dealer
        case Turn(seat=first, pool=pool):
            claimers = {claim.seat for claim in pool.claims}
            if seat in {pool.seat.lower, *claimers}:
                return ()
        case _:
            return ()
    return tuple(first.after(steps) for steps in range(first.steps_to(seat)))


def _skips_a_round(hand: Hand, said: Gesture) -> bool:
    """Say whether the dealer would have its second turn before anybody's first was pressed."""
    return isinstance(hand.phase, Arranging) and said.seat.lower is hand.dealer


def _count_unsaid(rules: TimeRules, step: Step) -> Step:
    """Count the press that never came for a discard shown by a claim."""
    match step.state.phase:
        case Turn(pool=Discard(seat=seat, said=None)):
            return _miss(rules, step, seat)
        case _:
            return step


def _miss(rules: TimeRules, step: Step, seat: Seat) -> Step:
    hand = step.state
    count = hand.missed[seat] + 1
    told = (PressesMissed(seat, count),) if count >= rules.missed_press_notice else ()
    return Step(replace(hand, missed=hand.missed.put(seat, count)), (*step.effects, *told))


def _within_turn(phase: Timed, said: Gesture) -> Interval:
    """Return the whole interval in which a discard that nobody pressed can have been laid."""
    began = phase.pool.when if isinstance(phase, Turn) else phase.since
    return implied(began, said.when)


def _awaited(hand: Hand, phase: Timed) -> Seat:
    return phase.seat if isinstance(phase, Turn) else hand.dealer
