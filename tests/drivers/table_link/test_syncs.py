"""Only answers to our own questions set the clock."""

from datetime import timedelta

import pytest

from drivers.table_link.frames import Frame
from drivers.table_link.messages import Hello, SyncEcho
from drivers.table_link.syncs import Syncs
from table.moment import Moment

BOOT = 7
ASKED = Moment(5_000_000)
ANSWERED = Moment(5_000_400)


def _syncs(wraps: int = 0) -> Syncs:
    return Syncs(Hello("", "", "TL-1", "", "", BOOT, wraps=wraps), Frame(Hello.KIND, time=4_900))


def test_an_answer_begins_the_fit() -> None:
    syncs = _syncs()
    assert syncs.ask(ASKED).asked_us == ASKED.micros
    assert syncs.take(SyncEcho(BOOT, ASKED.micros, 5000, 5000), ANSWERED)
    assert syncs.fit
    # Half of 400 us, half a step of the clocks', half a step of the stamp's, and 1 for rounding.
    assert syncs.fit.bound() == timedelta(microseconds=200 + 500 + 500 + 1)


@pytest.mark.parametrize(
    "echo",
    [
        SyncEcho(BOOT - 1, ASKED.micros, 5000, 5000),
        SyncEcho(BOOT, ASKED.micros + 1, 5000, 5000),
    ],
)
def test_an_answer_of_another_boot_or_to_another_question_is_none(echo: SyncEcho) -> None:
    syncs = _syncs()
    syncs.ask(ASKED)
    assert not syncs.take(echo, ANSWERED)
    assert syncs.fit is None


def test_an_answer_counts_once() -> None:
    syncs = _syncs()
    syncs.ask(ASKED)
    echo = SyncEcho(BOOT, ASKED.micros, 5000, 5000)
    assert syncs.take(echo, ANSWERED)
    fit = syncs.fit
    assert not syncs.take(echo, Moment(5_000_900))
    assert syncs.fit == fit


def test_a_box_up_for_months_keeps_one_time_across_connections() -> None:
    syncs = _syncs(wraps=2)
    syncs.ask(ASKED)
    syncs.take(SyncEcho(BOOT, ASKED.micros, 5000, 5000), ANSWERED)
    assert syncs.fit
    stamp = syncs.fit.interval(5000, ANSWERED).stamp
    assert stamp
    assert stamp.at == timedelta(milliseconds=2 * 2**32 + 5000)
    assert stamp.clock == "TL-1/00000007"
