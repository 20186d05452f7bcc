"""Asks the broker whether the daemon is alive: no curl, no port of our own."""

import asyncio
from dataclasses import dataclass
from uuid import uuid4

from config.models import Settings
from controller.assembly import line_settings
from mqtt.broker_line import BrokerLine, connect
from mqtt.messages import Subscription
from mqtt.payloads import Heartbeat
from mqtt.topics import Root
from table.errors import BrokerError

PATIENCE_SECONDS = 7.0
"""Three heartbeats of 2 s and a little more; a node without three of them is gone."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the node is, in one sentence."""

    sentence: str
    well: bool = False


async def ask(settings: Settings) -> Verdict:
    """Wait for one heartbeat of the node."""
    node = settings.node.id
    topic = Root(settings.broker.prefix, settings.node.venue).heartbeat(node)
    line = line_settings(settings.broker, f"healthcheck-{uuid4().hex[:12]}")
    try:
        async with asyncio.timeout(PATIENCE_SECONDS), connect(line) as broker:
            await broker.subscribe(Subscription(topic, qos=0))
            beat = await _first_beat(broker)
    except TimeoutError:
        return Verdict(f"node {node}: no heartbeat within {PATIENCE_SECONDS:g} s")
    except BrokerError as error:
        return Verdict(f"node {node}: {error}")
    if beat.alarms:
        return Verdict(f"node {node}: {'; '.join(beat.alarms)}")
    return Verdict(f"node {node} is well; its tables: {', '.join(beat.last_seq)}", well=True)


async def _first_beat(broker: BrokerLine) -> Heartbeat:
    async for delivery in broker.deliveries():
        return Heartbeat.model_validate_json(delivery.payload)
    message = "the broker ended the connection"
    raise BrokerError(message)
