"""The settings of one node, section by section in the order of the file."""

import ipaddress
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from config.buses import Bus
from config.event import Event
from config.section import Section
from config.tables import AnyTable, ModbusTable, SerialLinkTable
from config.values import File, Id, Line, Port, Whole, YesNo, refuse
from table.seat import BySeat

__all__ = [
    "Board",
    "Broker",
    "Bus",
    "Event",
    "ModbusTable",
    "Node",
    "Section",
    "SerialLinkTable",
    "Settings",
]


def on_this_machine(host: str) -> bool:
    """Say whether nobody outside this machine can reach the address."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _whole_proof(certificate: Path | None, key: Path | None) -> None:
    if (certificate is None) is not (key is None):
        msg = "tls_certificate_file and tls_key_file are given together or not at all"
        raise ValueError(msg)


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
    tls_certificate_file: File | None = None
    """Certificate of this node, for a broker that asks for one."""
    tls_key_file: File | None = None
    """Private key of that certificate; it must not be readable for everybody."""
    protocol: Literal["5", "3.1.1"] = "5"
    """MQTT version."""
    orders_per_second: Annotated[int, Whole(1, 1000)] = 20
    """Orders that a login may send to this node for ever; `stop` is never held up."""
    orders_at_once: Annotated[int, Whole(1, 10_000)] = 60
    """Orders that a login may send in one go when it was silent before."""
    most_waiting_events: Annotated[int, Whole(1000, 10_000_000)] = 200_000
    """Events that wait for a broker that is away; beyond it the oldest are let go and are found by
    `replay` only."""

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
        _whole_proof(self.tls_certificate_file, self.tls_key_file)
        if self.tls_certificate_file is not None and self.tls_ca_file is None:
            msg = "tls_certificate_file is given without tls_ca_file: there is no TLS to show it in"
            raise ValueError(msg)
        return self


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
    tls_certificate_file: File | None = None
    """Certificate of the board, for a broker that asks for one."""
    tls_key_file: File | None = None
    """Private key of that certificate; it must not be readable for everybody."""
    people: tuple[Line, ...] = ()
    """Who may be picked as the person at the board; shown as unverified."""
    zones: dict[Line, tuple[Id, ...]] = Field(default={})
    """Which zones of the hall are a person's own; their alerts come first for that person."""

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

    @model_validator(mode="after")
    def _whole(self) -> Self:
        _whole_proof(self.tls_certificate_file, self.tls_key_file)
        return self


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
    buses: dict[Id, Bus] = Field(default={})
    """The buses that tables with Modbus modules are on, by names that their modules use."""
    tables: dict[Id, AnyTable] = Field(default={})
    """The tables by id; the id is the table's name in topics."""

    def players(self, table: str) -> BySeat[str]:
        """Return who sits at the seats of a table at the start."""
        named = self.tables[table].players
        return BySeat.of(lambda seat: named[seat - 1] if named else f"{table}-{seat}")

    @model_validator(mode="after")
    def _cycles_in_order(self) -> Self:
        for table, settings in self.tables.items():
            if wrong := settings.cycle.wrong(self.event.slow_cycle):
                msg = f"tables.{table}.cycle: {wrong}"
                raise ValueError(msg)
        return self

    @model_validator(mode="after")
    def _one_authority(self) -> Self:
        if self.board.tls_certificate_file is not None and self.broker.tls_ca_file is None:
            msg = (
                "board.tls_certificate_file is given without broker.tls_ca_file: there is no TLS to"
                " show it in"
            )
            raise ValueError(msg)
        return self

    @model_validator(mode="after")
    def _one_wire_each(self) -> Self:
        taken: dict[str, str] = {}
        ports = [
            (f"table {table}", port) for table, own in self.tables.items() for port in own.ports
        ]
        for name, port in (*ports, *((f"bus {bus}", own.where) for bus, own in self.buses.items())):
            first = taken.setdefault(port, name)
            if first != name:
                msg = f"{first} and {name} both name the port {port}"
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

    @model_validator(mode="after")
    def _known_people(self) -> Self:
        people = self.board.people
        named = (*self.event.chief_referees, *self.board.zones)
        strangers = [one for one in named if people and one not in people]
        if strangers:
            msg = f"{strangers[0]} is named, but is not among the people of the board"
            raise ValueError(msg)
        return self

    @model_validator(mode="after")
    def _known_zones(self) -> Self:
        zones = {wired.zone for wired in self.tables.values()}
        for person, own in self.board.zones.items():
            if self.tables and (empty := sorted(set(own) - zones)):
                msg = f"zone {empty[0]} of {person} has no table"
                raise ValueError(msg)
        return self
