"""Certificates of tables: what is written down of each, and what it says of a table; pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TypeAlias

from drivers.port import JOINED, Identity, without_number

REMIND_DAYS = (30, 7, 1)
"""So many days before its end a certificate is reminded of."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What somebody who inspected a table found."""

    number: str
    issuer: str
    model: str
    serial: str
    """Of the table's box or its modules, as they say themselves when they are connected."""
    seals: tuple[str, ...]
    inspected: str
    """A day, written 2026-07-01; so are all days here."""
    valid_until: str
    """The last day on which it holds."""
    note: str = ""
    firmware: str = ""
    """Of the box when it was inspected; empty where any will do."""
    table: str = ""
    """The table that was inspected; empty where the box may be at any."""

    @property
    def limits(self) -> str:
        """Say what it cannot vouch for; empty where every part tells a serial number."""
        without, parts = without_number(self.serial)
        if not without:
            return ""
        which = "no module tells a" if without == parts else f"{without} of {parts} modules tell no"
        return (
            f"{which} serial number: bound to its place, so a swap of such boxes is not noticed by"
            " itself; look at the seals"
        )


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


def standing(
    entries: Iterable[Entered], identity: Identity | None, today: date, table: str
) -> Standing:
    """Return what the certificates say of a table.

    Args:
        entries: everything that was entered, revoked ones too.
        identity: who the table said it is when it was connected; None if it never was.
        today: the day at the venue.
        table: its id.
    """
    if identity is None:
        return Standing(
            Status.UNSEEN, "the table was not connected yet, so nobody knows which it is"
        )
    known = tuple(entries)
    if (swapped := _others(known, identity)) is not None:
        return swapped
    own = [one for one in known if one.certificate.serial == identity.serial]
    if own:
        return _of(_foremost(own, today, table), identity, today, table)
    if here := [one for one in known if one.certificate.table == table]:
        return _another(_foremost(here, today, table).certificate, identity)
    return Standing(Status.UNCERTIFIED, f"no certificate was entered for {_box(identity)}")


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


def _another(own: Certificate, identity: Identity) -> Standing:
    """Say that what is connected here is not what was inspected here."""
    inspected = named(own.model, own.serial)
    reason = (
        f"certificate {own.number} of this table is for {inspected}, the table is"
        f" {_box(identity)}: were two swapped?"
    )
    return Standing(Status.CHANGED, reason, own.number, own.valid_until)


def _foremost(own: list[Entered], today: date, table: str) -> Entered:
    """Return the certificate that counts.

    One of this table comes before those of others, one that holds before those that do not, then
    the one that lasts longest.
    """

    def rank(one: Entered) -> tuple[bool, bool, bool, str, str]:
        here, until = one.certificate.table in {"", table}, one.certificate.valid_until
        holds = one.revoked is None
        return here, holds and until >= today.isoformat(), holds, until, one.time

    return max(own, key=rank)


def _of(entered: Entered, identity: Identity, today: date, table: str) -> Standing:
    own = entered.certificate
    left = (date.fromisoformat(own.valid_until) - today).days
    status, reason = _wrong(entered, identity, left, table)
    remark = ""
    if identity.certificate not in {"", own.number}:
        remark = (
            f"{_box(identity)} names certificate {identity.certificate}; entered is {own.number}"
        )
    certified = status is Status.CERTIFIED
    return Standing(
        status, reason, own.number, own.valid_until, left if certified else None, remark
    )


def _wrong(entered: Entered, identity: Identity, left: int, table: str) -> tuple[Status, str]:
    """Say why a certificate of this box does not hold; nothing is said where it does."""
    own, box = entered.certificate, _box(identity)
    if own.table not in {"", table}:
        told = f"{box} has certificate {own.number}, which is that of table {own.table}"
        return Status.CHANGED, f"{told}: were two swapped?"
    if own.model != identity.model:
        told = f"certificate {own.number} is for model {own.model}, the table is {box}"
        return Status.CHANGED, told
    if own.firmware not in {"", identity.firmware}:
        told = f"certificate {own.number} is for firmware {own.firmware} of {box}"
        return Status.CHANGED, f"{told}, which has {identity.firmware or 'told none'} now"
    if entered.revoked is not None:
        told = f"certificate {own.number} of {own.serial} was revoked: {entered.revoked.reason}"
        return Status.REVOKED, told
    if left < 0:
        return (
            Status.EXPIRED,
            f"certificate {own.number} of {own.serial} ended on {own.valid_until}",
        )
    return Status.CERTIFIED, ""


def named(model: str, serial: str) -> str:
    """Return a box or the modules of a table, for people."""
    return f"{model} ({serial})" if JOINED in serial else f"{model} {serial}"


def _box(identity: Identity) -> str:
    return named(identity.model, identity.serial)
