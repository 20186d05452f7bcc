from datetime import timedelta
from pathlib import Path

from config.event import Overrides
from scoring.rules import AlertPolicy
from table.fouls import FoulKind
from table.sanctions import WARNING, points
from tests.config.files import GOOD, complaint, loaded


def test_a_variable_stands_in_for_a_key(tmp_path: Path) -> None:
    environ = {
        "TABLEWARDEN__NODE__ID": "hall-b",
        "TABLEWARDEN__BROKER__PORT": "1884",
        "TABLEWARDEN__EVENT__PRESS_IS_THE_CALL": "false",
        "TABLEWARDEN__EVENT__REACH_SECONDS": "0.25",
        "TABLEWARDEN__BOARD__PEOPLE": '["Lin", "Ito"]',
    }
    settings = loaded(tmp_path, GOOD, environ)
    assert (settings.node.id, settings.broker.port) == ("hall-b", 1884)
    assert settings.event.reach == timedelta(milliseconds=250)
    assert not settings.event.press_is_the_call
    assert settings.board.people == ("Lin", "Ito")


def test_text_needs_no_quotes_in_a_variable_even_if_it_looks_like_a_number(tmp_path: Path) -> None:
    environ = {
        "TABLEWARDEN__BROKER__LOGIN": "007",
        "TABLEWARDEN__BROKER__PROTOCOL": "5",
        "TABLEWARDEN__NODE__JOURNAL": "/tmp/j",  # noqa: S108 - never opened
        "TABLEWARDEN__EVENT__ALERTS__LATE_PUNG": "record_only",
    }
    settings = loaded(tmp_path, GOOD, environ)
    assert (settings.broker.login, settings.broker.protocol) == ("007", "5")
    assert settings.event.alerts == {FoulKind.LATE_PUNG: AlertPolicy.RECORD_ONLY}


def test_an_id_is_written_with_underscores_in_a_variable(tmp_path: Path) -> None:
    environ = {
        "TABLEWARDEN__TABLES__HALL_A_1__WIRE": "serial-link",
        "TABLEWARDEN__TABLES__HALL_A_1__PORT": "/dev/ttyUSB9",
        "TABLEWARDEN__EVENT__OVERRIDES__STEPS__LATE_PUNG": '["warning", 10]',
        "TABLEWARDEN__EVENT__OVERRIDES__TURN_SECONDS": "15",
    }
    settings = loaded(tmp_path, GOOD, environ)
    assert settings.tables["hall-a-1"].ports == ("/dev/ttyUSB9",)
    assert settings.event.overrides == Overrides(
        turn_seconds=timedelta(seconds=15), steps={FoulKind.LATE_PUNG: (WARNING, points(10))}
    )


def test_a_variable_may_name_a_file_that_holds_the_value(tmp_path: Path) -> None:
    (tmp_path / "login").write_text("hall-a\n", "utf-8")
    environ = {"TABLEWARDEN__BROKER__LOGIN_FILE": str(tmp_path / "login")}
    assert loaded(tmp_path, GOOD, environ).broker.login == "hall-a"


def test_a_key_that_itself_ends_in_file_is_taken_as_it_is(tmp_path: Path) -> None:
    environ = {
        "TABLEWARDEN__BROKER__LOGIN": "hall-a",
        "TABLEWARDEN__BROKER__PASSWORD_FILE": "/run/secrets/broker",
    }
    assert loaded(tmp_path, GOOD, environ).broker.password_file == Path("/run/secrets/broker")


def test_other_variables_are_none_of_our_business(tmp_path: Path) -> None:
    environ = {"TABLEWARDEN_NODE": "x", "HOME": "/root"}
    assert loaded(tmp_path, GOOD, environ).node.id == "hall-a"


def test_a_wrong_value_is_told_with_the_variable_it_came_from(tmp_path: Path) -> None:
    environ = {"TABLEWARDEN__BROKER__PORT": "18x", "TABLEWARDEN__BOARD__PEOPLE": '["Lin", 7]'}
    port = "a whole number from 1 to 65535"
    assert complaint(tmp_path, GOOD, environ).splitlines() == [
        f'TABLEWARDEN__BROKER__PORT: broker.port is "18x", but must be {port}.',
        "TABLEWARDEN__BOARD__PEOPLE: board.people[1] is 7, but must be text on one line.",
    ]


def test_an_unknown_variable_is_refused_with_the_nearest_key(tmp_path: Path) -> None:
    environ = {"TABLEWARDEN__BROKER__PROT": "1", "TABLEWARDEN__BROKR__PORT": "1"}
    assert complaint(tmp_path, GOOD, environ).splitlines() == [
        "TABLEWARDEN__BROKER__PROT: broker.prot is not known; did you mean port.",
        "TABLEWARDEN__BROKR__PORT: brokr is not known; did you mean broker.",
    ]


def test_a_variable_below_a_single_value_is_refused(tmp_path: Path) -> None:
    environ = {"TABLEWARDEN__NODE__ID__X": "1"}
    assert complaint(tmp_path, GOOD, environ) == (
        "TABLEWARDEN__NODE__ID__X: node.id is a single value without keys."
    )


def test_two_variables_for_one_key_are_refused(tmp_path: Path) -> None:
    (tmp_path / "login").write_text("b", "utf-8")
    environ = {
        "TABLEWARDEN__BROKER__LOGIN": "a",
        "TABLEWARDEN__BROKER__LOGIN_FILE": str(tmp_path / "login"),
    }
    assert complaint(tmp_path, GOOD, environ) == (
        "TABLEWARDEN__BROKER__LOGIN_FILE: TABLEWARDEN__BROKER__LOGIN names the same key."
    )


def test_a_named_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    environ = {"TABLEWARDEN__BROKER__LOGIN_FILE": "/nowhere/login"}
    said = complaint(tmp_path, "[node]\n" + GOOD.replace("[node]\n", ""), environ)
    assert said.startswith("TABLEWARDEN__BROKER__LOGIN_FILE: /nowhere/login cannot be read: ")


def test_a_problem_of_the_environment_is_told_beside_those_of_the_file(tmp_path: Path) -> None:
    environ = {"TABLEWARDEN__NODE__ID__X": "1"}
    said = complaint(tmp_path, GOOD.replace("venue =", "venu ="), environ)
    assert [line.split(":")[0] for line in said.splitlines()] == [
        "TABLEWARDEN__NODE__ID__X",
        "tablewarden.toml",
        "tablewarden.toml",
    ]
