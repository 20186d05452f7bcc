"""Modules in virtual time: filters, counters, restarts, and any request at all."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.modbus_module import BOOTS_FOR, Module
from simulator.modbus_pdu import REFUSED, packed, unpacked
from simulator.modbus_waveshare import io_8ch, relay_8
from simulator.modbus_wirenboard import mcm8, mr6c
from table.moment import MILLISECOND, Moment
from tests.simulator.modbus.test_exchanges import MODULES

START = Moment(10_000_000)
KNOWN = (1, 2, 3, 4, 5, 6, 15, 16)

requests = st.one_of(
    st.binary(max_size=253),
    st.builds(
        lambda function, place, word, rest: (
            bytes([function]) + place.to_bytes(2, "big") + word.to_bytes(2, "big") + rest
        ),
        st.sampled_from(KNOWN),
        st.integers(0, 0x0220) | st.sampled_from((0x1000, 0x2000, 0x4000, 0x8000, 0xFFFF)),
        st.sampled_from((0, 1, 2, 8, 16, 125, 126, 2000, 2001, 0xFF00, 0x5500, 0x0100, 0xFFFF)),
        st.sampled_from((b"", b"\x01\xff", b"\x02\x00\x01", b"\x04\x00\x01\x00\x00")),
    ),
)
"""Noise, and requests that come close to what modules know."""


def reads(module: Module, hexed: str, at: Moment) -> bytes:
    reply = module.serve(bytes.fromhex(hexed), at)
    assert reply
    return reply


@pytest.mark.parametrize("make", MODULES.values(), ids=MODULES)
@given(asked=st.lists(st.tuples(requests, st.integers(0, 5000)), max_size=12))
def test_any_request_is_answered_or_met_with_silence(
    make: Callable[[], Module], asked: list[tuple[bytes, int]]
) -> None:
    module, now = make(), START
    for pdu, ms in asked:
        now += ms * MILLISECOND
        reply = module.serve(pdu, now)
        if reply is None:
            continue
        assert reply[0] & ~REFUSED == pdu[0] & ~REFUSED
        assert len(reply) <= 253
        assert not reply[0] & REFUSED or len(reply) == 2


@given(st.lists(st.integers(0, 1), max_size=40))
def test_bits_in_bytes_come_back_as_they_were(bits: list[int]) -> None:
    assert unpacked(packed(bits), len(bits)) == bits


def test_a_touch_shorter_than_the_debounce_never_was() -> None:
    module = mcm8()
    module.touch(0, START, closed=True)
    module.touch(0, START + 49 * MILLISECOND, closed=False)
    assert reads(module, "04003C0002", START + timedelta(seconds=1)) == b"\x04\x04\0\0\0\0"


def test_a_contact_that_bounces_is_counted_once_after_it_has_settled() -> None:
    module = mcm8()
    for ms, closed in ((0, True), (3, False), (5, True), (9, False), (11, True)):
        module.touch(0, START + ms * MILLISECOND, closed=closed)
    assert reads(module, "0200000001", START + 60 * MILLISECOND) == b"\x02\x01\x00"
    assert reads(module, "0200000001", START + 61 * MILLISECOND) == b"\x02\x01\x01"
    assert reads(module, "04003C0002", START + 61 * MILLISECOND) == b"\x04\x04\0\0\0\x01"


def test_a_module_without_a_filter_shows_an_edge_at_once() -> None:
    module = io_8ch()
    module.touch(7, START, closed=True)
    assert reads(module, "0200000008", START) == b"\x02\x01\x80"


def test_a_counter_begins_at_zero_again_after_the_largest_number() -> None:
    module = mcm8()
    module.contacts[0].approach_wrap(1)
    assert reads(module, "04003C0002", START) == b"\x04\x04\xff\xff\xff\xff"
    module.touch(0, START, closed=True)
    assert reads(module, "04003C0002", START + timedelta(seconds=1)) == b"\x04\x04\0\0\0\0"


def test_a_restart_takes_counters_and_outputs_and_leaves_settings() -> None:
    module = mr6c()
    reads(module, "0600140005", START)
    reads(module, "050000FF00", START)
    module.contacts[0].count = 7
    module.restart(START)
    assert module.serve(bytes.fromhex("0300140001"), START + BOOTS_FOR / 2) is None
    up = START + BOOTS_FOR
    assert reads(module, "0300140001", up) == b"\x03\x02\0\x05"
    assert reads(module, "0400200001", up) == b"\x04\x02\0\0"
    assert reads(module, "0100000001", up) == b"\x01\x01\0"


def test_a_button_held_through_a_restart_is_no_press() -> None:
    module = mcm8()
    module.touch(0, START, closed=True)
    module.restart(START + timedelta(seconds=1))
    up = START + timedelta(seconds=3)
    assert reads(module, "0200000001", up) == b"\x02\x01\x01"
    assert reads(module, "04003C0002", up) == b"\x04\x04\0\0\0\0"


def test_uptime_counts_from_the_last_restart() -> None:
    module = mcm8()
    module.restart(START)
    assert reads(module, "0400680002", START + timedelta(seconds=90)) == b"\x04\x04\0\0\0\x5a"


def test_without_power_nothing_answers_and_nothing_is_counted() -> None:
    module = mcm8()
    module.cut_power(START)
    module.touch(0, START, closed=True)
    later = START + timedelta(hours=1)
    assert module.serve(b"\x02\0\0\0\x01", later) is None
    module.restart(later)
    assert reads(module, "04003C0002", later + BOOTS_FOR) == b"\x04\x04\0\0\0\0"


def test_a_mute_module_works_on() -> None:
    module = mcm8()
    module.mute(START + timedelta(seconds=2))
    module.touch(0, START, closed=True)
    assert module.serve(b"\x02\0\0\0\x01", START + timedelta(seconds=1)) is None
    after = START + timedelta(seconds=2)
    assert reads(module, "04003C0002", after) == b"\x04\x04\0\0\0\x01"


def test_a_row_that_one_value_does_not_fit_is_not_written_at_all() -> None:
    module = mcm8()
    assert reads(module, "1000140002040005FFFF", START) == b"\x90\x03"
    assert reads(module, "0300140002", START) == b"\x03\x04\0\x32\0\x32"


def test_a_flash_leaves_no_output_on_when_nobody_asks_any_more() -> None:
    module = relay_8()
    reads(module, "0502000003", START)
    module.pass_time(START + timedelta(days=1))
    on, off = module.told()
    assert (on.on, off.on) == (True, False)
    assert off.at - on.at == 300 * MILLISECOND


def test_a_write_ends_a_flash() -> None:
    module = relay_8()
    reads(module, "0502000014", START)
    reads(module, "050000FF00", START + timedelta(seconds=1))
    module.pass_time(START + timedelta(days=1))
    assert module.switches[0].on
