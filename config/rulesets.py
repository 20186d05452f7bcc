"""Reads rule sets and applies the event's own values to them."""

from pathlib import Path

from pydantic import ValidationError

from config.complaints import complaints
from config.models import Event, Overrides, Settings
from config.rule_set import LadderRule, RuleSet, SpanRule, TimeLimits
from config.shipped import is_path, shipped
from config.toml_file import read_toml
from scoring.rules import FoulRules, Ladder
from table.errors import SettingsError
from table.fouls import FoulKind
from timing.rules import Limit, TimeRules

OWN = "this event; the book says nothing"


def read_rule_set(named: str) -> RuleSet:
    """Return a shipped rule set, or the venue's own where the name is a path.

    Raises:
        SettingsError: the file cannot be read, or a sentence for each thing wrong in it.
    """
    file = Path(named) if is_path(named) else shipped()[named]
    content = read_toml(file)
    try:
        return RuleSet.model_validate(content)
    except ValidationError as error:
        sentences = complaints(error, RuleSet, lambda _location: str(file))
        raise SettingsError("\n".join(sentences)) from error


def effective(event: Event) -> RuleSet:
    """Return the rule set that the event plays by, its own values beside their sources.

    Raises:
        SettingsError: the rule set cannot be read.
    """
    book = read_rule_set(event.ruleset)
    update = {"time": _time(book.time, event.overrides), "fouls": _fouls(book, event)}
    return book.model_copy(update=update)


def time_rules(settings: Settings) -> TimeRules:
    """Return what the event says about time, as the core needs it.

    Raises:
        SettingsError: the rule set cannot be read.
    """
    event = settings.event
    book = effective(event)
    return TimeRules(
        name=book.name,
        first_discard=_limit(book.time.first_discard),
        turn=_limit(book.time.turn),
        turn_starts=book.time.turn_starts.value,
        call_window=_limit(book.time.call_window) if book.time.call_window else None,
        late_call_stands=book.time.late_call_stands.value,
        kong_restarts=book.time.kong_restarts.value,
        flower_restarts=book.time.flower_restarts.value,
        presumed_margin=event.presumed_margin,
        press_is_the_call=event.press_is_the_call,
        reach_time=event.reach,
        kongs_at_most=book.time.kongs_at_most.value,
        flowers_at_most=book.time.flowers_at_most.value,
        missed_press_notice=event.missed_press_notice,
        lamp_before=event.lamp_before,
        beep=event.beep,
        slow_cycle=event.slow_cycle,
        late_call_span=event.late_call,
        repeat_press=event.repeat_press,
    )


def foul_rules(settings: Settings) -> FoulRules:
    """Return what the event says about fouls, as the docket needs it.

    Raises:
        SettingsError: the rule set cannot be read.
    """
    book = effective(settings.event)
    ladders = {
        kind: Ladder(ladder.value, ladder.rule, ladder.policy, ladder.lapses)
        for kind, ladder in book.fouls.items()
    }
    return FoulRules(book.name, ladders, settings.event.lease)


def _limit(rule: SpanRule) -> Limit:
    return Limit(rule.value, rule.rule)


def _time(book: TimeLimits, own: Overrides) -> TimeLimits:
    update: dict[str, object] = {}
    for name in TimeLimits.model_fields:
        rule, value = getattr(book, name), getattr(own, name)
        if value is not None:
            update[name] = rule.instead(value) if rule else SpanRule(seconds=value, rule=OWN)
    return book.model_copy(update=update)


def _fouls(book: RuleSet, event: Event) -> dict[FoulKind, LadderRule]:
    fouls = dict(book.fouls)
    for kind, steps in event.overrides.steps.items():
        written = fouls.get(kind)
        fouls[kind] = written.instead(steps) if written else LadderRule(steps=steps, rule=OWN)
    for kind, policy in event.alerts.items():
        if kind in fouls:
            fouls[kind] = fouls[kind].model_copy(update={"policy": policy})
    return fouls
