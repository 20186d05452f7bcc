"""What the certificates say of a table: who it is, whose certificate it names, which day it is."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from controller.table_certificate import (
    Certificate,
    Entered,
    Policy,
    Revoked,
    Standing,
    Status,
    disarming,
    standing,
)
from drivers.port import Identity

TODAY = date(2026, 7, 1)
A = Identity("Open Table Works", "OTW-4", "TL-A", "1.2.0")
B = replace(A, serial="TL-B")


def certificate(number: str, serial: str, *, until: date = TODAY) -> Certificate:
    return Certificate(
        number, "Hall service", "OTW-4", serial, ("S-1",), "2025-07-01", until.isoformat()
    )


def entered(number: str, serial: str, *, days: int = 100, revoked: str = "") -> Entered:
    own = certificate(number, serial, until=TODAY + timedelta(days=days))
    taken_back = Revoked(revoked, "Chen", "admin", "2026-06-01T10:00:00+00:00") if revoked else None
    return Entered(own, "Chen", "admin", "2026-05-01T10:00:00+00:00", taken_back)


def status(*entries: Entered, identity: Identity | None = A) -> Status:
    return standing(entries, identity, TODAY, "t1").status


def test_a_table_that_was_never_connected_is_unseen() -> None:
    assert status(entered("1", "TL-A"), identity=None) is Status.UNSEEN


def test_a_table_is_certified_by_its_serial_number_and_nobody_elses() -> None:
    book = (entered("1", "TL-A"),)
    assert standing(book, A, TODAY, "t1") == Standing(Status.CERTIFIED, "", "1", "2026-10-09", 100)
    uncertified = standing(book, B, TODAY, "t1")
    assert uncertified.status is Status.UNCERTIFIED
    assert uncertified.reason == "no certificate was entered for OTW-4 TL-B"


@pytest.mark.parametrize(("days", "holds"), [(1, True), (0, True), (-1, False)])
def test_a_certificate_holds_through_its_last_day(days: int, holds: bool) -> None:  # noqa: FBT001 - parametrised
    stands = standing((entered("1", "TL-A", days=days),), A, TODAY, "t1")
    assert (stands.status is Status.CERTIFIED) is holds
    assert stands.reason == ("" if holds else "certificate 1 of TL-A ended on 2026-06-30")


def test_a_revoked_certificate_says_why() -> None:
    stands = standing((entered("1", "TL-A", revoked="seal broken"),), A, TODAY, "t1")
    assert stands.status is Status.REVOKED
    assert stands.reason == "certificate 1 of TL-A was revoked: seal broken"


def test_a_table_of_another_model_is_not_the_one_that_was_inspected() -> None:
    stands = standing((entered("1", "TL-A"),), replace(A, model="OTW-5"), TODAY, "t1")
    assert stands.status is Status.CHANGED
    assert stands.reason == "certificate 1 is for model OTW-4, the table is OTW-5 TL-A"


def test_a_new_certificate_takes_the_place_of_one_that_ended_or_was_revoked() -> None:
    book = (
        entered("1", "TL-A", days=-5),
        entered("2", "TL-A", days=500, revoked="mistyped"),
        entered("3", "TL-A", days=30),
    )
    for order in (book, book[::-1]):
        assert standing(order, A, TODAY, "t1").number == "3"


def test_two_swapped_boxes_are_both_told_to_be() -> None:
    book = (entered("1", "TL-A"), entered("2", "TL-B"))
    swapped = [standing(book, one, TODAY, "t1") for one in _swapped()]
    assert [one.status for one in swapped] == [Status.CHANGED, Status.CHANGED]
    assert [one.reason for one in swapped] == [
        "OTW-4 TL-A names certificate 2, which is that of TL-B: were two swapped?",
        "OTW-4 TL-B names certificate 1, which is that of TL-A: were two swapped?",
    ]


def _swapped() -> tuple[Identity, Identity]:
    return replace(A, certificate="2"), replace(B, certificate="1")


def test_two_boxes_that_name_no_certificate_are_swapped_between_their_tables() -> None:
    book = (of_table("1", "TL-A", "t1"), of_table("2", "TL-B", "t2"))
    assert standing(book, A, TODAY, "t1").status is Status.CERTIFIED
    at_t1, at_t2 = standing(book, B, TODAY, "t1"), standing(book, A, TODAY, "t2")
    assert (at_t1.status, at_t2.status) == (Status.CHANGED, Status.CHANGED)
    assert at_t1.reason == (
        "OTW-4 TL-B has certificate 2, which is that of table t2: were two swapped?"
    )
    assert "which is that of table t1: were two swapped?" in at_t2.reason


def test_a_box_that_nobody_inspected_in_the_place_of_one_that_was_is_named_with_it() -> None:
    stands = standing((of_table("1", "TL-A", "t1"),), B, TODAY, "t1")
    assert (stands.status, stands.number) == (Status.CHANGED, "1")
    assert stands.reason == (
        "certificate 1 of this table is for OTW-4 TL-A, the table is OTW-4 TL-B: were two swapped?"
    )
    assert standing((of_table("1", "TL-A", "t1"),), B, TODAY, "t2").status is Status.UNCERTIFIED


def test_a_box_that_moved_to_another_table_is_certified_there_anew() -> None:
    book = (of_table("1", "TL-A", "t1"), of_table("2", "TL-A", "t2"))
    assert standing(book, A, TODAY, "t2").number == "2"
    assert standing(book[::-1], A, TODAY, "t1").number == "1"


def test_other_firmware_is_not_what_was_inspected() -> None:
    first = entered("1", "TL-A")
    book = (replace(first, certificate=replace(first.certificate, firmware="1.2.0")),)
    assert standing(book, A, TODAY, "t1").status is Status.CERTIFIED
    stands = standing(book, replace(A, firmware="1.3.0"), TODAY, "t1")
    assert stands.status is Status.CHANGED
    assert stands.reason == (
        "certificate 1 is for firmware 1.2.0 of OTW-4 TL-A, which has 1.3.0 now"
    )


def of_table(number: str, serial: str, table: str) -> Entered:
    one = entered(number, serial)
    return replace(one, certificate=replace(one.certificate, table=table))


@pytest.mark.parametrize(
    ("serial", "said"),
    [
        ("TL-A", ""),
        ("112233", ""),
        (
            "unit 1 on /dev/serial/by-id/a",
            (
                "no module tells a serial number: bound to its place, so a swap of such boxes is"
                " not noticed by itself; look at the seals"
            ),
        ),
        (
            "112233 + unit 2 on 10.0.0.4:502",
            (
                "1 of 2 modules tell no serial number: bound to its place, so a swap of such boxes"
                " is not noticed by itself; look at the seals"
            ),
        ),
    ],
)
def test_a_certificate_says_where_it_cannot_notice_a_swap(serial: str, said: str) -> None:
    assert certificate("1", serial).limits == said


@pytest.mark.parametrize("named", ["", "1"])
def test_a_table_that_names_its_own_certificate_or_none_contradicts_nothing(named: str) -> None:
    stands = standing((entered("1", "TL-A"),), replace(A, certificate=named), TODAY, "t1")
    assert (stands.status, stands.remark, stands.notice) == (Status.CERTIFIED, "", "")


@pytest.mark.parametrize("book", [(), (entered("0", "TL-A", days=-300),)])
def test_a_number_that_is_no_other_tables_is_told_and_does_no_harm(
    book: tuple[Entered, ...],
) -> None:
    known = (*book, entered("1", "TL-A"))
    stands = standing(known, replace(A, certificate="0"), TODAY, "t1")
    assert stands.status is Status.CERTIFIED
    assert stands.notice == "OTW-4 TL-A names certificate 0; entered is 1"


@pytest.mark.parametrize(
    ("days", "said"),
    [
        (31, ""),
        (30, "certificate 1 ends in 30 days, on 2026-07-31"),
        (2, "certificate 1 ends in 2 days, on 2026-07-03"),
        (1, "certificate 1 ends tomorrow, on 2026-07-02"),
        (0, "certificate 1 ends today, on 2026-07-01"),
    ],
)
def test_an_end_that_comes_near_is_reminded_of(days: int, said: str) -> None:
    assert standing((entered("1", "TL-A", days=days),), A, TODAY, "t1").reminder == said


def test_only_an_event_that_requires_certificates_disarms() -> None:
    wrong, right = standing((), A, TODAY, "t1"), standing((entered("1", "TL-A"),), A, TODAY, "t1")
    assert disarming(Policy.REQUIRED, wrong) == wrong.reason != ""
    assert disarming(Policy.WARN, wrong) == disarming(Policy.OFF, wrong) == ""
    assert disarming(Policy.REQUIRED, right) == ""
