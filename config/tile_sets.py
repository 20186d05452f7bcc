"""Whether the tables are set to the tiles that the rule set is played with."""

from config.models import Settings
from config.rulesets import effective, wall_rules


def other_tiles(settings: Settings) -> list[str]:
    """Return a sentence for each table that is set to another number of tiles than is needed.

    Raises:
        SettingsError: the rule set cannot be read.
    """
    needed, book = wall_rules(settings).tiles, effective(settings.event).name
    return [
        f"table {table} is set to {_named(wired.tiles)}, but {book} is played with"
        f" {_named(needed)}: walls would not have the tiles that the rules name."
        for table, wired in settings.tables.items()
        if wired.tiles is not None and wired.tiles != needed
    ]


def _named(tiles: int) -> str:
    known = {136: "136 tiles (no flowers)", 144: "144 tiles (with eight flowers)"}
    return known.get(tiles, f"{tiles} tiles")
