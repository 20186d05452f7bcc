"""What each book says about time and fouls, typed from the books once more.

Spans are microseconds; a sanction is written as a referee writes it. What a book leaves open is
named a decision; the decisions of the house stand in docs/adr.
"""

from dataclasses import dataclass, field, replace

from table.events import Call
from table.fouls import FoulKind
from tests.second_opinion.spans import SECOND

OVER, LATE = FoulKind.DISCARD_OVER_LIMIT, FoulKind.LATE_PUNG
EARLY, EMPTY = FoulKind.EARLY_DRAW, FoulKind.EMPTY_CALL
BEFORE, TOTAL = FoulKind.DISCARD_BEFORE_DRAW, FoulKind.HAND_TOTAL_OVER
SUM = FoulKind.OVERTIME_SUM

MCR_LADDER = ("warning", "5", "10", "20", "30", "40", "50", "60")
"""mcr-2014 art. 11 (违例 3-5): warning, 5, 10, 20 and so on through the amounts of 罚分 2."""
OUT = "out-for-session"


@dataclass(frozen=True)
class Book:
    """One book, with the settings of one event."""

    name: str
    first: int
    turn: int
    from_draw: bool
    """False: a turn counts from the upper seat's discard, or the one that was claimed."""
    window: int | None
    late_stands: bool
    flower_fresh: bool
    ladders: dict[FoulKind, tuple[str, ...]]
    kong_fresh: bool = True
    from_last_flower: bool = False
    opening_flowers: bool = True
    untimed: int = 0
    total: int | None = None
    several: str = "first"
    sensed: frozenset[FoulKind] = frozenset()
    empty_calls: frozenset[Call] = frozenset()
    per_started: dict[FoulKind, tuple[int, int]] = field(default_factory=dict)
    """Points and the span of which each started one costs them."""
    sum_above: int | None = None
    margin: int = 3 * SECOND
    """Decision: an overrun of a presumed start alerts when it is more than this."""
    reach: int | None = None
    """None: the press is the call."""
    late_span: int = 3 * SECOND
    """ADR 17: later than this after the window, a call is of a discard that was not pressed."""
    repeat: int = 3 * SECOND
    """ADR 17: a press so soon after is a repeat."""
    kongs: int = 4
    flowers: int = 8


MCR = Book(
    name="mcr-2014",
    first=20 * SECOND,  # art. 5 (赛前 6)
    turn=10 * SECOND,  # art. 6 (出牌)
    from_draw=True,  # art. 6 (出牌)
    window=3 * SECOND,  # art. 6 (碰牌)
    late_stands=False,  # decision: art. 11 (违例 5) in Japanese
    flower_fresh=True,  # art. 6 (出牌)
    sensed=frozenset({EARLY, EMPTY}),  # art. 11 (违例 3, 4)
    empty_calls=frozenset({Call.CHOW, Call.PUNG, Call.KONG}),  # art. 11 (违例 4)
    ladders=dict.fromkeys((LATE, EARLY, EMPTY, OVER), MCR_LADDER),  # art. 11; OVER: decision
)

GB = replace(
    MCR,
    name="gb-1998",
    first=30 * SECOND,  # 四 (出牌)
    turn=15 * SECOND,  # 四 (出牌)
    from_draw=False,  # 四 (出牌)
    flower_fresh=False,  # 四: inside the 15 s
    from_last_flower=True,  # decision: 抓牌完毕(包括补花), the later reading
)

JINGJI = Book(
    name="jingji-2012",
    first=20 * SECOND,  # ch. 3 art. 7 (四)
    turn=10 * SECOND,  # ch. 3 art. 7 (四)
    from_draw=False,  # ch. 3 art. 7 (四)
    window=3 * SECOND,  # ch. 4 art. 2 (五)
    late_stands=False,  # ch. 4 art. 2 (五): 制止
    flower_fresh=False,  # ch. 3 art. 7 (四)
    from_last_flower=True,  # decision
    several="all",  # decision: ch. 3 art. 1 §35
    sensed=frozenset({EARLY, EMPTY}),  # ch. 4 art. 2 (三, 四)
    empty_calls=frozenset({Call.PUNG, Call.KONG}),  # ch. 4 art. 2 (三)
    ladders={
        LATE: ("warning", "10-each", "20-each", OUT),  # ch. 4 art. 2 (五)
        EARLY: ("10-each", "20-each", OUT),  # ch. 4 art. 2 (四)
        EMPTY: ("10-each", "20-each", OUT),  # ch. 4 art. 2 (三)
        OVER: ("warning", "10-each", "20-each", "choice"),  # decision: ch. 4 art. 1
    },
)

WSOM = Book(
    name="wsom-2010",
    first=15 * SECOND,  # 打牌时限 §§2, 4
    turn=15 * SECOND,  # 打牌时限 §2
    from_draw=False,  # 打牌时限 §3
    window=None,  # 摸打规条 §4: no limit of time
    late_stands=True,
    flower_fresh=False,
    flowers=0,  # 麻将牌的构成 §1
    opening_flowers=False,
    untimed=15 * SECOND,  # 打牌时限 §4
    total=180 * SECOND,  # 打牌时限 §1
    several="nearest",  # 鸣牌优先规条 (截和)
    sensed=frozenset({EARLY, EMPTY, BEFORE}),  # 摸打规条 §§1, 3; 错鸣 §3
    empty_calls=frozenset({Call.CHOW, Call.PUNG, Call.KONG}),  # 错鸣 §3
    per_started={OVER: (5, 15 * SECOND), TOTAL: (5, 15 * SECOND)},  # 打牌时限 §§1, 2
    sum_above=80,  # 打牌时限 §7
    ladders={
        EARLY: ("no-hu-no-calls",),  # 摸打规条 §1
        BEFORE: ("no-hu",),  # 摸打规条 §3
        EMPTY: ("two-tiles-shown",),  # 错鸣 §3
        SUM: ("withdrawn",),  # 打牌时限 §7
    },
)

MADE_UP = Book(
    name="made-up",
    first=9 * SECOND,
    turn=7 * SECOND,
    from_draw=True,
    window=2 * SECOND,
    late_stands=True,
    flower_fresh=True,
    kong_fresh=False,
    from_last_flower=True,
    untimed=4 * SECOND,
    total=40 * SECOND,
    several="nearest",
    sensed=frozenset({EARLY, EMPTY, BEFORE}),
    empty_calls=frozenset({Call.KONG}),
    per_started={OVER: (3, 4 * SECOND), LATE: (2, SECOND), TOTAL: (7, 10 * SECOND)},
    sum_above=20,
    ladders={
        EARLY: ("5", "5-each", "choice"),
        BEFORE: ("no-calls", "20-each"),
        EMPTY: ("warning", "mechanical"),
        SUM: ("out-for-session",),
    },
)
"""The values of the four books in another order (made-up.toml); no branch may know a book."""

BOOKS = (MCR, GB, JINGJI, WSOM, MADE_UP)
