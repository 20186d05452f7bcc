"""The broker under fire: nothing is lost, told twice or believed when it is old."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from controller.clock import MonotonicClock
from mqtt.topics import TopicKind
from table.moment import Moment
from tests.harness.long_figures import write_section
from tests.journeys.chaos import TRUE_AGAIN, Outcome, under_fire
from tests.journeys.chaos_comparer import GRACE_SECONDS, Comparer
from tests.journeys.chaos_fits import COMPARED, newest
from tests.journeys.chaos_hall import FOLLOWERS, QUEUE, SPEED, TABLES, Archived
from tests.journeys.chaos_plan import Kind, Trouble, rounds, sample
from tests.journeys.chaos_probe import untrue
from tests.journeys.chaos_verdict import flaws, followed, ordered, rows, rulings_made, told_to
from tests.journeys.scoreboard import ROOT

pytestmark = pytest.mark.journey
Damage: TypeAlias = Callable[[list[Archived]], list[Archived]]
SAMPLE = {
    1: (Kind.KILL, Kind.RESET, Kind.FULL, Kind.UNHEARD, Kind.SLOW),
    2: (Kind.TERM, Kind.STOP, Kind.DAEMON, Kind.UNTOLD),
}
LONG_SEED = 5
LONG_US = 30 * 60 * 1_000_000
LEAST_ROUNDS = 10
"""Every kind comes once in each round."""


@pytest.fixture(scope="session")
def burnt(tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    return asyncio.run(_sample(tmp_path_factory.mktemp("fire")))


async def _sample(folder: Path) -> list[Outcome]:
    async with asyncio.TaskGroup() as halls:
        burning = [halls.create_task(_burn(folder / str(seed), seed)) for seed in SAMPLE]
    return [hall.result() for hall in burning]


async def _burn(folder: Path, seed: int) -> Outcome:
    folder.mkdir()
    return await under_fire(folder, seed, sample(seed, SAMPLE[seed]))


def test_nothing_is_lost_or_told_twice_and_nothing_untrue_is_shown(burnt: list[Outcome]) -> None:
    for outcome in burnt:
        assert [f"{flaw.what}: {flaw.text}" for flaw in flaws(outcome)] == []
        assert {kind for kind in COMPARED if outcome.comparer.compared[kind]} == set(COMPARED)
        assert rulings_made(outcome.truth)
        for archive in outcome.archives.values():
            how = Counter(line.how for line in archive.lines())
            assert (archive.counted["live"], archive.counted["replayed"]) == (
                how["live"],
                how["replayed"],
            )


def test_an_archive_asks_for_what_it_missed_and_for_nothing_else(burnt: list[Outcome]) -> None:
    assert any(
        archive.counted["replayed"] for outcome in burnt for archive in outcome.archives.values()
    )
    for outcome in burnt:
        for login, archive in outcome.archives.items():
            told = told_to(outcome.truth, FOLLOWERS[login])
            for table, after, before in archive.counted["holes"]:
                assert any(after < one.seq < before for one in told[table])


def _skipped(lines: list[Archived]) -> list[Archived]:
    return lines[:40] + lines[41:]


def _doubled(lines: list[Archived]) -> list[Archived]:
    return [*lines[:41], *lines[40:]]


def _exchanged(lines: list[Archived]) -> list[Archived]:
    table = [n for n, line in enumerate(lines) if line.event["subject"] == "t1"]
    one, other = table[20:22]
    changed = list(lines)
    changed[one], changed[other] = lines[other], lines[one]
    return changed


def _changed(lines: list[Archived]) -> list[Archived]:
    event = lines[40].event | {"cause": "nobody"}
    return [*lines[:40], replace(lines[40], event=event), *lines[41:]]


@pytest.mark.parametrize("login", FOLLOWERS)
@pytest.mark.parametrize(
    ("damage", "found"),
    [(_skipped, "lost"), (_doubled, "twice"), (_exchanged, "order"), (_changed, "difference")],
)
def test_the_verdict_sees_what_an_archive_did_wrong(
    burnt: list[Outcome], login: str, damage: Damage, found: str
) -> None:
    truth, lines = burnt[0].truth, burnt[0].archives[login].lines()
    told = told_to(truth, FOLLOWERS[login])
    assert {flaw.what for flaw in followed(truth, told, damage(lines))} == {found}


@pytest.mark.parametrize("kind", COMPARED)
def test_the_comparer_sees_what_is_older_than_what_was_shown(
    burnt: list[Outcome], kind: TopicKind
) -> None:
    seen, topic = burnt[0].comparer, _topic(burnt[0], kind)
    comparer = Comparer(burnt[0].truth)
    comparer.take(0, seen.first[topic])
    comparer.take(0, seen.last[topic])
    comparer.take(1, replace(seen.first[topic], retained=True))
    comparer.judge(1)
    assert (comparer.differences, len(comparer.stale)) == ([], 1)
    comparer.take(2, replace(seen.first[topic], retained=False))
    comparer.judge(2)
    (difference,) = comparer.differences
    assert f"{topic} goes back" in difference.text


@pytest.mark.parametrize("kind", COMPARED)
def test_the_comparer_sees_what_the_journal_does_not_say(
    burnt: list[Outcome], kind: TopicKind
) -> None:
    seen, topic = burnt[0].comparer, _topic(burnt[0], kind)
    comparer = Comparer(burnt[0].truth)
    said = json.loads(seen.first[topic].payload)
    lie = replace(seen.first[topic], payload=json.dumps(_lied(said)).encode())
    comparer.take(0, lie)
    comparer.judge(GRACE_SECONDS)
    (difference,) = comparer.differences
    assert "is not what the journal says" in difference.text


def _lied(said: dict[str, Any]) -> dict[str, Any]:
    """Change the smallest thing in a payload."""
    if "hand_number" in said:
        return said | {"hand_number": said["hand_number"] + 1}
    if "window" in said:
        face = {"kind": "turn", "running": False, "total_ms": 1, "remaining_ms": 1, "over": False}
        return said | {"seats": said["seats"] | {"1": face}}
    if "totals" in said:
        return said | {"totals": said["totals"] | {"t1-1": 1}}
    return said | {"step": said["step"] + 1}


@pytest.mark.parametrize("kind", COMPARED)
def test_a_newcomer_is_not_content_with_what_was_true_once(
    burnt: list[Outcome], kind: TopicKind
) -> None:
    seen, truth = burnt[0].comparer, burnt[0].truth
    kept = {topic: one.payload for topic, one in seen.last.items() if one.payload}
    assert list(untrue(truth, _known(burnt[0]), kept)) == []
    topic = _topic(burnt[0], kind)
    old = kept | {topic: seen.first[topic].payload}
    (complaint,) = untrue(truth, _known(burnt[0]), old)
    assert f"{topic} is not true any more" in complaint


def test_the_verdict_sees_an_answer_without_a_deed_and_a_deed_done_twice(
    burnt: list[Outcome],
) -> None:
    official, truth = burnt[0].officials[0], burnt[0].truth
    order = next(one.id for one in official.answered.values() if one.status == "done")
    made = truth.made[official.login, order]
    try:
        for wrong in ([], made * 2):
            truth.made[official.login, order] = wrong
            (flaw,) = ordered(truth, official)
            assert f"{order}: done, and {len(wrong)} times made" in flaw.text
    finally:
        truth.made[official.login, order] = made


def _topic(outcome: Outcome, kind: TopicKind) -> str:
    """Return a topic of a kind whose payload changed meanwhile."""
    seen = outcome.comparer
    return next(
        topic
        for topic, first in seen.first.items()
        if (address := ROOT.parse(topic))
        and address.kind is kind
        and first.payload
        and seen.last[topic].payload != first.payload
    )


def _known(outcome: Outcome) -> dict[str, int]:
    """Return the place of what is true at the end."""
    known = {}
    for topic in outcome.comparer.last:
        address = ROOT.parse(topic)
        if address and address.kind in COMPARED:
            known[topic] = newest(outcome.truth, address)
    return known


def test_a_plan_is_the_same_for_the_same_seed_and_leaves_nothing_out() -> None:
    assert sample(1, SAMPLE[1]) == sample(1, SAMPLE[1]) != sample(2, SAMPLE[1])
    assert {kind for kinds in SAMPLE.values() for kind in kinds} == set(Kind)
    for troubles in islice(rounds(LONG_SEED), LEAST_ROUNDS):
        alone = [one.mishaps[0].kind for one in troubles if len(one.mishaps) == 1]
        assert sorted(alone) == sorted(Kind)
        assert len(troubles) > len(alone)


@pytest.mark.long
@pytest.mark.timeout(3600)
async def test_half_an_hour_under_fire_loses_nothing(tmp_path: Path) -> None:
    outcome = await under_fire(tmp_path, LONG_SEED, _half_an_hour())
    write_section("The broker under fire", _text(outcome))
    assert [f"{flaw.what}: {flaw.text}" for flaw in flaws(outcome)] == []


def _half_an_hour() -> Iterator[Trouble]:
    clock = MonotonicClock()
    end = Moment(clock.now().micros + LONG_US)
    for number, troubles in enumerate(rounds(LONG_SEED)):
        if number >= LEAST_ROUNDS and clock.now() >= end:
            return
        yield from troubles


_TEXT = """
Half an hour of play at {tables} tables, {speed} times as fast as real time, seed {seed}: mosquitto
with a login for each, an access list and room for {queue} waiting messages; a referee who rules and
a board that orders ({orders} orders answered, {rulings} rulings made, each once); two archives
which know nothing but docs/contract.md, one with the rights of a scoreboard and one with those of a
referee. {compared} payloads of snapshots, clocks, alerts, ledgers and links were held against the
journal while play went on; {stale} times a broker that was started again showed something old
until the node was back, and {unrecorded} displays were shown right before a kill that nothing
recorded. After each trouble a newcomer had to be told nothing but the truth within {limit} s of
play. *Live* and *replayed* are the events that both archives wrote down until the next trouble
began; they asked {asked} times.

| trouble | times | longest until true again | live | replayed | lost | twice | differences |
|---|---|---|---|---|---|---|---|
"""


def _text(outcome: Outcome) -> str:
    comparer, archives = outcome.comparer, outcome.archives.values()
    head = _TEXT.format(
        tables=TABLES,
        speed=SPEED,
        seed=LONG_SEED,
        queue=QUEUE,
        orders=sum(len(official.replies) for official in outcome.officials),
        rulings=rulings_made(outcome.truth),
        compared=sum(comparer.compared.values()),
        stale=len(comparer.stale),
        unrecorded=comparer.unrecorded,
        limit=TRUE_AGAIN,
        asked=sum(archive.counted["asked"] for archive in archives),
    )
    return head + "\n".join(map(str, rows(outcome)))
