"""Looks a broker over for staff: is it reached, is it safe, does everybody do what they may?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from secrets import token_hex

from config.models import Settings
from config.secrets import kept_secret, read_secret
from controller.assembly import line_settings
from controller.doctor_access import AccessTrial
from controller.doctor_broker import certificates, queueing, retaining, strangers, version
from controller.doctor_callers import Caller, Login, calling
from controller.doctor_findings import Finding, failed, ok, warning
from controller.doctor_trials import Ward
from controller.healthcheck import Verdict, ask
from controller.logins_file import Login as Entry
from controller.logins_file import Logins
from mqtt.access import Holder, Role
from mqtt.messages import LineSettings
from mqtt.topics import TRIAL, Root, is_id
from table.errors import BrokerError, SettingsError

_PATIENCE_SECONDS = 10.0
"""A broker under load answers late, which is no finding."""
_START = "start mosquitto, or correct [broker] in the settings"
_COPY_ANEW = "compare the password file with the one that `tablewarden init` wrote"
_LOGINS = "--logins DIR/logins.toml, as `tablewarden init broker` wrote it"


@dataclass(frozen=True, slots=True)
class Patient:
    """A broker, the users to try it as, and the files that they prove themselves with."""

    settings: Settings
    ward: Ward
    logins: tuple[Login, ...]
    proofs: tuple[Path, ...]
    listed: bool
    """Whether these are all users, as a file names them."""


def patient(settings: Settings, logins: Logins | None) -> Patient:
    """Return whom to look over; without a file of logins, as node and board of the settings.

    Raises:
        SettingsError: the file is of another venue, or a password cannot be read.
    """
    mark = f"{TRIAL}{token_hex(6)}"
    root = Root(settings.broker.prefix, settings.node.venue)
    if logins is None:
        known = tuple(_own(settings, mark))
        proofs = [settings.broker.tls_certificate_file, settings.board.tls_certificate_file]
    else:
        if logins.root.path != root.path:
            message = (
                f"the logins are for {logins.root.path}, but the settings for {root.path}: prefix"
                " and venue must be the same"
            )
            raise SettingsError(message)
        known = tuple(_listed(settings, logins, mark))
        proofs = [entry.tls_certificate_file for entry in logins.logins.values()]
    holders = tuple(login.holder for login in known)
    authority = settings.broker.tls_ca_file
    files = tuple(file for file in (authority, *proofs) if file is not None)
    return Patient(settings, Ward(root, holders, mark), known, files, logins is not None)


def _own(settings: Settings, mark: str) -> Sequence[Login]:
    broker, board, node = settings.broker, settings.board, settings.node
    known: list[Login] = []
    if broker.login is not None and is_id(broker.login):
        holder = Holder(broker.login, Role.NODE, node.id, node.keeps_venue)
        known.append(Login(holder, line_settings(broker, f"doctor{mark}-{broker.login}")))
    if board.password_file is not None:
        entry = Entry(
            role=Role.BOARD,
            password_file=board.password_file,
            tls_certificate_file=board.tls_certificate_file,
            tls_key_file=board.tls_key_file,
        )
        holder = Holder(board.login, Role.BOARD)
        known.append(Login(holder, _line(settings, board.login, entry, mark)))
    return known


def _listed(settings: Settings, logins: Logins, mark: str) -> Sequence[Login]:
    return [
        Login(holder, _line(settings, holder.login, logins.logins[holder.login], mark))
        for holder in logins.holders
    ]


def _line(settings: Settings, login: str, entry: Entry, mark: str) -> LineSettings:
    broker = settings.broker
    encrypted = broker.tls_ca_file is not None
    key = kept_secret(entry.tls_key_file) if encrypted and entry.tls_key_file else None
    return LineSettings(
        answer_seconds=_PATIENCE_SECONDS,
        host=broker.host,
        port=broker.port,
        client_id=f"doctor{mark}-{login}",
        login=login,
        password=read_secret(entry.password_file),
        tls_ca_file=broker.tls_ca_file,
        tls_certificate_file=entry.tls_certificate_file if encrypted else None,
        tls_key_file=key,
        protocol=broker.protocol,
    )


async def examine(ill: Patient, now: datetime) -> list[Finding]:
    """Look everything over; a broker that cannot be reached is the only finding then."""
    broker = ill.settings.broker
    first = ill.logins[0].line if ill.logins else line_settings(broker, f"doctor{ill.ward.mark}")
    try:
        found = await certificates(first, ill.proofs, now)
    except BrokerError as error:
        return [failed("broker", str(error), _START)]
    found = [ok("broker", f"reached at {broker.host}:{broker.port}"), *found]
    try:
        found += await strangers(first)
        async with calling(ill.logins) as (callers, refusals):
            found += _logged_in(callers, refusals)
            await _try_everybody(ill, callers, found)
    except BrokerError as error:
        found.append(failed("broker", str(error), "ask again; if it says so again, see its log"))
    return [*found, _heart(await ask(ill.settings))]


def _logged_in(callers: Sequence[Caller], refusals: Mapping[str, str]) -> list[Finding]:
    in_vain = [
        failed("login", f"{login} cannot log in: {reason}", _COPY_ANEW)
        for login, reason in refusals.items()
    ]
    return [*(ok("login", f"{caller.name} logs in") for caller in callers), *in_vain]


async def _try_everybody(ill: Patient, callers: Sequence[Caller], found: list[Finding]) -> None:
    """Add what is found to what was found, which holds even if the broker breaks off."""
    if not ill.listed:
        found.append(warning("login", "only those of the settings were tried", _LOGINS))
    if not callers:
        return
    holders = tuple(caller.login.holder for caller in callers)
    ward = replace(ill.ward, holders=holders)
    found += await AccessTrial(ward, callers).findings()
    found.append(version(callers))
    found.append(await queueing(ward, callers))
    found.append(await retaining(ward, callers))


def _heart(verdict: Verdict) -> Finding:
    if verdict.well:
        return ok("heartbeat", verdict.sentence)
    return warning(
        "heartbeat", verdict.sentence, "see what the daemon says: journalctl -u tablewarden"
    )
