"""Every module does what its maker's document says."""

import re
import tomllib
from collections.abc import Callable

import pytest

from simulator.modbus_advantech import ChannelMode, adam_6050, adam_6060
from simulator.modbus_eletechsup import n4d8b08
from simulator.modbus_frames import crc, read_rtu, rtu_frame
from simulator.modbus_module import Module
from simulator.modbus_moxa import e1210, e1214
from simulator.modbus_waveshare import io_8ch, relay_8, relay_d_8ch
from simulator.modbus_wellpro import wp8026, wp8027
from simulator.modbus_wirenboard import mcm8, mr6c
from table.moment import MILLISECOND, Moment
from tests.simulator.modbus.exchanges import VECTORS, Exchange, exchanges

MODULES: dict[str, Callable[[], Module]] = {
    "adam-6050": adam_6050,
    "adam-6050-latch": lambda: adam_6050([ChannelMode.LATCH] * 12),
    "adam-6060": adam_6060,
    "e1210": e1210,
    "e1214": e1214,
    "io-8ch": io_8ch,
    "n4d8b08": n4d8b08,
    "relay-8": relay_8,
    "relay-d-8ch": relay_d_8ch,
    "wb-mcm8": mcm8,
    "wb-mr6c": mr6c,
    "wp8026": wp8026,
    "wp8027": wp8027,
}
START = Moment(5_000_000)


class Bench:
    """One module on a bench, with its maker's document beside it."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.now = START
        self.answer: bytes | None = None

    def follow(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        match word:
            case "given":
                self.give(*rest.split())
            case "after":
                self.now += int(rest.removesuffix(" ms")) * MILLISECOND
                self.module.pass_time(self.now)
            case "then":
                name, state = rest.split()
                assert self.module.switches[number(name)].on == (state == "on"), line
            case "=>":
                self.answer = self.module.serve(bytes.fromhex(rest), self.now)
            case "<=":
                assert self.answer == bytes.fromhex(rest), (line, self.answer)
            case "->":
                read = read_rtu(bytes.fromhex(rest))
                assert read, f"the check of {rest} is wrong"
                self.answer = self.module.serve(read[1], self.now)
            case "<-":
                assert self.answer
                assert rtu_frame(self.module.unit, self.answer) == bytes.fromhex(rest)
            case "silence":
                assert self.answer is None
            case _:
                pytest.fail(f"{line} is no line of an exchange")

    def give(self, name: str, state: str) -> None:
        if name.startswith("in"):
            self.module.touch(number(name), self.now, closed=state == "closed")
        elif name.startswith("out"):
            self.module.switches[number(name)].turn(self.now, on=state == "on")
        else:
            self.module.contacts[number(name)].count = int(state)


def number(name: str) -> int:
    return int(re.sub("[a-z]", "", name)) - 1


@pytest.mark.parametrize("exchange", exchanges(), ids=lambda exchange: exchange.title)
def test_a_module_does_what_its_makers_document_says(exchange: Exchange) -> None:
    bench = Bench(MODULES[exchange.module]())
    for line in exchange.lines:
        bench.follow(line)


PRINTED = [
    (file.stem, frame["request"], frame.get("reply"))
    for file in sorted(VECTORS.glob("*.toml"))
    for frame in tomllib.loads(file.read_text()).get("frames", ())
]
"""Frames that pages print, beside those of our exchanges: module, request, reply where printed."""
NAMES = {
    "eletechsup-n4d8b08": "n4d8b08",
    "waveshare-io-8ch": "io-8ch",
    "waveshare-relay-8": "relay-8",
    "waveshare-relay-d-8": "relay-d-8ch",
}


@pytest.mark.parametrize(("name", "request_", "reply"), PRINTED)
def test_a_frame_that_a_page_prints_is_taken(name: str, request_: str, reply: str | None) -> None:
    module = MODULES[NAMES[name]]()
    unit_and_pdu = read_rtu(bytes.fromhex(request_))
    assert unit_and_pdu
    unit, pdu = unit_and_pdu
    answer = module.serve(pdu, START)
    assert answer
    assert unit == module.unit
    assert answer[0] == pdu[0]
    if reply:
        assert len(rtu_frame(unit, answer)) == len(bytes.fromhex(reply))


def test_every_module_has_exchanges_to_answer_for() -> None:
    assert {exchange.module for exchange in exchanges()} == set(MODULES)


def test_the_check_is_that_of_the_specification() -> None:
    # Modbus over Serial Line V1.02, section 6.2.2, figure 19: 02 07 has the check 41 12.
    assert crc(bytes.fromhex("0207")) == bytes.fromhex("4112")
