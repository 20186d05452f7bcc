"""Events of the contract are told in sentences; every kind is told or knowingly passed over."""

from datetime import timedelta
from typing import get_args

import pytest

from board.chronicle import told, verdict
from board.table_view import Seen, TableView
from mqtt.events import Effect, audience, kind_of
from mqtt.topics import Address, TopicKind
from scoring.alert import AlertStatus, Deed, Ruling
from scoring.effects import (
    AlertChanged,
    AlertDropped,
    AlertLapsed,
    AlertMarked,
    AlertRaised,
    AlertRecorded,
    FoulRecorded,
    RulingMade,
)
from table.arming import TableArmed, TableDisarmed
from table.events import Call, Fault
from table.fouls import FoulKind, OverrunRecorded, TooClose
from table.moment import Elapsed, Interval, Moment
from table.restrictions import FREE, Restriction
from table.sanctions import WARNING, points
from table.seat import Seat
from tests.board import scenery
from timing.effects import (
    Barred,
    CallWithdrawn,
    Claimed,
    Discarded,
    HandEnded,
    HandStarted,
    HuAnnounced,
    HuRanked,
    HuTakenBack,
    OverLimit,
    PressesMissed,
    RefereeWanted,
    Replaced,
    Result,
    SeatReady,
    StepLost,
    TurnMeasured,
    WallBroken,
)
from timing.machine_effects import (
    CycleMeasured,
    CycleReopened,
    CycleWentOn,
    DiceThrown,
    FaultGone,
    FaultRepeated,
    FaultReported,
    LiftPlaced,
    MachineChanged,
    PlayInDoubt,
)
from timing.order_effects import (
    CallAnswered,
    Decreed,
    ExtraTimeGiven,
    PlayPaused,
    PlayResumed,
    SeatRestricted,
    StandInSeated,
    TimeGiven,
    TurnSet,
)

MS = timedelta(milliseconds=1)
SECOND = timedelta(seconds=1)
LIMIT = timedelta(seconds=10)
WHEN = Interval.exactly(Moment(0))
ALERT = scenery.ruled(scenery.alert("t1", 1), AlertStatus.OPEN)
TAKEN = scenery.ruled(scenery.alert("t1", 1, holder="Referee West"), AlertStatus.ACKNOWLEDGED)
RULED = scenery.ruled(
    scenery.alert("t1", 1), AlertStatus.MODIFIED, Ruling("Referee West", points(10), "Repeated")
)
CHANGED = "Changed (\N{MINUS SIGN}10 points) by Referee West: Repeated"
SENTENCES: dict[str, tuple[Effect, str]] = {
    "hand-started": (
        HandStarted("t1-s1-h3", 3, Seat.TWO),
        "Hand 3 started, seat 2 deals",
    ),
    "hand-ended": (
        HandEnded("t1-s1-h3", Result.HU, Seat.FOUR),
        "Hand ended: hu, seat 4",
    ),
    "discarded": (Discarded(Seat.ONE, WHEN, implied=True), "Seat 1 discarded without pressing"),
    "turn-measured": (
        TurnMeasured(Seat.TWO, Elapsed(4120 * MS, 4122 * MS), LIMIT, presumed=False),
        "Seat 2 took 4.120\N{EN DASH}4.122 s of 10 s",
    ),
    "claimed": (
        Claimed(Seat.THREE, Call.PUNG, Elapsed(1500 * MS, 1500 * MS)),
        "Seat 3 called pung after 1.500 s",
    ),
    "replaced": (Replaced(Seat.TWO, None), "Seat 2 took a replacement for a tile"),
    "over-limit": (
        OverLimit(Seat.TWO, FoulKind.DISCARD_OVER_LIMIT),
        "Seat 2 reached the limit",
    ),
    "presses-missed": (
        PressesMissed(Seat.ONE, 5),
        "Seat 1 let others press for it, missed so far: 5",
    ),
    "hu-announced": (HuAnnounced(Seat.FOUR), "Seat 4 declared hu"),
    "hu-taken-back": (HuTakenBack(Seat.FOUR), "Seat 4 took hu back"),
    "hu-ranked": (
        HuRanked((Seat.ONE, Seat.FOUR), (Seat.FOUR, Seat.ONE), Seat.THREE, None),
        "If every hu is valid, seat 4, 1 wins",
    ),
    "call-withdrawn": (
        CallWithdrawn(Seat.THREE, Call.PUNG),
        "Seat 3 called pung and did not take it",
    ),
    "barred": (Barred(Seat.TWO, "hu"), "Seat 2 declared hu and may not win this hand"),
    "seat-restricted": (
        SeatRestricted(Seat.TWO, Restriction(no_hu=True, no_calls=True)),
        "Seat 2: no hu, no calls",
    ),
    "stand-in-seated": (
        StandInSeated(Seat.ONE, "chen-3", "lee-9"),
        "lee-9 plays on at seat 1 for chen-3",
    ),
    "time-given": (TimeGiven(Seat.ONE, 15 * SECOND), "Seat 1 has 15 s more"),
    "extra-time-given": (
        ExtraTimeGiven(300 * SECOND, 420 * SECOND),
        "Extra time 5 min, 7 min in all",
    ),
    "turn-set": (TurnSet(Seat.TWO), "Seat 2 is on turn, the referee says"),
    "decreed": (
        Decreed("give-time", "Referee East", "disturbed"),
        "Referee East ordered Give time: disturbed",
    ),
    "wall-broken": (WallBroken(Seat.THREE, Seat.TWO, 8), "Wall of seat 2, from stack 8"),
    "alert-recorded": (
        AlertRecorded(ALERT),
        "Seen: Discard over the limit by moreau-2; nobody objected so far",
    ),
    "alert-dropped": (
        AlertDropped(ALERT),
        "The alert on moreau-2 is gone: what it followed from no longer stands",
    ),
    "seat-ready": (SeatReady(Seat.TWO), "Seat 2 is ready"),
    "referee-wanted": (RefereeWanted(Seat.THREE), "Seat 3 called the referee"),
    "call-answered": (CallAnswered(Seat.THREE), "Somebody answers the call of seat 3"),
    "play-paused": (PlayPaused("wall was wrong"), "Paused: wall was wrong"),
    "play-resumed": (PlayResumed(), "Play goes on"),
    "table-armed": (TableArmed(), "Armed again: hands may begin"),
    "table-disarmed": (TableDisarmed("no certificate"), "Disarmed: no certificate"),
    "step-lost": (StepLost("the daemon restarted"), "Out of step: the daemon restarted"),
    "too-close": (
        TooClose(FoulKind.DISCARD_OVER_LIMIT, Seat.TWO, Elapsed(9999 * MS, 10001 * MS), LIMIT),
        "Seat 2: 9.999\N{EN DASH}10.001 s is too close to 10 s to call",
    ),
    "overrun-recorded": (
        OverrunRecorded(
            FoulKind.DISCARD_OVER_LIMIT, Seat.TWO, Elapsed(11000 * MS, 11200 * MS), LIMIT, LIMIT
        ),
        "Seat 2: 11.000\N{EN DASH}11.200 s from a presumed start, recorded only",
    ),
    "foul-recorded": (
        FoulRecorded(ALERT.foul, "moreau-2"),
        "Discard over the limit by moreau-2, recorded only",
    ),
    "alert-raised": (
        AlertRaised(ALERT),
        "Alert: Discard over the limit by moreau-2, proposed Warning",
    ),
    "alert-changed": (AlertChanged(ALERT), "The alert on moreau-2 changed, proposed Warning"),
    "alert-marked": (AlertMarked(RULED), "The ruling on moreau-2 has to be looked at again"),
    "alert-lapsed": (AlertLapsed(ALERT), "The alert on moreau-2 lapsed"),
    "ruling-made": (
        RulingMade(RULED),
        f"Discard over the limit by moreau-2: {CHANGED}",
    ),
    "dice-thrown": (DiceThrown((3, 5)), "Dice: 3 + 5"),
    "machine-changed": (MachineChanged("cycling"), "Machine: Shuffling"),
    "fault-reported": (FaultReported(Fault.TILE_JAM, 17), "Machine fault: tile jam"),
    "fault-repeated": (
        FaultRepeated(Fault.TILE_JAM, 17, 3),
        "Machine fault again: tile jam (3 times)",
    ),
    "cycle-measured": (
        CycleMeasured(Elapsed(30 * SECOND, 30 * SECOND), 35 * SECOND, disturbed=False),
        "The cycle took 30.000 s, usually 35 s",
    ),
    "cycle-reopened": (CycleReopened(), "The cycle is paused and the table open"),
    "cycle-went-on": (CycleWentOn(), "The table is closed and the cycle goes on"),
    "lift-placed": (
        LiftPlaced(None, "its key was pushed"),
        "Nobody knows where the lift is (its key was pushed)",
    ),
    "play-in-doubt": (
        PlayInDoubt("t1-4", Fault.TILE_MISSING, "a tile may be missing"),
        "This hand may be unfair (tile missing): a tile may be missing",
    ),
    "fault-gone": (FaultGone(Fault.TILE_JAM), "Fault gone: tile jam"),
}
PASSED_OVER = {
    "players-seated",
    "turn-started",
    "window-opened",
    "window-closed",
    "drawn",
    "over-limit-closed",
    "foul-seen",
    "ignored",
}


def seen(effect: Effect, seq: int = 51) -> Seen:
    return Seen(kind_of(type(effect)), scenery.event("t1", seq, effect))


@pytest.mark.parametrize("kind", SENTENCES)
def test_an_event_is_told_in_a_sentence(kind: str) -> None:
    effect, sentence = SENTENCES[kind]
    assert kind_of(type(effect)) == kind
    assert told(seen(effect)) == sentence


def test_every_kind_of_event_is_told_or_knowingly_passed_over() -> None:
    no_events = {"sound-buzzer", "set-lamp", "send-to-table", "refused"}
    kinds = {kind_of(effect) for union in get_args(Effect) for effect in _members(union)}
    assert kinds - no_events == SENTENCES.keys() | PASSED_OVER


def _members(union: object) -> tuple[type[Effect], ...]:
    members: tuple[type[Effect], ...] = get_args(union) or (union,)
    return members


def test_signals_to_the_table_are_no_events() -> None:
    assert all(audience(effect) for effect, _ in SENTENCES.values())


def test_an_acknowledged_alert_names_who_took_it() -> None:
    assert told(seen(AlertChanged(TAKEN))) == "Referee West took the alert on moreau-2"


@pytest.mark.parametrize(
    ("effect", "sentence"),
    [
        (HandEnded("h", Result.DRAW, None, (), "wall played out"), "draw: wall played out"),
        (HandEnded("h", Result.HU, Seat.FOUR, (Seat.FOUR, Seat.ONE)), "hu, seat 4, 1"),
        (Barred(Seat.TWO, "call"), "Seat 2 called and may not call this hand"),
        (SeatRestricted(Seat.TWO, FREE), "Seat 2 may win and call again"),
        (WallBroken(Seat.THREE, None, None), "Seat 3 throws next"),
        (Decreed("no-such-order", "Referee East", ""), "Referee East ordered no-such-order"),
    ],
)
def test_an_event_is_told_as_it_was(effect: Effect, sentence: str) -> None:
    assert str(told(seen(effect))).endswith(sentence)


@pytest.mark.parametrize("effect", [AlertRaised(ALERT), FoulRecorded(ALERT.foul, "moreau-2")])
def test_a_foul_is_called_what_the_book_of_the_table_calls_it(effect: Effect) -> None:
    titles = {FoulKind.DISCARD_OVER_LIMIT: "Discard over the time limit"}
    assert "Discard over the time limit by moreau-2" in str(told(seen(effect), titles))


def test_a_ruling_that_was_undone_is_told_as_such() -> None:
    undone = scenery.ruled(
        scenery.alert("t1", 1, holder="Referee West"),
        AlertStatus.ACKNOWLEDGED,
        Ruling("Referee West", None, "", Deed.UNDONE),
    )
    assert str(told(seen(RulingMade(undone)))).endswith("moreau-2: Undone by Referee West")


def test_an_event_with_fields_missing_is_said_to_be_unreadable() -> None:
    event = scenery.event("t1", 51, PressesMissed(Seat.ONE, 5))
    cut = Seen("presses-missed", event.model_copy(update={"data": {"seat": 1}}))
    assert told(cut) == "Something this board cannot read (presses-missed)"


def test_the_verdict_on_an_alert_is_found_in_the_events() -> None:
    table = TableView("t1")
    envelope = scenery.event("t1", 51, RulingMade(RULED))
    table.take(Address(TopicKind.EVENT, table="t1", name="ruling-made"), envelope.encode())
    assert verdict(table, RULED.id) == CHANGED
    assert verdict(table, "t1-s1-h3-f9") is None


def test_a_warning_is_a_sanction_like_any_other() -> None:
    confirmed = scenery.ruled(
        scenery.alert("t1", 1), AlertStatus.CONFIRMED, Ruling("Referee West", WARNING, "")
    )
    sentence = "Discard over the limit by moreau-2: Confirmed (Warning) by Referee West"
    assert told(seen(RulingMade(confirmed))) == sentence
