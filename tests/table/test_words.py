"""The words that leave the program: enumerations, sanctions, the error tree."""

import inspect
import re
from dataclasses import FrozenInstanceError
from enum import StrEnum

import pytest

from table import answers, commands, errors, events, fouls, moment, sanctions, wind
from table.alert_commands import Acknowledge
from table.commands import Command, Ordered

WORDS = [
    word
    for module in (answers, events, fouls, moment, sanctions, wind)
    for _, word in inspect.getmembers(module, inspect.isclass)
    if word.__module__ == module.__name__ and issubclass(word, StrEnum)
]
MOTORS = {
    commands.Shuffle,
    commands.Lift,
    commands.RollDice,
    commands.Stop,
    commands.PauseCycle,
    commands.ResumeCycle,
}


@pytest.mark.parametrize("word", WORDS)
def test_every_word_on_the_wire_is_lower_case_with_hyphens(word: type[StrEnum]) -> None:
    assert [value for value in word if not re.fullmatch("[a-z]+(-[a-z]+)*", value)] == []


@pytest.mark.parametrize(
    "written",
    ["warning", "choice", "5", "10-each", "20-player", "5-player:p1", "no-hu", "10-each+no-hu"],
)
def test_a_sanction_is_read_as_it_is_written(written: str) -> None:
    assert str(sanctions.read_sanction(written)) == written


@pytest.mark.parametrize(
    "written", ["", "0", "-5", "10-all", "5+5", "no-hu+no-hu", "choice+no-hu", "5-player:P", "5+"]
)
def test_what_is_no_sanction_is_told(written: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(written))):
        sanctions.read_sanction(written)


def test_a_refused_command_carries_its_code_beside_the_sentence() -> None:
    refusal = errors.CommandRefused("stale", "the alert is at revision 3")

    assert (refusal.code, str(refusal)) == ("stale", "the alert is at revision 3")


def test_the_drawn_error_tree_is_the_real_one() -> None:
    drawing = inspect.getdoc(errors) or ""
    drawn = set(re.findall("[A-Z][a-z]+[A-Z][A-Za-z]+", drawing))
    real = {name for name, _ in inspect.getmembers(errors, inspect.isclass)}

    assert drawn == real
    for branch, twigs in {"LinkError": {"LinkUnavailable", "LinkLost", "NoAnswer"}}.items():
        assert {twig.__name__ for twig in vars(errors)[branch].__subclasses__()} == twigs


def test_every_error_of_the_tree_can_be_caught_at_its_root() -> None:
    for _, error in inspect.getmembers(errors, inspect.isclass):
        assert issubclass(error, errors.TablewardenError)


def test_only_the_motor_commands_move_or_stop_motors() -> None:
    assert set(commands.MotorCommand.__args__) == MOTORS
    assert set(Command.__args__) >= MOTORS


def test_an_order_cannot_be_changed_after_it_was_given() -> None:
    order = Ordered(Acknowledge("t1-h1-f1", 1), "referee a")

    with pytest.raises(FrozenInstanceError):
        order.person = "referee b"  # type: ignore[misc]  # that it is refused is the point
