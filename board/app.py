"""The web application: pages, their streams, and what a browser remembers."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from board import hall_page, pad_page, referee_page, table_page
from board.feed import Feed, loop_now
from board.guard import Guard
from board.live import Page, Viewers
from board.order_desk import OrderDesk, not_understood, told
from board.orders import LONGEST_NAME, Answer
from board.pad_desk import PadDesk
from board.rendering import Frame, Renderer
from board.slots import node_times
from board.texts import say
from board.viewer import PERSON, ZONES, Viewer, are_zones, viewer, written
from mqtt.topics import is_id
from table.seat import Seat

_COOKIE_SECONDS: Final = 14 * 24 * 3600
_HALL_TICK_MS: Final = 500


class _Name(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)

    name: str = Field(min_length=1, max_length=LONGEST_NAME)


class _Zones(BaseModel):
    zones: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Venue:
    """Who the board is for."""

    name: str
    people: tuple[str, ...] = ()
    """Names to pick from."""
    zones: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The zones that the event gave to some of them."""


class Board:
    """Everything the routes share.

    Args:
        feed: the line to the broker with the hall that it fills.
        viewers: the browsers that look on.
        venue: who the board is for.
    """

    def __init__(self, feed: Feed, viewers: Viewers, venue: Venue) -> None:
        self._feed = feed
        self._viewers = viewers
        self._venue = venue
        self._token = secrets.token_urlsafe(24)
        self._renderer = Renderer()

    def application(self) -> Starlette:
        """Return the application to serve."""
        desk, pads = OrderDesk(self._feed), PadDesk(self._feed)
        routes = [
            Route("/", self.hall),
            Route("/table/{table}", self.table),
            Route("/referee", self.referee),
            Route("/pad/{table}/{seat}", self.pad),
            Route("/live/pad/{table}/{seat}", self.live_pad),
            Route("/live/{page}", self.live),
            Route("/live/{page}/{table}", self.live),
            Route("/order", desk.order, methods=["POST"]),
            Route("/order-all", desk.order_all, methods=["POST"]),
            Route("/press", pads.press, methods=["POST"]),
            Route("/pad-beat", pads.beat, methods=["POST"]),
            Route("/person", self.person, methods=["POST"]),
            Route("/zones", self.zones, methods=["POST"]),
            Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")),
        ]
        return Starlette(routes=routes, middleware=[Middleware(Guard, token=self._token)])

    async def hall(self, request: Request) -> Response:
        """Show every table."""
        return self._shown(request, "hall", tick=_HALL_TICK_MS)

    async def table(self, request: Request) -> Response:
        """Show one table."""
        table = request.path_params["table"]
        if table not in self._feed.hall.tables:
            frame = self._frame(request, "table", "")
            page = self._renderer.absent(frame, say("table.unknown", table=table))
            return HTMLResponse(page, HTTPStatus.NOT_FOUND)
        return self._shown(request, "table", table)

    async def referee(self, request: Request) -> Response:
        """Show what waits for a ruling."""
        return self._shown(request, "referee")

    async def pad(self, request: Request) -> Response:
        """Show the pad of a seat; it waits for a table that is not known yet."""
        place = _pad_place(request)
        if place is None:
            page = self._renderer.absent(self._frame(request, "pad", ""), say("pad.wrong"))
            return HTMLResponse(page, HTTPStatus.NOT_FOUND)
        table, seat = place
        frame = self._frame(request, "pad", f"/live/pad/{table}/{seat.value}")
        items = pad_page.items(self._feed.hall, table, seat)
        times = node_times(self._feed.hall.nodes, loop_now())
        return HTMLResponse(self._renderer.page(frame, items, times, table=table, seat=seat.value))

    async def live_pad(self, request: Request) -> Response:
        """Stream what changes on a pad."""
        place = _pad_place(request)
        if place is None:
            return Response(status_code=HTTPStatus.NO_CONTENT)
        hall = self._feed.hall
        page = Page(lambda _: pad_page.items(hall, *place), about=f"table:{place[0]}")
        return self._streamed(page)

    async def live(self, request: Request) -> Response:
        """Stream what changes on a page."""
        asked = request.path_params
        page = self._page(asked["page"], asked.get("table", ""), self._viewer(request))
        if page is None:
            return Response(status_code=HTTPStatus.NO_CONTENT)
        return self._streamed(page)

    def _streamed(self, page: Page) -> Response:
        stream = self._viewers.stream(page, self._feed, self._token)
        return StreamingResponse(stream, media_type="text/event-stream")

    async def person(self, request: Request) -> Response:
        """Keep the name that a person picked."""
        try:
            name = _Name.model_validate_json(await request.body()).name
        except ValidationError:
            return told(Answer(mood="bad", title=say("person.bad")))
        picked = Answer(mood="good", title=say("person.picked", name=name))
        response = JSONResponse(picked.model_dump() | {"name": name})
        return _remembering(response, PERSON, quote(name, safe=""))

    async def zones(self, request: Request) -> Response:
        """Keep the zones that a person picked; none for all of them."""
        try:
            zones = _Zones.model_validate_json(await request.body()).zones
        except ValidationError as error:
            return not_understood(error)
        if not are_zones(zones):
            return told(Answer(mood="bad", title=say("referee.zones-bad")))
        named = ", ".join(zones) or say("referee.all-zones")
        picked = Answer(mood="good", title=say("referee.zones-picked", zones=named))
        return _remembering(told(picked), ZONES, written(zones))

    def _page(self, page: str, table: str, looks: Viewer) -> Page | None:
        hall = self._feed.hall
        view = hall.tables.get(table)
        if page == "hall":
            return Page(partial(hall_page.items, hall), hall_page.PACE_SECONDS, whole=False)
        if page == "referee":
            return Page(lambda _: referee_page.items(hall, looks), referee_page.PACE_SECONDS)
        if page == "table" and view is not None:
            return Page(lambda _: table_page.items(hall, view), about=f"table:{table}")
        return None

    def _viewer(self, request: Request) -> Viewer:
        return viewer(request.cookies, self._venue.zones)

    def _frame(self, request: Request, here: str, stream: str, *, tick: int = 100) -> Frame:
        looks = self._viewer(request)
        named = {table.zone for table in self._feed.hall.tables.values()}
        return Frame(
            here=here,
            venue=self._venue.name,
            stream=stream,
            token=self._token,
            person=looks.person,
            people=self._venue.people,
            zones=tuple(sorted((named | looks.zones) - {""})),
            own_zones=looks.zones,
            online=self._feed.online,
            tick=tick,
        )

    def _shown(self, request: Request, here: str, table: str = "", *, tick: int = 100) -> Response:
        page = self._page(here, table, self._viewer(request))
        items = page.items(None) if page else {}
        times = node_times(self._feed.hall.nodes, loop_now())
        stream = "/".join(filter(None, ("/live", here, table)))
        frame = self._frame(request, here, stream, tick=tick)
        return HTMLResponse(self._renderer.page(frame, items, times))


def _pad_place(request: Request) -> tuple[str, Seat] | None:
    """Return the table and the seat that a pad's address names; None where it names none."""
    table, seat = request.path_params["table"], request.path_params["seat"]
    if not is_id(table) or seat not in {str(each.value) for each in Seat}:
        return None
    return table, Seat(int(seat))


def _remembering(response: JSONResponse, name: str, value: str) -> JSONResponse:
    """Let the browser keep a choice for as long as a tournament lasts."""
    response.set_cookie(name, value, max_age=_COOKIE_SECONDS, httponly=True, samesite="strict")
    return response
