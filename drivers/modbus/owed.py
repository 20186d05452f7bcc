"""Answers that a device on an RTU line still owes; pure.

An RTU frame does not say which request it answers. But a line hands over in order, and a device
does one thing after the other: answers come in the order of the questions, and one that comes for a
question of another shape shows that no older one can come any more (docs/adr/0043).

Times are seconds of the event loop, as they are about the wire; windows are of the daemon's clock.
"""

from dataclasses import dataclass, replace
from typing import TypeAlias

from drivers.modbus.master_answers import (
    Exchange,
    Refused,
    Trouble,
    Unanswered,
    answer_bytes,
    judge,
)
from drivers.modbus.requests import Read, Request
from table.moment import Moment

LATEST_SECONDS = 2.0
"""No answer comes so long after it was given up, not even through a gateway that stood still. House
choice."""


@dataclass(frozen=True, slots=True)
class Debt:
    """A request whose answer may yet come."""

    request: Request
    asked: Moment
    until: float


Debts: TypeAlias = tuple[Debt, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of a request, as far as it can be believed, and what is owed after it."""

    exchange: Exchange
    debts: Debts = ()
    rests_until: float = 0
    """Nothing may be asked before, so that what still comes is known to come late."""


def settled(debts: Debts, exchange: Exchange, now: float, patience: float) -> Settled:
    """Take what became of a request.

    While an answer to the very same request is owed, this one may be that, so its window begins
    with the older question. One that may belong to another read of the same shape is not believed.

    Args:
        debts: what was owed before, oldest first.
        exchange: the request and what came.
        now: when it came, or was given up.
        patience: seconds that the device may take to answer.
    """
    if isinstance(exchange.answer, Unanswered):
        alive = tuple(one for one in debts if one.until > now)
        debt = Debt(exchange.request, exchange.window.asked, now + LATEST_SECONDS)
        return Settled(exchange, (*alive, debt), now + patience)
    alike = [one for one in debts if _alike(one.request, exchange)]
    if not alike:
        return Settled(exchange)
    if any(one.request != exchange.request for one in alike):
        unknown = replace(exchange, answer=Unanswered(Trouble.UNSURE))
        return Settled(unknown, (), max(one.until for one in alike))
    return _widened(debts, alike[0], exchange, now, patience)


def owed(debts: Debts, now: float, patience: float) -> Debts:
    """Return what may still come when the next question goes out.

    What could not come any more a while ago, in which nothing was asked, comes no more.
    """
    return tuple(one for one in debts if one.until + patience > now)


def paid(debts: Debts, said: bytes) -> Debts:
    """Take function and data that came while nobody waited: no older answer comes any more."""
    for place, debt in enumerate(debts):
        if not isinstance(judge(debt.request, said), Trouble):
            return debts[place + 1 :]
    return debts


def _widened(
    debts: Debts, oldest: Debt, exchange: Exchange, now: float, patience: float
) -> Settled:
    """Take an answer to a read or to the oldest one like it, whichever it was.

    The oldest can come no more, but now this one may: until the oldest could have, and then a rest
    brings in whatever is under way.
    """
    window = replace(exchange.window, asked=oldest.asked)
    own = Debt(exchange.request, exchange.window.asked, oldest.until)
    later = (*debts[debts.index(oldest) + 1 :], own)
    alive = tuple(one for one in later if one.until > now)
    return Settled(replace(exchange, window=window), alive, 0 if alive else now + patience)


def _alike(request: Request, exchange: Exchange) -> bool:
    """Say whether an answer may be that to another request; a write is answered with itself."""
    asked = exchange.request
    if isinstance(exchange.answer, Refused):
        return request.function == asked.function
    if not isinstance(request, Read) or not isinstance(asked, Read):
        return request == asked
    shape = (asked.function, answer_bytes(asked))
    return (request.function, answer_bytes(request)) == shape
