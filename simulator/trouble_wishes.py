"""What the command line asks to go wrong on the wires and at the tables."""

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random

from simulator.befallen import Written
from simulator.link_wire import FROM_BOX, TO_BOX
from simulator.mishap_file import BOX, read_mishaps
from simulator.modbus_kits import KITS
from simulator.modbus_trouble import Harm, Trouble
from table.errors import SettingsError
from table.moment import MILLISECOND, ZERO


@dataclass(frozen=True, slots=True)
class TroubleWishes:
    """What goes wrong."""

    harms: Mapping[Harm, int] = field(default_factory=dict)
    """Percent of the requests to modules, or of the frames of a table link."""
    jitter: timedelta = ZERO
    befalls: Mapping[str, tuple[Written, ...]] = field(default_factory=dict)
    """Mishaps of each table, counted from the moment people begin to play there."""

    def drawn(self, random: Random) -> Trouble:
        """Return the trouble of one table."""
        return Trouble(random, self.harms, self.jitter)


def add_trouble_words(parser: argparse.ArgumentParser) -> None:
    """Add the words for what goes wrong."""
    add = parser.add_argument_group("what goes wrong").add_argument
    add("--harm", type=_harms, help="percent of requests or frames, as late=1; " + _known())
    add("--jitter", type=whole, help="let what a table says come so many ms later at most")
    add("--befall", type=Path, help="file with mishaps, each at its second (docs/rehearsal.md)")


def trouble_wishes(said: argparse.Namespace, tables: Sequence[str]) -> TroubleWishes:
    """Return what is asked to go wrong.

    Raises:
        SettingsError: a harm that cannot befall the wire, or a file that cannot be read.
        ScriptError: a line of the file that means nothing.
    """
    known = tuple(harm for harm in Harm if said.kit or harm in TO_BOX | FROM_BOX)
    if strange := [harm for harm in said.harm or {} if harm not in known]:
        message = f"--harm {strange[0]} cannot befall a table link; allowed: {', '.join(known)}"
        raise SettingsError(message)
    modules = [each.name for each in KITS[said.kit].fittings] if said.kit else [BOX]
    befalls = read_mishaps(_text(said.befall), tables, modules, known) if said.befall else {}
    return TroubleWishes(said.harm or {}, (said.jitter or 0) * MILLISECOND, befalls)


def whole(word: str) -> int:
    """Read a time in whole units."""
    if re.fullmatch("[0-9]{1,5}", word) is None or int(word) == 0:
        message = f"'{word}' is no time; allowed: 1 to 99999"
        raise argparse.ArgumentTypeError(message)
    return int(word)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"the mishaps {file} cannot be read: {error}"
        raise SettingsError(message) from error


def _harms(words: str) -> dict[Harm, int]:
    harms: dict[Harm, int] = {}
    for word in words.split(","):
        found = re.fullmatch(r"([a-z-]+)=([0-9]{1,2}|100)", word)
        if found is None or found[1] not in set(Harm):
            message = f"'{word}' is no harm; {_known()}, each with =0 to =100"
            raise argparse.ArgumentTypeError(message)
        harms[Harm(found[1])] = int(found[2])
    if sum(harms.values()) > 100:  # noqa: PLR2004 -- percent
        message = f"'{words}' is more than 100 percent; at most one harm befalls a request"
        raise argparse.ArgumentTypeError(message)
    return harms


def _known() -> str:
    return "allowed: " + ", ".join(Harm)
