"""Orders something of a running node from the command line, as any other client would."""

import asyncio
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from pydantic import ValidationError

from config.models import Settings
from controller.assembly import line_settings
from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import LineSettings, Message, Subscription
from mqtt.orders import CommandPayload, ReplyPayload
from mqtt.payloads import TableMeta
from mqtt.topics import Root
from table.errors import BrokerError

PATIENCE_SECONDS = 5.0
"""As long as an order is good for."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who orders, and how the broker knows the login."""

    person: str
    login: str
    line: LineSettings


def caller(settings: Settings, person: str) -> Caller:
    """Return a caller under the login of the board, which may give orders; a node may not.

    Raises:
        SettingsError: password or key cannot be read, or others can read it.
    """
    board = settings.board
    known = board.password_file is not None
    broker = settings.broker.model_copy(
        update={
            "login": board.login if known else None,
            "password_file": board.password_file,
            "tls_certificate_file": board.tls_certificate_file,
            "tls_key_file": board.tls_key_file,
        }
    )
    line = line_settings(broker, f"tablewarden-order-{uuid4().hex[:12]}")
    return Caller(person, board.login, line)


async def order(
    settings: Settings, by: Caller, verb: str, arguments: dict[str, Any]
) -> ReplyPayload:
    """Order something of the node of the settings and return its last word.

    Raises:
        BrokerError: the broker cannot be reached or refuses, or nobody answers.
    """
    node, root = settings.node.id, _root(settings)
    asked = CommandPayload(id=uuid4().hex[:24], person=by.person, arguments=arguments)
    topic = root.reply(by.login, asked.id)
    message = Message(
        root.node_command(by.login, node, verb),
        asked.encode(),
        expiry_seconds=int(PATIENCE_SECONDS),
        response_topic=topic,
    )
    try:
        async with asyncio.timeout(PATIENCE_SECONDS), connect(by.line) as line:
            await line.subscribe(Subscription(topic))
            await line.publish(message)
            return ReplyPayload.model_validate_json(await _first(line))
    except TimeoutError as error:
        nobody = f"node {node} did not answer within {PATIENCE_SECONDS:g} s: does the daemon run?"
        raise BrokerError(nobody) from error


async def meta_of(settings: Settings, by: Caller, table: str) -> TableMeta:
    """Return what a table is, as its node retains it.

    Raises:
        BrokerError: the broker cannot be reached, or nothing is known of the table.
    """
    try:
        async with asyncio.timeout(PATIENCE_SECONDS), connect(by.line) as line:
            await line.subscribe(Subscription(_root(settings).table_meta(table)))
            return TableMeta.model_validate_json(await _first(line))
    except (TimeoutError, ValidationError) as error:
        message = f"nothing is known of a table {table} at the broker"
        raise BrokerError(message) from error


async def _first(line: BrokerLine) -> bytes:
    async for delivery in line.deliveries():
        return delivery.payload
    message = "the broker ended the connection"
    raise BrokerError(message)


def _root(settings: Settings) -> Root:
    return Root(settings.broker.prefix, settings.node.venue)
