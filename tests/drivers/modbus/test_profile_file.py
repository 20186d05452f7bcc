from pathlib import Path

import pytest

from drivers.modbus.profile_file import profile_of, read_profile
from drivers.modbus.profile_layout import lay_out
from table.errors import SettingsError
from tests.drivers.modbus.profile_text import PROFILE, spoilt

RELAYS = '[signals."relay{n}"]\nn = [1, 8]\narea = "coil"\n'
COUNTERS = '[signals."count{n}"]\nn = [1, 8]\narea = "input"\n'
WRONG = {
    "an unknown key, with the nearest": (
        "most_bits = 64",
        "most_bit = 64",
        "most_bit = 64",
        "timing.most_bit is not known; did you mean most_bits",
    ),
    "a wrong type": (
        "version = 1",
        'version = "one"',
        'version = "one"',
        'profile.version is "one", but must be a whole number from 1 to 9999',
    ),
    "a word that is none": (
        'sensing = "counter"',
        'sensing = "guess"',
        'sensing = "guess"',
        (
            "edges.in{n}.sensing is \"guess\", but must be 'level', 'latch', 'counter' or"
            " 'press-counter'"
        ),
    ),
    "a coil that two signals have": (
        "address = 513",
        "address = 5",
        "address = 5\n",
        "coil 5 is mapped twice, as relay5 and as flash1",
    ),
    "numbers that overlap": (
        "stride = 2",
        "stride = 1",
        "address = 61",
        "input register 62 is mapped twice, as count1 and as count2",
    ),
    "an address that is none": (
        "address = 513",
        "address = 65530",
        "address = 65530",
        (
            "signals.flash{n}.address is 65530, so the last address would be 65537; 65536 is the"
            " last there is"
        ),
    ),
    "an address below the first": (
        RELAYS + "address = 1",
        RELAYS + "address = 0",
        "address = 0",
        "signals.relay{n}.address is 0, but numbering.first_address is 1, so 1 is the first",
    ),
    "a motor without an end of its pulse": (
        '[pulses.flash."relay{n}"]',
        '[pulses.flash."flash{n}"]',
        "motor = true",
        "signals.relay{n} may start a motor, but [pulses] says not how it is ended",
    ),
    "a motor that could be started without end": (
        '"relay{n}" = 30',
        '"flash{n}" = 30',
        "motor = true",
        "signals.relay{n} may start a motor, but limits.pulses_per_minute says not how often",
    ),
    "a motor held for too long": (
        "most_milliseconds = 500",
        "most_milliseconds = 600",
        "[pulses.flash",
        "pulses.flash.relay{n} may start a motor, so its pulses are from 100 ms to 500 ms",
    ),
    "a counter without a wrap": (
        "wrap = 4294967296\n",
        "",
        "[edges",
        "edges.in{n} is sensed by counter, so it needs wrap",
    ),
    "a wrap beyond the counter": (
        "wrap = 4294967296",
        "wrap = 4294967297",
        "wrap = 4294967297",
        "edges.in{n}.wrap is 4294967297, but count{n} has 32 bits",
    ),
    "values that contradict": (
        "address = 9",
        "address = 9\nreads = { off = 0, on = 1 }\nwrites = { off = 1, on = 2 }",
        "writes = {",
        "signals.mode: 1 means on when it is read, but off when written",
    ),
    "a value that means two things": (
        "address = 9",
        "address = 9\nreads = { off = 1, on = 1 }",
        "reads = {",
        "signals.mode.reads: 1 is both off and on",
    ),
    "a source that is none": (
        'most_bits = 64\nsource = "made-up"',
        'most_bits = 64\nsource = "made"',
        'source = "made"\n',
        "timing.source is made, but [sources] has none of that name; did you mean made-up",
    ),
    "a signal that is none": (
        'watch = "count{n}"',
        'watch = "counts{n}"',
        'watch = "counts{n}"',
        "edges.in{n}.watch is counts{n}, but no signal has that name; did you mean count{n}",
    ),
    "a signal like none, with those there are": (
        'watch = "count{n}"',
        'watch = "zzz"',
        'watch = "zzz"',
        (
            "edges.in{n}.watch is zzz, but no signal has that name; known are in{n}, relay{n},"
            " flash{n}, count{n}, mode, model"
        ),
    ),
    "a moment that needs two requests": (
        "most_bits = 64",
        "most_registers = 15",
        "[edges",
        (
            "the inputs of snapshot inputs cannot be read in one request: they span 16 addresses,"
            " but at most 15 are read at once"
        ),
    ),
    "a first write to what is read": (
        'signal = "mode"',
        'signal = "in1"',
        'signal = "in1"',
        "init.mode.signal is in1, which can only be read",
    ),
    "a first write that does not fit": (
        "value = 1\n",
        "value = 65536\n",
        "value = 65536",
        "init.mode.value is 65536, but mode has 16 bits",
    ),
    "a pulse that the unit does not give": (
        "least_milliseconds = 100",
        "least_milliseconds = 150",
        "least_milliseconds = 150",
        "pulses.flash.relay{n}.least_milliseconds is 150 ms, no multiple of the unit, 100 ms",
    ),
    "a range without numbers": (
        RELAYS,
        RELAYS.replace("n = [1, 8]\n", ""),
        '[signals."relay{n}"]',
        "signals.relay{n} needs n, the numbers that stand for {n}",
    ),
    "what is no TOML": ("version = 1", "version =", "version =\n", "is no TOML: Invalid value"),
    "a quotation without end": (
        'source = "made-up"\n\n[timing]',
        'source = "made-up\n\n[timing]',
        'source = "made-up\n\n[timing]',
        "is no TOML: Illegal character '\\n'",
    ),
}


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case)
def test_what_is_wrong_is_told_in_one_sentence_at_its_line(case: str) -> None:
    good, bad, blamed, sentence = WRONG[case]
    text = spoilt(good, bad)
    line = text[: text.index(blamed)].count("\n") + 1

    with pytest.raises(SettingsError) as told:
        profile_of(text, "sample.toml")

    assert f"sample.toml:{line}: {sentence}." in str(told.value).splitlines()


def test_each_thing_that_is_wrong_is_told_in_the_order_of_the_file() -> None:
    text = PROFILE.replace("version = 1", "version = 0").replace("value = 1", "value = -1")

    with pytest.raises(SettingsError) as told:
        profile_of(text, "sample.toml")

    assert [one.split(" is ")[0] for one in str(told.value).splitlines()] == [
        "sample.toml:3: profile.version",
        "sample.toml:89: init.mode.value",
    ]


def test_a_profile_is_laid_out_to_addresses_on_the_wire() -> None:
    layout = lay_out(profile_of(PROFILE, "sample.toml"))

    assert (layout.points["relay1"].address, layout.points["relay8"].address) == (0, 7)
    assert (layout.points["count1"].address, layout.points["count8"].address) == (60, 74)
    assert layout.edges["in3"].watch == layout.points["count3"]
    assert layout.edges["in3"].level == layout.points["in3"]
    assert getattr(layout.pulses["relay2"], "trigger", "") == "flash2"
    assert [(one.point.name, one.value) for one in layout.init] == [("mode", 1)]
    assert layout.pulses_per_minute["relay8"] == 30


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b'[profile]\nvendor = "Gr\xfcn"\n')
    long = tmp_path / "long.toml"
    long.write_text("#" * 100_001)

    with pytest.raises(SettingsError, match=r"gone\.toml: cannot be read: No such file"):
        read_profile(tmp_path / "gone.toml")
    with pytest.raises(SettingsError, match=r"latin\.toml:2: is no text in UTF-8"):
        read_profile(latin)
    with pytest.raises(SettingsError, match=r"long\.toml: has 100001 bytes"):
        read_profile(long)
