"""Other sites and other machines get nothing from the board."""

import pytest

from board.guard import TOKEN_HEADER, is_loopback, objection

OWN = {"host": "127.0.0.1:8080", "origin": "http://127.0.0.1:8080", TOKEN_HEADER: "right"}


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8080", "localhost:8080", "[::1]:8080", "127.0.0.1", "localhost"]
)
def test_names_of_this_machine_are_answered(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host",
    [
        "board.example",
        "192.168.1.9:8080",
        "localhost.evil.example",
        "",
        "127.0.0.1.evil.example",
        "[::1",
        "0x7f000001.example",
    ],
)
def test_any_other_name_is_refused(host: str) -> None:
    assert not is_loopback(host)
    assert objection("GET", {"host": host}, "right")


def test_an_order_of_our_own_page_is_taken() -> None:
    assert objection("POST", OWN, "right") is None


@pytest.mark.parametrize(
    "changed",
    [
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
        {TOKEN_HEADER: "wrong"},
        {"host": "evil.example", "origin": "http://evil.example"},
    ],
)
def test_an_order_of_any_other_page_is_refused(changed: dict[str, str]) -> None:
    assert objection("POST", OWN | changed, "right")


@pytest.mark.parametrize("missing", ["host", "origin", TOKEN_HEADER])
def test_an_order_that_does_not_say_where_it_comes_from_is_refused(missing: str) -> None:
    headers = {name: value for name, value in OWN.items() if name != missing}
    assert objection("POST", headers, "right")
