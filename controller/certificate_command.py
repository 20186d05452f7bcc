"""`tablewarden certificate`: enter, list, revoke and write out the certificates of tables.

What is entered goes to the running node, the only one who writes its journal; what is listed is
read from the journal, so that it can be looked at when nothing runs.
"""

import argparse
import asyncio
import getpass
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import date
from typing import Any

from config.models import Settings
from controller.certificate_records import PART, read_back
from controller.journal_reader import JournalReader
from controller.node_caller import Caller, caller, meta_of, order
from controller.table_certificate import Entered, named
from table.errors import BrokerError
from table.printable import printable

_FIELDS = ("number", "issuer", "model", "serial", "inspected", "valid_until", "note")


def entered(settings: Settings) -> tuple[Entered, ...]:
    """Return everything that was entered, from the journal.

    Raises:
        JournalError: the journal cannot be read.
    """
    reader = JournalReader(settings.node.journal_file)
    return tuple(read_back(reader.records(PART)).values())


def lines(entries: Iterable[Entered], today: date) -> Iterator[str]:
    """Tell every certificate in a line, the one that ends first at the top."""
    ordered = sorted(entries, key=lambda one: one.certificate.valid_until)
    if not ordered:
        yield "no certificate was entered yet"
    for one in ordered:
        own = one.certificate
        seals = f", seals {', '.join(own.seals)}" if own.seals else ""
        at = f" at table {own.table}" if own.table else ""
        known = (
            f"{own.number}  {named(own.model, own.serial)}{at}  {_state(one, today)}"
            f"  (by {own.issuer}, inspected {own.inspected}{seals}; entered by {one.person})"
        )
        yield printable("; ".join(filter(None, (known, own.limits))))


def _state(one: Entered, today: date) -> str:
    if one.revoked is not None:
        return f"revoked by {one.revoked.person}: {one.revoked.reason}"
    until = one.certificate.valid_until
    left = (date.fromisoformat(until) - today).days
    return f"valid until {until}, {left} days left" if left >= 0 else f"ended on {until}"


def as_json(entries: Iterable[Entered]) -> str:
    """Return everything that was entered as one JSON object."""
    told = [
        {**asdict(one.certificate), **{k: v for k, v in asdict(one).items() if k != "certificate"}}
        for one in entries
    ]
    return json.dumps({"certificates": told}, ensure_ascii=False, indent=2)


def send(settings: Settings, chosen: argparse.Namespace) -> str:
    """Order what was chosen of the running node and return its answer.

    Raises:
        BrokerError: nobody could be reached, or the node refused.
        SettingsError: a secret cannot be read.
    """
    return asyncio.run(
        _send(settings, chosen, caller(settings, chosen.person or getpass.getuser()))
    )


async def _send(settings: Settings, chosen: argparse.Namespace, by: Caller) -> str:
    if chosen.deed == "add":
        verb, arguments = "certify", await _certificate(settings, chosen, by)
    else:
        verb = "revoke-certificate"
        arguments = {"number": chosen.number, "reason": chosen.reason}
    reply = await order(settings, by, verb, arguments)
    if reply.status != "done":
        message = f"node {settings.node.id}: {reply.reason}"
        raise BrokerError(message)
    return reply.reason


async def _certificate(
    settings: Settings, chosen: argparse.Namespace, by: Caller
) -> dict[str, Any]:
    given = {name: getattr(chosen, name) for name in _FIELDS}
    if chosen.table is not None:
        meta = await meta_of(settings, by, chosen.table)
        given |= {"table": chosen.table, "firmware": meta.firmware}
        given |= {
            name: given[name] or said
            for name, said in (("model", meta.model), ("serial", meta.serial))
        }
    if missing := [name for name in ("model", "serial") if not given[name]]:
        message = f"the {missing[0]} is not known: give --{missing[0]}, or --table of one connected"
        raise BrokerError(message)
    return {**given, "seals": chosen.seal}
