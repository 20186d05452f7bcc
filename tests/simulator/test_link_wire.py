"""The wire of a table link: what is lost, late, doubled or damaged, and what passes."""

from datetime import timedelta
from random import Random

import pytest

from drivers.table_link.frames import Deframer, Frame, encode
from simulator.link_wire import LinkWire
from simulator.modbus_trouble import DELAY, LATENESS, Harm, Trouble
from table.moment import MILLISECOND, Moment

NOW = Moment(1_000_000)
FRAMES = [Frame(2, bytes([number])) for number in range(3)]
CHUNK = b"".join(map(encode, FRAMES))
SECOND = timedelta(seconds=1)


def passed(wire: LinkWire) -> list[tuple[int, Frame]]:
    """Return the frames that come out, each with its ms from now."""
    deframer, frames = Deframer(), []
    while at := wire.wake_at():
        heard = deframer.feed(wire.from_box(at))
        frames += [((at - NOW) // MILLISECOND, one) for one in heard if isinstance(one, Frame)]
    return frames


def sent(harm: Harm | None, times: int = 1, seed: int = 1) -> list[tuple[int, Frame]]:
    wire = LinkWire(Random(seed))
    if harm:
        wire.trouble.expect(harm, times)
    wire.put(CHUNK, NOW)
    return passed(wire)


def test_a_whole_wire_passes_everything_at_once() -> None:
    wire = LinkWire()
    assert sent(None) == [(0, frame) for frame in FRAMES]
    assert wire.to_box(CHUNK[:9], NOW) + wire.to_box(CHUNK[9:], NOW) == CHUNK


def test_a_lost_frame_is_missing_and_a_doubled_one_comes_twice() -> None:
    assert sent(Harm.REPLY_LOST, 2) == [(0, FRAMES[2])]
    assert [frame for _, frame in sent(Harm.TWICE)] == [FRAMES[0], *FRAMES]


@pytest.mark.parametrize(("harm", "span"), [(Harm.DELAYED, DELAY), (Harm.LATE, LATENESS)])
def test_what_is_late_keeps_the_order(harm: Harm, span: tuple[int, int]) -> None:
    frames = sent(harm)
    assert [frame for _, frame in frames] == FRAMES
    (late,) = {at for at, _ in frames}
    assert span[0] <= late <= span[1]


@pytest.mark.parametrize("seed", range(20))
def test_a_damaged_frame_is_none(seed: int) -> None:
    found = [frame for _, frame in sent(Harm.BIT_FLIPPED, 1, seed)]
    assert found in (FRAMES[1:], FRAMES[2:])


def test_a_request_can_be_lost_and_waits_for_none_of_the_other_way() -> None:
    wire = LinkWire()
    wire.trouble.expect(Harm.REQUEST_LOST, 1)
    wire.put(CHUNK, NOW)
    assert [frame for _, frame in passed(wire)] == FRAMES
    assert wire.to_box(CHUNK, NOW) == CHUNK.split(b"\0", 1)[1]


def test_a_dead_wire_passes_nothing_and_comes_back() -> None:
    wire = LinkWire()
    wire.put(CHUNK, NOW)
    wire.break_off(NOW + SECOND)
    wire.put(CHUNK, NOW)
    assert wire.wake_at() is None
    assert wire.to_box(CHUNK, NOW) == b""
    assert wire.to_box(CHUNK, NOW + SECOND) == CHUNK
    wire.put(CHUNK, NOW + SECOND)
    assert [frame for _, frame in passed(wire)] == FRAMES


def test_chances_befall_frames_of_both_ways() -> None:
    trouble = Trouble(Random(1), {Harm.TWICE: 50, Harm.REPLY_LOST: 20, Harm.REQUEST_LOST: 20})
    wire = LinkWire(Random(1), trouble)
    for _ in range(100):
        wire.put(CHUNK, NOW)
        wire.to_box(CHUNK, NOW)
    assert set(trouble.befell) == {Harm.TWICE, Harm.REPLY_LOST, Harm.REQUEST_LOST}
