"""A book of certificates with two tables, in virtual time, and who gives orders to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from pathlib import Path

from controller.certificate_book import CertificateBook, Watched
from controller.journal import Journal
from controller.node import Node
from controller.table_certificate import Policy, Standing
from drivers.port import Identity
from mqtt.certificate_orders import CertificateOrder, CertifyArguments, RevokeArguments
from table.arming import Arming
from tests.controller.live_table import ROOT, HeardPress, journal_at
from tests.harness.virtual_clock import VirtualClock

A = Identity("Open Table Works", "OTW-4", "TL-A", "1.2.0")
B = replace(A, serial="TL-B")
DAY = timedelta(days=1)
_ids = count(1)


@dataclass
class Seen:
    """A table that hears what is made of its certificate."""

    armings: list[str] = field(default_factory=list)
    told: list[Standing] = field(default_factory=list)

    def arm(self, arming: Arming) -> None:
        self.armings.append(arming.reason)


@dataclass
class Desk:
    """A book with two tables, and who orders."""

    clock: VirtualClock
    journal: Journal
    policy: Policy = Policy.REQUIRED
    press: HeardPress = field(default_factory=HeardPress)
    tables: tuple[Seen, Seen] = field(default_factory=lambda: (Seen(), Seen()))

    def __post_init__(self) -> None:
        node = Node("node-1", ROOT, self.clock, self.clock.now(), self.journal, self.press)
        self.book = CertificateBook(node, self.policy)
        self.plug_in = [
            self.book.watch(f"t{place}", Watched(table.arm, table.told.append))
            for place, table in enumerate(self.tables, start=1)
        ]

    async def certify(self, number: str, serial: str, *, days: int = 100, **more: str) -> str:
        until = (self.clock.utc() + days * DAY).date()
        given = CertifyArguments(
            number=number,
            issuer="Hall service",
            model=more.pop("model", "OTW-4"),
            serial=serial,
            seals=["S-1", "S-2"],
            inspected="2026-07-01",
            valid_until=until.isoformat(),
            note="新",
            **more,
        )
        return await self.order("certify", given)

    async def revoke(self, number: str) -> str:
        return await self.order(
            "revoke-certificate", RevokeArguments(number=number, reason="seal broken")
        )

    async def order(self, verb: str, given: CertifyArguments | RevokeArguments) -> str:
        """Give an order and return what came of it."""
        made, heard = order(verb, given), len(self.press.replies)
        if (refused := self.book.refusal(made)) is not None:
            return refused.code
        self.book.take(made)
        await self.press.until(lambda: len(self.press.replies) > heard)
        return self.press.replies[-1].status

    async def pass_days(self, days: int) -> None:
        await self.clock.advance(days * DAY)
        self.book.look()

    @property
    def disarmed(self) -> list[str]:
        return [table.armings[-1] if table.armings else "" for table in self.tables]


def order(verb: str, given: CertifyArguments | RevokeArguments) -> CertificateOrder:
    id_ = f"c{next(_ids)}"
    return CertificateOrder(
        id_, "desk", "Chen", verb, given, "node-1", ROOT.reply("desk", id_), expiry_seconds=5
    )


@asynccontextmanager
async def desk(folder: Path, policy: Policy = Policy.REQUIRED) -> AsyncIterator[Desk]:
    clock = VirtualClock()
    async with journal_at(folder / "j", clock) as journal:
        yield Desk(clock, journal, policy)
