"""Writes everything that a venue's broker needs, and what its users log in with, in one go."""

import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from controller.broker_readme import readme
from controller.certificates import (
    Identity,
    Purpose,
    hosts_of,
    issue,
    new_authority,
    read_identity,
)
from controller.folder import Paper, check_open, hand_over, write_new, write_over
from controller.logins_file import NAME, Login, Logins, read_logins, written
from controller.mosquitto_files import SALT_BYTES, Listeners, configuration, password_line
from mqtt.access import Role
from table.errors import SetupError

BROKER, LOGINS, AUTHORITY = "broker", "logins", "authority"
"""Folders: what the broker reads, what each user gets, and what signs."""
PASSWORD_BYTES = 24
"""Random bytes of a password; 192 bits."""
_UNWRITABLE = "\n\r\0"


@dataclass(frozen=True, slots=True)
class Wish:
    """The broker that is wanted."""

    folder: Path
    venue: str
    prefix: str
    hosts: tuple[str, ...]
    """Names and addresses by which other machines reach it."""
    roles: Mapping[str, Role]
    """The users; of the nodes the first keeps the venue."""
    listeners: Listeners
    user: str | None = None
    """Who the broker runs as, where root sets it up."""
    version: tuple[int, int] = (2, 0)
    """Of mosquitto."""


@dataclass(frozen=True, slots=True)
class Secret:
    """What a login proves itself with."""

    login: str
    password: str
    identity: Identity | None = None
    """Where the broker asks for certificates."""

    def line(self) -> str:
        """Return the line of the broker's password file."""
        return password_line(self.login, self.password, secrets.token_bytes(SALT_BYTES)) + "\n"

    def papers(self) -> Iterator[Paper]:
        """Yield the files that the user gets."""
        stem = f"{LOGINS}/{self.login}"
        yield Paper(f"{stem}.password", f"{self.password}\n", secret=True)
        if self.identity is not None:
            yield Paper(f"{stem}.crt", self.identity.certificate_pem)
            yield Paper(f"{stem}.key", self.identity.key_pem, secret=True)


def init_broker(wish: Wish, now: datetime) -> int:
    """Write a broker's folder and return the number of files.

    Raises:
        SetupError: something is in the way; then nothing was written.
    """
    if any(letter in str(wish.folder) for letter in _UNWRITABLE):
        message = "the folder's name has a line break, which mosquitto cannot read"
        raise SetupError(message)
    if wish.user is not None:
        check_open(wish.folder / BROKER, wish.user)
    authority = new_authority(wish.venue, now)
    signing = authority if wish.listeners.asks_certificates else None
    held = [_secret(login, signing, now) for login in wish.roles]
    logins = _logins(wish)
    papers = [
        Paper("README.md", readme(wish.hosts[0], wish.listeners.encrypted, logins, wish.folder)),
        Paper(NAME, written(logins, wish.folder)),
        Paper("ca.crt", authority.certificate_pem),
        Paper(f"{AUTHORITY}/ca.key", authority.key_pem, secret=True),
        *_broker_papers(wish, authority, logins, now),
        Paper(f"{BROKER}/passwords", "".join(secret.line() for secret in held), secret=True),
        *(paper for secret in held for paper in secret.papers()),
    ]
    write_new(wish.folder, papers)
    (wish.folder / BROKER / "data").mkdir(0o700, exist_ok=True)
    if wish.user is not None:
        hand_over(wish.folder / BROKER, wish.user)
    return len(papers)


def renew_certificates(folder: Path, hosts: Iterable[str], now: datetime) -> int:
    """Write new certificates over the old ones, signed by the same authority.

    Args:
        folder: of the broker.
        hosts: names and addresses of the broker; none: those of the old certificate.
        now: the present.

    Raises:
        SetupError: there is no broker in the folder, or its authority has ended.
    """
    logins = read_logins(folder / NAME)
    authority = _authority(folder)
    named = tuple(hosts) or hosts_of(_read(folder / BROKER / "broker.crt"))
    papers = [*_certificate(authority, logins.venue, named, now)]
    for login, entry in logins.logins.items():
        if entry.tls_certificate_file is not None:
            own = Secret(login, "", issue(authority, Purpose.LOGIN, login, now))
            papers += [*own.papers()][1:]
    write_over(folder, papers)
    return len(papers)


def renew_access(folder: Path) -> None:
    """Write the access list anew from the roles in logins.toml.

    Raises:
        SetupError: it cannot be written.
    """
    logins = read_logins(folder / NAME)
    write_over(folder, [Paper(f"{BROKER}/acl", logins.acl(), secret=True)])


def add_logins(folder: Path, roles: Mapping[str, Role], now: datetime) -> int:
    """Write further users beside those that are there, and return the number of files.

    Raises:
        SetupError: there is no broker in the folder, or one of them is there already.
    """
    logins = read_logins(folder / NAME)
    if taken := sorted(set(roles) & set(logins.logins)):
        message = f"login {taken[0]} is there already, so nothing was written"
        raise SetupError(message)
    asks = any(entry.tls_certificate_file for entry in logins.logins.values())
    signing = _authority(folder) if asks else None
    held = [_secret(login, signing, now) for login in roles]
    new = {login: _entry(folder, login, role, asks=asks) for login, role in roles.items()}
    all_of_them = logins.model_copy(update={"logins": {**logins.logins, **new}})
    lines = _read(folder / BROKER / "passwords").decode() + "".join(map(Secret.line, held))
    own = [paper for secret in held for paper in secret.papers()]
    shared = [
        Paper(f"{BROKER}/passwords", lines, secret=True),
        Paper(f"{BROKER}/acl", all_of_them.acl(), secret=True),
        Paper(NAME, written(all_of_them, folder)),
    ]
    write_new(folder, own)
    write_over(folder, shared)
    return len(own)


def _secret(login: str, signing: Identity | None, now: datetime) -> Secret:
    proof = issue(signing, Purpose.LOGIN, login, now) if signing else None
    return Secret(login, secrets.token_urlsafe(PASSWORD_BYTES), proof)


def _logins(wish: Wish) -> Logins:
    asks = wish.listeners.asks_certificates
    entries = {
        login: _entry(wish.folder, login, role, asks=asks) for login, role in wish.roles.items()
    }
    keeper = next((login for login, role in wish.roles.items() if role is Role.NODE), None)
    if keeper is not None:
        entries[keeper] = entries[keeper].model_copy(update={"keeps_venue": True})
    return Logins(venue=wish.venue, prefix=wish.prefix, logins=entries)


def _entry(folder: Path, login: str, role: Role, *, asks: bool) -> Login:
    stem = folder / LOGINS
    return Login(
        role=role,
        password_file=stem / f"{login}.password",
        tls_certificate_file=stem / f"{login}.crt" if asks else None,
        tls_key_file=stem / f"{login}.key" if asks else None,
    )


def _broker_papers(
    wish: Wish, authority: Identity, logins: Logins, now: datetime
) -> Iterator[Paper]:
    place = wish.folder.absolute() / BROKER
    text = configuration(place, wish.listeners, wish.user, wish.version)
    yield Paper(f"{BROKER}/mosquitto.conf", text)
    yield Paper(f"{BROKER}/acl", logins.acl(), secret=True)
    yield Paper(f"{BROKER}/ca.crt", authority.certificate_pem)
    yield from _certificate(authority, wish.venue, wish.hosts, now)


def _certificate(
    authority: Identity, venue: str, hosts: tuple[str, ...], now: datetime
) -> Iterator[Paper]:
    own = issue(authority, Purpose.BROKER, f"Broker of {venue}", now, hosts)
    yield Paper(f"{BROKER}/broker.crt", own.certificate_pem)
    yield Paper(f"{BROKER}/broker.key", own.key_pem, secret=True)


def _authority(folder: Path) -> Identity:
    return read_identity(_read(folder / "ca.crt"), _read(folder / AUTHORITY / "ca.key"))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        message = f"{path}: {error.strerror}; is this a folder that `init broker` wrote?"
        raise SetupError(message) from error
