"""What must be true of a hall whose daemon was killed, whatever the moment."""

from collections import Counter
from itertools import groupby

from controller.table_memory import STIMULUS
from mqtt.payloads import EventEnvelope
from mqtt.payloads_of_rulings import LedgerPayload
from mqtt.topics import TopicKind
from scoring.alert import Alert
from scoring.effects import AlertRaised, RulingMade
from table.events import ClaimPressed, DiscardPressed, Observed
from table.moment import MICROSECOND, MILLISECOND
from tests.harness.contract import misfits_among
from tests.journeys.hall import gaps
from tests.journeys.kills import KNOWN_US, Late, Outcome, late_pungs, played_presses
from tests.journeys.scoreboard import ROOT, Scoreboard, retained

STAMP = MILLISECOND
"""Two readings of the table's clock leave so much doubt on either side."""
LADDER = (0, 5)
"""Points of the first and of the second late pung of a player in a hand (mcr-2014 art. 11)."""


async def judge(outcome: Outcome) -> None:
    """Fail unless fouls, rulings, events and ledger are those of an undisturbed hand."""
    raised = alerts_of(outcome)
    fouls_are_those_of_the_script(outcome, raised)
    every_answered_ruling_was_made_once(outcome, raised)
    every_press_is_recorded_once(outcome)
    told_whole(outcome.seen)
    what_happened_is_told(outcome, raised)
    await broker_keeps_the_ledger_and_no_alert(outcome, raised)
    assert outcome.hall.journal.verify() is None, "the journal's chain is broken"


def alerts_of(outcome: Outcome) -> list[Alert]:
    effects = (effect for _, effect in outcome.hall.effects())
    return [effect.alert for effect in effects if isinstance(effect, AlertRaised)]


def found_in(outcome: Outcome) -> list[Late]:
    """Return which late pung of the script each alert is, by its reading."""
    script = {late.taken_us: late for late in late_pungs()}
    raised = alerts_of(outcome)
    strange = [alert.foul for alert in raised if _taken(alert) not in script]
    assert not strange, f"a reading that nobody played: {strange}"
    return [script[_taken(alert)] for alert in raised]


def fouls_are_those_of_the_script(outcome: Outcome, raised: list[Alert]) -> None:
    """Each has its own seat, none is there twice, and only what the outage cut is missing."""
    found = found_in(outcome)
    assert [late.seat for late in found] == [alert.foul.seat for alert in raised]
    assert len(set(found)) == len(found), f"a foul twice: {found}"
    missing = set(late_pungs()) - set(found)
    wrongly = [late for late in missing if not _cut(late, outcome.cut_us)]
    assert not wrongly, f"missing, though the outage was {outcome.outage}: {wrongly}"
    judged = [late for late in found if _surely_cut(late, outcome.cut_us)]
    assert not judged, f"judged, though the outage was {outcome.outage}: {judged}"
    names = [alert.id for alert in raised]
    assert len(set(names)) == len(names), f"an id twice: {names}"
    assert set(outcome.durable) <= set(names), f"durable at the kill, now gone: {outcome.durable}"


def _taken(alert: Alert) -> int:
    """Return the reading in the middle of what was measured, in µs."""
    measured = alert.foul.measured
    assert measured, f"nothing was measured: {alert.foul}"
    assert measured.most - measured.least == 2 * STAMP, f"a doubtful reading: {measured}"
    return (measured.least + STAMP) // MICROSECOND


def _cut(late: Late, cut_us: tuple[int, int] | None) -> bool:
    return cut_us is not None and late.discard_us < cut_us[1] and cut_us[0] < late.known_us


def _surely_cut(late: Late, cut_us: tuple[int, int] | None) -> bool:
    """Say whether discard and claim were told to two runs of the daemon, or to none in time."""
    return (
        cut_us is not None
        and late.discard_us < cut_us[1] - KNOWN_US
        and cut_us[0] + KNOWN_US < late.claim_us
    )


def every_press_is_recorded_once(outcome: Outcome) -> None:
    """Each was told by one boot of the box, which numbers all it tells; none is there twice."""
    stimuli = (
        STIMULUS.decode(record.stimulus, "journal") for record in outcome.hall.journal.records("t1")
    )
    numbered = [one for one in stimuli if isinstance(one, Observed) and one.number]
    numbers = [one.number.number for one in numbered if one.number]
    assert numbers == sorted(set(numbers)), f"out of order, or twice: {numbers}"
    presses = Counter(
        one.event.seat for one in numbered if isinstance(one.event, DiscardPressed | ClaimPressed)
    )
    assert presses == played_presses(), f"pressed: {presses}"


def every_answered_ruling_was_made_once(outcome: Outcome, raised: list[Alert]) -> None:
    made = Counter(
        record.origin.command
        for record, effect in outcome.hall.effects()
        if isinstance(effect, RulingMade) and record.origin
    )
    assert set(made) == outcome.referee.answered(), "what was made is not what was answered"
    assert set(made.values()) <= {1}, f"a command was carried out twice: {made}"
    assert len(made) == len(raised), "an alert was left without its ruling"


def told_whole(seen: Scoreboard) -> None:
    """Fail unless all fits the schemas, and events came in order, whole, and once or as before."""
    assert misfits_among(ROOT, seen.deliveries) == set()
    for of, events in groupby(sorted(seen.events.values(), key=_numbering), key=_numbering):
        numbers = [event.tableseq for event in events]
        assert numbers == sorted(set(numbers)), f"out of order in {of}: {numbers}"
        assert numbers[0] == 1, f"{of} begins with {numbers[0]}"
        assert not gaps(numbers), f"missing in {of}: {gaps(numbers)}"
    differing = [name for name, texts in seen.texts.items() if len(texts) > 1]
    assert not differing, f"told twice in different words: {differing}"


def _numbering(event: EventEnvelope) -> tuple[str, int]:
    """Return the table and the epoch that an event's number counts in."""
    return event.subject, event.epoch


def what_happened_is_told(outcome: Outcome, raised: list[Alert]) -> None:
    told = [event.data["alert"]["foul"]["id"] for event in outcome.seen.of("alert-raised")]
    assert told == [alert.id for alert in raised], f"told as raised: {told}"
    ruled = [event.causeid for event in outcome.seen.of("ruling-made")]
    assert sorted(ruled) == sorted(outcome.referee.answered()), f"told as ruled: {ruled}"


async def broker_keeps_the_ledger_and_no_alert(outcome: Outcome, raised: list[Alert]) -> None:
    kept = await retained(outcome.hall.broker)
    left = [topic for topic in kept if (at := ROOT.parse(topic)) and at.kind is TopicKind.ALERT]
    assert not left, f"alerts left at the broker: {left}"
    ledger = LedgerPayload.model_validate_json(kept[ROOT.ledger("t1")])
    assert Counter(line.alert for line in ledger.lines) == Counter(alert.id for alert in raised)
    fouls = Counter(alert.player for alert in raised)
    expected = {player: -sum(LADDER[:count]) for player, count in fouls.items()}
    assert ledger.totals == expected, f"{ledger.totals} instead of {expected}"
