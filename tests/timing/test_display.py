"""What the clocks show."""

from table.commands import Pause
from table.events import Call
from table.moment import ZERO
from table.seat import BySeat, Seat
from tests.timing.books import FROM_DISCARD, WINDOWLESS, seconds
from tests.timing.play import Play, dealt, moment, opened
from timing.display import ClockFace, Display, clocks

DARK = Display(BySeat[ClockFace | None].all(None), None)


def shown(play: Play, at: float) -> Display:
    return clocks(play.rules, play.state, moment(at))


def face(kind: str, total: float, remaining: float, *, running: bool = True) -> ClockFace:
    return ClockFace(kind, running, seconds(total), seconds(remaining), over=False)


def test_without_a_hand_all_clocks_are_dark() -> None:
    assert shown(Play(), 1) == DARK


def test_an_untimed_first_turn_shows_no_clock() -> None:
    play = Play()
    play.raise_wall(1)
    assert shown(play, 2) == DARK


def test_the_dealer_sees_the_first_limit_run() -> None:
    assert shown(dealt(), 7.5).seats == BySeat(face("first-discard", 20, 12.5), None, None, None)


def test_while_the_window_runs_the_next_clock_waits() -> None:
    display = shown(opened(), 11)
    assert display.window == face("call-window", 3, 2)
    assert display.seats[Seat.TWO] == face("turn", 10, 10, running=False)


def test_a_turn_runs_down_to_zero_and_stays_there() -> None:
    play = opened()
    play.wait(24)
    assert shown(play, 24).seats[Seat.TWO] == ClockFace(
        "turn", running=True, total=seconds(10), remaining=ZERO, over=True
    )
    assert shown(play, 24).window is None


def test_a_claimers_clock_stands_until_its_presumed_start() -> None:
    play = opened()
    play.claim(4, 11, Call.PUNG)
    assert shown(play, 12).seats[Seat.FOUR] == face("turn", 10, 10, running=False)
    assert shown(play, 13).seats[Seat.FOUR] == face("turn", 10, 10)
    assert shown(play, 14).seats[Seat.FOUR] == face("turn", 10, 9)


def test_where_limits_count_from_the_discard_window_and_turn_run_together() -> None:
    display = shown(opened(FROM_DISCARD), 11)
    assert display.seats[Seat.TWO] == face("turn", 12, 11)
    assert display.window == face("call-window", 3, 2)


def test_a_book_without_a_window_shows_none() -> None:
    assert shown(opened(WINDOWLESS), 11).window is None


def test_a_paused_clock_stands_at_its_whole_limit() -> None:
    first, later, untimed = dealt(), opened(), Play()
    untimed.raise_wall(1)
    for play in (first, later, untimed):
        play.order(15, Pause())
    assert shown(first, 50).seats[Seat.ONE] == face("first-discard", 20, 20, running=False)
    assert shown(later, 50).seats[Seat.TWO] == face("turn", 10, 10, running=False)
    assert shown(untimed, 50) == DARK


def test_while_a_hu_is_verified_the_clock_stands() -> None:
    play = opened(holds=True)
    play.hold(3, 12)
    assert shown(play, 14).seats[Seat.TWO] == face("turn", 10, 10, running=False)


def test_out_of_step_all_clocks_are_dark() -> None:
    play = opened()
    play.lose_link(11)
    assert shown(play, 12) == DARK
