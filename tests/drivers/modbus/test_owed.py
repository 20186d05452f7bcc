"""Which look an answer on an RTU line tells of, on a line that loses answers and stands still."""

from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from drivers.modbus.master_answers import EXCEPTION, Exchange, Replied, Trouble, Unanswered
from drivers.modbus.owed import LATEST_SECONDS, Debts, owed, paid, settled
from drivers.modbus.requests import Read, Write
from drivers.modbus.windows import Window
from table.moment import Moment

PATIENCE_MS = 100
LEVELS, OTHERS, COUNTS = Read(2, 0, 8), Read(2, 8, 8), Read(4, 0, 8)
STALL_MS = round(LATEST_SECONDS * 1000)


def exchange(request: Read | Write, asked: int, arrived: int, *, heard: bool) -> Exchange:
    answer = Replied((0,)) if heard else Unanswered(Trouble.SILENT)
    return Exchange(request, Window(Moment(asked * 1000), Moment(arrived * 1000)), answer)


@dataclass(frozen=True)
class Asked:
    """A question, how long the device thinks about it, and whether its answer is lost."""

    request: Read
    thinks_ms: int
    lost: bool
    gap_ms: int


@dataclass
class Line:
    """Hands over in order, and stands still now and then."""

    stalls: list[tuple[int, int]]
    free_at: int = 0

    def arrival(self, at: int) -> int:
        at = max(at, self.free_at)
        at = next((end for begin, end in self.stalls if begin <= at < end), at)
        self.free_at = at + 1
        return at


asked = st.builds(
    Asked,
    st.sampled_from([LEVELS, LEVELS, LEVELS, COUNTS, OTHERS]),
    st.integers(1, PATIENCE_MS - 20),
    st.sampled_from([False, False, False, True]),
    st.integers(1, 40),
)


@st.composite
def stalls(draw: st.DrawFn) -> list[tuple[int, int]]:
    """The line stands still for up to two seconds, and is well for longer in between."""
    found, at = [], 0
    for well, ill in draw(
        st.lists(st.tuples(st.integers(2 * STALL_MS, 3 * STALL_MS), st.integers(1, STALL_MS)))
    ):
        found.append((at + well, at + well + ill))
        at += well + ill
    return found


def played(questions: list[Asked], line: Line) -> Iterator[tuple[Exchange, Read, int]]:
    """Give every answer that is believed, whose it was, and when the device looked."""
    now, free_at = 0, 0
    debts: Debts = ()
    under_way: list[tuple[int, Read, int]] = []
    for one in questions:
        begun = max(now + one.gap_ms, free_at)
        looked = begun + one.thinks_ms
        under_way = [reply for reply in under_way if reply[0] >= begun]
        if not one.lost:
            under_way.append((line.arrival(looked), one.request, looked))
        shape = (one.request.function, one.request.count)
        fits = (
            reply
            for reply in under_way
            if reply[0] <= begun + PATIENCE_MS and (reply[1].function, reply[1].count) == shape
        )
        heard = next(fits, None)
        now = heard[0] if heard else begun + PATIENCE_MS
        under_way = [reply for reply in under_way if reply[0] > now]
        told = settled(
            owed(debts, begun / 1000, PATIENCE_MS / 1000),
            exchange(one.request, begun, now, heard=heard is not None),
            now / 1000,
            PATIENCE_MS / 1000,
        )
        debts, free_at = told.debts, round(told.rests_until * 1000)
        if heard and isinstance(told.exchange.answer, Replied):
            yield told.exchange, heard[1], heard[2]


@given(st.lists(asked, min_size=5, max_size=150), stalls())
def test_what_is_believed_was_looked_at_within_its_window(
    questions: list[Asked], still: list[tuple[int, int]]
) -> None:
    for believed, answered, looked in played(questions, Line(still)):
        assert answered == believed.request
        assert believed.window.asked <= Moment(looked * 1000) <= believed.window.arrived


def test_an_answer_after_silence_may_be_that_to_the_older_question() -> None:
    silent = settled((), exchange(LEVELS, 0, 100, heard=False), 0.1, 0.1)
    assert silent.rests_until == 0.2
    told = settled(silent.debts, exchange(LEVELS, 200, 230, heard=True), 0.23, 0.1)
    assert told.exchange.window == Window(Moment(0), Moment(230_000))
    again = settled(told.debts, exchange(LEVELS, 250, 280, heard=True), 0.28, 0.1)
    assert again.exchange.window == Window(Moment(200_000), Moment(280_000))


def test_an_answer_of_another_shape_ends_all_doubt() -> None:
    silent = settled((), exchange(LEVELS, 0, 100, heard=False), 0.1, 0.1)
    counts = settled(silent.debts, exchange(COUNTS, 200, 230, heard=True), 0.23, 0.1)
    assert counts.exchange.window == Window(Moment(200_000), Moment(230_000))
    assert counts.debts == ()


def test_an_answer_that_may_be_that_to_another_read_is_not_believed() -> None:
    silent = settled((), exchange(LEVELS, 0, 100, heard=False), 0.1, 0.1)
    told = settled(silent.debts, exchange(OTHERS, 200, 230, heard=True), 0.23, 0.1)
    assert told.exchange.answer == Unanswered(Trouble.UNSURE)
    assert told.rests_until == 0.1 + LATEST_SECONDS


def test_an_answer_that_comes_while_nobody_waits_is_owed_no_more() -> None:
    first = settled((), exchange(COUNTS, 0, 100, heard=False), 0.1, 0.1)
    both = settled(first.debts, exchange(LEVELS, 200, 300, heard=False), 0.3, 0.1).debts
    assert paid(both, bytes((2, 1, 0))) == ()
    assert paid(both, bytes((4 | EXCEPTION, 4))) == both[1:]
    assert paid(both, bytes((5, 0, 0, 0, 0))) == both


def test_a_doubt_ends_with_a_rest_once_nothing_can_come_any_more() -> None:
    silent = settled((), exchange(LEVELS, 0, 100, heard=False), 0.1, 0.1)
    told = settled(silent.debts, exchange(LEVELS, 2200, 2230, heard=True), 2.23, 0.1)
    assert (told.debts, told.rests_until) == ((), 2.33)


def test_what_was_owed_to_a_device_that_was_left_alone_for_long_makes_no_window_wide() -> None:
    silent = settled((), exchange(LEVELS, 0, 100, heard=False), 0.1, 0.1)
    assert owed(silent.debts, 2.1, 0.1) == silent.debts
    assert owed(silent.debts, 60.0, 0.1) == ()


def test_an_echo_of_a_write_is_that_of_no_other_write() -> None:
    silent = settled((), exchange(Write(5, 1, (0xFF00,)), 0, 100, heard=False), 0.1, 0.1)
    told = settled(silent.debts, exchange(Write(5, 1, (0,)), 200, 230, heard=True), 0.23, 0.1)
    assert told.exchange.answer == Replied((0,))
    assert told.debts == ()
