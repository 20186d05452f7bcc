"""What follows in a table, as the event the world hears of; pure.

The wire name of a kind is the class name in kebab case, its data are the fields of the class.
Spans and moments are whole microseconds in fields ending in `_us`, moments on the node's clock;
one value per seat is an object with the keys `1` to `4`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime, timedelta
from enum import Enum, StrEnum
from functools import cache
from typing import Any, TypeAlias, assert_never, get_args, get_type_hints

from mqtt.payloads import EventEnvelope
from mqtt.topics import Root
from scoring.effects import (
    AlertChanged,
    AlertDropped,
    AlertLapsed,
    AlertMarked,
    AlertRaised,
    AlertRecorded,
    DocketEffect,
    FoulRecorded,
    RulingMade,
)
from table.answers import Ignored, Refused
from table.arming import TableArmed, TableDisarmed
from table.commands import SetLamp, SoundBuzzer
from table.fouls import FoulSeen, OverrunRecorded, TooClose
from table.moment import MICROSECOND, Moment
from table.seat import BySeat
from timing.effects import (
    Barred,
    CallWithdrawn,
    Claimed,
    Discarded,
    Drawn,
    HandEnded,
    HandStarted,
    HuAnnounced,
    HuRanked,
    HuTakenBack,
    OverLimit,
    OverLimitClosed,
    PressesMissed,
    RefereeWanted,
    Replaced,
    SeatReady,
    StepLost,
    TimingEffect,
    TurnMeasured,
    TurnStarted,
    WallBroken,
    WindowClosed,
    WindowOpened,
)
from timing.machine_effects import (
    CycleMeasured,
    CycleReopened,
    CycleWentOn,
    DiceThrown,
    FaultGone,
    FaultRepeated,
    FaultReported,
    LiftPlaced,
    MachineChanged,
    PlayInDoubt,
    SendToTable,
)
from timing.order_effects import (
    CallAnswered,
    Decreed,
    ExtraTimeGiven,
    PlayersSeated,
    PlayPaused,
    PlayResumed,
    SeatRestricted,
    StandInSeated,
    TimeGiven,
    TurnSet,
)

Effect: TypeAlias = TimingEffect | DocketEffect
Plain: TypeAlias = "bool | int | str | list[Plain] | dict[str, Plain] | None"


class Audience(StrEnum):
    """Who may read a kind of event."""

    EVERYONE = "everyone"
    OFFICIALS = "officials"
    """Referees and staff: what is not decided is nobody else's business."""


@dataclass(frozen=True, slots=True)
class Described:
    """An event before it is numbered."""

    kind: str
    data: Mapping[str, Plain]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an event stands in the record of its table."""

    node: str
    table: str
    epoch: int
    seq: int
    time: datetime
    cause: str
    """`table`, `time`, `order`, `link`, `certificate` or `restart`."""
    causeid: str = ""
    """Id of the command that caused it."""
    previous: int = 0
    """The newest earlier number that everyone may read, 0 where there is none."""


def audience(effect: Effect) -> Audience | None:
    """Say who may hear of an effect, or None where it is no event of the contract.

    Signals go to the table's wire only, and a refusal changes nothing: only its sender hears of it.
    """
    match effect:
        case SoundBuzzer() | SetLamp() | SendToTable() | Refused():
            return None
        case (
            (FoulSeen() | TooClose() | OverrunRecorded() | FoulRecorded())
            | (AlertRecorded() | AlertRaised() | AlertChanged() | RulingMade() | AlertLapsed())
            | (AlertDropped() | AlertMarked() | CallWithdrawn() | PlayInDoubt() | Ignored())
        ):
            return Audience.OFFICIALS
        case (
            (HandStarted() | HandEnded() | PlayersSeated() | PlayPaused() | PlayResumed())
            | (TurnStarted() | Discarded() | TurnMeasured() | WindowOpened() | WindowClosed())
            | (Claimed() | Replaced() | Drawn() | OverLimit() | OverLimitClosed())
            | (PressesMissed() | SeatReady() | RefereeWanted() | CallAnswered() | StepLost())
            | (HuAnnounced() | HuRanked() | HuTakenBack() | Barred() | SeatRestricted())
            | (StandInSeated() | TimeGiven() | ExtraTimeGiven() | TurnSet() | Decreed())
            | (TableArmed() | TableDisarmed())
            | (WallBroken() | DiceThrown() | MachineChanged() | FaultReported() | FaultGone())
            | (FaultRepeated() | CycleMeasured() | CycleReopened() | CycleWentOn() | LiftPlaced())
        ):
            return Audience.EVERYONE
        case _:
            assert_never(effect)


def described(effect: Effect) -> Described | None:
    """Return kind and data of an effect, or None where it is no event of the contract."""
    return None if audience(effect) is None else told(effect)


def told(effect: Effect) -> Described | None:
    """Return kind and data of what people read: events and refusals, no signals to the table."""
    if isinstance(effect, SoundBuzzer | SetLamp | SendToTable):
        return None
    return Described(kind_of(type(effect)), _fields(effect))


def kind_of(effect: type[Effect]) -> str:
    """Return the wire name of a class of effects."""
    return _kebab(effect.__name__)


@cache
def _kebab(name: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower()


def envelope(event: Described, root: Root, origin: Origin) -> EventEnvelope:
    """Return the numbered message of an event."""
    return EventEnvelope(
        id=f"{origin.table}-{origin.epoch}-{origin.seq}",
        source=f"/{root.path}/node/{origin.node}",
        type=f"tablewarden.{event.kind}",
        subject=origin.table,
        time=origin.time,
        tableseq=origin.seq,
        previous=origin.previous,
        epoch=origin.epoch,
        cause=origin.cause,
        causeid=origin.causeid,
        data=dict(event.data),
    )


def field_names(owner: type) -> dict[str, str]:
    """Return the wire name of each field of a class: spans and moments say their unit."""
    return dict(_names(owner))


@cache
def _names(owner: Any) -> tuple[tuple[str, str], ...]:  # noqa: ANN401 - any dataclass
    hints = get_type_hints(owner)
    return tuple(
        (field.name, f"{field.name}_us" if _is_time(hints[field.name]) else field.name)
        for field in fields(owner)
    )


def _is_time(hint: object) -> bool:
    return not {timedelta, Moment}.isdisjoint((hint, *get_args(hint)))


def _fields(owner: Any) -> dict[str, Plain]:  # noqa: ANN401 - any dataclass
    names = _names(type(owner))  # type: ignore[arg-type] # a class is hashable
    return {wire: _plain(getattr(owner, name)) for name, wire in names}


def _plain(value: object) -> Plain:
    return _conversion(type(value))(value)  # type: ignore[arg-type] # a class is hashable


@cache
def _conversion(owner: type) -> Callable[[Any], Plain]:
    for kind, convert in _CONVERSIONS.items():
        if issubclass(owner, kind):
            return convert
    if is_dataclass(owner):
        return _fields
    message = f"{owner.__name__} has no form in the contract"
    raise TypeError(message)


_CONVERSIONS: dict[Any, Callable[[Any], Plain]] = {
    Enum: lambda member: member.value,
    bool | int | str | None: lambda value: value,
    timedelta: lambda span: span // MICROSECOND,
    Moment: lambda moment: moment.micros,
    BySeat: lambda values: {str(seat.value): _plain(value) for seat, value in values.items()},
    tuple: lambda values: [_plain(value) for value in values],
}
