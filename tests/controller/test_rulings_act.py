"""Rulings that act at the table: dead hands, void hands, stand-ins, and fouls that are entered."""

from controller.table_core import TableRules
from scoring.alert import AlertStatus
from scoring.effects import AlertChanged, AlertRaised, RulingMade
from table.alert_commands import Confirm, EnterFoul, Modify, Reverse, Undo
from table.answers import Code, Refused
from table.commands import DrawHand, Precondition, SeatPlayers, SeatStandIn
from table.events import DealEnded, DiscardPressed, WallRaised
from table.fouls import FoulKind
from table.restrictions import FREE, Restriction
from table.sanctions import Measure, measure
from table.seat import BySeat, Seat
from tests.controller.pure_table import Table, only
from tests.scoring import cases
from tests.timing.books import JINGJI, JINGJI_WALL
from timing.effects import Discarded, HandEnded, HandStarted, Result
from timing.order_effects import Decreed, SeatRestricted
from timing.phases import Over

DEAD = Restriction(no_hu=True)
OUT = Restriction(no_hu=True, no_calls=True, mechanical=True, out=True)
PLAYERS = BySeat("ann", "bo", "cy", "di")


def playing(rules: TableRules | None = None) -> Table:
    """Return a table at which seat 2 is on turn."""
    table = Table(rules) if rules else Table()
    table.order(0, SeatPlayers(PLAYERS))
    table.sees(1, DealEnded())
    table.sees(5, DiscardPressed(Seat.ONE))
    return table


def entered(table: Table, kind: FoulKind, seat: Seat, at: float = 6) -> str:
    """Have a referee enter a foul, and return its alert."""
    return only(table.order(at, EnterFoul(kind, seat)), AlertRaised).alert.id


def test_a_foul_that_is_entered_is_kept_for_whoever_entered_it() -> None:
    table = playing()
    raised = only(table.order(6, EnterFoul(FoulKind.FALSE_HU, Seat.TWO, "7 fan")), AlertRaised)
    alert = raised.alert
    assert (alert.id, alert.player, alert.players) == ("t1-1-r1", "bo", PLAYERS)
    assert (alert.status, alert.holder) == (AlertStatus.ACKNOWLEDGED, "referee-1")
    assert (alert.foul.entered_by, alert.foul.remark) == ("referee-1", "7 fan")


def test_before_any_hand_no_foul_can_be_entered() -> None:
    refused = only(Table().order(0, EnterFoul(FoulKind.FALSE_HU, Seat.TWO)), Refused)
    assert refused.code is Code.WRONG_PHASE
    stale = only(
        playing().order(6, EnterFoul(FoulKind.FALSE_HU, Seat.TWO), Precondition("t1-9")), Refused
    )
    assert stale.code is Code.STALE


def test_a_dead_hand_is_told_in_the_same_step_and_ends_with_its_hand() -> None:
    table = playing()
    alert = entered(table, FoulKind.WRONG_MELD, Seat.TWO)
    effects = table.order(7, Confirm(alert, 1))
    told = only(effects, SeatRestricted)
    assert told == SeatRestricted(Seat.TWO, DEAD)  # mcr-2014 art. 11: 停和
    assert effects.index(told) > effects.index(only(effects, RulingMade))
    assert table.state.hand.restrictions == BySeat(FREE, DEAD, FREE, FREE)
    table.order(8, DrawHand())
    began = table.sees(30, DealEnded())
    assert only(began, SeatRestricted) == SeatRestricted(Seat.TWO, FREE)
    assert began.index(only(began, HandStarted)) < began.index(only(began, SeatRestricted))


def test_a_reversal_and_an_undo_free_the_seat_again() -> None:
    for back in (Reverse("t1-1-r1", 2, "wrong seat"), Undo("t1-1-r1", 2)):
        table = playing()
        table.order(7, Confirm(entered(table, FoulKind.WRONG_MELD, Seat.TWO), 1))
        assert only(table.order(8, back), SeatRestricted) == SeatRestricted(Seat.TWO, FREE)


def test_a_ruling_that_voids_the_hand_ends_it_in_the_name_of_the_referee() -> None:
    table = playing()
    alert = entered(table, FoulKind.HAND_OR_WALL_DISTURBED, Seat.THREE)
    effects = table.order(7, Confirm(alert, 1))
    decreed, ended = only(effects, Decreed), only(effects, HandEnded)
    assert (decreed.order, decreed.person) == ("void-hand", "referee-1")
    assert (ended.hand, ended.result) == ("t1-1", Result.VOID)
    assert effects.index(only(effects, RulingMade)) < effects.index(decreed)
    assert isinstance(table.state.hand.phase, Over)
    table.sees(30, DealEnded())
    dealer = table.state.hand.dealer
    assert only(table.sees(34, DiscardPressed(dealer)), Discarded).seat is dealer


def test_a_ruling_on_an_earlier_hand_voids_nothing() -> None:
    table = playing()
    alert = entered(table, FoulKind.HAND_OR_WALL_DISTURBED, Seat.THREE)
    table.order(7, DrawHand())
    table.sees(30, DealEnded())
    revision = table.state.docket.alerts[alert].revision
    effects = table.order(31, Confirm(alert, revision))
    assert not any(isinstance(one, HandEnded) for one in effects)


def out_for_the_session() -> Table:
    table = playing(TableRules(JINGJI, cases.JINGJI, JINGJI_WALL))
    alert = entered(table, FoulKind.EARLY_DRAW, Seat.TWO)
    out = Modify(alert, 1, measure(Measure.OUT_FOR_SESSION), "third time")
    assert only(table.order(7, out), SeatRestricted) == SeatRestricted(Seat.TWO, OUT)
    return table


def test_who_is_out_stays_out_in_the_next_hand_and_a_stand_in_plays_on() -> None:
    table = out_for_the_session()
    table.order(8, SeatStandIn(Seat.TWO, "eve", "bo is out"))
    assert table.state.hand.sits(Seat.TWO) == "eve"
    table.order(9, DrawHand())
    table.sees(30, WallRaised())
    assert table.state.hand.restrictions[Seat.TWO] == OUT


def test_a_restriction_follows_the_player_to_another_seat() -> None:
    table = out_for_the_session()
    table.order(9, DrawHand())
    effects = table.order(10, SeatPlayers(BySeat("bo", "ann", "cy", "di")))
    told = [one for one in effects if isinstance(one, SeatRestricted)]
    assert told == [SeatRestricted(Seat.ONE, OUT), SeatRestricted(Seat.TWO, FREE)]


def test_a_foul_of_a_stand_in_is_the_stand_ins_and_payments_are_the_players() -> None:
    table = out_for_the_session()
    table.order(8, SeatStandIn(Seat.TWO, "eve", "bo is out"))
    raised = only(table.order(9, EnterFoul(FoulKind.FALSE_HU, Seat.TWO)), AlertRaised)
    assert (raised.alert.player, raised.alert.others) == ("eve", ("ann", "cy", "di"))
    other = only(table.order(9, EnterFoul(FoulKind.FALSE_HU, Seat.ONE)), AlertRaised)
    assert other.alert.others == ("bo", "cy", "di")  # points stay with the player


def test_undo_puts_an_alert_back_before_its_referee() -> None:
    table = playing()
    table.order(7, Confirm(entered(table, FoulKind.FALSE_HU, Seat.TWO), 1))
    undone = only(table.order(8, Undo("t1-1-r1", 2)), RulingMade).alert
    assert (undone.status, undone.holder) == (AlertStatus.ACKNOWLEDGED, "referee-1")
    assert table.state.docket.undecided == ("t1-1-r1",)
    released = only(table.order(68, DrawHand()), AlertChanged).alert
    assert released.status is AlertStatus.OPEN
