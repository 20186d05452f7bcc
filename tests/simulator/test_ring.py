"""No event is lost or told out of order, whatever the line does."""

from dataclasses import dataclass, field
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from drivers.table_link.codes import Change, Input
from drivers.table_link.frames import LAST_SEQ, following, steps
from drivers.table_link.messages import Edge
from simulator.link_times import REAL
from simulator.ring import CAPACITY, WINDOW, Kept, Ring
from table.moment import Moment

START = Moment(0)


def edge(number: int) -> Edge:
    return Edge(1, number, number, 1, Input.DISCARD, Change.DOWN)


def filled(count: int, *, waits: bool = False) -> Ring:
    ring = Ring()
    for number in range(1, count + 1):
        ring.keep(edge(number), waits=waits)
    return ring


def numbers(kept: list[Kept]) -> list[int]:
    return [each.seq for each in kept]


def test_events_are_numbered_from_one_and_sent_in_order() -> None:
    assert numbers(filled(3).due(START)) == [1, 2, 3]


def test_an_event_is_sent_once_until_an_answer_is_overdue() -> None:
    ring = filled(1)
    ring.due(START)
    assert ring.due(START + timedelta(milliseconds=49)) == []
    assert ring.wake_at(START) == START + REAL.resend[0]


def test_resends_come_after_50_100_200_and_then_each_200_ms_with_the_replay_flag() -> None:
    ring, now, waits = filled(1), START, []
    assert [kept.replay for kept in ring.due(now)] == [False]
    for _ in range(5):
        again = ring.wake_at(now)
        assert again
        waits.append((again - now) // timedelta(milliseconds=1))
        now = again
        assert [kept.replay for kept in ring.due(now)] == [True]
    assert waits == [50, 100, 200, 200, 200]


def test_an_acknowledgement_that_moves_on_begins_the_waits_anew() -> None:
    ring = filled(2)
    ring.due(START)
    later = START + REAL.resend[0]
    ring.due(later)
    ring.acknowledge(1)
    ring.due(later)
    assert ring.wake_at(later) == later + REAL.resend[0]


def test_at_most_sixteen_are_on_the_way() -> None:
    ring = filled(WINDOW + 4)
    assert numbers(ring.due(START)) == list(range(1, WINDOW + 1))
    ring.acknowledge(3)
    assert numbers(ring.due(START)) == [17, 18, 19]


def test_an_acknowledgement_of_what_was_never_sent_counts_for_nothing() -> None:
    ring = filled(3)
    ring.acknowledge(2)
    ring.due(START)
    ring.acknowledge(4)
    ring.acknowledge(LAST_SEQ)
    assert len(ring) == 3


def test_events_that_waited_for_a_host_are_marked_at_their_first_sending() -> None:
    assert [kept.replay for kept in filled(2, waits=True).due(START)] == [True, True]


def test_rewind_takes_what_is_before_as_arrived_and_sends_the_rest_again() -> None:
    ring = filled(4)
    ring.due(START)
    ring.rewind(3)
    assert ring.oldest == 3
    assert [(kept.seq, kept.replay) for kept in ring.due(START)] == [(3, True), (4, True)]


def test_rewind_to_a_number_that_is_gone_or_not_yet_there_forgets_nothing() -> None:
    ring = filled(4)
    ring.due(START)
    ring.acknowledge(2)
    for nonsense in (1, 6, 40_000):
        ring.rewind(nonsense)
        assert numbers(ring.due(START)) == [3, 4]


def test_a_full_ring_pushes_out_its_oldest_and_says_which() -> None:
    ring = filled(CAPACITY + 3)
    assert (ring.lost, ring.lost_count, len(ring)) == ((1, 3), 3, CAPACITY)
    assert ring.oldest == 1
    ring.due(START)
    for acknowledged, oldest in ((2, 3), (3, 4)):
        ring.acknowledge(acknowledged)
        assert ring.oldest == oldest
    assert ring.lost is None


def test_rewind_behind_the_loss_ends_it() -> None:
    ring = filled(CAPACITY + 3)
    ring.rewind(4)
    assert (ring.lost, ring.oldest, len(ring)) == (None, 4, CAPACITY)


def test_numbers_begin_at_one_again_after_the_last() -> None:
    ring = filled(LAST_SEQ - 1)
    ring.rewind(LAST_SEQ)
    for number in range(3):
        ring.keep(edge(number), waits=False)
    assert numbers(ring.due(START)) == [LAST_SEQ, 1, 2]
    ring.acknowledge(1)
    assert ring.oldest == 2


@dataclass
class Line:
    """A line that loses what it likes, and the host behind it, who takes events in order."""

    ring: Ring = field(default_factory=Ring)
    now: Moment = START
    told: list[int] = field(default_factory=list)
    has: int = 0
    kept: int = 0

    def keep(self) -> None:
        self.kept += 1
        self.ring.keep(edge(self.kept), waits=False)

    def send(self, arrives: list[bool]) -> None:
        for kept, comes_through in zip(self.ring.due(self.now), arrives, strict=False):
            if comes_through and self.ring.lost and self.ring.lost[0] == following(self.has):
                self.has = self.ring.lost[1]
            if comes_through and kept.seq == following(self.has):
                self.has = kept.seq
                self.told.append(kept.event.at_ms)

    def wait(self) -> None:
        self.now = max(self.now, self.ring.wake_at(self.now) or self.now)

    def settle(self) -> None:
        while len(self.ring):
            self.wait()
            self.send([True] * WINDOW)
            self.ring.acknowledge(self.has)


ACTS = st.lists(
    st.one_of(
        st.just("keep"),
        st.just("wait"),
        st.just("acknowledge"),
        st.just("rewind"),
        st.text(".!", min_size=WINDOW, max_size=WINDOW),
    ),
    max_size=80,
)


def play(line: Line, acts: list[str]) -> None:
    for act in acts:
        match act:
            case "keep":
                line.keep()
            case "wait":
                line.wait()
            case "acknowledge":
                line.ring.acknowledge(line.has)
            case "rewind":
                line.ring.rewind(following(line.has))
            case _:
                line.send([letter != "." for letter in act])


@given(ACTS)
def test_every_event_arrives_once_and_in_order_over_any_line(acts: list[str]) -> None:
    line = Line()
    play(line, acts)
    line.settle()
    assert line.told == list(range(1, line.kept + 1))


@given(st.integers(CAPACITY - 5, CAPACITY + 40), ACTS)
def test_after_an_overflow_exactly_the_lost_ones_are_missing(before: int, acts: list[str]) -> None:
    line = Line()
    for _ in range(before):
        line.keep()
    play(line, acts)
    line.settle()
    assert line.told == sorted(set(line.told))
    assert line.kept - len(line.told) <= line.ring.lost_count
    assert steps(line.has, line.ring.following) == 1
