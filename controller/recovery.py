"""From the journal back to the state of a table: the newest snapshot, then every stimulus again."""

from dataclasses import replace

from controller.journal import Journal
from controller.numbering import Numbers, newest
from controller.table_core import TableRules, step
from controller.table_memory import MEMORY, STIMULUS, TableMemory, nothing


def recover(journal: Journal, rules: TableRules, table: str) -> TableMemory:
    """Return a table as the journal left it.

    Moments in it belong to the session that wrote them; the loop begins with `Restarted`.

    Raises:
        JournalError: the file cannot be read, or holds what this version does not know.
    """
    memory, position = nothing(table), 0
    if (snapshot := journal.latest_snapshot(table)) is not None:
        place = f"snapshot of table {table} at {snapshot.position}"
        memory, position = MEMORY.decode(snapshot.state.decode(), place), snapshot.position
        memory = replace(memory, evidence=memory.evidence.placed(position))
    for record in journal.records(table, position):
        stimulus = STIMULUS.decode(record.stimulus, f"record {record.position}")
        taken = step(rules, memory.state, stimulus, record.moment)
        memory = memory.after(taken, Numbers(record.seq), record.utc)
        memory = memory.recorded(stimulus, taken.effects, record.moment, record.position)
    return replace(memory, public=newest(journal.records_back(table)).public)
