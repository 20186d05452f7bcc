"""What befalls requests: drawn from a seed, told by count, and true to what the module did."""

from datetime import timedelta
from itertools import islice
from random import Random

import pytest

from simulator.modbus_far_ends import LineSpeed, RtuEnd
from simulator.modbus_frames import read_rtu, rtu_frame
from simulator.modbus_mishaps import Mute, mishaps
from simulator.modbus_trouble import LATENESS, Harm, Sent, Trouble
from simulator.modbus_waveshare import relay_8
from table.moment import MILLISECOND, ZERO, Moment
from tests.simulator.modbus.test_far_ends import leaving

START = Moment(1_000_000)
FLIP = bytes.fromhex("0500005500")


def harmed(harm: Harm, seed: int = 0) -> tuple[list[Sent], bool]:
    module = relay_8()
    sent = Trouble(Random(seed), {harm: 100}).serve(module, FLIP, START)
    return sent, module.switches[0].on


@pytest.mark.parametrize(
    ("harm", "replies", "times_done"),
    [
        (Harm.REQUEST_LOST, 0, 0),
        (Harm.REPLY_LOST, 0, 1),
        (Harm.REFUSED, 1, 0),
        (Harm.DELAYED, 1, 1),
        (Harm.LATE, 1, 1),
        (Harm.TWICE, 2, 1),
        (Harm.BIT_FLIPPED, 1, 1),
        (Harm.OTHER_UNIT, 1, 1),
    ],
)
def test_a_harm_says_whether_the_module_did_it(harm: Harm, replies: int, times_done: int) -> None:
    sent, on = harmed(harm)
    assert (len(sent), on) == (replies, times_done)


@pytest.mark.parametrize("seed", range(20))
def test_a_reply_of_another_unit_is_never_that_of_the_one_asked(seed: int) -> None:
    (sent,), _ = harmed(Harm.OTHER_UNIT, seed)
    assert sent.unit != 1
    assert sent.pdu == FLIP


@pytest.mark.parametrize("seed", range(20))
def test_a_flipped_bit_is_found_by_the_check(seed: int) -> None:
    end = RtuEnd(LineSpeed(), (relay_8(),), Trouble(Random(seed), {Harm.BIT_FLIPPED: 100}))
    end.hear(0, rtu_frame(1, FLIP), START)
    frame = b"".join(data for _, data in leaving(end, START + timedelta(seconds=1)))
    assert len(frame) == 8
    assert read_rtu(frame) is None


@pytest.mark.parametrize("seed", range(20))
def test_a_late_reply_comes_when_a_master_has_given_up(seed: int) -> None:
    (sent,), _ = harmed(Harm.LATE, seed)
    assert LATENESS[0] * MILLISECOND <= sent.after <= LATENESS[1] * MILLISECOND


def test_a_refusal_says_busy_or_failed_and_a_module_without_power_says_nothing() -> None:
    (sent,), _ = harmed(Harm.REFUSED)
    assert sent.pdu in {b"\x85\x04", b"\x85\x06"}
    module = relay_8()
    module.cut_power(START)
    assert Trouble(Random(0), {Harm.REFUSED: 100}).serve(module, FLIP, START) == []


def test_the_same_seed_brings_the_same_trouble_and_the_counts_tell_it() -> None:
    chances = {Harm.REPLY_LOST: 30, Harm.TWICE: 20}
    played = []
    for _ in range(2):
        trouble = Trouble(Random(7), chances, jitter=5 * MILLISECOND)
        module = relay_8()
        played.append([trouble.serve(module, FLIP, START) for _ in range(200)])
        lost, twice = (sum(len(sent) == count for sent in played[-1]) for count in (0, 2))
        assert (lost, twice) == (trouble.befell[Harm.REPLY_LOST], trouble.befell[Harm.TWICE])
        assert lost > 30
        assert twice > 20
    assert played[0] == played[1]
    spread = {sent[0].after for sent in played[0] if sent}
    assert ZERO <= min(spread) < max(spread) <= 5 * MILLISECOND


def test_without_chances_nothing_befalls() -> None:
    trouble = Trouble(Random(0))
    module = relay_8()
    for _ in range(100):
        assert trouble.serve(module, FLIP, START) == [Sent(1, FLIP)]
    assert not trouble.befell


def test_mishaps_are_drawn_in_order_from_a_seed() -> None:
    every = timedelta(minutes=1)
    first, again = (
        list(islice(mishaps(Random(3), ("a", "b"), START, every), 60)) for _ in range(2)
    )
    assert first == again
    assert [at for at, _ in first] == sorted(at for at, _ in first)
    assert 50 * every < first[-1][0] - START < 70 * every
    assert {type(mishap) for _, mishap in first} > {Mute}
