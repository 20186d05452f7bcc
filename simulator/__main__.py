"""`python -m simulator`: simulated tables until a signal ends them."""

import asyncio
import resource
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack

from simulator.clock import ScaledClock
from simulator.command_line import Wishes, build, build_modules, read_wishes
from simulator.live_table import LiveTable
from simulator.modbus_live import LiveModules
from table.errors import ScriptError, SettingsError

BAD_SETTINGS = 78


def main(arguments: Sequence[str] | None = None) -> int:
    """Play until SIGINT or SIGTERM; return the exit code."""
    try:
        asyncio.run(_play(read_wishes(sys.argv[1:] if arguments is None else arguments)))
    except (ScriptError, SettingsError) as error:
        sys.stderr.write(f"{error}\n")
        return BAD_SETTINGS
    return 0


async def _play(wishes: Wishes) -> None:
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    _allow_many_ports()
    wishes.folder.mkdir(parents=True, exist_ok=True)
    clock = ScaledClock(wishes.speed)
    with ExitStack() as tables:
        for name in wishes.tables:
            table = _live(wishes, name, clock)
            tables.callback(table.close)
            table.open()
            for port in table.ports:
                _say(port)
        _say("ready")
        await ended.wait()


def _live(wishes: Wishes, name: str, clock: ScaledClock) -> LiveTable | LiveModules:
    if modules := wishes.modules:
        fitted = build_modules(wishes, modules, name, clock.now())
        return LiveModules(name, fitted, modules.wire, wishes.folder, clock)
    return LiveTable(name, build(wishes, name, clock.now()), wishes.folder, clock)


def _say(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def _allow_many_ports() -> None:
    """Each table has three open files; the usual soft limit ends at some 340 tables."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


if __name__ == "__main__":
    sys.exit(main())
