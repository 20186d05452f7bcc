"""A table of modules in virtual time: buttons, keys, lamps, mishaps, and what is true."""

from datetime import timedelta

import pytest

from simulator.deeds import Deed, Key, Sense
from simulator.modbus_frames import TcpEar
from simulator.modbus_kits import BUTTONS, KITS, Wire
from simulator.modbus_plant import Key as WiredKey
from simulator.modbus_plant import Pushed
from simulator.modbus_table import SETTLED
from table.events import (
    CyclePaused,
    CycleResumed,
    CycleStarted,
    DealEnded,
    Fault,
    FaultRaised,
    TileDrawn,
    WallRaised,
    WallReady,
)
from table.happening import Input, SensedEvent
from table.moment import MILLISECOND
from table.seat import Seat
from tests.simulator.modbus.fitted import START, Master, Written, fitted, tap

SECOND = timedelta(seconds=1)
READ_LEVELS = "0200000008"


@pytest.mark.parametrize("kit", KITS)
def test_every_button_has_a_terminal_of_its_own_and_every_output_one_wire(kit: str) -> None:
    fitting = {each.name: each.make() for each in KITS[kit].fittings}
    terminals = list(KITS[kit].inputs.values())
    assert set(BUTTONS) <= set(KITS[kit].inputs)
    assert len(set(terminals)) == len(terminals)
    for name, channel in terminals:
        assert channel < len(fitting[name].contacts)
    assert {"shuffle", "lift", "dice"} <= set(KITS[kit].outputs.values())
    for name, channel in KITS[kit].outputs:
        assert channel < len(fitting[name].switches)


def test_people_begin_when_a_host_first_reads_a_button() -> None:
    play = Written.of(tap(Seat.ONE, Input.DISCARD, SECOND))
    table = fitted("basic", play)
    master = Master(table)
    master.wait(60 * SECOND)
    assert master.ask(2, "0100000008") == "010100"
    waited = play.begun
    assert master.ask(1, READ_LEVELS) == "020100"
    assert waited is None
    assert play.begun
    assert master.now - play.begun < SETTLED


def test_a_press_is_seen_between_its_edges_and_told_as_it_was() -> None:
    play = Written.of(tap(Seat.THREE, Input.CLAIM, SECOND))
    table = fitted("basic", play)
    master = Master(table)
    master.ask(1, READ_LEVELS)
    seen = [master.ask(1, READ_LEVELS) for _ in range(400)]
    assert play.begun
    down, up = table.truth
    assert (down.at, up.at) == (play.begun + SECOND, play.begun + SECOND + 80 * MILLISECOND)
    assert (down.touch.seat, down.touch.input, down.touch.down) == (Seat.THREE, Input.CLAIM, True)
    assert set(seen) == {"020100", "020120"}
    lines = [line for line in table.take_log() if "edge" in line]
    assert lines[0] == {
        "at_us": down.at.micros, "edge": "down", "seat": 3, "input": "claim",
    }  # fmt: skip


def test_a_counting_kit_loses_no_press_that_nobody_polled() -> None:
    deeds = [
        deed
        for number in range(5)
        for deed in tap(Seat.TWO, Input.DISCARD, SECOND + number * 500 * MILLISECOND)
    ]
    table = fitted("counted", Written.of(deeds))
    master = Master(table)
    assert master.ask(1, "04003C0010") == "0420" + "00" * 32
    master.wait(10 * SECOND)
    reply = master.ask(1, "04003C0010")
    assert reply
    assert [int(reply[4 + 8 * n : 12 + 8 * n], 16) for n in range(8)] == [0, 0, 5, 0, 0, 0, 0, 0]


def test_a_pulse_across_the_key_starts_the_machine_once() -> None:
    play = Written()
    table = fitted("basic", play)
    master = Master(table)
    pulsed_at = master.now
    assert master.ask(2, "0502000002") == "0502000002"
    master.wait(SECOND)
    assert [(push.key, push.moved) for push in table.plant.pushes] == [(WiredKey.SHUFFLE, True)]
    assert table.plant.pushes[0].at - pulsed_at < 100 * MILLISECOND
    assert play.noticed == [CycleStarted()]
    assert master.ask(3, READ_LEVELS) == "020102"
    master.wait(40 * SECOND)
    assert play.noticed == [CycleStarted(), WallReady()]
    assert master.ask(3, READ_LEVELS) == "020101"


def test_a_contact_too_short_for_the_key_pushes_nothing() -> None:
    table = fitted("odd")
    master = Master(table)
    master.ask(1, "0600010100", within_ms=1)
    master.wait(20 * MILLISECOND)
    assert table.fittings.modules["board"].switches[0].on
    master.ask(1, "0600010200")
    assert table.plant.pushes == []


def test_a_key_pushed_again_in_a_cycle_moves_nothing_and_is_told() -> None:
    table = fitted("basic")
    master = Master(table)
    for _ in range(2):
        master.ask(2, "0502000002")
        master.wait(SECOND)
    assert [push.moved for push in table.plant.pushes] == [True, False]


def test_the_lift_key_raises_the_wall_and_pushed_again_lowers_it() -> None:
    play = Written()
    table = fitted("basic", play)
    master = Master(table)
    master.ask(2, "0502010002")
    master.wait(10 * SECOND)
    assert play.noticed == [WallRaised()]
    assert master.ask(3, READ_LEVELS) == "020104"
    master.ask(2, "0502010002")
    master.wait(SECOND)
    assert master.ask(3, READ_LEVELS) == "020100"


def test_both_keys_together_pause_a_cycle_and_one_of_them_lets_it_go_on() -> None:
    play = Written()
    table = fitted("basic", play)
    master = Master(table)
    master.ask(2, "0502000002")
    master.wait(5 * SECOND)
    master.ask(2, "0502000003")
    master.ask(2, "0502010003")
    master.wait(60 * SECOND)
    assert play.noticed == [CycleStarted(), CyclePaused()]
    master.ask(2, "0502010002")
    master.wait(60 * SECOND)
    assert play.noticed == [CycleStarted(), CyclePaused(), CycleResumed(), WallReady()]
    assert [push.moved for push in table.plant.pushes] == [True, True, True]


def test_lamps_and_buzzers_are_what_the_outputs_say() -> None:
    table = fitted("basic")
    master = Master(table)
    master.ask(1, "0F000000080112")
    assert table.plant.lit == {"lamp-2", "buzzer-1"}
    master.ask(1, "0F000000080100")
    assert table.plant.lit == set()


def test_as_shipped_the_odd_board_lets_a_button_push_a_key() -> None:
    deeds = tap(Seat.ONE, Input.DISCARD, SECOND)
    table = fitted("odd", Written.of(deeds))
    master = Master(table)
    master.ask(1, "0300810008")
    master.wait(5 * SECOND)
    assert [push.key for push in table.plant.pushes] == [WiredKey.SHUFFLE]
    quiet = fitted("odd", Written.of(tap(Seat.ONE, Input.DISCARD, SECOND)))
    master = Master(quiet)
    master.ask(1, "0600FD0000")
    master.ask(1, "0300810008")
    master.wait(5 * SECOND)
    assert quiet.plant.pushes == []


def test_people_push_the_keys_of_the_machine_itself() -> None:
    play = Written([(SECOND, Deed(START, Key.DICE)), (3 * SECOND, Deed(START, Key.START))])
    table = fitted("basic", play)
    master = Master(table)
    master.ask(1, READ_LEVELS)
    master.wait(90 * SECOND)
    assert CycleStarted() in play.noticed
    assert WallRaised() in play.noticed
    assert table.plant.pushes == []


def test_what_a_written_hand_senses_goes_to_the_machine_or_the_log() -> None:
    jam = FaultRaised(Fault.TILE_JAM)
    play = Written([(SECOND, Deed(START, Sense(DealEnded()))), (SECOND, Deed(START, Sense(jam)))])
    table = fitted("basic", play)
    master = Master(table)
    master.ask(1, READ_LEVELS)
    master.wait(5 * SECOND)
    assert master.ask(3, READ_LEVELS) == "020109"
    assert "deal-ended" in [line.get("sensed") for line in table.take_log()]


def test_sensors_of_draws_and_of_the_end_of_the_deal_close_for_a_moment() -> None:
    senses: list[SensedEvent] = [
        DealEnded(),
        TileDrawn(Seat.ONE),
        TileDrawn(Seat.ONE),
        TileDrawn(Seat.FOUR),
    ]
    play = Written([(n * SECOND, Deed(START, Sense(event))) for n, event in enumerate(senses, 1)])
    table = fitted("ethernet", play)
    module = table.fittings.modules["keys"]
    table.fittings.modules["seats"].contacts[0].look()
    for seconds in range(10):
        table.pass_time(START + seconds * SECOND)
    assert [contact.count for contact in module.contacts] == [1, 2, 0, 0, 1, 0]
    assert not any(contact.closed for contact in module.contacts)


def test_each_ethernet_module_answers_at_its_own_port() -> None:
    table = fitted("ethernet")
    assert set(table.ends) == {"seats", "keys"}
    table.hear("keys", 5, bytes.fromhex("0001 0000 0006 01 05 0010 FF00"), START)
    table.pass_time(START + SECOND)
    ((talk, reply),) = table.transmit("keys", START + SECOND)
    assert (talk, TcpEar().feed(reply)[0].pdu.hex()) == (5, "050010ff00")
    assert table.plant.pushes == [Pushed(START + 30 * MILLISECOND, WiredKey.SHUFFLE, moved=True)]
    assert KITS["ethernet"].wires == (Wire.TCP,)


def test_a_serial_kit_can_stand_behind_a_gateway() -> None:
    table = fitted("basic", wire=Wire.TCP)
    table.hear("bus", 1, bytes.fromhex("0001 0000 0006 02 05 0000 FF00"), START)
    table.pass_time(START + SECOND)
    assert table.transmit("bus", START + SECOND) == [
        (1, bytes.fromhex("0001 0000 0006 02 05 0000 FF00"))
    ]


def test_the_same_seed_makes_the_same_table() -> None:
    logs = []
    for _ in range(2):
        table = fitted("basic", Written.of(tap(Seat.FOUR, Input.CLAIM, SECOND)))
        master = Master(table)
        for _ in range(50):
            master.ask(1, READ_LEVELS)
        logs.append(table.take_log())
    assert logs[0] == logs[1]
