"""From the bytes of a table link to fouls: where the stream is cut changes nothing."""

from collections import Counter
from dataclasses import asdict, dataclass, field
from itertools import accumulate, cycle, pairwise

from hypothesis import Phase, event, given, settings
from hypothesis import strategies as st

from controller.table_core import Effect, TableRules, TableState, fresh, step
from drivers.table_link.codes import CallKind, Change, Flag, Happening, Input
from drivers.table_link.counts import Counts
from drivers.table_link.frames import Deframer, Frame
from drivers.table_link.intake import Intake
from drivers.table_link.messages import (
    Edge,
    Heartbeat,
    Hello,
    Lost,
    Machine,
    Message,
    State,
    SyncEcho,
    read,
    write,
)
from drivers.table_link.syncs import Syncs
from table.events import LinkUp, Observed
from table.fouls import FoulKind, FoulSeen
from table.moment import MILLISECOND, Moment
from tests.drivers.table_link.strategies import hurt
from tests.scoring import cases
from tests.timing.books import MCR, MCR_WALL

RULES = TableRules(MCR, cases.MCR, MCR_WALL)
BOOT = 7
START = Moment(5_000_000)
"""The daemon's clock as the box's stands at 0."""
ON_THE_WIRE = 3 * MILLISECOND
HELLO = Hello("", "", "TL-1", "", "", BOOT, abilities=0x7FF)
ASKED = START - 2 * MILLISECOND
ECHO = SyncEcho(BOOT, ASKED.micros, 0, 0)


@dataclass(frozen=True)
class Batch:
    """What was written to the wire at once, and when the last of it arrived."""

    now: Moment
    event: bytes
    before: bytes = b""
    after: bytes = b""

    @property
    def wire(self) -> bytes:
        return self.before + self.event + self.after


@dataclass
class Box:
    """A box that plays: it keeps its events by the time at which they are told."""

    now: int = 0
    """Device time in ms."""
    told: list[tuple[int, Message]] = field(default_factory=list)

    def edge(self, seat: int, place: Input, change: Change, at: int, call: int = 0) -> None:
        self.told.append((at, Edge(BOOT, self.now, at, seat, place, change, call)))

    def tap(self, seat: int, place: Input, call: int = 0) -> None:
        self.edge(seat, place, Change.DOWN, self.now, call)
        self.edge(seat, place, Change.UP, self.now + 80, call)

    def hold(self, seat: int, place: Input) -> None:
        self.edge(seat, place, Change.DOWN, self.now)
        self.edge(seat, place, Change.HELD, self.now + 1000)
        self.edge(seat, place, Change.UP, self.now + 1200)

    def runs(self, happening: int) -> None:
        self.told.append((self.now, Machine(BOOT, self.now, happening, fault=1, dice=(3, 4))))


seats = st.integers(1, 4)
thinking = st.sampled_from([700, 2_000, 9_000, 10_000, 14_000, 17_000, 21_000])
calling = st.sampled_from([300, 2_990, 3_010, 4_000, 4_000])
calls = st.sampled_from([CallKind.PUNG, CallKind.PUNG, CallKind.UNNAMED, CallKind.CHOW])
habits = st.sampled_from(["plain"] * 4 + ["draws", "claimed", "claimed", "claimed", "hu", "shaky"])
happenings = st.sampled_from(Happening)


def _take_turn(draw: st.DrawFn, box: Box, seat: int) -> int:
    """Let a seat take its turn; return who is next."""
    habit = draw(habits)
    if habit == "draws":
        box.now += 3_200
        box.edge(seat, Input.DRAW, Change.DOWN, box.now)
    box.now += draw(thinking)
    if habit == "hu":
        box.hold(draw(seats), draw(st.sampled_from([Input.DISCARD, Input.CLAIM])))
        box.now += 4_000
    box.tap(seat, Input.DISCARD)
    if habit == "shaky":
        box.now += 20
        box.tap(seat, Input.DISCARD)
    if habit == "claimed":
        box.now += draw(calling)
        caller = draw(seats)
        box.tap(caller, Input.CLAIM, draw(calls))
        return caller
    return seat % 4 + 1


@st.composite
def tapes(draw: st.DrawFn) -> list[Batch]:
    """Draw a hand as a box tells it, event by event, with what a wire may add to it."""
    box, seat = Box(), 1
    box.edge(0, Input.DEAL_END, Change.DOWN, 0)
    for _ in range(draw(st.integers(2, 7))):
        seat = _take_turn(draw, box, seat)
        if draw(st.integers(0, 3)) == 0:
            box.runs(draw(happenings))
    told = sorted(box.told, key=lambda one: one[0])
    frames = [
        (at, write(message, seq=seq, time=at, flags=Flag.NEEDS_ACK))
        for seq, (at, message) in enumerate(told, start=1)
    ]
    return [_batch(draw, at, frames[: place + 1]) for place, (at, _) in enumerate(frames)]


additions = st.sampled_from(
    ["none"] * 12 + ["again", "harmed", "alive", "old loss", "state", "noise"] * 2 + ["gone"]
)
noise = st.binary(max_size=40)


def _batch(draw: st.DrawFn, at: int, frames: list[tuple[int, bytes]]) -> Batch:
    """Send the newest frame, mostly alone; never so that it is lost and nobody says so."""
    event, seq = frames[-1][1], len(frames)
    before, after = b"", b""
    match draw(additions):
        case "again":
            before = b"".join(frame for _, frame in frames[-3:])
        case "harmed":
            before = draw(hurt()) + b"\0"
        case "alive":
            before = write(Heartbeat(BOOT, 0, 0, 0, 0))
        case "old loss":
            before = write(Lost(BOOT, 1, seq - 1))
        case "state":
            after = write(State(BOOT, 1, 0))
        case "noise":
            after = draw(noise) + b"\0"
        case "gone":
            event = write(Lost(BOOT, seq, seq))
        case _:
            pass
    return Batch(START + at * MILLISECOND + ON_THE_WIRE, event, before, after)


class Ear:
    """All that is pure between a wire and the core of its table."""

    def __init__(self) -> None:
        self.counts = Counts()
        self._intake = Intake(HELLO, self.counts)
        self._syncs = Syncs(HELLO, Frame(Hello.KIND))
        self._syncs.ask(ASKED)
        self._syncs.take(ECHO, START)
        self._deframer = Deframer()
        self.observed: list[tuple[Moment, Observed]] = []

    def hear(self, piece: bytes, now: Moment) -> None:
        for arrival in self._deframer.feed(piece):
            message = read(arrival) if isinstance(arrival, Frame) else arrival
            if isinstance(arrival, Frame) and (said := self._take(arrival, message, now)):
                self.observed.append((now, said))

    def _take(self, frame: Frame, message: object, now: Moment) -> Observed | None:
        fit = self._syncs.fit
        match message:
            case Edge() | Machine() if fit:
                return self._intake.take(frame, message, fit, now)
            case Lost():
                return self._intake.skip(message, now)
            case _:
                return None


@dataclass(frozen=True)
class Outcome:
    """What came of a stream of bytes."""

    observed: list[tuple[Moment, Observed]]
    state: TableState
    effects: list[Effect]
    counts: Counts

    @property
    def fouls(self) -> list[FoulSeen]:
        return [one for one in self.effects if isinstance(one, FoulSeen)]


Pieces = list[tuple[bytes, Moment]]


def outcome(pieces: Pieces) -> Outcome:
    """Let pieces of a stream arrive, and play what they say."""
    ear = Ear()
    effects: list[Effect] = []
    for piece, now in pieces:
        ear.hear(piece, now)
    state = step(RULES, fresh("t1"), LinkUp(holds=True, draws=True), START).state
    for now, observed in ear.observed:
        taken = step(RULES, state, observed, now)
        state = taken.state
        effects.extend(taken.effects)
    return Outcome(ear.observed, state, effects, ear.counts)


def uncut(tape: list[Batch]) -> Pieces:
    return [(batch.wire, batch.now) for batch in tape]


def cut(tape: list[Batch], places: list[int], early: list[int]) -> Pieces:
    """Cut a tape at any places; so many bytes of a batch come early, with the batch before it.

    No frame is whole before it was sent: its zero never comes early.
    """
    whole = b"".join(batch.wire for batch in tape)
    heads = [min(head, batch.wire.index(0)) for batch, head in zip(tape[1:], cycle(early))]
    sent = accumulate(len(batch.wire) for batch in tape)
    ends = [end + head for end, head in zip(sent, (*heads, 0), strict=True)]
    pieces: Pieces = []
    for batch, start, end in zip(tape, (0, *ends[:-1]), ends, strict=True):
        inside = sorted({start, end, *(place for place in places if start < place < end)})
        pieces += [(whole[first:last], batch.now) for first, last in pairwise(inside)]
    return pieces


def told(tape: list[Batch]) -> Outcome:
    """Play a tape, and have Hypothesis print what it has in it."""
    came = outcome(uncut(tape))
    event(f"in the end {type(came.state.hand.phase).__name__}")
    event(f"with a foul: {bool(came.fouls)}")
    for what, count in asdict(came.counts).items():
        event(f"{what}: {bool(count)}")
    return came


@given(
    tapes(), st.lists(st.integers(0, 2_000), max_size=30), st.lists(st.integers(0, 20), min_size=1)
)
def test_where_the_stream_of_bytes_is_cut_changes_nothing(
    tape: list[Batch], places: list[int], early: list[int]
) -> None:
    assert outcome(cut(tape, places, early)) == told(tape)


@given(tapes())
def test_bytes_that_come_one_by_one_say_what_they_say_together(tape: list[Batch]) -> None:
    pieces = [(bytes([byte]), batch.now) for batch in tape for byte in batch.wire]
    assert outcome(pieces) == told(tape)


@given(tapes())
def test_damage_and_repeats_on_the_wire_add_nothing_and_lose_nothing(tape: list[Batch]) -> None:
    plain = [Batch(batch.now, batch.event) for batch in tape]
    assert outcome(uncut(plain)).observed == told(tape).observed


def test_a_fifth_of_the_examples_holds_a_foul() -> None:
    kinds: list[set[FoulKind]] = []
    phases: Counter[str] = Counter()

    @settings(max_examples=100, phases=[Phase.generate], derandomize=True, database=None)
    @given(tapes())
    def collect(tape: list[Batch]) -> None:
        came = told(tape)
        phases[type(came.state.hand.phase).__name__] += 1
        kinds.append({foul.kind for foul in came.fouls})

    collect()
    guilty = sum(1 for each in kinds if each)
    print(f"in the end {dict(phases)}, with a foul {guilty} of {len(kinds)}")  # noqa: T201
    assert guilty >= len(kinds) / 5
    assert set().union(*kinds) >= {FoulKind.DISCARD_OVER_LIMIT, FoulKind.LATE_PUNG}
