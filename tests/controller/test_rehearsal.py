"""What a written hand means to the core, and when each of its lines is heard."""

from datetime import timedelta
from textwrap import dedent
from typing import TypeVar

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from controller.rehearsal import Happened, Rehearsal
from controller.table_core import Effect, TableRules
from scoring.alert import AlertStatus
from scoring.effects import AlertChanged, AlertRaised, RulingMade
from table.answers import Code, Ignored, Refused
from table.fouls import FoulKind, FoulSeen, TooClose
from table.moment import MILLISECOND, Elapsed
from table.sanctions import points
from table.script import read_script
from table.seat import Seat
from tests.scoring import cases
from tests.timing.books import MCR, MCR_WALL
from timing.effects import (
    Claimed,
    Discarded,
    Drawn,
    HandEnded,
    HuAnnounced,
    OverLimit,
    RefereeWanted,
    StepLost,
    TurnMeasured,
    TurnStarted,
)
from timing.machine_effects import MachineChanged
from timing.order_effects import PlayResumed

RULES = TableRules(MCR, cases.MCR, MCR_WALL)
E = TypeVar("E")


def rehearsed(text: str) -> list[Happened]:
    """Play a written hand under mcr-2014."""
    return list(Rehearsal(RULES).play(read_script(dedent(text))))


def only(happened: list[Happened], kind: type[E]) -> tuple[float, E]:
    """Return the one effect of a kind with its second."""
    (found,) = all_of(happened, kind)
    return found


def all_of(happened: list[Happened], kind: type[E]) -> list[tuple[float, E]]:
    return [
        (one.at.total_seconds(), one.effect) for one in happened if isinstance(one.effect, kind)
    ]


def milliseconds(least: int, most: int) -> Elapsed:
    return Elapsed(least * MILLISECOND, most * MILLISECOND)


OPENED = """
    0 table deal-ended
    4 seat 1 discard
"""


def test_a_discard_is_heard_at_once_and_its_foul_on_release() -> None:
    happened = rehearsed("0 table deal-ended\n20.5 seat 1 discard")
    assert only(happened, Discarded)[0] == 20.5
    at, foul = only(happened, FoulSeen)
    assert at == 20.58
    assert (foul.kind, foul.seat) == (FoulKind.DISCARD_OVER_LIMIT, Seat.ONE)
    assert foul.measured == milliseconds(20_499, 20_501)
    assert foul.limit == timedelta(seconds=20)  # mcr-2014 art. 5 (赛前 6)


def test_a_claim_is_heard_on_release_and_counts_from_its_first_touch() -> None:
    at, claimed = only(rehearsed(OPENED + "    6.5 seat 3 claim pung"), Claimed)
    assert at == 6.58
    assert claimed.taken == milliseconds(2_499, 2_501)


def test_a_held_discard_is_a_hu_after_a_second_and_no_discard() -> None:
    happened = rehearsed(OPENED + "    9 seat 2 hold discard\n    12 referee confirm-hu")
    assert only(happened, HuAnnounced) == (10.0, HuAnnounced(Seat.TWO))
    assert only(happened, HandEnded)[1].winner is Seat.TWO


def test_a_held_claim_calls_the_referee_after_a_second_and_claims_nothing() -> None:
    happened = rehearsed(OPENED + "    5 seat 3 hold claim")
    assert only(happened, RefereeWanted) == (6.0, RefereeWanted(Seat.THREE))
    assert all_of(happened, Claimed) == []


def test_a_draw_makes_it_a_table_that_senses_draws() -> None:
    drawn = rehearsed(OPENED + "    7.2 seat 2 draw\n    17.5 seat 2 discard")
    presumed = rehearsed(OPENED + "    17.5 seat 2 discard")
    assert only(drawn, FoulSeen)[1].presumed is False
    assert only(drawn, Drawn)[0] == 7.2
    assert all_of(presumed, FoulSeen) == []  # 10.5 s from 7.0, within the margin of 3 s


def test_what_the_machine_does_is_told() -> None:
    happened = rehearsed("0 table cycle\n25 table wall-ready\n26 table raised")
    assert [one.phase for _, one in all_of(happened, MachineChanged)] == [
        "cycling",
        "ready",
        "raised",
    ]


def test_time_alone_goes_on_until_it_has_nothing_more_to_say() -> None:
    happened = rehearsed(OPENED)
    assert only(happened, OverLimit)[0] == 17.0  # the window to 7.0, then 10 s
    assert happened[-1].at == timedelta(seconds=17)


def test_doubt_is_on_the_side_of_the_player() -> None:
    pung = "7.150 ±{doubt} seat 3 claim pung"
    sure = rehearsed(OPENED + pung.format(doubt=0))
    doubtful = rehearsed(OPENED.replace("4 seat", "4 ±100 seat") + pung.format(doubt=100))
    assert only(sure, FoulSeen)[1].measured == milliseconds(3_149, 3_151)
    assert all_of(doubtful, FoulSeen) == []
    # from 4.100 at the latest to 7.050 at the earliest is 2.95 s, which is in time
    assert only(doubtful, TooClose)[1].measured == milliseconds(2_950, 3_350)


def test_what_is_in_doubt_is_heard_when_it_must_have_happened() -> None:
    happened = rehearsed("0 table deal-ended\n4 ±40 seat 1 discard")
    at, discarded = only(happened, Discarded)
    assert at == 4.04
    assert discarded.when.stamp is None
    assert only(happened, TurnMeasured)[1].taken == milliseconds(3_960, 4_040)


CUT = (
    OPENED
    + """
    7.2 seat 2 draw
    {cut} table cut 10
    18.5 seat 2 discard
    22 seat 3 discard
"""
)


def test_a_cut_wire_stops_the_clocks_and_what_the_box_saw_charges_nobody() -> None:
    happened = rehearsed(CUT.format(cut="9"))
    assert only(happened, StepLost)[0] == 9.0
    assert all_of(happened, FoulSeen) == []
    assert {at for at, _ in all_of(happened, Ignored)} == {19.0}
    assert only(happened, PlayResumed)[0] == 22.0


def test_a_wire_that_was_cut_at_some_moment_takes_along_what_came_before_it() -> None:
    happened = rehearsed(OPENED + "    9 ±40 table cut 10\n    9.02 seat 2 draw")
    assert only(happened, Drawn)[0] == 9.02
    assert only(happened, StepLost)[0] == 9.04


def test_a_deal_that_ended_while_the_wire_was_cut_is_followed_up_in_order_of_time() -> None:
    happened = rehearsed(
        "0 referee start-hand\n1 table cut 60\n2 table deal-ended\n70 referee pause"
    )
    moments = [one.at for one in happened]
    assert moments == sorted(moments)
    assert only(happened, TurnStarted)[0] == 61.0
    assert only(happened, OverLimit)[0] == 61.0


def test_a_rebooted_box_is_out_of_step_and_has_another_clock() -> None:
    happened = rehearsed(OPENED + "    9 table reboot\n    11 seat 2 discard")
    assert only(happened, StepLost)[0] == 9.0
    stamps = [one.when.stamp for _, one in all_of(happened, Discarded)]
    assert [stamp.clock for stamp in stamps if stamp] == ["rehearsal-1", "rehearsal-2"]


def test_what_a_referee_says_is_heard_over_a_cut_wire_too() -> None:
    happened = rehearsed(OPENED + "    9 table cut 10\n    12 referee draw-hand")
    assert only(happened, HandEnded)[0] == 12.0


FOULED = (
    OPENED
    + """
    8 seat 3 claim pung
"""
)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("confirm last", AlertStatus.CONFIRMED),
        ("confirm t1-1-f1", AlertStatus.CONFIRMED),
        ("waive last bumped the button", AlertStatus.WAIVED),
        ("modify last 10 shouted", AlertStatus.MODIFIED),
    ],
)
def test_a_referee_rules_on_the_alert_as_it_stands(line: str, status: AlertStatus) -> None:
    at, made = only(
        rehearsed(f"{FOULED}    9 referee acknowledge last\n    10 referee {line}"), RulingMade
    )
    assert (at, made.alert.status) == (10.0, status)
    assert made.alert.rulings[-1].person == "referee"


def test_a_modified_sanction_is_the_one_that_was_written() -> None:
    made = only(rehearsed(FOULED + "    9 referee modify last 10 shouted"), RulingMade)[1]
    assert made.alert.imposed == points(10)
    assert made.alert.rulings[-1].reason == "shouted"


def test_a_ruling_is_reversed_at_the_revision_it_has_come_to() -> None:
    happened = rehearsed(
        FOULED + "    9 referee confirm last\n    10 referee reverse last wrong player"
    )
    assert [one.alert.status for _, one in all_of(happened, RulingMade)] == [
        AlertStatus.CONFIRMED,
        AlertStatus.REVERSED,
    ]


@pytest.mark.parametrize("named", ["last", "t1-7-f1"])
def test_an_alert_that_is_not_there_is_refused(named: str) -> None:
    refused = only(rehearsed(OPENED + f"    9 referee confirm {named}"), Refused)[1]
    assert refused.code is Code.UNKNOWN_ALERT


def test_a_lease_ends_after_the_script_too() -> None:
    happened = rehearsed(FOULED + "    9 referee acknowledge last")
    changed = all_of(happened, AlertChanged)
    assert [(at, one.alert.status) for at, one in changed] == [
        (9.0, AlertStatus.ACKNOWLEDGED),
        (69.0, AlertStatus.OPEN),
    ]


def test_what_became_of_the_table_can_be_asked_afterwards() -> None:
    rehearsal = Rehearsal(RULES, "t7")
    effects: list[Effect] = [one.effect for one in rehearsal.play(read_script(dedent(FOULED)))]
    (raised,) = (one for one in effects if isinstance(one, AlertRaised))
    assert raised.alert.player == "t7-3"
    assert rehearsal.state.docket.undecided == ("t7-1-f1",)


WORDS = (
    *(f"seat {seat} {what}" for seat in (1, 2, 3) for what in ("discard", "claim pung", "claim")),
    *("seat 2 draw", "seat 4 hold discard", "seat 3 hold claim"),
    *("table deal-ended", "table cycle", "table raised", "table cut 3", "table reboot"),
    *("referee start-hand", "referee pause", "referee resume", "referee draw-hand"),
    *("referee acknowledge last", "referee confirm last", "referee waive last elbow"),
)
steps = st.tuples(
    st.sampled_from([1.3, 2.5, 4, 11, 21]),
    st.sampled_from(["", "", "±40 "]),
    st.sampled_from(WORDS),
)


@given(st.lists(steps, min_size=3, max_size=14))
def test_any_written_hand_is_played_to_its_end_in_order_of_time(
    written: list[tuple[float, str, str]],
) -> None:
    at, lines = 0.0, ["0 table deal-ended"]
    for gap, doubt, words in written:
        at += gap
        lines.append(f"{at:.3f} {doubt}{words}")
    happened = rehearsed("\n".join(lines))
    moments = [one.at for one in happened]
    assert moments == sorted(moments)
    event(f"with a foul: {bool(all_of(happened, FoulSeen))}")
