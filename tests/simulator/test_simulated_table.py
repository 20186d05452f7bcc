"""A whole table in virtual time: people, machine, box and wire together."""

from datetime import timedelta
from fractions import Fraction
from itertools import count, pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from drivers.table_link.codes import Ability, Change, Happening, Input, Question, Verb
from drivers.table_link.messages import Ask, Command, Edge, Heartbeat, Hello, Machine, Rewind
from simulator.befallen import Befallen, Stuck, Written
from simulator.box import EVERYTHING_BUT_DRAWS_AND_DICE, Model
from simulator.habits import HABITS
from simulator.link_times import REAL, LinkTimes
from simulator.log_lines import LogLine
from simulator.machine import Machine as Mechanics
from simulator.modbus_mishaps import Harmed, Mute, PowerCut
from simulator.modbus_trouble import Harm
from simulator.players import Players
from simulator.plays import Hands, Play, WrittenHand
from simulator.simulated_table import Kit, SimulatedTable
from table.happening import Input as Button
from table.moment import ZERO, Moment
from table.script import read_script
from table.seat import BySeat, Seat
from tests.simulator.host import Host

START = Moment(0)
BEAT = timedelta(milliseconds=250)
SECOND = timedelta(seconds=1)


class Hall:
    """A table and its host on one line; `late_by` delays every awakening of the table."""

    def __init__(self, play: Play, *, jam_percent: int = 0, late_by: timedelta = ZERO) -> None:
        boots = count(1)
        machine = Mechanics(Random(2), jam_percent=jam_percent)
        model = Model("SIM-t1", EVERYTHING_BUT_DRAWS_AND_DICE | Ability.DRAW)
        self.table = SimulatedTable(Kit(model, lambda: next(boots)), machine, play, START)
        self.host = Host()
        self.now = START
        self.late_by = late_by
        self.log: list[LogLine] = []

    def connect(self) -> None:
        self.say(Ask(Question.HELLO))
        self.host.has = self.host.last(Hello).oldest - 1
        self.say(Rewind(self.host.has + 1))

    def say(self, message: Ask | Rewind | Command | Heartbeat) -> None:
        if self.table.wire_whole:
            self.table.hear(self.host.say(message), self.now)
        self.turn()

    def turn(self) -> None:
        self.table.pass_time(self.now)
        had, sent = self.host.has, self.table.transmit(self.now)
        if self.table.wire_whole:
            self.host.hear(sent)
        if self.host.has != had:
            self.table.hear(self.host.acknowledge(), self.now)
        self.log += self.table.take_log()

    def run(self, span: timedelta) -> None:
        """Let time pass with a host that acknowledges and shows that it is there."""
        end, beat_at = self.now + span, self.now
        while self.now < end:
            wakes_at = self.table.wake_at(self.now) + self.late_by
            self.now = min(max(wakes_at, self.now + timedelta(microseconds=1)), beat_at, end)
            if self.now == beat_at:
                self.say(Heartbeat(1))
                beat_at = self.now + BEAT
            self.turn()

    def logged(self, key: str) -> list[object]:
        return [line[key] for line in self.log if key in line]


def script(text: str) -> WrittenHand:
    return WrittenHand(read_script(text))


def downs(host: Host) -> list[Edge]:
    return [edge for edge in host.all(Edge) if edge.change == Change.DOWN]


LIMITS = """
1 table deal-ended
4 seat 1 discard
7.2 seat 2 draw
17.19 seat 2 discard
20.18 seat 4 claim pung
"""


def test_nobody_plays_before_a_host_follows_the_table() -> None:
    hall = Hall(script(LIMITS))
    for _ in range(100):
        hall.now = hall.table.wake_at(hall.now)
        hall.turn()
    assert hall.log == []
    hall.connect()
    assert hall.log == [{"device_us": hall.now.micros, "host": "follows"}]


@given(st.integers(0, 200_000))
def test_device_times_of_a_script_are_exact_however_late_the_table_wakes(late_us: int) -> None:
    hall = Hall(script(LIMITS), late_by=timedelta(microseconds=late_us))
    hall.connect()
    hall.run(timedelta(seconds=30))
    begun = REAL.settled // timedelta(milliseconds=1)
    assert [(edge.first_ms - begun, edge.seat, edge.input) for edge in downs(hall.host)] == [
        (1_000, 0, Input.DEAL_END),
        (4_000, 1, Input.DISCARD),
        (7_200, 2, Input.DRAW),
        (17_190, 2, Input.DISCARD),
        (20_180, 4, Input.CLAIM),
    ]


def test_the_log_tells_when_a_script_began_and_ended_and_every_edge() -> None:
    hall = Hall(script("1 seat 1 claim pung\n2 seat 2 draw\n3 table dice 2 6"))
    hall.connect()
    hall.run(timedelta(seconds=6))
    assert hall.log == [
        {"device_us": 0, "host": "follows"},
        {"device_us": 1_000_000, "script": "started"},
        {"device_us": 2_000_000, "edge": "down", "seat": 1, "input": "claim", "call": "pung"},
        {"device_us": 2_080_000, "edge": "up", "seat": 1, "input": "claim", "call": "pung"},
        {"device_us": 3_000_000, "sensed": "tile-drawn", "seat": 2},
        {"device_us": 4_000_000, "sensed": "dice-rolled", "values": (2, 6)},
        {"device_us": 4_000_000, "script": "ended"},
    ]
    assert hall.host.last(Machine).dice == (2, 6)


def test_the_log_tells_every_command_frame_even_one_that_comes_again() -> None:
    hall = Hall(script("9 table dice"))
    hall.connect()
    hall.now += timedelta(milliseconds=1234)
    buzzer = Command(9, Verb.BUZZER, 2, 300)
    for command in (buzzer, buzzer, Command(10, Verb.LAMP, 4, 1), Command(11, Verb.SHUFFLE)):
        hall.say(command)
    hall.say(Command(12, 77))
    told = [line for line in hall.log if "command" in line]
    beep = {"device_us": 1_234_000, "id": 9, "command": "buzzer", "seat": 2, "length_ms": 300}
    assert told == [
        beep,
        beep,
        {"device_us": 1_234_000, "id": 10, "command": "lamp", "seat": 4, "lit": True},
        {"device_us": 1_234_000, "id": 11, "command": "shuffle"},
        {"device_us": 1_234_000, "id": 12, "command": "unknown 77"},
    ]


def test_a_cut_wire_carries_nothing_and_the_box_tells_afterwards_what_it_saw() -> None:
    hall = Hall(script("2 table cut 4\n3 seat 1 discard\n8 seat 2 discard"))
    hall.connect()
    hall.run(timedelta(seconds=5))
    assert downs(hall.host) == []
    hall.run(timedelta(seconds=3))
    hall.connect()
    hall.run(timedelta(seconds=2))
    assert [edge.first_ms for edge in downs(hall.host)] == [4_000, 9_000]
    assert hall.logged("wire") == ["cut", "back"]
    assert hall.logged("host") == ["follows", "is gone", "follows"]


def test_a_reboot_begins_a_new_boot_and_forgets_what_waited() -> None:
    hall = Hall(script("1 seat 1 discard\n2 table reboot\n4 seat 2 discard"))
    hall.connect()
    hall.run(timedelta(seconds=3.5))
    assert hall.host.last(Heartbeat).boot == 2
    hall.connect()
    hall.run(timedelta(seconds=2))
    assert [(edge.boot, edge.first_ms) for edge in downs(hall.host)] == [(1, 2_000), (2, 2_000)]
    assert hall.logged("box") == ["rebooted"]


def test_hands_go_on_for_hours_with_a_wall_stacked_during_each() -> None:
    hall = Hall(Hands(Players(Random(3), BySeat(*tuple(HABITS.values())[:4]), draws=True)))
    hall.connect()
    hall.run(timedelta(minutes=30))
    happenings = [event.happening for event in hall.host.all(Machine)]
    raised = happenings.count(Happening.WALL_RAISED)
    assert raised >= 4
    assert happenings.count(Happening.WALL_READY) in {raised, raised - 1}
    deal_ends = [edge.first_ms for edge in downs(hall.host) if edge.input == Input.DEAL_END]
    readies = [e.at_ms for e in hall.host.all(Machine) if e.happening == Happening.WALL_READY]
    for ended, ready, next_ended in zip(deal_ends, readies, deal_ends[1:], strict=False):
        assert ended - 30_000 < ready < next_ended


def test_a_jam_delays_the_next_hand_and_play_goes_on_after_it() -> None:
    hall = Hall(Hands(Players(Random(3), BySeat.all(HABITS["quick"]), draws=True)), jam_percent=60)
    hall.connect()
    hall.run(timedelta(minutes=30))
    told = hall.logged("sensed")
    assert told.count("fault-raised") == told.count("fault-cleared") > 0
    assert told.count("wall-raised") >= 4


def test_a_host_hears_events_in_order_of_time() -> None:
    hall = Hall(Hands(Players(Random(5), BySeat(*tuple(HABITS.values())[:4]), draws=True)))
    hall.connect()
    hall.run(timedelta(minutes=12))
    stamps = [event.at_ms for event in hall.host.events]
    assert len(stamps) > 100
    assert all(earlier <= later for earlier, later in pairwise(stamps))


def test_the_times_of_the_wire_stay_what_they_are_when_play_runs_faster() -> None:
    tenfold = LinkTimes.at(Fraction(10))
    assert (tenfold.heartbeat, tenfold.host_lost, tenfold.resend[0]) == (
        timedelta(seconds=2.5),
        timedelta(seconds=20),
        timedelta(milliseconds=500),
    )
    assert LinkTimes.at(Fraction(1)) == REAL


def befallen(text: str, *written: Written) -> Hall:
    return Hall(Befallen(script(text), written))


def test_without_power_a_table_is_silent_and_then_begins_a_new_boot() -> None:
    hall = befallen("1 seat 1 discard\n3 seat 2 discard\n", (2 * SECOND, PowerCut(2 * SECOND)))
    hall.connect()
    hall.run(4 * SECOND)
    heard, boot = len(hall.host.heard), hall.host.last(Hello).boot
    hall.run(0.9 * SECOND)
    assert len(hall.host.heard) == heard
    hall.run(2 * SECOND)
    hall.connect()
    assert hall.host.last(Hello).boot != boot
    hall.run(2 * SECOND)
    assert [edge.seat for edge in downs(hall.host)] == [1]


def test_a_mute_box_works_on_and_tells_afterwards() -> None:
    hall = befallen("2 seat 1 discard\n", (SECOND, Mute("box", 1.5 * SECOND)))
    hall.connect()
    hall.run(6 * SECOND)
    assert [edge.seat for edge in downs(hall.host)] == [1]


def test_a_frame_that_is_lost_is_told_again() -> None:
    harmed = Harmed(Harm.REPLY_LOST, 5)
    hall = befallen("2 seat 1 discard\n3 seat 2 discard\n", (1.9 * SECOND, harmed))
    hall.connect()
    hall.run(8 * SECOND)
    assert {edge.seat for edge in downs(hall.host)} == {1, 2}


def test_a_stuck_button_is_one_press_until_it_comes_free() -> None:
    stuck = Stuck(Seat.ONE, Button.DISCARD, 3 * SECOND)
    hall = befallen("2 seat 1 discard\n6 seat 1 discard\n", (SECOND, stuck))
    hall.connect()
    hall.run(9 * SECOND)
    assert [edge.change for edge in hall.host.all(Edge)] == [
        Change.DOWN, Change.HELD, Change.UP, Change.DOWN, Change.UP,
    ]  # fmt: skip
