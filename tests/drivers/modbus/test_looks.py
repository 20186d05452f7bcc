"""When a device truly looked at its inputs, and the window that is told of it."""

import asyncio
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import cycle

from hypothesis import given
from hypothesis import strategies as st

from drivers.modbus.bus import Bus
from drivers.modbus.bus_queue import Manners
from drivers.modbus.lines import BusLine, FrameKind
from drivers.modbus.master_answers import Exchange, Replied
from drivers.modbus.requests import Read, Write
from drivers.modbus.windows import Window
from drivers.serial_line import Character
from table.moment import Moment
from tests.drivers.modbus.paced_bus import reply_to
from tests.drivers.modbus.virtual_bus import FarEnd, VirtualLine, virtual_line
from tests.harness.virtual_loop import loop_now, played

MS = timedelta(milliseconds=1)
BAUDS = st.sampled_from([4800, 9600, 19200, 57600, 115200, 256000])
WIRES = st.tuples(
    BAUDS, st.builds(Character, st.sampled_from(["N", "E", "O"]), st.sampled_from([1, 2]))
)


@dataclass(frozen=True)
class Turn:
    """What one exchange does within physics; delays are seconds."""

    adapter_out: float
    thinks: float
    looks: float
    """Where between the end of the request and the beginning of the reply it looks, 0 to 1."""
    adapter_in: float


DELAY = st.floats(0, 0.03)
TURNS = st.lists(st.builds(Turn, DELAY, DELAY, st.floats(0, 1), DELAY), min_size=1, max_size=6)


@dataclass
class LookingEnd(FarEnd):
    """A module whose looks are known.

    Attributes:
        turns: what each exchange does, over and over.
        bits: of a character as the module says it.
        hurry: how much faster than the baud rate both ends are.
        looks: the true moments at which it looked.
    """

    turns: list[Turn] = field(default_factory=list)
    bits: int = 10
    stop_bits: int = 1
    hurry: float = 1
    looks: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._turns = cycle(self.turns)

    def write(self, chunk: bytes) -> None:
        loop, turn = asyncio.get_running_loop(), next(self._turns)
        self.heard.append((loop.time(), chunk))
        heard = loop.time() + turn.adapter_out + self._takes(len(chunk))
        self.looks.append(heard + turn.thinks * turn.looks)
        reply = reply_to(chunk)
        at = heard + turn.thinks + self._takes(len(reply)) + turn.adapter_in
        loop.call_at(at, self.say, reply)

    def _takes(self, characters: int) -> float:
        """Return when the last byte is whole: in the middle of its first stop bit."""
        bits = characters * self.bits - self.stop_bits + 0.5
        return bits / (self.baudrate * self.hurry)


def polled(line: VirtualLine, reads: tuple[Read, ...]) -> list[Exchange]:
    """Return what came of some samples."""

    async def play() -> list[Exchange]:
        samples: asyncio.Queue[tuple[Exchange, ...]] = asyncio.Queue()
        async with Bus(line, loop_now).joined(lambda _: None) as member:
            station = member.meet(1, Manners(reply_within=200 * MS))
            member.poll(station, reads, MS, samples.put_nowait)
            return [one for _ in range(8) for one in await samples.get()]

    return played(play)


def holds(window: Window, look: float) -> bool:
    """Say whether a window holds a true look; moments are whole microseconds."""
    return window.asked.micros - 1 <= look * 1e6 <= window.arrived.micros + 1


@given(WIRES, st.booleans(), TURNS, st.floats(0.8, 1.05), st.integers(1, 60))
def test_a_module_looked_within_the_window_however_fast_and_late_its_bytes_are(
    wire: tuple[int, Character],
    one_stop_bit: bool,  # noqa: FBT001 - drawn
    turns: list[Turn],
    hurry: float,
    count: int,
) -> None:
    baud, character = wire
    stop_bits = 1 if one_stop_bit else character.stop_bits
    bits = character.bits - character.stop_bits + stop_bits
    far = LookingEnd({}, baud, turns=turns, bits=bits, stop_bits=stop_bits, hurry=hurry)
    line = replace(virtual_line(far), character=character)
    exchanges = polled(line, (Read(3, 0, count), Read(2, 0, 8)))
    for exchange, look in zip(exchanges, far.looks, strict=False):
        assert isinstance(exchange.answer, Replied)
        assert holds(exchange.window, look)


@given(BAUDS, TURNS)
def test_the_time_on_the_wire_is_no_doubt(baud: int, turns: list[Turn]) -> None:
    far = LookingEnd({}, baud, turns=turns)
    exchanges = polled(virtual_line(far), (Read(2, 0, 8),))
    for exchange, turn in zip(exchanges, cycle(turns), strict=False):
        delays = turn.adapter_out + turn.thinks + turn.adapter_in
        width = (exchange.window.arrived - exchange.window.asked).total_seconds()
        assert width < delays + 0.07 * 14 * 10 / baud + 2 / baud


@given(st.lists(st.floats(0, 0.002), min_size=1, max_size=6), st.floats(0, 1))
def test_bytes_that_are_faster_than_their_baud_rate_narrow_nothing(
    thinks: list[float], share: float
) -> None:
    turns = [Turn(0, 0, share, 0), *(Turn(0, each, share, 0) for each in thinks)]
    far = LookingEnd({}, 9600, turns=turns, hurry=1e6)
    exchanges = polled(virtual_line(far), (Read(2, 0, 8),))
    for exchange, look in zip(exchanges, far.looks, strict=False):
        assert holds(exchange.window, look)


def test_a_single_answer_that_is_too_soon_is_the_end_of_all_narrowing() -> None:
    slow, quick = Turn(0.001, 0.05, 0, 0), Turn(0, 0, 0, 0)
    far = LookingEnd({}, 9600, turns=[slow, slow, quick, slow, slow, slow, slow, slow], hurry=1e6)
    exchanges = polled(virtual_line(far), (Read(2, 0, 8),))
    assert [holds(one.window, look) for one, look in zip(exchanges, far.looks, strict=False)] == [
        False,  # no line is that slow in answering and that fast in sending; ADR 36
        False,
        *[True] * 6,
    ]


def test_nothing_but_a_port_of_ours_is_bound_to_its_baud_rate() -> None:
    assert BusLine.rtu("/dev/ttyUSB0", 9600).surely_takes(8) == timedelta(microseconds=7735)
    assert BusLine.rtu_over_tcp("127.0.0.1", 502, 9600).surely_takes(8) == 0 * MS
    assert BusLine.rtu("rfc2217://127.0.0.1:2217", 9600).surely_takes(8) == 0 * MS
    assert BusLine.tcp("127.0.0.1").surely_takes(8) == 0 * MS
    assert BusLine("/dev/ttyUSB0", FrameKind.RTU, None).surely_takes(8) == 0 * MS


def test_the_window_of_a_write_stays_whole() -> None:
    far = LookingEnd({}, 9600, turns=[Turn(0, 0.01, 0, 0)])

    async def play() -> Exchange:
        async with Bus(virtual_line(far), loop_now).joined(lambda _: None) as member:
            station = member.meet(1, Manners(reply_within=200 * MS))
            return await member.ask(station, Write(5, 0, (0xFF00,)))

    exchange = played(play)
    assert exchange.window.asked == Moment(round(far.heard[0][0] * 1e6))
    assert exchange.window.arrived == Moment(round(far.said[0] * 1e6))
