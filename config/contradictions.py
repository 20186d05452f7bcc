"""What a rule set says twice and differently, or says about nothing."""

from collections.abc import Iterator

from config.rule_set import LadderRule, RuleSet
from config.words import words
from scoring.rules import AlertPolicy, Powers
from table.fouls import FoulKind
from table.moment import ZERO
from table.sanctions import CHOICE, Sanction, SanctionKind
from timing.rules import FirstStart

MEASURED = frozenset(
    {
        FoulKind.DISCARD_OVER_LIMIT,
        FoulKind.HAND_TOTAL_OVER,
        FoulKind.LATE_PUNG,
        FoulKind.EARLY_DRAW,
        FoulKind.DISCARD_BEFORE_DRAW,
    }
)
"""Kinds that come with a time by which the limit was missed."""
SEATS = 4
DEALT = 53


def contradictions(book: RuleSet) -> list[str]:
    """Return a sentence, without its full stop, for each thing that does not fit together."""
    return [
        *_starts(book),
        *_totals(book),
        *_calls(book),
        *_sensed(book),
        *_wall(book),
        *_sum(book),
        *(wrong for kind, ladder in book.fouls.items() for wrong in _ladder(book, kind, ladder)),
    ]


def _starts(book: RuleSet) -> Iterator[str]:
    time = book.time
    if time.first_starts.value is FirstStart.LAST_FLOWER and not time.opening_flowers.value:
        yield (
            "time.first_starts is last-flower, but by time.opening_flowers no flower is replaced"
            " before the first discard"
        )
    if not time.flowers_at_most.value:
        for name in ("opening_flowers", "flower_restarts"):
            if getattr(time, name).value:
                yield f"time.{name} is true, but time.flowers_at_most is 0"
    if time.kong_restarts.value and not time.kongs_at_most.value:
        yield "time.kong_restarts is true, but time.kongs_at_most is 0"


def _totals(book: RuleSet) -> Iterator[str]:
    total = book.time.hand_total
    for name in ("first_discard", "turn"):
        single = getattr(book.time, name).value
        if total and total.value < single:
            yield (
                f"time.hand_total is {words(total.value)}, less than the {words(single)} of"
                f" time.{name}, so one discard in time would break it"
            )
    yield from _pair(book, total, "time.hand_total", FoulKind.HAND_TOTAL_OVER)
    if FoulKind.DISCARD_OVER_LIMIT not in book.fouls:
        yield "time.turn sets a limit, but fouls.discard-over-limit is missing"


def _calls(book: RuleSet) -> Iterator[str]:
    window, stands = book.time.call_window, book.time.late_call_stands
    if window and not stands:
        yield "time.call_window is given, but time.late_call_stands is missing"
    if stands and not window:
        yield "time.late_call_stands is given, but without time.call_window no call is late"
    yield from _pair(book, window, "time.call_window", FoulKind.LATE_PUNG)


def _pair(book: RuleSet, rule: object, name: str, kind: FoulKind) -> Iterator[str]:
    """Complain where only one of a rule and the ladder of its foul is given."""
    given = rule is not None
    if given and kind not in book.fouls:
        yield f"{name} is given, but fouls.{kind} is missing"
    if not given and kind in book.fouls:
        yield f"fouls.{kind} is given, but {name} is missing"


def _sensed(book: RuleSet) -> Iterator[str]:
    for name, kind in (
        ("early_draw", FoulKind.EARLY_DRAW),
        ("discard_before_draw", FoulKind.DISCARD_BEFORE_DRAW),
        ("empty_calls", FoulKind.EMPTY_CALL),
    ):
        rule = getattr(book.sensed, name)
        if rule and rule.value and kind not in book.fouls:
            yield f"sensed.{name} is to be seen, but fouls.{kind} is missing"
        if not rule and kind in book.fouls:
            yield (
                f"fouls.{kind} is given, but sensed.{name} is missing, which says whether a table"
                " looks for it"
            )


def _wall(book: RuleSet) -> Iterator[str]:
    tiles = 2 * SEATS * book.wall.stacks.value
    if book.wall.dead_tiles.value >= tiles - DEALT:
        yield (
            f"wall.dead_tiles is {book.wall.dead_tiles.value}, but of {tiles} tiles only"
            f" {tiles - DEALT} are left after the deal"
        )


def _sum(book: RuleSet) -> Iterator[str]:
    yield from _pair(book, book.overtime_sum, "overtime_sum", FoulKind.OVERTIME_SUM)
    for kind in book.overtime_sum.kinds if book.overtime_sum else ():
        if kind is FoulKind.OVERTIME_SUM:
            yield "overtime_sum.kinds names overtime-sum itself"
        elif kind not in book.fouls:
            yield f"overtime_sum.kinds names {kind}, but fouls.{kind} is missing"


def _ladder(book: RuleSet, kind: FoulKind, ladder: LadderRule) -> Iterator[str]:
    if bool(ladder.value) == bool(ladder.started):
        yield f"fouls.{kind} must have either steps or started"
    if CHOICE in ladder.value[:-1]:
        yield f"fouls.{kind}.steps: choice is only the last step, as the referee then decides"
    if CHOICE in ladder.choices:
        yield f"fouls.{kind}.choices: choice itself is nothing to choose"
    if kind not in MEASURED:
        if ladder.started:
            yield f"fouls.{kind}.started is given, but nothing is measured for this kind"
        if ladder.margin > ZERO:
            yield f"fouls.{kind}.margin_seconds is given, but nothing is measured for this kind"
    usual = (ladder.policy, ladder.margin, ladder.lapses) == (AlertPolicy.AUTO, ZERO, True)
    if not usual and not ladder.policy_rule:
        yield f"fouls.{kind}.policy_rule is missing, the source of policy, margin and lapses"
    yield from _outside(book, kind, ladder)


def _outside(book: RuleSet, kind: FoulKind, ladder: LadderRule) -> Iterator[str]:
    powers = powers_of(book)
    for step in ladder.value:
        if step not in ladder.choices and not within(powers, step):
            yield f"fouls.{kind}.steps: {step} is neither within [powers] nor among its choices"
    if ladder.started and ladder.started.points not in powers.points:
        yield f"fouls.{kind}.started.points is {ladder.started.points}, not among powers.points"


def powers_of(book: RuleSet) -> Powers:
    """Return what a referee may impose."""
    powers = book.powers
    return Powers(
        powers.warning,
        powers.points,
        powers.each,
        powers.player,
        frozenset(powers.measures),
        powers.rule,
    )


def within(powers: Powers, sanction: Sanction) -> bool:
    """Say whether every part of a sanction is among the powers; a choice always is."""
    head = {
        SanctionKind.WARNING: powers.warning,
        SanctionKind.POINTS: sanction.points in powers.points,
        SanctionKind.PAY_EACH: sanction.points in powers.each,
        SanctionKind.PAY_PLAYER: sanction.points in powers.player,
        SanctionKind.MEASURE: True,
        SanctionKind.CHOICE: True,
    }
    return head[sanction.kind] and powers.measures.issuperset(sanction.measures)
