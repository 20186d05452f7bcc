"""The tables of a node: what each has, whatever its wire is, and what belongs to each wire."""

from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, field_validator

from config.machine import Cycle, TileSet
from config.section import Section
from config.values import Id, Line, ProfileName, Span, Text, Whole, refuse
from table.moment import MILLISECOND
from table.seat import Seat
from timing.rules import DealEnd

PSEUDO_TERMINALS = "/dev/pts"
_Signal: TypeAlias = Annotated[
    str, Text(r"[a-z0-9][a-z0-9-]*\.[a-z0-9-]+", "a module and its signal, for example seats.in1")
]


class Table(Section):
    """What every table has."""

    wire: str
    """How the table speaks."""
    name: Line | None = None
    """The table as people read it; the id where it is not given."""
    zone: Id | None = None
    """The part of the hall it stands in, for the referee who looks after it."""
    players: tuple[Id, ...] | None = None
    """Who sits at seats 1 to 4 at the start; `<table>-1` to `<table>-4` if not given."""
    tiles: TileSet | None = None
    """How many tiles the table is set to: 136 or 144. No table tells it; `check` compares it with
    the rule set."""
    deal_end: DealEnd = DealEnd.SIGNAL
    """What ends the deal beside a referee's word: the table's own signal, or *discard* pressed by
    all four as ready, or nothing."""
    cycle: Cycle = Cycle()
    """How long its machine takes."""

    @field_validator("players")
    @classmethod
    def _distinct(cls, players: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if players is not None and not len(players) == len(set(players)) == len(Seat):
            refuse("a list of four different players")
        return players

    @property
    def ports(self) -> tuple[str, ...]:
        """The ports that are this table's alone."""
        return ()

    @property
    def place(self) -> str:
        """Where the table is reached, for people."""
        return ", ".join(self.ports)

    @property
    def simulated(self) -> bool:
        """Whether nobody can live at it: only then may time run faster."""
        return False


class SerialLinkTable(Table):
    """A table that speaks the serial table link (docs/table-link.md)."""

    wire: Literal["serial-link"]
    """How the table speaks."""
    port: Line
    """Serial port, as a device path (`/dev/serial/by-id/…`) or an address that pyserial takes."""
    baudrate: Annotated[int, Whole(1200, 4_000_000)] = 115200
    """Speed of the port."""
    expected_serial: Line | None = None
    """Hardware serial number; another table on this port is refused."""

    @property
    def ports(self) -> tuple[str, ...]:
        """The ports that are this table's alone."""
        return (self.port,)

    @property
    def simulated(self) -> bool:
        """Whether its port is a pseudo-terminal."""
        return Path(self.port).resolve().is_relative_to(PSEUDO_TERMINALS)


class Module(Section):
    """One module of a table: what it is, and where it is reached."""

    profile: Annotated[str, ProfileName()]
    """A profile shipped with the program (`waveshare-io-8ch`), or the path of the venue's own;
    `tablewarden profile check` tells what is in it."""
    bus: Id | None = None
    """The bus that it is on; may be left out where there is only one."""
    unit: Annotated[int, Whole(1, 247)] = 1
    """The number that it answers to on its bus."""
    expected_serial: Line | None = None
    """Its serial number, where its profile reads one; another module in its place is refused."""


class ModbusTable(Table):
    """A table that is fitted with Modbus modules (docs/hardware.md)."""

    wire: Literal["modbus"]
    """How the table speaks."""
    period: Annotated[timedelta, Span(MILLISECOND, timedelta(seconds=1), MILLISECOND)] = Field(
        default=timedelta(milliseconds=20), alias="period_milliseconds"
    )
    """How often its inputs are wanted; a slow bus takes as long as it takes."""
    modules: dict[Id, Module]
    """Its modules, by names that its signals use."""
    signals: dict[Line, _Signal]
    """What is wired where: `discard-1 = "seats.in1"`."""

    @property
    def place(self) -> str:
        """Where the table is reached, for people."""
        return f"modules {', '.join(self.modules)}"


class PadsTable(Table):
    """A table without hardware: each seat presses on a pad (docs/hardware.md)."""

    wire: Literal["pads"]
    """How the table speaks."""

    @property
    def place(self) -> str:
        """Where the table is reached, for people."""
        return "pads of the board"


AnyTable: TypeAlias = Annotated[
    SerialLinkTable | ModbusTable | PadsTable, Field(discriminator="wire")
]
"""A table of any wire; a new wire is one more class here."""
