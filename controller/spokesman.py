"""Keeps a connection to the broker for as long as the node runs; tables do not wait for it."""

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

from controller.backoff import STABLE, Backoff
from controller.clock import Clock
from table.errors import BrokerError, SpokenForError

logger = logging.getLogger(__name__)

AWAY = timedelta(seconds=60)
"""How long a node that is spoken for leaves the broker to the other (house choice)."""


async def speak(serve: Callable[[], Awaitable[None]], clock: Clock) -> None:
    """Serve over one connection after another, until one ends in order.

    Args:
        serve: speaks over one connection; `mqtt.publisher.Publisher.serve`.
        clock: waits between two of them.
    """
    backoff, told = Backoff("broker"), False
    while True:
        started = clock.now()
        try:
            await serve()
        except SpokenForError as error:
            # Fighting for the name would have the venue believe both in turn, and neither.
            logger.error("alarm: %s; tables play on, nothing is published", error)  # noqa: TRY400 - for staff, not for a debugger
            await clock.sleep_until(clock.now() + AWAY)
        except BrokerError as error:
            ended = clock.now()
            if not told or ended - started > STABLE:
                logger.warning("the broker is away, tables play on: %s", error)
            told = True
            backoff = backoff.failed(ended - started)
            await clock.sleep_until(ended + backoff.delay)
        else:
            return
