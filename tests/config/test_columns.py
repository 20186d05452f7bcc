from config.columns import Row, columns, width


def test_a_chinese_character_takes_two_columns() -> None:
    assert width("出牌 a") == 6


def test_columns_stand_under_each_other_and_long_cells_go_on_below() -> None:
    rows = [
        Row("One", " ", ("turn", "10 s", "book")),
        Row("Two", "*", ("出牌", "word " * 12, "book")),
    ]
    assert list(columns(rows)) == [
        "",
        "One",
        "  turn  10 s                                    book",
        "",
        "Two",
        "* 出牌  word word word word word word word      book",
        "        word word word word word",
    ]
