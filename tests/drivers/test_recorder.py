import logging
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from threading import enumerate as threads

import pytest

from drivers.modbus.lines import FrameKind
from drivers.modbus.master_answers import payload
from drivers.modbus.master_frames import frames
from drivers.modbus.requests import Read, Request, Write
from drivers.modbus.words import words_of
from drivers.recorder import HEARD, KEPT, QUIET, SENT, Noted, Recorder
from drivers.table_link.codes import Flag
from drivers.table_link.frames import Deframer
from drivers.table_link.messages import Command, Edge, Hello, Nack, State, write
from drivers.table_link.words import words
from table.moment import Moment

START = Moment(1_000_000)


def as_they_are(noted: Iterable[Noted]) -> Iterator[str]:
    return (str(one.what) for one in noted)


def recorder(file: Path | None = None) -> Recorder:
    made = Recorder("far", as_they_are, file)
    made.on = True
    return made


def test_the_last_twenty_frames_are_told_with_the_first_trouble_and_written_down(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "wire" / "t1.txt"
    kept = recorder(file)
    for number in range(KEPT + 5):
        kept.note(SENT, START + timedelta(milliseconds=number), f"frame {number}")
    kept.tell("no answer", START + timedelta(milliseconds=100))
    (told,) = caplog.messages
    first, *lines = told.splitlines()
    assert first == "port far: no answer; the last frames were"
    assert lines == [f"  {(n - 100) / 1000:+9.3f} s > frame {n}" for n in range(5, KEPT + 5)]
    for one in threads():
        if one.name.endswith("(_keep)"):
            one.join()
    assert file.read_text() == f"{told}\n"


def test_frames_are_told_once_for_each_episode(caplog: pytest.LogCaptureFixture) -> None:
    kept, now = recorder(), START
    for _ in range(1000):
        kept.tell("no answer", now)
        now += timedelta(seconds=2)
    assert len(caplog.messages) == 1
    kept.tell("no answer", now + QUIET)
    assert len(caplog.messages) == 2


def test_what_cannot_be_written_down_harms_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "wire").touch()
    recorder(tmp_path / "wire" / "t1.txt").tell("no answer", START)
    for one in threads():
        if one.name.endswith("(_keep)"):
            one.join()
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 2
    assert "cannot be kept" in caplog.messages[1]


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        (
            write(Edge(0x5A17C0DE, 1_234, 1_234, 2, 1, 1), seq=7, flags=Flag.NEEDS_ACK),
            "EDGE 7: boot 5a17c0de, first 1.234 s, at 1.234 s, seat 2, input discard, change down",
        ),
        (
            write(Edge(0x5A17C0DE, 5, 5, 9, 99, 1), seq=8, flags=Flag.NEEDS_ACK | Flag.REPLAY),
            "EDGE 8 again: boot 5a17c0de, first 0.005 s, at 0.005 s, seat 9, input 99, change down",
        ),
        (
            write(State(0x11, 4, 0b10010), ack=3),
            "STATE, acknowledges 3: boot 00000011, following 4, machine wall-ready+armed",
        ),
        (
            write(Command(77, 5, 2, 300)),
            "COMMAND: id 77, verb buzzer, seat 2, value 300",
        ),
        (write(Nack(77, 4)), "NACK: id 77, refusal interlock"),
        (b"noise\0", "DAMAGED (stuffing): 6e 6f 69 73 65"),
    ],
)
def test_frames_of_the_link_are_told_in_words(frame: bytes, told: str) -> None:
    (heard,) = Deframer().feed(frame)
    assert [*words([Noted(SENT, START, frame), Noted(HEARD, START, heard)])] == [told, told]


def test_a_greeting_names_the_box() -> None:
    hello = Hello("Lotus", "Box A", "TL-0042", "1.3.0", "", boot=0x11, abilities=0b101)
    (told,) = words([Noted(SENT, START, write(hello))])
    assert "serial TL-0042" in told
    assert "abilities shuffle+dice-roll" in told


def exchange(kind: FrameKind, unit: int, request: Request, answer: bytes) -> list[str]:
    asked = frames(kind).ask(unit, payload(request), 0)
    replied = frames(kind).ask(unit, answer, 0)
    noted = [Noted(SENT, START, asked), Noted(HEARD, START, bytearray(replied))]
    return [*words_of(kind)(noted)]


@pytest.mark.parametrize("kind", FrameKind)
@pytest.mark.parametrize(
    ("request_", "answer", "asked", "told"),
    [
        (
            Read(2, 0, 8),
            b"\x02\x01\x05",
            "read discrete inputs 0 to 7",
            "1 0 1 0 0 0 0 0",
        ),
        (Read(3, 258, 1), b"\x03\x02\x12\x34", "read holding registers 258", "1234"),
        (Write(5, 1, (0xFF00,)), b"\x05\0\x01\xff\0", "write coil 1: ff00", "done"),
        (
            Write(16, 9, (1, 2)),
            b"\x10\0\x09\0\x02",
            "write registers 9: 0001 0002",
            "done",
        ),
        (Write(15, 0, (1, 0, 1)), b"\x0f\0\0\0\x03", "write coils 0: 1 0 1", "done"),
        (
            Read(4, 30, 2),
            b"\x84\x02",
            "read input registers 30 to 31",
            "refuses, it has nothing at this address (exception 0x02)",
        ),
        (
            Read(4, 30, 2),
            b"\x04\x02\x12\x34",
            "read input registers 30 to 31",
            "an answer for another address or of another size: 04 02 12 34",
        ),
    ],
)
def test_questions_and_answers_of_a_bus_are_told_in_words(
    kind: FrameKind, request_: Request, answer: bytes, asked: str, told: str
) -> None:
    assert exchange(kind, 3, request_, answer) == [f"unit 3: {asked}", f"unit 3: {told}"]


@pytest.mark.parametrize("kind", FrameKind)
def test_bytes_that_are_no_frame_are_told_as_they_are(kind: FrameKind) -> None:
    asked = frames(kind).ask(3, payload(Read(2, 0, 8)), 0)
    heard = [Noted(SENT, START, asked), Noted(HEARD, START, b"\x03\x02\x01\x05\0\0")]
    assert [*words_of(kind)(heard)][1] == "no sound frame: 03 02 01 05 00 00"


def test_the_echo_of_an_adapter_is_left_out() -> None:
    asked = frames(FrameKind.RTU).ask(3, payload(Read(2, 0, 8)), 0)
    replied = frames(FrameKind.RTU).ask(3, b"\x02\x01\x80", 0)
    heard = [Noted(SENT, START, asked), Noted(HEARD, START, asked + replied)]
    assert [*words_of(FrameKind.RTU)(heard)][1] == "unit 3: 0 0 0 0 0 0 0 1"


def test_a_frame_of_a_unit_that_was_not_asked_is_told() -> None:
    asked = frames(FrameKind.RTU).ask(3, payload(Read(2, 0, 8)), 0)
    replied = frames(FrameKind.RTU).ask(4, b"\x02\x01\x80", 0)
    heard = [Noted(SENT, START, asked), Noted(HEARD, START, replied)]
    assert [*words_of(FrameKind.RTU)(heard)][1] == "unit 4, whom nobody asked: 02 01 80"
