"""What `tablewarden init` does with its options, and what it says when it is done."""

import argparse
import os
import re
import shutil
import subprocess
from datetime import datetime
from itertools import combinations
from pwd import getpwall

from controller.init_broker import (
    Wish,
    add_logins,
    init_broker,
    renew_access,
    renew_certificates,
)
from controller.mosquitto_files import CHECKS_ORIGINS, Listeners
from mqtt.access import Role
from table.errors import SetupError

_BOARD, _ADMIN, _MOSQUITTO = "board", "admin", "mosquitto"
_PLACES = "/usr/sbin:/usr/local/sbin"
_OLD = (2, 0)
"""Taken for granted where no mosquitto is installed: newer ones read the same."""


def initialise(chosen: argparse.Namespace, now: datetime) -> list[str]:
    """Set up what is asked for, and return what to say about it.

    Raises:
        SetupError: something is in the way; then nothing was written.
    """
    if chosen.deed == "login":
        return _login(chosen, now)
    if chosen.renew:
        return _renewed(chosen, now)
    return _broker(chosen, now)


def _broker(chosen: argparse.Namespace, now: datetime) -> list[str]:
    wish = _wish(chosen)
    count = init_broker(wish, now)
    said = [f"wrote {_files(count)} into {wish.folder}; what to do with them: README.md there"]
    if wish.listeners.origin and wish.version < CHECKS_ORIGINS:
        said.append(
            "mosquitto 2.0 lets every web page use the WebSocket listener; 2.1 will heed the origin"
            " once its line in broker/mosquitto.conf is let in"
        )
    return said


def _renewed(chosen: argparse.Namespace, now: datetime) -> list[str]:
    if chosen.renew == "access":
        renew_access(chosen.folder)
        return [f"wrote {chosen.folder}/broker/acl anew; reload mosquitto, which reads it"]
    count = renew_certificates(chosen.folder, chosen.host, now)
    return [f"wrote {_files(count)} into {chosen.folder} anew; restart mosquitto, which reads them"]


def _login(chosen: argparse.Namespace, now: datetime) -> list[str]:
    roles = _roles(chosen)
    if not roles:
        message = "say who is to log in, for example --scoreboard screen-2"
        raise SetupError(message)
    count = add_logins(chosen.folder, roles, now)
    said = f"wrote {_files(count)} into {chosen.folder}/logins; reload mosquitto, which reads users"
    return [said]


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def _wish(chosen: argparse.Namespace) -> Wish:
    for needed in ("host", "node", "venue"):
        if not getattr(chosen, needed):
            message = f"--{needed} is missing: a new broker needs --host, --node and --venue"
            raise SetupError(message)
    if chosen.origin and chosen.websockets is None:
        message = "--origin is given without --websockets, the listener it is for"
        raise SetupError(message)
    return Wish(
        folder=chosen.folder,
        venue=chosen.venue,
        prefix=chosen.prefix,
        hosts=tuple(dict.fromkeys(chosen.host)),
        roles=_roles(chosen, everybody=True),
        listeners=_listeners(chosen),
        user=chosen.user or _user(),
        version=chosen.mosquitto or _installed(),
    )


def _listeners(chosen: argparse.Namespace) -> Listeners:
    ports = {
        "--port": chosen.port,
        "--local-port": chosen.local_port,
        "--websockets": chosen.websockets,
    }
    for (first, one), (second, other) in combinations(ports.items(), 2):
        if one == other:
            message = f"{first} and {second} are both {one}; every listener has a port of its own"
            raise SetupError(message)
    return Listeners(
        encrypted=chosen.port,
        local=chosen.local_port,
        websockets=chosen.websockets,
        origin=chosen.origin,
        asks_certificates=chosen.certificates,
    )


def _roles(chosen: argparse.Namespace, *, everybody: bool = False) -> dict[str, Role]:
    """Return the users; a new broker has one board and one of staff where nothing else is said."""
    usual = {Role.BOARD: [_BOARD], Role.ADMIN: [_ADMIN]} if everybody else {}
    roles: dict[str, Role] = {}
    for role in Role:
        for login in getattr(chosen, role) or usual.get(role, []):
            if login in roles:
                message = f"login {login} is wanted twice, as {roles[login]} and as {role}"
                raise SetupError(message)
            roles[login] = role
    return roles


def _user() -> str | None:
    """Return who the broker will run as, where root starts it and the package made a user."""
    if os.geteuid() != 0:
        return None
    return _MOSQUITTO if _MOSQUITTO in {each.pw_name for each in getpwall()} else None


def _installed() -> tuple[int, int]:
    """Return the version of this machine's mosquitto."""
    program = shutil.which(_MOSQUITTO) or shutil.which(_MOSQUITTO, path=_PLACES)
    if program is None:
        return _OLD
    said = subprocess.run([program, "-h"], capture_output=True, text=True, check=False).stdout  # noqa: S603 - the broker itself
    found = re.search(r"version ([0-9]+)\.([0-9]+)", said)
    return (int(found[1]), int(found[2])) if found else _OLD
