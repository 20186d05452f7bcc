"""A rehearsal in lines: for people, or as JSON for programs."""

import json
from collections.abc import Iterator, Sequence

from controller.rehearsal import Rehearsal
from controller.table_core import TableRules
from controller.wording import line, seconds
from mqtt.events import told
from scoring.ledger import ledger
from table.happening import ScriptLine
from table.moment import MICROSECOND


def report(rules: TableRules, script: Sequence[ScriptLine], *, as_json: bool) -> Iterator[str]:
    """Play a script and tell every event of the contract, then the ledger."""
    rehearsal = Rehearsal(rules)
    for happened in rehearsal.play(script):
        event = told(happened.effect)
        if event is None:
            continue
        at_us = happened.at // MICROSECOND
        if as_json:
            yield _json({"at_us": at_us, "kind": event.kind, "data": event.data})
        else:
            yield f"{seconds(at_us):>10}  {line(event.kind, event.data)}"
    kept = ledger(rehearsal.state.docket)
    if as_json:
        yield _json({"ledger": kept.totals})
        return
    yield from (f"    ledger  {player} {points:+}" for player, points in kept.totals.items())


def _json(told: dict[str, object]) -> str:
    return json.dumps(told, ensure_ascii=False)
