"""Scripts, loads and hands without end, as deeds at their moments."""

from datetime import timedelta
from itertools import islice
from random import Random

from simulator.deeds import Cue, Deed, Key, Sense, Touch
from simulator.habits import HABITS
from simulator.players import Players
from simulator.plays import EvenLoad, Hands, Play, WrittenHand
from table.events import Call, DealEnded, TileDrawn, WallRaised, WallReady
from table.happening import BoxReboot, Input, WireCut
from table.moment import Moment
from table.script import read_script
from table.seat import BySeat, Seat

BEGIN = Moment(5_000_000)


def after(seconds: float) -> Moment:
    return BEGIN + timedelta(seconds=seconds)


def deeds(play: Play, until: Moment) -> list[Deed]:
    done = []
    while (at := play.wake_at()) is not None and at <= until:
        done.append(play.next_deed())
        assert done[-1].at == at
    return done


def test_a_written_hand_is_played_to_the_microsecond_between_its_cues() -> None:
    play = WrittenHand(
        read_script(
            """
            0 referee start-hand
            1 table deal-ended
            2.000001 seat 3 claim pung
            2.05 seat 2 draw
            3 table cut 1.5
            5 table reboot
            6 seat 1 hold discard
            9 referee confirm-hu
            """
        )
    )
    assert play.wake_at() is None
    play.begin(BEGIN)
    claim = Touch(Seat.THREE, Input.CLAIM, down=True, call=Call.PUNG)
    hold = Touch(Seat.ONE, Input.DISCARD, down=True)
    assert deeds(play, after(99)) == [
        Deed(BEGIN, Cue.STARTED),
        Deed(after(1), Sense(DealEnded())),
        Deed(after(2.000001), claim),
        Deed(after(2.05), Sense(TileDrawn(Seat.TWO))),
        Deed(after(2.080001), Touch(Seat.THREE, Input.CLAIM, down=False, call=Call.PUNG)),
        Deed(after(3), WireCut(timedelta(seconds=1.5))),
        Deed(after(5), BoxReboot()),
        Deed(after(6), hold),
        Deed(after(7.2), Touch(Seat.ONE, Input.DISCARD, down=False)),
        Deed(after(9), Cue.ENDED),
    ]
    assert play.wake_at() is None


def test_the_even_load_is_a_discard_each_3_s_and_a_claim_each_12_s() -> None:
    play = EvenLoad(timedelta(seconds=1))
    play.begin(BEGIN)
    done = deeds(play, after(1 + 120 + 2))
    downs = [deed.act for deed in done if isinstance(deed.act, Touch) and deed.act.down]
    assert sum(touch.input is Input.DISCARD for touch in downs) == 40
    assert sum(touch.input is Input.CLAIM for touch in downs) == 10
    assert [deed.at for deed in done] == sorted(deed.at for deed in done)
    assert done[0] == Deed(after(1), Sense(DealEnded()))


def test_whoever_claimed_in_the_even_load_discards_next() -> None:
    play = EvenLoad(timedelta(0))
    play.begin(BEGIN)
    downs = [
        deed.act for deed in deeds(play, after(60)) if isinstance(deed.act, Touch) and deed.act.down
    ]
    claims = [index for index, touch in enumerate(downs) if touch.input is Input.CLAIM]
    for index in claims[:-1]:
        assert downs[index].seat is downs[index + 1].seat
        assert downs[index].seat is not downs[index - 1].seat


def test_hands_follow_each_other_with_the_next_dealer_each_time_a_wall_comes_up() -> None:
    players = Players(Random(4), BySeat(*islice(HABITS.values(), 4)), draws=False)
    play = Hands(players)
    play.begin(BEGIN)
    assert [deed.act for deed in deeds(play, after(60))] == [Key.START]
    dealers = []
    raised_at = after(60)
    for _ in range(5):
        play.notice(WallReady(), raised_at)
        assert play.wake_at() is None
        play.notice(WallRaised(), raised_at)
        done = deeds(play, raised_at + timedelta(hours=1))
        dealers.append(
            next(deed.act.seat for deed in done if isinstance(deed.act, Touch) and deed.act.down)
        )
        assert done[-1].act is Key.START
        raised_at = done[-1].at + timedelta(seconds=4)
    assert dealers == [Seat.ONE, Seat.TWO, Seat.THREE, Seat.FOUR, Seat.ONE]


def test_a_wall_that_comes_up_in_the_middle_of_a_hand_begins_no_other() -> None:
    play = Hands(Players(Random(4), BySeat.all(HABITS["quick"]), draws=False))
    play.begin(BEGIN)
    play.next_deed()
    play.notice(WallRaised(), BEGIN)
    first = play.wake_at()
    play.notice(WallRaised(), after(1))
    assert play.wake_at() == first


def test_taps_of_a_written_hand_last_as_long_as_they_are_told_to() -> None:
    play = WrittenHand(read_script("1 seat 3 discard"), timedelta(milliseconds=450))
    play.begin(BEGIN)
    assert Deed(after(1.45), Touch(Seat.THREE, Input.DISCARD, down=False)) in deeds(play, after(9))
