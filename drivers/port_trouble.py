"""Why a port cannot be opened, in words that staff can act on."""

import grp
import os
import pwd
import socket
from contextlib import suppress
from errno import (
    EACCES,
    EAGAIN,
    EBUSY,
    EHOSTUNREACH,
    EIO,
    EISDIR,
    ENETUNREACH,
    ENODEV,
    ENOENT,
    ENOTDIR,
    ENOTTY,
    ENXIO,
    EPERM,
)
from pathlib import Path

from drivers.adapter import SYSTEM, Places, is_path
from drivers.port_holder import holder_of

_USUAL_GROUP = "dialout"
_ON_DEVICES = {
    ENOENT: "nothing is plugged in under this name",
    ENOTDIR: "nothing is plugged in under this name",
    ENODEV: "its device is gone",
    ENXIO: "its device is gone",
    EIO: "there is no hardware behind it",
    EISDIR: "it is no serial port",
    ENOTTY: "it is no serial port",
    EPERM: "the sandbox of this service does not let it: DeviceAllow= in tablewarden.service",
}
_ON_NETWORKS = {
    EHOSTUNREACH: "there is no way to this address",
    ENETUNREACH: "there is no way to this address",
}


def reason(port: str, error: Exception, places: Places = SYSTEM) -> str:
    """Return why, to be put behind "cannot be opened: "."""
    if isinstance(error, TimeoutError) and not str(error):
        return "no answer"
    if not is_path(port):
        return _of_address(error)
    number = _number(error)
    if number in (EAGAIN, EBUSY):
        return busy(port, places)
    if number == EACCES:
        return _forbidden(port)
    return _ON_DEVICES.get(number, "") or str(error)


def busy(port: str, places: Places = SYSTEM) -> str:
    """Return who has a port open."""
    holder = holder_of(port, places)
    if holder is None:
        return "another program has it open"
    if holder.is_self:
        return "this program has it open already, under this name or another one"
    return f"{holder} has it open"


def _of_address(error: Exception) -> str:
    if isinstance(error, ConnectionRefusedError):
        return "nobody listens at this address"
    if isinstance(error, socket.gaierror):
        return "no machine of this name is known"
    return _ON_NETWORKS.get(_number(error), "") or str(error)


def _number(error: BaseException | None) -> int:
    """Return the number of what the system said, which a library may have put into words."""
    while error is not None:
        number = error.errno if isinstance(error, OSError) else next(iter(error.args), None)
        if isinstance(number, int):
            return number
        error = error.__cause__ or error.__context__
    return 0


def _forbidden(port: str) -> str:
    group, user = _USUAL_GROUP, str(os.geteuid())
    with suppress(KeyError):
        user = pwd.getpwuid(os.geteuid()).pw_name
    with suppress(KeyError, OSError):
        owned = Path(port).stat()
        group = grp.getgrgid(owned.st_gid).gr_name if owned.st_gid else _USUAL_GROUP
    return (
        f"user {user} may not open it, only those of group {group} may: `sudo usermod -aG {group}"
        f" {user}`, then log in again"
    )
