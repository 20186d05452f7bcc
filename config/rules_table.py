"""The rules an event plays by, with their sources, for people and for the record."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from config.columns import Row, columns
from config.models import Event, Settings
from config.rule_set import LadderRule, Rule, RuleSet
from config.rulesets import effective
from config.section import Section
from config.words import words
from scoring.rules import AlertPolicy, Scope
from table.fouls import SENSED
from table.moment import ZERO

CHOICES = {
    "chief_referees": "chief referees",
    "presumed_margin": "presumed overrun alerts beyond",
    "press_is_the_call": "the press is the call",
    "reach": "reach, if the press is not the call",
    "late_call": "a later call is of an unpressed discard",
    "repeat_press": "a sooner press is a repeat",
    "lease": "an alert is kept for one referee",
    "lamp_before": "lamp before the limit",
    "beep": "beep at the limit",
    "missed_press_notice": "missed presses until a notice",
    "slow_cycle": "machine cycle told to staff beyond",
}
"""What a rule book leaves to the organiser: keys of the event, in words."""
CALLS = ("call_window", "late_call_stands", "several_hu", "empty_calls")
"""Rules that are about calls; the other rules of time are limits."""


@dataclass(frozen=True, slots=True)
class RuleInForce:
    """One value the event plays by."""

    name: str
    value: str
    """In words, with its unit."""
    source: str
    """Book and article, or the event."""
    own: bool
    """The event sets another value than the book."""
    group: str = ""
    """The heading it stands under."""


def rules_in_force(settings: Settings) -> tuple[RuleInForce, ...]:
    """Return every rule of the event: limits, ladders, then what a book leaves to the organiser.

    Raises:
        SettingsError: the rule set cannot be read.
    """
    event = settings.event
    book = effective(event)
    limits = [rule for rule in _written(book.time, event) if rule.name not in _named(CALLS)]
    called = [rule for rule in _written(book.time, event) if rule.name in _named(CALLS)]
    return (
        *_under("Limits", limits),
        *_under("Wall", _written(book.wall, event)),
        *_under("Calls and draws", [*called, *_written(book.sensed, event)]),
        *_under("Fouls", _ladders(book, event)),
        *_under("Alerts of what a table senses", _alerts(book, event)),
        *_under("What a referee may impose", _powers(book)),
        *_under("What this event chooses", [*_choices(event), *_zones(settings)]),
    )


def rules_table(settings: Settings) -> str:
    """Return the rules as lines of text; a star marks what the event sets itself.

    Raises:
        SettingsError: the rule set cannot be read.
    """
    book, rules = effective(settings.event), rules_in_force(settings)
    rows = [
        Row(rule.group, "*" if rule.own else " ", (rule.name, rule.value, rule.source))
        for rule in rules
    ]
    head = f"Rule set {book.name}: {book.title}"
    foot = f"* changed by this event: {sum(rule.own for rule in rules)}"
    return "\n".join((head, *columns(rows), "", foot))


def _under(group: str, rules: Iterable[RuleInForce]) -> Iterator[RuleInForce]:
    return (replace(rule, group=group) for rule in rules)


def _named(keys: tuple[str, ...]) -> set[str]:
    return {key.replace("_", " ") for key in keys}


def _written(section: Section, event: Event) -> Iterator[RuleInForce]:
    for key in type(section).model_fields:
        rule = getattr(section, key)
        value, source = ("none", "the book sets none")
        if isinstance(rule, Rule):
            value, source = words(rule.value), rule.rule
        own = getattr(event.overrides, key) is not None
        yield RuleInForce(key.replace("_", " "), value, source, own)


def _ladders(book: RuleSet, event: Event) -> Iterator[RuleInForce]:
    for kind, ladder in book.fouls.items():
        yield RuleInForce(kind, _sanctions(ladder), ladder.rule, kind in event.overrides.steps)
    if book.overtime_sum:
        above = f"more than {book.overtime_sum.above} points of {words(book.overtime_sum.kinds)}"
        yield RuleInForce("overtime sum", above, book.overtime_sum.rule, own=False)


def _sanctions(ladder: LadderRule) -> str:
    choices = f"; on offer: {words(ladder.choices)}" if ladder.choices else ""
    session = "; counted in the session" if ladder.scope is Scope.SESSION else ""
    return ladder.sanctions + choices + session


def _alerts(book: RuleSet, event: Event) -> Iterator[RuleInForce]:
    for kind in (one for one in book.fouls if one in SENSED):
        ladder = book.fouls[kind]
        own = kind in event.alerts or kind in event.margins
        margin = f", beyond {words(ladder.margin)}" if ladder.margin > ZERO else ""
        stays = (
            "" if ladder.lapses or ladder.policy is AlertPolicy.RECORD_ONLY else ", never lapses"
        )
        said = ladder.policy_rule or "default: put before a referee"
        yield RuleInForce(f"alerts, {kind}", words(ladder.policy) + margin + stays, said, own)


def _powers(book: RuleSet) -> Iterator[RuleInForce]:
    for key, name in (
        ("warning", "warning"),
        ("points", "points, paid to nobody"),
        ("each", "points to each of the others"),
        ("player", "points to the player harmed"),
        ("measures", "measures"),
    ):
        source = book.powers.rule if key == "warning" else "as above"
        yield RuleInForce(name, words(getattr(book.powers, key)), source, own=False)


def _choices(event: Event) -> Iterator[RuleInForce]:
    for key, name in CHOICES.items():
        given = key in event.model_fields_set
        source = "this event" if given else "default; no book says"
        yield RuleInForce(name, words(getattr(event, key)), source, own=False)


def _zones(settings: Settings) -> Iterator[RuleInForce]:
    for person, zones in settings.board.zones.items():
        yield RuleInForce(f"zones of {person}", words(zones), "this event", own=False)
