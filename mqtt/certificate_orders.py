"""What may be ordered of a node about the certificates of its tables; pure."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated, TypeAlias

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from mqtt.arguments import Arguments
from table.printable import printable

_Number: TypeAlias = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^\S(.*\S)?$")]
_GivenWords: TypeAlias = Annotated[str, Field(min_length=1, max_length=100, pattern=r"\S")]
_OfParts: TypeAlias = Annotated[str, Field(min_length=1, max_length=500, pattern=r"\S")]
"""Of each module of a table, one after the other."""
_Day: TypeAlias = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]


def _plain(text: str) -> str:
    """Let nothing through that would not show on a terminal or a page as it is."""
    if printable(text) != text:
        kind, sentence = "text", "must be printable text"
        raise PydanticCustomError(kind, sentence)
    return text


class CertifyArguments(Arguments):
    """What somebody who inspected a table found, for the journal."""

    number: _Number
    """Of the certificate, as its issuer counts."""
    issuer: _GivenWords
    model: _OfParts
    """As the table says it when it is connected; so are `serial` and `firmware`."""
    serial: _OfParts
    seals: list[_GivenWords] = Field(default=[], max_length=20)
    """Numbers of the seals on its parts."""
    inspected: _Day
    """Written 2026-07-01; so is `valid_until`."""
    valid_until: _Day
    """The last day on which the certificate holds."""
    note: str = Field(default="", max_length=500)
    firmware: str = Field(default="", max_length=500)
    """Another one ends the certificate; empty where any will do."""
    table: str = Field(default="", max_length=100)
    """The id of the table that was inspected; at another one the certificate does not hold. Empty
    where the box may be at any."""

    @field_validator("number", "issuer", "model", "serial", "note", "firmware", "table")
    @classmethod
    def _printable(cls, text: str) -> str:
        return _plain(text)

    @field_validator("seals")
    @classmethod
    def _printable_seals(cls, seals: list[str]) -> list[str]:
        return [_plain(seal) for seal in seals]

    @field_validator("inspected", "valid_until")
    @classmethod
    def _in_the_calendar(cls, day: str) -> str:
        try:
            date.fromisoformat(day)
        except ValueError as error:
            kind, sentence = "day", "must be a day of the calendar"
            raise PydanticCustomError(kind, sentence) from error
        return day

    @field_validator("valid_until")
    @classmethod
    def _after_the_inspection(cls, day: str, others: ValidationInfo) -> str:
        if day < others.data.get("inspected", day):
            kind, sentence = "day", "must not lie before the inspection"
            raise PydanticCustomError(kind, sentence)
        return day


class RevokeArguments(Arguments):
    """Which certificate holds no longer, and why."""

    number: _Number
    reason: Annotated[str, Field(min_length=1, max_length=500, pattern=r"\S")]


@dataclass(frozen=True, slots=True)
class CertificateVerb:
    """One verb; it needs no precondition, as a number is used once and revoked once."""

    does: str
    """One sentence for the page of the contract."""
    arguments: type[CertifyArguments] | type[RevokeArguments]


CERTIFICATE_VERBS: dict[str, CertificateVerb] = {
    "certify": CertificateVerb(
        "Enter the certificate of a table into the node's journal.", CertifyArguments
    ),
    "revoke-certificate": CertificateVerb(
        "A certificate holds no longer; it stays in the journal.", RevokeArguments
    ),
}
"""Verbs of a node that concern its journal of certificates, by name."""


@dataclass(frozen=True, slots=True)
class CertificateOrder:
    """An order about certificates that is well formed."""

    id: str
    login: str
    """As the broker knows the sender."""
    person: str
    """As the sender authenticated it."""
    verb: str
    arguments: CertifyArguments | RevokeArguments
    node: str
    reply_topic: str
    expiry_seconds: int | None
    """What was left of it when the broker handed the message on."""
    table: str = ""
    """No table is meant by its name."""
