"""The Modbus buses of a node: serial lines, and hosts on the network."""

import re
from typing import Annotated, Literal, Self

from pydantic import field_validator, model_validator

from config.section import Section
from config.values import Line, Whole, refuse

NETWORK = "tcp://"
MODBUS_PORT = 502
"""Modbus Messaging on TCP/IP Implementation Guide V1.0b, section 4.3.1.2."""
_HOST = re.compile(r"tcp://([A-Za-z0-9._-]+|\[[0-9a-fA-F:]+\])(?::([0-9]{1,5}))?")
_LAST_PORT = 65535


class Bus(Section):
    """A line that modules share, or the host that one module or gateway is."""

    port: Line
    """Serial port as a device path (`/dev/serial/by-id/…`), or `tcp://host` or `tcp://host:port`;
    the port is 502 where it is not given."""
    frames: Literal["rtu", "tcp"] | None = None
    """How frames look: `"rtu"` on a serial port and `"tcp"` on the network if not given. `"rtu"`
    on the network is a gateway that hands the bytes of a serial line through."""
    baudrate: Annotated[int, Whole(1200, 1_000_000)] | None = None
    """Speed of the serial line, also of the one behind a gateway with `frames = "rtu"`; modules
    come set to 9600 as a rule."""
    parity: Literal["none", "even", "odd"] = "none"
    """Parity of the serial line."""
    stop_bits: Literal[1, 2] = 1
    """Stop bits of the serial line."""

    @field_validator("port")
    @classmethod
    def _reached(cls, port: str) -> str:
        if "://" not in port:
            return port
        found = _HOST.fullmatch(port)
        if found is None or (found[2] and not 1 <= int(found[2]) <= _LAST_PORT):
            refuse("the path of a serial port, or tcp://host or tcp://host:port")
        return port

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.serial and self.baudrate is None:
            where = "for a serial port" if self.host is None else 'with frames = "rtu"'
            msg = f"baudrate is missing; {where} it must be given, as the modules are set to it"
            raise ValueError(msg)
        if self.host is None and self.frames == "tcp":
            msg = f'frames is "tcp", but port is {self.port}; a serial port carries "rtu" only'
            raise ValueError(msg)
        given = self.model_fields_set & {"baudrate", "parity", "stop_bits"}
        if not self.serial and given:
            msg = f'{min(given)} is given, but frames are "tcp": there is no serial line to set'
            raise ValueError(msg)
        return self

    @property
    def host(self) -> tuple[str, int] | None:
        """Host and port on the network; None for a serial port of this machine."""
        found = _HOST.fullmatch(self.port)
        return None if found is None else (found[1], int(found[2] or MODBUS_PORT))

    @property
    def serial(self) -> bool:
        """Whether frames are those of a serial line."""
        return self.frames == "rtu" or (self.frames is None and self.host is None)

    @property
    def where(self) -> str:
        """The port in one way of writing it."""
        return f"{NETWORK}{self.host[0]}:{self.host[1]}" if self.host else self.port
