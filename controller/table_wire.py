"""Keeps one table connected: the one reconnect policy around any driver."""

import logging
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from controller.backoff import Backoff
from controller.clock import Clock
from controller.table_notice import TableNotice
from drivers.port import Answer, Capability, Grade, Outcome, TableDriver, TableLink
from table.abilities import Abilities
from table.commands import SetLamp, SoundBuzzer, TableCommand
from table.errors import LinkError, LinkLost
from table.events import LinkDown, LinkUp, Observed

logger = logging.getLogger(__name__)

_SHOWN_BY = {SetLamp: Capability.LAMP, SoundBuzzer: Capability.BUZZER}
Offer: TypeAlias = Callable[[Observed | LinkUp | LinkDown], None]


class TableWire:
    """A table that is reached again and again, for ever.

    Args:
        table: id of the table, for the log.
        driver: knows how to reach it.
        clock: paces the attempts.
        notice: tells staff.
    """

    def __init__(self, table: str, driver: TableDriver, clock: Clock, notice: TableNotice) -> None:
        self._table = table
        self._driver = driver
        self._clock = clock
        self._notice = notice
        self._told = False
        self.link: TableLink | None = None
        self.cause = "not connected yet"

    async def run(self, offer: Offer) -> None:
        """Connect, listen, and begin anew whenever the wire is lost.

        `offer` takes what the wire has to say, in order, and never blocks.
        """
        backoff = Backoff(self._table)
        while True:
            started = self._clock.now()
            try:
                await self._listen(offer)
            except LinkError as error:
                self._down(offer, str(error))
            ended = self._clock.now()
            backoff = backoff.failed(ended - started)
            await self._clock.sleep_until(ended + backoff.delay)

    async def send(self, command: TableCommand) -> Answer:
        """Have the table carry out a command, if it is there.

        A sign to a seat is not sent to a table that has nothing to show it with.
        """
        if self.link is None:
            return Answer(Outcome.ABSENT, f"table {self._table} is not connected: {self.cause}")
        shown_by = _SHOWN_BY.get(type(command))
        if shown_by is not None and not _has(self.link, shown_by):
            return Answer(Outcome.DONE, f"table {self._table} has no {shown_by}, as its meta tells")
        try:
            return await self.link.send(command)
        except LinkLost as error:
            return Answer(Outcome.ABSENT, str(error))

    def recorded(self, observed: Observed) -> None:
        """Let the table forget what is recorded; one that is away tells it again."""
        if self.link is not None:
            self.link.recorded(observed)

    async def _listen(self, offer: Offer) -> None:
        async with self._driver.connect() as link:
            self.link = link
            self.cause = ""
            self._told = False
            logger.info("table %s is connected: %s", self._table, link.identity)
            offer(_link_up(link))
            self._notice.connected(link)
            async for observed in link.events():
                offer(observed)
        message = f"table {self._table} ended its events without a reason"
        raise LinkLost(message)

    def look(self) -> None:
        """Tell staff what the wire did lately; called at a slow beat."""
        if self.link is not None:
            self._notice.look(self.link)

    def _down(self, offer: Offer, cause: str) -> None:
        """Tell the table loop once, staff once per cause, and the log once per episode."""
        was_up, self.link = self.link is not None, None
        if was_up:
            offer(LinkDown(cause))
        if was_up or cause != self.cause:
            self._notice.lost(cause)
        self.cause = cause
        if not self._told:
            logger.warning("table %s is away: %s", self._table, cause)
            self._told = True


def _has(link: TableLink, capability: Capability) -> bool:
    return link.capabilities.get(capability, Grade.ABSENT) is not Grade.ABSENT


def _link_up(link: TableLink) -> LinkUp:
    has = partial(_has, link)
    abilities = Abilities(
        shuffle=has(Capability.SHUFFLE),
        lift=has(Capability.LIFT),
        dice_roll=has(Capability.DICE_ROLL),
        reopen=has(Capability.REOPEN),
        lift_toggles=has(Capability.LIFT_TOGGLE),
    )
    return LinkUp(has(Capability.HOLD_SENSE), has(Capability.DRAW_SENSE), link.condition, abilities)
