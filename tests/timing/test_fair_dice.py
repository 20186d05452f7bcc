"""Dice are called odd on strong evidence only, and then are called so."""

from random import Random

import pytest

from timing.fair_dice import (
    FACES,
    OF_FAIR_DICE,
    SHARE,
    WORTH_FINDING,
    Comparison,
    Counts,
    Kind,
    compare,
    counted,
    enough,
    holm,
    judge,
    throws_needed,
)

FAIR = (1,) * 6
LOADED = WORTH_FINDING[Kind.FACES]
TABLES, THROWS = 4, 200


def throw(dice: Random, number: int, faces: tuple[float, ...] = FAIR) -> Counts:
    one, other = dice.choices(FACES, faces, k=number), dice.choices(FACES, faces, k=number)
    return counted(zip(one, other, strict=True))


def test_faces_and_sums_are_counted() -> None:
    counts = counted([(1, 1), (1, 6), (6, 6), (3, 4)])
    assert counts == Counts(4, (3, 0, 1, 1, 0, 3), (1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1))


def test_the_sums_of_fair_dice_are_those_of_the_36_pairs() -> None:
    assert [round(36 * chance, 9) for chance in OF_FAIR_DICE[Kind.SUMS]] == [
        *range(1, 7),
        *range(5, 0, -1),
    ]


def test_every_pair_once_does_not_depart_at_all() -> None:
    counts = counted((one, other) for one in FACES for other in FACES)
    assert [compare(counts, kind).statistic for kind in Kind] == pytest.approx([0, 0])
    assert [compare(counts, kind).effect for kind in Kind] == [0, 0]


def test_the_statistic_is_the_one_that_is_worked_out_by_hand() -> None:
    faces = (5, 8, 9, 8, 10, 20)
    compared = compare(Counts(30, faces, (0,) * 11), Kind.FACES)
    assert compared.degrees == 5
    # Pearson: (25 + 4 + 1 + 4 + 0 + 100) / 10 = 13.4; 2 Σ n ln(n/10) = 11.757, which is less.
    assert compared.statistic == pytest.approx(11.757, abs=1e-3)
    assert compared.chance == pytest.approx(0.0382, abs=1e-4)
    assert compared.farthest == 5


def test_few_throws_say_nothing() -> None:
    assert not enough(throw(Random(1), 14), Kind.FACES)
    assert enough(throw(Random(1), 15), Kind.FACES)
    assert not enough(throw(Random(1), 179), Kind.SUMS)
    assert enough(throw(Random(1), 180), Kind.SUMS)
    (verdict,) = judge([counted([(6, 6)] * 5)])
    assert verdict.comparisons == verdict.odd == ()


def test_holm_corrects_step_by_step_and_keeps_the_order() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([0.5, 0.9]) == (1.0, 1.0)
    assert holm([]) == ()


@pytest.mark.parametrize("share", [0.05, SHARE])
def test_halls_with_fair_dice_are_called_odd_in_the_promised_share_at_most(share: float) -> None:
    dice, halls = Random(20260701), 600
    wrong = sum(
        any(one.odd for one in judge([throw(dice, THROWS) for _ in range(TABLES)], share))
        for _ in range(halls)
    )
    assert wrong <= halls * share + 3 * (halls * share) ** 0.5


@pytest.mark.parametrize("tables", [1, 16])
def test_loaded_dice_are_found_at_the_stated_number_of_throws(tables: int) -> None:
    dice, halls, needed = Random(20260702), 100, throws_needed(tables)
    others = [throw(dice, needed) for _ in range(tables - 1)]
    found = [judge([throw(dice, needed, LOADED), *others])[0] for _ in range(halls)]
    assert sum(bool(verdict.odd) for verdict in found) >= 84
    assert not any(one.odd for one in judge(others))


def test_of_loaded_dice_it_is_told_which_face_comes_too_often() -> None:
    (verdict,) = judge([throw(Random(3), 2 * throws_needed(1), LOADED)])
    faces = next(one for one in verdict.odd if one.kind is Kind.FACES)
    assert faces.farthest == 5
    assert faces.effect == pytest.approx(0.22, abs=0.08)


def test_more_tables_need_more_throws_but_not_many_more() -> None:
    assert throws_needed(1) < throws_needed(16) < throws_needed(250) < 2 * throws_needed(1)


def test_a_table_is_judged_more_strictly_among_many() -> None:
    suspect = throw(Random(9), 240, LOADED)
    alone = judge([suspect])[0].comparisons
    among = judge([suspect, *(throw(Random(n), 240) for n in range(30))])[0].comparisons

    def chances(compared: tuple[Comparison, ...]) -> list[float]:
        return [one.corrected for one in compared]

    assert [one.chance for one in alone] == [one.chance for one in among]
    assert all(a < b for a, b in zip(chances(alone), chances(among), strict=True))
