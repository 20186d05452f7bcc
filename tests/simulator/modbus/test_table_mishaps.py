"""What befalls a table of modules: restarts, silence, no power, no cable."""

from datetime import timedelta

from simulator.befallen import Befallen, Stuck
from simulator.deeds import Deed
from simulator.modbus_mishaps import Harmed, Mute, NearWrap, PowerCut, Reboot, Unplugged
from simulator.modbus_module import BOOTS_FOR
from simulator.modbus_table import SETTLED
from simulator.modbus_trouble import Harm
from table.happening import BoxReboot, Input, WireCut
from table.moment import ZERO
from table.seat import Seat
from tests.simulator.modbus.fitted import START, Master, Written, fitted, tap

SECOND = timedelta(seconds=1)
READ_LEVELS = "0200000008"
SHUFFLE_ON, SHUFFLE_OFF = "050000FF00", "0500000000"


def test_a_rebooted_module_is_silent_and_begins_to_count_at_zero() -> None:
    table = fitted("counted", mishaps=[(START + SECOND, Reboot("seats"))])
    master = Master(table)
    table.fittings.modules["seats"].contacts[0].count = 9
    assert master.ask(1, "04003C0002") == "040400000009"
    master.wait(SECOND)
    assert master.ask(1, "04003C0002") is None
    assert master.ask(2, "0300080001") is not None
    master.wait(BOOTS_FOR)
    assert master.ask(1, "04003C0002") == "040400000000"


def test_a_mute_module_leaves_its_neighbours_alone() -> None:
    table = fitted("basic", mishaps=[(START, Mute("keys", 3 * SECOND))])
    master = Master(table)
    assert master.ask(2, SHUFFLE_ON) is None
    assert master.ask(1, READ_LEVELS) is not None
    master.wait(3 * SECOND)
    assert master.ask(2, SHUFFLE_OFF) is not None
    assert table.plant.pushes == []


def test_counters_can_be_made_to_wrap() -> None:
    table = fitted("counted", mishaps=[(START, NearWrap("seats"))])
    master = Master(table)
    master.wait(SECOND)
    assert master.ask(1, "04003C0002") == "0404fffffffe"


def test_counters_of_presses_wrap_at_sixteen_bits_and_are_lost_in_a_reboot() -> None:
    deeds = [*tap(Seat.ONE, Input.DISCARD, SECOND), *tap(Seat.ONE, Input.DISCARD, 2 * SECOND)]
    table = fitted("counted", Written.of(deeds))
    master = Master(table)
    master.ask(1, "1000090008" + "10" + "0001" * 8)
    master.ask(1, "1004740008" + "10" + "0000" * 8)
    table.befall(NearWrap("seats"), master.now)
    seen = [master.ask(1, "0401D00001")]
    for seconds in (2.5, 1.5):
        master.wait(seconds * SECOND)
        seen.append(master.ask(1, "0401D00001"))
    assert seen == ["0402fffe", "0402ffff", "04020000"]
    table.befall(NearWrap("seats"), master.now)
    table.befall(Reboot("seats"), master.now)
    master.wait(BOOTS_FOR)
    assert master.ask(1, "0401D00001") == "04020000"


def test_what_befalls_the_next_requests_can_be_said() -> None:
    table = fitted("basic", mishaps=[(START, Harmed(Harm.REPLY_LOST, 2))])
    master = Master(table)
    master.wait(SECOND)
    heard = [master.ask(1, READ_LEVELS) for _ in range(3)]
    assert heard == [None, None, "020100"]
    assert table.fittings.trouble.befell == {Harm.REPLY_LOST: 2}


def test_a_stuck_button_is_down_at_the_module_whatever_people_do() -> None:
    stuck = Stuck(Seat.ONE, Input.DISCARD, 3 * SECOND)
    table = fitted(
        "basic", Befallen(Written.of(tap(Seat.ONE, Input.DISCARD, SECOND)), [(ZERO, stuck)])
    )
    master = Master(table)
    master.ask(1, READ_LEVELS)
    master.wait(SETTLED + 2 * SECOND)
    down = master.ask(1, READ_LEVELS)
    master.wait(2 * SECOND)
    assert (down, master.ask(1, READ_LEVELS)) == ("020101", "020100")


def test_an_unplugged_table_hears_nothing_and_works_on() -> None:
    deeds = tap(Seat.ONE, Input.DISCARD, SECOND)
    table = fitted("counted", Written.of(deeds))
    master = Master(table)
    master.ask(1, "04003C0002")
    table.befall(Unplugged(5 * SECOND), master.now)
    assert master.ask(1, "04003C0002") is None
    master.wait(6 * SECOND)
    assert master.ask(1, "04003C0002") == "040400000001"


def test_a_power_cut_stops_the_machine_and_darkens_every_module() -> None:
    table = fitted("basic")
    master = Master(table)
    master.ask(2, "0502000002")
    master.wait(SECOND)
    table.befall(PowerCut(2 * SECOND), master.now)
    assert table.plugged_in
    assert master.ask(1, READ_LEVELS) is None
    master.wait(4 * SECOND)
    assert master.ask(3, READ_LEVELS) == "020100"
    said = [line.get("sensed") for line in table.take_log()]
    assert "machine-stopped" in said


def test_with_the_power_of_an_ethernet_module_its_connections_end() -> None:
    table = fitted("ethernet", mishaps=[(START + SECOND, PowerCut(2 * SECOND))])
    plugged_in = []
    for seconds in (1, 2, 3):
        table.pass_time(START + seconds * SECOND)
        plugged_in.append(table.plugged_in)
    assert plugged_in == [False, False, True]


def test_a_script_can_pull_the_cable_and_restart_the_modules() -> None:
    play = Written([(SECOND, Deed(START, BoxReboot())), (2 * SECOND, Deed(START, WireCut(SECOND)))])
    table = fitted("basic", play)
    master = Master(table)
    master.ask(1, READ_LEVELS)
    master.wait(5 * SECOND)
    mishaps = [line["mishap"] for line in table.take_log() if "mishap" in line]
    assert mishaps == ["Reboot", "Reboot", "Reboot", "Unplugged"]
