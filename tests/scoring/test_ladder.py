from scoring.ladder import imposable, rung
from scoring.rules import Ladder
from table.sanctions import WARNING, points
from tests.scoring.cases import BOOK, STEPS

MCR = Ladder(STEPS, BOOK)


def test_mcr_2014_warns_first_then_takes_5_10_20_and_so_on_up_to_60() -> None:
    proposed = [str(rung(MCR, step)) for step in range(1, 11)]
    assert proposed == ["warning", "-5", "-10", "-20", "-30", "-40", "-50", "-60", "-60", "-60"]


def test_a_book_with_a_ladder_of_one_step_proposes_it_every_time() -> None:
    assert [rung(Ladder((points(5),), "made up"), step) for step in (1, 2, 9)] == [points(5)] * 3


def test_the_referee_may_choose_among_the_seven_amounts_of_mcr_2014_and_the_warning() -> None:
    assert [str(one) for one in imposable(MCR)] == [
        "warning", "-5", "-10", "-20", "-30", "-40", "-50", "-60",
    ]  # fmt: skip


def test_a_warning_may_be_imposed_even_where_the_ladder_has_none() -> None:
    assert imposable(Ladder((points(10), points(20), points(20)), "made up")) == (
        WARNING,
        points(10),
        points(20),
    )
