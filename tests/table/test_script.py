"""The written hand is read exactly, and every mistake is named with its cure."""

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table import alert_commands, commands
from table.abilities import LiftAt
from table.errors import ScriptError
from table.events import (
    Call,
    CyclePaused,
    CycleResumed,
    CycleStarted,
    DealEnded,
    DiceRolled,
    Fault,
    FaultCleared,
    FaultRaised,
    LiftSensed,
    MachineStopped,
    TileDrawn,
    WallRaised,
    WallReady,
)
from table.fouls import FoulKind
from table.happening import (
    BoxReboot,
    Expectation,
    Happening,
    Input,
    Official,
    RefereeOrders,
    RefereeRules,
    RulingVerb,
    ScriptLine,
    SeatHold,
    SeatTap,
    Sensed,
    WireCut,
)
from table.sanctions import WARNING, WRITTEN, Measure, pay_each, points
from table.script import duration, read_hand_file, read_script
from table.seat import BySeat, Seat

EXAMPLES = sorted((Path(__file__).parents[2] / "docs" / "examples").glob("*.hand"))


@pytest.mark.parametrize(
    ("line", "happening"),
    [
        ("seat 1 discard", SeatTap(Seat.ONE, Input.DISCARD)),
        ("seat 3 claim", SeatTap(Seat.THREE, Input.CLAIM)),
        ("seat 3 claim pung", SeatTap(Seat.THREE, Input.CLAIM, Call.PUNG)),
        ("seat 4 claim flower", SeatTap(Seat.FOUR, Input.CLAIM, Call.FLOWER)),
        ("seat 2 hold discard", SeatHold(Seat.TWO, Input.DISCARD)),
        ("seat 2 hold claim", SeatHold(Seat.TWO, Input.CLAIM)),
        ("seat 4 draw", Sensed(TileDrawn(Seat.FOUR))),
        ("table deal-ended", Sensed(DealEnded())),
        ("table cycle", Sensed(CycleStarted())),
        ("table wall-ready", Sensed(WallReady())),
        ("table raised", Sensed(WallRaised())),
        ("table dice", Sensed(DiceRolled(None))),
        ("table dice 3 5", Sensed(DiceRolled((3, 5)))),
        ("table fault tile-jam", Sensed(FaultRaised(Fault.TILE_JAM))),
        ("table clear lift-stuck", Sensed(FaultCleared(Fault.LIFT_STUCK))),
        ("table fault unknown 300", Sensed(FaultRaised(Fault.UNKNOWN, 300))),
        ("table clear unknown 300", Sensed(FaultCleared(Fault.UNKNOWN, 300))),
        ("table stopped", Sensed(MachineStopped())),
        ("table cycle-paused", Sensed(CyclePaused())),
        ("table cycle-resumed", Sensed(CycleResumed())),
        ("referee start-hand tiles counted", RefereeOrders(commands.StartHand("tiles counted"))),
        ("table cut 2.5", WireCut(timedelta(seconds=2.5))),
        ("table reboot", BoxReboot()),
        ("referee start-hand", RefereeOrders(commands.StartHand())),
        ("referee end-deal", RefereeOrders(commands.EndDeal())),
        ("referee pause", RefereeOrders(commands.Pause())),
        ("referee pause spilled tea", RefereeOrders(commands.Pause("spilled tea"))),
        ("referee resume", RefereeOrders(commands.Resume())),
        ("referee confirm-hu", RefereeOrders(commands.ConfirmHu())),
        ("referee withdraw-hu", RefereeOrders(commands.WithdrawHu())),
        ("referee draw-hand", RefereeOrders(commands.DrawHand())),
        ("referee void-hand wall fell", RefereeOrders(commands.VoidHand("wall fell"))),
        ("referee draw-hand wall gone", RefereeOrders(commands.DrawHand("wall gone"))),
        ("referee restart-hand wrong deal", RefereeOrders(commands.RestartHand("wrong deal"))),
        ("referee resume remaining", RefereeOrders(commands.Resume(remaining=True))),
        (
            "referee give-time 7 tile under the table",
            RefereeOrders(commands.GiveTime(timedelta(seconds=7), "tile under the table")),
        ),
        (
            "referee extra-time 5 jammed machine",
            RefereeOrders(commands.ExtraTime(timedelta(minutes=5), "jammed machine")),
        ),
        ("referee set-turn 3 he drew", RefereeOrders(commands.SetTurn(Seat.THREE, "he drew"))),
        ("referee confirm-hu 3 1", RefereeOrders(commands.ConfirmHu((Seat.THREE, Seat.ONE)))),
        (
            "referee stand-in 2 reserve-1 player is out",
            RefereeOrders(commands.SeatStandIn(Seat.TWO, "reserve-1", "player is out")),
        ),
        (
            "referee seat-players a b c d",
            RefereeOrders(commands.SeatPlayers(BySeat("a", "b", "c", "d"))),
        ),
        ("referee answer-call 2", RefereeOrders(commands.AnswerCall(Seat.TWO))),
        ("referee dice 1 3 5", RefereeOrders(commands.EnterDice(1, (3, 5)))),
        (
            "referee enter-foul wrong-meld 2",
            RefereeOrders(alert_commands.EnterFoul(FoulKind.WRONG_MELD, Seat.TWO)),
        ),
        (
            "referee enter-foul signals 4 winked",
            RefereeOrders(alert_commands.EnterFoul(FoulKind.SIGNALS, Seat.FOUR, "winked")),
        ),
        ("chief pause fire drill", RefereeOrders(commands.Pause("fire drill"), Official.CHIEF)),
        ("chief confirm last", RefereeRules(RulingVerb.CONFIRM, None, by=Official.CHIEF)),
        ("referee undo last", RefereeRules(RulingVerb.UNDO, None)),
        ("referee take-up last", RefereeRules(RulingVerb.TAKE_UP, None)),
        (
            "referee take-up last objector 2",
            RefereeRules(RulingVerb.TAKE_UP, None, objector=Seat.TWO),
        ),
        (
            "referee escalate last out of the session",
            RefereeRules(RulingVerb.ESCALATE, None, reason="out of the session"),
        ),
        ("referee note last saw it", RefereeRules(RulingVerb.NOTE, None, reason="saw it")),
        (
            "referee modify last 10-each+mechanical third time",
            RefereeRules(RulingVerb.MODIFY, None, pay_each(10, Measure.MECHANICAL), "third time"),
        ),
        ("referee acknowledge last", RefereeRules(RulingVerb.ACKNOWLEDGE, None)),
        ("referee confirm t1-h1-2", RefereeRules(RulingVerb.CONFIRM, "t1-h1-2")),
        (
            "referee modify last 10 was rude",
            RefereeRules(RulingVerb.MODIFY, None, points(10), "was rude"),
        ),
        (
            "referee modify last warning new here",
            RefereeRules(RulingVerb.MODIFY, None, WARNING, "new here"),
        ),
        ("referee waive last elbow", RefereeRules(RulingVerb.WAIVE, None, reason="elbow")),
        ("referee reverse last mix-up", RefereeRules(RulingVerb.REVERSE, None, reason="mix-up")),
    ],
)
def test_a_line_says_one_thing(line: str, happening: Happening) -> None:
    assert read_script(f"2 {line}")[0].happening == happening


def test_blank_lines_comments_and_line_ends_of_any_system_are_free() -> None:
    script = read_script("\ufeff# a hand\r\n\r\n 1.5 seat 1 discard # first\r\n#\r\n2 table reboot")
    assert [line.number for line in script] == [3, 5]


def test_a_sharp_inside_a_word_is_no_comment() -> None:
    script = read_script("1 referee void-hand tile#4 broke # really")
    assert script[0].happening == RefereeOrders(commands.VoidHand("tile#4 broke"))


def test_a_hand_file_may_name_its_book_and_what_it_expects() -> None:
    file = read_hand_file(
        "# why\nrules wsom-2010 # the book\n1 seat 1 discard\n2.5 expect turn 2 # lower"
    )
    assert file.ruleset == "wsom-2010"
    assert file.expectations == (Expectation(4, timedelta(seconds=2.5), ("turn", "2")),)
    assert [line.number for line in file.lines] == [3]


def test_a_hand_file_that_names_no_book_leaves_it_open() -> None:
    assert read_hand_file("1 seat 1 discard").ruleset is None


@given(st.integers(0, 999_999_999_999))
def test_seconds_are_read_to_the_microsecond(micros: int) -> None:
    written = f"{micros // 1_000_000}.{micros % 1_000_000:06} table reboot"
    assert read_script(written)[0].at == timedelta(microseconds=micros)


@pytest.mark.parametrize("written", ["±40", "+-40", "±40ms", "±40.000"])
def test_a_doubt_is_read_in_milliseconds(written: str) -> None:
    line = read_script(f"12 {written} seat 1 discard")[0]
    assert line == ScriptLine(
        1, timedelta(seconds=12), timedelta(milliseconds=40), SeatTap(Seat.ONE, Input.DISCARD)
    )


def test_a_script_lasts_until_its_last_input_is_let_go() -> None:
    script = read_script("1 seat 1 hold discard\n1.5 table dice")
    assert duration(script) == timedelta(seconds=2.2)
    assert duration(read_script("1 seat 1 discard")) == timedelta(seconds=1.08)
    assert duration(read_script("1 seat 1 discard\n4 referee draw-hand")) == timedelta(seconds=4)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "1 table reboot\n\n2 seat 1 discrad",
            (
                "line 3: 'discrad' is not what a seat does; allowed: discard, claim, hold, draw;"
                " nearest: discard"
            ),
        ),
        (
            "1 sea 1 discard",
            (
                "line 1: 'sea' is not who acts; allowed: seat, table, referee, chief, expect;"
                " nearest: seat"
            ),
        ),
        ("1 seat 5 discard", "line 1: '5' is not a seat; allowed: 1 to 4"),
        ("1 seat ² discard", "line 1: '²' is not a seat; allowed: 1 to 4"),
        ("1 seat", "line 1: ends where a seat should stand"),
        ("1", "line 1: ends where who acts (seat, table, referee, chief, expect) should stand"),
        (
            "soon seat 1 discard",
            (
                "line 1: 'soon' is not the time of the happening;"
                " allowed: seconds with up to 6 decimals (12.345)"
            ),
        ),
        (
            "-1 seat 1 discard",
            (
                "line 1: '-1' is not the time of the happening;"
                " allowed: seconds with up to 6 decimals (12.345)"
            ),
        ),
        (
            "1 ±much seat 1 discard",
            "line 1: '±much' is not a doubt; allowed: milliseconds (±5, or ±0.5)",
        ),
        (
            "2 seat 1 discard\n1.999 seat 2 claim",
            "line 2: '1.999000' lies before line 1; allowed: 2.000000 or later",
        ),
        (
            "2 seat 1 hold discard\n2.5 seat 2 claim\n3 seat 1 discard",
            "line 3: seat 1 still has 'discard' down from line 1; allowed: later than 3.200000",
        ),
        (
            "1 seat 1 discard now",
            "line 1: 'now' is one word too many; the line should end before it",
        ),
        (
            "1 seat 1 claim pong",
            "line 1: 'pong' is not a call; allowed: chow, pung, kong, flower; nearest: pung",
        ),
        (
            "1 seat 1 hold",
            "line 1: ends where an input (discard, claim) should stand",
        ),
        ("1 table dice 3", "line 1: ends where a die should stand"),
        ("1 table dice 3 7", "line 1: '7' is not a die; allowed: 1 to 6"),
        ("1 table cut", "line 1: ends where how long the wire is cut should stand"),
        ("1 referee waive last", "line 1: ends where the reason should stand"),
        ("1 referee confirm", "line 1: ends where the alert (last, or its id) should stand"),
        (
            "1 referee modify last lots",
            f"line 1: 'lots' is not a sanction; allowed: {WRITTEN}",
        ),
        ("1 referee give-time 5", "line 1: ends where the reason should stand"),
        ("1 referee extra-time 0 jam", "line 1: '0' is not a number of minutes; allowed: 1 to 60"),
        ("1 referee dice 3 1 1", "line 1: '3' is not a throw; allowed: 1 to 2"),
        ("1 referee dice 1 0 1", "line 1: '0' is not a die; allowed: 1 to 6"),
        ("1 referee confirm-hu 2 2", "line 1: seat 2 stands twice; name each seat once"),
        ("1 referee seat-players a b", "line 1: ends where the player of seat 3 should stand"),
        ("1 referee note last", "line 1: ends where the text should stand"),
        (
            "1 ±5 expect no foul",
            "line 1: what is expected has no doubt; write the ± before what happens",
        ),
        (
            "2 expect no foul\n1 seat 1 discard",
            "line 2: '1.000000' lies before line 1; allowed: 2.000000 or later",
        ),
        ("rules\n1 seat 1 discard", "line 1: ends where the name of a rule set should stand"),
        (
            "1 seat 1 discard\nrules mcr-2014",
            (
                "line 2: 'rules' is not the time of the happening;"
                " allowed: seconds with up to 6 decimals (12.345)"
            ),
        ),
        (
            "rules mcr-2014\n1 expect no foul",
            "line 1: nothing happens in this script; write at least one happening",
        ),
        (
            "# nothing",
            "line 1: nothing happens in this script; write at least one happening",
        ),
    ],
)
def test_a_mistake_is_named_with_line_word_and_cure(text: str, sentence: str) -> None:
    with pytest.raises(ScriptError) as told:
        read_script(text)
    assert str(told.value) == sentence


def test_two_seats_may_press_at_the_same_moment() -> None:
    script = read_script("1 seat 1 discard\n1 seat 1 claim\n1 seat 2 discard")
    assert len(script) == 3


@given(st.text(alphabet="seat 1dicrlmhold±.#\n23", max_size=60))
def test_any_text_is_a_script_or_a_named_mistake(text: str) -> None:
    script: tuple[ScriptLine, ...] = ()
    mistake = "line "
    try:
        script = read_script(text)
    except ScriptError as error:
        mistake = str(error)
    assert mistake.startswith("line ")
    assert list(script) == sorted(script, key=lambda line: line.at)


@pytest.mark.parametrize(
    ("happening", "command"),
    [
        (RefereeRules(RulingVerb.ACKNOWLEDGE, None), alert_commands.Acknowledge("a", 3)),
        (RefereeRules(RulingVerb.CONFIRM, None), alert_commands.Confirm("a", 3)),
        (
            RefereeRules(RulingVerb.MODIFY, None, points(20), "r"),
            alert_commands.Modify("a", 3, points(20), "r"),
        ),
        (RefereeRules(RulingVerb.WAIVE, None, reason="r"), alert_commands.Waive("a", 3, "r")),
        (RefereeRules(RulingVerb.REVERSE, None, reason="r"), alert_commands.Reverse("a", 3, "r")),
        (RefereeRules(RulingVerb.UNDO, None), alert_commands.Undo("a", 3)),
        (
            RefereeRules(RulingVerb.TAKE_UP, None, objector=Seat.ONE),
            alert_commands.TakeUp("a", 3, Seat.ONE),
        ),
        (RefereeRules(RulingVerb.ESCALATE, None, reason="r"), alert_commands.Escalate("a", 3, "r")),
        (RefereeRules(RulingVerb.NOTE, None, reason="r"), alert_commands.AddNote("a", "r")),
    ],
)
def test_a_ruling_becomes_a_command_on_the_alert_that_is_meant(
    happening: RefereeRules, command: alert_commands.RulingCommand
) -> None:
    assert happening.on("a", 3) == command


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_shipped_hands_can_be_read(path: Path) -> None:
    assert duration(read_script(path.read_text(encoding="utf-8"))) > timedelta(seconds=10)


def test_the_hands_that_the_documentation_names_are_shipped() -> None:
    assert {"late-pung", "overrun", "limits", "repeat", "cut"} <= {path.stem for path in EXAMPLES}


@pytest.mark.parametrize(
    ("line", "happening"),
    [
        ("table lift-raised", Sensed(LiftSensed(LiftAt.RAISED))),
        ("table lift-lowered", Sensed(LiftSensed(LiftAt.LOWERED))),
        ("referee shuffle", RefereeOrders(commands.Shuffle())),
        ("referee lift", RefereeOrders(commands.Lift())),
        ("referee roll-dice", RefereeOrders(commands.RollDice())),
        ("referee stop", RefereeOrders(commands.Stop())),
        ("referee pause-cycle", RefereeOrders(commands.PauseCycle())),
        ("chief resume-cycle", RefereeOrders(commands.ResumeCycle(), Official.CHIEF)),
        ("referee set-lift raised", RefereeOrders(commands.SetLift(LiftAt.RAISED))),
    ],
)
def test_the_machine_is_told_to_and_says_where_its_lift_stands(
    line: str, happening: Happening
) -> None:
    (read,) = read_script(f"1 {line}")
    assert read.happening == happening
