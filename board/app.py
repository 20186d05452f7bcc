"""The web application: pages, their streams, and what people order on them."""

import secrets
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from board import hall_page, referee_page, table_page
from board.feed import ANSWER_SECONDS, Feed, loop_now
from board.guard import Guard
from board.live import Page, Viewers
from board.orders import LONGEST_NAME, Answer, Asked, answered, command, not_sent, unconfirmed
from board.rendering import Frame, Renderer
from board.slots import node_times
from board.texts import say
from table.errors import BrokerError
from table.seat import Seat

_COOKIE: Final = "person"
_COOKIE_SECONDS: Final = 14 * 24 * 3600
_HALL_TICK_MS: Final = 500


class _Name(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)

    name: str = Field(min_length=1, max_length=LONGEST_NAME)


class _Call(BaseModel):
    table: str
    seat: Seat


@dataclass(frozen=True, slots=True)
class Venue:
    """Who the board is for."""

    name: str
    people: tuple[str, ...] = ()
    """Names to pick from."""


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
        routes = [
            Route("/", self.hall),
            Route("/table/{table}", self.table),
            Route("/referee", self.referee),
            Route("/live/{page}", self.live),
            Route("/live/{page}/{table}", self.live),
            Route("/order", self.order, methods=["POST"]),
            Route("/person", self.person, methods=["POST"]),
            Route("/seen", self.seen, methods=["POST"]),
            Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")),
        ]
        return Starlette(routes=routes, middleware=[Middleware(Guard, token=self._token)])

    async def hall(self, request: Request) -> Response:
        """Show every table."""
        return self._shown(self._frame(request, "hall", "/live/hall", tick=_HALL_TICK_MS))

    async def table(self, request: Request) -> Response:
        """Show one table."""
        table = request.path_params["table"]
        if table not in self._feed.hall.tables:
            absent = say("table.unknown", table=table)
            page = self._renderer.absent(self._frame(request, "table", ""), absent)
            return HTMLResponse(page, HTTPStatus.NOT_FOUND)
        return self._shown(self._frame(request, "table", f"/live/table/{table}"), table)

    async def referee(self, request: Request) -> Response:
        """Show what waits for a ruling."""
        return self._shown(self._frame(request, "referee", "/live/referee"))

    async def live(self, request: Request) -> Response:
        """Stream what changes on a page."""
        page = self._page(request.path_params["page"], request.path_params.get("table", ""))
        if page is None:
            return Response(status_code=HTTPStatus.NO_CONTENT)
        stream = self._viewers.stream(page, self._feed, self._token)
        return StreamingResponse(stream, media_type="text/event-stream")

    async def order(self, request: Request) -> Response:
        """Carry an order to the table's node and answer what became of it."""
        person = _person(request)
        if not person:
            return _told(Answer(mood="bad", title=say("person.first")))
        try:
            asked = Asked.model_validate_json(await request.body())
            order = command(asked, person)
        except ValidationError as error:
            return _told(_not_understood(error))
        if not self._feed.online:
            return _told(not_sent(asked.verb))
        try:
            reply = await self._feed.order(asked.table, asked.verb, order)
        except BrokerError as error:
            return _told(unconfirmed(asked.verb, str(error)))
        return _told(answered(asked.verb, reply, ANSWER_SECONDS))

    async def person(self, request: Request) -> Response:
        """Keep the name that a person picked."""
        try:
            name = _Name.model_validate_json(await request.body()).name
        except ValidationError:
            return _told(Answer(mood="bad", title=say("person.bad")))
        picked = Answer(mood="good", title=say("person.picked", name=name))
        response = JSONResponse(picked.model_dump() | {"name": name})
        cookie = quote(name, safe="")
        response.set_cookie(
            _COOKIE, cookie, max_age=_COOKIE_SECONDS, httponly=True, samesite="strict"
        )
        return response

    async def seen(self, request: Request) -> Response:
        """Note that somebody goes to a seat that called the referee."""
        try:
            call = _Call.model_validate_json(await request.body())
        except ValidationError as error:
            return _told(_not_understood(error))
        self._viewers.stir(self._feed.hall.seen_to(call.table, call.seat))
        return _told(Answer(mood="good", title=say("referee.seen-to")))

    def _page(self, page: str, table: str = "") -> Page | None:
        hall = self._feed.hall
        view = hall.tables.get(table)
        if page == "hall":
            return Page(partial(hall_page.items, hall), hall_page.PACE_SECONDS, whole=False)
        if page == "referee":
            return Page(lambda _: referee_page.items(hall), referee_page.PACE_SECONDS)
        if page == "table" and view is not None:
            return Page(lambda _: table_page.items(hall, view), about=f"table:{table}")
        return None

    def _frame(self, request: Request, here: str, stream: str, *, tick: int = 100) -> Frame:
        return Frame(
            here=here,
            venue=self._venue.name,
            stream=stream,
            token=self._token,
            person=_person(request),
            people=self._venue.people,
            online=self._feed.online,
            tick=tick,
        )

    def _shown(self, frame: Frame, table: str = "") -> Response:
        page = self._page(frame.here, table)
        items = page.items(None) if page else {}
        times = node_times(self._feed.hall.nodes, loop_now())
        return HTMLResponse(self._renderer.page(frame, items, times))


def _person(request: Request) -> str:
    return unquote(request.cookies.get(_COOKIE, ""))[:LONGEST_NAME].strip()


def _told(answer: Answer) -> Response:
    return JSONResponse(answer.model_dump())


def _not_understood(error: ValidationError) -> Answer:
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return Answer(mood="bad", title=say("answer.bad"), detail=f"{place}: {first['msg']}")
