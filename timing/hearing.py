"""What a seat says in play: a discard, its release, a claim, a draw; and a hu that was none."""

from dataclasses import replace
from typing import TypeAlias, assert_never

from table.events import ClaimPressed, DiscardPressed, DiscardReleased, Observed, TileDrawn
from table.fouls import FoulSeen
from timing.claims import claim
from timing.discards import press, release
from timing.draws import draw
from timing.held_presses import remember
from timing.judgement import Gesture
from timing.phases import Hand
from timing.ready import ready
from timing.rules import TimeRules
from timing.steps import Step

PlaySaid: TypeAlias = DiscardPressed | DiscardReleased | ClaimPressed | TileDrawn


def hear(rules: TimeRules, hand: Hand, seen: Observed, said: PlaySaid) -> Step:
    """Take what a seat said, and note it with every press that may still turn out to be a hu."""
    done = _hear(rules, hand, Gesture(said.seat, seen.when, seen.replayed), said)
    charged = any(isinstance(effect, FoulSeen) for effect in done.effects)
    noted = replace(seen, replayed=seen.replayed or charged)
    return Step(remember(rules, done.state, noted), done.effects)


def hear_again(rules: TimeRules, hand: Hand, seen: tuple[Observed, ...]) -> Step:
    """Take what was said after a press that was none; what was charged is not charged twice."""
    step = Step(hand)
    for each in seen:
        match each.event:
            case DiscardPressed() | DiscardReleased() | ClaimPressed() | TileDrawn() as said:
                heard = hear(rules, step.state, each, said)
                step = Step(heard.state, step.effects + heard.effects)
            case _:
                pass
    return step


def _hear(rules: TimeRules, hand: Hand, gesture: Gesture, said: PlaySaid) -> Step:
    if isinstance(said, DiscardPressed | DiscardReleased):
        released = isinstance(said, DiscardReleased)
        if (answer := ready(rules, hand, gesture, released=released)) is not None:
            return answer
    match said:
        case DiscardPressed():
            return press(rules, hand, gesture)
        case DiscardReleased():
            return release(hand, gesture)
        case ClaimPressed(call=call):
            return claim(rules, hand, replace(gesture, call=call))
        case TileDrawn():
            return draw(rules, hand, gesture)
    assert_never(said)
