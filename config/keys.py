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


@dataclass(frozen=True, slots=True)
class Tagged:
    """A section that is one of several kinds, as one of its keys says."""

    tag: str
    """That key."""
    kinds: dict[str, type[Section]]
    """By its value."""

    @property
    def shared(self) -> type[Section]:
        """The section that holds what all kinds have."""
        first, *others = self.kinds.values()
        return next(base for base in first.__mro__ if all(issubclass(one, base) for one in others))

    @property
    def fields(self) -> dict[str, FieldInfo]:
        """The keys of all kinds."""
        every = (keys_of(kind) for kind in reversed(self.kinds.values()))
        return {
            name: one
            for keys in every
            if isinstance(keys, Named)
            for name, one in keys.fields.items()
        }

    def inside(self, key: str) -> object:
        """Return the kind of that name, or the type of a key's value in the first that has it."""
        return self.kinds.get(key) or Named(self.fields).inside(key)


def plain(kind: object) -> object:
    """Return a type without the remarks and the None beside it."""
    if get_origin(kind) is Annotated:
        inner, *remarks = get_args(kind)
        tagged = any(isinstance(one, FieldInfo) and one.discriminator for one in remarks)
        return kind if tagged else plain(inner)
    if get_origin(kind) in (Union, UnionType):
        return plain(next(one for one in get_args(kind) if one is not type(None)))
    return kind


def keys_of(kind: object) -> Named | Free | Tagged | None:
    """Return the keys that a value of this type has in the file, or None if it has none."""
    if get_origin(kind) is Annotated:
        union, remark, *_ = get_args(kind)
        tag = remark.discriminator
        return Tagged(tag, {_value(one, tag): one for one in get_args(union)})
    if isinstance(kind, type) and issubclass(kind, Section):
        return Named({field.alias or name: field for name, field in kind.model_fields.items()})
    if get_origin(kind) is dict:
        return Free(plain(get_args(kind)[1]))
    return None


def _value(kind: type[Section], tag: str) -> str:
    (value,) = get_args(kind.model_fields[tag].annotation)
    return str(value)


def found(model: type[Section], path: tuple[str, ...]) -> object:
    """Return the type of the value at a path of keys, or None where no such key is known."""
    kind: object = model
    for key in path:
        keys = keys_of(kind)
        kind = keys.inside(key) if keys else None
    return kind


def untagged(model: type[Section], location: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """Return a location without what names the kind of a section, which no file has as a key."""
    kind: object = model
    written: list[int | str] = []
    for step in location:
        keys = keys_of(kind)
        kind = keys.inside(str(step)) if keys else None
        if not isinstance(keys, Tagged) or step not in keys.kinds:
            written.append(step)
    return tuple(written)
