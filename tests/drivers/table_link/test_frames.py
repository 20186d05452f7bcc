"""Any bytes are frames or damage; nothing else, nothing less, however they are cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.table_link.frames import (
    MOST_ON_WIRE,
    MOST_PAYLOAD,
    Arrival,
    Damage,
    Deframer,
    Frame,
    Harm,
    encode,
    following,
    is_from,
    steps,
    stuff,
    unstuff,
)
from table.errors import FrameError
from tests.drivers.table_link import strategies


def _at_once(stream: bytes) -> list[Arrival]:
    return Deframer().feed(stream)


def _in_pieces(pieces: list[bytes]) -> list[Arrival]:
    deframer = Deframer()
    return [arrival for piece in pieces for arrival in deframer.feed(piece)]


@given(strategies.frames)
def test_a_frame_comes_out_as_it_went_in(frame: Frame) -> None:
    assert _at_once(encode(frame)) == [frame]


@given(strategies.frames)
def test_a_frame_holds_one_zero_and_keeps_to_the_longest(frame: Frame) -> None:
    wire = encode(frame)
    assert wire.index(0) == len(wire) - 1
    assert len(wire) <= MOST_ON_WIRE


@given(strategies.pieces())
def test_where_the_stream_is_cut_does_not_matter(pieces: list[bytes]) -> None:
    assert _in_pieces(pieces) == _at_once(b"".join(pieces))


@given(strategies.streams)
def test_byte_by_byte_gives_the_same(stream: bytes) -> None:
    assert _in_pieces([bytes([byte]) for byte in stream]) == _at_once(stream)


@given(strategies.streams)
def test_every_piece_between_zeros_is_accounted_for(stream: bytes) -> None:
    whole = [piece for piece in stream.split(b"\0")[:-1] if piece]
    arrivals = _at_once(stream)
    assert len(arrivals) == len(whole)
    for piece, arrival in zip(whole, arrivals, strict=True):
        if isinstance(arrival, Damage):
            assert arrival.raw == piece[: MOST_ON_WIRE - 1]
        else:
            assert encode(arrival) == piece + b"\0"


@given(strategies.hurt(), strategies.frames)
def test_the_frame_after_a_zero_survives_whatever_came_before(hurt: bytes, frame: Frame) -> None:
    assert _at_once(hurt + b"\0" + encode(frame))[-1] == frame


@given(strategies.frames, st.data())
def test_a_flipped_bit_never_makes_another_frame(frame: Frame, data: st.DataObject) -> None:
    wire = bytearray(encode(frame))
    at = data.draw(st.integers(0, len(wire) - 1))
    wire[at] ^= 1 << data.draw(st.integers(0, 7))
    assert all(isinstance(arrival, Damage) for arrival in _at_once(bytes(wire) + b"\0"))


@given(st.binary(min_size=1, max_size=5000).filter(lambda noise: 0 not in noise))
def test_what_never_ends_takes_no_memory(noise: bytes) -> None:
    deframer = Deframer()
    for _ in range(5):
        assert deframer.feed(noise) == []
    (damage,) = deframer.feed(b"\0")
    assert isinstance(damage, Damage)
    assert len(damage.raw) < MOST_ON_WIRE


def test_a_longest_frame_with_more_behind_it_is_no_frame_however_it_is_cut() -> None:
    stream = encode(Frame(1, bytes(range(1, 1 + MOST_PAYLOAD))))[:-1] + b"\x07\0"
    (damage,) = _in_pieces([bytes([byte]) for byte in stream])
    assert damage == Damage(Harm.OVERLONG, stream[:-2])
    assert _at_once(stream) == [damage]


def test_zeros_alone_say_nothing() -> None:
    assert _at_once(b"\0\0\0") == []


def test_a_piece_of_exactly_the_longest_is_no_damage_by_its_length() -> None:
    longest = encode(Frame(1, bytes(range(1, 1 + MOST_PAYLOAD))))
    assert len(longest) == MOST_ON_WIRE
    assert isinstance(_at_once(longest)[0], Frame)
    (damage,) = _at_once(longest[:-1] + b"\x01\0")
    assert isinstance(damage, Damage)
    assert damage.harm is Harm.OVERLONG


def test_a_payload_too_long_is_refused_with_both_lengths() -> None:
    with pytest.raises(FrameError, match="at most 111 bytes, this one 112"):
        encode(Frame(1, bytes(112)))


@given(st.binary(max_size=MOST_ON_WIRE - 2))
def test_stuffing_is_undone(plain: bytes) -> None:
    assert unstuff(stuff(plain)[:-1]) == plain


@pytest.mark.parametrize(
    ("plain", "stuffed"),
    [
        # The first six examples of Wikipedia, "Consistent Overhead Byte Stuffing".
        ("00", "01 01 00"),
        ("00 00", "01 01 01 00"),
        ("00 11 00", "01 02 11 01 00"),
        ("11 22 00 33", "03 11 22 02 33 00"),
        ("11 22 33 44", "05 11 22 33 44 00"),
        ("11 00 00 00", "02 11 01 01 01 00"),
    ],
)
def test_stuffing_is_the_published_one(plain: str, stuffed: str) -> None:
    assert stuff(bytes.fromhex(plain)) == bytes.fromhex(stuffed)


def test_sequence_numbers_leave_out_zero() -> None:
    assert following(65534) == 65535
    assert following(65535) == 1
    assert steps(65535, 1) == 1


@given(st.integers(1, 65535), st.integers(0, 32767))
def test_a_number_is_behind_exactly_when_it_is_not_from_the_first_on(seq: int, ahead: int) -> None:
    later = (seq - 1 + ahead) % 65535 + 1
    assert is_from(seq, later)
    assert is_from(later, seq) == (ahead == 0)
