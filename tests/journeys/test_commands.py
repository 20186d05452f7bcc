"""What whoever runs the daemon as a service sees of it: exit code, a sentence, its health."""

import asyncio
import subprocess
from pathlib import Path

import pytest

from controller.processes import ours, program
from tests.harness.broker import Mosquitto, mosquitto
from tests.journeys.hall import Hall, hall_in

pytestmark = pytest.mark.journey
BAD_CONFIGURATION = 78
SHIPPED = Path(__file__).parents[2] / "config" / "rulesets" / "wsom-2010.toml"


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = ours("controller", *arguments)
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_typo_in_the_settings_ends_the_daemon_with_the_nearest_key(tmp_path: Path) -> None:
    hall = hall_in(tmp_path, Mosquitto(tmp_path))
    text = hall.settings.read_text().replace("keeps_venue", "keep_venue")
    hall.settings.write_text(text + '[tables.t2]\nwire = "serial-link"\nprot = "/dev/ttyUSB0"\n')
    ended = run("run", "--config", str(hall.settings))
    assert ended.returncode == BAD_CONFIGURATION
    assert "Traceback" not in ended.stderr
    lines = [line for line in ended.stderr.splitlines() if str(hall.settings) in line]
    (node,) = (line for line in lines if "node.keep_venue" in line)
    assert "keeps_venue" in node
    (port,) = (line for line in lines if "prot" in line)
    assert "tables.t2" in port
    assert not (tmp_path / "journal.sqlite").exists()


def test_settings_that_are_not_there_are_told_by_their_path(tmp_path: Path) -> None:
    ended = run("run", "--config", str(tmp_path / "hall.toml"))
    assert ended.returncode == BAD_CONFIGURATION
    assert str(tmp_path / "hall.toml") in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ('rule = "wsom-2010 打牌时限 §1"', "", "time.hand_total.rule is missing."),
        (
            'value = "deal"',
            'value = "last-flower"',
            (
                "time.first_starts is last-flower, but by time.opening_flowers no flower is"
                " replaced before the first discard."
            ),
        ),
        (
            "[fouls.phone-rang]",
            "[fouls.phone-rings]",
            "fouls.phone-rings is not known; did you mean phone-rang.",
        ),
    ],
)
def test_a_rule_file_that_is_no_good_is_told_in_one_sentence(
    tmp_path: Path, right: str, wrong: str, sentence: str
) -> None:
    hall, own = hall_in(tmp_path, Mosquitto(tmp_path)), tmp_path / "own.toml"
    hall.plays_by("own.toml")
    book = SHIPPED.read_text(encoding="utf-8")
    assert right in book
    own.write_text(book.replace(right, wrong, 1), encoding="utf-8")
    ended = run("check", "--config", str(hall.settings))
    assert (ended.returncode, ended.stdout) == (BAD_CONFIGURATION, "")
    assert ended.stderr == f"tablewarden: {own}: {sentence}\n"


async def test_the_healthcheck_tells_a_node_that_is_well_from_one_that_is_gone(
    tmp_path: Path,
) -> None:
    async with asyncio.TaskGroup() as halls:
        for hall in (_well, _gone, _cut):
            folder = tmp_path / hall.__name__
            folder.mkdir()
            halls.create_task(hall(folder))


async def _well(folder: Path) -> None:
    with mosquitto(folder) as broker:
        hall = hall_in(folder, broker)
        async with program("daemon", hall.daemon()):
            asked = await _asked(hall)
    assert (asked.returncode, asked.stdout) == (0, "node node-1 is well; its tables: t1\n")


async def _gone(folder: Path) -> None:
    with mosquitto(folder) as broker:
        asked = await _asked(hall_in(folder, broker))
    assert asked.returncode == 1
    assert asked.stdout.startswith("node node-1: no heartbeat within")


async def _cut(folder: Path) -> None:
    """Nobody can be asked where there is no broker."""
    asked = await _asked(hall_in(folder, Mosquitto(folder)))
    assert asked.returncode == 1
    assert "no connection to the broker" in asked.stdout


async def _asked(hall: Hall) -> "subprocess.CompletedProcess[str]":
    return await asyncio.to_thread(run, "healthcheck", "--config", str(hall.settings))
