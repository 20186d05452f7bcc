"""The words in which a profile is told to people."""

from config.words import span
from drivers.modbus.profile import Profile
from drivers.modbus.profile_layout import Point, channels, numbers
from drivers.modbus.profile_parts import Link, Timing
from drivers.modbus.profile_values import named
from drivers.modbus.profile_words import (
    Area,
    Coding,
    Parity,
    Sensing,
    Verification,
    Wire,
    WordOrder,
)
from table.moment import ZERO

TRUST_WORDS = {
    Verification.MAKER: "typed from the maker's papers, tried by nobody of this project",
    Verification.USER: "in use with a real device",
    Verification.UNTESTED: "typed from papers of others than the maker, tried by nobody",
}
SENSING_WORDS = {
    Sensing.LEVEL: "by level, so a press between two polls is lost",
    Sensing.LATCH: "by latch, so a second press before it is cleared is lost",
    Sensing.COUNTER: "by counter, so none is lost",
    Sensing.PRESS_COUNTER: "by counter of gestures, so none is lost",
}
METHOD_WORDS = {
    "flash": "ended by the module (flash)",
    "start_coil": "ended by the module (width and start coil)",
    "width_registers": "ended by the module (widths and count)",
    "mode_delay": "ended by the module (mode and delay)",
    "host": "ended by the host",
}
WIRE_WORDS = {Wire.RTU: "RTU", Wire.TCP: "TCP", Wire.RTU_OVER_TCP: "RTU over TCP"}
AREA_WORDS = {
    Area.COIL: "coil",
    Area.DISCRETE: "discrete input",
    Area.INPUT: "input register",
    Area.HOLDING: "holding register",
}


def link_words(link: Link) -> str:
    """Say how the module is reached."""
    words = f"{', '.join(WIRE_WORDS[wire] for wire in link.wires)}; unit {link.unit}"
    if Wire.RTU in link.wires or Wire.RTU_OVER_TCP in link.wires:
        words += f"; {character_words(link.baud, link.parity.value, link.stop_bits)}"
    if Wire.TCP in link.wires:
        words += f"; port {link.tcp_port}"
    if link.best_baud:
        words += f"; up to {link.best_baud} baud"
    return words


def character_words(baud: int, parity: str, stop_bits: int) -> str:
    """Say what a character looks like on a serial line."""
    told = "no" if parity == Parity.NONE else parity
    return (
        f"{baud} baud, {told} parity, {stop_bits} {'stop bit' if stop_bits == 1 else 'stop bits'}"
    )


def timing_words(timing: Timing) -> str:
    """Say how long one waits, and how much is asked at once."""
    gap = "by the standard" if timing.frame_gap is None else span(timing.frame_gap)
    rest = f", rests {span(timing.request_gap)}" if timing.request_gap > ZERO else ""
    holes = "over holes too" if timing.spans_holes else "never over holes"
    return (
        f"replies within {span(timing.reply_timeout)}{rest}; silence between frames {gap}; at most"
        f" {timing.most_bits} bits or {timing.most_registers} registers at once, {holes}; offline"
        f" after {timing.fail_count} requests without a reply, then asked every"
        f" {span(timing.offline_probe)}"
    )


def each(profile: Profile, name: str, along: str | None = None) -> str:
    """Write a name as those that it stands for: `in1 to in8`."""
    if along is not None:
        all_of = [named(name, number) for number in numbers(profile, name, along)]
    else:
        all_of = channels(profile, name)
    return all_of[0] if len(all_of) == 1 else f"{all_of[0]} to {all_of[-1]}"


def held_in(point: Point) -> str:
    """Say what kind of storage holds a point."""
    words = AREA_WORDS[point.area]
    if point.bit is not None:
        return f"bit {point.bit} of {words}"
    if point.coding is not Coding.NUMBER:
        return f"text of {point.registers} from {words}"
    if point.registers > 1:
        order = "high" if point.word_order is WordOrder.HIGH_FIRST else "low"
        return f"number of {point.width} bits, {order} word first, from {words}"
    return words
