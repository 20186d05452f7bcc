"""Passwords and keys stand in their own files and nowhere else: no log, topic, error or journal."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.command_line import main
from tests.controller.written_broker import Written, init, running
from tests.harness.broker import HOST, free_port
from tests.mqtt.watcher import watching

WRONG = "this-is-not-the-password"
LOUD = "import logging; logging.basicConfig(level=logging.DEBUG); "
DAEMON = (
    f"{LOUD}import asyncio, os, sys; from pathlib import Path; from config.load import load; "
    "from controller.clock import MonotonicClock; from controller.daemon import serve; "
    "asyncio.run(serve(load(Path(sys.argv[1]), os.environ), MonotonicClock()))"
)
BOARD = f"{LOUD}import sys; from board.__main__ import main; sys.exit(main(sys.argv[1:]))"


def configured(written: Written, name: str, node_password: Path, board_password: Path) -> Path:
    file = written.folder.parent / f"{name}.toml"
    proof = 'tls_certificate_file = "venue/logins/{0}.crt"\ntls_key_file = "venue/logins/{0}.key"\n'
    file.write_text(
        '[node]\nid = "node-1"\nvenue = "hall"\nkeeps_venue = true\n'
        f'state_directory = "{name}"\n[event]\nruleset = "mcr-2014"\n'
        f'[broker]\nhost = "{HOST}"\nport = {written.port}\nlogin = "node-1"\n'
        f'password_file = "{node_password}"\ntls_ca_file = "venue/ca.crt"\n'
        f"{proof.format('node-1')}"
        f'[board]\nport = {free_port()}\npassword_file = "{board_password}"\n'
        f"{proof.format('board')}"
        '[tables.t1]\nwire = "serial-link"\nport = "/dev/tablewarden-none"\n',
        encoding="utf-8",
    )
    return file


@contextmanager
def at_work(code: str, *arguments: str, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments], stdout=out, stderr=subprocess.STDOUT
        )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


async def until_said(log: Path, text: str) -> None:
    async with asyncio.timeout(40):
        while text not in log.read_text("utf-8", "replace"):  # noqa: ASYNC110 - of another process
            await asyncio.sleep(0.05)


async def live(written: Written, right: Path, wrong: Path) -> list[bytes]:
    """Have daemon and board work, and fail to log in, and return all that was published."""
    home = written.folder.parent
    with (
        at_work(DAEMON, str(right), log=home / "daemon.log"),
        at_work(BOARD, "--config", str(right), log=home / "board.log"),
    ):
        async with watching(written.line("admin"), ["#"]) as watcher:
            await watcher.until(lambda seen: any("/hb/" in one.topic for one in seen))
            await until_said(home / "board.log", "http")
            told = [f"{one.topic} {one.payload!r}".encode() for one in watcher.seen]
    with (
        at_work(DAEMON, str(wrong), log=home / "refused.log"),
        at_work(BOARD, "--config", str(wrong), log=home / "refused-board.log"),
    ):
        await until_said(home / "refused.log", "Not authorized")
        await until_said(home / "refused-board.log", "Not authorized")
    return told


@pytest.mark.journey
def test_no_secret_comes_out_of_anything(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    written = init(tmp_path / "venue", "--certificates")
    logins = written.folder / "logins"
    wrong_file = tmp_path / "wrong.password"
    wrong_file.write_text(WRONG, encoding="utf-8")
    wrong_file.chmod(0o600)
    right = configured(written, "right", logins / "node-1.password", logins / "board.password")
    wrong = configured(written, "wrong", wrong_file, wrong_file)
    listed = str(written.folder / "logins.toml")
    with running(written):
        told = asyncio.run(live(written, right, wrong))
        main(["doctor", "--config", str(right), "--logins", listed])
        main(["doctor", "--config", str(wrong)])
        main(["init", "login", str(written.folder), "--scoreboard", "screen-2"])
        main(["init", "broker", str(written.folder), "--renew", "certificates"])
        (logins / "board.password").chmod(0o644)
        assert main(["doctor", "--config", str(right), "--logins", listed]) == 78
    said: list[str | bytes] = [*told, *capfd.readouterr(), caplog.text]
    assert "DEBUG" in (tmp_path / "daemon.log").read_text("utf-8")
    assert secrets_in([WRONG, *written.passwords], written) == [*written.passwords, WRONG]
    assert secrets_in(said, written) == []
    assert secrets_in(files(tmp_path), written) == []


def secrets_in(places: list[str | bytes], written: Written) -> list[str]:
    wholes = [place.encode() if isinstance(place, str) else place for place in places]
    secret = [*written.passwords, WRONG, *keys(written)]
    return [one for one in secret if any(one.encode() in whole for whole in wholes)]


def keys(written: Written) -> list[str]:
    return [file.read_text("utf-8").splitlines()[1] for file in written.folder.rglob("*.key")]


def files(folder: Path) -> list[str | bytes]:
    kept = {".password", ".key"}
    found = [path for path in folder.rglob("*") if path.is_file() and path.suffix not in kept]
    names = {path.name for path in found}
    assert {"journal.sqlite", "daemon.log", "refused-board.log", "mosquitto.log"} <= names
    return [path.read_bytes() for path in found]
