"""Every word that a page can need is there, and none is left over."""

import re
from enum import StrEnum
from pathlib import Path
from typing import get_args

import pytest

import board
from board.node_view import NodeView
from board.offers import HAND_VERBS, MACHINE_VERBS
from board.texts import ENGLISH, say
from mqtt.payloads import Availability, HandPhase, MachinePhase
from mqtt.verbs import NODE_VERBS, VERBS
from scoring.alert import AlertStatus
from table.events import Call, Fault
from table.fouls import SENSED, FoulKind
from table.sanctions import Measure
from table.wind import Wind
from timing.effects import Result

SOURCES = [
    path.read_text(encoding="utf-8")
    for path in Path(board.__file__).parent.rglob("*")
    if path.suffix in {".py", ".html"} and not path.name.endswith("texts.py")
]
NAMED = {key for text in SOURCES for key in re.findall(r'"((?:[a-z-]+\.)+[a-z-]+)"', text)}
STEMS = {key for text in SOURCES for key in re.findall(r'f?"([a-z.-]+\.)(?:"|\{)', text)}


@pytest.mark.parametrize(
    ("group", "words"),
    [
        ("wind", Wind),
        ("fault", Fault),
        ("alert", AlertStatus),
        ("foul", FoulKind),
        ("measure", Measure),
        ("call", Call),
        ("result", Result),
    ],
)
def test_every_word_of_the_core_has_its_text(group: str, words: type[StrEnum]) -> None:
    assert {f"{group}.{word}" for word in words} <= ENGLISH.keys()


@pytest.mark.parametrize(
    ("group", "words"),
    [
        ("machine", get_args(MachinePhase)),
        ("hand", get_args(HandPhase)),
        ("link", get_args(Availability)),
        ("order", (*HAND_VERBS, *MACHINE_VERBS, "resume-rest", "confirm-which")),
        ("order", tuple(VERBS.keys() - {"sound-buzzer", "set-lamp"})),
        ("order", tuple(f"{verb}-all" for verb in NODE_VERBS)),
        ("took", tuple(SENSED)),
        ("answer", ("accepted", "done", "rejected", "failed")),
    ],
)
def test_every_word_of_the_contract_has_its_text(group: str, words: tuple[str, ...]) -> None:
    assert {f"{group}.{word}" for word in words} <= ENGLISH.keys()


def test_every_text_that_is_named_exists() -> None:
    groups = {key.split(".")[0] for key in ENGLISH}
    named = {key for key in NAMED if key.split(".")[0] in groups and not key.endswith(".html")}
    assert named - ENGLISH.keys() <= {"table.errors"}


def test_no_text_is_left_over() -> None:
    used = {key for key in ENGLISH if key in NAMED or any(key.startswith(stem) for stem in STEMS)}
    assert ENGLISH.keys() - used == set()


def test_a_node_that_was_never_heard_is_not_here() -> None:
    assert not NodeView("n1").here


def test_a_text_takes_its_values() -> None:
    assert say("seat.name", seat=3) == "Seat 3"
