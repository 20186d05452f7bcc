from pathlib import Path

import pytest

from controller.command_line import BAD_CONFIGURATION, GOOD, main
from tests.drivers.modbus.profile_text import PROFILE, spoilt


def test_a_good_profile_is_told_and_a_bad_one_at_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(PROFILE)
    bad.write_text(spoilt("address = 513", "address = 5"))

    assert main(["profile", "check", str(good)]) == GOOD
    assert "Profile sample-8, version 1" in capsys.readouterr().out
    assert main(["profile", "check", str(bad), str(good)]) == BAD_CONFIGURATION
    out, err = capsys.readouterr()
    assert "Profile sample-8, version 1" in out
    line = PROFILE[: PROFILE.index("address = 513")].count("\n") + 1
    assert err == f"tablewarden: {bad}:{line}: coil 5 is mapped twice, as relay5 and as flash1.\n"


def test_a_shipped_profile_is_found_by_its_id(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "check", "wb-mcm8"]) == GOOD
    assert "Wiren Board WB-MCM8" in capsys.readouterr().out
    assert main(["profile", "check", "wb-mcm9"]) == BAD_CONFIGURATION
    assert "neither a file nor a shipped profile; did you mean wb-mcm8" in capsys.readouterr().err
