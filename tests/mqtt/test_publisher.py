import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from mqtt.broker_line import connect
from mqtt.connection import WINDOW
from mqtt.inbox import Rejection, Request
from mqtt.messages import Message, Protocol
from mqtt.orders import ReplyPayload
from mqtt.topics import TopicKind
from table.commands import Pause, Precondition
from table.errors import BrokerError
from tests.harness.broker import HOST, OPEN, Mosquitto, mosquitto
from tests.mqtt.cable import cable
from tests.mqtt.memory_outbox import MemoryOutbox
from tests.mqtt.speaking import (
    PLACE,
    ROOT,
    Node,
    some_availability,
    some_ledger,
    some_reply,
    speaking,
)
from tests.mqtt.watcher import watching

ORDER = b'{"id":"c1","person":"li","precondition":{"hand":"h1"},"arguments":{"reason":"tea"}}'
PAUSE = ROOT.table_command("board", "t1", "pause")
VENUE = (f"{ROOT.path}/#",)


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
async def test_everything_about_a_node_is_in_place_before_it_is_online(
    broker: Mosquitto, protocol: Protocol
) -> None:
    node = Node(broker.line("", protocol), outbox=MemoryOutbox(3))
    for topic in (
        ROOT.table_availability("t1"),
        ROOT.alert("t1", "h1-1"),
        ROOT.ledger("t1"),
        ROOT.venue_state("roster"),
        ROOT.timers("t1"),
        ROOT.state("t1"),
        ROOT.table_meta("t1"),
        ROOT.node_meta("n1"),
    ):
        node.publisher.retain(topic, some_ledger())
    async with watching(broker.line("watcher"), VENUE) as watcher, speaking(node):
        await watcher.count("event/", 3)
        topics = [message.topic.removeprefix(f"{ROOT.path}/") for message in watcher.seen]
        assert [topic for topic in topics if not topic.startswith("hb/")] == [
            "meta/node/n1",
            "meta/table/t1",
            "state/table/t1",
            "state/table/t1/timers",
            "state/venue/roster",
            "ledger/table/t1",
            "alert/table/t1/h1-1",
            "avail/table/t1",
            "avail/node/n1",
            *["event/table/t1/discarded"] * 3,
        ]


async def test_commands_are_heard_before_the_first_topic_is_told(broker: Mosquitto) -> None:
    node = Node(broker.line(""))
    node.publisher.retain(ROOT.node_meta("n1"), some_ledger())
    async with watching(broker.line("board"), VENUE) as board, asyncio.TaskGroup() as tasks:
        serving = tasks.create_task(node.publisher.serve())
        await board.count("meta/node/n1", 1)
        await board.publish(Message(PAUSE, ORDER, expiry_seconds=5))
        heard = await node.hears()
        node.publisher.stop()
        await serving
    assert isinstance(heard, Request)
    assert (heard.id, heard.login, heard.person) == ("c1", "board", "li")
    assert (heard.command, heard.precondition) == (Pause("tea"), Precondition(hand="h1"))


async def test_a_command_without_expiry_from_an_old_client_is_heard(broker: Mosquitto) -> None:
    node = Node(broker.line("", "3.1.1"))
    async with watching(broker.line("board", "3.1.1"), VENUE) as board, speaking(node):
        await board.publish(Message(PAUSE, ORDER))
        heard = await node.hears()
    assert isinstance(heard, Request)
    assert heard.expiry_seconds is None


async def test_a_retained_command_is_refused_when_it_passes_live(broker: Mosquitto) -> None:
    node = Node(broker.line(""))
    async with speaking(node), watching(broker.line("board"), VENUE) as board:
        await board.publish(Message(PAUSE, ORDER, retain=True))
        heard = await node.hears()
    assert isinstance(heard, Rejection)
    assert (heard.code, heard.reply_topic) == ("retained", ROOT.reply("board", "c1"))


async def test_a_retained_command_is_refused_when_the_broker_kept_it(broker: Mosquitto) -> None:
    async with connect(broker.line("board")) as board:
        await board.publish(Message(PAUSE, ORDER, retain=True))
    node = Node(broker.line("", "3.1.1"))
    async with speaking(node):
        heard = await node.hears()
    assert isinstance(heard, Rejection)
    assert heard.code == "retained"


async def test_a_retained_command_is_not_even_delivered_to_a_node_that_connects(
    broker: Mosquitto,
) -> None:
    async with connect(broker.line("board")) as board:
        await board.publish(Message(PAUSE, ORDER, retain=True))
        node = Node(broker.line(""))
        async with speaking(node):
            await board.publish(Message(PAUSE, ORDER.replace(b"c1", b"c2")))
            heard = await node.hears()
    assert heard.id == "c2"


async def test_a_reply_finds_its_sender(broker: Mosquitto) -> None:
    node = Node(broker.line(""))
    async with watching(broker.line("board"), VENUE) as board, speaking(node) as publisher:
        publisher.reply(ROOT.reply("board", "c1"), some_reply())
        reply = (await board.count("reply/board/c1", 1))[0]
    assert ReplyPayload.model_validate_json(reply) == some_reply()


async def test_the_newest_state_is_retained_and_a_cleared_one_is_not(broker: Mosquitto) -> None:
    alert, ledger = ROOT.alert("t1", "h1-1"), ROOT.ledger("t1")
    node = Node(broker.line(""))
    async with watching(broker.line("watcher"), VENUE) as watcher, speaking(node) as publisher:
        for seq in range(5):
            publisher.retain(ledger, some_ledger(seq))
        publisher.retain(alert, some_ledger())
        await watcher.count("alert/", 1)
        publisher.clear(alert)
        await watcher.count("alert/", 2)
    async with watching(broker.line("late"), VENUE) as late:
        seen = await late.until(lambda seen: len(seen) == 2)
    kept = {m.topic: m.payload for m in seen}
    assert kept.keys() == {ledger, PLACE.topic}
    assert kept[ledger] == some_ledger(4).encode()


async def test_an_alert_left_by_an_earlier_session_is_taken_away(broker: Mosquitto) -> None:
    ghost, ours, foreign = ROOT.alert("t1", "old"), ROOT.alert("t1", "new"), ROOT.alert("t9", "old")
    async with connect(broker.line("before")) as before:
        for topic in (ghost, ours, foreign):
            await before.publish(Message(topic, b"{}", retain=True))
    node = Node(broker.line(""))
    node.publisher.retain(ours, some_ledger())
    async with watching(broker.line("watcher"), VENUE) as watcher, speaking(node):
        await watcher.until(lambda seen: any(m.topic == ghost and not m.payload for m in seen))
    async with watching(broker.line("late"), [ROOT.every(TopicKind.ALERT)]) as late:
        seen = await late.until(lambda seen: len(seen) == 2)
    assert {message.topic for message in seen} == {ours, foreign}


async def test_a_pulled_cable_loses_nothing_and_keeps_the_order(broker: Mosquitto) -> None:
    async with cable(broker.port) as wire, watching(broker.line("watcher"), VENUE) as watcher:
        settings = replace(broker.line(""), port=wire.port)
        node = Node(settings, outbox=MemoryOutbox(3000))
        for seen_before_the_cut in (700, 1500, 2200):
            serving = asyncio.create_task(node.publisher.serve())
            await watcher.count("event/", seen_before_the_cut)
            wire.pull()
            await asyncio.wait([serving])
            with pytest.raises(BrokerError):
                serving.result()
        async with speaking(node):
            await watcher.until(lambda _: b"3000" in watcher.payloads("event/"))
    first_seen = list(dict.fromkeys(watcher.payloads("event/")))
    assert first_seen == [str(number).encode() for number in range(1, 3001)]
    assert node.outbox.waiting == {}


async def test_after_a_cut_no_more_than_a_window_of_events_is_sent_again(broker: Mosquitto) -> None:
    async with cable(broker.port) as wire, watching(broker.line("watcher"), VENUE) as watcher:
        node = Node(replace(broker.line(""), port=wire.port))
        serving = asyncio.create_task(node.publisher.serve())
        await node.publisher.connected.wait()
        wire.holds = 10_000
        node.outbox.add(190)
        await asyncio.wait([serving])
        assert isinstance(serving.exception(), BrokerError)
        left = node.outbox.depth
        async with speaking(node):
            await watcher.until(lambda _: b"190" in watcher.payloads("event/"))
    assert len(watcher.payloads("event/")) - 190 <= WINDOW
    assert 2 * WINDOW < left < 150


async def test_without_a_journal_everything_but_events_goes_on(
    broker: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    node = Node(broker.line(""), outbox=MemoryOutbox(3))
    node.outbox.readable = False
    async with watching(broker.line("watcher"), VENUE) as watcher, speaking(node) as publisher:
        publisher.retain(ROOT.ledger("t1"), some_ledger())
        await watcher.count("ledger/", 1)
        assert watcher.payloads("event/") == []
        assert "events wait for the journal: the journal cannot be read" in caplog.text
        node.outbox.readable = True
        assert await watcher.count("event/", 3) == [b"1", b"2", b"3"]


async def test_an_event_that_was_not_acknowledged_comes_again_unchanged(broker: Mosquitto) -> None:
    node = Node(broker.line(""), outbox=MemoryOutbox(1))
    event = next(iter(node.outbox.waiting.values()))
    async with watching(broker.line("watcher"), VENUE) as watcher:
        async with speaking(node):
            await watcher.count("event/", 1)
        node.outbox.waiting[event.position] = event
        again = Node(broker.line(""), outbox=node.outbox)
        async with speaking(again):
            said = await watcher.count("event/", 2)
    assert said == [event.payload, event.payload]


async def test_a_broker_that_forgot_everything_is_told_everything_again(tmp_path: Path) -> None:
    forgetful = Mosquitto(tmp_path)
    forgetful.start()
    node = Node(forgetful.line(""))
    retained = {
        ROOT.ledger("t1"): some_ledger(),
        ROOT.table_availability("t1"): some_availability(),
    }
    for topic, payload in retained.items():
        node.publisher.retain(topic, payload)
    serving = asyncio.create_task(node.publisher.serve())
    await node.publisher.connected.wait()
    forgetful.kill()
    await asyncio.wait([serving])
    with pytest.raises(BrokerError, match=rf"{HOST}|lost the broker"):
        serving.result()
    assert not node.publisher.connected.is_set()
    node.outbox.add(1)
    node.publisher.reply(ROOT.reply("board", "c1"), some_reply())
    forgetful.start()
    async with watching(forgetful.line("watcher"), VENUE) as watcher, speaking(node):
        await watcher.count("event/", 1)
        await watcher.count("reply/", 1)
        assert set(retained) | {PLACE.topic} <= {m.topic for m in watcher.seen}
    forgetful.kill()


async def test_what_changed_while_the_broker_was_away_is_put_right(tmp_path: Path) -> None:
    alert, ledger = ROOT.alert("t1", "h1-1"), ROOT.ledger("t1")
    with mosquitto(tmp_path, keeping=True) as broker:
        node = Node(broker.line(""))
        node.publisher.retain(alert, some_ledger())
        node.publisher.retain(ledger, some_ledger())
        serving = asyncio.create_task(node.publisher.serve())
        await node.publisher.connected.wait()
        broker.kill()
        await asyncio.wait([serving])
        assert isinstance(serving.exception(), BrokerError)
        node.publisher.clear(alert)
        node.publisher.retain(ledger, some_ledger(1))
        broker.start()
        async with watching(broker.line("watcher"), VENUE) as watcher, speaking(node):
            await watcher.until(lambda _: b"" in watcher.payloads("alert/"))
        kept = {message.topic: message.payload for message in watcher.seen}
    assert (kept[alert], kept[ledger]) == (b"", some_ledger(1).encode())


async def test_a_broker_that_is_not_there_is_an_error_at_once(broker: Mosquitto) -> None:
    broker.kill()
    with pytest.raises(BrokerError, match="no connection to the broker"):
        await Node(broker.line("")).publisher.serve()


async def test_an_event_which_the_broker_refuses_stays_in_the_outbox(tmp_path: Path) -> None:
    allowed = "".join(f"topic readwrite {ROOT.path}/{part}/#\n" for part in ("avail", "hb"))
    (tmp_path / "acl").write_text(allowed, encoding="utf-8")
    with mosquitto(tmp_path, f"{OPEN}\nacl_file {tmp_path}/acl") as strict:
        node = Node(strict.line(""), outbox=MemoryOutbox(1))
        with pytest.raises(BrokerError, match=r"refused a message on .*: Not authorized"):
            await node.publisher.serve()
    assert len(node.outbox.waiting) == 1
