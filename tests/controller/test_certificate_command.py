"""`tablewarden certificate` beside a running node, at a real broker."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.command_line import FAILED, GOOD, USAGE, main
from mqtt.payloads import TableMeta
from tests.config.files import saved
from tests.controller.stage import NODE, Stage, stage
from tests.controller.verb_scenes import FRESH
from tests.harness.broker import HOST, Mosquitto, free_port, mosquitto

Read = pytest.CaptureFixture[str]
pytestmark = pytest.mark.xdist_group("certificate-command")
ADD = (
    *("certificate", "add", "--number", "2026-7", "--issuer", "Hall service", "--seal", "S-1"),
    *("--inspected", "2026-07-01", "--valid-until", "2099-06-30", "--person", "Chen"),
)
BOX = ("--model", "OTW-4", "--serial", "TL-7")


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path_factory.mktemp("broker")) as running:
        yield running


def config(folder: Path, venue: str, port: int) -> Path:
    return saved(
        folder,
        f"""
[node]
id = "{NODE}"
venue = "{venue}"
journal = "j"
[broker]
host = "{HOST}"
port = {port}
[event]
ruleset = "mcr-2014"
""",
    )


@dataclass
class Console:
    """Somebody at a terminal of the machine on which the node runs."""

    here: Stage
    config: Path

    async def run(self, *words: str) -> int:
        return await asyncio.to_thread(main, [*words, "--config", str(self.config)])


@asynccontextmanager
async def console(broker: Mosquitto, folder: Path) -> AsyncIterator[Console]:
    async with stage(broker, folder, {"t1": FRESH}) as here:
        venue = here.root.path.rsplit("/", 1)[-1]
        yield Console(here, config(folder, venue, broker.port))


async def test_a_certificate_is_entered_listed_revoked_and_written_out(
    broker: Mosquitto, tmp_path: Path, capsys: Read
) -> None:
    async with console(broker, tmp_path) as terminal:
        assert await terminal.run("certificate", "list") == GOOD
        assert capsys.readouterr().out == "no certificate was entered yet\n"
        assert await terminal.run(*ADD, *BOX) == GOOD
        assert capsys.readouterr().out == (
            "certificate 2026-7 of OTW-4 TL-7 holds until 2099-06-30\n"
        )
        assert await terminal.run("certificate", "list") == GOOD
        assert "2026-7  OTW-4 TL-7  valid until 2099-06-30, " in capsys.readouterr().out
        revoke = ("certificate", "revoke", "2026-7", "--reason", "seal broken", "--person", "Chen")
        assert await terminal.run(*revoke) == GOOD
        assert await terminal.run("certificate", "list") == GOOD
        assert "revoked by Chen: seal broken" in capsys.readouterr().out
        assert await terminal.run("certificate", "export") == GOOD
        (one,) = json.loads(capsys.readouterr().out)["certificates"]
    assert (one["number"], one["seals"], one["person"]) == ("2026-7", ["S-1"], "Chen")
    assert (one["login"], one["revoked"]["reason"]) == ("board", "seal broken")


async def test_model_and_serial_are_taken_from_a_table_that_is_connected(
    broker: Mosquitto, tmp_path: Path, capsys: Read
) -> None:
    async with console(broker, tmp_path) as terminal:
        node = terminal.here.node
        meta = TableMeta(
            table="t1",
            name="Table 1",
            node=NODE,
            time=node.clock.utc(),
            ruleset="mcr-2014",
            model="OTW-4",
            serial="TL-9",
        )
        node.press.retain(node.root.table_meta("t1"), meta)
        await terminal.here.fence()
        assert await terminal.run(*ADD, "--table", "t1") == GOOD
        assert "of OTW-4 TL-9 at table t1 holds" in capsys.readouterr().out


async def test_what_the_node_refuses_is_told_with_its_reason(
    broker: Mosquitto, tmp_path: Path, capsys: Read
) -> None:
    async with console(broker, tmp_path) as terminal:
        await terminal.run(*ADD, *BOX)
        capsys.readouterr()
        assert await terminal.run(*ADD, *BOX) == FAILED
        said = capsys.readouterr().err
        assert said == "tablewarden: node n1: certificate 2026-7 was entered already, by Chen\n"
        wrong = [*ADD[:-3], "2026-02-30", *ADD[-2:]]
        assert await terminal.run(*wrong, *BOX) == FAILED
        assert "valid_until '2026-02-30': must be a day of the calendar" in capsys.readouterr().err
        assert await terminal.run(*ADD) == FAILED
        assert "give --model, or --table of one connected" in capsys.readouterr().err


def test_a_broker_that_is_not_there_is_named(tmp_path: Path, capsys: Read) -> None:
    file = config(tmp_path, "hall", free_port())
    assert main([*ADD, *BOX, "--config", str(file)]) == FAILED
    assert f"no connection to the broker at {HOST}" in capsys.readouterr().err


def test_what_is_missing_is_a_matter_of_usage(capsys: Read) -> None:
    with pytest.raises(SystemExit) as left:
        main(["certificate", "add", "--number", "1"])
    assert left.value.code == USAGE
    assert "--issuer" in capsys.readouterr().err
