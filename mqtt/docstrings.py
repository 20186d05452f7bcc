"""What the code says about itself, read from it for the contract's page, schemas and document."""

import ast
import inspect
import re
from collections.abc import Mapping
from functools import cache
from typing import cast


def plain(text: str) -> str:
    """Return a text on one line, with the name that JSON has for nothing."""
    return re.sub(r"\bNone\b", "null", " ".join(text.split()))


def first_paragraph(text: str) -> str:
    """Return the part of a text before its first empty line."""
    return plain(text.split("\n\n", maxsplit=1)[0])


def sentence(owner: object) -> str:
    """Return the first paragraph of a docstring."""
    return first_paragraph(inspect.getdoc(owner) or "")


@cache
def member_texts(owner: type) -> Mapping[str, str]:
    """Return what is written below the members of an enumeration or the fields of a dataclass."""
    texts: dict[str, str] = {}
    name = ""
    for line in _body(owner):
        named = _name(line)
        if named:
            name = named
        elif isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and name:
            texts[name] = plain(str(line.value.value))
    return texts


def _body(owner: type) -> list[ast.stmt]:
    written = inspect.cleandoc("\n" + inspect.getsource(owner))
    return cast("ast.ClassDef", ast.parse(written).body[0]).body


def _name(line: ast.stmt) -> str:
    target = line.targets[0] if isinstance(line, ast.Assign) else getattr(line, "target", None)
    return target.id if isinstance(target, ast.Name) else ""


def kebab(owner: type) -> str:
    """Return the name of a class as it is written in file names: `table-snapshot`."""
    return re.sub(r"(?<!^)([A-Z])", r"-\1", owner.__name__).lower()
