"""The machine of a table in words: its phase, its cycle and lift, and what is wrong; pure."""

from board.slots import Slots
from board.table_view import TableView
from board.texts import ENGLISH, say
from board.words import span
from mqtt.parts import FaultFields
from mqtt.payloads import TableMeta, TableSnapshot

_MS = 1000
_GRAVE = 3
"""From this severity on nothing works until somebody sees to it."""


def machine_slots(table: TableView) -> Slots:
    """Return the phase of the machine, with its faults by name."""
    state = table.state
    if state is None:
        return {"machine": "unknown", "machine_text": say("machine.unknown")}
    faults = [fault_name(fault) for fault in _faults(state)]
    text = say(f"machine.{_phase(state)}")
    return {
        "machine": "fault" if faults else state.machine_phase,
        "machine_text": f"{text}: {', '.join(faults)}" if faults else text,
    }


def machine_details(table: TableView) -> Slots:
    """Return what else is known of the machine, in sentences; empty where nothing is."""
    state, meta = table.state, table.meta
    told = [*_cycle(state), *_lift(state)] if state else []
    return {"machine_more": " ".join((*told, *_tiles(meta), *_pace(meta)))}


def machine_notices(table: TableView) -> dict[str, tuple[str, str]]:
    """Return what somebody should know of the machine: mark and sentence by key, gravest first."""
    found: dict[str, tuple[str, str]] = {}
    faults = _faults(table.state) if table.state else ()
    for fault in sorted(faults, key=lambda one: -one.severity):
        mark = "bad" if fault.severity >= _GRAVE else "warn"
        key = f"fault-{fault.fault}" + (f"-{fault.code}" if fault.fault == "unknown" else "")
        found[key] = (mark, say("notice.fault", fault=fault_name(fault)))
        if fault.unfair:
            text = say("notice.unfair", fault=fault_name(fault), reason=fault.unfair)
            found[f"unfair-{fault.fault}"] = ("bad", text)
    if table.state and table.state.cycle and table.state.cycle.slow:
        found["slow"] = ("warn", say("notice.slow", span=span(table.state.cycle.slow_ms // _MS)))
    if table.meta and _mismatch(table.meta):
        found["tiles"] = ("warn", _tiles(table.meta)[0])
    return found


def fault_name(fault: FaultFields) -> str:
    """Return a fault as people call it, with the code of one that has no name here."""
    key = f"fault.{fault.fault}"
    name = say(key) if key in ENGLISH else str(fault.fault)
    if fault.text:
        return f"{name} ({fault.text})"
    if fault.fault == "unknown" and fault.code:
        return say("event.fault-code", fault=name, code=fault.code)
    return name


def _faults(state: TableSnapshot) -> tuple[FaultFields, ...]:
    """Return the faults that stand; an older node tells their kinds alone."""
    plain = tuple(FaultFields(fault=fault, severity=_GRAVE) for fault in state.faults)
    return state.machine_faults or plain


def _phase(state: TableSnapshot) -> str:
    opened = state.cycle is not None and state.cycle.reopened
    return "reopened" if opened and state.machine_phase == "cycling" else state.machine_phase


def _cycle(state: TableSnapshot) -> list[str]:
    cycle = state.cycle
    if cycle is None:
        return []
    if cycle.reopened:
        return [say("machine.more.reopened")]
    return [say("machine.more.cycle", span=span(cycle.expected_ms // _MS))]


def _lift(state: TableSnapshot) -> list[str]:
    return [say(f"machine.more.lift-{state.lift}")] if state.lift else []


def _mismatch(meta: TableMeta) -> bool:
    return None not in {meta.tile_set, meta.tiles_needed} and meta.tile_set != meta.tiles_needed


def _tiles(meta: TableMeta | None) -> list[str]:
    if meta is None or meta.tile_set is None:
        return []
    key = "machine.more.other-tiles" if _mismatch(meta) else "machine.more.tiles"
    return [say(key, tiles=meta.tile_set, needed=meta.tiles_needed or 0)]


def _pace(meta: TableMeta | None) -> list[str]:
    """Say how closely the seats are watched of a table that does not stamp presses itself."""
    if meta is None or meta.pace is None or meta.resolution_us is None:
        return []
    return [say("machine.more.pace", width=-(-meta.resolution_us // _MS))]
