"""Looks the lines of a node over for staff: ports, boxes, modules; nothing is written, none moved.

A line that the daemon has open is not touched: of its port is told only what the system shows.
"""

import asyncio
from collections.abc import Coroutine, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from config.tables import SerialLinkTable
from controller.doctor_findings import Finding, failed, ok, warning
from controller.wired_lines import WiredLines
from drivers.adapter import SYSTEM, Places, adapter_at, is_path, latency_advice, plugged_in
from drivers.modbus import look as modbus_look
from drivers.modbus.bus import Bus, Member
from drivers.modbus.fitted import Fitted
from drivers.modbus.identity import ModuleIdentity
from drivers.modbus.table_identity import identity_of
from drivers.port import Identity, Now
from drivers.port_holder import Holder, holder_of
from drivers.table_link import look as link_look
from table.errors import LinkError, LinkLost

_SEE = 'see docs/hardware.md, "Ports"; `tablewarden wire` shows what is said on the line'
_END_IT = "end it, or write another port; two programs on one port take each other's bytes"


@dataclass(frozen=True, slots=True)
class Met:
    """Who was met on the lines."""

    boxes: dict[str, Identity] = field(default_factory=dict)
    """By table."""
    modules: dict[str, dict[str, ModuleIdentity]] = field(default_factory=dict)
    """By table and name there."""

    def identities(self, tables: Mapping[str, Fitted]) -> dict[str, Identity]:
        """Return who each table is that was met whole."""
        whole = {
            name: identity_of(tables[name], met)
            for name, met in self.modules.items()
            if met.keys() == tables[name].modules.keys()
        }
        return {**self.boxes, **whole}


async def examine_ports(
    lines: WiredLines, now: Now, places: Places = SYSTEM
) -> tuple[list[Finding], dict[str, Identity]]:
    """Look at every line, all at once: one that is silent keeps no other waiting.

    Returns:
        What was found, and who each table is that answered.
    """
    met = Met()
    looks: list[Coroutine[Any, Any, list[Finding]]] = [
        _link(name, table, met, now, places) for name, table in lines.links.items()
    ]
    looks += [_bus(name, bus, lines.tables, met, places) for name, bus in lines.buses.items()]
    findings = [finding for found in await asyncio.gather(*looks) for finding in found]
    return findings, met.identities(lines.tables)


async def _link(
    name: str, table: SerialLinkTable, met: Met, now: Now, places: Places
) -> list[Finding]:
    check = f"table {name}"
    found, free = await asyncio.to_thread(port_findings, check, table.port, places)
    if not free:
        return found
    try:
        async with link_look.talking(table.port, table.baudrate, now) as talk:
            seen = await link_look.look(talk, table.expected_serial, now)
    except LinkError as error:
        return [*found, failed(check, str(error), _SEE)]
    who = met.boxes[name] = seen.identity
    sentence = f"{who.vendor} {who.model} {who.serial}, firmware {who.firmware}"
    return [*found, ok(check, f"{sentence}, answers in {_milliseconds(seen.answers_in)}")]


async def _bus(
    name: str, bus: Bus, tables: dict[str, Fitted], met: Met, places: Places
) -> list[Finding]:
    check = f"bus {name}"
    found, free = await asyncio.to_thread(port_findings, check, bus.line.url, places)
    if not free:
        return found
    lost: list[LinkLost] = []
    try:
        async with bus.joined(lost.append) as member:
            for place in modbus_look.modules_on(bus, tables):
                found.append(await _module(name, member, place, met))
    except LinkError as error:
        found.append(failed(check, str(error), _SEE))
    return found


async def _module(bus: str, member: Member, place: tuple[str, Fitted, str], met: Met) -> Finding:
    table, fitted, name = place
    try:
        seen = await modbus_look.look(member, fitted, name)
    except LinkError as error:
        return failed(f"table {table}", str(error), _SEE)
    met.modules.setdefault(table, {})[name] = seen.identity
    module = fitted.modules[name]
    known = module.profile.header
    sentence = f"module {name} is unit {module.unit} of bus {bus}: {known.vendor} {known.model}"
    told = (f"{part} {said}" for part, said in seen.identity.parts.items())
    takes = f"a sample takes {_milliseconds(seen.sample_takes)}"
    return ok(f"table {table}", ", ".join((sentence, *told, takes)))


def port_findings(check: str, port: str, places: Places) -> tuple[list[Finding], bool]:
    """Return what the system shows of a port, and whether it can be opened for a look."""
    if not is_path(port):
        return [], True
    adapter = adapter_at(port, places)
    if adapter is None:
        there = plugged_in(places)
        advice = (
            f"plug it in, or write one that is there: {', '.join(there)}"
            if there
            else ("plug the adapter in; nothing is plugged in at all")
        )
        return [failed(check, f"port {port}: nothing is plugged in under this name", advice)], False
    found = [ok(check, f"port {port} is {adapter}")]
    if adapter.lasting and port != adapter.lasting:
        sentence = f"port {port} may be another adapter tomorrow"
        found.append(warning(check, sentence, f'write port = "{adapter.lasting}"'))
    if adapter.late and adapter.latency:
        held = f"{adapter.name} holds bytes back for {_milliseconds(adapter.latency)}"
        found.append(
            warning(check, f"{held}, so presses are known less exactly", latency_advice(adapter))
        )
    holder = holder_of(port, places)
    found += _held(check, port, holder)
    return found, holder is None


def _held(check: str, port: str, holder: Holder | None) -> Iterator[Finding]:
    if holder and holder.is_daemon:
        yield ok(check, f"port {port} is served by {holder}, so nothing was asked")
    elif holder:
        yield failed(check, f"port {port}: {holder} has it open", _END_IT)


def _milliseconds(span: timedelta) -> str:
    return f"{span.total_seconds() * 1000:.3g} ms"
