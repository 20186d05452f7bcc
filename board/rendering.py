"""Turns items into pages: the same items that the stream sends fill the first view."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from board.slots import Items, NodeTimes, Slots, face
from board.texts import say


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around every page."""

    here: str
    """Which page this is: `hall`, `table`, `referee` or `pad`."""
    venue: str
    stream: str
    """Path of the page's stream; empty for a page without one."""
    token: str
    """Proves that an order comes from a page of this board."""
    person: str
    people: tuple[str, ...]
    zones: tuple[str, ...]
    """Zones that some table lies in."""
    own_zones: frozenset[str]
    online: bool
    tick: int = 100
    """Milliseconds between two looks at the page's clocks."""


class Renderer:
    """Writes pages from the templates; every value is escaped."""

    def __init__(self) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(Path(__file__).parent / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals.update(say=say)

    def page(self, frame: Frame, items: Items, times: NodeTimes, **more: object) -> str:
        """Return a page with all its items, and what it alone needs to know."""
        template = self._environment.get_template(f"{frame.here}.html")
        return template.render(
            asdict(frame),
            items=items,
            of=partial(_of, items),
            face=lambda it: face(it, times),
            **more,
        )

    def absent(self, frame: Frame, message: str) -> str:
        """Return a page that says what there is not."""
        return self._environment.get_template("absent.html").render(asdict(frame), message=message)


def _of(items: Items, kind: str) -> Iterator[tuple[str, Slots]]:
    """Iterate over the items of one list."""
    for key, values in items.items():
        if values is not None and key.startswith(f"{kind}:"):
            yield key, values
