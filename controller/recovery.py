"""From the journal back to the state of a table: the newest snapshot, then every stimulus again."""

from controller.journal import Journal
from controller.table_core import TableRules, fresh, step
from controller.table_memory import MEMORY, STIMULUS, TableMemory
from scoring.effects import AlertRaised


def recover(journal: Journal, rules: TableRules, table: str) -> TableMemory:
    """Return a table as the journal left it.

    Moments in it belong to the session that wrote them; the loop begins with `Restarted`.

    Raises:
        JournalError: the file cannot be read, or holds what this version does not know.
    """
    memory, after = TableMemory(fresh(table), 0, {}), 0
    if (snapshot := journal.latest_snapshot(table)) is not None:
        place = f"snapshot of table {table} at {snapshot.position}"
        memory, after = MEMORY.decode(snapshot.state.decode(), place), snapshot.position
    state, seq, raised = memory.state, memory.seq, dict(memory.raised)
    for record in journal.records(table, after):
        stimulus = STIMULUS.decode(record.stimulus, f"record {record.position}")
        taken = step(rules, state, stimulus, record.moment)
        state, seq = taken.state, record.seq
        for effect in taken.effects:
            if isinstance(effect, AlertRaised):
                raised[effect.alert.id] = record.utc.isoformat()
    return TableMemory(state, seq, raised)
