"""The rules a table is played under, as the settings give them."""

from dataclasses import replace

from config.models import Settings
from config.rulesets import foul_rules, time_rules, wall_rules
from controller.table_core import TableRules


def rules_of(settings: Settings) -> TableRules:
    """Return the rules that all tables of the event are played under.

    Raises:
        SettingsError: the rule set cannot be read.
    """
    return TableRules(time_rules(settings), foul_rules(settings), wall_rules(settings))


def rules_at(settings: Settings, rules: TableRules, table: str) -> TableRules:
    """Return the rules of the event with what the venue says about one table."""
    own = settings.tables[table]
    return replace(
        rules,
        time=replace(rules.time, deal_end=own.deal_end),
        machine=own.cycle.rules(settings.event.slow_cycle),
    )
