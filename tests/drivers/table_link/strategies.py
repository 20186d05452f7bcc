"""Messages, frames and damaged streams, drawn from what hurts: zeros, full bytes, valid frames."""

from itertools import pairwise
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from drivers.table_link.frames import MOST_PAYLOAD, Frame, encode
from drivers.table_link.messages import (
    Ack,
    Ask,
    Command,
    Edge,
    Heartbeat,
    Hello,
    Lost,
    Machine,
    Message,
    Nack,
    Progress,
    Result,
    Rewind,
    State,
    Sync,
    SyncEcho,
    write,
)


def _number(bits: int) -> SearchStrategy[int]:
    """Draw numbers whose bytes are often all zeros or all ones."""
    most = 2**bits - 1
    edges = [0, 1, most, most - 1, 2 ** (bits // 2), 2 ** (bits // 2) - 1]
    return st.sampled_from(edges) | st.integers(0, most)


u8, u16, u32, u64 = (_number(bits) for bits in (8, 16, 32, 64))


def _text(most: int) -> SearchStrategy[str]:
    return st.text(max_size=most).filter(lambda text: len(text.encode()) <= most)


def _fixed(message: type[Message], *fields: SearchStrategy[Any]) -> SearchStrategy[Message]:
    return st.builds(message, *fields)


hellos = st.builds(
    Hello,
    *map(_text, Hello.TEXTS),
    *(u32, u32, u32),
    *(u16, u16, u16, u16, u16),
    *(u8, u8),
)
edges = st.builds(Edge, u32, u32, u32, *(st.integers(0, 6) for _ in range(4)))
machines = st.builds(Machine, u32, u32, u8, u16, st.lists(u8, max_size=90).map(tuple))
messages: SearchStrategy[Message] = st.one_of(
    _fixed(Ask, u8),
    hellos,
    _fixed(State, u32, u16, u8, u16, u8, st.lists(u16, max_size=40).map(tuple)),
    _fixed(Sync, u64),
    _fixed(SyncEcho, u32, u64, u32, u32),
    _fixed(Edge, u32, u32, u32, u8, u8, u8, u8),
    machines,
    _fixed(Lost, u32, u16, u16),
    st.just(Ack()),
    _fixed(Rewind, u16),
    _fixed(Command, u32, u8, u8, u16),
    _fixed(Progress, u32, u8, u8),
    _fixed(Result, u32, u8, u16),
    _fixed(Nack, u32, u8),
    _fixed(Heartbeat, u32, u8, u16, u16, u16),
)
payloads = st.binary(max_size=MOST_PAYLOAD) | st.lists(
    st.sampled_from([0, 0, 1, 0x7F, 0xFF]), max_size=MOST_PAYLOAD
).map(bytes)
frames = st.builds(
    Frame,
    kind=st.integers(0, 63),
    payload=payloads,
    seq=u16,
    ack=u16,
    time=u32,
    flags=u8,
    address=u8,
)
wires = frames.map(encode) | messages.map(write)


@st.composite
def hurt(draw: st.DrawFn) -> bytes:
    """Draw a valid frame with one thing wrong with it."""
    wire = bytearray(draw(wires))
    at = draw(st.integers(0, len(wire) - 1))
    match draw(st.sampled_from(["flip", "cut", "doubled", "zero", "noise"])):
        case "flip":
            wire[at] ^= 1 << draw(st.integers(0, 7))
        case "cut":
            del wire[at]
        case "doubled":
            wire[at:at] = wire[at : at + 3]
        case "zero":
            wire.insert(at, 0)
        case _:
            wire[at:at] = draw(st.binary(min_size=1, max_size=200))
    return bytes(wire)


noise = st.binary(max_size=300) | st.lists(st.sampled_from([0, 1, 2, 0xFF]), max_size=300).map(
    bytes
)
streams = st.lists(wires | hurt() | noise, max_size=8).map(b"".join)


@st.composite
def pieces(draw: st.DrawFn, stream: SearchStrategy[bytes] = streams) -> list[bytes]:
    """Draw a stream cut at any places."""
    whole = draw(stream)
    cuts = sorted(draw(st.lists(st.integers(0, len(whole)), max_size=12)))
    ends = [0, *cuts, len(whole)]
    return [whole[start:end] for start, end in pairwise(ends)]
