"""Times, seats and rulings in words."""

from collections.abc import Mapping
from datetime import datetime

from board.sanction_words import sanction
from board.texts import ENGLISH, say
from mqtt.parts import RulingFields
from mqtt.payloads_of_rulings import AlertPayload
from table.fouls import FoulKind
from table.seat import Seat
from table.wind import Wind

GLYPHS = {Wind.EAST: "東", Wind.SOUTH: "南", Wind.WEST: "西", Wind.NORTH: "北"}
_MS = 1000
_MINUTE_S = 60


def seconds(micros: int, digits: int = 3) -> str:
    """Return a time in seconds with so many decimals, cut and never rounded up."""
    unit = 10 ** (6 - digits)
    whole, part = divmod(micros // unit, 10**digits)
    return f"{whole}.{part:0{digits}d}" if digits else str(whole)


def limit(micros: int) -> str:
    """Return a limit in seconds with no more decimals than it has."""
    return f"{seconds(micros, 6).rstrip('0').rstrip('.')} s"


def span(whole_seconds: int) -> str:
    """Return a span in minutes where it is whole ones, else in seconds."""
    minutes, rest = divmod(whole_seconds, _MINUTE_S)
    if minutes and not rest:
        return say("span.minutes", count=minutes)
    return say("span.seconds", count=whole_seconds)


def measured(least_us: int, most_us: int, limit_us: int) -> str:
    """Return the readings between which a time lies, shortly."""
    least, most = _readings(least_us, most_us, limit_us)
    return f"{least} s" if least == most else f"{least}\N{EN DASH}{most} s"


def between(least_us: int, most_us: int, limit_us: int) -> str:
    """Return the readings between which a time lies, in plain words."""
    least, most = _readings(least_us, most_us, limit_us)
    return say("took.exactly" if least == most else "took.between", least=least, most=most)


def _readings(least_us: int, most_us: int, limit_us: int) -> tuple[str, str]:
    """Show thousandths, or millionths where the limit could otherwise not be told from them."""
    digits = 3 if least_us // _MS > limit_us // _MS or least_us <= limit_us else 6
    return seconds(least_us, digits), seconds(most_us, digits)


def took(alert: AlertPayload) -> str:
    """Return what happened in one sentence, with measured time and limit where there are any."""
    key = f"took.{alert.kind}"
    if alert.entered_by:
        return say("took.entered", person=alert.entered_by)
    if key in _UNMEASURED:
        return say(key)
    if alert.measured_least_us is None or alert.measured_most_us is None:
        return say("took.unmeasured")
    at_most = alert.limit_us or 0
    reading = between(alert.measured_least_us, alert.measured_most_us, at_most)
    words = limit(at_most).replace(" ", "\N{NO-BREAK SPACE}")
    return say(key if key in ENGLISH else "took.other", measured=reading, limit=words)


_UNMEASURED = frozenset({"took.empty-call", "took.overtime-sum"})


def briefly(alert: AlertPayload) -> str:
    """Return the measured time for a row of a list; empty where nothing was measured."""
    if alert.measured_least_us is None or alert.measured_most_us is None:
        return ""
    return measured(alert.measured_least_us, alert.measured_most_us, alert.limit_us or 0)


def seat_name(seat: Seat, winds: dict[Seat, Wind]) -> str:
    """Return the seat with its wind, where it holds one."""
    wind = winds.get(seat)
    if wind is None:
        return say("seat.name", seat=seat.value)
    return say("seat.wind", seat=seat.value, glyph=GLYPHS[wind], wind=say(f"wind.{wind}"))


def foul_name(titles: Mapping[FoulKind, str], kind: FoulKind) -> str:
    """Return what the book calls a foul, or what it is called here where the book does not say."""
    return titles.get(kind) or say(f"foul.{kind}")


def signed(points: int) -> str:
    """Return points received or lost, with a sign that is told from a hyphen."""
    return f"\N{MINUS SIGN}{-points}" if points < 0 else f"+{points}"


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
    key = f"deed.{fields.deed}" if fields.deed else "deed.waived"
    deed = say(key if key in ENGLISH else "deed.unknown")
    what = f"{deed}: {sanction(fields.sanction)}" if fields.sanction else deed
    because = f" ({fields.reason})" if fields.reason else ""
    return f"{what} \N{MIDDLE DOT} {fields.person}{because}"
