"""What lamps, switches and fault codes of a machine say: its condition, and events as it changes.

Without a sense of its own a raised wall is inferred from the ready lamp going dark, and a finished
cycle from the end of cycling.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta

from drivers.modbus.functions import Sign, fault_sign
from drivers.modbus.lamps import SMOOTHING, Lamp, first_seen
from drivers.modbus.profile_outputs import FaultSign
from drivers.modbus.windows import Window, between
from table.abilities import LiftAt
from table.events import (
    Condition,
    CyclePaused,
    CycleResumed,
    CycleStarted,
    Fault,
    FaultCleared,
    FaultRaised,
    LiftSensed,
    MachineEvent,
    MachineStopped,
    Observed,
    WallRaised,
    WallReady,
)
from table.moment import ZERO, Interval, Quality

SETTLING = timedelta(seconds=2)
"""The ready lamp may follow the end of a cycle so late. House choice: else it was stopped."""
_LIT: dict[str, MachineEvent] = {
    Sign.CYCLING: CycleStarted(),
    Sign.WALL_READY: WallReady(),
    Sign.WALL_RAISED: WallRaised(),
    Sign.CYCLE_PAUSED: CyclePaused(),
    Sign.LIFT_UP: LiftSensed(LiftAt.RAISED),
    Sign.LIFT_DOWN: LiftSensed(LiftAt.LOWERED),
}
_DARK: dict[str, tuple[MachineEvent, str]] = {
    Sign.CYCLING: (WallReady(), Sign.WALL_READY),
    Sign.WALL_READY: (WallRaised(), Sign.WALL_RAISED),
    Sign.CYCLE_PAUSED: (CycleResumed(), ""),
}
"""What is inferred of a sign that ends, unless the table has a sense that says it better."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The machine of one table as its signals showed it so far."""

    lamps: Mapping[str, Lamp] = field(default_factory=dict)
    """By the function of the signal: a `Sign`, or `fault-` and a fault."""
    codes: Mapping[str, int] = field(default_factory=dict)
    """The last raw value of each signal in which a module tells faults."""
    unsettled: Interval | None = None
    """When a cycle ended of which the ready lamp has not yet said how."""
    interrupted: bool = False
    """A cycle was paused and is not yet seen to go on: its lamp may go dark meanwhile."""

    def lit(self, sign: Sign) -> bool:
        """Say whether a sign is seen; a sign that the table does not have is not."""
        lamp = self.lamps.get(sign)
        return lamp is not None and lamp.lit

    def condition(self, faults: Mapping[str, tuple[FaultSign, ...]]) -> Condition:
        """Return the machine as it is found; `faults` are the signs of each signal with codes."""
        seen = {
            fault for name, lamp in self.lamps.items() if lamp.lit and (fault := fault_sign(name))
        }
        told = {
            (event.fault, code)
            for name, code in self.codes.items()
            for event in _meant(faults.get(name, ()), code)
        }
        paused = self.lit(Sign.CYCLE_PAUSED)
        return Condition(
            self.lit(Sign.CYCLING) or paused,
            self.lit(Sign.WALL_READY),
            self.lit(Sign.WALL_RAISED),
            frozenset(seen | {fault for fault, _ in told}),
            frozenset(code for fault, code in told if fault is Fault.UNKNOWN),
            paused,
            self.lift,
        )

    @property
    def lift(self) -> LiftAt | None:
        """Where sensors see the lift; None where none does, or two say different things."""
        up, down = self.lit(Sign.LIFT_UP), self.lit(Sign.LIFT_DOWN)
        if up is down:
            return None
        return LiftAt.RAISED if up else LiftAt.LOWERED


@dataclass(frozen=True, slots=True)
class Noticed:
    """The machine after a sample, and what the sample says of it."""

    signs: Signs
    events: tuple[Observed, ...] = ()


def notice(signs: Signs, levels: Mapping[str, bool], before: Window | None, now: Window) -> Noticed:
    """Take the levels of one sample by their functions; those first seen begin and say nothing."""
    changes: dict[str, Interval] = {}
    lamps = dict(signs.lamps)
    for name in sorted(levels):
        known = lamps.get(name)
        if known is None or before is None:
            lamps[name] = first_seen(now, lit=levels[name])
            continue
        lamps[name], change = known.seen(before, now, SMOOTHING, lit=levels[name])
        if change:
            changes[name] = change
    return _told(replace(signs, lamps=lamps), changes, now)


def notice_code(
    signs: Signs,
    name: str,
    code: int,
    faults: tuple[FaultSign, ...],
    windows: tuple[Window, Window],
) -> Noticed:
    """Take the raw value of a signal that tells faults, between the last sample of it and this."""
    old = signs.codes.get(name)
    after = replace(signs, codes={**signs.codes, name: code})
    if old is None or old == code:
        return Noticed(after)
    when = between(*windows, ZERO, Quality.POLLED)
    gone = (Observed(FaultCleared(event.fault, old), when) for event in _meant(faults, old))
    return Noticed(after, (*gone, *(Observed(event, when) for event in _meant(faults, code))))


def _meant(faults: tuple[FaultSign, ...], code: int) -> Iterator[FaultRaised]:
    """Give the faults that a value means; of a list, what is not on it is unknown, 0 is none."""
    known = [sign for sign in faults if sign.value == code]
    yield from (FaultRaised(sign.fault, code, sign.text, sign.severity) for sign in known)
    if not known and code and len(faults) > 1:
        yield FaultRaised(Fault.UNKNOWN, code)


def _told(signs: Signs, changes: Mapping[str, Interval], now: Window) -> Noticed:
    events: list[Observed] = []
    if not signs.interrupted and signs.lit(Sign.CYCLE_PAUSED):
        signs = replace(signs, interrupted=True)
    for name, when in changes.items():
        event = _event(signs, name)
        if event is not None:
            events.append(Observed(event, when))
    signs = _settling(signs, changes)
    if signs.unsettled and now.asked - signs.unsettled.latest >= SETTLING:
        events.append(Observed(MachineStopped(), signs.unsettled))
        signs = replace(signs, unsettled=None, interrupted=False)
    return Noticed(signs, tuple(events))


def _event(signs: Signs, name: str) -> MachineEvent | None:
    lit = signs.lamps[name].lit
    if name == Sign.CYCLING and signs.interrupted:
        return None
    if fault := fault_sign(name):
        return FaultRaised(fault) if lit else FaultCleared(fault)
    if lit:
        return _LIT.get(name)
    inferred, better = _DARK.get(name, (None, ""))
    return None if better in signs.lamps else inferred


def _settling(signs: Signs, changes: Mapping[str, Interval]) -> Signs:
    """Wait for the ready lamp after a cycle that ended, or was resumed, without it."""
    paused = signs.lit(Sign.CYCLE_PAUSED)
    if paused or signs.lit(Sign.WALL_READY) or signs.lit(Sign.CYCLING):
        return replace(signs, unsettled=None, interrupted=paused)
    ended = changes.get(Sign.CYCLE_PAUSED) or changes.get(Sign.CYCLING)
    if ended and {Sign.WALL_READY, Sign.CYCLING} <= signs.lamps.keys():
        return replace(signs, unsettled=ended)
    return signs
