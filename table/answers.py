"""What the core answers to input that does not fit."""

from dataclasses import dataclass
from enum import StrEnum


class Code(StrEnum):
    """Why an order was refused; the codes of docs/contract.md."""

    STALE = "stale"
    """The precondition names a revision, hand or machine state that has passed."""
    WRONG_PHASE = "wrong-phase"
    """The hand or the machine cannot do this now."""
    UNKNOWN_ALERT = "unknown-alert"
    """The table has no alert of that id."""
    HELD = "held"
    """Another referee has acknowledged the alert and the lease runs."""
    REASON_MISSING = "reason-missing"
    """The decision must be given a reason."""
    NOT_CHIEF = "not-chief"
    """The alert was put before the chief referee."""
    BAD_VALUE = "bad-value"
    """An argument is outside of what is allowed."""
    HAND_RUNNING = "hand-running"
    """Motors stay off while a hand is played."""
    DISARMED = "disarmed"
    """The event asks for a certificate that the table does not have; only stop is taken."""
    FAULT = "fault"
    """The machine has a fault: its motors take only stop, and an unfair hand needs a reason."""
    NOT_ABLE = "not-able"
    """The table has no part that does this."""
    LIFT_UNKNOWN = "lift-unknown"
    """Nobody knows where the lift stands, and a push would move it either way: see `set-lift`."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """A table event that changes nothing, and why; journalled."""

    reason: str


@dataclass(frozen=True, slots=True)
class Refused:
    """An order that is not carried out; answered to its sender and journalled."""

    code: Code
    reason: str
