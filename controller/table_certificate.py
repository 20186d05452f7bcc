"""Certificates of tables: what is written down of each, and what it says of a table; pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TypeAlias

from drivers.port import Identity

REMIND_DAYS = (30, 7, 1)
"""So many days before its end a certificate is reminded of."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What somebody who inspected a table found."""

    number: str
    issuer: str
    model: str
    serial: str
    """Of the table's box, as it says itself when it is connected."""
    seals: tuple[str, ...]
    inspected: str
    """A day, written 2026-07-01; so are all days here."""
    valid_until: str
    """The last day on which it holds."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Entered:
    """A certificate in the journal: who entered it and when, and who revoked it."""

    certificate: Certificate
    person: str
    login: str
    time: str
    """UTC, as the journal has it."""
    revoked: "Revoked | None" = None


@dataclass(frozen=True, slots=True)
class Revoked:
    """That a certificate holds no longer."""

    reason: str
    person: str
    login: str
    time: str


@dataclass(frozen=True, slots=True)
class CertificateEntered:
    """Somebody entered a certificate."""

    certificate: Certificate


@dataclass(frozen=True, slots=True)
class CertificateRevoked:
    """Somebody said that a certificate holds no longer."""

    number: str
    reason: str


Deed: TypeAlias = CertificateEntered | CertificateRevoked


class Policy(StrEnum):
    """What an event makes of certificates."""

    REQUIRED = "required"
    """A table without a certificate that holds is disarmed."""
    WARN = "warn"
    """Staff are told, the table is played."""
    OFF = "off"


class Status(StrEnum):
    """How a table stands with its certificate."""

    UNSEEN = "unseen"
    """The table was not connected since the start."""
    CERTIFIED = "certified"
    UNCERTIFIED = "uncertified"
    CHANGED = "changed"
    """What the table says of itself is not what the certificate says."""
    EXPIRED = "expired"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True)
class Standing:
    """What the certificates say of a table today."""

    status: Status
    reason: str
    """Why it does not hold, in a sentence; empty where it does."""
    number: str = ""
    """Of the certificate in question."""
    valid_until: str = ""
    days_left: int | None = None
    """0 on the last day; None where no certificate holds."""
    remark: str = ""
    """What contradicts the certificate without making it void."""

    @property
    def notice(self) -> str:
        """Say everything that staff should know; empty where all is well."""
        return ". ".join(filter(None, (self.reason, self.reminder, self.remark)))

    @property
    def reminder(self) -> str:
        """Say that the certificate soon ends; empty where there is time."""
        if self.days_left is None or self.days_left > REMIND_DAYS[0]:
            return ""
        when = f"in {self.days_left} days" if self.days_left > 1 else "tomorrow"
        when = when if self.days_left else "today"
        return f"certificate {self.number} ends {when}, on {self.valid_until}"


def standing(entries: Iterable[Entered], identity: Identity | None, today: date) -> Standing:
    """Return what the certificates say of a table.

    Args:
        entries: everything that was entered, revoked ones too.
        identity: who the table said it is when it was connected; None if it never was.
        today: the day at the venue.
    """
    if identity is None:
        return Standing(
            Status.UNSEEN, "the table was not connected yet, so nobody knows which it is"
        )
    known = tuple(entries)
    if (swapped := _others(known, identity)) is not None:
        return swapped
    own = [one for one in known if one.certificate.serial == identity.serial]
    if not own:
        reason = f"no certificate was entered for {_box(identity)}"
        return Standing(Status.UNCERTIFIED, reason)
    return _of(_foremost(own, today), identity, today)


def disarming(policy: Policy, stands: Standing) -> str:
    """Return why a table is disarmed, empty where it is not."""
    return stands.reason if policy is Policy.REQUIRED else ""


def _others(entries: tuple[Entered, ...], identity: Identity) -> Standing | None:
    """Say that the certificate which a table names is another table's."""
    named = [one.certificate for one in entries if one.certificate.number == identity.certificate]
    if not named or any(one.serial == identity.serial for one in named):
        return None
    number, serial = named[0].number, named[0].serial
    reason = (
        f"{_box(identity)} names certificate {number}, which is that of {serial}: were two swapped?"
    )
    return Standing(Status.CHANGED, reason, number, named[0].valid_until)


def _foremost(own: list[Entered], today: date) -> Entered:
    """Return the certificate that counts: one that holds before others, then the one that lasts."""

    def rank(one: Entered) -> tuple[bool, bool, str, str]:
        until = one.certificate.valid_until
        holds = one.revoked is None
        return holds and until >= today.isoformat(), holds, until, one.time

    return max(own, key=rank)


def _of(entered: Entered, identity: Identity, today: date) -> Standing:
    own = entered.certificate
    left = (date.fromisoformat(own.valid_until) - today).days
    status, reason = Status.CERTIFIED, ""
    if own.model != identity.model:
        status = Status.CHANGED
        reason = f"certificate {own.number} is for model {own.model}, the table is {_box(identity)}"
    elif entered.revoked is not None:
        status = Status.REVOKED
        reason = f"certificate {own.number} of {own.serial} was revoked: {entered.revoked.reason}"
    elif left < 0:
        status = Status.EXPIRED
        reason = f"certificate {own.number} of {own.serial} ended on {own.valid_until}"
    remark = ""
    if identity.certificate not in {"", own.number}:
        remark = (
            f"{_box(identity)} names certificate {identity.certificate}; entered is {own.number}"
        )
    certified = status is Status.CERTIFIED
    return Standing(
        status, reason, own.number, own.valid_until, left if certified else None, remark
    )


def _box(identity: Identity) -> str:
    return f"{identity.model} {identity.serial}"
