import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from config.models import Broker, Event, Node, Settings
from controller.command_line import main
from controller.doctor import examine, patient
from controller.doctor_access import AccessTrial
from controller.doctor_broker import certificates, queueing, retaining, strangers
from controller.doctor_callers import calling
from controller.doctor_findings import Finding, Health, all_well, as_json, as_text
from controller.doctor_trials import VERSION_TOPIC, Ward
from mqtt.access import Deed, Holder, Role, grants, matches
from mqtt.broker_line import connect
from mqtt.messages import Message, Protocol
from mqtt.payloads import Heartbeat, NodeAvailability, NodeMeta
from mqtt.topics import TRIAL, Root
from table.errors import BrokerError, SettingsError
from tests.controller.written_broker import Written, init, running
from tests.harness.broker import HOST, free_port
from tests.mqtt.watcher import watching

ROOT = Root("mahjong", "hall")
NODES = ("node-1", "node-2")
NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
NOW = datetime.now(UTC)  # noqa: TID251 - the broker's certificates are real
BEAT_SECONDS = 0.3


def settings(written: Written, protocol: Protocol = "5") -> Settings:
    entry = written.logins.logins["node-1"]
    broker = Broker(
        host=HOST,
        port=written.port,
        login="node-1",
        password_file=entry.password_file,
        tls_ca_file=written.folder / "ca.crt",
        tls_certificate_file=entry.tls_certificate_file,
        tls_key_file=entry.tls_key_file,
        protocol=protocol,
    )
    node = Node(id="node-1", venue="hall", keeps_venue=True)
    return Settings(node=node, event=Event(ruleset="mcr-2014"), broker=broker)


async def looked_over(
    written: Written, protocol: Protocol = "5", now: datetime = NOW
) -> list[Finding]:
    return await examine(patient(settings(written, protocol), written.logins), now)


async def work(written: Written, node: str, working: asyncio.Event) -> None:
    async with connect(written.line(node)) as line:
        online = NodeAvailability(node=node, status="online", session=1, since=NOON, time=NOON)
        meta = NodeMeta(node=node, time=NOON, venue_name="Hall", software="1", ruleset="mcr-2014")
        for topic, said in ((ROOT.node_meta(node), meta), (ROOT.node_availability(node), online)):
            with suppress(BrokerError):
                await line.publish(Message(topic, said.encode(), retain=True))
        beat = 0
        while True:
            payload = Heartbeat(node=node, session=1, time=NOON, uptime_ms=beat).encode()
            await line.publish(Message(ROOT.heartbeat(node), payload, qos=0))
            working.set()
            beat += 1
            await asyncio.sleep(BEAT_SECONDS)


@asynccontextmanager
async def at_work(written: Written) -> AsyncIterator[None]:
    async with asyncio.TaskGroup() as tasks:
        begun = {node: asyncio.Event() for node in NODES}
        working = [tasks.create_task(work(written, *each)) for each in begun.items()]
        for each in begun.values():
            await each.wait()
        yield
        for task in working:
            task.cancel()


@pytest.fixture
def venue(tmp_path: Path) -> Iterator[Written]:
    with running(init(tmp_path / "venue")) as written:
        yield written


def bad(findings: list[Finding]) -> list[str]:
    return [as_text(finding) for finding in findings if finding.health is not Health.OK]


@pytest.mark.parametrize(
    ("protocol", "more"), [("5", ()), ("3.1.1", ("--certificates",))], ids=["5-TLS", "3.1.1-mTLS"]
)
async def test_a_broker_as_it_was_written_is_well_in_every_point(
    tmp_path: Path, protocol: Protocol, more: tuple[str, ...]
) -> None:
    with running(init(tmp_path / "venue", *more)) as written:
        async with at_work(written):
            findings = await looked_over(written, protocol)
    assert bad(findings) == []
    assert {finding.check for finding in findings} == {
        *("broker", "TLS", "strangers", "login", "access", "version", "retained", "queue"),
        "heartbeat",
    }
    for login, role in (("screen-1", "scoreboard"), ("node-2", "node"), ("admin", "admin")):
        (said,) = [each.sentence for each in findings if f"{login} ({role})" in each.sentence]
        allowed, forbidden = map(int, re.findall(r" (\d+) things .* (\d+) that", said)[0])
        assert allowed > 20
        assert forbidden > 50


def without(line: str) -> tuple[str, str]:
    return f"topic {line}\n", ""


def beside(login: str, line: str) -> tuple[str, str]:
    return f"user {login}\n", f"user {login}\ntopic {line}\n"


EVENTS = "read mahjong/1/hall/event/table/+"
MUTATIONS: dict[str, tuple[tuple[str, str], str, str]] = {
    "a display reads alerts": (
        beside("screen-1", "read mahjong/1/hall/alert/#"),
        "screen-1",
        "can read alert/table/+/+, but must not",
    ),
    "a display reads one kind of undecided event": (
        beside("screen-1", f"{EVENTS}/foul-seen"),
        "screen-1",
        "can read event/table/+/foul-seen, but must not",
    ),
    "a display reads another's replies": (
        beside("screen-1", "read mahjong/1/hall/reply/board/+"),
        "screen-1",
        "can read reply/board/+, but must not",
    ),
    "a display pauses": (
        beside("screen-1", "write mahjong/1/hall/cmd/screen-1/table/+/pause"),
        "screen-1",
        "can write cmd/screen-1/table/+/pause, but must not",
    ),
    "a display reads the broker's figures": (
        beside("screen-1", "read $SYS/#"),
        "screen-1",
        "can read $SYS/broker/version, but must not",
    ),
    "a board orders as the referee": (
        beside("board", "write mahjong/1/hall/cmd/referee-1/table/+/+"),
        "board",
        "can write cmd/referee-1/table/+/+, but must not",
    ),
    "a referee tells of an event": (
        beside("referee-1", "write mahjong/1/hall/event/table/+/ruling-made"),
        "referee-1",
        "can write event/table/+/ruling-made, but must not",
    ),
    "a node speaks for another": (
        beside("node-2", "write mahjong/1/hall/avail/node/node-1"),
        "node-2",
        "can write avail/node/node-1, but must not",
    ),
    "a node tells the venue's state": (
        beside("node-2", "write mahjong/1/hall/state/venue/+"),
        "node-2",
        "can write state/venue/+, but must not",
    ),
    "the keeper loses the venue's state": (
        without("write mahjong/1/hall/state/venue/+"),
        "node-1",
        "cannot write state/venue/+, but should",
    ),
    "a display loses one kind of event": (
        without(f"{EVENTS}/hand-ended"),
        "screen-1",
        "cannot read event/table/+/hand-ended, but should",
    ),
    "a display loses its replies": (
        without("read mahjong/1/hall/reply/screen-1/+"),
        "screen-1",
        "cannot read reply/screen-1/+, but should",
    ),
    "a display cannot ask for a replay": (
        without("write mahjong/1/hall/cmd/screen-1/table/+/replay"),
        "screen-1",
        "cannot write cmd/screen-1/table/+/replay, but should",
    ),
    "staff loses the broker's figures": (
        without("read $SYS/#"),
        "admin",
        "cannot read $SYS/broker/version, but should",
    ),
    "a display reads everything": (
        beside("screen-1", "readwrite #"),
        "screen-1",
        "more",
    ),
    "staff writes what is not of the venue": (
        beside("admin", "write #"),
        "admin",
        "more",
    ),
    "a referee answers": (
        beside("referee-1", "write mahjong/1/hall/reply/#"),
        "referee-1",
        "can write reply/node-1/+, but must not",
    ),
}
ROUNDS = range(5)
"""A round tries two mutations of each login that has so many; logins do not disturb each other."""


def mutations_of(round_: int) -> list[str]:
    by_login: dict[str, list[str]] = {}
    for name, (_, login, _) in MUTATIONS.items():
        by_login.setdefault(login, []).append(name)
    return [name for names in by_login.values() for name in names[2 * round_ : 2 * round_ + 2]]


async def tried(written: Written, acl: str, protocol: Protocol = "5") -> dict[str, str]:
    """Return what is wrong by login, with another access list."""
    ill = patient(settings(written, protocol), written.logins)
    written.reload(acl)
    async with at_work(written), calling(ill.logins) as (callers, _):
        findings = await AccessTrial(ill.ward, callers).findings()
    wrong = [each.sentence for each in findings if each.health is not Health.OK]
    return {sentence.partition(" (")[0]: sentence for sentence in wrong}


def test_the_rounds_are_all() -> None:
    assert sorted(name for each in ROUNDS for name in mutations_of(each)) == sorted(MUTATIONS)


@pytest.mark.parametrize(("round_", "protocol"), [*((each, "5") for each in ROUNDS), (0, "3.1.1")])
async def test_a_grant_too_many_or_too_few_is_found(
    venue: Written, round_: int, protocol: Protocol
) -> None:
    acl = venue.logins.acl()
    names = mutations_of(round_)
    for name in names:
        old, new = MUTATIONS[name][0]
        assert old in acl, name
        acl = acl.replace(old, new, 1)
    wrong = await tried(venue, acl, protocol)
    for name in names:
        _, login, sentence = MUTATIONS[name]
        assert sentence in wrong[login], name
    assert set(wrong) == {MUTATIONS[name][1] for name in names}


@pytest.mark.parametrize("kind", ["avail", "hb", "meta"])
async def test_a_node_that_may_not_speak_of_itself_is_found(venue: Written, kind: str) -> None:
    line = f"topic write mahjong/1/hall/{kind}/node/node-2\n"
    acl = venue.logins.acl()
    assert line in acl
    wrong = await tried(venue, acl.replace(line, ""))
    (sentence,) = wrong
    assert sentence.startswith("node node-2 is there, but nothing comes on ")
    assert sentence.endswith(f"/{kind}/node/node-2")


async def test_nothing_is_left_behind_and_no_reader_of_the_contract_hears_anything_new(
    venue: Written,
) -> None:
    async with at_work(venue), watching(venue.line("board"), [f"{ROOT.path}/#"]) as board:
        await looked_over(venue)
        trials = [one for one in board.seen if TRIAL in one.topic]
        known = [one for one in board.seen if TRIAL not in one.topic]
        async with watching(venue.line("admin"), ["#"]) as later:
            await later.line.catch_up()
    assert len(trials) > 500
    assert {ROOT.parse(one.topic) for one in trials} == {None}
    assert {one.topic.rpartition("/")[2] for one in known} == set(NODES)
    beats = [one.payload for one in known if "/hb/" in one.topic]
    assert len(set(beats)) > 1
    assert [one.topic for one in later.seen if TRIAL in one.topic] == []


@pytest.mark.parametrize(
    "holder",
    [
        Holder("node-1", Role.NODE, "node-1", keeps_venue=True),
        Holder("node-2", Role.NODE, "node-2"),
        *(Holder(role.value, role) for role in Role if role is not Role.NODE),
    ],
    ids=lambda holder: holder.login,
)
def test_every_row_of_the_access_list_is_tried(holder: Holder) -> None:
    everybody = (holder, Holder("other", Role.NODE, "other"))
    ward = Ward(ROOT, everybody, f"{TRIAL}1")
    for grant in grants(ROOT, holder):
        writers = [holder.login] if grant.deed is Deed.WRITE else [one.login for one in everybody]
        tried = [*ward.echoes(), VERSION_TOPIC]
        tried += [topic for login in writers for topic in ward.attempts(login)]
        assert any(matches(grant.topic_filter, topic) for topic in tried), grant


async def test_a_login_with_a_wrong_password_is_named_and_the_others_are_tried(
    venue: Written,
) -> None:
    _, entry = venue.entry(Role.SCOREBOARD)
    entry.password_file.write_text("not this one\n", encoding="utf-8")
    async with at_work(venue):
        findings = await looked_over(venue)
    wrong = [each for each in findings if each.health is Health.FAILED]
    assert [each.check for each in wrong] == ["login"]
    assert wrong[0].sentence.startswith("screen-1 cannot log in: ")
    assert "Not authorized" in wrong[0].sentence
    assert len([each for each in findings if each.check == "login"]) == len(venue.logins.logins)


async def test_a_broker_that_lets_anybody_in_is_found(tmp_path: Path) -> None:
    written = init(tmp_path / "venue")
    mutate(written, r"allow_anonymous false\npassword_file .*", "allow_anonymous true")
    with running(written):
        findings = await strangers(written.line("board"))
    assert [(each.health, each.sentence) for each in findings] == [
        (Health.FAILED, "the broker lets somebody in without one"),
        (Health.FAILED, "the broker lets somebody in with a wrong password"),
    ]


async def test_a_broker_with_mosquittos_own_short_queue_is_found(tmp_path: Path) -> None:
    written = init(tmp_path / "venue")
    mutate(written, r"max_queued_messages .*\n", "")
    ill = patient(settings(written), written.logins)
    with running(written):
        async with calling(ill.logins) as (callers, _):
            queue = await queueing(ill.ward, callers)
    assert queue.health is Health.WARNING
    assert re.match(r"of 1200 messages for a slow subscriber 10\d\d came", queue.sentence)
    assert "max_queued_messages" in queue.advice


async def test_a_broker_that_retains_nothing_is_found(tmp_path: Path) -> None:
    written = init(tmp_path / "venue")
    mutate(written, "log_dest", "retain_available false\nlog_dest")
    ill = patient(settings(written), written.logins)
    with running(written):
        async with calling(ill.logins) as (callers, _):
            retained = await retaining(ill.ward, callers)
    assert retained.health is Health.FAILED
    assert "retain_available true" in retained.advice


def mutate(written: Written, pattern: str, new: str) -> None:
    file = written.folder / "broker" / "mosquitto.conf"
    text, count = re.subn(pattern, new, file.read_text("utf-8"))
    assert count == 1
    file.write_text(text, encoding="utf-8")


async def test_a_certificate_that_ends_is_told(venue: Written) -> None:
    line, own = venue.line("board"), venue.folder / "broker" / "broker.crt"
    for later, health, word in (
        (0, "ok", "good"),
        (800, "warning", "ends"),
        (830, "failed", "ended"),
    ):
        shown, read = await certificates(line, [own], NOW + timedelta(days=later))
        assert {shown.health, read.health} == {health}
        assert f" {word} " in shown.sentence
        assert ("--renew certificates" in shown.advice) is (later > 0)
    (missing,) = (await certificates(line, [venue.folder / "none.crt"], NOW))[1:]
    assert missing.health is Health.FAILED


async def test_a_broker_that_is_away_is_the_only_finding(tmp_path: Path) -> None:
    findings = await looked_over(init(tmp_path / "venue"))
    assert [(each.check, each.health) for each in findings] == [("broker", Health.FAILED)]
    assert "no connection to the broker" in findings[0].sentence


async def test_without_a_list_of_logins_those_of_the_settings_are_tried(venue: Written) -> None:
    async with at_work(venue):
        findings = await examine(patient(settings(venue), None), NOW)
    assert all_well(findings)
    assert [each.sentence for each in findings if each.check == "login"] == [
        "node-1 logs in",
        "only those of the settings were tried",
    ]


def test_logins_of_another_venue_are_refused(tmp_path: Path) -> None:
    written = init(tmp_path / "venue")
    other = settings(written)
    other = other.model_copy(update={"node": Node(id="node-1", venue="elsewhere")})
    with pytest.raises(SettingsError, match="the logins are for mahjong/1/hall, but"):
        patient(other, written.logins)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("venue = 3", "venue is 3, but must be an id"),
        ('venue = "hall"\n[logins.a]\nrole = "boss"\npassword_file = "p"', "logins.a.role is"),
        ('venue = "hall"\n[logins.a]\nrole = "node"', "logins.a.password_file is missing"),
        ('venue = "hall"\nlogin = 1', "login is not known; did you mean logins"),
    ],
)
def test_a_wrong_list_of_logins_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, sentence: str
) -> None:
    file = tmp_path / "logins.toml"
    file.write_text(text, encoding="utf-8")
    assert main(["doctor", "--config", str(file), "--logins", str(file)]) == 78
    assert capsys.readouterr().err.startswith(f"tablewarden: {file}: {sentence}")


def test_nodes_that_are_not_at_work_are_left_alone_and_all_is_told_as_json(
    venue: Written, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "node.toml"
    file.write_text(
        '[node]\nid = "node-1"\nvenue = "hall"\nkeeps_venue = true\n[event]\nruleset = "mcr-2014"\n'
        f'[broker]\nhost = "{HOST}"\nport = {venue.port}\nlogin = "node-1"\n'
        f'password_file = "{venue.folder}/logins/node-1.password"\n'
        f'tls_ca_file = "{venue.folder}/ca.crt"\n',
        encoding="utf-8",
    )
    asked = ["doctor", "--config", str(file), "--logins", str(venue.folder / "logins.toml")]
    capsys.readouterr()
    assert main([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["well"] is True
    assert [each["sentence"] for each in told["findings"] if each["health"] == "warning"] == [
        "node node-1 is not at work, so its own topics were left alone",
        "node node-2 is not at work, so its own topics were left alone",
        "node node-1: no heartbeat within 7 s",
    ]
    assert told["findings"][0] == {
        "check": "broker",
        "health": "ok",
        "sentence": f"reached at {HOST}:{venue.port}",
        "advice": "",
    }


def test_a_broker_that_is_away_fails_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "node.toml"
    port = free_port()
    text = '[node]\nid = "n"\nvenue = "hall"\n[event]\nruleset = "mcr-2014"\n[broker]\n'
    file.write_text(f"{text}port = {port}\n", encoding="utf-8")
    assert main(["doctor", "--config", str(file)]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"failed   broker: no connection to the broker at {HOST}:{port}: ")
    assert " To do: start mosquitto, or correct [broker] in the settings." in line


def test_a_failed_finding_says_what_to_do() -> None:
    finding = Finding("TLS", Health.FAILED, "it ended", "renew it")
    assert as_text(finding) == "failed   TLS: it ended. To do: renew it."
    assert json.loads(as_json([finding]))["well"] is False
