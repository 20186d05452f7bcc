"""The box keeps to the table link (docs/table-link.md), seen by the bytes it sends."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.table_link.codes import (
    Ability,
    Change,
    Ending,
    FaultCode,
    Flag,
    Happening,
    MachineBit,
    Question,
    Refusal,
    Stage,
    Verb,
)
from drivers.table_link.messages import (
    Ack,
    Ask,
    Command,
    Edge,
    Heartbeat,
    Hello,
    Lost,
    Machine,
    Nack,
    Progress,
    Result,
    Rewind,
    State,
    Sync,
    SyncEcho,
    write,
)
from simulator import machine as mechanics
from simulator.box import EVERYTHING_BUT_DRAWS_AND_DICE, Box, Model
from simulator.deeds import Touch
from simulator.device_time import WRAP, DeviceTime
from simulator.ring import CAPACITY
from table.events import DealEnded, Fault, FaultRaised, TileDrawn
from table.happening import Input
from table.moment import Moment
from table.seat import Seat
from tests.simulator.host import Host, connect, talk

START = Moment(0)
BOOT = 0x5A17C0DE
MODEL = Model("TL-0042")


def after(seconds: float) -> Moment:
    return START + timedelta(seconds=seconds)


def new_box(model: Model = MODEL, started: Moment = START) -> Box:
    machine = mechanics.Machine(Random(1))
    return Box(model, machine, DeviceTime(BOOT, started))


def tap(box: Box, seat: Seat, at: Moment, button: Input = Input.DISCARD) -> None:
    box.touch(Touch(seat, button, down=True), at)
    box.touch(Touch(seat, button, down=False), at + timedelta(milliseconds=80))


@pytest.fixture
def box() -> Box:
    return new_box()


@pytest.fixture
def host(box: Box) -> Host:
    """A host that has the box armed at the start."""
    host = Host()
    connect(host, box, START)
    return host


# From silence to play (section 8)


def test_a_box_says_who_it_is_when_asked(box: Box, host: Host) -> None:
    hello = host.last(Hello)
    assert (hello.serial, hello.boot, hello.abilities) == (
        "TL-0042",
        BOOT,
        EVERYTHING_BUT_DRAWS_AND_DICE,
    )
    assert (hello.resolution_us, hello.debounce_ms, hello.hold_ms) == (1000, 10, 1000)
    assert (hello.oldest, hello.following, hello.wraps) == (1, 1, 0)
    assert box.armed


def test_a_box_begins_to_speak_with_a_zero_and_a_heartbeat(box: Box) -> None:
    started = box.transmit(START)
    assert started[0] == 0
    host = Host()
    host.hear(started)
    assert host.last(Heartbeat) == Heartbeat(BOOT, MachineBit.WALL_READY)


def test_a_silent_box_sends_a_heartbeat_each_250_ms(box: Box) -> None:
    host = Host()
    beats = [box.transmit(START)]
    for _ in range(3):
        assert box.transmit(box.wake_at(START) - timedelta(microseconds=1)) == b""
        beats.append(box.transmit(box.wake_at(START)))
    host.hear(b"".join(beats))
    assert [frame.time for frame, _ in host.heard] == [0, 250, 500, 750]


def test_no_heartbeat_comes_where_something_else_was_sent(box: Box, host: Host) -> None:
    tap(box, Seat.ONE, after(0.2))
    host.hear(box.transmit(after(0.2)))
    assert box.transmit(after(0.26)) != b""
    host.hear(box.transmit(after(0.3)))
    assert host.all(Heartbeat) == []


def test_state_comes_when_armed_and_each_5_s(box: Box, host: Host) -> None:
    before = len(host.all(State))
    for quarter in range(1, 41):
        talk(host, box, after(quarter / 4), Heartbeat(BOOT))
    assert len(host.all(State)) == before + 2


def test_state_shows_inputs_lamps_faults_and_the_next_event(box: Box, host: Host) -> None:
    box.touch(Touch(Seat.TWO, Input.DISCARD, down=True), after(1))
    talk(host, box, after(1), Command(1, Verb.LAMP, 3, 1), Ask(Question.STATE))
    machine = MachineBit.WALL_READY | MachineBit.ARMED
    assert host.last(State) == State(BOOT, 2, machine, down=0b10, lamps=0b100)


def test_a_fault_stands_in_state_and_heartbeat() -> None:
    machine = mechanics.Machine(Random(1))
    box, host = Box(MODEL, machine, DeviceTime(BOOT, START)), Host()
    machine.report(FaultRaised(Fault.OVERHEAT), START)
    connect(host, box, START)
    assert host.last(State).faults == (FaultCode.OVERHEAT,)
    assert host.last(State).machine & MachineBit.FAULTY
    assert host.events == [
        Machine(BOOT, 0, Happening.FAULT_RAISED, FaultCode.OVERHEAT),
    ]


def test_sync_is_answered_at_once_with_the_time_it_came_and_left(box: Box, host: Host) -> None:
    talk(host, box, after(61.25), Sync(7_000_000_250))
    assert host.last(SyncEcho) == SyncEcho(BOOT, 7_000_000_250, 61_250, 61_250)


def test_a_box_that_hears_nothing_for_2_s_stands_alone(box: Box, host: Host) -> None:
    talk(host, box, after(0), Command(1, Verb.BUZZER, 2, 2000))
    box.transmit(after(1.999))
    assert box.sounding(after(1.999)) == [Seat.TWO]
    box.transmit(after(2))
    assert not box.armed
    assert box.sounding(after(1.999)) == []
    host.hear(box.transmit(after(2.25)))
    assert not host.last(Heartbeat).machine & MachineBit.ARMED


def test_any_sound_frame_keeps_the_box_armed(box: Box, host: Host) -> None:
    for second in range(1, 6):
        talk(host, box, after(second), Sync(second))
    assert box.armed


def test_a_box_alone_stamps_and_keeps_but_sends_no_event(box: Box, host: Host) -> None:
    box.transmit(after(2))
    tap(box, Seat.THREE, after(3))
    host.hear(box.transmit(after(3.1)))
    assert host.events == []
    assert box.waiting == 2
    connect(host, box, after(10))
    assert [edge.at_ms for edge in host.all(Edge)] == [3000, 3080]
    flags = [frame.flags for frame, message in host.heard if isinstance(message, Edge)]
    assert flags == [Flag.NEEDS_ACK | Flag.REPLAY] * 2


def test_asking_for_hello_disarms_until_the_next_rewind(box: Box, host: Host) -> None:
    talk(host, box, after(1), Ask(Question.HELLO), Command(1, Verb.SHUFFLE))
    assert host.last(Nack) == Nack(1, Refusal.NOT_ARMED)
    talk(host, box, after(1), Rewind(1), Command(2, Verb.SHUFFLE))
    assert host.last(Progress) == Progress(2, Stage.ACCEPTED)


# Events (section 6)


def test_a_tap_arrives_with_its_first_edge_and_is_gone_once_acknowledged(
    box: Box, host: Host
) -> None:
    tap(box, Seat.TWO, after(1.7))
    talk(host, box, after(1.78))
    assert [(edge.first_ms, edge.change) for edge in host.all(Edge)] == [
        (1700, Change.DOWN),
        (1700, Change.UP),
    ]
    talk(host, box, after(1.8), Ack())
    assert box.waiting == 0


def test_an_edge_is_stamped_when_it_was_made_not_when_it_was_sent(box: Box, host: Host) -> None:
    tap(box, Seat.TWO, after(1.234))
    talk(host, box, after(1.9))
    assert host.all(Edge)[0].first_ms == 1234


def test_what_is_not_acknowledged_comes_again_marked_as_replay(box: Box, host: Host) -> None:
    tap(box, Seat.TWO, after(1))
    talk(host, box, after(1.08))
    host.hear(box.transmit(after(1.13)))
    flags = [frame.flags for frame, message in host.heard if isinstance(message, Edge)]
    assert flags == [Flag.NEEDS_ACK] * 2 + [Flag.NEEDS_ACK | Flag.REPLAY] * 2
    assert len(host.events) == 2


def test_a_stale_acknowledgement_from_before_a_reboot_forgets_nothing() -> None:
    box, host = new_box(), Host(has=8)
    tap(box, Seat.TWO, after(1))
    talk(host, box, after(1), Heartbeat(BOOT - 1))
    assert box.waiting == 2


def test_an_overflow_is_told_before_the_first_event_behind_it(box: Box, host: Host) -> None:
    box.transmit(after(2))
    for press in range(CAPACITY // 2 + 2):
        tap(box, Seat.ONE, after(3 + press))
    connect(host, box, after(200))
    assert host.last(Hello).oldest == 1
    kinds = [type(message) for _, message in host.heard if isinstance(message, Edge | Lost)]
    assert kinds[:2] == [Lost, Edge]
    assert host.last(Lost) == Lost(BOOT, 1, 4)
    assert host.has == 4 + 16


def test_draws_and_the_end_of_the_deal_are_told_only_by_a_table_that_senses_them() -> None:
    told: list[list[tuple[int, int]]] = []
    for ability in (Ability.DRAW, Ability.DEAL_END):
        box, host = new_box(replace(MODEL, abilities=ability)), Host()
        connect(host, box, START)
        box.sense(TileDrawn(Seat.FOUR), after(1))
        box.sense(DealEnded(), after(1.5))
        talk(host, box, after(1.5))
        told.append([(edge.seat, edge.at_ms) for edge in host.all(Edge)])
    assert told == [[(4, 1000)], [(0, 1500)]]


def test_a_counter_that_wrapped_is_told_in_hello() -> None:
    started = START - timedelta(milliseconds=WRAP + 5)
    box, host = new_box(started=started), Host()
    connect(host, box, START)
    assert host.last(Hello).wraps == 1
    tap(box, Seat.ONE, START)
    talk(host, box, START)
    assert host.all(Edge)[0].first_ms == 5


# Commands (section 7)


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        (Command(1, 99), Refusal.UNKNOWN),
        (Command(1, Verb.BUZZER, 0, 300), Refusal.BAD_VALUE),
        (Command(1, Verb.BUZZER, 5, 300), Refusal.BAD_VALUE),
        (Command(1, Verb.BUZZER, 1, 0), Refusal.BAD_VALUE),
        (Command(1, Verb.BUZZER, 1, 2001), Refusal.BAD_VALUE),
        (Command(1, Verb.LAMP, 1, 2), Refusal.BAD_VALUE),
    ],
)
def test_a_command_that_makes_no_sense_is_refused(
    box: Box, host: Host, command: Command, refusal: Refusal
) -> None:
    talk(host, box, after(1), command)
    assert host.last(Nack) == Nack(1, refusal)


def test_a_buzzer_sounds_for_its_time_and_is_done_at_once(box: Box, host: Host) -> None:
    talk(host, box, after(1), Command(1, Verb.BUZZER, 2, 300))
    assert host.last(Result) == Result(1, Ending.DONE)
    assert box.sounding(after(1.299)) == [Seat.TWO]
    assert box.sounding(after(1.3)) == []


def test_a_shuffle_is_accepted_told_of_each_second_and_done_when_the_wall_is_ready(
    box: Box, host: Host
) -> None:
    talk(host, box, START, Command(1, Verb.SHUFFLE))
    for quarter in range(1, 36 * 4):
        talk(host, box, after(quarter / 4), Heartbeat(BOOT))
    stages = [progress.stage for progress in host.all(Progress)]
    assert stages[0] == Stage.ACCEPTED
    assert set(stages[1:]) == {Stage.RUNNING}
    assert [event.happening for event in host.all(Machine)] == [
        Happening.CYCLE_STARTED,
        Happening.WALL_READY,
    ]
    cycle_ms = host.all(Machine)[1].at_ms
    assert len(stages) - 1 == cycle_ms // 1000
    assert host.last(Result) == Result(1, Ending.DONE)


def test_busy_and_interlock_are_given_as_reasons(box: Box, host: Host) -> None:
    talk(host, box, after(1), Command(1, Verb.SHUFFLE), Command(2, Verb.SHUFFLE))
    talk(host, box, after(1), Command(3, Verb.LIFT))
    assert host.all(Nack) == [Nack(2, Refusal.BUSY), Nack(3, Refusal.INTERLOCK)]


def test_stop_ends_the_running_command_as_stopped(box: Box, host: Host) -> None:
    talk(host, box, after(1), Command(1, Verb.SHUFFLE))
    talk(host, box, after(2), Command(2, Verb.STOP))
    assert set(host.all(Result)) == {Result(2, Ending.DONE), Result(1, Ending.STOPPED)}
    assert host.all(Machine)[-1].happening == Happening.STOPPED


def test_stop_is_carried_out_even_by_a_box_alone(box: Box, host: Host) -> None:
    talk(host, box, after(1), Command(1, Verb.SHUFFLE))
    box.transmit(after(3))
    talk(host, box, after(3.5), Command(2, Verb.STOP))
    assert host.last(State).machine & MachineBit.CYCLING == 0
    assert Result(1, Ending.STOPPED) in host.all(Result)


def test_a_jam_fails_the_shuffle_with_the_fault() -> None:
    machine = mechanics.Machine(Random(1), jam_percent=100)
    box, host = Box(MODEL, machine, DeviceTime(BOOT, START)), Host()
    connect(host, box, START)
    talk(host, box, START, Command(1, Verb.SHUFFLE))
    for second in range(1, 17):
        talk(host, box, after(second), Heartbeat(BOOT))
    assert host.last(Result) == Result(1, Ending.FAILED, FaultCode.TILE_JAM)
    talk(host, box, after(16), Command(2, Verb.LIFT))
    assert host.last(Nack) == Nack(2, Refusal.FAULT)


COMMANDS = st.builds(
    Command,
    id=st.integers(1, 8),
    verb=st.sampled_from([*Verb, 99]),
    seat=st.integers(0, 5),
    value=st.integers(0, 3000),
)


@given(st.lists(st.tuples(COMMANDS, st.integers(1, 4), st.integers(0, 1900)), max_size=30))
def test_a_repeated_id_is_answered_again_and_carried_out_once(
    orders: list[tuple[Command, int, int]],
) -> None:
    once, often = (new_box(), Host()), (new_box(), Host())
    for box, host in (once, often):
        connect(host, box, START)
    now = START
    first: dict[int, Command] = {}
    for command, times, wait_ms in orders:
        now += timedelta(milliseconds=wait_ms)
        for box, host in (once, often):
            talk(host, box, now, Heartbeat(BOOT))
        meant = first.setdefault(command.id, command)
        if meant is command:
            talk(once[1], once[0], now, command)
            talk(often[1], often[0], now, command)
        talk(often[1], often[0], now, *[replace(command, verb=meant.verb)] * times)
    for box, host in (once, often):
        talk(host, box, now, Ask(Question.STATE))
    assert often[1].events == once[1].events
    assert often[1].last(State) == once[1].last(State)
    assert often[0].sounding(now) == once[0].sounding(now)


# Damage (section 9)


def test_damaged_frames_and_words_of_a_box_are_counted_and_do_nothing(box: Box, host: Host) -> None:
    whole = host.say(Command(1, Verb.SHUFFLE))
    broken = bytes([whole[0], whole[1] ^ 4, *whole[2:]])
    of_a_box = write(Nack(1, Refusal.BUSY))
    box.hear(broken + b"\x01\x01\x01\x00" + of_a_box + host.acknowledge(), after(1))
    host.hear(box.transmit(after(1.25)))
    assert host.last(Heartbeat).damaged == 3
    assert host.all(Progress) == []


@given(st.binary(max_size=400), st.lists(st.integers(0, 400), max_size=6))
def test_any_bytes_cut_anywhere_leave_the_box_the_same(stream: bytes, cuts: list[int]) -> None:
    whole, pieces = new_box(), new_box()
    host = Host()
    stream = host.say(Rewind(1)) + stream + b"\0" + host.say(Command(1, Verb.SHUFFLE))
    whole.hear(stream, START)
    edges = sorted({0, len(stream), *(cut % (len(stream) + 1) for cut in cuts)})
    for start, end in pairwise(edges):
        pieces.hear(stream[start:end], START)
    assert pieces.transmit(START) == whole.transmit(START)
