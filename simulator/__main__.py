"""`python -m simulator`: simulated tables until a signal ends them."""

import asyncio
import resource
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from simulator.clock import ScaledClock
from simulator.command_line import Wishes, build, build_modules, read_wishes
from simulator.live_table import LiveTable
from simulator.modbus_fittings import BUS
from simulator.modbus_live import LiveModules
from simulator.modbus_wishes import ModuleWishes
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
    with ExitStack() as plugged:
        for line in _plug_in(wishes, clock, plugged):
            _say(line)
        _say("ready")
        await ended.wait()


def _plug_in(wishes: Wishes, clock: ScaledClock, plugged: ExitStack) -> Iterator[str]:
    """Plug every table in, and yield what a host is told of it."""
    if modules := wishes.modules:
        yield from _plug_in_modules(wishes, modules, clock, plugged)
        return
    for name in wishes.tables:
        table = LiveTable(name, build(wishes, name, clock.now()), wishes.folder, clock)
        plugged.callback(table.close)
        table.open()
        yield from table.ports


def _plug_in_modules(
    wishes: Wishes, modules: ModuleWishes, clock: ScaledClock, plugged: ExitStack
) -> Iterator[str]:
    settings = []
    for bus, names in _buses(wishes, modules).items():
        wired = build_modules(wishes, modules, names, clock.now())
        live = LiveModules(bus, wired, modules.wire, wishes.folder, clock)
        plugged.callback(live.close)
        live.open()
        for name in names:
            yield from (f"table {name} {port}" for port in live.ports)
        settings.append(modules.settings(names, bus, live.places, wishes.draws_at))
    yield "\n" + "\n".join(settings)


def _buses(wishes: Wishes, modules: ModuleWishes) -> dict[str, tuple[str, ...]]:
    """Say which tables are on which port; one that is a table's own is called as the table is."""
    if modules.one_bus:
        return {BUS: wishes.tables}
    return {name: (name,) for name in wishes.tables}


def _say(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def _allow_many_ports() -> None:
    """Each table has three open files; the usual soft limit ends at some 340 tables."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


if __name__ == "__main__":
    sys.exit(main())
