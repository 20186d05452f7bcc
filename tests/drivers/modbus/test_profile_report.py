from drivers.modbus.profile_file import profile_of, read_profile, shipped_profiles
from drivers.modbus.profile_report import report
from tests.drivers.modbus.profile_text import PROFILE


def sections(text: str) -> dict[str, list[str]]:
    parts = [part.splitlines() for part in report(profile_of(text, "sample.toml")).split("\n\n")]
    return {title: lines for title, *lines in parts}


def test_a_profile_is_told_in_plain_words_with_the_source_of_each_number() -> None:
    told = sections(PROFILE)

    assert told["Sample S8: 8 inputs, 8 relays"] == [
        "Profile sample-8, version 1; typed from papers of others than the maker, tried by nobody"
    ]
    assert told["Pressed by people:"] == [
        (
            "  in1 to in8: by counter, so none is lost, in count1 to count8; known to within"
            " two polls and 10 ms; 4294967295 is followed by 0; a loss of power: zero; holds are"
            " seen in in1 to in8 [made-up]"
        )
    ]
    assert told["Pulsed:"] == [
        (
            "  relay1 to relay8: 100 ms to 500 ms in steps of 100 ms, ended by the module (flash);"
            " may start a motor [made-up]"
        )
    ]
    assert (
        "  relay1 to relay8: coil 0 to 7, read by 01, written by 05 [made-up]"
        in (told["Addresses on the wire, from 0:"])
    )
    assert told["Sources:"] == ["  [made-up] decision: a module for tests (house)"]


def test_every_doubt_of_a_shipped_profile_is_told() -> None:
    for file in shipped_profiles().values():
        profile = read_profile(file)
        told = report(profile)

        assert all(f"- {doubt}" in told for doubt in profile.header.doubts)
        assert all(f"[{source}]" in told for source in profile.sources)
        assert (profile.link.doubt or "") in told
