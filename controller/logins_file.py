"""logins.toml: who may log in at the broker of a venue, as what, and where the secrets are."""

from collections.abc import Mapping
from pathlib import Path
from typing import Self

from pydantic import Field, ValidationError, model_validator

from config.complaints import complaints
from config.section import Section
from config.toml_file import read_toml
from config.values import File, Id, YesNo
from mqtt.access import Holder, Role, mosquitto_acl
from mqtt.topics import Root
from table.errors import SettingsError

NAME = "logins.toml"


class Login(Section):
    """One user of the broker."""

    role: Role
    """What it may do."""
    node: Id | None = None
    """Of role node: the id in its topics; the login itself where it is not given."""
    keeps_venue: YesNo = False
    """Of role node: whether it keeps what belongs to the whole venue."""
    password_file: File
    """File that holds the password."""
    tls_certificate_file: File | None = None
    """Its certificate, where the broker asks for one."""
    tls_key_file: File | None = None
    """The key of the certificate."""


class Logins(Section):
    """All users of a broker."""

    venue: Id
    """Name of the venue in topics."""
    prefix: Id = "mahjong"
    """First word of every topic."""
    logins: dict[Id, Login] = Field(default={})
    """The users by login."""

    @model_validator(mode="after")
    def _one_keeper(self) -> Self:
        keepers = [login for login, each in self.logins.items() if each.keeps_venue]
        if len(keepers) > 1:
            msg = f"{keepers[0]} and {keepers[1]} both keep the venue; exactly one node does"
            raise ValueError(msg)
        return self

    @property
    def root(self) -> Root:
        """The topics of the venue."""
        return Root(self.prefix, self.venue)

    @property
    def holders(self) -> tuple[Holder, ...]:
        """What each login is there for."""
        return tuple(
            Holder(login, each.role, each.node or login, each.keeps_venue)
            for login, each in self.logins.items()
        )

    def acl(self) -> str:
        """Return the access list of the broker."""
        nodes = {each.login: each.node for each in self.holders if each.role is Role.NODE}
        keepers = [each.login for each in self.holders if each.keeps_venue]
        roles = {each.login: each.role for each in self.holders}
        return mosquitto_acl(self.root, roles, nodes, *keepers[:1])


def read_logins(path: Path) -> Logins:
    """Return the users that a file names; paths in it are relative to its folder.

    Raises:
        SettingsError: a sentence for each thing that is wrong.
    """
    context = {"folder": path.absolute().parent}
    try:
        return Logins.model_validate(read_toml(path), context=context)
    except ValidationError as error:
        wrong = complaints(error, Logins, lambda _location: str(path))
        raise SettingsError("\n".join(wrong)) from error


def written(logins: Logins, folder: Path) -> str:
    """Return the file of some users; paths below its folder are written relative to it."""
    head = [
        "# Written by `tablewarden init`; `tablewarden doctor --logins` tries the broker with it.",
        f'venue = "{logins.venue}"',
        f'prefix = "{logins.prefix}"',
    ]
    sections = [_section(login, each, folder) for login, each in logins.logins.items()]
    return "\n".join([*head, *sections, ""])


def _section(login: str, entry: Login, folder: Path) -> str:
    lines = [f"\n[logins.{login}]"]
    for key, value in _given(entry).items():
        match value:
            case bool():
                lines.append(f"{key} = {str(value).lower()}")
            case Path():
                lines.append(f'{key} = "{_relative(value, folder)}"')
            case _:
                lines.append(f'{key} = "{value}"')
    return "\n".join(lines)


def _given(entry: Login) -> Mapping[str, object]:
    return entry.model_dump(exclude_defaults=True)


def _relative(path: Path, folder: Path) -> Path:
    return path.relative_to(folder) if path.is_relative_to(folder) else path
