"""Reaches a table over our own link, on any port or URL that pyserial knows."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from drivers.port import Now, TableLink
from drivers.recorder import Recorder
from drivers.table_link.codes import Question
from drivers.table_link.frames import VERSION
from drivers.table_link.link import SerialTableLink
from drivers.table_link.messages import Ask, Hello
from drivers.table_link.talk import Talk
from drivers.table_link.words import words
from table.errors import LinkError, LinkUnavailable


class SerialTableDriver:
    """Obeys `drivers.port.TableDriver`.

    Args:
        port: a device path or a pyserial URL.
        baudrate: of the port, where it has one.
        expected_serial: serial number of the box that belongs here; any, if None or empty.
        now: the daemon's clock.
        kept: where the last frames are written when something goes wrong.
    """

    def __init__(
        self,
        port: str,
        baudrate: int,
        expected_serial: str | None,
        now: Now,
        kept: Path | None = None,
    ) -> None:
        self._recorder = Recorder(port, words, kept)
        self._port = port
        self._baudrate = baudrate
        self._expected_serial = expected_serial
        self._now = now

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[TableLink]:
        """Open the port, learn who is there, and hand over the link.

        Raises:
            LinkUnavailable: the port is absent, busy, silent, or not the table expected.
        """
        talk = Talk(self._port, self._now, self._recorder)
        try:
            link = await self._greeted(talk)
            try:
                yield link
            finally:
                await link.close()
        finally:
            await talk.close()

    async def _greeted(self, talk: Talk) -> SerialTableLink:
        try:
            await talk.open(self._baudrate)
            frame, hello = await talk.ask(lambda: Ask(Question.HELLO), Hello)
            refuse_other(hello, self._port, self._expected_serial)
            link = SerialTableLink(talk, self._now, frame, hello)
            await link.begin()
        except LinkUnavailable:
            raise
        except LinkError as error:
            self._recorder.on = True
            self._recorder.tell(error, self._now())
            raise LinkUnavailable(str(error)) from error
        return link


def refuse_other(hello: Hello, port: str, expected_serial: str | None) -> None:
    """Make sure that a box is the one that belongs here, and that we understand it.

    Raises:
        LinkUnavailable: it is another one, or speaks otherwise.
    """
    if expected_serial and hello.serial != expected_serial:
        msg = f"port {port}: expected box {expected_serial}, found {hello.serial}"
        raise LinkUnavailable(msg)
    if not hello.version_least <= VERSION <= hello.version_most:
        msg = (
            f"port {port}: box {hello.serial} speaks versions {hello.version_least} to "
            f"{hello.version_most} of the table link, we speak {VERSION}"
        )
        raise LinkUnavailable(msg)
    if not hello.oldest or not hello.following:
        msg = f"port {port}: box {hello.serial} numbers its events from 0"
        raise LinkUnavailable(msg)
