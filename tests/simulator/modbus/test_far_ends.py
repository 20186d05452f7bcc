"""Bytes on the wire, in virtual time: what leaves when, and what nobody answers."""

from datetime import timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.modbus_far_ends import FarEnd, LineSpeed, RtuEnd, TcpEnd
from simulator.modbus_frames import rtu_frame
from simulator.modbus_module import Module
from simulator.modbus_trouble import Trouble
from simulator.modbus_waveshare import io_8ch, relay_8
from simulator.modbus_wirenboard import mcm8
from table.moment import MICROSECOND, MILLISECOND, ZERO, Moment

START = Moment(1_000_000)
READ_INPUTS = bytes.fromhex("0200000008")
TCP_READ_INPUTS = bytes.fromhex("0001 0000 0006 01 02 0000 0008")


def no_trouble() -> Trouble:
    return Trouble(Random(0))


def bus(*modules: Module, baud: int = 9600) -> RtuEnd:
    for unit, module in enumerate(modules, 1):
        module.unit = unit
    return RtuEnd(LineSpeed(baud), modules, no_trouble())


def leaving(end: FarEnd, until: Moment) -> list[tuple[Moment, bytes]]:
    """Let time pass from one wake-up to the next and note every byte with its moment."""
    noted = []
    while (at := min(filter(None, (end.stirs_at(), end.wake_at())), default=None)) and at <= until:
        end.pass_time(at)
        noted += [(at, data) for _, data in end.transmit(at)]
    return noted


def said(end: FarEnd, until: Moment = START + timedelta(seconds=5)) -> bytes:
    return b"".join(data for _, data in leaving(end, until))


@pytest.mark.parametrize(
    ("baud", "byte_us", "gap_us"),
    [(9600, 1145.833, 4010.5), (19200, 572.917, 2005.5), (115200, 95.486, 1750)],
)
def test_bytes_leave_one_by_one_at_eleven_bits_each_after_silence_and_turnaround(
    baud: int, byte_us: float, gap_us: float
) -> None:
    module = io_8ch()
    end = bus(module, baud=baud)
    request = rtu_frame(1, READ_INPUTS)
    end.hear(0, request, START)

    noted = leaving(end, START + timedelta(seconds=1))

    assert [data for _, data in noted] == [bytes([byte]) for byte in rtu_frame(1, b"\x02\x01\x00")]
    turnaround_us = module.turnaround / MICROSECOND
    for place, (at, _) in enumerate(noted, 1):
        expected = len(request) * byte_us + gap_us + turnaround_us + place * byte_us
        assert abs((at - START) / MICROSECOND - expected) <= 3
        assert (at - START) / MICROSECOND >= expected - 1


def test_nothing_leaves_early_however_often_one_looks() -> None:
    end = bus(io_8ch())
    end.hear(0, rtu_frame(1, READ_INPUTS), START)
    looked = b""
    for ms in range(40):
        now = START + ms * MILLISECOND
        end.pass_time(now)
        looked += b"".join(data for _, data in end.transmit(now))
        gone = now - START - LineSpeed(9600).span(8) - LineSpeed(9600).gap - 5 * MILLISECOND
        assert len(looked) <= max(0, gone / LineSpeed(9600).span(1))
    assert looked == rtu_frame(1, b"\x02\x01\x00")


def test_bytes_handed_over_together_wait_for_a_millisecond_at_most_and_the_last_one_not() -> None:
    ends = [
        RtuEnd(LineSpeed(115_200), (mcm8(),), no_trouble(), at_once)
        for at_once in (ZERO, MILLISECOND)
    ]
    for end in ends:
        end.hear(0, rtu_frame(1, bytes.fromhex("04003C0010")), START)
    single, lumps = (leaving(end, START + timedelta(seconds=1)) for end in ends)
    assert (len(single), len(lumps)) == (37, 4)
    assert b"".join(data for _, data in lumps) == b"".join(data for _, data in single)
    assert lumps[-1][0] == single[-1][0]
    left = [at for at, _ in single]
    for at, data in lumps:
        waited = [at - left.pop(0) for _ in data]
        assert ZERO <= min(waited) <= max(waited) <= MILLISECOND


def test_a_module_is_asked_when_its_request_is_complete_and_not_when_it_answers() -> None:
    module = io_8ch()
    end = bus(module)
    end.hear(0, rtu_frame(1, READ_INPUTS), START)
    complete_at = end.stirs_at()
    assert complete_at
    module.touch(0, complete_at, closed=True)
    end.pass_time(complete_at)
    module.touch(1, complete_at + MILLISECOND, closed=True)
    assert said(end) == rtu_frame(1, b"\x02\x01\x01")


def test_each_unit_on_a_bus_answers_for_itself() -> None:
    seats, keys = io_8ch(), relay_8()
    end = bus(seats, keys)
    seats.touch(2, START, closed=True)
    end.hear(0, rtu_frame(2, bytes.fromhex("050001FF00")), START)
    assert said(end) == rtu_frame(2, bytes.fromhex("050001FF00"))
    later = START + timedelta(seconds=6)
    end.hear(0, rtu_frame(1, READ_INPUTS), later)
    assert said(end, later + timedelta(seconds=1)) == rtu_frame(1, b"\x02\x01\x04")
    assert [switch.on for switch in keys.switches[:3]] == [False, True, False]
    assert not any(switch.on for switch in seats.switches)


def test_nobody_answers_for_a_unit_that_is_not_there_or_a_damaged_frame() -> None:
    end = bus(io_8ch())
    damaged = bytearray(rtu_frame(1, READ_INPUTS))
    damaged[3] ^= 1
    for number, frame in enumerate((rtu_frame(9, READ_INPUTS), bytes(damaged), b"\x01")):
        end.hear(0, frame, START + number * timedelta(seconds=1))
        assert said(end) == b""


def test_a_broadcast_is_carried_out_by_all_and_answered_by_none() -> None:
    modules = relay_8(), relay_8()
    end = bus(*modules)
    end.hear(0, rtu_frame(0, bytes.fromhex("0500FFFF00")), START)
    assert said(end) == b""
    assert all(switch.on for module in modules for switch in module.switches)


def test_a_request_in_two_pieces_close_together_is_one_and_far_apart_is_none() -> None:
    request = rtu_frame(1, READ_INPUTS)
    for apart, answered in ((2, True), (12, False)):
        end = bus(io_8ch())
        end.hear(0, request[:3], START)
        end.hear(0, request[3:], START + apart * MILLISECOND)
        assert bool(said(end)) == answered


def test_a_module_that_changed_its_unit_answers_under_the_new_one() -> None:
    end = bus(relay_8())
    end.hear(0, rtu_frame(1, bytes.fromhex("0640000007")), START)
    assert said(end) == rtu_frame(1, bytes.fromhex("0640000007"))
    end.hear(0, rtu_frame(7, bytes.fromhex("0340000001")), START + timedelta(seconds=6))
    assert said(end, START + timedelta(seconds=9)) == rtu_frame(7, bytes.fromhex("03020007"))


def test_over_tcp_only_the_turnaround_passes_and_the_transaction_comes_back() -> None:
    module = mcm8()
    end = TcpEnd((module,), no_trouble())
    end.hear(4, bytes.fromhex("BEEF 0000 0006 01 02 0000 0008"), START)
    end.pass_time(START)
    assert end.wake_at() == START + module.turnaround
    assert end.transmit(START) == []
    assert end.transmit(START + module.turnaround) == [
        (4, bytes.fromhex("BEEF 0000 0004 01 02 01 00"))
    ]


def test_two_hosts_of_one_module_get_their_own_replies() -> None:
    end = TcpEnd((io_8ch(),), no_trouble())
    for talk in (1, 2):
        end.hear(talk, bytes([0, talk]) + TCP_READ_INPUTS[2:], START)
    end.pass_time(START)
    sent = end.transmit(START + timedelta(seconds=1))
    assert [(talk, data[:2]) for talk, data in sent] == [(1, b"\0\x01"), (2, b"\0\x02")]


def test_a_host_that_left_is_sent_nothing() -> None:
    end = TcpEnd((io_8ch(),), no_trouble())
    end.hear(1, TCP_READ_INPUTS, START)
    end.hang_up(1)
    end.pass_time(START)
    assert end.transmit(START + timedelta(seconds=1)) == []


def test_what_is_no_modbus_ends_a_connection() -> None:
    end = TcpEnd((io_8ch(),), no_trouble())
    end.hear(1, b"GET / HTTP/1.1\r\n\r\n", START)
    end.hear(2, TCP_READ_INPUTS, START)
    assert end.broken(1)
    assert not end.broken(2)
    assert not end.broken(3)


def test_units_behind_one_gateway_are_told_apart_and_a_lone_module_answers_to_255() -> None:
    seats, keys = io_8ch(), relay_8()
    keys.unit = 2
    gateway = TcpEnd((seats, keys), no_trouble())
    gateway.hear(1, bytes.fromhex("0001 0000 0006 02 05 0000 FF00"), START)
    gateway.hear(1, bytes.fromhex("0002 0000 0006 09 02 0000 0008"), START)
    assert said(gateway) == bytes.fromhex("0001 0000 0006 02 05 0000 FF00")
    assert keys.switches[0].on
    alone = TcpEnd((io_8ch(),), no_trouble())
    alone.hear(1, bytes.fromhex("0001 0000 0006 FF 02 0000 0008"), START)
    assert said(alone) == bytes.fromhex("0001 0000 0004 FF 02 01 00")


@given(st.lists(st.binary(max_size=40), max_size=12), st.randoms(use_true_random=False))
def test_how_a_stream_is_cut_does_not_matter(noise: list[bytes], random: Random) -> None:
    stream = b"".join(b"\0\x01\0\0" + (len(part) + 2).to_bytes(2, "big") + b"\x01\x03" + part
                      for part in noise)  # fmt: skip
    whole, pieces = TcpEnd((io_8ch(),), no_trouble()), TcpEnd((io_8ch(),), no_trouble())
    whole.hear(1, stream, START)
    while stream:
        cut = random.randint(1, len(stream))
        pieces.hear(1, stream[:cut], START)
        stream = stream[cut:]
    assert said(whole) == said(pieces)


@given(st.lists(st.binary(min_size=1, max_size=300), max_size=5))
def test_any_noise_on_a_line_is_survived(noise: list[bytes]) -> None:
    end = bus(io_8ch(), mcm8())
    now = START
    for chunk in noise:
        end.hear(0, chunk, now)
        now += timedelta(seconds=1)
        leaving(end, now)
    end.hear(0, rtu_frame(1, READ_INPUTS), now + timedelta(seconds=1))
    assert said(end, now + timedelta(seconds=9)).startswith(b"\x01\x02\x01")
