"""The first words with a module: who it is, then how it must be set; nothing before it is known."""

from collections.abc import Iterable

from drivers.modbus.bus import Member
from drivers.modbus.bus_queue import Station
from drivers.modbus.fitted import Module
from drivers.modbus.identity import (
    ModuleIdentity,
    Stranger,
    health_reads,
    identify,
    identity_reads,
)
from drivers.modbus.images import Image, Misread, Part, taken
from drivers.modbus.init import first_writes
from drivers.modbus.master_answers import Exchange, Replied, Unanswered
from drivers.modbus.profile_words import IdentityPart
from drivers.modbus.requests import Read, Request
from table.errors import LinkUnavailable

TRIES = 3
"""One damaged frame must not keep a table off. House choice."""


def part_of(exchange: Exchange) -> Part | Misread | None:
    """Return what a read found; None if it was not answered."""
    if not isinstance(exchange.answer, Replied) or not isinstance(exchange.request, Read):
        return None
    return taken(exchange.request, exchange.answer.values, exchange.window)


async def greet(member: Member, station: Station, module: Module, named: str) -> ModuleIdentity:
    """Make sure of a module and tell it what its profile wants.

    Args:
        member: our share of its bus.
        station: its place there.
        module: what it should be.
        named: how people are told of it.

    Raises:
        LinkUnavailable: it does not answer, is another one, or does not take its settings.
        LinkLost: the line went away.
    """
    found = await recognise(member, station, module, named)
    writes = first_writes(module.profile, module.layout)
    while due := writes.due:
        writes = writes.heard(await _asked(member, station, due))
    if writes.failure:
        msg = f"{named} cannot be set up: {writes.failure}"
        raise LinkUnavailable(msg)
    return found


async def recognise(member: Member, station: Station, module: Module, named: str) -> ModuleIdentity:
    """Make sure of a module; nothing is written to it.

    Raises:
        LinkUnavailable: it does not answer, or is another one.
        LinkLost: the line went away.
    """
    profile, layout = module.profile, module.layout
    reads = (*identity_reads(profile, layout), *health_reads(profile, layout))
    image = await _image(member, station, dict.fromkeys(reads), named)
    found = identify(profile, layout, image, module.unit)
    if isinstance(found, Stranger):
        msg = f"{named} is not the module that belongs here: {'; '.join(found.reasons)}"
        raise LinkUnavailable(msg)
    serial = found.parts.get(IdentityPart.SERIAL, "none")
    if module.expected_serial not in {"", serial}:
        msg = f"{named}: expected serial number {module.expected_serial}, found {serial}"
        raise LinkUnavailable(msg)
    return found


async def _asked(member: Member, station: Station, request: Request) -> Exchange:
    """Ask up to three times; neither what is read here nor a setting minds being repeated."""
    for _ in range(TRIES - 1):
        exchange = await member.ask(station, request)
        if not isinstance(exchange.answer, Unanswered):
            return exchange
    return await member.ask(station, request)


async def _image(member: Member, station: Station, reads: Iterable[Read], named: str) -> Image:
    image = Image()
    for read in reads:
        exchange = await _asked(member, station, read)
        part = part_of(exchange)
        if not isinstance(part, Part):
            failed = part or exchange.answer
            reason = "" if isinstance(failed, Replied) else failed.reason
            msg = f"{named}: {reason}"
            raise LinkUnavailable(msg)
        image = image.with_part(part)
    return image
