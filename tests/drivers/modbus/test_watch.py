"""What the samples of one module tell of a machine, though some of them break off."""

from datetime import timedelta

from drivers.modbus.bus import Bus
from drivers.modbus.fitted import Fitted, Module
from drivers.modbus.lamps import SMOOTHING
from drivers.modbus.lines import BusLine
from drivers.modbus.machine_signs import Signs
from drivers.modbus.master_answers import Exchange, Replied, Trouble, Unanswered
from drivers.modbus.profile_file import read_profile, shipped_profiles
from drivers.modbus.pulses import Place
from drivers.modbus.requests import Read
from drivers.modbus.watch import Watch
from drivers.modbus.windows import Window
from drivers.port import Capability, Grade
from table.events import CycleStarted, DiscardPressed, Observed
from table.moment import Moment, Quality
from table.seat import Seat

MS = timedelta(milliseconds=1)


def counting_table(**functions: str) -> Fitted:
    """Return one module: a seat presses the first input, a cycle shows at the second."""
    line = BusLine.rtu("far", 9600)
    profile = read_profile(shipped_profiles()["wb-mcm8"])
    module = Module(Bus(line, lambda: Moment(0)), profile, 1)
    wired = functions or {"discard_1": "in1", "cycling": "in2"}
    places = {name.replace("_", "-"): Place("di", signal) for name, signal in wired.items()}
    return Fitted({"di": module}, places, 10 * MS)


def exchange(read: Read, at: int, values: dict[int, int] | None) -> Exchange:
    """Return what a read found at a millisecond, by address; None for no answer."""
    window = Window(Moment(at * 1000), Moment((at + 5) * 1000))
    if values is None:
        return Exchange(read, window, Unanswered(Trouble.SILENT))
    found = tuple(values.get(address, 0) for address in range(read.address, read.end))
    return Exchange(read, window, Replied(found))


class Samples:
    """Feeds a watch."""

    def __init__(self) -> None:
        self.watch = Watch(counting_table(), "di")
        self.signs = Signs()

    def at(self, at: int, presses: int, lit: int | None) -> tuple[Observed, ...]:
        """Take a sample; it breaks off at the levels if they are None."""
        counts, levels = self.watch.reads
        taken = (
            exchange(counts, at, {61: presses}),
            exchange(levels, at + 5, None if lit is None else {1: lit}),
        )
        shown = self.watch.take(self.signs, taken)
        self.signs = shown.signs
        return shown.events


def test_counters_are_read_before_levels() -> None:
    assert [read.function for read in Samples().watch.reads] == [4, 2]


def test_a_lamp_that_was_lit_while_a_sample_broke_off_has_the_longer_interval() -> None:
    samples = Samples()
    assert samples.at(0, 0, lit=0) == ()
    assert samples.at(1000, 0, lit=None) == ()
    assert samples.at(2000, 0, lit=1) == ()
    [started] = samples.at(2300, 0, lit=1)
    assert started.event == CycleStarted()
    assert started.when.earliest == Moment(0) - SMOOTHING
    assert started.when.latest == Moment(2_010_000)


def test_a_press_is_counted_from_the_last_sample_that_was_whole() -> None:
    samples = Samples()
    samples.at(0, 7, lit=0)
    assert samples.at(20, 8, lit=None) == ()
    pressed, *_ = samples.at(40, 8, lit=0)
    assert pressed.event == DiscardPressed(Seat.ONE)
    assert pressed.when.quality is Quality.COUNTED
    assert pressed.when.earliest <= Moment(0)
    assert pressed.when.latest >= Moment(45_000)


def test_an_input_in_trouble_is_what_the_table_lacks_until_it_is_sound_again() -> None:
    samples, lacks = Samples(), list[tuple[str, ...]]()
    for at, presses in ((0, 0), (20, 9000), (40, 9000)):
        samples.at(at, presses, lit=0)
        lacks.append(samples.watch.lacks)
    assert lacks == [(), ("discard-1",), ()]


def test_what_only_shows_the_machine_leaves_the_bus_to_the_seats() -> None:
    assert Watch(counting_table(), "di").period == 10 * MS
    assert Watch(counting_table(cycling="in2"), "di").period == 100 * MS


def test_a_table_can_what_every_seat_is_wired_for() -> None:
    able = counting_table().capabilities
    assert able[Capability.DISCARD_INPUT] is Grade.ABSENT
    assert able[Capability.HOLD_SENSE] is Grade.RETROFIT
    assert able[Capability.SHUFFLE] is Grade.ABSENT


def test_a_lift_that_is_wired_is_one_key_for_both_ways() -> None:
    able = counting_table(lift="in3", wall_ready="in4").capabilities
    assert able[Capability.LIFT] is able[Capability.LIFT_TOGGLE] is Grade.RETROFIT
    assert able[Capability.WALL_READY] is Grade.RETROFIT
    assert counting_table().capabilities[Capability.LIFT_TOGGLE] is Grade.ABSENT
