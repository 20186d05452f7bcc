"""`python chaos_subscriber.py PORT LOGIN KIND FILE`: an archive by docs/contract.md alone.

It follows the events of every table, as a login whose password is the login, over a session that
the broker keeps while it is away. KIND is `officials` (every event; holes show in `tableseq`) or
`everyone` (holes show in `previous`); what fell into a hole it asks for with a replay. Each line of
FILE is an event in its order, with how it came and when. SIGUSR1 makes it slow, and quick again;
on SIGTERM it prints its counters.
"""

import json
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias
from uuid import uuid4

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

Event: TypeAlias = dict[str, Any]
ROOT = "mahjong/1/hall"
VERBS = {"officials": "replay-official", "everyone": "replay"}
AGAIN_SECONDS = 2.0
"""An answer that does not come is asked for again."""
NEXT_SECONDS = 0.2
"""Between an answer and the next question."""
SLOW_SECONDS = 0.2
"""What a message takes while it is slow."""
KEPT_SECONDS = 3600
FINAL = {"done", "rejected", "failed"}


def now() -> float:
    return time.monotonic()  # noqa: TID251 - a program of its own


@dataclass
class Table:
    """How far the events of a table were followed, and what came too early."""

    officials: bool
    epoch: int = 0
    last: int = 0
    early: dict[int, tuple[Event, str]] = field(default_factory=dict)
    asked: str = ""
    """Id of the replay that was asked for."""
    since: float = 0.0

    def take(self, event: Event, how: str) -> bool:
        """Keep an event for its turn; say whether it is new."""
        if event["epoch"] > self.epoch:
            self.epoch, self.last, self.early, self.asked = event["epoch"], 0, {}, ""
        old = event["epoch"] < self.epoch or event["tableseq"] <= self.last
        if old or event["tableseq"] in self.early:
            return False
        self.early[event["tableseq"]] = (event, how)
        return True

    def due(self) -> tuple[Event, str] | None:
        """Hand over the next event, unless a hole is before it."""
        first = min(self.early, default=0)
        if not first or self._hole_before(self.early[first][0]):
            return None
        self.last = first
        return self.early.pop(first)

    def _hole_before(self, event: Event) -> bool:
        if self.officials:
            return bool(event["tableseq"] != self.last + 1)
        return bool(event["previous"] > self.last)


class Archive:
    """Writes every event down once, in order.

    Args:
        login: whose replies are read.
        kind: `officials` or `everyone`.
        file: what is written.
    """

    def __init__(self, login: str, kind: str, file: Path) -> None:
        self.login = login
        self._kind = kind
        self._file = file.open("a", encoding="utf-8", buffering=1)
        self._tables: dict[str, Table] = {}
        self.counted = Counter(live=0, replayed=0, asked=0, known=0)
        self.holes: list[tuple[str, int, int]] = []
        """What was asked for: table, and the events before and behind."""
        self.slow = False

    def hear(self, client: Client, _: object, message: MQTTMessage) -> None:
        if self.slow:
            time.sleep(SLOW_SECONDS)
        below = message.topic.removeprefix(f"{ROOT}/").split("/")
        if below[0] == "event":
            self._take(json.loads(message.payload), "live")
        elif below[0] == "reply":
            self._answered(json.loads(message.payload))
        for name, table in self._tables.items():
            if table.early and now() - table.since > (
                AGAIN_SECONDS if table.asked else NEXT_SECONDS
            ):
                self._ask(client, name, table)

    def _take(self, event: Event, how: str) -> None:
        officials = self._kind == "officials"
        table = self._tables.setdefault(event["subject"], Table(officials))
        self.counted["known"] += not table.take(event, how)
        while due := table.due():
            self._write(*due)
        if not table.early:
            table.asked = ""

    def _write(self, event: Event, how: str) -> None:
        self.counted[how] += 1
        line = {"how": how, "at": now(), "event": event}
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def _ask(self, client: Client, name: str, table: Table) -> None:
        """Ask for what is between the last event and the first that came too early."""
        table.asked, table.since = uuid4().hex, now()
        hole = {"epoch": table.epoch, "after": table.last, "before": min(table.early)}
        order = {"id": table.asked, "person": "archive", "arguments": hole}
        self.counted["asked"] += 1
        self.holes.append((name, table.last, min(table.early)))
        topic = f"{ROOT}/cmd/{self.login}/table/{name}/{VERBS[self._kind]}"
        client.publish(topic, json.dumps(order), qos=1, properties=_expiry())

    def _answered(self, reply: dict[str, Any]) -> None:
        asking = [one for one in self._tables.values() if one.asked == reply["id"]]
        for event in reply["events"]:
            self._take(event, "replayed")
        for table in asking:
            table.since = now()
            if reply["status"] == "done":
                table.asked = ""


def _expiry() -> Properties:
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call] # as paho has it
    properties.MessageExpiryInterval = 5
    return properties


def main(port: int, login: str, kind: str, file: Path) -> None:
    """Follow until SIGTERM."""
    archive = Archive(login, kind, file)
    client = Client(
        CallbackAPIVersion.VERSION2, f"archive-{login}", protocol=MQTTProtocolVersion.MQTTv5
    )
    client.username_pw_set(login, login)
    client.on_message = archive.hear
    topics = ("event/table/+/+", f"reply/{login}/+", "hb/node/+")
    wanted = [(f"{ROOT}/{topic}", 1) for topic in topics]

    def follow(*_: Any) -> None:  # noqa: ANN401 - client, user's, flags, code, properties
        client.subscribe(wanted)

    client.on_connect = follow
    client.on_subscribe = lambda *_: print("following", flush=True)  # noqa: T201
    client.reconnect_delay_set(1, 1)
    kept = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call] # as paho has it
    kept.SessionExpiryInterval = KEPT_SECONDS
    client.connect_async("127.0.0.1", port, 60, clean_start=False, properties=kept)
    signal.signal(signal.SIGUSR1, lambda *_: setattr(archive, "slow", not archive.slow))
    signal.signal(signal.SIGTERM, lambda *_: client.disconnect())
    client.loop_forever(retry_first_connection=True)
    print(json.dumps({**archive.counted, "holes": archive.holes}), flush=True)  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4]))
