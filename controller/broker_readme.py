"""The page that `init broker` leaves behind: what goes where, and what to do later."""

from pathlib import Path

from controller.logins_file import Login, Logins
from mqtt.access import Role

_USED_BY = {
    Role.NODE: "machine with table cables",
    Role.BOARD: "web pages for hall and referees",
    Role.REFEREE: "a referee's own tool",
    Role.SCOREBOARD: "a display for everyone",
    Role.ADMIN: "staff; `tablewarden doctor`",
}


def readme(host: str, port: int, logins: Logins, folder: Path) -> str:
    """Return the page; it holds no secret."""
    place = folder.absolute()
    rows = "\n".join(_row(login, each) for login, each in logins.logins.items())
    node = next((each for each in logins.holders if each.role is Role.NODE), None)
    proof = node is not None and logins.logins[node.login].tls_certificate_file is not None
    return f"""\
# The broker of {logins.venue}

`authority/ca.key` can make certificates that your machines trust, and every file in `logins/` lets
somebody in. Keep this folder on one machine, and a copy of it on a stick in a drawer.

## What goes where

* The broker reads `broker/`. Start it with `mosquitto -c {place}/broker/mosquitto.conf`, or
  copy that file over `/etc/mosquitto/mosquitto.conf` and run `systemctl restart mosquitto`.
* Every machine needs `ca.crt`, and of `logins/` only what is its own:

| login | role | used by | files |
|---|---|---|---|
{rows}

A copied password or key must be closed to others: `chmod 600`.

## What a node says in its settings

    [broker]
    host = "{host}"
    port = {port}
    prefix = "{logins.prefix}"
    login = "{node.login if node else "the login"}"
    password_file = "{node.login if node else "the login"}.password"
    tls_ca_file = "ca.crt"{_proof(node.login) if node and proof else ""}

On the broker's own machine `host = "127.0.0.1"` with the port of the loopback listener needs no
`tls_` lines.

## Later

* Certificates: `tablewarden doctor` says when they end. `tablewarden init broker {place} --renew
  certificates` writes new ones; then restart mosquitto{_also_copy(proof=proof)}.
* One more display: `tablewarden init login {place} --scoreboard screen-2`, then
  `systemctl reload mosquitto`.
* Is all as it should be? `tablewarden doctor --config SETTINGS --logins {place}/logins.toml`.
"""


def _row(login: str, each: Login) -> str:
    files = [each.password_file, each.tls_certificate_file, each.tls_key_file]
    names = ", ".join(f"`logins/{file.name}`" for file in files if file)
    return f"| {login} | {each.role} | {_USED_BY[each.role]} | {names} |"


def _proof(login: str) -> str:
    return f"""
    tls_certificate_file = "{login}.crt"
    tls_key_file = "{login}.key\""""


def _also_copy(*, proof: bool) -> str:
    return " and copy the new `.crt` and `.key` files to their machines" if proof else ""
