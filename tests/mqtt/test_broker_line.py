import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from mqtt.broker_line import connect
from mqtt.messages import LastWill, LineSettings, Message, Protocol, Subscription
from table.errors import BrokerError
from tests.harness.broker import HOST, OPEN, Mosquitto, mosquitto
from tests.mqtt.watcher import watching

Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
CONNACK = bytes.fromhex("2003000000")
CONNACK_FOR_ONE_AT_A_TIME = bytes.fromhex("2006000003210001")
DISCONNECT = bytes.fromhex("e00189")


@asynccontextmanager
async def scripted_broker(answer: Answer) -> AsyncIterator[int]:
    """A server that speaks the bytes it is told to."""
    server = await asyncio.start_server(answer, HOST, 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def read_packet(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readexactly(2)
    return head + await reader.readexactly(head[1])


async def listen(settings: LineSettings) -> None:
    async with connect(settings) as line, asyncio.timeout(10):
        async for _ in line.deliveries():
            pass


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
async def test_what_is_published_arrives(broker: Mosquitto, protocol: Protocol) -> None:
    async with watching(broker.line("watcher", protocol)) as watcher:
        await watcher.publish(Message("hall/door", b"open", retain=True))
        seen = await watcher.until(len)
    assert (seen[0].topic, seen[0].payload) == ("hall/door", b"open")


async def test_expiry_and_response_topic_travel_with_a_message(broker: Mosquitto) -> None:
    async with watching(broker.line("watcher")) as watcher:
        sent = Message("hall/door", b"open", expiry_seconds=5, response_topic="hall/answer")
        await watcher.publish(sent)
        seen = await watcher.until(len)
    assert seen[0].response_topic == "hall/answer"
    assert seen[0].expiry_seconds in {4, 5}


async def test_messages_keep_their_order_whatever_their_number(broker: Mosquitto) -> None:
    numbers = [str(number).encode() for number in range(500)]
    async with watching(broker.line("watcher")) as watcher:
        await watcher.line.publish_all(Message("hall/number", number) for number in numbers)
        assert await watcher.count("hall/number", 500) == numbers


async def test_a_broker_that_is_away_is_named(broker: Mosquitto) -> None:
    broker.stop()
    with pytest.raises(BrokerError, match=rf"no connection to the broker at {HOST}:{broker.port}"):
        async with connect(broker.line("nobody")):
            pass


async def test_a_wrong_password_is_refused_with_the_brokers_reason(tmp_path: Path) -> None:
    (tmp_path / "passwords").write_text("", encoding="utf-8")
    lines = f"allow_anonymous false\npassword_file {tmp_path}/passwords"
    with mosquitto(tmp_path, lines) as closed, pytest.raises(BrokerError, match="Not authorized"):
        async with connect(closed.line("stranger", login="stranger")):
            pass


async def test_a_message_that_the_broker_may_not_take_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "acl").write_text("topic write hall/door\n", encoding="utf-8")
    with mosquitto(tmp_path, f"{OPEN}\nacl_file {tmp_path}/acl") as strict:
        async with connect(strict.line("guest")) as line:
            await line.publish(Message("hall/door"))
            with pytest.raises(BrokerError, match="refused a message on hall/safe: Not authorized"):
                await line.publish(Message("hall/safe"))


async def test_a_refused_subscription_is_an_error() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_packet(reader)
        writer.write(CONNACK)
        subscribe = await read_packet(reader)
        writer.write(b"\x90\x04" + subscribe[2:4] + b"\x00\x87")
        await reader.read()
        writer.close()

    async with (
        scripted_broker(answer) as port,
        connect(LineSettings(HOST, port, "guest")) as line,
    ):
        with pytest.raises(BrokerError, match="refused to subscribe hall/#: Not authorized"):
            await line.subscribe(Subscription("hall/#"))


async def test_no_more_is_in_flight_than_the_broker_allows() -> None:
    arrived: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_packet(reader)
        writer.write(CONNACK_FOR_ONE_AT_A_TIME)
        for _ in range(3):
            packet = await read_packet(reader)
            arrived.append(packet[4:5])
            if arrived == [b"a", b"c"]:
                writer.write(b"\x40\x02\x00\x01")
        writer.close()

    async with (
        scripted_broker(answer) as port,
        connect(LineSettings(HOST, port, "guest")) as line,
    ):
        first, _, _ = [line.post(one) for one in (Message("a"), Message("b"), Message("c", qos=0))]
        await line.acknowledged(first, "a")
        with pytest.raises(BrokerError, match="lost the broker"):
            async for _ in line.deliveries():
                pass
    assert arrived == [b"a", b"c", b"b"]


async def test_a_broker_that_accepts_and_says_nothing_is_given_up() -> None:
    gone = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        gone.set()
        writer.close()

    async with scripted_broker(answer) as port:
        with pytest.raises(BrokerError, match="timed out"):
            async with connect(LineSettings(HOST, port, "guest", answer_seconds=0.2)):
                pass
        async with asyncio.timeout(10):
            await gone.wait()


async def test_a_broker_that_hangs_up_after_its_welcome_is_noticed() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_packet(reader)
        writer.write(CONNACK + DISCONNECT)
        writer.close()

    async with scripted_broker(answer) as port:
        with pytest.raises(BrokerError, match="Server busy"):
            await listen(LineSettings(HOST, port, "guest"))


@pytest.mark.parametrize(("goodbye", "taken_over"), [("e0018e", True), ("e00189", False)])
async def test_a_broker_that_says_so_tells_that_somebody_has_our_name(
    goodbye: str, *, taken_over: bool
) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_packet(reader)
        writer.write(CONNACK)
        await read_packet(reader)
        writer.write(bytes.fromhex(goodbye))
        writer.close()

    async with (
        scripted_broker(answer) as port,
        connect(LineSettings(HOST, port, "guest")) as line,
    ):
        with pytest.raises(BrokerError):
            await line.probe()
        assert line.broken
        assert line.taken_over is taken_over


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
async def test_catching_up_ends_when_all_that_is_retained_has_passed(
    broker: Mosquitto, protocol: Protocol
) -> None:
    async with connect(broker.line("guest")) as line:
        rooms = (Message(f"hall/{room}", b"x", retain=True) for room in range(500))
        await line.publish_all(rooms)
    async with watching(broker.line("watcher", protocol), ("hall/#",)) as watcher:
        await watcher.line.catch_up()
        assert len(watcher.seen) == 500


async def test_a_killed_broker_ends_the_deliveries(broker: Mosquitto) -> None:
    async with connect(broker.line("guest")) as line:
        broker.kill()
        with pytest.raises(BrokerError, match="lost the broker"):
            async for _ in line.deliveries():
                pass
        with pytest.raises(BrokerError, match="cannot publish hall/door"):
            await line.publish(Message("hall/door"))


async def test_a_frozen_broker_is_given_up(broker: Mosquitto) -> None:
    async with connect(replace(broker.line("guest"), answer_seconds=0.5)) as line:
        broker.freeze()
        with pytest.raises(BrokerError, match="hall/door: no answer in time"):
            await line.publish(Message("hall/door"))
        broker.thaw()


async def test_a_window_of_refused_messages_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "acl").write_text("topic write hall/door\n", encoding="utf-8")
    told: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
    with mosquitto(tmp_path, f"{OPEN}\nacl_file {tmp_path}/acl") as strict:
        async with connect(strict.line("guest")) as line:
            with pytest.raises(BrokerError, match="refused a message on hall/safe"):
                await line.publish_all([Message("hall/safe")] * 10)
            await line.publish(Message("hall/door"))
    gc.collect()
    assert told == []


async def test_a_connection_that_is_closed_instead_of_welcomed_is_not_waited_for() -> None:
    async def close(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_packet(reader)
        writer.close()

    async with scripted_broker(close) as port, asyncio.timeout(20):
        with pytest.raises(BrokerError, match="the connection broke"):
            async with connect(LineSettings(HOST, port, "guest", answer_seconds=60)):
                pass


async def test_cancelling_a_connection_attempt_leaves_no_socket_behind() -> None:
    greeted, gone = asyncio.Event(), asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_packet(reader)
        greeted.set()
        await reader.read()
        gone.set()
        writer.close()

    async def attempt(port: int) -> None:
        async with connect(LineSettings(HOST, port, "guest", answer_seconds=0.5)):
            pass

    async with scripted_broker(answer) as port, asyncio.timeout(20):
        attempting = asyncio.create_task(attempt(port))
        await greeted.wait()
        attempting.cancel()
        await gone.wait()
        await asyncio.wait([attempting])
        assert attempting.cancelled()


async def test_leaving_in_order_publishes_no_will(broker: Mosquitto) -> None:
    async with watching(broker.line("watcher")) as watcher:
        async with connect(broker.line("guest"), LastWill("hall/guest", b"gone", 0)):
            pass
        await watcher.publish(Message("hall/after"))
        seen = await watcher.until(len)
    assert [message.topic for message in seen] == ["hall/after"]


def test_the_password_is_never_shown() -> None:
    assert "secret" not in repr(LineSettings(HOST, 1883, "node", "node", "secret"))
