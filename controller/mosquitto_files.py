"""What mosquitto reads: its configuration and its users, as text; pure.

Both are written for 2.0.11 (Debian 12) and 2.1: one set of users and one access list hold for every
listener, so nothing needs `per_listener_settings`, which 2.1 gives up.
"""

from base64 import b64encode
from dataclasses import dataclass
from hashlib import pbkdf2_hmac
from pathlib import Path

QUEUE = 100_000
"""Messages that may wait for one slow subscriber; mosquitto's own 1,000 drop the newest."""
LARGEST_PACKET = 1024 * 1024
"""Nothing of the contract comes near; without a limit one client could fill the memory."""
SAVED_AFTER = 1_000
"""Changes after which the broker writes what it retains, and serves nobody until the disk has it.

After each single one, a message took 16 ms instead of 0.8 ms. What a killed broker forgets, the
nodes say again when they are back (house choice)."""
SALT_BYTES = 12
"""All that mosquitto 2.0 reads."""
ROUNDS = 101
"""Mosquitto's own number. More would guard a guessable password; ours are 192 random bits, and the
broker serves nobody else while it counts."""
CHECKS_ORIGINS = (2, 1)
"""The first mosquitto that can refuse web pages from elsewhere."""


@dataclass(frozen=True, slots=True)
class Listeners:
    """Where the broker listens."""

    encrypted: int = 8883
    local: int = 1883
    websockets: int | None = None
    origin: str | None = None
    """The only web pages that may use the WebSocket listener, as `https://name`."""
    asks_certificates: bool = False
    """Whether the encrypted listener asks for a certificate beside the password."""


def password_line(login: str, password: str, salt: bytes) -> str:
    """Return a line of mosquitto's `password_file`: PBKDF2 with SHA-512, form `$7$`."""
    digest = pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    written = (b64encode(part).decode() for part in (salt, digest))
    return f"{login}:$7${ROUNDS}${'$'.join(written)}"


def configuration(
    folder: Path, listeners: Listeners, user: str | None, version: tuple[int, int]
) -> str:
    """Return a `mosquitto.conf`.

    Args:
        folder: where the broker finds its files.
        listeners: where it listens.
        user: who it becomes when root starts it; None: mosquitto's own choice.
        version: of the mosquitto that will read it, major and minor.
    """
    parts = [_users(folder, user), _encrypted(folder, listeners), _local(listeners)]
    if listeners.websockets is not None:
        parts.append(_websockets(folder, listeners, version))
    return "\n".join([*parts, _keeping(folder)])


def _users(folder: Path, user: str | None) -> str:
    becomes = f"user {user}\n" if user else ""
    return f"""\
# Written by `tablewarden init broker`. Users and access list hold for every listener.
allow_anonymous false
password_file {folder}/passwords
acl_file {folder}/acl
{becomes}"""


def _encrypted(folder: Path, listeners: Listeners) -> str:
    asks = f"cafile {folder}/ca.crt\nrequire_certificate true\n"
    return f"""\
# For the other machines of the venue.
listener {listeners.encrypted}
{_certificate(folder)}{asks if listeners.asks_certificates else ""}"""


def _local(listeners: Listeners) -> str:
    return f"""\
# For programs on this machine, which nobody can listen to on the way.
listener {listeners.local} 127.0.0.1
"""


def _websockets(folder: Path, listeners: Listeners, version: tuple[int, int]) -> str:
    origin = f"websockets_origin {listeners.origin}\n" if listeners.origin else ""
    if version < CHECKS_ORIGINS and origin:
        origin = f"# From mosquitto 2.1 on, without the sign before it:\n# {origin}"
    return f"""\
# For scoreboards in a browser.
listener {listeners.websockets}
protocol websockets
{_certificate(folder)}{origin}"""


def _certificate(folder: Path) -> str:
    return f"certfile {folder}/broker.crt\nkeyfile {folder}/broker.key\n"


def _keeping(folder: Path) -> str:
    return f"""\
# Whoever is slow or away for a while finds everything else in order.
max_queued_messages {QUEUE}
max_packet_size {LARGEST_PACKET}
set_tcp_nodelay true
persistence true
persistence_location {folder}/data/
autosave_on_changes true
autosave_interval {SAVED_AFTER}
log_dest stderr
"""
