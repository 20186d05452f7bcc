"""What holds for the whole core in every book, whatever random hand it is told."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.alert import STANDING, AlertStatus
from scoring.ledger import Ledger, ledger
from table.alert_commands import Reverse
from table.commands import Ordered, Pause, Resume
from table.events import ClaimPressed, DiscardPressed, HuDeclared, Observed, TileDrawn
from table.fouls import FoulKind, FoulSeen
from table.moment import Interval, Quality, overlap
from tests.second_opinion.limits import BOOKS, TOTAL, WSOM, Book
from tests.second_opinion.moves import random_hand
from tests.second_opinion.spans import SECOND
from tests.second_opinion.story import Happening, Story
from tests.second_opinion.table_under_test import Run, played, rules_of_event
from timing.effects import HandEnded
from timing.hand import Arranging, Turn

names = st.sampled_from([book.name for book in BOOKS])
FEW = settings(max_examples=20, derandomize=True)
numbers = st.integers(0, 10**6)
GESTURES = (ClaimPressed, DiscardPressed, HuDeclared, TileDrawn)


def dealt(name: str, number: int) -> tuple[Book, Story]:
    book = next(one for one in BOOKS if one.name == name)
    return random_hand(f"{name}-{number}", book)


def told(book: Book, story: Story) -> Run:
    return played(rules_of_event(book), story)


@FEW
@given(names, numbers)
def test_what_some_pay_others_receive_or_nobody(name: str, number: int) -> None:
    run = told(*dealt(name, number))

    found = ledger(run.state.docket)

    to_nobody = sum(payment.points for payment in found.payments if payment.payee is None)
    assert sum(found.totals.values()) == -to_nobody
    for player in run.state.hand.players:
        paid = sum(one.points for one in found.payments if one.payer == player)
        received = sum(one.points for one in found.payments if one.payee == player)
        assert found.totals.get(player, 0) == received - paid


@FEW
@given(names, numbers, st.data())
def test_waking_changes_nothing_of_the_result(name: str, number: int, data: st.DataObject) -> None:
    book, story = dealt(name, number)
    ends = [story[0][0], story[-1][0]]
    wakes = data.draw(st.lists(st.integers(*ends), max_size=8))

    run = Run(rules_of_event(book))
    for moment, happening in merged(story, wakes):
        run.tell(moment, happening) if happening else run.wake(moment)

    quiet = told(book, story)
    assert run.state == quiet.state
    assert run.effects == quiet.effects


def merged(story: Story, wakes: list[int]) -> list[tuple[int, Happening | None]]:
    woken: list[tuple[int, Happening | None]] = [(moment, None) for moment in wakes]
    return sorted([*story, *woken], key=lambda one: one[0])


@FEW
@given(names, numbers, st.data())
def test_the_order_in_which_simultaneous_events_are_read_changes_no_result(
    name: str, number: int, data: st.DataObject
) -> None:
    book, story = dealt(name, number)
    pairs = list(simultaneous(story))
    if pairs:
        other = swapped(story, data.draw(st.sampled_from(pairs)))

        assert results(told(book, other)) == results(told(book, story))


def simultaneous(story: Story) -> Iterator[int]:
    """Find neighbours of two seats that may have happened at one moment and are read in a row."""
    for at, ((moment, one), (next_moment, other)) in enumerate(pairwise(story)):
        if next_moment - moment < SECOND // 10 and _at_once(one, other):
            yield at


def _at_once(one: Happening, other: Happening) -> bool:
    if not isinstance(one, Observed) or not isinstance(other, Observed):
        return False
    first, second = one.event, other.event
    if not isinstance(first, GESTURES) or not isinstance(second, GESTURES):
        return False
    return first.seat is not second.seat and overlap(one.when, other.when)


def swapped(story: Story, at: int) -> Story:
    """Let the second be read first, and both when both are known."""
    (_, one), (late, other) = story[at], story[at + 1]
    return (*story[:at], (late, other), (late, one), *story[at + 2 :])


def results(run: Run) -> tuple[object, ...]:
    """Return what is decided: fouls and winners.

    Of several hu at once the one that is read first ends the turn, so that a total may differ by
    less than their doubt; whose total is over is compared, not by how much.
    """
    fouls = Counter(
        (one.kind, one.seat, None if one.kind is TOTAL else one.measured, one.limit, one.presumed)
        for one in run.effects
        if isinstance(one, FoulSeen)
    )
    winners = [one.winners for one in run.effects if isinstance(one, HandEnded)]
    return fouls, winners


@FEW
@given(numbers, st.data())
def test_a_pause_anywhere_changes_no_used_total(number: int, data: st.DataObject) -> None:
    book, story = random_hand(f"exact-{number}", WSOM)
    story = sharply(story)
    at = data.draw(st.sampled_from([at for at in range(1, len(story)) if calm(book, story, at)]))
    length = data.draw(st.integers(1, 200)) * SECOND

    paused = told(book, with_a_pause(story, at, length))

    assert paused.state.hand.used == told(book, story).state.hand.used


def calm(book: Book, story: Story, at: int) -> bool:
    """Say whether a clock runs from a known moment, all was told, and its seat discards next.

    A call of a discard from before a pause is measured for nobody, so it counts no time either.
    """
    moment = story[at - 1][0]
    after = (one for _, one in story[at:] if isinstance(one, Observed))
    untold = any(one.when.latest.micros < moment for one in after)
    presses = (DiscardPressed, ClaimPressed)
    seen = [one.event for _, one in story[at:] if isinstance(one, Observed)]
    pressed = next((event for event in seen if isinstance(event, presses)), None)
    before = story[at - 1][1]
    held = isinstance(before, Observed) and isinstance(before.event, DiscardPressed)
    hand = told(book, story[:at]).state.hand
    phase = hand.phase
    repeats = phase.pool.passed_over if isinstance(phase, Turn) else frozenset()
    own = isinstance(pressed, DiscardPressed) and pressed.seat is hand.on_turn
    discards = own and hand.on_turn not in repeats and not held and not untold
    clock = phase.clock if isinstance(phase, Arranging | Turn) else None
    start = clock.start if clock else None
    return discards and start is not None and start.earliest == start.latest


def sharply(story: Story) -> Story:
    """Let the table have seen everything exactly, so that a pause adds no doubt."""
    return tuple((told, sharp(one)) for told, one in story)


def sharp(one: Happening) -> Happening:
    if not isinstance(one, Observed):
        return one
    return replace(one, when=Interval.exactly(one.when.latest, Quality.DEVICE))


def with_a_pause(story: Story, at: int, length: int) -> Story:
    """Stop all clocks before a happening, and let all that follows come so much later."""
    moment = story[at - 1][0]
    pause, resume = Ordered(Pause("tea"), "referee-1"), Ordered(Resume(), "referee-1")
    after = [(told + length, later(one, length)) for told, one in story[at:]]
    return (*story[:at], (moment, pause), (moment + length, resume), *after)


def later(one: Happening, length: int) -> Happening:
    if not isinstance(one, Observed):
        return one
    return replace(one, when=one.when.shifted(timedelta(microseconds=length)))


@FEW
@given(names, numbers, st.data())
def test_a_reversal_reversed_restores_the_ledger(
    name: str, number: int, data: st.DataObject
) -> None:
    book, story = dealt(name, number)
    run = told(book, story)
    standing = [one for one in run.state.docket.alerts.values() if one.status in STANDING]
    if not standing:
        return
    before, steps = ledger(run.state.docket), steps_of(run)
    alert = data.draw(st.sampled_from(standing)).id

    for moment in (1, 2):
        revision = run.state.docket.alerts[alert].revision
        order = Ordered(Reverse(alert, revision, "another player"), "referee-1")
        run.tell(story[-1][0] + moment, order)

    assert amounts(ledger(run.state.docket)) == amounts(before)
    assert steps_of(run) == steps


def amounts(found: Ledger) -> tuple[object, ...]:
    lines = [(one.alert, one.step, one.sanction, one.player) for one in found.lines]
    return lines, found.payments, found.totals


def steps_of(run: Run) -> Counter[tuple[FoulKind, str, int, AlertStatus]]:
    """Return the steps of all alerts; a sum that no longer held and holds again is a new alert."""
    return Counter(
        (one.foul.kind, one.player, one.step, one.status)
        for one in run.state.docket.alerts.values()
        if one.status is not AlertStatus.DROPPED
    )
