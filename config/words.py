"""Writes values of a configuration for people."""

from datetime import timedelta
from enum import Enum

from table.moment import MILLISECOND

SECOND = timedelta(seconds=1)


def words(value: object) -> str:
    """Write one value as a referee or technician would."""
    match value:
        case bool():
            return "yes" if value else "no"
        case timedelta():
            return span(value)
        case Enum():
            return str(value.value)
        case tuple():
            return ", ".join(words(one) for one in value) or "none"
        case _:
            return str(value)


def span(value: timedelta) -> str:
    """Write a duration exactly, in milliseconds where it is shorter than a second."""
    if timedelta(0) < value < SECOND:
        return f"{decimal(value, MILLISECOND)} ms"
    return f"{decimal(value, SECOND)} s"


def decimal(value: timedelta, unit: timedelta) -> str:
    """Write a duration as a decimal number of units, without a digit too many."""
    whole, rest = divmod(value, unit)
    digits = len(str(unit // timedelta(microseconds=1))) - 1
    fraction = f"{rest // timedelta(microseconds=1):0{digits}d}".rstrip("0")
    return f"{whole}.{fraction}" if fraction else str(whole)
