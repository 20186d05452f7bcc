"""The words of the simulator's command line, and the tables they ask for."""

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from pathlib import Path
from random import Random
from secrets import randbelow

from drivers.table_link.codes import Ability
from simulator.befallen import Befallen
from simulator.box import EVERYTHING_BUT_DRAWS_AND_DICE, Model
from simulator.habits import HABITS, Habit
from simulator.link_times import LinkTimes
from simulator.link_wire import LinkWire
from simulator.machine import Machine
from simulator.modbus_shared_bus import SharedBus
from simulator.modbus_table import ModuleTable
from simulator.modbus_wishes import ModuleWishes, add_words, module_wishes
from simulator.players import Players
from simulator.plays import EvenLoad, Hands, Play, WrittenHand
from simulator.simulated_table import Kit, SimulatedTable
from simulator.trouble_wishes import TroubleWishes, add_trouble_words, trouble_wishes
from table.errors import SettingsError
from table.events import DiceRolled, TileDrawn
from table.happening import TAP, ScriptLine, Sensed
from table.moment import Moment
from table.script import read_script
from table.seat import BySeat

JAMS = 10
"""Of a hundred cycles so many jam where faults are asked for."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line asks for."""

    folder: Path
    tables: tuple[str, ...]
    speed: Fraction
    seed: int
    habits: tuple[Habit, ...]
    faults: bool
    draws: bool
    play_load: bool
    script: tuple[ScriptLine, ...]
    scripted: str
    """The table that plays the script."""
    tap: timedelta
    """How long its taps last."""
    trouble: TroubleWishes
    modules: ModuleWishes | None = None
    """What tables are fitted with in place of a table link."""

    @property
    def draws_at(self) -> frozenset[str]:
        """The tables where draws are sensed: all, or the one with draws in its script."""
        if self.draws:
            return frozenset(self.tables)
        sensed = (each.happening for each in self.script if isinstance(each.happening, Sensed))
        drawn = any(isinstance(each.event, TileDrawn) for each in sensed)
        return frozenset({self.scripted} if drawn else ())


def read_wishes(arguments: Sequence[str]) -> Wishes:
    """Read the command line; a mistake in its words ends the process with code 2.

    Raises:
        SettingsError: the script's file cannot be read, its table is not among the tables, or words
            mean nothing together.
        ScriptError: the script cannot be played.
    """
    said = _parser().parse_args(arguments)
    tables = tuple(dict.fromkeys(said.table))
    trouble = trouble_wishes(said, tables)
    return Wishes(
        folder=said.dir,
        tables=tables,
        speed=said.speed,
        seed=said.seed,
        habits=said.habits,
        faults=said.faults,
        draws=said.draws,
        play_load=said.play_load,
        script=_script(said.script) if said.script else (),
        scripted=_one_of(tables, said.scripted or tables[0]),
        tap=said.tap,
        trouble=trouble,
        modules=module_wishes(said, trouble),
    )


def build(wishes: Wishes, name: str, now: Moment) -> SimulatedTable:
    """Build one of the tables that are asked for."""
    random = _random(wishes, name)
    machine = _machine(wishes, random)
    script = wishes.script if name == wishes.scripted else ()
    model = Model(f"SIM-{name}"[:20], _abilities(wishes, name, script))
    harm = _harm(wishes, name)
    wire = LinkWire(harm, wishes.trouble.drawn(harm))
    kit = Kit(model, _draw_boot, LinkTimes.at(wishes.speed), wire)
    return SimulatedTable(kit, machine, _play(wishes, name, random), now)


def build_modules(
    wishes: Wishes, modules: ModuleWishes, names: tuple[str, ...], now: Moment
) -> ModuleTable | SharedBus:
    """Build a table that is fitted with modules, or all that hang on one line."""
    players = {name: _peopled(wishes, name) for name in names}
    harm = _harm(wishes, names[0])
    if modules.one_bus:
        return modules.build_shared(players, harm, now)
    (people,) = players.values()
    table = modules.build(*people, harm, now)
    table.fittings.number(wishes.tables.index(names[0]))
    return table


def _peopled(wishes: Wishes, name: str) -> tuple[Machine, Play]:
    random = _random(wishes, name)
    return _machine(wishes, random), _play(wishes, name, random)


def _harm(wishes: Wishes, name: str) -> Random:
    """Draw what goes wrong apart, so that the same hands are played with and without it."""
    return Random(f"{wishes.seed} {name} harm")  # noqa: S311 -- trouble, repeatable from a seed


def _random(wishes: Wishes, name: str) -> Random:
    return Random(f"{wishes.seed} {name}")  # noqa: S311 -- players, repeatable from a seed


def _machine(wishes: Wishes, random: Random) -> Machine:
    return Machine(random, jam_percent=JAMS if wishes.faults else 0)


def _play(wishes: Wishes, name: str, random: Random) -> Play:
    play = _played(wishes, name, random)
    befalls = wishes.trouble.befalls.get(name)
    return Befallen(play, befalls) if befalls else play


def _played(wishes: Wishes, name: str, random: Random) -> Play:
    if wishes.script and name == wishes.scripted:
        return WrittenHand(wishes.script, wishes.tap)
    if wishes.play_load:
        return EvenLoad(timedelta(milliseconds=random.randrange(3_000)))
    at_table = wishes.tables.index(name)
    habits = BySeat.of(lambda seat: wishes.habits[(seat - 1 + at_table) % len(wishes.habits)])
    return Hands(Players(random, habits, wishes.draws))


def _abilities(wishes: Wishes, name: str, script: tuple[ScriptLine, ...]) -> Ability:
    abilities = EVERYTHING_BUT_DRAWS_AND_DICE
    if name in wishes.draws_at:
        abilities |= Ability.DRAW
    for line in script:
        match line.happening:
            case Sensed(DiceRolled(values)) if values:
                abilities |= Ability.DICE_RESULT
    return abilities


def _draw_boot() -> int:
    return randbelow(2**32 - 1) + 1


def _script(path: Path) -> tuple[ScriptLine, ...]:
    try:
        return read_script(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        message = f"the script {path} cannot be read: {error}"
        raise SettingsError(message) from error


def _one_of(tables: tuple[str, ...], name: str) -> str:
    if name not in tables:
        message = f"--scripted {name} is not one of the tables: {', '.join(tables)}"
        raise SettingsError(message)
    return name


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("simulator", description="Simulated tables on serial ports.")
    add = parser.add_argument
    add("--dir", type=Path, required=True, help="folder for the ports and logs of the tables")
    add(
        "--table",
        action="append",
        type=_table,
        required=True,
        help="id of a table; give it once per table",
    )
    add("--speed", type=_speed, default=Fraction(1), help="so many times as fast as real time")
    add("--seed", type=int, default=0, help="the same seed plays the same hands")
    add("--habits", type=_habits, default=tuple(HABITS.values()), help=", ".join(HABITS))
    add("--faults", action="store_true", help="let tiles jam now and then")
    add("--draws", action="store_true", help="tables sense draws, as one with draws in its script")
    add("--play-load", action="store_true", help="a discard each 3 s and a claim each 12 s")
    add("--script", type=Path, help="written hand to play (docs/rehearsal.md)")
    add("--scripted", help="table that plays it, the first one if not said")
    add("--tap", type=_tap, default=TAP, help="milliseconds that its taps last, 80 if not said")
    add_trouble_words(parser)
    add_words(parser)
    return parser


def _table(word: str) -> str:
    if re.fullmatch("[a-z0-9-]+", word) is None:
        message = f"'{word}' is no table; allowed: a-z, 0-9 and hyphens"
        raise argparse.ArgumentTypeError(message)
    return word


def _speed(word: str) -> Fraction:
    if re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,3})?", word) is None or Fraction(word) == 0:
        message = f"'{word}' is no speed; allowed: 0.001 to 9999.999, 1 is real time"
        raise argparse.ArgumentTypeError(message)
    return Fraction(word)


def _tap(word: str) -> timedelta:
    if re.fullmatch("[1-9][0-9]{1,2}", word) is None:
        message = f"'{word}' is no length of a tap; allowed: 10 to 999, in milliseconds"
        raise argparse.ArgumentTypeError(message)
    return timedelta(milliseconds=int(word))


def _habits(words: str) -> tuple[Habit, ...]:
    unknown = set(words.split(",")) - set(HABITS)
    if unknown:
        message = f"'{min(unknown)}' is no habit; allowed: {', '.join(HABITS)}"
        raise argparse.ArgumentTypeError(message)
    return tuple(HABITS[word] for word in words.split(","))
