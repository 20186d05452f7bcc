"""Reads rule sets and applies the event's own values to them."""

from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from config.complaints import complaints
from config.contradictions import contradictions, powers_of
from config.event import Event, Overrides
from config.keys import plain
from config.models import Settings
from config.rule_set import OWN, LadderRule, Rule, RuleSet, SpanRule
from config.section import Section
from config.shipped import is_path, shipped
from config.toml_file import read_toml
from scoring.rules import AlertPolicy, FoulRules, Ladder, Started, SumRule
from table.errors import SettingsError
from table.fouls import FoulKind
from table.moment import ZERO
from timing.rules import Limit, Sensed, TimeRules, WallRules

S = TypeVar("S", bound=Section)


def read_rule_set(named: str) -> RuleSet:
    """Return a shipped rule set, or the venue's own where the name is a path.

    Raises:
        SettingsError: the file cannot be read, or a sentence for each thing wrong in it.
    """
    file = Path(named) if is_path(named) else shipped()[named]
    content = read_toml(file)
    try:
        book = RuleSet.model_validate(content)
    except ValidationError as error:
        sentences = complaints(error, RuleSet, lambda _location: str(file))
        raise SettingsError("\n".join(sentences)) from error
    if wrong := contradictions(book):
        raise SettingsError("\n".join(f"{file}: {one}." for one in wrong))
    return book


def effective(event: Event) -> RuleSet:
    """Return the rule set that the event plays by, its own values beside their sources.

    Raises:
        SettingsError: the rule set cannot be read.
    """
    book = read_rule_set(event.ruleset)
    update = {
        "time": _instead(book.time, event.overrides),
        "sensed": _instead(book.sensed, event.overrides),
        "wall": _instead(book.wall, event.overrides),
        "fouls": _fouls(book, event),
    }
    return book.model_copy(update=update)


def time_rules(settings: Settings) -> TimeRules:
    """Return what the event says about time, as the core needs it.

    Raises:
        SettingsError: the rule set cannot be read.
    """
    event = settings.event
    book = effective(event)
    time = book.time
    return TimeRules(
        name=book.name,
        first_discard=Limit(time.first_discard.value, time.first_discard.rule),
        first_starts=time.first_starts.value,
        untimed_opening=_limit(time.untimed_opening),
        turn=Limit(time.turn.value, time.turn.rule),
        turn_starts=time.turn_starts.value,
        kong_restarts=time.kong_restarts.value,
        flower_restarts=time.flower_restarts.value,
        kongs_at_most=time.kongs_at_most.value,
        flowers_at_most=time.flowers_at_most.value,
        opening_flowers=time.opening_flowers.value,
        hand_total=_limit(time.hand_total),
        call_window=_limit(time.call_window),
        late_call_stands=time.late_call_stands is not None and time.late_call_stands.value,
        several_hu=time.several_hu.value,
        sensed=_sensed(book),
        presumed_margin=event.presumed_margin,
        press_is_the_call=event.press_is_the_call,
        reach_time=event.reach,
        missed_press_notice=event.missed_press_notice,
        lamp_before=event.lamp_before,
        beep=event.beep,
        late_call_span=event.late_call,
        repeat_press=event.repeat_press,
    )


def wall_rules(settings: Settings) -> WallRules:
    """Return what the event says about the wall, as the core needs it.

    Raises:
        SettingsError: the rule set cannot be read.
    """
    wall = effective(settings.event).wall
    sources = dict.fromkeys((wall.named_by.rule, wall.taken_from.rule))
    whole = [one for one in sources if not any(one in other for other in sources if other != one)]
    return WallRules(
        stacks=wall.stacks.value,
        named_by=wall.named_by.value,
        taken_from=wall.taken_from.value,
        dead_tiles=wall.dead_tiles.value,
        rule="; ".join(whole),
    )


def foul_rules(settings: Settings) -> FoulRules:
    """Return what the event says about fouls, as the docket needs it.

    Raises:
        SettingsError: the rule set cannot be read.
    """
    event = settings.event
    book = effective(event)
    total = book.overtime_sum
    return FoulRules(
        name=book.name,
        ladders={kind: _ladder(written) for kind, written in book.fouls.items()},
        lease=event.lease,
        powers=powers_of(book),
        overtime_sum=SumRule(total.above, frozenset(total.kinds), total.rule) if total else None,
        chiefs=frozenset(event.chief_referees),
    )


def _ladder(written: LadderRule) -> Ladder:
    started = written.started
    return Ladder(
        steps=written.value,
        rule=written.rule,
        policy=written.policy,
        lapses=written.lapses,
        margin=written.margin,
        scope=written.scope,
        started=Started(started.points, started.seconds) if started else None,
        choices=written.choices,
        title=written.title,
    )


def _limit(rule: SpanRule | None) -> Limit | None:
    return Limit(rule.value, rule.rule) if rule else None


def _sensed(book: RuleSet) -> Sensed:
    sensed = book.sensed
    early, before, empty = sensed.early_draw, sensed.discard_before_draw, sensed.empty_calls
    return Sensed(
        early_draw=early.rule if early and early.value else "",
        discard_before_draw=before.rule if before and before.value else "",
        empty_call=empty.rule if empty and empty.value else "",
        empty_calls=frozenset(empty.value) if empty else frozenset(),
    )


def _instead(written: S, own: Overrides) -> S:
    """Return a section of the book with the event's own values in place of the book's."""
    update: dict[str, object] = {}
    for name, field in type(written).model_fields.items():
        rule, value = getattr(written, name), getattr(own, name)
        kind = plain(field.annotation)
        if isinstance(rule, Rule) and value is not None:
            update[name] = rule.instead(value)
        elif value is not None and isinstance(kind, type) and issubclass(kind, Rule):
            update[name] = kind.own(value)
    return written.model_copy(update=update)


def _fouls(book: RuleSet, event: Event) -> dict[FoulKind, LadderRule]:
    fouls = dict(book.fouls)
    for kind, steps in event.overrides.steps.items():
        written = fouls.get(kind)
        fouls[kind] = written.instead(steps) if written else _own_ladder(kind, event)
    return {kind: _raised(kind, ladder, event) for kind, ladder in fouls.items()}


def _raised(kind: FoulKind, ladder: LadderRule, event: Event) -> LadderRule:
    """Return the ladder with the event's policy; a margin counts under `auto` only."""
    policy = event.alerts.get(kind, ladder.policy)
    margin = event.margins.get(kind, ladder.margin) if policy is AlertPolicy.AUTO else ZERO
    update: dict[str, object] = {"policy": policy, "margin": margin}
    if kind in event.alerts or kind in event.margins:
        update["policy_rule"] = "this event"
    return ladder.model_copy(update=update)


def _own_ladder(kind: FoulKind, event: Event) -> LadderRule:
    title = kind.replace("-", " ").capitalize()
    return LadderRule(title=title, steps=event.overrides.steps[kind], rule=OWN)
