"""What the processes of a hall wrote down, at the tables and at the broker."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.bench.hall import Watched


@dataclass(frozen=True, slots=True)
class Edge:
    """An input of a seat went down; both clocks in microseconds."""

    monotonic_us: int
    device_us: int
    seat: int
    input: str


@dataclass(frozen=True, slots=True)
class Buzzer:
    """The table was told to sound a buzzer; both clocks in microseconds."""

    monotonic_us: int
    device_us: int
    seat: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """An event reached the subscriber."""

    monotonic_us: int
    table: str
    kind: str
    data: dict[str, Any]


def edges(watched: Watched, table: str) -> list[Edge]:
    """Return the presses played at a table while it was watched."""
    return [
        Edge(line["monotonic_us"], line["device_us"], line["seat"], line["input"])
        for line in _lines(watched, table)
        if line.get("edge") == "down"
    ]


def buzzers(watched: Watched, table: str) -> list[Buzzer]:
    """Return the buzzer commands that a table received while it was watched."""
    return [
        Buzzer(line["monotonic_us"], line["device_us"], line["seat"])
        for line in _lines(watched, table)
        if line.get("command") == "buzzer"
    ]


def arrivals(watched: Watched) -> Iterator[Arrival]:
    """Return the events that arrived while the hall was watched."""
    for line in watched.arrivals.read_text(encoding="utf-8").splitlines():
        moment, topic, payload = [*line.split(" ", 2), "", ""][:3]
        levels = topic.split("/")
        if "event" in levels and watched.begin.micros <= int(moment) <= watched.end.micros:
            yield Arrival(int(moment), levels[-2], levels[-1], json.loads(payload)["data"])


def _lines(watched: Watched, table: str) -> Iterator[dict[str, Any]]:
    path = watched.folder / f"{table}.log.jsonl"
    for text in path.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        if watched.begin.micros <= line["monotonic_us"] <= watched.end.micros:
            yield line
