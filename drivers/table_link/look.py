"""A look at a box that serves nobody: who it is and how fast it answers; it is not armed."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from drivers.port import Identity, Now
from drivers.recorder import Recorder
from drivers.table_link import dialect
from drivers.table_link.codes import Question
from drivers.table_link.driver import refuse_other
from drivers.table_link.messages import Ask, Hello, State
from drivers.table_link.talk import Talk

_TIMES = 5


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look shows."""

    identity: Identity
    answers_in: timedelta
    """Median time from a question to the arrival of its answer."""


@asynccontextmanager
async def talking(
    port: str, baudrate: int, now: Now, recorder: Recorder | None = None
) -> AsyncIterator[Talk]:
    """Open a line and listen; nothing is said yet.

    Raises:
        LinkUnavailable: the port cannot be opened.
    """
    talk = Talk(port, now, recorder)
    try:
        await talk.open(baudrate)
        yield talk
    finally:
        await talk.close()


async def look(talk: Talk, expected_serial: str | None, now: Now) -> Seen:
    """Ask a box who it is, which stops its buzzers and starts nothing.

    Raises:
        LinkUnavailable: it is another one, or speaks otherwise.
        NoAnswer: it is silent.
        LinkLost: the line went away.
    """
    _, hello = await talk.ask(lambda: Ask(Question.HELLO), Hello)
    refuse_other(hello, talk.port, expected_serial)
    took = []
    for _ in range(_TIMES):
        asked = now()
        await talk.ask(lambda: Ask(Question.STATE), State)
        took.append(now() - asked)
    return Seen(dialect.identity(hello), sorted(took)[_TIMES // 2])
