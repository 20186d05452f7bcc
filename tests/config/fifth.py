"""A made-up fifth book: the values of the published four, permuted, and some of nobody's."""

from pathlib import Path

FIFTH = """
name = "parlour-5"
title = "The rules on our wall"

[time]
first_discard = { seconds = 30, rule = "wall, line 1" }
first_starts = { value = "last-flower", rule = "wall, line 1" }
untimed_opening = { seconds = 12.5, rule = "wall, line 2" }
turn = { seconds = 7.5, rule = "wall, line 3" }
turn_starts = { value = "upper-discard", rule = "wall, line 3" }
kong_restarts = { value = false, rule = "wall, line 4" }
flower_restarts = { value = true, rule = "wall, line 4" }
kongs_at_most = { value = 0, rule = "decision: none counts" }
flowers_at_most = { value = 4, rule = "wall, line 4" }
opening_flowers = { value = true, rule = "wall, line 4" }
hand_total = { seconds = 90, rule = "wall, line 5" }
call_window = { seconds = 2.5, rule = "wall, line 6" }
late_call_stands = { value = true, rule = "wall, line 6" }
several_hu = { value = "nearest", rule = "wall, line 7" }

[sensed]
early_draw = { value = false, rule = "wall, line 8" }
discard_before_draw = { value = true, rule = "wall, line 9" }
empty_calls = { value = ["chow"], rule = "wall, line 10" }

[wall]
stacks = { value = 17, rule = "wall, line 11" }
named_by = { value = "one-throw", rule = "wall, line 11" }
taken_from = { value = "after", rule = "wall, line 12" }
dead_tiles = { value = 8, rule = "wall, line 13" }

[powers]
warning = true
points = [5, 15]
each = [7]
player = [3]
measures = ["no-hu", "withdrawn"]
rule = "wall, line 14"

[overtime_sum]
above = 40
kinds = ["late-pung", "hand-total-over"]
rule = "wall, line 15"

[fouls.discard-over-limit]
title = "Slow discard"
steps = [5]
rule = "wall, line 16"
policy = "record_only"
lapses = false
policy_rule = "wall, line 17"

[fouls.hand-total-over]
title = "Slow hand"
started = { points = 15, seconds = 20 }
rule = "wall, line 18"
scope = "session"

[fouls.late-pung]
title = "Late pung"
steps = ["warning", "7-each", "3-player+no-hu", "choice"]
choices = ["20-each", "disqualified"]
rule = "wall, line 19"
margin_seconds = 0.5
policy_rule = "wall, line 20"

[fouls.early-draw]
title = "Early draw"
steps = ["no-hu"]
rule = "wall, line 21"

[fouls.discard-before-draw]
title = "Forgotten draw"
steps = ["disqualified"]
choices = ["disqualified"]
rule = "wall, line 22"

[fouls.empty-call]
title = "Empty chow"
steps = ["warning"]
rule = "wall, line 23"
policy = "on_claim"
policy_rule = "wall, line 24"

[fouls.overtime-sum]
title = "Far too slow"
steps = ["withdrawn"]
rule = "wall, line 25"
"""


def saved_book(folder: Path, book: str = FIFTH) -> str:
    """Write a book into a file and return its path."""
    file = folder / "own.toml"
    file.write_text(book, "utf-8")
    return str(file)
