"""A serial port with a descriptor: nobody else's while it is open, and never waited for.

* `serial.Serial.write` spins for ever when a port without write timeout takes no more bytes, and
  `read` uses select(), which knows no descriptor above 1023: this port reads and writes its
  descriptor directly.
* A second opener steals bytes. The lock keeps out whoever asks for one (a second daemon), TIOCEXCL
  everybody but root.
* Closing a port waits up to 30 s for bytes that it cannot send, so a thread of its own does it.
"""

import fcntl
import logging
import os
import termios
from contextlib import suppress
from functools import cache
from threading import Thread
from typing import TYPE_CHECKING, Literal

import serial

from drivers.adapter import adapter_at, latency_advice

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

logger = logging.getLogger(__name__)

_PSEUDO_TERMINALS = range(136, 144)
"""Major numbers of their near ends (Linux, Documentation/admin-guide/devices.txt)."""


class DevicePort(serial.Serial):
    """A device path that was opened."""

    def __init__(
        self, port: str, baudrate: int, parity: Literal["N", "E", "O"], stop_bits: Literal[1, 2]
    ) -> None:
        super().__init__(port, baudrate, parity=parity, stopbits=stop_bits, exclusive=True)
        exclude(self.fileno())
        with suppress(ValueError, OSError):  # not every kind of port has this mode
            self.set_low_latency_mode(True)
        adapter = adapter_at(port)  # read back: some drivers take the mode and do nothing
        if adapter and adapter.late and adapter.latency:
            milliseconds = adapter.latency.total_seconds() * 1000
            _warn_once(
                f"port {port}: {adapter} holds bytes back for {milliseconds:g} ms, so presses are"
                f" known less exactly; {latency_advice(adapter)}"
            )

    def read(self, size: int = 1) -> bytes:
        """Return what is there.

        Raises:
            SerialException: the device is gone.
        """
        try:
            chunk = os.read(self.fileno(), size)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise serial.SerialException(str(error)) from error
        if not chunk:
            msg = "the device is gone"
            raise serial.SerialException(msg)
        return chunk

    def write(self, chunk: "ReadableBuffer", /) -> int:
        """Send what fits now.

        Raises:
            BlockingIOError: nothing does; the transport keeps it and tries again.
        """
        try:
            return os.write(self.fileno(), chunk)
        except BlockingIOError:
            raise
        except OSError:
            # The reader learns of the same hang-up; to the transport this would be a bug.
            return memoryview(chunk).nbytes

    def close(self) -> None:
        """Drop what is unsent and give the port back at once, whatever the device does."""
        if self.is_open:
            left = os.dup(self.fileno())
            with suppress(OSError, termios.error):  # it may be unplugged
                termios.tcflush(left, termios.TCIOFLUSH)
                fcntl.flock(left, fcntl.LOCK_UN)
                fcntl.ioctl(left, termios.TIOCNXCL)
            super().close()  # not the last descriptor of the port, so it does not wait
            Thread(target=os.close, args=(left,), daemon=True).start()


def exclude(descriptor: int) -> None:
    """Keep other programs from opening a port as well.

    Not a pseudo-terminal: its maker may hold it open too, and then this outlives a daemon that was
    killed.
    """
    if os.major(os.fstat(descriptor).st_rdev) not in _PSEUDO_TERMINALS:
        fcntl.ioctl(descriptor, termios.TIOCEXCL)


@cache
def _warn_once(sentence: str) -> None:
    """A port is opened again and again; once is enough."""
    logger.warning(sentence)
