"""Every shipped profile against a simulated module of its kind, in virtual time."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import cycle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.gestures import Change
from drivers.modbus.edges import Edge
from drivers.modbus.identity import ModuleIdentity, health_reads, identify, identity_reads
from drivers.modbus.images import Image, Part, taken
from drivers.modbus.init import first_writes
from drivers.modbus.master_answers import (
    Answer,
    Exchange,
    Replied,
    Trouble,
    Unanswered,
    judge,
    payload,
)
from drivers.modbus.profile_file import read_profile, shipped_profiles
from drivers.modbus.profile_layout import EdgeSource, lay_out
from drivers.modbus.profile_words import Sensing
from drivers.modbus.pulse_run import Run
from drivers.modbus.pulse_steps import Steps, pulse_steps
from drivers.modbus.reads import sample_reads
from drivers.modbus.requests import Read, Request, Write
from drivers.modbus.signals import latch_cleared, sample, watching
from drivers.modbus.windows import Window
from drivers.modbus.writes import clearing
from drivers.port import Answer as Outcomes
from drivers.port import Outcome
from simulator.modbus_advantech import adam_6050, adam_6060
from simulator.modbus_eletechsup import n4d8b08
from simulator.modbus_module import Module
from simulator.modbus_moxa import e1210, e1214
from simulator.modbus_waveshare import io_8ch, relay_8, relay_d_8ch
from simulator.modbus_wellpro import wp8026, wp8027
from simulator.modbus_wirenboard import mcm8, mr6c
from table.moment import MILLISECOND, Moment
from tests.drivers.modbus.pressed_inputs import MS, Press, downs, holds_press

MAKERS: dict[str, Callable[[], Module]] = {
    "adam-6050": adam_6050,
    "adam-6060": adam_6060,
    "eletechsup-n4d8b08": n4d8b08,
    "iologik-e1210": e1210,
    "iologik-e1214": e1214,
    "waveshare-io-8ch": io_8ch,
    "waveshare-relay-8": relay_8,
    "waveshare-relay-d-8": relay_d_8ch,
    "wb-mcm8": mcm8,
    "wb-mr6c": mr6c,
    "wp8026": wp8026,
    "wp8027": wp8027,
}
PROFILES = {name: read_profile(file) for name, file in shipped_profiles().items()}
SHIPPED = {name: (profile, lay_out(profile)) for name, profile in PROFILES.items()}
HOLD = timedelta(seconds=1)
PULSE = timedelta(milliseconds=200)
READY = 5_000 * MS


class Bench:
    """A simulated module, read and written in virtual time by what its profile says."""

    def __init__(self, name: str, waits: Sequence[int] = (1 * MS,)) -> None:
        self.profile, self.layout = SHIPPED[name]
        self.module = MAKERS[name]()
        self.now = READY
        self.writes: list[Write] = []
        self._waits = cycle(waits)
        self._touches: list[tuple[int, int, bool]] = []

    def press(self, channel: int, press: Press) -> None:
        self._touches += [(press.down, channel, True), (press.up, channel, False)]
        self._touches.sort()

    def ask(self, request: Request) -> Exchange:
        asked = self.now
        served = asked + next(self._waits)
        while self._touches and self._touches[0][0] <= served:
            at, channel, closed = self._touches.pop(0)
            self.module.touch(channel, Moment(at), closed=closed)
        reply = self.module.serve(payload(request), Moment(served))
        self.now = served + next(self._waits)
        if isinstance(request, Write):
            self.writes.append(request)
        return Exchange(request, Window(Moment(asked), Moment(self.now)), _judged(request, reply))

    def read(self, reads: Sequence[Read]) -> Image:
        image = Image()
        for read in reads:
            exchange = self.ask(read)
            assert isinstance(exchange.answer, Replied), (read, exchange.answer)
            part = taken(read, exchange.answer.values, exchange.window)
            assert isinstance(part, Part)
            image = image.with_part(part)
        return image

    def connect(self) -> str:
        init = first_writes(self.profile, self.layout)
        while (request := init.due) is not None:
            init = init.heard(self.ask(request))
        return init.failure

    def watch(self, sources: Sequence[EdgeSource], until: int) -> dict[str, list[Edge]]:
        """Sample inputs without a rest."""
        reads = sample_reads(self.profile.timing, self.layout, sources, ())
        signals, said = watching(sources, reads), dict[str, list[Edge]]()
        while self.now < until:
            told = sample(signals, self.read(reads).parts, HOLD)
            assert not told.troubles
            signals = told.signals
            for name, edge in told.edges:
                said.setdefault(name, []).append(edge)
            for source in told.clear:
                write = clearing(source)
                assert write is not None
                signals = latch_cleared(signals, source.name, self.ask(write).window)
        return said

    def pulse(self, output: str) -> Outcomes:
        steps = pulse_steps(self.layout, output, PULSE)
        assert isinstance(steps, Steps)
        run = Run(steps)
        while (step := run.due) is not None:
            self.now += step.after // timedelta(microseconds=1)
            run = run.heard(self.ask(step.write).answer)
        return run.answer


def _judged(request: Request, reply: bytes | None) -> Answer:
    if reply is None:
        return Unanswered(Trouble.SILENT)
    answer = judge(request, reply)
    assert not isinstance(answer, Trouble)
    return answer


EVERY = sorted(MAKERS)
PRESSED = [name for name in EVERY if SHIPPED[name][1].edges]
PULSED = [name for name in EVERY if SHIPPED[name][1].pulses]


def plain(bench: Bench) -> list[EdgeSource]:
    """Return the edges that tell presses and no gestures, in the order of the inputs."""
    return [edge for edge in bench.layout.edges.values() if edge.gesture is None]


def test_every_shipped_profile_is_tried() -> None:
    assert sorted(shipped_profiles()) == EVERY


@pytest.mark.parametrize("name", EVERY)
def test_a_module_as_it_comes_is_known_and_told_and_a_second_connect_writes_nothing(
    name: str,
) -> None:
    bench = Bench(name)
    image = bench.read(identity_reads(bench.profile, bench.layout))
    known = identify(bench.profile, bench.layout, image, bench.profile.link.unit)
    assert isinstance(known, ModuleIdentity)
    assert bench.connect() == ""
    bench.writes = []
    assert bench.connect() == ""
    assert bench.writes == []
    assert bench.read(health_reads(bench.profile, bench.layout)).parts


@pytest.mark.parametrize("name", PRESSED)
def test_eight_inputs_are_one_read_or_one_of_counters_and_one_of_levels(name: str) -> None:
    bench = Bench(name)
    sources = plain(bench)[:8]
    reads = sample_reads(bench.profile.timing, bench.layout, sources, ())
    assert len(reads) == (1 if sources[0].sensing is Sensing.LEVEL else 2)


HISTORY = st.lists(
    st.tuples(st.integers(70 * MS, 300 * MS), st.integers(50 * MS, 300 * MS)), max_size=3
)
"""Rest before a press and its length; longer than any sample and any debounce here."""


@pytest.mark.parametrize("name", PRESSED)
@settings(max_examples=6)
@given(
    histories=st.lists(HISTORY, min_size=1, max_size=6),
    waits=st.lists(st.integers(1 * MS, 8 * MS), min_size=1, max_size=7),
)
def test_every_press_of_a_module_is_found_in_its_interval(
    name: str, histories: list[list[tuple[int, int]]], waits: list[int]
) -> None:
    bench = Bench(name, waits)
    assert bench.connect() == ""
    presses, begin = _laid_out(histories, bench.now + 100 * MS)
    sources = plain(bench)
    for channel, history in enumerate(presses):
        for press in history:
            bench.press(channel, press)
    said = bench.watch(sources, begin + 200 * MS)
    for source, history in zip(sources, presses, strict=False):
        found = said.get(source.name, [])
        assert [edge.change for edge in found] == [Change.DOWN, Change.UP] * len(history)
        for edge, press in zip(downs(found), history, strict=True):
            assert holds_press(edge, press)


def _laid_out(histories: list[list[tuple[int, int]]], start: int) -> tuple[list[list[Press]], int]:
    presses, end = [], start
    for history in histories:
        at, laid = start, list[Press]()
        for rest, length in history:
            laid.append(Press(at + rest, at + rest + length))
            at += rest + length
        presses.append(laid)
        end = max(end, at)
    return presses, end


@pytest.mark.parametrize("length", [30, 400, 900, 1200, 3000])
def test_a_gesture_that_a_module_counts_holds_its_press(length: int) -> None:
    bench = Bench("wb-mcm8", [3 * MS])
    assert bench.connect() == ""
    press = Press(bench.now + 100 * MS, bench.now + (100 + length) * MS)
    bench.press(0, press)
    sources = [edge for edge in bench.layout.edges.values() if edge.gesture]
    said = bench.watch(sources, press.up + 1000 * MS)
    ((name, edges),) = said.items()
    assert name == ("short1" if length < 1000 else "long1")
    assert holds_press(edges[0], press)


@pytest.mark.parametrize("name", PULSED)
def test_every_output_that_can_be_pulsed_is_on_for_as_long_as_that(name: str) -> None:
    bench = Bench(name)
    assert bench.connect() == ""
    for output in bench.layout.pulses:
        bench.module.told()
        assert bench.pulse(output).outcome is Outcome.DONE
        bench.now += 500 * MS
        bench.module.pass_time(Moment(bench.now))
        on, off = bench.module.told()
        assert (on.on, off.on) == (True, False)
        assert PULSE <= off.at - on.at <= PULSE + 4 * MILLISECOND
