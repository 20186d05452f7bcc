"""What is written is read; what does not fit is damage."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.table_link.frames import Damage, Deframer, Frame, Harm
from drivers.table_link.messages import BY_KIND, Hello, Message, State, read, write
from table.errors import FrameError
from tests.drivers.table_link import strategies


def _read_back(wire: bytes) -> Message | Damage:
    (frame,) = Deframer().feed(wire)
    assert isinstance(frame, Frame)
    return read(frame)


@given(strategies.messages)
def test_a_message_is_read_as_it_was_written(message: Message) -> None:
    assert _read_back(write(message)) == message


@given(strategies.messages)
def test_what_a_later_version_appends_is_left_unread(message: Message) -> None:
    payload = message.to_bytes()
    assert read(Frame(message.KIND, payload + b"\xff\0\xff")) == message


@given(strategies.messages, st.data())
def test_a_payload_cut_short_is_damage(message: Message, data: st.DataObject) -> None:
    payload = message.to_bytes()
    short = payload[: data.draw(st.integers(0, max(len(payload) - 1, 0)))]
    found = read(Frame(message.KIND, short))
    assert found == (message if short == payload else Damage(Harm.PAYLOAD, short))


@given(strategies.frames)
def test_any_frame_is_a_message_or_damage(frame: Frame) -> None:
    found = read(frame)
    if frame.kind not in BY_KIND:
        assert found == Damage(Harm.KIND, frame.payload)
    elif not isinstance(found, Damage):
        assert isinstance(found, BY_KIND[frame.kind])


def test_device_time_is_written_modulo_its_width() -> None:
    (frame,) = Deframer().feed(write(State(1, 1, 0), time=2**32 + 5))
    assert isinstance(frame, Frame)
    assert frame.time == 5


def test_a_text_too_long_is_refused_with_its_length() -> None:
    with pytest.raises(FrameError, match="takes 17 bytes, 16 are allowed"):
        write(Hello("seventeen letters", "", "", "", "", 1))


def test_a_text_that_is_no_text_is_damage() -> None:
    payload = bytearray(Hello("abc", "", "", "", "", 1).to_bytes())
    payload[Hello.LAYOUT.size + 1] = 0xFF
    assert read(Frame(Hello.KIND, bytes(payload))) == Damage(Harm.PAYLOAD, bytes(payload))


def test_the_longest_hello_fits_a_frame() -> None:
    vendor, model, serial, firmware, certificate = ("x" * most for most in Hello.TEXTS)
    longest = Hello(vendor, model, serial, firmware, certificate, 1)
    assert _read_back(write(longest)) == longest
