"""Hypothesis strategies for every value of the core, read off the types themselves."""

from dataclasses import fields, is_dataclass
from datetime import timedelta
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from table.moment import Moment

_PLAIN: dict[object, st.SearchStrategy[Any]] = {
    NoneType: st.none(),
    bool: st.booleans(),
    int: st.integers(-(2**63), 2**63 - 1),
    str: st.text(max_size=8),
    Moment: st.integers(0, 2**62).map(Moment),
    timedelta: st.timedeltas(),
}


@cache
def values(kind: Any) -> st.SearchStrategy[Any]:  # noqa: ANN401 - types are what it takes
    """Return a strategy for the values of a type made of the core's dataclasses."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(kind)
    if get_origin(kind) in {Union, UnionType}:
        return st.one_of([values(member) for member in get_args(kind)])
    if is_dataclass(get_origin(kind) or kind):
        return st.deferred(lambda: _of_dataclass(kind))
    return _of_collection(kind)


def _of_collection(kind: Any) -> st.SearchStrategy[Any]:  # noqa: ANN401 - types are what it takes
    origin, members = get_origin(kind), get_args(kind)
    if origin is dict:
        return st.dictionaries(values(members[0]), values(members[1]), max_size=3)
    if origin is frozenset:
        return st.frozensets(values(members[0]), max_size=3)
    if origin is tuple and members[1:] == (Ellipsis,):
        return st.lists(values(members[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values, members))
    message = f"no strategy for {kind}"
    raise TypeError(message)


def _of_dataclass(kind: Any) -> st.SearchStrategy[Any]:  # noqa: ANN401 - types are what it takes
    made: Any = get_origin(kind) or kind
    hints = get_type_hints(made)
    bound = dict(zip(getattr(made, "__parameters__", ()), get_args(kind), strict=True))
    return st.builds(
        made,
        **{field.name: values(_bound(hints[field.name], bound)) for field in fields(made)},
    )


def _bound(hint: Any, bound: dict[TypeVar, Any]) -> Any:  # noqa: ANN401 - types are what it takes
    return bound.get(hint, hint) if isinstance(hint, TypeVar) else hint
