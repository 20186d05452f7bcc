import json
import re
from pathlib import Path

from mqtt.catalogue import TOPICS
from mqtt.contract import TABLES, written
from mqtt.inbox import Request, read_request
from mqtt.messages import Delivery
from mqtt.orders import ReplyPayload
from mqtt.payloads import EventEnvelope
from mqtt.topics import Root, TopicKind
from mqtt.verbs import VERBS
from table.alert_commands import Waive
from table.answers import Code

ROOT = Root("mahjong", "hall")

PAGE = Path(__file__).parents[2] / "docs/contract.md"


def test_the_page_is_what_the_code_says() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == written(page), "run: python -m mqtt.contract docs/contract.md"


def test_the_page_has_a_place_for_every_table() -> None:
    marks = re.findall(r"<!-- begin (\w+) -->", PAGE.read_text(encoding="utf-8"))
    assert sorted(marks) == sorted(TABLES)


def test_every_topic_of_the_contract_has_its_payload() -> None:
    assert TOPICS.keys() == set(TopicKind)


def test_every_verb_stands_in_its_table_with_what_it_needs() -> None:
    rows = TABLES["verbs"]().splitlines()[2:]
    assert [row.split(" | ")[0] for row in rows] == [f"| `{verb}`" for verb in VERBS]
    assert "| `modify` | `revision` | `alert`, `reason`, `sanction` | " in "\n".join(rows)


def test_every_code_and_every_kind_says_what_it_means() -> None:
    for name in ("codes", "kinds", "topics", "verbs", "parts"):
        for row in TABLES[name]().splitlines()[2:]:
            assert len(row.rstrip(" |").rsplit(" | ", 1)[1]) > 10, row


def test_every_link_on_the_page_leads_to_a_heading() -> None:
    page = PAGE.read_text(encoding="utf-8")
    headings = {line.lstrip("# ").lower() for line in page.splitlines() if line.startswith("#")}
    assert set(re.findall(r"\]\(#(\w+)\)", page)) <= headings


def test_the_examples_on_the_page_are_messages_of_the_contract() -> None:
    page = PAGE.read_text(encoding="utf-8")
    starts = [
        found.end() for found in re.finditer(r"^    (payload  )?(?=\{\")", page, re.MULTILINE)
    ]
    event, command, reply = (json.JSONDecoder().raw_decode(page, start)[0] for start in starts)
    assert EventEnvelope.model_validate(event).type == "tablewarden.discarded"
    assert ReplyPayload.model_validate(reply).code in set(Code)
    topic = ROOT.table_command("board", "t1", "waive")
    assert topic in page
    message = Delivery(topic, json.dumps(command).encode(), retained=False, expiry_seconds=5)
    heard = read_request(ROOT, message)
    assert isinstance(heard, Request)
    assert heard.command == Waive("t1-12-1", 2, "tile fell")


def test_the_page_names_the_library_by_its_present_name() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert "**aiomqtt**" in page
    assert "old name of this library,\nasyncio-mqtt" in page
