"""What the four books say, typed from the books and not from their files."""

from datetime import timedelta

import pytest

from config.load import playing_by
from config.rulesets import foul_rules, time_rules, wall_rules
from config.shipped import shipped
from scoring.rules import AlertPolicy, Scope, Started
from table.events import Call
from table.fouls import SENSED, FoulKind
from table.moment import ZERO
from timing.rules import FirstStart, SeveralHu, TakenFrom, TurnStart, WallNamedBy


def second(count: int) -> timedelta:
    return timedelta(seconds=count)


FULL = "warning 5 10 20 30 40 50 60"
LADDERS = {
    "mcr-2014": {  # art. 11
        FoulKind.DISCARD_OVER_LIMIT: FULL,
        FoulKind.LATE_PUNG: FULL,
        FoulKind.EARLY_DRAW: FULL,
        FoulKind.EMPTY_CALL: FULL,
        FoulKind.EARLY_TILE_KEPT: "no-hu",
        FoulKind.WRONG_TILE_DRAWN: "no-hu",
        FoulKind.WRONG_MELD: "no-hu",
        FoulKind.FLOWER_DISCARDED: "warning choice",
        FoulKind.TOO_FEW_TILES: "no-hu",
        FoulKind.TOO_MANY_TILES: "no-hu",
        FoulKind.CALLED_TILE_NOT_TAKEN: "no-hu",
        FoulKind.CALL_AFTER_REACHING: "choice",
        FoulKind.OWN_TILES_EXPOSED: "obligatory-discard",
        FoulKind.OTHERS_TILES_EXPOSED: "choice",
        FoulKind.HAND_OR_WALL_DISTURBED: "30-each+hand-void",
        FoulKind.FALSE_HU: "10-each+no-hu",
        FoulKind.HU_NOT_WAITING: "20-each+no-hu",
        FoulKind.CALL_CHANGED_TO_HU: "no-hu",
        FoulKind.TILES_SHOWN_BEFORE_HU: "no-hu",
        FoulKind.WINNING_TILE_NOT_TAKEN: "10-each+no-hu",
        FoulKind.WINNING_TILES_MIXED: "no-hu",
        FoulKind.HAND_EXPOSED_AT_HU: "warning",
        FoulKind.HAND_EXPOSED_AT_FALSE_HU: "no-hu+obligatory-discard",
        FoulKind.SILENT_CALL: "warning choice",
        FoulKind.DISCARD_NAMED: "warning choice",
        FoulKind.ILLEGAL_INFORMATION: "choice",
        FoulKind.STAYED_TO_WATCH: "warning choice",
        FoulKind.SERIOUS_DISTURBANCE: "disqualified+reported",
        FoulKind.CHEATING: "disqualified",
    },
    "jingji-2012": {  # ch. 4 art. 2
        FoulKind.DISCARD_OVER_LIMIT: "warning 10-each 20-each choice",
        FoulKind.LATE_PUNG: "warning 10-each 20-each out-for-session",
        FoulKind.EARLY_DRAW: "10-each 20-each out-for-session",
        FoulKind.EMPTY_CALL: "10-each 20-each out-for-session",
        FoulKind.WRONG_MELD: "10-each+no-hu",
        FoulKind.FLOWER_DISCARDED: "mechanical",
        FoulKind.OWN_TILES_EXPOSED: "obligatory-discard",
        FoulKind.OTHERS_TILES_EXPOSED: "choice",
        FoulKind.TOO_FEW_TILES: "mechanical",
        FoulKind.TOO_MANY_TILES: "mechanical",
        FoulKind.FALSE_HU: "10-each+mechanical",
        FoulKind.HU_NOT_WAITING: "20-each+mechanical",
        FoulKind.HU_FAR_FROM_WAITING: "disqualified",
        FoulKind.HU_ON_PLAYER_WITHOUT_CHIPS: "10-each",
        FoulKind.HAND_EXPOSED_AT_HU: "10-each",
        FoulKind.SILENT_CALL: "warning choice",
        FoulKind.DISCARD_NAMED: "10-each",
        FoulKind.ODD_MOVEMENTS: "choice",
        FoulKind.SIGNALS: "disqualified",
        FoulKind.SERIOUS_DISTURBANCE: "disqualified+reported",
        FoulKind.CHEATING: "disqualified+reported",
    },
    "wsom-2010": {  # 打牌时限, 摸打规条, 错鸣, 罚张, 相公, 行为守则
        FoulKind.DISCARD_OVER_LIMIT: "",
        FoulKind.HAND_TOTAL_OVER: "",
        FoulKind.EARLY_DRAW: "no-hu-no-calls",
        FoulKind.EMPTY_CALL: "two-tiles-shown",
        FoulKind.DISCARD_BEFORE_DRAW: "no-hu",
        FoulKind.OVERTIME_SUM: "withdrawn",
        FoulKind.REPLACEMENT_BEFORE_KONG: "no-hu-no-calls",
        FoulKind.WRONG_MELD: "choice",
        FoulKind.WRONG_KONG: "no-hu-no-calls",
        FoulKind.CHANGED_CALL: "choice",
        FoulKind.EMPTY_KONG: "choice",
        FoulKind.OWN_TILES_EXPOSED: "penalty-tiles",
        FoulKind.OTHERS_TILES_EXPOSED: "choice",
        FoulKind.HAND_OR_WALL_DISTURBED: "choice",
        FoulKind.TOO_FEW_TILES: "no-hu",
        FoulKind.TOO_MANY_TILES: "no-hu-no-calls",
        FoulKind.TOO_MANY_TILES_AT_DEAL: "choice",
        FoulKind.WRONG_TILE_DRAWN: "warning",
        FoulKind.OWN_WALL_TILE_TURNED: "penalty-tiles",
        FoulKind.OTHER_WALL_TILE_TURNED: "warning",
        FoulKind.PENALTY_TILE_MISUSED: "choice",
        FoulKind.EMPTY_HU: "three-tiles-shown",
        FoulKind.FALSE_HU: "penalty-tiles",
        FoulKind.HAND_EXPOSED_AT_FALSE_HU: "penalty-tiles",
        FoulKind.SILENT_CALL: "warning choice",
        FoulKind.DISCARD_NAMED: "warning choice",
        FoulKind.DISCARD_MISREAD: "choice",
        FoulKind.ILLEGAL_INFORMATION: "choice",
        FoulKind.PHONE_RANG: "choice",
        FoulKind.SERIOUS_DISTURBANCE: "disqualified",
        FoulKind.COLLUSION: "disqualified+reported",
        FoulKind.CHEATING: "disqualified",
    },
}
LADDERS["gb-1998"] = LADDERS["mcr-2014"]


@pytest.mark.parametrize("name", shipped())
def test_a_book_knows_these_fouls_and_their_steps(name: str) -> None:
    ladders = foul_rules(playing_by(name)).ladders
    written = {kind: " ".join(map(str, ladder.steps)) for kind, ladder in ladders.items()}
    assert written == LADDERS[name]


@pytest.mark.parametrize(
    ("name", "spans", "starts", "opens"),
    [
        ("mcr-2014", (20, 10, 3), TurnStart.DRAW, FirstStart.DEAL),
        ("gb-1998", (30, 15, 3), TurnStart.UPPER_DISCARD, FirstStart.LAST_FLOWER),
        ("jingji-2012", (20, 10, 3), TurnStart.UPPER_DISCARD, FirstStart.LAST_FLOWER),
        ("wsom-2010", (15, 15, None), TurnStart.UPPER_DISCARD, FirstStart.DEAL),
    ],
)
def test_a_book_sets_these_limits(
    name: str, spans: tuple[int, int, int | None], starts: TurnStart, opens: FirstStart
) -> None:
    first, turn, window = spans
    rules = time_rules(playing_by(name))
    assert rules.first_discard.span == second(first)
    assert rules.turn.span == second(turn)
    assert (rules.call_window and rules.call_window.span) == (window and second(window))
    assert (rules.turn_starts, rules.first_starts) == (starts, opens)
    assert not rules.late_call_stands
    assert rules.kong_restarts


def test_the_articles_of_the_limits_are_cited() -> None:
    mcr, wsom = time_rules(playing_by("mcr-2014")), time_rules(playing_by("wsom-2010"))
    assert mcr.first_discard.rule == "mcr-2014 art. 5 (赛前 6)"
    assert mcr.turn.rule == "mcr-2014 art. 6 (出牌)"
    assert (mcr.call_window and mcr.call_window.rule) == "mcr-2014 art. 6 (碰牌)"
    assert wsom.turn.rule == "wsom-2010 打牌时限 §2"
    assert (wsom.hand_total and wsom.hand_total.rule) == "wsom-2010 打牌时限 §1"


def test_only_wsom_has_a_total_an_untimed_opening_and_no_flowers() -> None:
    for name in shipped():
        rules, alone = time_rules(playing_by(name)), name == "wsom-2010"
        assert (rules.hand_total and rules.hand_total.span) == (second(180) if alone else None)
        assert (rules.untimed_opening is not None) == alone
        assert rules.opening_flowers != alone
        assert rules.flowers_at_most == (0 if alone else 8)
        assert rules.flower_restarts == (name == "mcr-2014")


def test_who_wins_where_several_declare_hu() -> None:
    assert {name: time_rules(playing_by(name)).several_hu for name in shipped()} == {
        "mcr-2014": SeveralHu.FIRST,
        "gb-1998": SeveralHu.FIRST,
        "jingji-2012": SeveralHu.ALL,
        "wsom-2010": SeveralHu.NEAREST,
    }


def test_what_a_table_is_to_sense() -> None:
    melds = frozenset({Call.CHOW, Call.PUNG, Call.KONG})
    for name in shipped():
        sensed = time_rules(playing_by(name)).sensed
        assert sensed.early_draw
        assert bool(sensed.discard_before_draw) == (name == "wsom-2010")
        assert sensed.empty_call
        assert sensed.empty_calls == (melds - {Call.CHOW} if name == "jingji-2012" else melds)


@pytest.mark.parametrize(
    ("name", "stacks", "dead", "named_by", "taken"),
    [
        ("mcr-2014", 18, 0, WallNamedBy.SECOND_THROWER, TakenFrom.AFTER),
        ("gb-1998", 18, 0, WallNamedBy.SECOND_THROWER, TakenFrom.AFTER),
        ("jingji-2012", 18, 0, WallNamedBy.ONE_THROW, TakenFrom.AT),
        ("wsom-2010", 17, 14, WallNamedBy.SECOND_THROWER, TakenFrom.AFTER),
    ],
)
def test_a_book_breaks_the_wall_so(
    name: str, stacks: int, dead: int, named_by: WallNamedBy, taken: TakenFrom
) -> None:
    wall = wall_rules(playing_by(name))
    assert (wall.stacks, wall.dead_tiles) == (stacks, dead)
    assert (wall.named_by, wall.taken_from) == (named_by, taken)


def test_overtime_costs_5_for_each_15_s_begun_in_wsom() -> None:
    fouls = foul_rules(playing_by("wsom-2010"))
    kinds = frozenset({FoulKind.DISCARD_OVER_LIMIT, FoulKind.HAND_TOTAL_OVER})
    for kind in kinds:
        assert fouls.ladders[kind].started == Started(5, second(15))
    assert fouls.overtime_sum is not None
    assert (fouls.overtime_sum.above, fouls.overtime_sum.kinds) == (80, kinds)
    assert not fouls.ladders[FoulKind.HAND_TOTAL_OVER].lapses


def test_players_of_wsom_object_and_referees_of_the_others_act() -> None:
    """Whether a call was empty only those know who heard it, in every book."""
    for name in shipped():
        for kind, ladder in foul_rules(playing_by(name)).ladders.items():
            sensed = kind is FoulKind.EMPTY_CALL or (name == "wsom-2010" and kind in SENSED)
            assert ladder.policy is (AlertPolicy.ON_CLAIM if sensed else AlertPolicy.AUTO)
            alone = kind is FoulKind.EARLY_DRAW and name != "wsom-2010"
            assert ladder.margin == (second(3) if alone else ZERO)


def test_fouls_of_play_are_counted_within_the_hand() -> None:
    for name in shipped():
        ladders = foul_rules(playing_by(name)).ladders
        assert {ladders[kind].scope for kind in SENSED & set(ladders)} == {Scope.HAND}


def test_gb_decides_as_mcr_wherever_its_copy_is_cut() -> None:
    gb, mcr = foul_rules(playing_by("gb-1998")), foul_rules(playing_by("mcr-2014"))
    assert gb.powers.points == mcr.powers.points == (5, 10, 20, 30, 40, 50, 60)
    for kind, ladder in gb.ladders.items():
        assert ladder.rule.startswith("decision: as mcr-2014")
        assert ladder.choices == mcr.ladders[kind].choices
