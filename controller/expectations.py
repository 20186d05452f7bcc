"""What a hand file expects of the table; each expectation looks at one moment.

The grammar with examples stands in docs/rehearsal.md, Expectations.
"""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from controller.expected_alerts import expected_alert, expected_ledger, no_alert
from controller.expected_clocks import expected_clock, expected_total, expected_window
from controller.expected_effects import ONCE, expected_once, nothing
from controller.expected_wall import expected_dead, expected_dealt, expected_thrower, expected_wall
from controller.sight import NOBODY, Check, Sight, same, seat_of, who
from table.happening import Expectation
from table.restrictions import FREE, Restriction
from table.script_words import Words
from table.seat import Seat
from timing.effects import HandEnded, HuRanked, Result
from timing.phases import Arranging, Idle, Over, Paused, Turn, Unsynced, Verifying

_PHASES: dict[str, type] = {
    "idle": Idle,
    "arranging": Arranging,
    "turn": Turn,
    "unsynced": Unsynced,
    "verifying": Verifying,
    "paused": Paused,
    "over": Over,
}
_MACHINE_PHASES = ("empty", "cycling", "ready", "raised", "fault")
_RESTRICTIONS = ("no-hu", "no-calls", "mechanical", "out")


def check_of(expectation: Expectation) -> Check:
    """Read what a line expects.

    Raises:
        ScriptError: names line, word and what is allowed.
    """
    words = Words(expectation.number, [*expectation.words])
    check = _CHECKS[words.choose("what is expected", _CHECKS)](words)
    words.end()
    return check


def _no(words: Words) -> Check:
    word = words.choose("what did not happen", (*ONCE, *_NONE))
    return _NONE.get(word) or nothing(word)


def _phase(words: Words) -> Check:
    wanted = words.choose("a phase", _PHASES)
    return same(wanted, _phase_of, "the phase is {}".format)


def _phase_of(sight: Sight) -> str:
    phase = sight.state.hand.phase
    return next(name for name, kind in _PHASES.items() if isinstance(phase, kind))


def _machine(words: Words) -> Check:
    wanted = words.choose("a phase of the machine", _MACHINE_PHASES)
    return same(wanted, lambda sight: sight.state.machine.phase_name, "the machine is {}".format)


def _turn(words: Words) -> Check:
    wanted = None if words.takes(NOBODY) else words.seat()
    return same(wanted, lambda sight: sight.state.hand.on_turn, lambda found: f"it is {who(found)}")


def _result(words: Words) -> Check:
    wanted: str = words.choose("a result", Result)
    return same(wanted, _result_of, "the result is {}".format)


def _result_of(sight: Sight) -> str:
    ended = sight.newest(HandEnded)
    return ended.result if ended else "open: no hand has ended"


def _winners(words: Words) -> Check:
    wanted = () if words.takes(NOBODY) else (words.seat(), *words.seats())
    return same(wanted, _winners_of, _all)


def _winners_of(sight: Sight) -> tuple[Seat, ...]:
    sources: tuple[type[HandEnded | HuRanked], ...] = (HandEnded, HuRanked)
    newest = sight.newest(sources)
    return newest.winners if newest else ()


def _all(seats: tuple[Seat, ...]) -> str:
    return f"it is {', '.join(map(who, seats)) or NOBODY}"


def _robbed(words: Words) -> Check:
    wanted = None if words.takes(NOBODY) else words.seat()
    return same(wanted, _robbed_of, lambda found: f"it is {who(found)}")


def _robbed_of(sight: Sight) -> Seat | None:
    ranked = sight.newest(HuRanked)
    return ranked.kong if ranked else None


def _restriction(words: Words) -> Check:
    seat, wanted = seat_of(words), _restricted(words)
    return same(wanted, lambda sight: sight.state.hand.restrictions[seat], "it is {}".format)


def _restricted(words: Words) -> Restriction:
    if words.takes("free"):
        return FREE
    said = {words.choose("a restriction", (*_RESTRICTIONS, "free"))}
    while words.left:
        said.add(words.choose("a restriction", _RESTRICTIONS))
    return Restriction(*(one in said for one in _RESTRICTIONS))


def _stand_in(words: Words) -> Check:
    seat, named = seat_of(words), words.take("who plays on, or nobody")
    wanted = "" if named == NOBODY else named
    return same(wanted, lambda sight: sight.state.hand.stand_ins[seat], "it is {!r}".format)


def _call(words: Words) -> Check:
    seat = seat_of(words)

    def check(sight: Sight) -> str | None:
        waiting = _waiting(sight)
        return None if seat in waiting else f"waiting is {', '.join(map(who, waiting)) or NOBODY}"

    return check


def _no_call(sight: Sight) -> str | None:
    return ", ".join(f"{who(seat)} waits" for seat in _waiting(sight)) or None


def _waiting(sight: Sight) -> tuple[Seat, ...]:
    return tuple(call.seat for call in sight.state.hand.calls)


def _extra_time(words: Words) -> Check:
    wanted = timedelta(minutes=words.whole("a number of minutes", range(1000)))
    return same(wanted, lambda sight: sight.state.hand.extra_time, "it is {}".format)


_NONE: dict[str, Check] = {"alert": no_alert, "call": _no_call}
_CHECKS: dict[str, Callable[[Words], Check]] = {
    **{word: partial(expected_once, word) for word in ONCE},
    "no": _no,
    "phase": _phase,
    "machine": _machine,
    "turn": _turn,
    "clock": expected_clock,
    "total": expected_total,
    "window": expected_window,
    "result": _result,
    "winners": _winners,
    "robbed": _robbed,
    "restriction": _restriction,
    "stand-in": _stand_in,
    "extra-time": _extra_time,
    "call": _call,
    "alert": expected_alert,
    "ledger": expected_ledger,
    "thrower": expected_thrower,
    "wall": expected_wall,
    "dealt": expected_dealt,
    "dead": expected_dead,
}
