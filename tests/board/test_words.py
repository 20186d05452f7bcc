"""Times, places and sanctions as a referee reads them."""

import pytest

from board.sanction_words import dead_hand, options, sanction
from board.words import limit, measured, ordinal, ruling, seat_name, seconds, signed, span, took
from mqtt.parts import RestrictionFields, RulingFields, SanctionFields
from table.fouls import SENSED, FoulKind
from table.restrictions import restricted_by
from table.sanctions import Measure, read_sanction
from table.seat import Seat
from table.wind import Wind
from tests.board import scenery


def test_a_foul_is_told_with_both_readings_and_the_limit() -> None:
    assert took(scenery.alert("t1", 1)) == scenery.TOOK


def test_a_reading_is_cut_and_never_rounded_up() -> None:
    assert seconds(10_009_999) == "10.009"


def test_a_reading_just_over_the_limit_shows_that_it_is_over() -> None:
    assert measured(10_000_400, 10_000_900, 10_000_000) == "10.000400\N{EN DASH}10.000900 s"


def test_two_equal_readings_are_told_once() -> None:
    assert measured(3_009_000, 3_009_000, 3_000_000) == "3.009 s"


@pytest.mark.parametrize(
    ("micros", "words"), [(10_000_000, "10 s"), (3_500_000, "3.5 s"), (100_000_000, "100 s")]
)
def test_a_limit_has_no_more_decimals_than_it_needs(micros: int, words: str) -> None:
    assert limit(micros) == words


def test_a_seat_is_named_with_its_wind() -> None:
    assert seat_name(Seat.THREE, {Seat.THREE: Wind.SOUTH}) == "Seat 3 南 South"
    assert seat_name(Seat.THREE, {}) == "Seat 3"


@pytest.mark.parametrize(
    ("number", "place"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (22, "22nd")],
)
def test_repeats_are_counted_in_places(number: int, place: str) -> None:
    assert ordinal(number) == place


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("warning", "Warning"),
        ("20", "\N{MINUS SIGN}20 points"),
        ("10-each+mechanical", "10 points to each of the other three, plays on mechanically"),
        ("20-player:novak-4", "20 points to novak-4"),
        ("20-player", "20 points to the player who was harmed"),
        ("no-hu-no-calls", "May neither win nor call this hand"),
        ("warning+out-for-session", "Warning, out for the session, a stand-in plays on"),
        ("choice", "The referee chooses"),
    ],
)
def test_a_sanction_is_said_as_a_referee_says_it(written: str, words: str) -> None:
    one = read_sanction(written)
    fields = SanctionFields(kind=one.kind, points=one.points, measures=one.measures, to=one.to)
    assert sanction(fields) == words


def test_a_choice_and_what_nobody_can_read_are_not_on_offer() -> None:
    offered = options(("warning", "choice", "40-moons", "10-each"))
    assert [one["value"] for one in offered] == ["warning", "10-each"]


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        (Measure.NO_HU, "no hu"),
        (Measure.NO_HU_NO_CALLS, "no hu, no calls"),
        (Measure.NO_CALLS, "no calls"),
        (Measure.MECHANICAL, "mechanical"),
        (Measure.DISQUALIFIED, "out, stand-in needed"),
        (Measure.REPORTED, ""),
    ],
)
def test_a_dead_hand_is_named_by_its_grade(measure: Measure, words: str) -> None:
    forbidden = restricted_by((measure,))
    fields = RestrictionFields(
        no_hu=forbidden.no_hu,
        no_calls=forbidden.no_calls,
        mechanical=forbidden.mechanical,
        out=forbidden.out,
    )
    assert dead_hand(fields) == words


def test_a_stand_in_is_named() -> None:
    assert dead_hand(RestrictionFields(out=True), "lee-9") == "stand-in: lee-9"


@pytest.mark.parametrize("kind", sorted(SENSED - {FoulKind.EMPTY_CALL}))
def test_every_foul_that_is_sensed_is_told_in_a_sentence_of_its_own(kind: FoulKind) -> None:
    told = took(scenery.alert("t1", 1, kind=kind))
    assert not told.startswith("Measured")
    assert "between 10.009\N{NO-BREAK SPACE}s and 10.011\N{NO-BREAK SPACE}s" in told


def test_a_foul_without_a_measured_time_says_what_it_is() -> None:
    bare = {"measured_least_us": None, "measured_most_us": None, "limit_us": None}
    empty = scenery.alert("t1", 1, kind=FoulKind.EMPTY_CALL, **bare)
    entered = scenery.alert("t1", 1, kind=FoulKind.FALSE_HU, entered_by="Referee West", **bare)
    assert took(empty) == "Called a discard, then another seat played on"
    assert took(entered) == "Entered by Referee West"


def test_spans_are_minutes_where_they_are_whole_ones() -> None:
    assert (span(15), span(90), span(300)) == ("15 s", "90 s", "5 min")


def test_points_show_whether_they_were_received_or_lost() -> None:
    assert (signed(30), signed(-10)) == ("+30", "\N{MINUS SIGN}10")


def test_a_ruling_names_person_and_reason() -> None:
    waived = RulingFields(person="Referee West", reason="Seen by the referee")
    assert ruling(waived) == "No sanction · Referee West (Seen by the referee)"
