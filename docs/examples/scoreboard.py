"""A scoreboard in a terminal, by docs/contract.md; its archive gets every event, without gaps."""

import argparse
import asyncio
import json
from contextlib import suppress
from os import devnull
from pathlib import Path
from typing import TextIO
from uuid import uuid4

import aiomqtt

OF_TABLE = ("meta/table/{}", "avail/table/{}", "state/table/{}", "state/table/{}/timers")
FILTERS = ("avail/node/+", "hb/node/+", *OF_TABLE, "event/table/{}/+", "reply/{1}/+")
OPTIONS = {"root": "mahjong/1/demo", "host": "127.0.0.1", "port": 1883, "login": "scoreboard"}
GONE_MS, AGAIN_MS = 6000, 5000  # three heartbeats missed; nobody answered


def remember(seen: dict, topic: str, said: dict, my_ms: float) -> None:
    """Keep the newest of each topic; what a node said in a session that has passed is stale."""
    if not said or not topic.startswith(("hb/", "avail/node/")):
        seen[topic] = said
        return
    node = seen.get(said["node"])
    if not node or said["session"] > node["session"]:
        node = seen[said["node"]] = {"session": said["session"], "ahead": [], "heard": 0}
    if "uptime_ms" in said and said["session"] == node["session"]:
        node["ahead"], node["heard"] = [*node["ahead"][-9:], said["uptime_ms"] - my_ms], my_ms
    elif said["session"] == node["session"] and said["status"] != "online":
        node["ahead"] = []  # gone, until it beats again


def clock(face: dict | None, passed_ms: float) -> str:
    """Return what a clock shows so long after it was read."""
    if face is None:
        return "    -"
    left = max(0, face["remaining_ms"] - (passed_ms if face["running"] else 0))
    return f"{left / 1000:5.1f}" + (" over" if face["over"] else "")


def picture(seen: dict, table: str, my_ms: float) -> str:
    """Return what the board shows at a moment of my own monotonic clock."""
    meta, reach, state, timers = (seen.get(topic.format(table)) for topic in OF_TABLE)
    node = seen.get(meta["node"]) if meta else None
    there = node and node["ahead"] and my_ms - node["heard"] <= GONE_MS
    if not (there and state and timers and reach and reach["status"] != "offline"):
        return f"{table}: waiting for its " + ("cable" if there else "node")
    passed = my_ms + max(node["ahead"]) - timers["as_of_ms"]  # the fastest beat is the truest
    rows = [f"{state['name']}  hand {state['hand_number']}  {state['hand_phase']}"]
    for seat, player in state["players"].items():
        turn = ">" if str(state["on_turn"]) == seat else " "
        rows.append(f"{turn}{seat} {player:16} {clock(timers['seats'][seat], passed)}")
    return "\n".join([*rows, f"  call window  {clock(timers['window'], passed)}"])


class Events:
    """The events of one table, once each and in order; `previous` shows what is missing."""

    def __init__(self, archive: TextIO) -> None:
        self.archive, self.ids, self.newest = archive, set(), {}
        self.live, self.gap = [], None  # not added yet; arguments of `replay`
        self.asked, self.again_ms = "", 0.0

    def connected(self, seq: int) -> None:
        """See by the retained snapshot whether something happened while I was away."""
        self.again_ms = 0.0
        if self.newest and seq > self.newest["tableseq"]:
            self.gap = {"epoch": self.newest["epoch"], "after": self.newest["tableseq"]}

    def replayed(self, reply: dict) -> None:
        """Add a page; after the last one go on, and do without what nobody has any more."""
        for event in reply["events"]:
            self.add(event)
            self.gap["after"] = event["tableseq"]
        if reply["status"] == "done" or reply["code"] == "unknown-epoch":
            self.gap, self.again_ms = None, 0.0
            for event in self.live[:1]:
                self.add(event)
            self.advance()

    def advance(self) -> None:
        """Add what came live, as far as nothing before it is missing."""
        while self.live and not self.gap:
            event, last = self.live[0], self.newest or self.live[0]
            after = last["tableseq"] if event["epoch"] == last["epoch"] else 0
            if event["previous"] > after:
                self.gap = {"epoch": event["epoch"], "after": after, "before": event["tableseq"]}
            else:
                self.add(self.live.pop(0))

    def add(self, event: dict) -> None:
        """Add an event at the end, unless it came before."""
        if event["id"] not in self.ids:
            self.ids.add(event["id"])
            self.newest = event
            print(json.dumps(event), file=self.archive, flush=True)


async def follow(asked: argparse.Namespace, seen: dict, events: Events) -> None:
    """Read until the connection breaks; ask for what is missing, and again if nobody answers."""
    root, table, now = asked.root, asked.table, asyncio.get_running_loop().time
    login = {"username": asked.login, "password": asked.password} if asked.password else {}
    async with aiomqtt.Client(asked.host, asked.port, keepalive=10, **login) as client:
        await client.subscribe([(f"{root}/{t.format(table, asked.login)}", 1) for t in FILTERS])
        async for message in client.messages:
            topic, said = str(message.topic)[len(root) + 1 :], json.loads(message.payload or "{}")
            if topic.startswith("event/"):
                events.live.append(said)
                events.advance()
            elif not topic.startswith("reply/"):
                remember(seen, topic, said, now() * 1000)
                if message.retain and topic == f"state/table/{table}":
                    events.connected(said["seq"])
            elif events.gap and said["id"] == events.asked:
                events.replayed(said)
            if events.gap and now() * 1000 > events.again_ms:
                events.asked, events.again_ms = str(uuid4()), now() * 1000 + AGAIN_MS
                order = {"id": events.asked, "person": asked.login, "arguments": events.gap}
                where = f"{root}/cmd/{asked.login}/table/{table}/replay"
                await client.publish(where, json.dumps(order), qos=1)


async def main(asked: argparse.Namespace, events: Events) -> None:
    """Draw ten times a second, and read over one connection after the other."""
    seen, now = {}, asyncio.get_running_loop().time

    async def draw() -> None:
        while True:
            board, newest = picture(seen, asked.table, now() * 1000), events.newest.get("type", "")
            print(f"\x1b[H\x1b[2J{board}\n  {newest}", flush=True)
            await asyncio.sleep(0.1)

    drawing = asyncio.create_task(draw())
    while not drawing.done():
        with suppress(aiomqtt.MqttError):
            await follow(asked, seen, events)
        await asyncio.sleep(1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table")
    for option, usual in [*OPTIONS.items(), ("password-file", devnull), ("archive", devnull)]:
        parser.add_argument(f"--{option}", default=usual, type=type(usual))
    asked = parser.parse_args()
    asked.password = Path(asked.password_file).read_text(encoding="utf-8").strip()
    with Path(asked.archive).open("a", encoding="utf-8") as archive:
        asyncio.run(main(asked, Events(archive)))
