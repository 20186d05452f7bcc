"""The keys of a section, found in its model."""

from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from config.section import Section


@dataclass(frozen=True, slots=True)
class Named:
    """A section in which every key is known."""

    fields: dict[str, FieldInfo]

    def inside(self, key: str) -> object:
        """Return the type of a key's value; None for an unknown key."""
        field = self.fields.get(key)
        return None if field is None else plain(field.annotation)


@dataclass(frozen=True, slots=True)
class Free:
    """A section whose keys are ids or kinds of the same sort of value."""

    of: object

    def inside(self, _key: str) -> object:
        """Return the type of every key's value."""
        return self.of


def plain(kind: object) -> object:
    """Return a type without the remarks and the None beside it."""
    if get_origin(kind) is Annotated:
        return plain(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return plain(next(one for one in get_args(kind) if one is not type(None)))
    return kind


def keys_of(kind: object) -> Named | Free | None:
    """Return the keys that a value of this type has in the file, or None if it has none."""
    if isinstance(kind, type) and issubclass(kind, Section):
        return Named({field.alias or name: field for name, field in kind.model_fields.items()})
    if get_origin(kind) is dict:
        return Free(plain(get_args(kind)[1]))
    return None


def found(model: type[Section], path: tuple[str, ...]) -> object:
    """Return the type of the value at a path of keys, or None where no such key is known."""
    kind: object = model
    for key in path:
        keys = keys_of(kind)
        kind = keys.inside(key) if keys else None
    return kind
