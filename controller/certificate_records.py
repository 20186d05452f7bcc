"""Certificates as records of the journal, and back; nothing is ever taken out of it."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from controller.journal import Origin, Record
from controller.records import Codec
from controller.table_certificate import (
    CertificateEntered,
    CertificateRevoked,
    Deed,
    Entered,
    Revoked,
    named,
)
from table.errors import JournalError

PART = "node/"
"""What the journal calls them: the node's, whatever the node is called now."""
DEED: Codec[Deed] = Codec(Deed)
_NOBODY = Origin("")
logger = logging.getLogger(__name__)


def read_back(records: Iterable[Record]) -> dict[str, Entered]:
    """Return every certificate by its number, in the order entered.

    Raises:
        JournalError: the journal cannot be read.
    """
    entries: dict[str, Entered] = {}
    for record in records:
        try:
            deed = DEED.decode(record.effects, f"record {record.position}")
        except JournalError as error:
            logger.error("a certificate counts for nothing: %s", error)  # noqa: TRY400 - for staff
            continue
        entries = after(entries, deed, record.origin, record.utc)
    return entries


def after(
    entries: Mapping[str, Entered], deed: Deed, origin: Origin | None, utc: datetime
) -> dict[str, Entered]:
    """Return the certificates after one more deed."""
    by, time = origin or _NOBODY, utc.isoformat()
    match deed:
        case CertificateEntered(certificate=own):
            return {**entries, own.number: Entered(own, by.person, by.login, time)}
        case CertificateRevoked(number=number, reason=reason) if number in entries:
            revoked = Revoked(reason, by.person, by.login, time)
            return {**entries, number: replace(entries[number], revoked=revoked)}
        case CertificateRevoked():
            return dict(entries)


def deed_told(deed: Deed) -> str:
    """Tell what was done, in a line."""
    if isinstance(deed, CertificateRevoked):
        return f"certificate {deed.number} holds no longer: {deed.reason}"
    own = deed.certificate
    at = f" at table {own.table}" if own.table else ""
    box = named(own.model, own.serial)
    told = f"certificate {own.number} of {box}{at} holds until {own.valid_until}"
    return f"{told}; {own.limits}" if own.limits else told
