"""What a referee rules in a random hand: on some fouls at once, on most when it is over."""

from table.fouls import FoulKind
from table.seat import Seat
from tests.second_opinion.amounts import Bill, Case, bill, proposal, step
from tests.second_opinion.hands import GAP, Play
from tests.second_opinion.spans import SECOND
from tests.second_opinion.story import Ruling


def rule_in_play(play: Play) -> None:
    """Rule on a foul where the ruling forbids nothing for the rest of the hand."""
    made = so_far(play)
    open_ones = [case for case in made.cases if case.status == "undecided"]
    if open_ones:
        case = play.rng.choice(open_ones)
        proposed = proposal(play.book, case.foul, step(made, case))
        if proposed == "warning" or proposed.removesuffix("-each").isdigit():
            rule(play, "confirm", case)


def rule_afterwards(play: Play) -> None:
    """Rule on most fouls in any order, and take a ruling back now and then."""
    cases = so_far(play).cases
    play.rng.shuffle(cases)
    for case in cases:
        if case.status == "undecided" and play.rng.random() < 0.7:
            rule(play, play.rng.choice(("confirm", "confirm", "confirm", "waive")), case)
    standing = so_far(play).standing
    if standing and play.rng.random() < 0.4:
        rule(play, "reverse", play.rng.choice(standing))


def so_far(play: Play) -> Bill:
    rulings = [one for _, one in play.story if isinstance(one, Ruling)]
    return bill(play.book, play.so_far().fouls, rulings)


def rule(play: Play, verb: str, case: Case) -> None:
    kind: FoulKind = case.foul.kind
    seat: Seat = case.foul.seat
    play.wait(GAP, SECOND)
    play.tell(Ruling(verb, kind, seat, case.number))
