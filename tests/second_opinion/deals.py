"""How a hand begins: the deal, opening flowers, and the dealer's first discard."""

from table import commands as orders
from table import events
from table.events import Call
from table.seat import Seat
from tests.second_opinion.acts import give, press
from tests.second_opinion.hands import Play
from tests.second_opinion.mishaps import early_draw
from tests.second_opinion.spans import SECOND
from tests.second_opinion.stops import hu_taken_back, pause

DEALER = Seat.ONE


def deal(play: Play) -> None:
    """Begin, arrange, and let the dealer discard."""
    begin(play)
    if play.book.opening_flowers:
        flowers(play)
    if play.rng.random() < 0.1:
        shape = play.shape()
        play.think(shape)
        play.claim(DEALER, Call.KONG, shape)
    for happens, chance in ((pause, 0.05), (give, 0.05), (hu_taken_back, 0.03)):
        if play.rng.random() < chance:
            happens(play)
    first_discard(play)


def begin(play: Play) -> None:
    """Say that the hand begins, mostly, and that the deal has ended; one of both is enough."""
    rng = play.rng
    begun = rng.random()
    if begun < 0.4:
        play.order(orders.StartHand())
    elif begun < 0.8:
        play.see(events.WallRaised(), play.shape())
    play.wait(SECOND, 20 * SECOND)
    if begun < 0.4 and rng.random() < 0.1:
        return
    if rng.random() < 0.8:
        play.see(events.DealEnded(), play.shape())
    else:
        play.order(orders.EndDeal())


def flowers(play: Play) -> None:
    for _ in range(play.rng.choice((0, 0, 1, 2, 3))):
        play.wait(SECOND, 6 * SECOND)
        call = play.rng.choice((Call.FLOWER, None))
        play.claim(play.rng.choice(tuple(Seat)), call, play.shape())


def first_discard(play: Play) -> None:
    """Discard, or forget to press so that another seat's press shows it."""
    if play.draws and not play.book.opening_flowers and play.rng.random() < 0.05:
        early_draw(play)
    elif play.rng.random() < 0.06:
        play.wait(SECOND, 30 * SECOND)
        press(play, DEALER.after(play.rng.choice((1, 2, 3))))
    else:
        shape = play.shape()
        play.think(shape)
        play.press(DEALER, shape)
