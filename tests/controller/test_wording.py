"""Every event of the contract in a line that a referee understands."""

from dataclasses import replace
from datetime import timedelta
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.wording import line, sanction, seconds
from mqtt.events import Effect, kind_of
from mqtt.events import told as event_of
from scoring.alert import Alert, AlertStatus, Ruling
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
from table.abilities import LiftAt
from table.answers import Code, Ignored, Refused
from table.arming import TableArmed, TableDisarmed
from table.commands import SetLamp, SoundBuzzer
from table.events import Call, Fault
from table.faults import Severity
from table.fouls import FoulKind, FoulSeen, OverrunRecorded, TooClose
from table.moment import MILLISECOND, Elapsed, Interval, Moment
from table.restrictions import FREE, Restriction
from table.sanctions import WARNING, points, read_sanction
from table.seat import BySeat, Seat
from tests.harness.core_values import values
from tests.scoring import cases
from timing.effects import (
    Barred,
    CallWithdrawn,
    Claimed,
    Discarded,
    Drawn,
    HandEnded,
    HandStarted,
    HuAnnounced,
    HuRanked,
    HuTakenBack,
    OverLimit,
    OverLimitClosed,
    PressesMissed,
    RefereeWanted,
    Replaced,
    Result,
    SeatReady,
    StepLost,
    TurnMeasured,
    TurnStarted,
    WallBroken,
    WindowClosed,
    WindowOpened,
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
    SendToTable,
)
from timing.order_effects import (
    CallAnswered,
    Decreed,
    ExtraTimeGiven,
    PlayersSeated,
    PlayPaused,
    PlayResumed,
    SeatRestricted,
    StandInSeated,
    TimeGiven,
    TurnSet,
)

LATE, SLOW = FoulKind.LATE_PUNG, FoulKind.DISCARD_OVER_LIMIT
LIMIT = timedelta(seconds=10)
AT = Interval.exactly(Moment(0))
FOUL = cases.foul("t1-1-f1")
PRESUMED = replace(FOUL, presumed=True)
ENTERED = FoulSeen(
    id="t1-1-r1",
    kind=FoulKind.FALSE_HU,
    seat=Seat.THREE,
    hand="t1-1",
    measured=None,
    limit=None,
    rule="art. 11",
    started=None,
    ended=None,
    entered_by="Referee A",
    remark="7 fan",
)
ALERT = Alert(FOUL, "cy", 2, points(5), "mcr-2014 art. 11")
OPEN_TO = "proposes -5 (step 2, mcr-2014 art. 11)"


def spent(least: int, most: int) -> Elapsed:
    return Elapsed(least * MILLISECOND, most * MILLISECOND)


def ruled(status: AlertStatus, *rulings: Ruling) -> Alert:
    return replace(ALERT, status=status, rulings=rulings)


TOLD: list[tuple[Effect, str]] = [
    (HandStarted("t1-1", 1, Seat.TWO), "hand t1-1 began, seat 2 deals"),
    (HandEnded("t1-1", Result.HU, Seat.THREE), "hand t1-1 over: hu, won by seat 3"),
    (HandEnded("t1-1", Result.DRAW), "hand t1-1 over: draw"),
    (
        HandEnded("t1-1", Result.HU, Seat.ONE, (Seat.ONE, Seat.THREE)),
        "hand t1-1 over: hu, won by seats 1, 3",
    ),
    (
        HandEnded("t1-1", Result.VOID, reason="wall fell"),
        "hand t1-1 over: void (wall fell)",
    ),
    (PlayersSeated(BySeat("ann", "bo", "cy", "di")), "players: ann, bo, cy, di"),
    (TurnStarted(Seat.ONE, LIMIT, AT, presumed=False), "seat 1 on turn: 10.000 s, clock runs"),
    (
        TurnStarted(Seat.ONE, LIMIT, AT, presumed=True),
        "seat 1 on turn: 10.000 s, clock runs, start presumed",
    ),
    (TurnStarted(Seat.ONE, LIMIT, None, presumed=False), "seat 1 on turn: 10.000 s, clock waits"),
    (Discarded(Seat.FOUR, AT, implied=False), "seat 4 discarded"),
    (Discarded(Seat.FOUR, AT, implied=True), "seat 4 discarded without pressing"),
    (
        TurnMeasured(Seat.TWO, spent(4_999, 5_001), LIMIT, presumed=False),
        "seat 2 took 4.999 to 5.001 s of 10.000 s",
    ),
    (
        TurnMeasured(Seat.TWO, spent(5_000, 5_000), LIMIT, presumed=True),
        "seat 2 took 5.000 s of 10.000 s from a presumed start",
    ),
    (WindowOpened(Seat.ONE, timedelta(seconds=3)), "call window open, 3.000 s"),
    (WindowClosed(Seat.ONE), "call window closed"),
    (
        Claimed(Seat.TWO, Call.PUNG, spent(900, 902)),
        "seat 2 claims pung after 0.900 to 0.902 s",
    ),
    (Claimed(Seat.TWO, None, spent(900, 900)), "seat 2 claims the discard after 0.900 s"),
    (Replaced(Seat.TWO, Call.KONG), "seat 2 took a replacement tile for a kong"),
    (Replaced(Seat.TWO, None), "seat 2 took a replacement tile"),
    (Drawn(Seat.TWO), "seat 2 drew"),
    (OverLimit(Seat.TWO, SLOW), "seat 2 is at the limit: buzzer, not yet a foul"),
    (OverLimitClosed(Seat.TWO), "seat 2 notice closed"),
    (PressesMissed(Seat.TWO, 5), "seat 2 let others press for it (5 in this hand)"),
    (HuAnnounced(Seat.TWO), "seat 2 declares hu: all clocks stand"),
    (HuTakenBack(Seat.TWO), "seat 2 takes hu back"),
    (
        HuRanked((Seat.THREE, Seat.ONE), (Seat.ONE,), Seat.FOUR, None),
        "declared by seats 3, 1: seat 1 would win on the discard of seat 4",
    ),
    (
        HuRanked((Seat.TWO, Seat.THREE), (Seat.TWO, Seat.THREE), None, Seat.ONE),
        "declared by seats 2, 3: seats 2, 3 would win, robbing the kong of seat 1",
    ),
    (HuRanked((Seat.TWO,), (), None, None), "declared by seat 2: nobody would win"),
    (Barred(Seat.TWO, "hu"), "seat 2 may not hu: nothing follows"),
    (
        SeatRestricted(Seat.TWO, Restriction(no_hu=True, no_calls=True)),
        "seat 2 may not win, may not call",
    ),
    (SeatRestricted(Seat.TWO, FREE), "seat 2 may do everything again"),
    (StandInSeated(Seat.FOUR, "di", "eve"), "seat 4 is played by eve in place of di"),
    (CallWithdrawn(Seat.TWO, Call.PUNG), "seat 2 withdrew its call of pung"),
    (CallWithdrawn(Seat.TWO, None), "seat 2 withdrew its call"),
    (TimeGiven(Seat.TWO, LIMIT), "seat 2 has 10.000 s more"),
    (ExtraTimeGiven(LIMIT, 2 * LIMIT), "the table has 10.000 s more, 20.000 s in all"),
    (TurnSet(Seat.TWO), "seat 2 is on turn, says the referee"),
    (Decreed("void-hand", "Referee A", "wall fell"), "void-hand by Referee A: wall fell"),
    (Decreed("end-deal", "Referee A", ""), "end-deal by Referee A"),
    (WallBroken(Seat.TWO, Seat.TWO, 9), "the wall of seat 2 is broken at stack 9"),
    (WallBroken(Seat.TWO, None, None), "seat 2 throws second"),
    (WallBroken(None, None, None), "where the wall is broken is not known"),
    (RefereeWanted(Seat.TWO), "seat 2 calls the referee"),
    (CallAnswered(Seat.TWO), "seat 2 is answered by the referee"),
    (PlayPaused("spilled tea"), "paused: spilled tea"),
    (PlayPaused(""), "paused: no reason given"),
    (PlayResumed(), "play goes on"),
    (TableArmed(), "the table is armed: hands may begin, motors may run"),
    (TableDisarmed("not certified"), "the table is disarmed: not certified"),
    (StepLost("cut"), "out of step (cut): no clocks, no fouls"),
    (
        FOUL,
        (
            "foul t1-1-f1: late-pung by seat 3, 3.009 to 3.011 s,"
            " limit 3.000 s (mcr-2014 art. 6 (碰牌))"
        ),
    ),
    (
        PRESUMED,
        (
            "foul t1-1-f1: late-pung by seat 3, 3.009 to 3.011 s,"
            " limit 3.000 s (mcr-2014 art. 6 (碰牌)), start presumed"
        ),
    ),
    (
        replace(
            ENTERED,
            measured=spent(9, 11),
            limit=None,
            started=AT,
            ended=AT,
            entered_by="",
            remark="",
        ),
        "foul t1-1-r1: false-hu by seat 3, 0.009 to 0.011 s (art. 11)",
    ),
    (
        ENTERED,
        "foul t1-1-r1: false-hu by seat 3 (art. 11), entered by Referee A: 7 fan",
    ),
    (
        TooClose(SLOW, Seat.TWO, spent(9_999, 10_001), LIMIT),
        "too close to call: discard-over-limit by seat 2, 9.999 to 10.001 s, limit 10.000 s",
    ),
    (
        OverrunRecorded(SLOW, Seat.TWO, spent(11_000, 11_000), LIMIT, timedelta(seconds=3)),
        (
            "recorded only: discard-over-limit by seat 2, 11.000 s from a presumed start,"
            " margin 3.000 s"
        ),
    ),
    (FoulRecorded(FOUL, "cy"), "for the record only: t1-1-f1"),
    (
        AlertRecorded(ALERT),
        (
            "alert t1-1-f1 recorded, cy: would propose -5 (step 2, mcr-2014 art. 11),"
            " nobody objected yet"
        ),
    ),
    (
        AlertDropped(ALERT),
        "alert t1-1-f1 dropped: the rulings it followed from stand no more",
    ),
    (AlertRaised(ALERT), f"alert t1-1-f1 raised, cy: {OPEN_TO}"),
    (AlertChanged(ALERT), f"alert t1-1-f1 open, {OPEN_TO}"),
    (
        AlertChanged(replace(ALERT, status=AlertStatus.ACKNOWLEDGED, holder="Referee A")),
        f"alert t1-1-f1 acknowledged by Referee A, {OPEN_TO}",
    ),
    (AlertMarked(ALERT), f"alert t1-1-f1 to be looked at again, {OPEN_TO}"),
    (AlertLapsed(ALERT), "alert t1-1-f1 lapsed: nobody took it before the next hand"),
    (
        RulingMade(ruled(AlertStatus.CONFIRMED, Ruling("Referee A", WARNING, ""))),
        "alert t1-1-f1 confirmed by Referee A, warning",
    ),
    (
        RulingMade(
            ruled(
                AlertStatus.MODIFIED,
                Ruling("Referee A", WARNING, ""),
                Ruling("Referee B", points(10), "shouted"),
            )
        ),
        "alert t1-1-f1 modified by Referee B, -10: shouted",
    ),
    (
        RulingMade(ruled(AlertStatus.WAIVED, Ruling("Referee A", None, "elbow"))),
        "alert t1-1-f1 waived by Referee A: elbow",
    ),
    (
        RulingMade(ruled(AlertStatus.ACKNOWLEDGED, Ruling("Referee A", None, "", "undone"))),
        "alert t1-1-f1 undone by Referee A",
    ),
    (DiceThrown((3, 5)), "dice: 3, 5"),
    (DiceThrown(None), "dice: not read"),
    (MachineChanged("ready"), "machine ready"),
    (MachineChanged("empty", "stopped"), "machine empty: stopped"),
    (FaultReported(Fault.TILE_JAM, 7), "machine fault tile-jam"),
    (FaultReported(Fault.SLOW_CYCLE, 0, Severity.NOTICE), "machine notice slow-cycle"),
    (FaultReported(Fault.UNKNOWN, 300, text="belt"), "machine fault unknown (code 300): belt"),
    (FaultRepeated(Fault.TILE_JAM, 7, 3), "machine fault tile-jam again, 3 times"),
    (
        CycleMeasured(
            Elapsed(30_000 * MILLISECOND, 31_000 * MILLISECOND),
            35_000 * MILLISECOND,
            disturbed=True,
        ),
        "the cycle took 30.000 to 31.000 s, 35.000 s expected, with a fault in it",
    ),
    (SeatReady(Seat.TWO), "seat 2 is ready"),
    (CycleReopened(), "the cycle is paused, the table is open"),
    (CycleWentOn(), "the table is closed, the cycle goes on"),
    (LiftPlaced(LiftAt.RAISED, "a person looked"), "the lift is raised: a person looked"),
    (LiftPlaced(None, "cut"), "the lift is nobody knows where: cut"),
    (
        PlayInDoubt("t1-4", Fault.TILE_MISSING, "a tile may be missing"),
        "hand t1-4 may be unfair (tile-missing): a tile may be missing",
    ),
    (FaultGone(Fault.TILE_JAM), "machine fault tile-jam is gone"),
    (Ignored("no hand is running"), "ignored: no hand is running"),
    (Refused(Code.STALE, "hand t1-1 is over"), "refused (stale): hand t1-1 is over"),
]


def told(effect: Effect) -> str:
    event = event_of(effect)
    assert event
    return line(event.kind, event.data)


@pytest.mark.parametrize(("effect", "sentence"), TOLD, ids=lambda one: type(one).__name__)
def test_an_event_is_told_in_a_line(effect: Effect, sentence: str) -> None:
    assert told(effect) == sentence


def test_every_kind_that_leaves_the_node_has_its_line() -> None:
    kinds: set[type[Any]] = {type(effect) for effect, _ in TOLD}
    silent = set(get_args(Effect)) - kinds
    assert {kind_of(kind) for kind in silent} == {"sound-buzzer", "set-lamp", "send-to-table"}


def test_a_kind_of_a_later_version_is_told_by_its_name() -> None:
    assert line("tile-swallowed", {"seat": 2}) == "tile-swallowed"


@given(st.one_of([values(kind) for kind in get_args(Effect)]))
def test_whatever_an_event_carries_it_can_be_told(effect: Effect) -> None:
    if isinstance(effect, RulingMade) and not effect.alert.rulings:
        effect = RulingMade(replace(effect.alert, rulings=(Ruling("r", None, ""),)))
    if isinstance(effect, SoundBuzzer | SetLamp | SendToTable):
        assert event_of(effect) is None
    else:
        assert told(effect)


@pytest.mark.parametrize(
    ("micros", "text"),
    [
        (0, "0.000"),
        (3_010_000, "3.010"),
        (3_009_500, "3.0095"),
        (9_999_999, "9.999999"),
        (-1_500, "-0.0015"),
        (61_000_000, "61.000"),
    ],
)
def test_seconds_have_three_decimals_and_more_where_the_time_has(micros: int, text: str) -> None:
    assert seconds(micros) == text


@pytest.mark.parametrize(
    ("imposed", "words"),
    [
        ("warning", "warning"),
        ("20", "-20"),
        ("10-each+mechanical", "10 to each, mechanical"),
        ("8-player:an", "8 to an"),
        ("8-player", "8 to one player"),
        ("no-hu+reported", "no-hu, reported"),
        ("choice", "the referee's choice"),
    ],
)
def test_a_sanction_is_told_in_a_few_words(imposed: str, words: str) -> None:
    given = read_sanction(imposed)
    fields = {"kind": given.kind.value, "points": given.points, "to": given.to}
    assert sanction({**fields, "measures": [*given.measures]}) == words
