"""The rules an event plays by, with their sources, for people and for the record."""

from collections.abc import Iterator
from dataclasses import dataclass

from config.models import Event, Settings
from config.rule_set import RuleSet, TimeLimits
from config.rulesets import effective
from config.words import words

CHOICES = {
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


def rules_in_force(settings: Settings) -> tuple[RuleInForce, ...]:
    """Return every rule of the event: limits, ladders, then what a book leaves to the organiser.

    Raises:
        SettingsError: the rule set cannot be read.
    """
    event = settings.event
    book = effective(event)
    return (*_limits(book, event), *_ladders(book, event), *_choices(event))


def rules_table(settings: Settings) -> str:
    """Return the rules as lines of text; a star marks what the event sets itself.

    Raises:
        SettingsError: the rule set cannot be read.
    """
    book, rules = effective(settings.event), rules_in_force(settings)
    name = max(len(rule.name) for rule in rules)
    value = max(len(rule.value) for rule in rules)
    lines = (
        f"{'*' if rule.own else ' '} {rule.name:{name}}  {rule.value:{value}}  {rule.source}"
        for rule in rules
    )
    head = f"Rule set {book.name}: {book.title}"
    foot = f"* changed by this event: {sum(rule.own for rule in rules)}"
    return "\n".join((head, "", *lines, "", foot))


def _limits(book: RuleSet, event: Event) -> Iterator[RuleInForce]:
    for name in TimeLimits.model_fields:
        rule = getattr(book.time, name)
        own = getattr(event.overrides, name) is not None
        value, source = (words(rule.value), rule.rule) if rule else ("none", "the book sets none")
        yield RuleInForce(name.replace("_", " "), value, source, own)


def _ladders(book: RuleSet, event: Event) -> Iterator[RuleInForce]:
    for kind, ladder in book.fouls.items():
        stepped, chosen = kind in event.overrides.steps, kind in event.alerts
        said = "this event" if chosen else "the rule set's default"
        yield RuleInForce(f"steps, {kind}", words(ladder.value), ladder.rule, stepped)
        yield RuleInForce(f"alerts, {kind}", words(ladder.policy), said, chosen)


def _choices(event: Event) -> Iterator[RuleInForce]:
    for key, name in CHOICES.items():
        given = key in event.model_fields_set
        source = "this event" if given else "default; no book says"
        yield RuleInForce(name, words(getattr(event, key)), source, own=False)
