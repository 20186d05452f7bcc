"""Values of the core as canonical JSON, and back, without loss.

Layout: a dataclass is an object with its field names as keys, in the order of its fields; where
several classes are possible a first key `type` names the class. Moments and spans of time are whole
microseconds, enums their values, tuples and frozensets (sorted) arrays, dicts keep their order.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import is_dataclass
from datetime import timedelta
from types import NoneType, UnionType
from typing import Any, Generic, TypeAlias, TypeVar, Union, get_args, get_origin

from cattrs import Converter
from cattrs.errors import ForbiddenExtraKeysError, StructureHandlerNotFoundError

from table.errors import JournalError
from table.moment import MICROSECOND, Moment
from table.seat import Seat

T = TypeVar("T")
Plain: TypeAlias = Any
"""What JSON knows: objects, arrays, text, whole numbers, true, false and null."""

TAG = "type"
_WRONG = (
    ForbiddenExtraKeysError,
    StructureHandlerNotFoundError,
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)


class Codec(Generic[T]):
    """Turns values of one type, which may be a union of dataclasses, into text and back.

    Args:
        kind: the type.
        renew: brings what an earlier version wrote into the present form.
    """

    def __init__(self, kind: object, renew: Callable[[Plain], Plain] = lambda plain: plain) -> None:
        self._renew = renew
        self._unstructure = _CONVERTER.get_unstructure_hook(kind)
        self._structure = _CONVERTER.get_structure_hook(kind)
        self._kind = kind

    def encode(self, value: T) -> str:
        """Return the one text of a value."""
        return _TEXT.encode(self._unstructure(value))

    def decode(self, text: str, place: str) -> T:
        """Return the value of a text; `place` says in errors where the text was found.

        Raises:
            JournalError: the text is no value of this type, or of a class this version knows.
        """
        try:
            value: T = self._structure(self._renew(json.loads(text)), self._kind)
        except _WRONG as error:
            message = f"{place}: not what this version can read ({error!r}): {text[:200]}"
            raise JournalError(message) from error
        return value


def _choices(kind: object) -> tuple[type, ...]:
    """Return the dataclasses between which only a tag can tell."""
    if get_origin(kind) not in {Union, UnionType}:
        return ()
    members = tuple(member for member in get_args(kind) if is_dataclass(member))
    return members if len(members) > 1 else ()  # type: ignore[return-value] # classes, not values


def _tagged(kind: object, converter: Converter) -> Callable[[object], Plain]:
    """Return what turns a value of a union into an object that names its class.

    The hooks of the members are looked up at first use, because a member may hold the union again.
    """
    hooks: dict[type, Callable[[object], Plain]] = {}
    members = _choices(kind)

    def unstructure(value: object) -> Plain:
        if value is None:
            return None
        member = type(value)
        if member not in hooks:
            if member not in members:
                raise TypeError(member)
            hooks[member] = converter.get_unstructure_hook(member)
        return {TAG: member.__name__, **hooks[member](value)}

    return unstructure


def _untagged(kind: object, converter: Converter) -> Callable[[Plain, object], object]:
    """Return what turns an object that names its class into a value of a union."""
    hooks: dict[str, Callable[[Plain, type], object]] = {}
    members = {member.__name__: member for member in _choices(kind)}
    optional = NoneType in get_args(kind)

    def structure(plain: Plain, _kind: object) -> object:
        if plain is None and optional:
            return None
        name = plain.pop(TAG)
        if name not in hooks:
            if name not in members:
                message = f"no {name!r} among {', '.join(members)}"
                raise LookupError(message)
            hooks[name] = converter.get_structure_hook(members[name])
        return hooks[name](plain, members[name])

    return structure


def _sorted(members: Iterable[Plain]) -> list[Plain]:
    return sorted(members, key=_TEXT.encode)


def _converter() -> Converter:
    converter = Converter(
        detailed_validation=False,
        forbid_extra_keys=True,
        unstruct_collection_overrides={frozenset: _sorted},
    )
    converter.register_unstructure_hook(timedelta, lambda span: span // MICROSECOND)
    converter.register_structure_hook(timedelta, lambda plain, _: timedelta(microseconds=plain))
    converter.register_unstructure_hook(Moment, lambda moment: moment.micros)
    converter.register_structure_hook(Moment, lambda plain, _: Moment(plain))
    converter.register_structure_hook(Seat, lambda plain, _: Seat(int(plain)))
    converter.register_unstructure_hook_factory(lambda kind: bool(_choices(kind)), _tagged)
    converter.register_structure_hook_factory(lambda kind: bool(_choices(kind)), _untagged)
    return converter


_TEXT = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), check_circular=False
)
_CONVERTER = _converter()
