"""Orders for a whole node: every table carries out its share, and the sender has one answer."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace

from controller.journal import Origin
from mqtt.inbox import OfATurn, Request
from mqtt.orders import ReplyPayload
from mqtt.parts import Utc


@dataclass(frozen=True, slots=True)
class Share(Request):
    """One table's share of an order for the whole node."""

    told: Callable[["Share", ReplyPayload], None] = field(kw_only=True)
    """Hears what the table answers, in place of the sender."""


def origins(request: OfATurn) -> tuple[Origin, Origin]:
    """Return what the journal calls an order, and what it would call the node's, or the table's.

    Of an order for the node every table has its own; one id is one order, whatever it is for.
    """
    alone = Origin(request.login, request.person, request.id)
    share = replace(alone, command=f"{request.id}/{request.table}")
    return (share, alone) if isinstance(request, Share) else (alone, share)


class Gathering:
    """Waits for the answers of all tables and makes one of them.

    Args:
        request: the order for the node.
        tables: those that carry it out.
        reply: takes the one answer.
    """

    def __init__(
        self, request: Request, tables: Iterable[str], reply: Callable[[ReplyPayload], None]
    ) -> None:
        self._request = request
        self._waiting = set(tables)
        self._reply = reply
        self._answers: dict[str, ReplyPayload] = {}

    def shares(self) -> Iterator[Share]:
        """Yield the order as each table gets it."""
        whole = {one.name: getattr(self._request, one.name) for one in fields(Request)}
        for table in sorted(self._waiting):
            yield Share(**{**whole, "table": table}, told=self._told)

    def _told(self, share: Share, answer: ReplyPayload) -> None:
        """Take the last word of a table; when every table has spoken, answer the sender."""
        if share.table not in self._waiting:
            return
        self._waiting.remove(share.table)
        self._answers[share.table] = answer
        if not self._waiting:
            self._reply(together(self._request.id, self._answers, answer.time))


def together(order: str, answers: dict[str, ReplyPayload], time: Utc) -> ReplyPayload:
    """Return one answer for the answers of all tables.

    It is done if a table did it and none failed; the reason names who did not, and why.
    """
    counts: Counter[str] = Counter(answer.status for answer in answers.values())
    others = {table: one for table, one in sorted(answers.items()) if one.status != "done"}
    worst = next((one for one in others.values() if one.status == "failed"), None)
    if worst is None and not counts["done"]:
        worst = next(iter(others.values()), None)
    reasons = [f"{table}: {one.reason}" for table, one in others.items()]
    return ReplyPayload(
        id=order,
        status=worst.status if worst else "done",
        code=worst.code if worst else "",
        reason="; ".join((f"{counts['done']} of {len(answers)} tables", *reasons)),
        counts=dict(counts),
        time=time,
    )
