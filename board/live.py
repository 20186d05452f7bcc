"""Server-sent events: what changed on a page, gathered and sent to every browser that shows it."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Final

from board.feed import Feed, loop_now
from board.hall_view import Changes
from board.slots import Items, node_times

BEAT_SECONDS: Final = 1.0
"""A page hears from the board at least so often, and so notices when it does not."""


@dataclass(frozen=True, slots=True)
class Page:
    """What a page shows, and how often it needs to."""

    items: Callable[[Changes | None], Items]
    """The items which the changes can have touched; all of them for None."""
    pace_seconds: float = 0.0
    """Changes are gathered for so long before they are sent."""
    about: str = ""
    """What alone moves this page besides the nodes, as in the changes; empty: everything."""
    whole: bool = True
    """Whether `items` always returns everything, so that what is absent is gone."""


class Viewer:
    """One browser's page: what changed since it was last sent something."""

    def __init__(self, about: str = "") -> None:
        self._about = about
        self._changes: set[str] = set()
        self._stirred = asyncio.Event()

    def stir(self, changes: Changes) -> None:
        """Note changes; also without any the page is sent the state of the broker at once."""
        if self._about and changes and not self._concerns(changes):
            return
        self._changes |= changes
        self._stirred.set()

    def _concerns(self, changes: Changes) -> bool:
        return self._about in changes or any(change.startswith("node:") for change in changes)

    async def changes(self, pace_seconds: float) -> Changes:
        """Wait for changes, at most one beat, and return what gathered."""
        try:
            async with asyncio.timeout(BEAT_SECONDS):
                await self._stirred.wait()
                await asyncio.sleep(pace_seconds)
        except TimeoutError:
            pass
        self._stirred.clear()
        gathered, self._changes = frozenset(self._changes), set()
        return gathered


class Viewers:
    """All browsers that look on; closed once, when the board stops."""

    def __init__(self) -> None:
        self._viewers: set[Viewer] = set()
        self.closed = False

    def stir(self, changes: Changes) -> None:
        """Tell every viewer what changed."""
        for viewer in self._viewers:
            viewer.stir(changes)

    def close(self) -> None:
        """End every stream."""
        self.closed = True
        self.stir(frozenset())

    async def stream(self, page: Page, feed: Feed, token: str) -> AsyncIterator[bytes]:
        """Yield the page whole, then what changes, until the browser or the board goes."""
        viewer = Viewer(page.about)
        self._viewers.add(viewer)
        try:
            sent = page.items(None)
            yield _batch(feed, sent, {"whole": True, "token": token})
            while not self.closed:
                items = page.items(await viewer.changes(page.pace_seconds))
                fresh = _fresh(sent, items, whole=page.whole)
                _note(sent, fresh)
                yield _batch(feed, fresh, {})
        finally:
            self._viewers.discard(viewer)


def _fresh(sent: Items, items: Items, *, whole: bool) -> Items:
    fresh = {key: values for key, values in items.items() if sent.get(key) != values}
    if whole:
        fresh |= dict.fromkeys(sent.keys() - items.keys())
    return fresh


def _note(sent: Items, fresh: Items) -> None:
    for key, values in fresh.items():
        if values is None:
            sent.pop(key, None)
        else:
            sent[key] = values


def _batch(feed: Feed, items: Items, more: dict[str, object]) -> bytes:
    body = {
        "now": node_times(feed.hall.nodes, loop_now()),
        "broker": feed.online,
        "items": items,
        **more,
    }
    return f"data: {json.dumps(body, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()
