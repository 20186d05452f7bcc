"""Tables on one line in virtual time: each for itself, and no byte of one is another's."""

from dataclasses import dataclass
from datetime import timedelta
from random import Random

from simulator.machine import Machine
from simulator.modbus_fittings import BUS, Fittings, line_end
from simulator.modbus_frames import read_rtu, rtu_frame
from simulator.modbus_kits import KITS, Wire
from simulator.modbus_mishaps import PowerCut, Unplugged
from simulator.modbus_module import BOOTS_FOR
from simulator.modbus_plant import Key
from simulator.modbus_shared_bus import UNITS_APART, SharedBus
from simulator.modbus_table import ModuleTable
from simulator.modbus_trouble import Trouble
from table.happening import Input
from table.moment import MILLISECOND
from table.seat import Seat
from tests.simulator.modbus.fitted import START, Written, tap

SECOND = timedelta(seconds=1)
LEVELS, SHUFFLE = "0200000008", "0502000002"
SEATS, KEYS, SIGNS = 1, 2, 3


@dataclass
class Line:
    """Two tables with the basic kit, and their master."""

    tables: dict[str, ModuleTable]
    bus: SharedBus
    now = START

    def ask(self, table: int, unit: int, hexed: str) -> str | None:
        number = unit + (table - 1) * UNITS_APART
        self.bus.hear(BUS, 0, rtu_frame(number, bytes.fromhex(hexed)), self.now)
        until, heard = self.now + 50 * MILLISECOND, b""
        while (at := self.bus.wake_at()) and at <= until:
            self.now = at
            self.bus.pass_time(at)
            heard += b"".join(data for _, data in self.bus.transmit(BUS, at))
        self.now = until
        read = read_rtu(heard)
        return read[1].hex() if read and read[0] == number else None

    def wait(self, span: timedelta) -> None:
        self.now += span
        self.bus.pass_time(self.now)
        self.bus.transmit(BUS, self.now)


def line(*plays: Written) -> Line:
    fitted = [Fittings(KITS["basic"], place * UNITS_APART) for place in range(2)]
    modules = [module for each in fitted for module in each.modules.values()]
    end = line_end(modules, Wire.RTU, 57_600, Trouble(Random(1)))
    played = plays or (Written(), Written())
    tables = {
        f"t{number}": ModuleTable(each, {}, Machine(Random(number)), play)
        for number, (each, play) in enumerate(zip(fitted, played, strict=True), 1)
    }
    return Line(tables, SharedBus(tables, end))


def test_each_table_answers_by_its_own_numbers_and_people_begin_when_theirs_is_read() -> None:
    plays = [Written.of(tap(seat, Input.DISCARD, SECOND, 3_000)) for seat in (Seat.ONE, Seat.FOUR)]
    both = line(*plays)
    assert both.ask(1, SEATS, LEVELS) == "020100"
    assert plays[1].begun is None
    assert both.ask(2, SEATS, LEVELS) == "020100"
    both.wait(3 * SECOND)
    assert both.ask(1, SEATS, LEVELS) == "020101"
    assert both.ask(2, SEATS, LEVELS) == "020140"
    edges = [each["table"] for each in both.bus.take_log() if "edge" in each]
    assert edges == ["t1", "t2"]


def test_a_key_is_pushed_at_the_table_that_is_meant() -> None:
    both = line()
    assert both.ask(2, KEYS, SHUFFLE) == SHUFFLE.lower()
    both.wait(SECOND)
    pushed = {name: [push.key for push in one.plant.pushes] for name, one in both.tables.items()}
    assert pushed == {"t1": [], "t2": [Key.SHUFFLE]}
    assert both.ask(2, SIGNS, LEVELS) == "020102"
    assert both.ask(1, SIGNS, LEVELS) == "020101"


def test_one_table_without_power_leaves_the_line_to_the_other() -> None:
    both = line()
    both.tables["t1"].befall(PowerCut(2 * SECOND), both.now)
    assert both.ask(1, SEATS, LEVELS) is None
    assert both.ask(2, SEATS, LEVELS) is not None
    both.wait(2 * SECOND + BOOTS_FOR)
    assert both.ask(1, SEATS, LEVELS) is not None


def test_one_cable_out_is_silence_and_the_last_one_takes_the_port_away() -> None:
    both = line()
    both.tables["t2"].befall(Unplugged(2 * SECOND), both.now)
    assert both.ask(2, KEYS, SHUFFLE) is None
    assert both.ask(1, SEATS, LEVELS) is not None
    assert both.bus.plugged_in
    both.tables["t1"].befall(Unplugged(SECOND), both.now)
    with_none, heard = both.bus.plugged_in, both.ask(1, SEATS, LEVELS)
    both.wait(2 * SECOND)
    assert (with_none, heard, both.bus.plugged_in) == (False, None, True)
    assert both.ask(2, SEATS, LEVELS) is not None
    assert both.tables["t2"].plant.pushes == []
