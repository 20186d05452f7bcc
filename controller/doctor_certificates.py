"""How each table stands with its certificate, as the doctor tells it."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from getpass import getuser
from pathlib import Path

from config.models import Settings
from controller.certificate_command import entered
from controller.doctor_findings import Finding, failed, ok, warning
from controller.node_caller import caller, meta_of
from controller.table_certificate import Entered, Policy, Standing, Status, standing
from drivers.port import Identity
from table.errors import BrokerError, JournalError

_ADVICE = {
    Status.UNCERTIFIED: "have it inspected, then `tablewarden certificate add --table {table} …`",
    Status.CHANGED: (
        "look at the table, its boxes and seals; if all is right, have it inspected and enter a"
        " certificate anew"
    ),
    Status.EXPIRED: "have it inspected, and enter the new certificate",
    Status.REVOKED: "have it inspected, and enter the new certificate",
}


async def examine_certificates(
    settings: Settings, seen: Mapping[str, Identity], today: date, *, ask: bool
) -> list[Finding]:
    """Hold every table against the certificates in the journal; nothing where none are looked at.

    Args:
        settings: what the node is told.
        seen: who the tables are that were asked just now.
        today: the day at the venue.
        ask: whether the broker may be asked who the others were when they were last connected.
    """
    policy = Policy(settings.event.certificates)
    if policy is Policy.OFF:
        return []
    try:
        entries = entered(settings) if _begun(settings.node.journal_file) else ()
    except JournalError as error:
        return [failed("certificates", str(error), "see the log: journalctl -u tablewarden")]
    unseen = [table for table in settings.tables if table not in seen]
    told = await asyncio.gather(*(_told(settings, table) for table in unseen if ask))
    known = {**seen, **{table: who for table, who in zip(unseen, told, strict=False) if who}}
    stands = {table: standing(entries, known.get(table), today, table) for table in settings.tables}
    return [one for table, how in stands.items() for one in _of(table, how, policy, entries)]


def _begun(journal: Path) -> bool:
    """Say whether there is a journal, or one that cannot be looked at."""
    try:
        journal.stat()
    except FileNotFoundError:
        return False
    except OSError:
        pass  # the reader tells why
    return True


async def _told(settings: Settings, table: str) -> Identity | None:
    """Return who a table was when it was last connected; None where nobody knows."""
    try:
        meta = await meta_of(settings, caller(settings, getuser()), table)
    except BrokerError:
        return None
    who = Identity(meta.vendor, meta.model, meta.serial, meta.firmware, meta.certificate)
    return who if meta.model else None


def _of(
    table: str, stands: Standing, policy: Policy, entries: Iterable[Entered]
) -> Iterator[Finding]:
    check = f"table {table}"
    if stands.status is Status.UNSEEN:
        sentence = "which box this is was not learnt, so nothing can be said of its certificate"
        yield warning(check, sentence, "have it connected, and ask without --only")
    elif stands.reason:
        required = policy is Policy.REQUIRED
        sentence = f"no hand begins: {stands.reason}" if required else stands.reason
        advice = _ADVICE[stands.status].format(table=table)
        yield (failed if required else warning)(check, sentence, advice)
    elif stands.reminder:
        advice = "have the table inspected, and enter the new certificate"
        yield warning(check, stands.reminder, advice)
    else:
        until = f"holds until {stands.valid_until}, {stands.days_left} days left"
        yield ok(check, f"certificate {stands.number} {until}")
    own = [one.certificate for one in entries if one.certificate.number == stands.number]
    if own and own[0].limits and not stands.reason:
        yield ok(check, f"certificate {stands.number}: {own[0].limits}")
    if stands.remark:
        yield warning(check, stands.remark, "write the number into the box, or have it inspected")
