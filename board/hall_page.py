"""The hall: every table as a tile, the nodes, and who needs somebody; pure."""

from board.conditions import dead_hands, hand_slots, link, link_slots, notices
from board.hall_view import Changes, Hall, in_order
from board.machine_state import machine_slots
from board.node_view import NodeView
from board.slots import Items, Slots, clock_of, counted, foremost
from board.table_view import TableView
from board.texts import say
from board.words import seat_name

PACE_SECONDS = 0.5
"""Changes of this page are gathered for so long: nobody reads 250 tables faster."""
_FEW, _SOME = 20, 64
_IN_PLAY = frozenset({"arranging", "turn", "verifying"})


def items(hall: Hall, changes: Changes | None = None) -> Items:
    """Return the items of the page; of a change only those which it can have touched."""
    found: Items = {"hall:": _summary(hall)}
    nodes, tables = _touched(hall, changes)
    for node in nodes:
        found[f"node:{node}"] = _node(hall.nodes[node]) if node in hall.nodes else None
    for table in tables:
        view = hall.tables.get(table)
        found[f"tile:{table}"] = _tile(hall, view) if view else None
        found[f"need:{table}"] = _need(hall, view) if view else None
    return found


def _touched(hall: Hall, changes: Changes | None) -> tuple[list[str], list[str]]:
    if changes is None:
        return sorted(hall.nodes), [table.id for table in in_order(hall)]
    named = [change.partition(":") for change in sorted(changes)]
    return (
        [name for kind, _, name in named if kind == "node"],
        [name for kind, _, name in named if kind == "table"],
    )


def _summary(hall: Hall) -> Slots:
    tables = list(hall.tables.values())
    phases = [table.state.hand_phase for table in tables if table.state]
    alerts = sum(len(table.waiting) for table in tables)
    paused = phases.count("paused")
    dead = sum(len(dead_hands(table)) for table in tables)
    away = sum(link(hall, table) != "online" for table in tables)
    return {
        "crowd": _crowd(len(tables)),
        "tables": str(len(tables)),
        "away": str(away),
        "away_mark": "bad" if away else "good",
        "playing": str(sum(phase in _IN_PLAY for phase in phases)),
        "paused": str(paused),
        "paused_mark": "paused" if paused else "good",
        "dead": str(dead),
        "dead_mark": "dead" if dead else "good",
        "alerts": str(alerts),
        "alerts_mark": "open" if alerts else "good",
    }


def _crowd(tables: int) -> str:
    """How large the tiles can be."""
    if tables <= _FEW:
        return "few"
    return "some" if tables <= _SOME else "many"


def _node(node: NodeView) -> Slots:
    mark, text = "unknown", say("node.unheard")
    if node.availability and node.availability.status != "online":
        mark = node.availability.status
        text = say(f"node.{mark}")
    elif node.clock and node.stale:
        mark, text = "offline", say("node.stale", seconds=round(node.silence.total_seconds()))
    elif node.here:
        mark, text = "online", say("node.online")
    return {"name": node.id, "state": mark, "text": ". ".join((text, *_burdens(node)))}


def _burdens(node: NodeView) -> tuple[str, ...]:
    if node.beat is None or not node.here:
        return ()
    waiting = (say("node.outbox", count=node.beat.outbox),) if node.beat.outbox else ()
    return (*waiting, *node.beat.alarms)


def _tile(hall: Hall, table: TableView) -> Slots:
    shown = foremost(table)
    state = table.state
    turn = seat_name(state.on_turn, state.seat_winds) if state and state.on_turn else ""
    alerts = len(table.waiting)
    troubles = notices(hall, table)
    return {
        "name": table.name,
        **link_slots(hall, table),
        **machine_slots(table),
        **hand_slots(table),
        "turn": turn,
        "dead": _dead(table),
        "alerts": str(alerts),
        "alerts_mark": "open" if alerts else "none",
        "clock": clock_of(table, hall.node_of(table), shown),
        "clock_text": counted(shown),
        "over": "yes" if shown and shown.over else "no",
        "trouble": next(iter(troubles.values()))[0] if troubles else "none",
    }


def _dead(table: TableView) -> str:
    hands = dead_hands(table).items()
    return ", ".join(say("seat.dead", seat=seat.value, words=words) for seat, words in hands)


def _need(hall: Hall, table: TableView) -> Slots | None:
    alerts = len(table.waiting)
    reasons = [(mark, text) for mark, text in notices(hall, table).values() if mark != "dead"]
    if alerts:
        text = say("notice.alert") if alerts == 1 else say("notice.alerts", count=alerts)
        reasons.insert(0, ("open", text))
    if not reasons:
        return None
    mark, text = reasons[0]
    return {"name": table.name, "state": mark, "text": text}
