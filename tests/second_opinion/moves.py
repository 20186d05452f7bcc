"""A whole random hand, made of moves; each move ends with somebody's discard."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from tests.second_opinion.acts import turn
from tests.second_opinion.calls import calls_together, chow, empty_call, pung
from tests.second_opinion.deals import deal
from tests.second_opinion.hands import Play
from tests.second_opinion.limits import Book
from tests.second_opinion.mishaps import (
    bounce,
    discard_before_draw,
    early_draw,
    missed_press,
    outage,
    replayed,
    shown_by_a_claim,
)
from tests.second_opinion.referee import rule_afterwards, rule_in_play
from tests.second_opinion.spans import SECOND
from tests.second_opinion.stops import end, hu_then_turn, hu_undone_by_a_press, pause_then_turn
from tests.second_opinion.story import Story

MOVES: dict[Callable[[Play], None], int] = {
    turn: 40,
    pung: 16,
    chow: 10,
    calls_together: 5,
    empty_call: 4,
    missed_press: 4,
    shown_by_a_claim: 3,
    bounce: 3,
    replayed: 4,
    outage: 1,
    early_draw: 5,
    discard_before_draw: 4,
    pause_then_turn: 4,
    hu_then_turn: 3,
    hu_undone_by_a_press: 2,
}
"""What may come next, and how often beside the others."""


def random_hand(seed: str, book: Book) -> tuple[Book, Story]:
    """Return a hand that the seed alone decides, and the book with the event's settings."""
    rng = Random(seed)
    if rng.random() < 0.2:
        book = replace(book, reach=SECOND)
    play = Play(rng, book)
    deal(play)
    for move in rng.choices(list(MOVES), list(MOVES.values()), k=rng.randint(3, 14)):
        move(play)
        if rng.random() < 0.1:
            rule_in_play(play)
    end(play)
    rule_afterwards(play)
    return book, tuple(play.story)
