"""What must be true of a hall that was under fire."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scoring.effects import RulingMade
from tests.journeys.chaos import Fire, Outcome
from tests.journeys.chaos_hall import FOLLOWERS, SPEED, Archived
from tests.journeys.chaos_people import Official
from tests.journeys.chaos_truth import Plain, Told, Truth


@dataclass(frozen=True)
class Flaw:
    """Something that must not be, and when it was."""

    at: float
    what: str
    """`lost`, `twice`, `order`, `difference`, `untrue`, `orders` or `journal`."""
    text: str


def flaws(outcome: Outcome) -> list[Flaw]:
    """Return everything that is not as it must be."""
    found = [Flaw(one.at, "difference", one.text) for one in outcome.comparer.differences]
    for login, archive in outcome.archives.items():
        told = told_to(outcome.truth, FOLLOWERS[login])
        found += followed(outcome.truth, told, archive.lines())
    for fire in outcome.fires:
        found += [Flaw(fire.healed, "untrue", text) for text in fire.untrue]
    for official in outcome.officials:
        found += ordered(outcome.truth, official)
    if (broken := outcome.hall.journal.verify()) is not None:
        found.append(Flaw(0, "journal", f"the chain is broken at {broken}"))
    return found


def told_to(truth: Truth, audience: str) -> dict[str, list[Told]]:
    """Return the events of each table that somebody may read, in order."""
    return {
        name: [one for one in table.events if one.everyone or audience == "officials"]
        for name, table in truth.tables.items()
    }


def followed(
    truth: Truth, told: dict[str, list[Told]], lines: Iterable[Archived]
) -> Iterator[Flaw]:
    """Hold what an archive wrote down against what it must have been told."""
    written: dict[str, list[Archived]] = {name: [] for name in told}
    for line in lines:
        written[line.event["subject"]].append(line)
    for name, events in told.items():
        yield from _lost_or_twice(truth, events, written[name])
        yield from _out_of_order(written[name])
        yield from _differing(events, written[name])


def _lost_or_twice(truth: Truth, events: list[Told], lines: list[Archived]) -> Iterator[Flaw]:
    times = Counter(line.event["id"] for line in lines)
    for one in events:
        if not times[one.envelope["id"]]:
            yield Flaw(real_seconds(truth, one), "lost", one.envelope["id"])
    for line in lines:
        if times[line.event["id"]] > 1:
            yield Flaw(line.at, "twice", line.event["id"])


def _out_of_order(lines: list[Archived]) -> Iterator[Flaw]:
    highest = 0
    for line in lines:
        if line.event["tableseq"] < highest:
            yield Flaw(line.at, "order", f"{line.event['id']} after {highest}")
        highest = max(highest, line.event["tableseq"])


def _differing(events: list[Told], lines: list[Archived]) -> Iterator[Flaw]:
    wanted: dict[str, Plain] = {one.envelope["id"]: one.envelope for one in events}
    for line in lines:
        must = wanted.get(line.event["id"], {})
        if {key: line.event.get(key) for key in must} != must or not must:
            yield Flaw(line.at, "difference", f"{line.event} is not {must}")


def ordered(truth: Truth, official: Official) -> Iterator[Flaw]:
    """Hold the answers that an official got against what is in the journal."""
    for order, replies in official.replies.items():
        made = truth.made.get((official.login, order), [])
        done = replies[0].status == "done"
        if len(made) != done:
            yield Flaw(0, "orders", f"{order}: {replies[0].status}, and {len(made)} times made")
        if len({(one.status, one.code) for one in replies}) > 1:
            yield Flaw(0, "orders", f"{order}: answered differently: {replies}")


def rulings_made(truth: Truth) -> int:
    """Return how many rulings are in the journal."""
    steps = (step for steps in truth.made.values() for step in steps)
    return sum(isinstance(effect, RulingMade) for step in steps for effect in step.effects)


def real_seconds(truth: Truth, told: Told) -> float:
    """Return when an event was recorded, by the machine's clock."""
    boot = truth.boots[told.session].moment
    return boot.micros / 1e6 + (told.moment - boot).total_seconds() / SPEED


@dataclass(frozen=True)
class Row:
    """One line of the table of troubles."""

    name: str
    times: int
    longest: float
    live: int
    replayed: int
    flaws: Counter[str]

    def __str__(self) -> str:
        counted = [self.flaws[what] for what in ("lost", "twice", "difference")]
        words = (self.name, self.times, f"{self.longest:.1f}", self.live, self.replayed, *counted)
        return "| " + " | ".join(map(str, words)) + " |"


def rows(outcome: Outcome) -> list[Row]:
    """Return what became of each kind of trouble; it lasts until the next one begins."""
    lines = [line for archive in outcome.archives.values() for line in archive.lines()]
    found = flaws(outcome)
    named: dict[str, list[int]] = {}
    for number, fire in enumerate(outcome.fires):
        several = len(fire.trouble.mishaps) > 1
        named.setdefault("several at once" if several else fire.trouble.name, []).append(number)
    return [
        _row(name, outcome.fires, numbers, lines, found) for name, numbers in sorted(named.items())
    ]


def _row(
    name: str, fires: list[Fire], numbers: list[int], lines: list[Archived], found: list[Flaw]
) -> Row:
    spans = [_span(fires, number) for number in numbers]
    how = Counter(line.how for line in lines if _within(spans, line.at))
    what = Counter(flaw.what for flaw in found if _within(spans, flaw.at))
    longest = max(fires[number].true_after for number in numbers)
    return Row(name, len(numbers), longest, how["live"], how["replayed"], what)


def _span(fires: list[Fire], number: int) -> tuple[float, float]:
    end = fires[number + 1].since if number + 1 < len(fires) else float("inf")
    return fires[number].since, end


def _within(spans: list[tuple[float, float]], at: float) -> bool:
    return any(since <= at < end for since, end in spans)
