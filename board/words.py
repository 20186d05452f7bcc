"""Times, seats, sanctions and rulings in words."""

from datetime import datetime

from board.texts import say
from mqtt.parts import RulingFields, SanctionFields
from mqtt.payloads import AlertPayload
from table.sanctions import SanctionKind
from table.seat import Seat
from table.wind import Wind

GLYPHS = {Wind.EAST: "東", Wind.SOUTH: "南", Wind.WEST: "西", Wind.NORTH: "北"}
_MS = 1000
_SECOND = 1_000_000


def seconds(micros: int, digits: int = 3) -> str:
    """Return a time in seconds with so many decimals, cut and never rounded up."""
    unit = 10 ** (6 - digits)
    whole, part = divmod(micros // unit, 10**digits)
    return f"{whole}.{part:0{digits}d}" if digits else str(whole)


def limit(micros: int) -> str:
    """Return a limit in seconds with no more decimals than it has."""
    return f"{seconds(micros, 6).rstrip('0').rstrip('.')} s"


def measured(least_us: int, most_us: int, limit_us: int) -> str:
    """Return the readings between which a time lies.

    Thousandths are shown, or millionths where the limit could otherwise not be told from them.
    """
    digits = 3 if least_us // _MS > limit_us // _MS or least_us <= limit_us else 6
    least, most = seconds(least_us, digits), seconds(most_us, digits)
    return f"{least} s" if least == most else f"{least}\N{EN DASH}{most} s"


def took(alert: AlertPayload) -> str:
    """Return what happened in one sentence, with measured time and limit."""
    reading = measured(alert.measured_least_us, alert.measured_most_us, alert.limit_us)
    return say(f"alert.took.{alert.kind}", measured=reading, limit=limit(alert.limit_us))


def seat_name(seat: Seat, winds: dict[Seat, Wind]) -> str:
    """Return the seat with its wind, where it holds one."""
    wind = winds.get(seat)
    if wind is None:
        return say("seat.name", seat=seat.value)
    return say("seat.wind", seat=seat.value, glyph=GLYPHS[wind], wind=say(f"wind.{wind}"))


def sanction(fields: SanctionFields) -> str:
    """Return a sanction as a referee says it."""
    if fields.kind is SanctionKind.WARNING:
        return say("sanction.warning")
    return say("sanction.points", points=fields.points)


def ordinal(number: int) -> str:
    """Return a number as a place: 1st, 2nd, 3rd, 4th."""
    teens = number % 100 in {11, 12, 13}
    ending = "th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def clock_time(moment: datetime) -> str:
    """Return hours, minutes and seconds on the wall of the venue."""
    return f"{moment.astimezone():%H:%M:%S}"


def ruling(fields: RulingFields) -> str:
    """Return what a referee decided, and why."""
    what = sanction(fields.sanction) if fields.sanction else say("alert.waived")
    because = f": {fields.reason}" if fields.reason else ""
    return f"{what} · {fields.person}{because}"
