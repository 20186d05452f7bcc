"""The board as a process: web server and line to the broker, side by side until told to stop."""

import asyncio
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import uvicorn

from board.app import Board, Venue
from board.feed import Feed
from board.live import Viewers
from config.models import Settings
from config.secrets import kept_secret, read_secret
from mqtt.messages import LineSettings
from mqtt.topics import Root

_GRACE_SECONDS: Final = 3


class BoardServer(uvicorn.Server):
    """A web server that ends its streams before it waits for its connections to close."""

    def __init__(self, config: uvicorn.Config, viewers: Viewers) -> None:
        super().__init__(config)
        self._viewers = viewers

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals of the process to whoever started the server."""
        yield

    async def stop_when(self, stop: asyncio.Event) -> None:
        """Wait for the event, then begin to shut down."""
        await stop.wait()
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop serving."""
        self._viewers.close()
        await super().shutdown(sockets)


def line_settings(settings: Settings) -> LineSettings:
    """Return how the board reaches the broker, as its own login where it has a password.

    Raises:
        SettingsError: password or key cannot be read, or others can read it.
    """
    broker, board = settings.broker, settings.board
    password = read_secret(board.password_file) if board.password_file else ""
    return LineSettings(
        host=broker.host,
        port=broker.port,
        client_id=f"tablewarden-{board.login}-{secrets.token_hex(4)}",
        login=board.login if password else "",
        password=password,
        tls_ca_file=broker.tls_ca_file,
        tls_certificate_file=board.tls_certificate_file,
        tls_key_file=kept_secret(board.tls_key_file) if board.tls_key_file else None,
        protocol=broker.protocol,
    )


def listening(settings: Settings) -> socket.socket:
    """Return the socket that the pages are served on.

    Raises:
        OSError: the address cannot be had, most often because somebody else has it.
    """
    host, port = settings.board.host.strip("[]"), settings.board.port
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    return socket.create_server((host, port), family=family)


def address(ear: socket.socket) -> str:
    """Return where a browser finds the pages."""
    host, port = ear.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


async def serve(
    settings: Settings, line: LineSettings, ear: socket.socket, stop: asyncio.Event
) -> None:
    """Serve the pages on an open socket until `stop` is set."""
    viewers = Viewers()
    root = Root(settings.broker.prefix, settings.node.venue)
    feed = Feed(line, root, settings.board.login, viewers.stir)
    name = settings.node.venue_name or settings.node.venue
    venue = Venue(name, settings.board.people, settings.board.zones)
    config = uvicorn.Config(
        Board(feed, viewers, venue).application(),
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    server = BoardServer(config, viewers)
    async with asyncio.TaskGroup() as together:
        tasks = [
            together.create_task(feed.run(), name="feed"),
            together.create_task(feed.watch_clocks(), name="clocks"),
            together.create_task(server.stop_when(stop), name="stop"),
        ]
        await server.serve(sockets=[ear])
        for task in tasks:
            task.cancel()
