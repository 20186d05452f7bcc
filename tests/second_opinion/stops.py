"""Clocks that stand: pauses, hu, and the end of the hand."""

from table import commands as orders
from table import events
from table.seat import Seat
from tests.second_opinion.acts import draw, finish, holder, press
from tests.second_opinion.hands import EXACT, GAP, HOLD, Play
from tests.second_opinion.spans import MILLISECOND, SECOND


def pause(play: Play) -> None:
    play.wait(GAP, 12 * SECOND)
    play.order(orders.Pause("tea"))
    play.wait(SECOND, 60 * SECOND)
    play.order(orders.Resume())


def pause_then_turn(play: Play) -> None:
    if play.rng.random() < 0.5:
        draw(play)
    pause(play)
    finish(play, paused=True)


def declare(play: Play, *seats: Seat) -> None:
    """Hold `discard`, several of them at about one moment."""
    whens = []
    for seat in seats:
        whens.append((seat, play.see(events.DiscardPressed(seat), play.shape())))
        play.now += play.rng.choice((0, 1, MILLISECOND, 9_000, 30_000, 200_000))
    for seat, when in whens:
        play.tell(events.Observed(events.HuDeclared(seat), when), play.now + HOLD)
    play.now += HOLD + GAP


def hu_taken_back(play: Play) -> None:
    if not play.holds:
        return
    play.wait(GAP, 9 * SECOND)
    seat = play.rng.choice(tuple(Seat))
    declare(play, seat)
    play.wait(SECOND, 30 * SECOND)
    if play.rng.random() < 0.6:
        play.order(orders.WithdrawHu())
    else:
        declare(play, seat)


def hu_then_turn(play: Play) -> None:
    hu_taken_back(play)
    finish(play, paused=True)


def hu_undone_by_a_press(play: Play) -> None:
    if not play.holds:
        return
    seat = holder(play)
    play.wait(GAP, 9 * SECOND)
    declare(play, play.rng.choice(tuple(Seat)))
    play.wait(SECOND, 30 * SECOND)
    press(play, seat)


def end(play: Play) -> None:
    rng = play.rng
    how = rng.random()
    if how < 0.1:
        play.wait(SECOND, 9 * SECOND)
        play.order(orders.VoidHand("tiles fell"))
    elif how < 0.6:
        wait_for_the_total(play)
        play.order(orders.DrawHand())
    elif play.holds:
        wait_for_the_total(play)
        declare(play, *rng.sample(winnable(play), rng.choice((1, 1, 2, 2, 3))))
        play.wait(SECOND, 20 * SECOND)
        play.order(orders.ConfirmHu())
    else:
        wait_for_the_total(play)
        play.order(orders.ConfirmHu())


def winnable(play: Play) -> list[Seat]:
    """Return who may declare; who may have drawn at the moment of the discard is left out."""
    return [seat for seat in Seat if not play.draws or seat is not holder(play)]


def wait_for_the_total(play: Play) -> None:
    """Wait until the seat on turn has used about its total, where it has one."""
    found, total = play.so_far(), play.book.total
    if total is None or found.running is None:
        play.wait(SECOND, 9 * SECOND)
        return
    used = found.used[found.running.seat]
    left = total - play.rng.choice((used.least, used.most))
    if play.rng.random() < 0.3:
        left += next(iter(play.book.per_started.values()))[1] * play.rng.choice((1, 2))
    play.wait_until(found.running.start, max(left, SECOND), EXACT)
