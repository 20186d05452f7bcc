"""What goes wrong at simulated tables, written in a file: one line, one mishap.

Layout of a line: `SECONDS TABLE what …`; seconds count from the moment people begin to play at that
table, and a word that begins with `#` begins a comment.

    5      t1 reboot seats           a module of a kit, or `box` of a table link, starts anew
    5      t1 mute seats 2           it says nothing for 2 s and works on
    5      t1 near-wrap seats        its counters begin at 0 again after two counts
    5      t1 power-cut 3            the whole table has no power for 3 s
    5      t1 unplug 3               its cables are out for 3 s
    5      t1 stuck discard 2 4      the button of seat 2 is down for 4 s
    5      t1 harm reply-lost 3      this befalls the next 3 requests, or frames of a table link
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from simulator.befallen import Stuck, Written
from simulator.modbus_mishaps import (
    Harmed,
    Mishap,
    Mute,
    NearWrap,
    PowerCut,
    Reboot,
    Unplugged,
)
from simulator.modbus_trouble import Harm
from table.happening import Input
from table.script_words import Words

BOX = "box"


def read_mishaps(
    text: str, tables: Sequence[str], modules: Sequence[str], harms: Sequence[Harm]
) -> Mapping[str, tuple[Written, ...]]:
    """Read what befalls each table.

    Args:
        text: of the file.
        tables: that there are.
        modules: that each table has; `box` alone for a table link.
        harms: that can befall their wires.

    Raises:
        ScriptError: names the first line that means nothing, the word, and what is allowed.
    """
    befalls: dict[str, tuple[Written, ...]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if words := re.sub(r"(^|\s)#.*", "", line).split():
            said = Words(number, words)
            at = said.seconds("the time of the mishap")
            table = said.choose("a table", tables)
            befalls[table] = (*befalls.get(table, ()), (at, _what(said, modules, harms)))
            said.end()
    return befalls


def _what(words: Words, modules: Sequence[str], harms: Sequence[Harm]) -> Mishap | Stuck:
    what = words.choose("what befalls a table", (*_OF_MODULES, *_OF_TABLES, "stuck", "harm"))
    if what == "near-wrap" and BOX in modules:
        words.fail("'near-wrap' is for counters, and a table link has none")
    if what in _OF_MODULES:
        return _OF_MODULES[what](words, words.choose("a module", modules))
    if what in _OF_TABLES:
        return _OF_TABLES[what](_span(words))
    if what == "stuck":
        button = Input(words.choose("a button", Input))
        return Stuck(words.seat(), button, _span(words))
    harm = Harm(words.choose("a harm", harms))
    return Harmed(harm, words.whole("how many times", range(1, 10_000)))


def _span(words: Words) -> timedelta:
    return words.seconds("how long it lasts")


_OF_MODULES: dict[str, Callable[[Words, str], Mishap]] = {
    "reboot": lambda _, module: Reboot(module),
    "mute": lambda words, module: Mute(module, _span(words)),
    "near-wrap": lambda _, module: NearWrap(module),
}
_OF_TABLES: dict[str, Callable[[timedelta], Mishap]] = {
    "power-cut": PowerCut,
    "unplug": Unplugged,
}
