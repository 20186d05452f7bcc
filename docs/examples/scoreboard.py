"""A scoreboard in a terminal: the clocks of one table, by docs/contract.md; needs aiomqtt only."""

import argparse
import asyncio
import json

import aiomqtt

TOPICS = ("hb/node/+", "meta/table/{}", "state/table/{}", "state/table/{}/timers")


def clock(face: dict | None, passed_ms: float) -> str:
    """Return what a clock shows so long after it was read."""
    if face is None:
        return "    -"
    left = max(0, face["remaining_ms"] - (passed_ms if face["running"] else 0))
    return f"{left / 1000:5.1f}" + (" over" if face["over"] else "")


def picture(seen: dict, table: str, my_ms: float, gone_ms: float = 6000) -> str:
    """Return the board as text; a node is gone after three missed heartbeats."""
    meta, state, timers = (seen.get(topic.format(table)) for topic in TOPICS[1:])
    node = seen.get(f"hb/node/{meta['node']}") if meta else None
    if not (state and timers and node) or my_ms - node["heard"] > gone_ms:
        return f"{table}: waiting for its node"
    passed = my_ms + max(node["ahead"]) - timers["as_of_ms"]
    head = f"{state['name']}  hand {state['hand_number']}  {state['hand_phase']}"
    rows = [f"{n} {p:12} {clock(timers['seats'][n], passed)}" for n, p in state["players"].items()]
    return "\n".join([head, *rows, f"  call window  {clock(timers['window'], passed)}"])


async def main(asked: argparse.Namespace) -> None:
    """Read the topics of a table and draw them ten times a second."""
    seen: dict[str, dict] = {}
    now = asyncio.get_running_loop().time

    async def draw() -> None:
        while True:
            print("\x1b[H\x1b[2J" + picture(seen, asked.table, now() * 1000), flush=True)
            await asyncio.sleep(0.1)

    async with aiomqtt.Client(asked.host, asked.port) as client, asyncio.TaskGroup() as tasks:
        tasks.create_task(draw())
        await client.subscribe([(f"{asked.root}/{t.format(asked.table)}", 1) for t in TOPICS])
        async for message in client.messages:
            topic, said = str(message.topic)[len(asked.root) + 1 :], json.loads(message.payload)
            if "uptime_ms" in said:  # how far the node's clock is ahead of mine, in one session
                old, my = seen.get(topic, {}), now() * 1000
                ahead = old["ahead"][-9:] if old.get("session") == said["session"] else []
                said |= {"ahead": [*ahead, said["uptime_ms"] - my], "heard": my}
            seen[topic] = said


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table")
    parser.add_argument("--root", default="mahjong/1/demo")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", default=1883, type=int)
    asyncio.run(main(parser.parse_args()))
