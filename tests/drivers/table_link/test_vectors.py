"""Bytes put together from the document, against the codec."""

from dataclasses import dataclass

import pytest

from drivers.table_link.frames import Damage, Deframer, Frame
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
    read,
    write,
)
from tests.drivers.table_link.vectors import VECTORS, Vector, vectors

BOOT = 0x5A17C0DE


@dataclass(frozen=True, slots=True)
class Written:
    """What a vector says: a message and its header."""

    message: Message
    seq: int = 0
    ack: int = 0
    time: int = 0
    flags: int = 0


EXPECTED = {
    "ask": (Written(Ask(1)), Written(Ask(2))),
    "hello": (
        Written(
            Hello(
                "Lotus",
                "Box A",
                "TL-0042",
                "1.3.0",
                "",
                BOOT,
                0x7FF,
                debounce_ms=10,
                oldest=1,
                following=4,
            ),
            time=61234,
        ),
    ),
    "state": (Written(State(BOOT, 4, 2, 2, 0, (7,)), time=61240),),
    "sync": (
        Written(Sync(7_000_000_250)),
        Written(SyncEcho(BOOT, 7_000_000_250, 61250, 61251), time=61251),
    ),
    "edge": (
        Written(Edge(BOOT, 70000, 70000, 2, 1, 1), seq=4, time=70010, flags=1),
        Written(Edge(BOOT, 70000, 70080, 2, 1, 2), seq=5, time=70090, flags=1),
        Written(Edge(BOOT, 82010, 82094, 3, 2, 2, 2), seq=6, time=82160, flags=3),
        Written(Edge(BOOT, 2**32 - 1001, 2**32 - 1, 4, 1, 3), seq=65535, flags=1),
        Written(Edge(BOOT, 1000, 1000, 0, 4, 1), seq=1, time=1000, flags=1),
    ),
    "machine": (
        Written(Machine(BOOT, 90000, 6, 1), seq=7, time=90001, flags=1),
        Written(Machine(BOOT, 95000, 5, 0, (3, 5)), seq=8, time=95001, flags=1),
    ),
    "lost": (Written(Lost(BOOT, 9, 40), time=300000),),
    "host": (Written(Ack(), ack=8), Written(Rewind(1))),
    "command": (
        Written(Command(0x10001, 5, 2, 300), ack=8),
        Written(Progress(0x10001, 1), time=96000),
        Written(Result(0x10001, 1), time=96001),
        Written(Nack(0x10002, 4), time=97000),
    ),
    "heartbeat": (
        Written(Heartbeat(BOOT, 0x12, 1, 0, 3), time=98000),
        Written(Heartbeat(BOOT), ack=8),
    ),
}
CASES = [
    pytest.param(vector, written, id=vector.title)
    for name, expected in EXPECTED.items()
    for vector, written in zip(vectors(name).values(), expected, strict=True)
]


@pytest.mark.parametrize(("vector", "written"), CASES)
def test_the_bytes_of_the_document_are_read(vector: Vector, written: Written) -> None:
    (frame,) = Deframer().feed(vector.wire)
    assert isinstance(frame, Frame)
    assert read(frame) == written.message
    assert (frame.seq, frame.ack, frame.time) == (written.seq, written.ack, written.time)
    assert frame.flags == written.flags


@pytest.mark.parametrize(("vector", "written"), CASES)
def test_the_bytes_of_the_document_are_written(vector: Vector, written: Written) -> None:
    wire = write(
        written.message,
        seq=written.seq,
        ack=written.ack,
        time=written.time,
        flags=written.flags,
    )
    assert wire == vector.wire


def test_every_file_of_vectors_is_checked() -> None:
    files = {path.stem for path in VECTORS.glob("*.txt")}
    assert files == {*EXPECTED, "damage"}


def _damage() -> list[tuple[str, str, bytes]]:
    blocks = (VECTORS / "damage.txt").read_text().strip().split("\n\n")
    pairs = (block.splitlines() for block in blocks)
    return [(title, *_harm(line)) for title, line in pairs]


def _harm(line: str) -> tuple[str, bytes]:
    harm, wire = line.split(" ", 1)
    return harm, bytes.fromhex(wire)


@pytest.mark.parametrize(
    ("harm", "wire"), [pytest.param(harm, wire, id=title) for title, harm, wire in _damage()]
)
def test_damaged_bytes_are_named_for_what_is_wrong(harm: str, wire: bytes) -> None:
    (arrival,) = Deframer().feed(wire)
    found = read(arrival) if isinstance(arrival, Frame) else arrival
    assert isinstance(found, Damage)
    assert found.harm == harm
