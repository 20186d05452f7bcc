"""What a referee may do to the course of a hand, and that it is told with person and reason."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.answers import Code, Refused
from table.commands import (
    ConfirmHu,
    DrawHand,
    EndDeal,
    ExtraTime,
    GiveTime,
    HandCommand,
    Ordered,
    Pause,
    RestartHand,
    Resume,
    SeatPlayers,
    SeatStandIn,
    SetLamp,
    SetTurn,
    StartHand,
    VoidHand,
    WithdrawHu,
)
from table.events import Call
from table.moment import Elapsed, Interval
from table.restrictions import FREE, Restriction
from table.seat import BySeat, Seat
from tests.timing.books import FIFTH, GB, JINGJI, MCR, WSOM, seconds
from tests.timing.play import Play, dealt, exactly, moment, opened
from tests.timing.strategies import ORDERS, Scene, scenes
from timing.display import clocks
from timing.effects import (
    HandEnded,
    HandStarted,
    HuTakenBack,
    OverLimit,
    OverLimitClosed,
    Result,
    TurnStarted,
    WindowClosed,
)
from timing.hand import Arranging, Restricted, Turn, step
from timing.order_effects import (
    Decreed,
    ExtraTimeGiven,
    PlayersSeated,
    PlayResumed,
    SeatRestricted,
    StandInSeated,
    TimeGiven,
    TurnSet,
)
from timing.rules import TimeRules

OUT = Restriction(no_hu=True, no_calls=True, mechanical=True, out=True)
DEAD = Restriction(no_hu=True)
BOOKS = (MCR, GB, JINGJI, WSOM, FIFTH)


def at_order(at: float) -> Interval:
    return Interval.exactly(moment(at))


def refusal(effects: tuple[object, ...]) -> Refused:
    (refused,) = effects
    assert isinstance(refused, Refused)
    return refused


@pytest.mark.parametrize(
    ("play", "command", "order", "reason"),
    [
        (Play(), StartHand(), "start-hand", ""),
        (Play(), EndDeal(), "end-deal", ""),
        (Play(), SeatPlayers(BySeat("ann", "bo", "cy", "di")), "seat-players", ""),
        (opened(), Pause("tea"), "pause", "tea"),
        (opened(), GiveTime(seconds(5), "tea"), "give-time", "tea"),
        (opened(), ExtraTime(seconds(60), "a jam"), "extra-time", "a jam"),
        (opened(), SetTurn(Seat.FOUR, "no press"), "set-turn", "no press"),
        (opened(), ConfirmHu(), "confirm-hu", ""),
        (opened(), DrawHand("wall empty"), "draw-hand", "wall empty"),
        (opened(), VoidHand("tiles fell"), "void-hand", "tiles fell"),
        (opened(), RestartHand("wrong wall"), "restart-hand", "wrong wall"),
    ],
)
def test_an_order_that_is_carried_out_is_told_first_with_person_and_reason(
    play: Play, command: HandCommand, order: str, reason: str
) -> None:
    effects = play.happens(11, Ordered(command, "chief"))
    assert effects[0] == Decreed(order, "chief", reason)
    assert len([effect for effect in effects if isinstance(effect, Decreed)]) == 1


@given(scenes(), st.sampled_from(ORDERS))
def test_what_is_refused_is_not_decreed_and_changes_nothing(
    scene: Scene, command: HandCommand
) -> None:
    now = scene.now
    done = step(scene.rules, scene.state, Ordered(command, "referee"), now)
    refused = [effect for effect in done.effects if isinstance(effect, Refused)]
    decreed = [effect for effect in done.effects if isinstance(effect, Decreed)]
    assert len(refused) + len(decreed) == 1


@pytest.mark.parametrize(
    "command",
    [
        GiveTime(seconds(5), " "),
        ExtraTime(seconds(5), ""),
        SetTurn(Seat.TWO, ""),
        VoidHand(""),
        RestartHand("  "),
        SeatStandIn(Seat.TWO, "eve", ""),
    ],
)
def test_what_bends_the_course_of_a_hand_needs_a_reason(command: HandCommand) -> None:
    play = opened()
    before = play.state.phase
    assert refusal(play.order(11, command)).code is Code.REASON_MISSING
    assert play.state.phase == before


@pytest.mark.parametrize(("taken", "fouls"), [(14.99, 0), (15, 0), (15.01, 1)])
def test_given_time_lengthens_this_turn(taken: float, fouls: int) -> None:
    play = opened(draws=True)
    play.draw(2, 12)
    assert play.order(12, GiveTime(seconds(5), "tea")) == (TimeGiven(Seat.TWO, seconds(5)),)
    play.discard(2, 12 + taken)
    assert [(foul.limit, foul.rule) for foul in play.fouls] == [
        (seconds(15), "mcr-2014 art. 6 (出牌)")
    ] * fouls


def test_given_time_is_for_one_turn_only() -> None:
    play = dealt(WSOM)
    play.discard(1, 20)
    play.order(22, GiveTime(seconds(5), "tea"))
    play.discard(2, 40)
    play.discard(3, 55.01)
    assert [(foul.seat, foul.limit) for foul in play.fouls] == [(Seat.THREE, seconds(15))]


def test_given_time_adds_up_and_outlives_a_draw() -> None:
    play = opened(draws=True)
    play.order(11, GiveTime(seconds(5), "tea"))
    play.order(12, GiveTime(seconds(5), "more tea"))
    play.draw(2, 14)
    play.discard(2, 34)
    assert play.fouls == []


def test_time_given_after_the_notice_takes_it_back_and_gives_it_anew() -> None:
    play = dealt()
    play.wait(20)
    assert play.order(21, GiveTime(seconds(10), "tea")) == (
        SetLamp(Seat.ONE, lit=False),
        OverLimitClosed(Seat.ONE),
        TimeGiven(Seat.ONE, seconds(10)),
    )
    face = clocks(play.rules, play.state, moment(21)).seats[Seat.ONE]
    assert face is not None
    assert (face.total, face.remaining, face.over) == (seconds(30), seconds(9), False)
    play.wait(29.99)
    assert len(play.all_of(OverLimit)) == 1
    play.wait(30)
    assert len(play.all_of(OverLimit)) == 2


@pytest.mark.parametrize("span", [seconds(0), seconds(-1), seconds(3600.5)])
@pytest.mark.parametrize("power", [GiveTime, ExtraTime])
def test_no_time_less_time_or_hours_are_slips(
    power: Callable[..., HandCommand], span: object
) -> None:
    play = opened()
    refused = refusal(play.order(11, power(span, "a slip")))
    assert refused.code is Code.BAD_VALUE
    assert "60 minutes" in refused.reason


def test_without_a_running_clock_there_is_no_turn_to_lengthen() -> None:
    play = Play()
    play.order(1, StartHand())
    assert refusal(play.order(2, GiveTime(seconds(5), "tea"))).code is Code.WRONG_PHASE
    paused = opened()
    paused.order(11, Pause())
    assert refusal(paused.order(12, GiveTime(seconds(5), "tea"))).code is Code.WRONG_PHASE


def test_extra_time_of_a_session_adds_up_in_any_phase() -> None:
    play = Play()
    play.order(1, ExtraTime(seconds(300), "a jam"))
    play.deal(10)
    told = play.order(20, ExtraTime(seconds(120), "another"))
    assert told == (ExtraTimeGiven(seconds(120), seconds(420)),)
    play.lose_link(21)
    play.order(22, ExtraTime(seconds(60), "and another"))
    assert play.state.extra_time == seconds(480)


@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize("seat", list(Seat))
def test_a_turn_that_is_set_has_a_fresh_limit_and_charges_nobody(
    rules: TimeRules, seat: Seat
) -> None:
    play = dealt(rules)
    play.discard(1, 15)
    play.wait(80)
    effects = play.order(80, SetTurn(seat, "a claim that nobody pressed"))
    limit = rules.turn.span
    assert effects[-2:] == (
        TurnSet(seat),
        TurnStarted(seat, limit, at_order(80), presumed=False),
    )
    assert play.state.on_turn is seat
    play.discard(seat, 80 + limit.total_seconds())
    assert play.fouls == []
    assert [*play.state.missed] == [0, 0, 0, 0]
    assert play.state.on_turn is seat.lower


def test_a_set_turn_closes_the_window_and_no_call_is_late_any_more() -> None:
    play = opened()
    assert play.order(11, SetTurn(Seat.THREE, "a pung"))[0] == WindowClosed(Seat.ONE)
    play.claim(4, 19, Call.PUNG)
    play.discard(4, 21)
    assert play.fouls == []


def test_a_press_that_a_set_turn_contradicts_is_not_charged_on_its_release() -> None:
    play = dealt(holds=True)
    play.discard(1, 25)
    play.order(25.5, SetTurn(Seat.ONE, "an elbow"))
    play.release(1, 25, after=0.8)
    assert play.fouls == []


def test_the_dealer_set_on_turn_before_any_discard_has_the_first_limit() -> None:
    play = dealt()
    play.order(19, SetTurn(Seat.ONE, "the wall was put right"))
    assert isinstance(play.state.phase, Arranging)
    play.discard(1, 39)
    assert play.fouls == []


def test_another_seat_set_on_turn_while_the_dealer_arranges_has_called_its_discard() -> None:
    play = dealt()
    play.order(12, SetTurn(Seat.THREE, "a pung that nobody pressed"))
    assert isinstance(play.state.phase, Turn)
    assert play.state.phase.pool.seat is Seat.ONE


def test_after_lost_step_a_set_turn_starts_the_clocks_again() -> None:
    play = opened(holds=True)
    play.hold(4, 11)
    play.lose_link(13)
    effects = play.order(20, SetTurn(Seat.TWO, "all agree"))
    assert effects == (
        HuTakenBack(Seat.FOUR),
        PlayResumed(),
        TurnSet(Seat.TWO),
        TurnStarted(Seat.TWO, seconds(10), at_order(20), presumed=False),
    )
    play.tap(2, 30.01)
    assert len(play.fouls) == 1


def test_after_step_was_lost_in_the_deal_the_dealer_can_be_set_on_turn() -> None:
    play = dealt()
    play.lose_link(3)
    play.order(9, SetTurn(Seat.ONE, "nobody has discarded"))
    assert play.all_of(TurnStarted)[-1].limit == seconds(20)


@pytest.mark.parametrize("command", [Pause(), DrawHand()])
def test_no_turn_is_set_while_play_stands(command: HandCommand) -> None:
    play = opened()
    play.order(11, command)
    assert refusal(play.order(12, SetTurn(Seat.TWO, "x"))).code is Code.WRONG_PHASE


def test_play_can_go_on_with_what_was_left_at_the_pause() -> None:
    play = dealt(WSOM)
    play.discard(1, 20)
    play.order(31, Pause("tea"))
    start = TurnStarted(Seat.TWO, seconds(4), at_order(60), presumed=False)
    assert play.order(60, Resume(remaining=True)) == (PlayResumed(), start)
    play.discard(2, 64.01)
    assert [(foul.measured, foul.limit) for foul in play.fouls] == [
        (Elapsed(seconds(4.01), seconds(4.01)), seconds(4))
    ]


def test_what_is_left_at_a_pause_goes_by_the_most_favourable_reading() -> None:
    play = dealt(WSOM, doubt=seconds(0.1))
    play.discard(1, 20)
    play.order(30, Pause())
    play.order(60, Resume(remaining=True))
    assert play.all_of(TurnStarted)[-1].limit == seconds(5.1)


def test_nothing_is_left_of_a_limit_that_was_passed_before_the_pause() -> None:
    play = dealt(WSOM)
    play.discard(1, 20)
    play.order(50, Pause())
    play.order(60, Resume(remaining=True))
    assert play.all_of(TurnStarted)[-1].limit == seconds(0)


def test_what_was_given_is_part_of_what_is_left() -> None:
    play = dealt(WSOM)
    play.discard(1, 20)
    play.order(21, GiveTime(seconds(10), "tea"))
    play.order(30, Pause())
    play.order(60, Resume(remaining=True))
    assert play.all_of(TurnStarted)[-1].limit == seconds(15)


def test_a_restarted_hand_is_void_and_begins_at_once_under_its_number() -> None:
    play = opened()
    play.wait(14)
    assert play.order(30, RestartHand("the wrong dealer"))[-2:] == (
        HandEnded("t1-1", Result.VOID, reason="the wrong dealer"),
        HandStarted("t1-2", 1, Seat.ONE),
    )
    assert play.phase == "Arranging"


def test_between_hands_there_is_none_to_restart() -> None:
    assert refusal(Play().order(1, RestartHand("x"))).code is Code.WRONG_PHASE


def test_a_draw_is_told_with_its_reason() -> None:
    play = opened()
    ended = play.order(20, DrawHand("the wall is empty"))[-1]
    assert ended == HandEnded("t1-1", Result.DRAW, reason="the wall is empty")


def test_restrictions_are_told_for_each_seat_that_they_change() -> None:
    play = opened()
    restrictions = BySeat(FREE, DEAD, FREE, OUT)
    assert play.happens(11, Restricted(restrictions)) == (
        SeatRestricted(Seat.TWO, DEAD),
        SeatRestricted(Seat.FOUR, OUT),
    )
    assert play.happens(12, Restricted(restrictions)) == ()
    assert play.happens(12, Restricted(BySeat.all(FREE))) == (
        SeatRestricted(Seat.TWO, FREE),
        SeatRestricted(Seat.FOUR, FREE),
    )


def test_a_stand_in_plays_for_a_player_who_is_out_and_points_stay_with_the_player() -> None:
    play = opened()
    play.happens(11, Restricted(BySeat(FREE, FREE, OUT, FREE)))
    told = play.order(12, SeatStandIn(Seat.THREE, "eve", "out for the session"))
    assert told == (StandInSeated(Seat.THREE, "t1-3", "eve"),)
    assert play.state.sits(Seat.THREE) == "eve"
    assert play.state.players[Seat.THREE] == "t1-3"
    assert play.state.on_turn is Seat.TWO


@pytest.mark.parametrize("restriction", [FREE, DEAD])
def test_nobody_stands_in_for_a_player_who_is_not_out(restriction: Restriction) -> None:
    play = opened()
    play.happens(11, Restricted(BySeat.all(restriction)))
    refused = refusal(play.order(12, SeatStandIn(Seat.THREE, "eve", "tired")))
    assert refused == Refused(Code.WRONG_PHASE, "the player of seat 3 is not out")


@pytest.mark.parametrize("name", ["", "t1-1", "t1-3", "eve"])
def test_a_stand_in_is_somebody_who_does_not_play_here(name: str) -> None:
    play = opened()
    play.happens(11, Restricted(BySeat(FREE, FREE, OUT, OUT)))
    play.order(12, SeatStandIn(Seat.FOUR, "eve", "out"))
    refused = refusal(play.order(12, SeatStandIn(Seat.THREE, name, "out")))
    assert refused.code is Code.BAD_VALUE


def test_a_stand_in_leaves_when_the_ruling_is_reversed_and_when_players_are_seated() -> None:
    play = opened()
    out = Restricted(BySeat(FREE, FREE, OUT, FREE))
    play.happens(11, out)
    play.order(12, SeatStandIn(Seat.THREE, "eve", "out"))
    play.happens(13, Restricted(BySeat.all(FREE)))
    assert play.state.sits(Seat.THREE) == "t1-3"
    play.happens(14, out)
    play.order(15, SeatStandIn(Seat.THREE, "eve", "out"))
    play.order(16, DrawHand())
    players = BySeat("ann", "bo", "cy", "di")
    assert play.order(17, SeatPlayers(players)) == (PlayersSeated(players),)
    assert play.state.stand_ins == BySeat.all("")


def test_the_referee_names_winners_among_those_who_declared() -> None:
    play = opened(holds=True)
    play.hold(2, 11)
    play.hold(4, 13)
    refused = refusal(play.order(20, ConfirmHu((Seat.TWO, Seat.THREE))))
    assert refused.code is Code.BAD_VALUE
    assert refusal(play.order(20, ConfirmHu((Seat.TWO, Seat.TWO)))).code is Code.BAD_VALUE
    ended = play.order(21, ConfirmHu((Seat.FOUR,)))[-1]
    assert ended == HandEnded("t1-1", Result.HU, Seat.FOUR, (Seat.FOUR,))


def test_where_nobody_can_declare_any_winner_can_be_named() -> None:
    play = opened()
    ended = play.order(20, ConfirmHu((Seat.THREE, Seat.FOUR)))[-1]
    assert ended == HandEnded("t1-1", Result.HU, Seat.THREE, (Seat.THREE, Seat.FOUR))


def test_a_withdrawn_hu_gives_the_whole_limit_though_time_was_given_before() -> None:
    play = opened(holds=True)
    play.order(10.5, GiveTime(seconds(5), "tea"))
    play.hold(3, 11)
    assert play.order(20, WithdrawHu())[-1] == TurnStarted(
        Seat.TWO, seconds(10), at_order(20), presumed=False
    )
    assert play.all_of(TimeGiven) == [TimeGiven(Seat.TWO, seconds(5))]


def test_a_limit_that_waits_for_its_draw_can_be_lengthened_too() -> None:
    play = opened(draws=True)
    play.order(11, GiveTime(seconds(5), "tea"))
    assert play.draw(2, 12)[-1] == TurnStarted(Seat.TWO, seconds(15), exactly(12), presumed=False)
