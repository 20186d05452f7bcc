"""The settings of one node, section by section in the order of the file."""

import ipaddress
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from config.values import (
    SECOND,
    Book,
    Count,
    File,
    Id,
    Limit,
    Line,
    Patience,
    Port,
    Span,
    Steps,
    Whole,
    YesNo,
    refuse,
)
from scoring.rules import AlertPolicy
from table.fouls import FoulKind
from table.moment import MILLISECOND
from table.seat import BySeat, Seat
from timing.rules import TurnStart


class Section(BaseModel):
    """A part of the file in which every key is known and nothing changes after reading."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )


def on_this_machine(host: str) -> bool:
    """Say whether nobody outside this machine can reach the address."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


class Node(Section):
    """The machine that has the table cables."""

    id: Id
    """Name of this machine in topics; one of its own for every node of a venue."""
    venue: Id
    """Name of the venue in topics, the same for all its nodes and boards."""
    venue_name: Line | None = None
    """The venue as people read it; the id where it is not given."""
    keeps_venue: YesNo = False
    """Whether this node keeps what belongs to the whole venue; exactly one node of a venue does."""
    state_directory: File = Path("/var/lib/tablewarden")
    """Folder in which the node keeps its record."""
    journal: File | None = None
    """The record of all that happened; `journal.sqlite` in `state_directory` if not given."""

    @property
    def journal_file(self) -> Path:
        """Where the journal lies."""
        return self.journal or self.state_directory / "journal.sqlite"


class Broker(Section):
    """The MQTT broker between this node and everybody else."""

    host: Line = "127.0.0.1"
    """Name or address of the broker."""
    port: Port = 1883
    """TCP port of the broker; 8883 is usual with TLS."""
    prefix: Id = "mahjong"
    """First word of every topic."""
    login: Line | None = None
    """Login of this node at the broker; anonymous if not given."""
    password_file: File | None = None
    """File that holds the password of the login; it must not be readable for everybody."""
    tls_ca_file: File | None = None
    """Certificates that the broker's is checked against; required for one on another machine."""
    protocol: Literal["5", "3.1.1"] = "5"
    """MQTT version."""

    @model_validator(mode="after")
    def _safe(self) -> Self:
        if not on_this_machine(self.host) and self.tls_ca_file is None:
            msg = (
                f"the broker {self.host} is on another machine, so tls_ca_file must name the"
                " certificates that its certificate is checked against"
            )
            raise ValueError(msg)
        if self.password_file is not None and self.login is None:
            msg = "password_file is given without the login it belongs to"
            raise ValueError(msg)
        return self


class Overrides(Section):
    """Single values of the rule set that this event changes; published with their source."""

    first_discard: Limit | None = Field(default=None, alias="first_discard_seconds")
    """The dealer's first discard, from the end of the deal."""
    turn: Limit | None = Field(default=None, alias="turn_seconds")
    """Each later discard."""
    turn_starts: TurnStart | None = None
    """What a turn's limit counts from."""
    call_window: Limit | None = Field(default=None, alias="call_window_seconds")
    """To call pung or kong, from the discard."""
    late_call_stands: YesNo | None = None
    """Whether a pung called late is carried out all the same."""
    kong_restarts: YesNo | None = None
    """Whether a kong's replacement opens a fresh limit."""
    flower_restarts: YesNo | None = None
    """Whether a flower's replacement opens a fresh limit."""
    kongs_at_most: Count | None = None
    """How many kongs of a seat can open a fresh limit in one hand."""
    flowers_at_most: Count | None = None
    """How many flowers of a seat can open a fresh limit in one hand."""
    steps: dict[FoulKind, Steps] = {}
    """The sanctions for the first, second and later standing foul of a kind; the last repeats."""


class Event(Section):
    """The tournament: its rule set and the choices a rule book leaves to the organiser."""

    ruleset: Book
    """A rule set shipped with the program (`mcr-2014`), or the path of the venue's own file."""
    presumed_margin: Patience = Field(default=timedelta(seconds=3), alias="presumed_margin_seconds")
    """An overrun of a turn whose start was not sensed is put before a referee only beyond this."""
    press_is_the_call: YesNo = True
    """Whether pressing `claim` is the call; if not, `reach_seconds` are in the player's favour."""
    reach: Patience = Field(default=timedelta(seconds=1), alias="reach_seconds")
    """From calling aloud to pressing, subtracted where the press is not the call."""
    alerts: dict[FoulKind, AlertPolicy] = {}
    """Which fouls are put before a referee (`auto`) or kept for the record only (`record_only`)."""
    late_call: Patience = Field(default=timedelta(seconds=3), alias="late_call_seconds")
    """A call later than this after the window is taken as of a discard that was not pressed."""
    repeat_press: Patience = Field(default=timedelta(seconds=3), alias="repeat_press_seconds")
    """A discard press so soon after the last, by its seat or one it passed over, is a repeat."""
    lease: Limit = Field(default=timedelta(seconds=60), alias="lease_seconds")
    """How long an acknowledged alert is kept for one referee."""
    lamp_before: Patience = Field(default=timedelta(seconds=3), alias="lamp_before_seconds")
    """The seat lamp is lit for this long before the limit."""
    beep: Annotated[timedelta, Span(timedelta(0), timedelta(milliseconds=300), MILLISECOND)] = (
        Field(default=timedelta(milliseconds=300), alias="beep_milliseconds")
    )
    """Length of the one tone at the limit."""
    missed_press_notice: Annotated[int, Whole(1, 144)] = 5
    """After so many missed presses of a seat in a hand the referee is told."""
    slow_cycle: Annotated[timedelta, Span(SECOND, timedelta(minutes=10))] = Field(
        default=timedelta(seconds=80), alias="slow_cycle_seconds"
    )
    """A machine that shuffles and stacks for longer than this is told to staff."""
    overrides: Overrides = Overrides()
    """Single values of the rule set that this event changes."""


class Board(Section):
    """The web pages for hall and referees."""

    host: Line = "127.0.0.1"
    """Address the pages are served on; this machine only, as there is no log-in yet."""
    port: Port = 8080
    """TCP port of the pages."""
    login: Id = "board"
    """Login of the board at the broker; its orders go out under this name."""
    password_file: File | None = None
    """File that holds the password of the login; anonymous if not given."""
    people: tuple[Line, ...] = ()
    """Who may be picked as the person at the board; shown as unverified."""

    @field_validator("host")
    @classmethod
    def _loopback(cls, host: str) -> str:
        if not on_this_machine(host):
            allowed = (
                "an address of this machine alone (127.0.0.1, ::1 or localhost), because the board"
                " has no log-in yet and whoever reaches it can rule"
            )
            refuse(allowed)
        return host

    @field_validator("people")
    @classmethod
    def _distinct(cls, people: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(people)) < len(people):
            refuse("a list that names everybody once")
        return people


class SerialLinkTable(Section):
    """One table and the wire it is reached on."""

    wire: Literal["serial-link"]
    """How the table speaks."""
    port: Line
    """Serial port, as a device path (`/dev/serial/by-id/…`) or an address that pyserial takes."""
    baudrate: Annotated[int, Whole(1200, 4_000_000)] = 115200
    """Speed of the port."""
    name: Line | None = None
    """The table as people read it; the id where it is not given."""
    players: tuple[Id, ...] | None = None
    """Who sits at seats 1 to 4 at the start; `<table>-1` to `<table>-4` if not given."""
    expected_serial: Line | None = None
    """Hardware serial number; another table on this port is refused."""

    @field_validator("players")
    @classmethod
    def _distinct(cls, players: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if players is not None and not len(players) == len(set(players)) == len(Seat):
            refuse("a list of four different players")
        return players


class Settings(Section):
    """Everything a node or a board is told."""

    node: Node
    """The machine that has the table cables."""
    broker: Broker = Broker()
    """The MQTT broker."""
    event: Event
    """The tournament and its rules."""
    board: Board = Board()
    """The web pages."""
    tables: dict[Id, SerialLinkTable] = {}
    """The tables by id; the id is the table's name in topics."""

    def players(self, table: str) -> BySeat[str]:
        """Return who sits at the seats of a table at the start."""
        named = self.tables[table].players
        return BySeat.of(lambda seat: named[seat - 1] if named else f"{table}-{seat}")

    @model_validator(mode="after")
    def _one_wire_each(self) -> Self:
        taken: dict[str, str] = {}
        for table, settings in self.tables.items():
            first = taken.setdefault(settings.port, table)
            if first != table:
                msg = f"tables {first} and {table} both name the port {settings.port}"
                raise ValueError(msg)
        return self

    @model_validator(mode="after")
    def _one_seat_each(self) -> Self:
        seated: dict[str, str] = {}
        for table in self.tables:
            for player in self.players(table):
                first = seated.setdefault(player, table)
                if first != table:
                    msg = f"player {player} sits at both {first} and {table}"
                    raise ValueError(msg)
        return self
