"""The examples of docs/table-link.md are the vectors, and every vector's kind is shown there."""

import re
from pathlib import Path
from zlib import crc32

import pytest

from drivers.table_link import codes, frames, link, messages, orders, talk
from drivers.table_link.frames import Damage, Deframer, Frame
from drivers.table_link.messages import Hello, read
from tests.drivers.table_link.vectors import VECTORS, vectors

DOCUMENT = (Path(__file__).parents[3] / "docs" / "table-link.md").read_text()
EXAMPLE = re.compile(r"^ +plain (.*)\n +check (.*)\n +wire +(.*)$", re.MULTILINE)
EXAMPLES = [tuple(map(bytes.fromhex, match.groups())) for match in EXAMPLE.finditer(DOCUMENT)]


def test_the_document_shows_every_kind_of_message() -> None:
    kinds = {plain[0] & 0x3F for plain, _, _ in EXAMPLES}
    assert kinds == {kind.value for kind in codes.Kind}


@pytest.mark.parametrize(("plain", "check", "wire"), EXAMPLES)
def test_an_example_holds_together(plain: bytes, check: bytes, wire: bytes) -> None:
    (frame,) = Deframer().feed(wire)
    assert isinstance(frame, Frame)
    assert frames.unstuff(wire[:-1]) == plain + check
    assert crc32(plain) == int.from_bytes(check, "little")
    assert not isinstance(read(frame), Damage)


def test_the_examples_are_vectors() -> None:
    known = {
        vector.wire
        for path in VECTORS.glob("*.txt")
        if path.stem != "damage"
        for vector in vectors(path.stem).values()
    }
    assert {wire for _, _, wire in EXAMPLES} <= known


def test_the_check_is_the_well_known_one() -> None:
    assert "`CBF43926`" in DOCUMENT
    assert crc32(b"123456789") == 0xCBF43926


@pytest.mark.parametrize(
    "sentence",
    [
        f"at most {frames.MOST_PAYLOAD} bytes |",
        f"A frame has at most {frames.MOST_ON_WIRE} bytes on the wire",
        f"nothing for {link.BEAT_SECONDS * 1000:g} ms sends HEARTBEAT",
        f"After {link.SUSPECT_SECONDS:g} s of silence the other end is *suspect*",
        f"after {link.LOST_SECONDS:g} s *lost*",
        f"again after {talk.AGAIN_SECONDS * 1000:g} ms, at most {talk.TRIES} times",
        "after {:g}, {:g} and {:g} ms and gives up {:g} ms later".format(
            *(wait * 1000 for wait in orders.UNHEARD_SECONDS)
        ),
        f"after each {orders.HEARD_SECONDS[0]:g} s without news",
        "vendor ({}), model ({}), serial number ({}), firmware ({}), certificate ({})".format(
            *Hello.TEXTS
        ),
    ],
)
def test_numbers_of_the_code_stand_in_the_document(sentence: str) -> None:
    assert sentence in re.sub(r"\s+", " ", DOCUMENT)


def _shown(number: int) -> str:
    return rf"\| {number} \| {codes.Kind(number).name} \|"


@pytest.mark.parametrize("kind", list(codes.Kind))
def test_every_kind_has_its_row(kind: codes.Kind) -> None:
    assert re.search(_shown(kind), DOCUMENT)


@pytest.mark.parametrize("kind", sorted({*codes.Kind} - {codes.Kind.HELLO, codes.Kind.ACK}))
def test_the_widths_in_a_row_add_up_to_the_payload(kind: codes.Kind) -> None:
    row = next(line for line in DOCUMENT.splitlines() if re.match(_shown(kind), line))
    fixed = row.split("|")[4].split("count (1)")[0]
    widths = [int(width) for width in re.findall(r"\((\d)\)", fixed)]
    assert sum(widths) == messages.BY_KIND[kind].LAYOUT.size


def test_the_widths_of_a_hello_add_up_to_its_numbers() -> None:
    table = DOCUMENT.split("| HELLO | width | content |")[1].split("| texts |")[0]
    widths = re.findall(r"^\| \w+ \| ([\d +]+) \|", table, re.MULTILINE)
    assert sum(int(width) for row in widths for width in row.split("+")) == Hello.LAYOUT.size
