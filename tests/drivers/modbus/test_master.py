"""What a master makes of bytes, whatever they are."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.modbus.bus import Bus
from drivers.modbus.bus_queue import Manners
from drivers.modbus.lines import FrameKind
from drivers.modbus.master_answers import (
    Refused,
    Replied,
    Trouble,
    answer_bytes,
    judge,
    payload,
)
from drivers.modbus.master_frames import Frames, Heard, RtuFrames, TcpFrames, frames
from drivers.modbus.requests import Read, Request, Write
from tests.drivers.modbus.paced_bus import framed
from tests.drivers.modbus.virtual_bus import FarEnd, Module, virtual_line
from tests.harness.virtual_loop import loop_now, played

# Requests and answers of the examples in the Modbus Application Protocol Specification V1.1b3,
# section 6; the flash of a relay is from Waveshare's page of the Modbus RTU Relay.
EXAMPLES: list[tuple[Request, str, str, tuple[int, ...]]] = [
    (
        Read(1, 0x13, 19),
        "01 0013 0013",
        "01 03 CD6B05",
        (1, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1),
    ),
    (
        Read(2, 0xC4, 22),
        "02 00C4 0016",
        "02 03 ACDB35",
        (0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1),
    ),
    (Read(3, 0x6B, 3), "03 006B 0003", "03 06 022B 0000 0064", (0x022B, 0, 0x64)),
    (Read(4, 8, 1), "04 0008 0001", "04 02 000A", (10,)),
    (Write(5, 0xAC, (0xFF00,)), "05 00AC FF00", "05 00AC FF00", ()),
    (Write(6, 1, (3,)), "06 0001 0003", "06 0001 0003", ()),
    (
        Write(15, 0x13, (1, 0, 1, 1, 0, 0, 1, 1, 1, 0)),
        "0F 0013 000A 02 CD01",
        "0F 0013 000A",
        (),
    ),
    (Write(16, 1, (0x0A, 0x0102)), "10 0001 0002 04 000A 0102", "10 0001 0002", ()),
    (Write(5, 0x0200, (7,)), "05 0200 0007", "05 0200 0007", ()),
]


@pytest.mark.parametrize(("request_", "asked", "answered", "values"), EXAMPLES)
def test_the_examples_of_the_specification(
    request_: Request, asked: str, answered: str, values: tuple[int, ...]
) -> None:
    assert payload(request_) == bytes.fromhex(asked)
    assert answer_bytes(request_) == len(bytes.fromhex(answered))
    assert judge(request_, bytes.fromhex(answered)) == Replied(values)


@pytest.mark.parametrize(("request_", "asked", "answered", "values"), EXAMPLES)
def test_no_other_answer_is_taken(
    request_: Request,
    asked: str,  # noqa: ARG001 - the examples are shared
    answered: str,
    values: tuple[int, ...],  # noqa: ARG001 - the examples are shared
) -> None:
    right = bytes.fromhex(answered)
    other_function = bytes([right[0] ^ 1]) + right[1:]
    assert judge(request_, other_function) is Trouble.OTHER_FUNCTION
    for wrong in (right[:-1], right + b"\0", right[:1] + bytes([right[1] ^ 1]) + right[2:]):
        assert judge(request_, wrong) is Trouble.OTHER_SHAPE
    assert judge(request_, bytes([right[0] | 0x80, 2])) == Refused(2)
    assert judge(request_, bytes([right[0] | 0x80])) is Trouble.OTHER_SHAPE


def test_an_rtu_frame_ends_with_its_check() -> None:
    asked = RtuFrames().ask(1, payload(Read(3, 0, 10)), 22)
    assert asked == bytes.fromhex("01 03 0000 000A C5CD")


def test_a_tcp_frame_begins_with_number_and_length() -> None:
    line = TcpFrames()
    assert line.ask(1, payload(Read(2, 0, 8)), 3) == bytes.fromhex("0001 0000 0006 01 02 0000 0008")
    assert line.ask(1, payload(Read(2, 0, 8)), 3)[:2] == bytes.fromhex("0002")


ASKED = Read(2, 0, 8)
ANSWER = bytes([2, 1, 0x5A])


def _answer(kind: FrameKind) -> bytes:
    return framed(1, ANSWER) if kind is FrameKind.RTU else b"\0\x01\0\0\0\x04\x01" + ANSWER


def _asked(kind: FrameKind) -> Frames:
    line = frames(kind)
    line.ask(1, payload(ASKED), answer_bytes(ASKED))
    return line


def _heard(line: Frames, chunks: Sequence[bytes]) -> list[Heard]:
    return [heard for chunk in chunks for heard in line.hear(chunk)]


@given(kind=st.sampled_from(FrameKind), cuts=st.sets(st.integers(1, 10)))
def test_where_the_bytes_of_an_answer_are_cut_does_not_matter(
    kind: FrameKind, cuts: set[int]
) -> None:
    whole = _answer(kind)
    places = [0, *sorted(cut for cut in cuts if cut < len(whole)), len(whole)]
    chunks = [whole[start:end] for start, end in pairwise(places)]
    assert _heard(_asked(kind), chunks) == [(1, ANSWER)]


@given(noise=st.binary(min_size=1, max_size=20))
def test_an_rtu_answer_is_found_behind_noise(noise: bytes) -> None:
    heard = _heard(_asked(FrameKind.RTU), [noise + _answer(FrameKind.RTU)])
    assert (1, ANSWER) in heard


near_frames = st.builds(
    framed,
    st.integers(0, 3),
    st.one_of(
        st.binary(min_size=2, max_size=12),
        st.sampled_from([bytes([1, 1, 0]), bytes([2, 2, 0, 0]), bytes([0x81, 2]), bytes([0x82])]),
    ),
)
damaged_frames = st.builds(
    lambda frame, place: frame[: place % len(frame)] + b"\x13" + frame[place % len(frame) + 1 :],
    near_frames,
    st.integers(0, 20),
)
chunks_of_anything = st.lists(
    st.one_of(st.binary(min_size=1, max_size=40), near_frames, damaged_frames), max_size=8
)


@given(kind=st.sampled_from(FrameKind), chunks=chunks_of_anything)
def test_any_bytes_are_frames_or_trouble(kind: FrameKind, chunks: list[bytes]) -> None:
    line = _asked(kind)
    for heard in _heard(line, chunks):
        if not isinstance(heard, Trouble):
            assert judge(ASKED, heard[1]) is not None
    assert line.rest in {None, Trouble.CUT_SHORT, Trouble.DAMAGED}


@given(chunks=chunks_of_anything)
def test_no_frame_of_another_number_answers_on_tcp(chunks: list[bytes]) -> None:
    line = _asked(FrameKind.TCP)
    line.ask(1, payload(ASKED), answer_bytes(ASKED))
    assert _heard(line, [_answer(FrameKind.TCP)]) == [Trouble.LATE]
    sound = [heard for heard in _heard(line, chunks) if not isinstance(heard, Trouble)]
    assert sound == [] or any(b"\0\x02\0\0" in chunk for chunk in chunks)


@given(chunks=chunks_of_anything)
def test_no_bytes_end_the_bus_or_answer_for_what_was_not_asked(chunks: list[bytes]) -> None:
    """The device is silent, so whatever answers must have been its own sound frame by chance."""

    async def play() -> None:
        far = FarEnd({1: Module(answer=lambda _: b"")})
        losses: list[object] = []
        async with Bus(virtual_line(far), loop_now).joined(losses.append) as member:
            station = member.meet(1, Manners(timedelta(milliseconds=50)))
            asking = asyncio.create_task(member.ask(station, ASKED))
            for chunk in chunks:
                await asyncio.sleep(0.003)
                far.say(chunk)
            answer = (await asking).answer
            if isinstance(answer, Replied | Refused):
                assert any(_answers(frame) for frame in chunks)
            far.modules[1] = Module(answer=lambda _: _answer(FrameKind.RTU))
            await asyncio.sleep(0.1)
            after = await member.ask(station, ASKED)
        assert after.answer == Replied((0, 1, 0, 1, 1, 0, 1, 0))
        assert losses == []

    played(play)


def _answers(chunk: bytes) -> bool:
    return any(chunk[at : at + 2] in {b"\x01\x02", b"\x01\x82"} for at in range(len(chunk)))
