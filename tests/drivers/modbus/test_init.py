"""First writes and identity against modules that hold, forget, refuse or lie."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.modbus.identity import (
    ModuleIdentity,
    Stranger,
    changed,
    had_no_power,
    health_reads,
    identify,
    identity_reads,
    uptime,
)
from drivers.modbus.images import Flaw, Image, Misread, Part
from drivers.modbus.init import Feeding, Init, feeding, first_writes
from drivers.modbus.master_answers import Answer, Exchange, Refused, Replied, Trouble, Unanswered
from drivers.modbus.profile import Profile
from drivers.modbus.profile_file import profile_of
from drivers.modbus.profile_layout import Layout, lay_out
from drivers.modbus.profile_words import IdentityPart
from drivers.modbus.requests import Read, Request, Write
from tests.drivers.modbus.pressed_inputs import window

RELAYS = """
[profile]
id = "made-up"
version = 1
vendor = "Nobody"
model = "Eight"
title = "8 relays that do not exist"
verification = "untested"
wiring = "none"

[sources.house]
title = "decision: a module for tests"
evidence = "house"

[link]
wires = ["rtu"]
source = "house"

[timing]
reply_timeout_milliseconds = 100
source = "house"

[numbering]
source = "house"

[signals."mode{n}"]
n = [0, 1]
area = "holding"
address = 0x1000
source = "house"

[signals."safe{n}"]
n = [0, 1]
area = "holding"
address = 930
source = "house"

[signals.host-loss]
area = "holding"
address = 8
source = "house"

[signals.counting]
area = "coil"
address = 32
source = "house"

[signals.unit-id]
area = "holding"
address = 128
access = "read"
source = "house"

[signals.model]
area = "holding"
address = 200
registers = 2
coding = "text"
access = "read"
source = "house"

[signals.serial]
area = "holding"
address = 270
width = 32
access = "read"
source = "house"

[signals.uptime]
area = "input"
address = 104
width = 32
source = "house"

[init.linkage]
signal = "mode{n}"
value = 0
reason = "an input would switch a relay behind our back"
source = "house"

[init.count]
signal = "counting"
value = 1
reason = "a counter that stands sees no press"
source = "house"

[identify.unit]
signal = "unit-id"
source = "house"

[identify.model]
signal = "model"
any_of = ["WB-8"]
source = "house"

[identify.serial]
signal = "serial"
source = "house"

[failsafe]
timer = "host-loss"
unit_milliseconds = 1000
wanted_milliseconds = 3000
fed_by = "FED"
states = "safe{n}"
off_value = 0
source = "house"

[health]
never_fails = ["mode{n}"]
uptime = "uptime"
source = "house"
"""


def made(fed_by: str = "any-request") -> tuple[Profile, Layout]:
    profile = profile_of(RELAYS.replace("FED", fed_by), "made-up.toml")
    return profile, lay_out(profile)


@dataclass
class Module:
    """Holds what was written, by function of its read and address."""

    held: dict[tuple[int, int], int] = field(default_factory=dict)
    writes: list[Write] = field(default_factory=list)
    deaf: bool = False
    """It acknowledges writes and keeps nothing."""

    def ask(self, request: Request) -> Answer:
        if isinstance(request, Read):
            places = range(request.address, request.end)
            return Replied(tuple(self.held.get((request.function, at), 7) for at in places))
        self.writes.append(request)
        if not self.deaf:
            function = 1 if request.function == 5 else 3
            for offset, word in enumerate(request.values):
                bit = int(bool(word))
                held = bit if function == 1 else word
                self.held[function, request.address + offset] = held
        return Replied()


def finished(init: Init, ask: Callable[[Request], Answer]) -> Init:
    while (request := init.due) is not None:
        init = init.heard(Exchange(request, window(0, 5), ask(request)))
    return init


STALE = {(1, 32): 0}


def test_first_writes_go_out_in_the_order_of_the_profile_then_the_failsafe() -> None:
    module = Module(dict(STALE))
    assert finished(first_writes(*made()), module.ask).failure == ""
    assert module.writes == [
        Write(6, 0x1000, (0,)),
        Write(6, 0x1001, (0,)),
        Write(5, 32, (0xFF00,)),
        Write(6, 930, (0,)),
        Write(6, 931, (0,)),
        Write(6, 8, (3,)),
    ]


@given(
    st.dictionaries(st.sampled_from([0x1000, 0x1001, 930, 931, 8]), st.integers(0, 5)),
    st.integers(0, 1),
)
def test_a_second_connect_writes_nothing_whatever_the_module_held(
    held: dict[int, int], counting: int
) -> None:
    module = Module({(1, 32): counting, **{(3, at): word for at, word in held.items()}})
    assert finished(first_writes(*made()), module.ask).failure == ""
    holding, module.writes = dict(module.held), []
    assert finished(first_writes(*made()), module.ask).failure == ""
    assert (module.writes, module.held) == ([], holding)


def test_a_module_that_does_not_keep_what_was_written_is_not_used() -> None:
    module = Module(dict(STALE), deaf=True)
    failed = finished(first_writes(*made()), module.ask)
    assert failed.failure == "linkage: mode0: it holds 7 after 0 was written"
    assert module.writes == [Write(6, 0x1000, (0,))]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Unanswered(Trouble.SILENT), "no answer in time"),
        (Refused(0x02), "it has nothing at this address (exception 0x02)"),
        (Replied((1, 2)), "function 3, addresses 4096 to 4096: 2 values instead of 1"),
    ],
)
def test_whatever_comes_instead_ends_it_with_the_reason(answer: Answer, reason: str) -> None:
    failed = finished(first_writes(*made()), lambda _: answer)
    assert failed.failure == f"linkage: mode0: {reason}"


def test_a_host_loss_timer_that_only_writes_feed_is_written_three_times_as_often() -> None:
    assert feeding(*made()) is None
    written = Feeding(Write(6, 8, (3,)), timedelta(seconds=1))
    assert feeding(*made("writes")) == feeding(*made("unknown")) == written


def seen(**words: list[int]) -> Image:
    """Return an image of the registers of identity and uptime."""
    reads = {
        "unit": Read(3, 128, 1),
        "model": Read(3, 200, 2),
        "serial": Read(3, 270, 2),
        "uptime": Read(4, 104, 2),
    }
    return Image(
        {
            read: Part(read, tuple(words[name]), window(0, 5))
            for name, read in reads.items()
            if name in words
        }
    )


OURS = {"unit": [5], "model": [0x5742, 0x2D38], "serial": [1, 2]}


def test_a_module_is_known_by_its_model_its_serial_number_and_its_unit() -> None:
    profile, layout = made()
    assert identity_reads(profile, layout) == (Read(3, 128, 1), Read(3, 200, 2), Read(3, 270, 2))
    known = identify(profile, layout, seen(**OURS), 5)
    assert known == ModuleIdentity(
        {IdentityPart.UNIT: "5", IdentityPart.MODEL: "WB-8", IdentityPart.SERIAL: "65538"}
    )
    assert known.single


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ({"unit": [6]}, "unit is 6, not 5"),
        ({"model": [0x5742, 0x2D39]}, "model is 'WB-9', not 'WB-8'"),
        ({"model": [0, 0xFFFF]}, "model: no text, but '\\x00\\x00\\xff\\xff'"),
    ],
)
def test_a_module_that_says_something_else_is_a_stranger(
    words: dict[str, list[int]], reason: str
) -> None:
    assert identify(*made(), seen(**OURS | words), 5) == Stranger((reason,))


def test_what_was_not_read_makes_a_stranger() -> None:
    found = identify(*made(), seen(unit=[5], model=[0x5742, 0x2D38]), 5)
    assert found == Stranger(("serial: no reply holds it",))


def test_another_serial_number_is_a_change_and_the_same_is_none() -> None:
    ours = identify(*made(), seen(**OURS), 5)
    other = identify(*made(), seen(**OURS | {"serial": [1, 3]}), 5)
    assert isinstance(ours, ModuleIdentity)
    assert isinstance(other, ModuleIdentity)
    assert changed(ours, ours) == frozenset()
    assert changed(ours, other) == {IdentityPart.SERIAL}


def test_an_uptime_that_fell_is_a_loss_of_power() -> None:
    profile, layout = made()
    assert health_reads(profile, layout) == (Read(3, 0x1000, 2), Read(4, 104, 2))
    before = uptime(profile, layout, seen(uptime=[1, 0]))
    after = uptime(profile, layout, seen(uptime=[0, 3]))
    assert (before, after) == (timedelta(seconds=65536), timedelta(seconds=3))
    assert had_no_power(timedelta(seconds=65536), timedelta(seconds=3))
    assert not had_no_power(timedelta(seconds=3), timedelta(seconds=3))
    lost = uptime(profile, layout, seen())
    assert lost == Misread(Flaw.NOT_READ, "uptime: no reply holds it")
