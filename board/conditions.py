"""How a table is, in one word for the styles and a few words for people; pure."""

from board.hall_view import Hall
from board.machine_state import machine_notices
from board.sanction_words import dead_hand
from board.slots import Slots, over_limit, timed
from board.table_view import TableView
from board.texts import say
from mqtt.payloads import TableSnapshot
from table.seat import Seat


def link(hall: Hall, table: TableView) -> str:
    """Return whether the table is reached: online, degraded, offline, stale or unknown."""
    node = hall.node_of(table)
    if table.availability is None or node is None:
        return "unknown"
    return table.availability.status if node.here else "stale"


def link_slots(hall: Hall, table: TableView) -> Slots:
    """Return the state of the link for the page."""
    state = link(hall, table)
    return {"link": state, "link_text": say(f"link.{state}")}


def hand_slots(table: TableView) -> Slots:
    """Return the phase of the hand, and which hand it is."""
    state = table.state
    if state is None:
        return {"hand": "unknown", "hand_text": say("hand.unknown"), "hand_title": ""}
    title = say("hand.none")
    if state.hand_number and state.prevalent_wind:
        wind = say(f"wind.{state.prevalent_wind}")
        title = say("hand.number", number=state.hand_number, wind=wind)
    return {
        "hand": state.hand_phase,
        "hand_text": say(f"hand.{state.hand_phase}"),
        "hand_title": title,
    }


def notices(hall: Hall, table: TableView) -> dict[str, tuple[str, str]]:
    """Return what somebody should know of a table: mark and sentence by key, gravest first."""
    found: dict[str, tuple[str, str]] = {}
    for call in table.calls:
        found[f"call-{call.seat.value}"] = ("warn", say("notice.call", seat=call.seat.value))
    found |= _of_link(hall, table)
    found |= _of_certificate(table)
    found |= _of_hand(table)
    found |= machine_notices(table)
    return found


def _of_link(hall: Hall, table: TableView) -> dict[str, tuple[str, str]]:
    state = link(hall, table)
    if state == "online":
        return {}
    causes = table.availability.causes if table.availability and state != "stale" else ()
    text = ". ".join((say(f"link.{state}"), *causes))
    return {"link": ("bad" if state in {"offline", "stale"} else "warn", text)}


def _of_certificate(table: TableView) -> dict[str, tuple[str, str]]:
    """Say what is wrong with the table's certificate, or will be; once where it disarms."""
    if table.state and table.state.disarmed:
        return {"disarmed": ("bad", say("notice.disarmed", reason=table.state.disarmed))}
    told = table.meta.certificate_notice if table.meta else ""
    return {"certificate": ("warn", told)} if told else {}


def _of_hand(table: TableView) -> dict[str, tuple[str, str]]:
    state = table.state
    if state is None:
        return {}
    found: dict[str, tuple[str, str]] = {}
    for seat, shown in over_limit(table).items():
        text = say("notice.over", seat=seat.value, kind=timed(shown))
        found[f"over-{seat.value}"] = ("warn", text)
    if state.verifying:
        found["hu"] = ("verifying", _declared(state, state.verifying))
    if state.hand_phase == "paused":
        reason = state.paused_reason
        text = say("notice.paused", reason=reason) if reason else say("notice.paused-plain")
        found["paused"] = ("paused", text)
    if state.hand_phase == "unsynced":
        found["unsynced"] = ("warn", say("notice.unsynced", cause=state.unsynced_cause or ""))
    return found | _of_restrictions(table, state)


def _declared(state: TableSnapshot, newest: Seat) -> str:
    if not state.declared[1:]:
        return say("notice.hu", seat=newest.value)
    return say("notice.several-hu", seats=listed(state.declared), winners=listed(state.hu_winners))


def listed(seats: tuple[Seat, ...]) -> str:
    """Return the numbers of some seats in the order given."""
    return ", ".join(str(seat.value) for seat in seats)


def dead_hands(table: TableView) -> dict[Seat, str]:
    """Return what each restricted seat may not do, or who plays there, in words."""
    state = table.state
    if state is None:
        return {}
    words = {
        seat: dead_hand(state.restrictions.get(seat), state.stand_ins.get(seat, ""))
        for seat in Seat
    }
    return {seat: text for seat, text in words.items() if text}


def seats_without_player(state: TableSnapshot) -> list[Seat]:
    """Return the seats whose player is out and where nobody plays on yet."""
    return [
        seat for seat, it in state.restrictions.items() if it.out and seat not in state.stand_ins
    ]


def _of_restrictions(table: TableView, state: TableSnapshot) -> dict[str, tuple[str, str]]:
    missing = {
        f"out-{seat.value}": (
            "warn",
            say("notice.stand-in-needed", seat=seat.value, player=table.players.get(seat, "")),
        )
        for seat in seats_without_player(state)
    }
    dead = {
        f"dead-{seat.value}": ("dead", say("notice.dead", seat=seat.value, words=words))
        for seat, words in dead_hands(table).items()
        if f"out-{seat.value}" not in missing
    }
    return missing | dead
