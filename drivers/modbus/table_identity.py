"""Who a table of modules is: every module of it, known by its serial number or by its place."""

from collections.abc import Mapping

from drivers.modbus.fitted import Fitted, Module
from drivers.modbus.identity import ModuleIdentity
from drivers.modbus.profile_words import IdentityPart
from drivers.port import JOINED, Identity, placed


def identity_of(table: Fitted, known: Mapping[str, ModuleIdentity]) -> Identity:
    """Return who the table is whose modules said who they are.

    Its modules stand in one order whatever the configuration calls them.
    """
    found = sorted((_said(table.modules[name], said) for name, said in known.items()), key=_order)
    return Identity(
        JOINED.join(dict.fromkeys(one.vendor for one in found)),
        JOINED.join(one.model for one in found),
        JOINED.join(one.serial for one in found),
        JOINED.join(one.firmware for one in found if one.firmware),
    )


def _said(module: Module, said: ModuleIdentity) -> Identity:
    header = module.profile.header
    serial = said.parts.get(IdentityPart.SERIAL) or placed(module.unit, module.bus.line.name)
    firmware = said.parts.get(IdentityPart.FIRMWARE, "")
    return Identity(header.vendor, header.model, serial, firmware)


def _order(one: Identity) -> tuple[str, str]:
    return one.model, one.serial
