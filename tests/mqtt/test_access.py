import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest

from mqtt.access import Deed, Holder, Role, event_kinds, grants, matches, mosquitto_acl
from mqtt.broker_line import connect
from mqtt.events import Audience
from mqtt.messages import Message, Protocol
from mqtt.topics import Root, TopicKind
from table.errors import BrokerError
from tests.harness.broker import HOST, OPEN, Mosquitto, mosquitto
from tests.mqtt.watcher import Watcher, watching

ROOT = Root("mahjong", "hall")
LOGINS = {
    "node-1": Role.NODE,
    "node-2": Role.NODE,
    "board": Role.BOARD,
    "referee-1": Role.REFEREE,
    "screen": Role.SCOREBOARD,
    "staff": Role.ADMIN,
}
NODES = {"node-1": "n1", "node-2": "n2"}
ACL = mosquitto_acl(ROOT, LOGINS, NODES, keeper="node-1")
EXAMPLES = {
    "avail/node/n1": "everybody",
    "avail/node/n2": "everybody",
    "hb/node/n2": "everybody",
    "meta/node/n2": "everybody",
    "meta/table/t1": "everybody",
    "avail/table/t1": "everybody",
    "state/table/t1": "everybody",
    "state/table/t1/timers": "everybody",
    "ledger/table/t1": "everybody",
    "state/venue/roster": "everybody",
    "event/table/t1/discarded": "officials and screen",
    "event/table/t1/hand-ended": "officials and screen",
    "event/table/t1/foul-seen": "officials",
    "event/table/t1/alert-raised": "officials",
    "alert/table/t1/t1-1-1": "officials and nodes",
    "cmd/board/table/t1/pause": "officials and nodes",
    "cmd/screen/table/t1/replay": "officials and nodes",
    "cmd/referee-1/node/n1/pause": "officials and nodes",
    "cmd/staff/venue/forget-node": "officials and nodes",
    "reply/board/c1": "officials",
    "reply/screen/c1": "officials and screen",
    "elsewhere/x": "officials",
}
"""Topics below the root, and who may read them."""
READERS = {
    "everybody": set(LOGINS),
    "officials": {"board", "referee-1", "staff"},
    "officials and screen": {"board", "referee-1", "staff", "screen"},
    "officials and nodes": {"board", "referee-1", "staff", "node-1", "node-2"},
}
WRITERS = {
    "avail/node/n1": {"node-1", "staff"},
    "avail/node/n2": {"node-1", "node-2", "staff"},
    "hb/node/n2": {"node-1", "node-2"},
    "meta/node/n2": {"node-1", "node-2", "staff"},
    "meta/table/t1": {"node-1", "node-2", "staff"},
    "avail/table/t1": {"node-1", "node-2", "staff"},
    "state/table/t1": {"node-1", "node-2", "staff"},
    "state/table/t1/timers": {"node-1", "node-2", "staff"},
    "ledger/table/t1": {"node-1", "node-2", "staff"},
    "state/venue/roster": {"node-1", "staff"},
    "event/table/t1/discarded": {"node-1", "node-2"},
    "event/table/t1/hand-ended": {"node-1", "node-2"},
    "event/table/t1/foul-seen": {"node-1", "node-2"},
    "event/table/t1/alert-raised": {"node-1", "node-2"},
    "alert/table/t1/t1-1-1": {"node-1", "node-2", "staff"},
    "cmd/board/table/t1/pause": {"board"},
    "cmd/screen/table/t1/replay": {"screen"},
    "cmd/referee-1/node/n1/pause": {"referee-1"},
    "cmd/staff/venue/forget-node": {"staff"},
    "reply/board/c1": {"node-1", "node-2"},
    "reply/screen/c1": {"node-1", "node-2"},
    "elsewhere/x": set(),
}
FORBIDDEN_ORDERS = [
    "cmd/screen/table/t1/pause",
    "cmd/screen/table/t1/replay-official",
    "cmd/screen/node/n1/pause",
    "cmd/screen/venue/forget-node",
    "cmd/nobody/table/t1/pause",
]


def section(login: str) -> list[str]:
    (found,) = [each for each in ACL.split("\n\n") if f"user {login}" in each.splitlines()]
    return found.splitlines()


def test_a_login_has_lines_of_its_own_and_nothing_holds_for_everybody() -> None:
    lines = [line for line in ACL.splitlines() if line]
    assert {line.split()[0] for line in lines} == {"#", "user", "topic"}
    assert lines[1] == "user node-1"
    assert re.findall(r"^user (\S+)$", ACL, re.MULTILINE) == list(LOGINS)


def test_the_lines_of_a_board_are_these() -> None:
    assert section("board") == [
        "# board",
        "user board",
        "topic read mahjong/1/hall/#",
        "topic write mahjong/1/hall/cmd/board/table/+/+",
        "topic write mahjong/1/hall/cmd/board/node/+/+",
        "topic write mahjong/1/hall/cmd/board/venue/+",
    ]


def test_a_referee_may_do_what_a_board_may() -> None:
    renamed = [line.replace("referee-1", "board") for line in section("referee-1")]
    assert renamed[1:] == section("board")[1:]


def test_a_scoreboard_reads_one_line_per_kind_of_event_for_everyone() -> None:
    lines = [line for line in section("screen") if "/event/" in line]
    assert lines == [
        f"topic read mahjong/1/hall/event/table/+/{kind}" for kind in event_kinds(Audience.EVERYONE)
    ]
    assert {"discarded", "hand-ended", "players-seated"} <= set(event_kinds(Audience.EVERYONE))
    assert not {"foul-seen", "too-close", "alert-raised", "ruling-made"} & set(
        event_kinds(Audience.EVERYONE)
    )


@pytest.mark.parametrize(
    ("topic_filter", "topic", "expected"),
    [
        ("a/+/c", "a/b/c", True),
        ("a/+/c", "a/b/d", False),
        ("a/+", "a/b/c", False),
        ("a/#", "a/b/c", True),
        ("a/#", "a", True),
        ("a/#", "b/a", False),
        ("#", "a/b", True),
        ("#", "$SYS/broker/version", False),
        ("+/broker/version", "$SYS/broker/version", False),
        ("$SYS/#", "$SYS/broker/version", True),
    ],
)
def test_a_filter_matches_as_in_mqtt(topic_filter: str, topic: str, *, expected: bool) -> None:
    assert matches(topic_filter, topic) is expected


def test_only_nodes_may_write_replies() -> None:
    reply = root_filter(TopicKind.REPLY)
    writers = {
        login
        for login, role in LOGINS.items()
        for grant in grants(ROOT, Holder(login, role))
        if grant.deed is Deed.WRITE and grant.topic_filter.startswith(reply)
    }
    assert writers == {"node-1", "node-2"}


def root_filter(kind: TopicKind) -> str:
    return ROOT.every(kind).partition("+")[0]


def test_a_node_is_its_login_where_nothing_else_is_said() -> None:
    (own,) = [
        grant.topic_filter
        for grant in grants(ROOT, Holder("n7", Role.NODE))
        if grant.deed is Deed.WRITE and "/avail/node/" in grant.topic_filter
    ]
    assert own == "mahjong/1/hall/avail/node/n7"


@pytest.mark.parametrize("bad", ["", "Board", "a b", "+", "#", "a/b", "x\ntopic #"])
@pytest.mark.parametrize("role", Role)
def test_a_login_that_would_break_the_list_is_refused(bad: str, role: Role) -> None:
    with pytest.raises(ValueError, match="only a-z, 0-9 and hyphen"):
        mosquitto_acl(ROOT, {bad: role})


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Mosquitto]:
    """A mosquitto with the access list; its passwords are not the subject here."""
    (tmp_path / "acl").write_text(ACL, encoding="utf-8")
    with mosquitto(tmp_path, f"{OPEN}\nacl_file {tmp_path}/acl") as running:
        yield running


@asynccontextmanager
async def everybody(broker: Mosquitto, protocol: Protocol) -> AsyncIterator[dict[str, Watcher]]:
    async with AsyncExitStack() as stack:
        yield {
            login: await stack.enter_async_context(
                watching(broker.line(f"{login}-watching", protocol, login), [f"{ROOT.path}/#"])
            )
            for login in LOGINS
        }


async def settle(watchers: dict[str, Watcher]) -> None:
    """Wait until each has seen a last message that all may read."""
    await watchers["node-1"].publish(Message(f"{ROOT.path}/meta/node/n1", b"last"))
    async with asyncio.TaskGroup() as tasks:
        for watcher in watchers.values():
            tasks.create_task(watcher.until(lambda seen: any(m.payload == b"last" for m in seen)))


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
async def test_each_role_reads_and_writes_what_it_may_and_nothing_else(
    guarded: Mosquitto, protocol: Protocol
) -> None:
    async with everybody(guarded, protocol) as watchers:
        for login, watcher in watchers.items():
            for topic in [*EXAMPLES, *FORBIDDEN_ORDERS]:
                # MQTT 5 says that it is refused, 3.1.1 does not; either way nobody may hear of it.
                with suppress(BrokerError):
                    await watcher.publish(Message(f"{ROOT.path}/{topic}", login.encode()))
        await settle(watchers)
    for login, watcher in watchers.items():
        expected = {
            (topic, writer)
            for topic, who in EXAMPLES.items()
            if login in READERS[who]
            for writer in WRITERS[topic]
        }
        assert set(heard(watcher)) == expected, login


def heard(watcher: Watcher) -> list[tuple[str, str]]:
    return [
        (message.topic.removeprefix(f"{ROOT.path}/"), message.payload.decode())
        for message in watcher.seen
        if message.payload != b"last"
    ]


async def test_a_node_may_leave_its_own_last_will_and_no_other(guarded: Mosquitto) -> None:
    async with watching(guarded.line("board", login="board")) as board:
        for node in ("n1", "n2"):
            await die(guarded.port, "node-2", ROOT.node_availability(node))
        await board.until(len)
    assert [message.topic for message in board.seen] == [ROOT.node_availability("n2")]


async def die(port: int, login: str, will: str) -> None:
    """Connect with a last will in MQTT 3.1.1 and go without a word."""
    reader, writer = await asyncio.open_connection(HOST, port)
    texts = (f"{login}-dying", will, "offline", login, login)
    body = b"\x00\x04MQTT\x04\xc6\x00\x05" + b"".join(map(text, texts))
    writer.write(b"\x10" + bytes([len(body)]) + body)
    assert await reader.readexactly(4) == b"\x20\x02\x00\x00"
    writer.transport.abort()


def text(value: str) -> bytes:
    return len(value).to_bytes(2, "big") + value.encode()


async def test_who_is_nobody_reads_and_writes_nothing(guarded: Mosquitto) -> None:
    async with (
        watching(guarded.line("nobody")) as nobody,
        watching(guarded.line("board", login="board")) as board,
        connect(guarded.line("node", login="node-1")) as node,
    ):
        with pytest.raises(BrokerError, match="Not authorized"):
            await nobody.publish(Message(ROOT.state("t1"), b"forged"))
        await node.publish(Message(ROOT.state("t1"), b"true"))
        await board.until(len)
    assert [message.payload for message in board.seen] == [b"true"]
    assert nobody.seen == []
