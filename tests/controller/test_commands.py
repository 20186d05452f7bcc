"""What a person at a terminal gets: output, one sentence for each mistake, and the exit code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config.load import load
from config.models import Settings
from config.rules_table import rules_table
from controller.command_line import BAD_CONFIGURATION, FAILED, GOOD, USAGE, main
from tests.config.files import GOOD as SETTINGS
from tests.config.files import saved

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
LATE_PUNG = str(EXAMPLES / "late-pung.hand")

Read = pytest.CaptureFixture[str]


def refused(read: Read, *arguments: str) -> tuple[int, str]:
    """Run a command that says nothing but what is wrong."""
    code = main(arguments)
    said = read.readouterr()
    assert said.out == ""
    return code, said.err


def usage(read: Read, *arguments: str) -> str:
    """Run a command whose arguments are wrong; return the sentence below the usage."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == USAGE
    return read.readouterr().err.splitlines()[-1]


def test_a_rehearsal_prints_lines_and_ends_well(capsys: Read) -> None:
    assert main(["rehearse", LATE_PUNG]) == GOOD
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.splitlines()[1] == "     0.000  hand t1-1 began, seat 1 deals"
    assert said.out.splitlines()[-1] == "    ledger  t1-3 -5"


def test_a_line_that_cannot_be_played_is_named_and_nothing_is_played(
    tmp_path: Path, capsys: Read
) -> None:
    wrong = tmp_path / "wrong.hand"
    wrong.write_text("0 referee start-hand\n# deal\n1.5 seat 2 discrad\n", "utf-8")
    code, sentence = refused(capsys, "rehearse", str(wrong))
    assert code == USAGE
    assert sentence == (
        "tablewarden: line 3: 'discrad' is not what a seat does;"
        " allowed: discard, claim, hold, draw; nearest: discard\n"
    )


def test_a_script_that_is_no_text_is_named_with_the_line(tmp_path: Path, capsys: Read) -> None:
    wrong = tmp_path / "wrong.hand"
    wrong.write_bytes(b"0 referee start-hand\n1 referee pause caf\xe9\n")
    code, sentence = refused(capsys, "rehearse", str(wrong))
    assert code == USAGE
    assert sentence.startswith("tablewarden: line 2: this is no text in UTF-8")


def test_a_script_that_is_not_there_is_named(tmp_path: Path, capsys: Read) -> None:
    code, sentence = refused(capsys, "rehearse", str(tmp_path / "none.hand"))
    assert code == USAGE
    assert sentence == (
        f"tablewarden: {tmp_path}/none.hand: cannot be read: No such file or directory\n"
    )


def test_a_rule_set_nobody_knows_is_bad_configuration(capsys: Read) -> None:
    code, sentence = refused(capsys, "rehearse", "--ruleset", "mcr-1998", LATE_PUNG)
    assert code == BAD_CONFIGURATION
    assert sentence == (
        'tablewarden: --ruleset: event.ruleset is "mcr-1998",'
        " but must be gb-1998 or jingji-2012 or mcr-2014 or wsom-2010,"
        " or the path of a TOML file.\n"
    )


def test_a_rule_set_file_that_is_not_there_is_bad_configuration(
    tmp_path: Path, capsys: Read
) -> None:
    code, sentence = refused(
        capsys, "rehearse", "--ruleset", f"{tmp_path}/our-rules.toml", LATE_PUNG
    )
    assert code == BAD_CONFIGURATION
    assert "our-rules.toml: cannot be read" in sentence


def test_a_rehearsal_follows_the_rules_of_the_event(tmp_path: Path, capsys: Read) -> None:
    lenient = SETTINGS.replace(
        "[tables.t1]", "[event.overrides]\ncall_window_seconds = 4\n\n[tables.t1]"
    )
    config = str(saved(tmp_path, lenient))
    assert main(["rehearse", "--config", config, LATE_PUNG]) == GOOD
    assert "late-pung" not in capsys.readouterr().out


def test_settings_that_are_wrong_are_named_and_nothing_is_played(
    tmp_path: Path, capsys: Read
) -> None:
    config = str(saved(tmp_path, SETTINGS.replace("venue =", "vennue =")))
    code, sentence = refused(capsys, "rehearse", "--config", config, LATE_PUNG)
    assert code == BAD_CONFIGURATION
    assert "did you mean venue" in sentence


def test_a_check_prints_the_rules_in_force_and_the_tables(tmp_path: Path, capsys: Read) -> None:
    config = saved(tmp_path, SETTINGS)
    assert main(["check", "--config", str(config)]) == GOOD
    said = capsys.readouterr()
    settings: Settings = load(config, os.environ)
    assert said.out == (f"{rules_table(settings)}\n{config} is good; tables: t1 (/dev/ttyS1)\n")
    assert "mcr-2014 art. 6 (碰牌)" in said.out


def test_a_check_warns_of_a_table_that_is_set_to_other_tiles(tmp_path: Path, capsys: Read) -> None:
    config = saved(tmp_path, SETTINGS.replace("[tables.t1]", "[tables.t1]\ntiles = 136"))
    assert main(["check", "--config", str(config)]) == GOOD
    assert (
        "warning: table t1 is set to 136 tiles (no flowers), but mcr-2014 is played with 144 tiles"
        " (with eight flowers): walls would not have the tiles that the rules name."
    ) in capsys.readouterr().out


def test_a_check_of_settings_without_tables_says_so(tmp_path: Path, capsys: Read) -> None:
    config = saved(tmp_path, SETTINGS.split("[tables.t1]")[0])
    assert main(["check", "--config", str(config)]) == GOOD
    assert capsys.readouterr().out.endswith(f"{config} is good; tables: none\n")


def test_a_check_says_a_sentence_for_each_thing_that_is_wrong(tmp_path: Path, capsys: Read) -> None:
    wrong = SETTINGS.replace("venue =", "vennue =").replace("mcr-2014", "mcr-2015")
    code, sentences = refused(capsys, "check", "--config", str(saved(tmp_path, wrong)))
    assert code == BAD_CONFIGURATION
    assert len(sentences.splitlines()) == 3
    assert all(one.startswith("tablewarden: ") for one in sentences.splitlines())


@pytest.mark.parametrize("port", ["/dev/ttyS1", "socket://192.0.2.1:4001", "spy:///dev/ttyUSB0"])
def test_time_is_never_scaled_at_a_real_port(tmp_path: Path, capsys: Read, port: str) -> None:
    config = str(saved(tmp_path, SETTINGS.replace("/dev/ttyS1", port)))
    code, sentence = refused(capsys, "run", "--config", config, "--speed", "10")
    assert code == BAD_CONFIGURATION
    assert sentence == (
        f"tablewarden: --speed: {port} of table t1 is no pseudo-terminal of a simulation\n"
    )


@pytest.mark.parametrize("speed", ["0", "-2", "inf", "nan", "fast"])
def test_a_speed_at_which_no_clock_can_run_is_refused(capsys: Read, speed: str) -> None:
    said = usage(capsys, "run", "--config", "any.toml", f"--speed={speed}")
    assert f"'{speed}' is no speed; allowed: 0.001 to 9999.999" in said


def test_the_daemon_does_not_start_on_settings_that_are_not_there(
    tmp_path: Path, capsys: Read
) -> None:
    code, sentence = refused(capsys, "run", "--config", str(tmp_path / "none.toml"))
    assert code == BAD_CONFIGURATION
    assert "none.toml: cannot be read" in sentence


def test_an_unknown_command_is_a_matter_of_usage(capsys: Read) -> None:
    assert "'rehaerse'" in usage(capsys, "rehaerse", LATE_PUNG)


def test_a_node_that_cannot_be_asked_is_not_well(tmp_path: Path, capsys: Read) -> None:
    nobody = SETTINGS + '\n[broker]\nhost = "127.0.0.1"\nport = 1\n'
    assert main(["healthcheck", "--config", str(saved(tmp_path, nobody))]) == FAILED
    assert capsys.readouterr().out.startswith("node hall-a: ")


def test_a_reader_who_has_seen_enough_is_no_trouble() -> None:
    near, far = os.pipe()
    os.close(near)
    words = (sys.executable, "-m", "controller", "rehearse", LATE_PUNG)
    ended = subprocess.run(words, stdout=far, stderr=subprocess.PIPE, check=False)
    os.close(far)
    assert (ended.returncode, ended.stderr) == (GOOD, b"")
