"""What a referee says in a hand file; the grammar with examples stands in docs/rehearsal.md."""

from collections.abc import Callable
from datetime import timedelta

from table import alert_commands, commands
from table.abilities import LiftAt
from table.fouls import FoulKind
from table.happening import Official, OfficialCommand, RefereeOrders, RefereeRules, RulingVerb
from table.script_words import Words
from table.seat import BySeat

_DIE = range(1, 7)


def referee_says(words: Words, by: Official) -> RefereeOrders | RefereeRules:
    """Read what a referee, or the chief referee, says.

    Raises:
        ScriptError: a word is none that may stand there.
    """
    said = words.choose("what a referee says", (*_ORDERS, *RulingVerb))
    if said in _ORDERS:
        return RefereeOrders(_ORDERS[said](words), by)
    return _ruling(words, RulingVerb(said), by)


def _resume(words: Words) -> commands.Resume:
    return commands.Resume(remaining=words.takes("remaining"))


def _give_time(words: Words) -> commands.GiveTime:
    seconds = words.whole("a number of seconds", range(1, 601))
    return commands.GiveTime(timedelta(seconds=seconds), words.sentence("the reason"))


def _extra_time(words: Words) -> commands.ExtraTime:
    minutes = words.whole("a number of minutes", range(1, 61))
    return commands.ExtraTime(timedelta(minutes=minutes), words.sentence("the reason"))


def _set_turn(words: Words) -> commands.SetTurn:
    return commands.SetTurn(words.seat(), words.sentence("the reason"))


def _stand_in(words: Words) -> commands.SeatStandIn:
    seat, player = words.seat(), words.take("who plays on")
    return commands.SeatStandIn(seat, player, words.sentence("the reason"))


def _seat_players(words: Words) -> commands.SeatPlayers:
    return commands.SeatPlayers(BySeat.of(lambda seat: words.take(f"the player of seat {seat}")))


def _dice(words: Words) -> commands.EnterDice:
    throw = words.whole("a throw", range(1, 3))
    return commands.EnterDice(throw, (words.whole("a die", _DIE), words.whole("a die", _DIE)))


def _enter_foul(words: Words) -> alert_commands.EnterFoul:
    kind = FoulKind(words.choose("a foul", FoulKind))
    return alert_commands.EnterFoul(kind, words.seat(), words.remark())


_ORDERS: dict[str, Callable[[Words], OfficialCommand]] = {
    "start-hand": lambda words: commands.StartHand(words.remark()),
    "end-deal": lambda _: commands.EndDeal(),
    "pause": lambda words: commands.Pause(words.remark()),
    "resume": _resume,
    "give-time": _give_time,
    "extra-time": _extra_time,
    "set-turn": _set_turn,
    "confirm-hu": lambda words: commands.ConfirmHu(words.seats()),
    "withdraw-hu": lambda _: commands.WithdrawHu(),
    "draw-hand": lambda words: commands.DrawHand(words.remark()),
    "void-hand": lambda words: commands.VoidHand(words.sentence("the reason")),
    "restart-hand": lambda words: commands.RestartHand(words.sentence("the reason")),
    "stand-in": _stand_in,
    "seat-players": _seat_players,
    "answer-call": lambda words: commands.AnswerCall(words.seat()),
    "dice": _dice,
    "shuffle": lambda _: commands.Shuffle(),
    "lift": lambda _: commands.Lift(),
    "roll-dice": lambda _: commands.RollDice(),
    "set-lift": lambda words: commands.SetLift(LiftAt(words.choose("a position", LiftAt))),
    "pause-cycle": lambda _: commands.PauseCycle(),
    "resume-cycle": lambda _: commands.ResumeCycle(),
    "stop": lambda _: commands.Stop(),
    "enter-foul": _enter_foul,
}
_NEED_NO_REASON = frozenset({RulingVerb.ACKNOWLEDGE, RulingVerb.CONFIRM, RulingVerb.UNDO})


def _ruling(words: Words, verb: RulingVerb, by: Official) -> RefereeRules:
    named = words.take("the alert (last, or its id)")
    alert = None if named == "last" else named
    if verb in _NEED_NO_REASON:
        return RefereeRules(verb, alert, by=by)
    if verb is RulingVerb.TAKE_UP:
        objector = words.seat() if words.takes("objector") else None
        return RefereeRules(verb, alert, objector=objector, by=by)
    if verb is RulingVerb.MODIFY:
        sanction = words.sanction()
        return RefereeRules(verb, alert, sanction, words.sentence("the reason"), by=by)
    wanted = "the text" if verb is RulingVerb.NOTE else "the reason"
    return RefereeRules(verb, alert, reason=words.sentence(wanted), by=by)
