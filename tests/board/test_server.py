"""The board as a process and as a web server: who is answered, how it starts and ends."""

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from board.__main__ import BAD_CONFIGURATION, FAILED, GOOD
from board.guard import TOKEN_HEADER
from board.server import line_settings
from config.models import Settings
from table.errors import SettingsError
from tests.board.conftest import Stage, settings_for
from tests.harness.broker import HOST, Mosquitto, free_port

pytestmark = pytest.mark.asyncio(loop_scope="session")
REPOSITORY = Path(__file__).parents[2]
ORDER = {
    "id": "0b1e",
    "table": "t1",
    "verb": "pause",
    "seen": {"hand": "t1-s1-h3"},
}


class Fetched:
    """What came back over the wire."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.status = answer.status
        self.headers = {name.lower(): value for name, value in answer.getheaders()}
        self.body = answer.read().decode()


async def fetch(
    stage: Stage, method: str, path: str, headers: dict[str, str] | None = None, body: str = ""
) -> Fetched:
    def fetched() -> Fetched:
        connection = http.client.HTTPConnection(stage.address.removeprefix("http://"), timeout=20)
        try:
            connection.request(method, path, body or None, headers or {})
            return Fetched(connection.getresponse())
        finally:
            connection.close()

    return await asyncio.to_thread(fetched)


async def own(stage: Stage) -> dict[str, str]:
    """Return the headers that a page of the board sends."""
    page = (await fetch(stage, "GET", "/")).body
    token = re.search(r'data-token="([^"]+)"', page)
    assert token
    return {"Origin": stage.address, TOKEN_HEADER: token[1], "Cookie": "person=Referee%20East"}


async def test_a_request_under_a_foreign_name_is_refused(stage: Stage) -> None:
    answer = await fetch(stage, "GET", "/", {"Host": "board.evil.example"})
    assert (answer.status, answer.body) == (403, "The board answers on this machine only.")


async def test_an_order_from_a_foreign_page_is_refused(stage: Stage) -> None:
    foreign = {"Origin": "http://evil.example"}
    answer = await fetch(stage, "POST", "/order", await own(stage) | foreign, json.dumps(ORDER))
    assert answer.status == 403
    assert stage.venue.heard.empty()


async def test_an_order_without_the_token_is_refused(stage: Stage) -> None:
    headers = await own(stage) | {TOKEN_HEADER: "guessed"}
    answer = await fetch(stage, "POST", "/order", headers, json.dumps(ORDER))
    assert answer.status == 403
    assert stage.venue.heard.empty()


async def test_an_order_from_our_own_page_is_carried_out(stage: Stage) -> None:
    answer = await fetch(stage, "POST", "/order", await own(stage), json.dumps(ORDER))
    assert json.loads(answer.body) == {"mood": "good", "title": "Pause: done", "detail": ""}
    verb, _, command = await stage.venue.heard.get()
    assert (verb, command.person) == ("pause", "Referee East")


async def test_an_order_without_a_name_is_not_sent(stage: Stage) -> None:
    headers = await own(stage) | {"Cookie": ""}
    answer = await fetch(stage, "POST", "/order", headers, json.dumps(ORDER))
    assert json.loads(answer.body)["title"] == "Pick your name first; every order carries one."
    assert stage.venue.heard.empty()


@pytest.mark.parametrize("body", ["", "no json", '{"table": "t1"}', json.dumps(ORDER | {"id": 7})])
async def test_what_is_no_order_gets_an_answer(stage: Stage, body: str) -> None:
    answer = await fetch(stage, "POST", "/order", await own(stage), body)
    assert json.loads(answer.body)["title"] == "Not understood"
    assert stage.venue.heard.empty()


@pytest.mark.parametrize("name", ["", "   ", "x" * 61])
async def test_a_name_that_is_none_is_not_kept(stage: Stage, name: str) -> None:
    body = json.dumps({"name": name})
    answer = await fetch(stage, "POST", "/person", await own(stage), body)
    assert json.loads(answer.body)["title"] == "A name has 1 to 60 characters."
    assert "set-cookie" not in answer.headers


async def test_a_name_in_any_script_is_kept_where_no_script_reads_it(stage: Stage) -> None:
    answer = await fetch(stage, "POST", "/person", await own(stage), json.dumps({"name": "陈 <b>"}))
    assert answer.headers["set-cookie"].startswith("person=%E9%99%88%20%3Cb%3E;")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=strict" in answer.headers["set-cookie"]


async def test_pages_run_no_script_but_the_boards_own(stage: Stage) -> None:
    for path in ("/", "/table/t1", "/referee", "/table/absent"):
        answer = await fetch(stage, "GET", path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", answer.body), path
        assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", answer.body), path


async def test_an_order_while_the_broker_is_away_is_not_sent(stage: Stage) -> None:
    headers = await own(stage)
    stage.broker.kill()
    for _ in range(500):
        if 'data-live="no-broker"' in (await fetch(stage, "GET", "/")).body:
            break
        await asyncio.sleep(0.02)
    answer = await fetch(stage, "POST", "/order", headers, json.dumps(ORDER))
    assert json.loads(answer.body)["title"] == "Pause: not sent"


async def test_the_stream_of_an_absent_table_is_not_tried_again(stage: Stage) -> None:
    assert (await fetch(stage, "GET", "/live/table/absent")).status == 204


def written(directory: Path, broker: Mosquitto, **board: object) -> Path:
    path = directory / "venue.toml"
    lines = [f"{key} = {json.dumps(value)}" for key, value in board.items()]
    path.write_text(
        '[node]\nid = "n1"\nvenue = "hall-one"\n'
        f"[broker]\nport = {broker.port}\n"
        '[event]\nruleset = "mcr-2014"\n[board]\n' + "\n".join(lines),
        encoding="utf-8",
    )
    return path


@contextmanager
def process(config: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "board", "--config", str(config)]
    with subprocess.Popen(
        command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        try:
            yield running
        finally:
            running.kill()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
async def test_the_process_says_where_it_is_and_ends_when_told(
    tmp_path: Path, broker: Mosquitto, how: signal.Signals
) -> None:
    port = free_port()
    with process(written(tmp_path, broker, port=port)) as running:
        assert running.stdout
        line = await asyncio.to_thread(running.stdout.readline)
        assert line == f"board http://127.0.0.1:{port}/\n"
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(f"GET /live/hall HTTP/1.1\r\nHost: {HOST}:{port}\r\n\r\n".encode())
        assert b"200 OK" in await reader.readline()
        os.kill(running.pid, how)
        assert await asyncio.to_thread(running.wait, 20) == GOOD
        writer.close()


async def test_a_port_that_somebody_has_is_told(tmp_path: Path, broker: Mosquitto) -> None:
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        with process(written(tmp_path, broker, port=port)) as running:
            _, said = await asyncio.to_thread(running.communicate)
    assert running.returncode == FAILED
    assert said.startswith(f"board.host 127.0.0.1, board.port {port}: Address already in use")


async def test_a_configuration_with_a_mistake_is_told(tmp_path: Path, broker: Mosquitto) -> None:
    with process(written(tmp_path, broker, potr=8080)) as running:
        _, said = await asyncio.to_thread(running.communicate)
    assert running.returncode == BAD_CONFIGURATION
    assert "potr" in said


async def test_the_password_comes_from_its_file(tmp_path: Path, broker: Mosquitto) -> None:
    secret = kept(tmp_path / "secret", "open sesame\n")
    line = line_settings(with_secrets(broker, password_file=secret))
    assert (line.login, line.password) == ("board", "open sesame")
    assert "sesame" not in repr(line)


async def test_a_secret_that_everybody_can_read_is_refused(
    tmp_path: Path, broker: Mosquitto
) -> None:
    open_to_all = kept(tmp_path / "secret", "open sesame\n", 0o644)
    with pytest.raises(SettingsError, match="others must have no access"):
        line_settings(with_secrets(broker, password_file=open_to_all))
    with pytest.raises(SettingsError, match="others must have no access"):
        line_settings(with_secrets(broker, tls_key_file=open_to_all))


async def test_a_password_file_that_is_missing_is_told(tmp_path: Path, broker: Mosquitto) -> None:
    with pytest.raises(SettingsError, match=r"absent: the secret cannot be read: No such file"):
        line_settings(with_secrets(broker, password_file=tmp_path / "absent"))


async def test_the_board_shows_a_certificate_of_its_own(tmp_path: Path, broker: Mosquitto) -> None:
    key = kept(tmp_path / "board.key", "key")
    own = {"tls_certificate_file": tmp_path / "board.pem", "tls_key_file": key}
    settings = with_secrets(broker, **own)
    trusting = settings.broker.model_copy(update={"tls_ca_file": tmp_path / "ca.pem"})
    line = line_settings(settings.model_copy(update={"broker": trusting}))
    assert (line.tls_certificate_file, line.tls_key_file) == (tmp_path / "board.pem", key)


def kept(path: Path, text: str, mode: int = 0o600) -> Path:
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def with_secrets(broker: Mosquitto, **files: Path) -> Settings:
    settings = settings_for(broker)
    board = settings.board.model_copy(update=files)
    return settings.model_copy(update={"board": board})
