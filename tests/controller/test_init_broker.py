import asyncio
import hashlib
import ssl
import stat
import subprocess
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from pwd import struct_passwd

import pytest

from controller.certificates import (
    AUTHORITY_LASTS,
    CERTIFICATE_LASTS,
    Purpose,
    ends_of_pem,
    hosts_of,
    issue,
    new_authority,
)
from controller.command_line import main
from controller.folder import Paper, write_new
from controller.init_broker import renew_certificates
from controller.mosquitto_files import Listeners, configuration, password_line
from mqtt.access import Role
from mqtt.broker_line import connect
from mqtt.messages import Message, Protocol
from mqtt.topics import Root
from table.errors import BrokerError, SetupError
from tests.controller.written_broker import AS_ONESELF, Written, init, running
from tests.harness.broker import HOST, free_port
from tests.mqtt.watcher import watching

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
ROOT = Root("mahjong", "hall")
WRONG = "open sesame"
GOOD = ["--host", "broker.example", "--venue", "hall", "--node", "hall-a"]


async def refusal(written: Written, **changed: object) -> str:
    with pytest.raises(BrokerError) as caught:
        async with connect(replace(written.line("board"), **changed)):  # type: ignore[arg-type] # any field
            pass
    return str(caught.value)


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
@pytest.mark.parametrize("more", [(), ("--certificates",)], ids=["TLS", "mTLS"])
async def test_the_broker_runs_with_what_was_written_and_lets_its_users_in(
    tmp_path: Path, protocol: Protocol, more: tuple[str, ...]
) -> None:
    with running(init(tmp_path / "venue", *more)) as written:
        async with (
            watching(written.line("screen-1", protocol), [f"{ROOT.path}/#"]) as screen,
            connect(written.line("node-1", protocol)) as node,
        ):
            await node.publish(Message(ROOT.alert("t1", "t1-1-1"), b"undecided"))
            await node.publish(Message(ROOT.state("t1"), b"state"))
            await screen.until(len)
        assert [message.payload for message in screen.seen] == [b"state"]


async def test_a_stranger_a_wrong_password_and_no_password_are_refused(tmp_path: Path) -> None:
    with running(init(tmp_path / "venue")) as written:
        assert "Not authorized" in await refusal(written, password=WRONG)
        assert "Not authorized" in await refusal(written, login="", password="")
        assert "Not authorized" in await refusal(written, login="nobody")
        local = {"port": written.local_port, "tls_ca_file": None}
        assert "Not authorized" in await refusal(written, **local, login="", password="")
        async with connect(replace(written.line("board"), **local)):  # type: ignore[arg-type] # any field
            pass


async def test_a_broker_that_asks_for_certificates_needs_the_password_too(tmp_path: Path) -> None:
    with running(init(tmp_path / "venue", "--certificates")) as written:
        bare = {"tls_certificate_file": None, "tls_key_file": None}
        assert "no connection" in await refusal(written, **bare)
        assert "Not authorized" in await refusal(written, password=WRONG)


async def test_the_broker_is_known_by_each_of_its_names_and_no_other(tmp_path: Path) -> None:
    with running(init(tmp_path / "venue")) as written:
        async with connect(replace(written.line("board"), host="localhost")):
            pass
        assert "certificate verify failed" in await refusal(written, host="127.0.0.2")


async def test_a_browser_can_reach_the_websocket_listener_over_tls(tmp_path: Path) -> None:
    port = free_port()
    written = init(tmp_path / "venue", "--websockets", str(port))
    trusting = ssl.create_default_context(cafile=str(written.folder / "ca.crt"))
    with running(written, port):
        reader, writer = await asyncio.open_connection(HOST, port, ssl=trusting)
        writer.write(
            b"GET /mqtt HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            b"Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n"
        )
        assert b" 101 " in await reader.readline()
        writer.close()


def test_every_secret_is_closed_to_others_and_stands_in_its_own_file_only(tmp_path: Path) -> None:
    written = init(tmp_path / "venue", "--certificates")
    files = [path for path in written.folder.rglob("*") if path.is_file()]
    secret = {path for path in files if path.suffix in {".key", ".password"}}
    assert len(secret) == 2 + 6 * 2
    for path in {*secret, written.folder / "broker" / "passwords"}:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for password in written.passwords:
        holders = [path for path in files if password in path.read_text("utf-8")]
        assert [path.suffix for path in holders] == [".password"]


def test_nothing_secret_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = init(tmp_path / "venue")
    said = "".join(capsys.readouterr())
    assert "README.md" in said
    assert [password for password in written.passwords if password in said] == []


def test_nothing_is_overwritten_and_the_file_in_the_way_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ca.crt").write_text("mine", encoding="utf-8")
    assert main(["init", "broker", str(tmp_path), *GOOD, *AS_ONESELF]) == 1
    said = capsys.readouterr().err
    assert said == f"tablewarden: {tmp_path}/ca.crt is there already, so nothing was written\n"
    assert [path.name for path in tmp_path.iterdir()] == ["ca.crt"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (GOOD[2:], "--host is missing: a new broker needs --host, --node and --venue"),
        (GOOD[:4], "--node is missing: a new broker needs --host, --node and --venue"),
        ([*GOOD, "--board", "hall-a"], "login hall-a is wanted twice, as node and as board"),
        ([*GOOD, "--referee", "a", "a"], "login a is wanted twice, as referee and as referee"),
        ([*GOOD, "--port", "1883"], "--port and --local-port are both 1883; every listener has"),
        ([*GOOD, "--origin", "https://a.example"], "--origin is given without --websockets"),
        ([*GOOD, "--user", "nobody-like-this"], "there is no user nobody-like-this"),
    ],
)
def test_what_does_not_fit_together_is_said_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert main(["init", "broker", str(tmp_path / "venue"), *arguments]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"tablewarden: {sentence}")
    assert not (tmp_path / "venue").exists()


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("--host", "bro ker", "neither a host name nor an IP address"),
        ("--host", "*.example", "neither a host name nor an IP address"),
        ("--host", "-x", "expected at least one argument"),
        ("--venue", "Hall", "allowed: 1 to 64 of a-z, 0-9 and hyphen"),
        ("--node", "a/b", "allowed: 1 to 64 of a-z, 0-9 and hyphen"),
        ("--scoreboard", "a\nuser b", "allowed: 1 to 64 of a-z, 0-9 and hyphen"),
        ("--port", "0", "allowed: 1 to 65535"),
        ("--websockets", "65536", "allowed: 1 to 65535"),
        ("--origin", "https://a.example/page", "allowed: https://name or https://name:port"),
        ("--origin", "https://a\nuser root", "allowed: https://name or https://name:port"),
        ("--mosquitto", "new", "allowed: for example 2.0 or 2.1.2"),
    ],
)
def test_a_bad_argument_is_told_with_what_is_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, value: str, allowed: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["init", "broker", str(tmp_path / "venue"), *GOOD, option, value])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert f"argument {option}: " in said
    assert allowed in said
    assert not (tmp_path / "venue").exists()


def test_a_folder_that_the_broker_could_not_reach_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "closed").mkdir(0o700)
    stranger = struct_passwd(("mosquitto", "x", 424_242, 424_242, "", "/", "/bin/false"))
    monkeypatch.setattr("controller.folder.getpwnam", {"mosquitto": stranger}.__getitem__)
    wanted = str(tmp_path / "closed" / "venue")
    assert main(["init", "broker", wanted, *GOOD, "--user", "mosquitto"]) == 1
    assert "is closed to the user mosquitto" in capsys.readouterr().err
    assert list((tmp_path / "closed").iterdir()) == []


def test_a_password_is_hashed_as_mosquitto_does() -> None:
    line = password_line("board", "open sesame", b"twelve bytes")
    digest = hashlib.pbkdf2_hmac("sha512", b"open sesame", b"twelve bytes", 101)
    assert line.startswith("board:$7$101$dHdlbHZlIGJ5dGVz$")
    assert len(digest) == 64
    assert "open sesame" not in line


def test_an_origin_is_heeded_where_the_version_can() -> None:
    listeners = Listeners(websockets=8884, origin="https://hall.example")
    line = "websockets_origin https://hall.example"
    new = configuration(Path("/srv/venue"), listeners, None, (2, 1)).splitlines()
    old = configuration(Path("/srv/venue"), listeners, None, (2, 0)).splitlines()
    assert line in new
    assert line not in old
    assert f"# {line}" in old


def test_certificates_last_as_long_as_other_machines_take_them() -> None:
    authority = new_authority("hall", NOW)
    own = issue(authority, Purpose.BROKER, "Broker of hall", NOW, ["a.example", "192.0.2.7"])
    assert authority.certificate.not_valid_after_utc == NOW + AUTHORITY_LASTS
    assert own.certificate.not_valid_after_utc == NOW + CERTIFICATE_LASTS
    assert own.certificate.not_valid_before_utc == NOW - timedelta(days=1)
    assert hosts_of(own.certificate_pem) == ("a.example", "192.0.2.7")
    late = NOW + AUTHORITY_LASTS - timedelta(days=3)
    last = issue(authority, Purpose.BROKER, "Broker of hall", late, ["a.example"])
    assert last.certificate.not_valid_after_utc == NOW + AUTHORITY_LASTS
    with pytest.raises(SetupError, match="the certificate authority ended on 2036-06-30"):
        issue(authority, Purpose.BROKER, "Broker of hall", NOW + AUTHORITY_LASTS)


def test_openssl_takes_the_certificates_at_their_strictest(tmp_path: Path) -> None:
    written = init(tmp_path / "venue", "--certificates")
    for name, purpose in (("broker/broker.crt", "sslserver"), ("logins/board.crt", "sslclient")):
        checked = subprocess.run(
            ["openssl", "verify", "-x509_strict", "-purpose", purpose, "-CAfile"]
            + [str(written.folder / each) for each in ("ca.crt", name)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert checked.stdout.endswith("OK\n"), checked.stderr


async def test_new_certificates_are_of_the_same_authority_and_nothing_else_changes(
    tmp_path: Path,
) -> None:
    written = init(tmp_path / "venue", "--certificates")
    before = {path: path.read_bytes() for path in written.folder.rglob("*") if path.is_file()}
    later = datetime.now(UTC) + timedelta(days=30)  # noqa: TID251 - a real broker reads them
    renew_certificates(written.folder, (), later)
    after = {path: path.read_bytes() for path in written.folder.rglob("*") if path.is_file()}
    changed = {path.name for path in before if after[path] != before[path]}
    assert set(after) == set(before)
    assert changed == {
        f"{name}.{kind}" for name in ("broker", *written.logins.logins) for kind in ("crt", "key")
    }
    renewed = (written.folder / "broker" / "broker.crt").read_bytes()
    assert hosts_of(renewed) == ("localhost", HOST)
    assert ends_of_pem(renewed) - later > CERTIFICATE_LASTS - timedelta(seconds=2)
    assert stat.S_IMODE((written.folder / "logins" / "board.key").stat().st_mode) == 0o600


async def test_certificates_can_be_renewed_by_the_command(tmp_path: Path) -> None:
    written = init(tmp_path / "venue")
    assert main(["init", "broker", str(written.folder), "--renew", "certificates"]) == 0
    with running(written):
        async with connect(written.line("board")):
            pass


def test_a_folder_without_a_broker_has_nothing_to_renew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", "broker", str(tmp_path), "--renew", "certificates"]) == 78
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{tmp_path}/logins.toml: cannot be read" in line


@pytest.mark.parametrize("more", [(), ("--certificates",)], ids=["TLS", "mTLS"])
async def test_one_more_scoreboard_is_let_in_beside_the_others(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    written = init(tmp_path / "venue", *more)
    assert main(["init", "login", str(written.folder), "--scoreboard", "screen-2"]) == 0
    assert written.logins.logins["screen-2"].role is Role.SCOREBOARD
    with running(written):
        for login in ("screen-1", "screen-2", "node-1"):
            async with connect(written.line(login)):
                pass
        async with connect(written.line("screen-2")) as line:
            await line.publish(Message(ROOT.table_command("screen-2", "t1", "replay"), b"{}"))
            with pytest.raises(BrokerError, match="Not authorized"):
                await line.publish(Message(ROOT.table_command("screen-1", "t1", "replay"), b"{}"))


def test_a_login_that_is_there_is_not_made_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = init(tmp_path / "venue")
    capsys.readouterr()
    assert main(["init", "login", str(written.folder), "--referee", "board"]) == 1
    assert main(["init", "login", str(written.folder)]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "tablewarden: login board is there already, so nothing was written",
        "tablewarden: say who is to log in, for example --scoreboard screen-2",
    ]


async def test_the_access_list_can_be_written_anew_from_the_roles(tmp_path: Path) -> None:
    written = init(tmp_path / "venue")
    acl = written.folder / "broker" / "acl"
    acl.write_text("user board\ntopic readwrite #\n", encoding="utf-8")
    assert main(["init", "broker", str(written.folder), "--renew", "access"]) == 0
    assert acl.read_text("utf-8") == written.logins.acl()
    assert stat.S_IMODE(acl.stat().st_mode) == 0o600


def test_a_file_that_cannot_be_written_leaves_the_others_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file where a folder is needed", encoding="utf-8")
    with pytest.raises(SetupError, match=r"taken: .*, so nothing was written"):
        write_new(tmp_path, [Paper("first", "1"), Paper("taken/second", "2")])
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
