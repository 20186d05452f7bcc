import json
import re
from pathlib import Path
from typing import Any

from config.models import Broker
from mqtt.catalogue import TOPICS
from mqtt.connection import WINDOW
from mqtt.contract import TABLES, written
from mqtt.inbox import LARGEST_PAYLOAD, LONGEST_EXPIRY_SECONDS, Request, read_request
from mqtt.inquiries import Inquiry
from mqtt.messages import Delivery
from mqtt.orders import ReplyPayload
from mqtt.payloads import CONTRACT_VERSION, EventEnvelope
from mqtt.publisher import REPLY_EXPIRY_SECONDS
from mqtt.topics import Root, TopicKind
from mqtt.verbs import VERBS
from table.alert_commands import Waive
from table.answers import Code
from tests.harness.contract import misfits

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


def examples(page: str) -> list[Any]:
    """Return every message that stands on the page, in its order."""
    starts = [
        found.end() for found in re.finditer(r"^    (payload  )?(?=\{\")", page, re.MULTILINE)
    ]
    return [json.JSONDecoder().raw_decode(page, start)[0] for start in starts]


def heard(page: str, topic: str, content: object) -> object:
    """Return what a node makes of a message on the page, with a topic that stands there too."""
    assert topic in page
    payload = json.dumps(content).encode()
    return read_request(ROOT, Delivery(topic, payload, retained=False, expiry_seconds=5))


def test_the_examples_on_the_page_are_messages_of_the_contract() -> None:
    page = PAGE.read_text(encoding="utf-8")
    event, question, answer, command, reply = examples(page)
    assert EventEnvelope.model_validate(event).type == "tablewarden.discarded"
    assert ReplyPayload.model_validate(reply).code in set(Code)
    order = heard(page, ROOT.table_command("board", "t1", "waive"), command)
    assert isinstance(order, Request)
    assert order.command == Waive("t1-12-1", 2, "tile fell")
    asked = heard(page, ROOT.table_command("scoreboard", "t1", "replay"), question)
    assert isinstance(asked, Inquiry)
    assert (asked.after, asked.before) == (40, 47)
    (missed,) = ReplyPayload.model_validate(answer).events
    assert asked.after == missed.previous < missed.tableseq < 47
    assert ROOT.reply("scoreboard", asked.id).endswith("reply/scoreboard/r-1")


def test_the_examples_of_what_nodes_send_fit_the_schemas() -> None:
    event, _, answer, *_ = examples(PAGE.read_text(encoding="utf-8"))
    for told in (event, *answer["events"]):
        assert misfits("payloads/event-envelope", told) == []
        assert misfits(f"events/{told['type'].removeprefix('tablewarden.')}", told["data"]) == []
    assert misfits("payloads/reply-payload", answer) == []


def test_the_page_names_the_version_of_the_code_first() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert f"\nVersion {CONTRACT_VERSION}. " in page
    versions = re.findall(r"^\| (\d+)\.(\d+) \|", page, re.MULTILINE)
    numbers = [(int(major), int(minor)) for major, minor in versions]
    assert ".".join(versions[0]) == CONTRACT_VERSION
    assert numbers == sorted(numbers, reverse=True)


def test_the_bounds_on_the_page_are_those_of_the_code() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("\n## Rates and bounds\n")[2]
    bounds = section.partition("\n## ")[0]
    broker = Broker()
    assert f"{broker.orders_per_second} a second, {broker.orders_at_once} at once" in bounds
    assert f"{broker.most_waiting_events:,} of a node" in bounds
    assert f"| {LARGEST_PAYLOAD // 1024} KiB |" in bounds
    assert f"| {LONGEST_EXPIRY_SECONDS} s |" in bounds
    assert f"| {WINDOW}, fewer" in bounds
    assert f"kept for {REPLY_EXPIRY_SECONDS} s" in bounds
    assert TOPICS[TopicKind.REPLY].expiry_seconds == REPLY_EXPIRY_SECONDS


def test_every_role_of_the_access_list_is_in_the_table_of_roles() -> None:
    rows = TABLES["roles"]().splitlines()[2:]
    assert len(rows) == len(TopicKind)
    alert, event, order = (
        next(row for row in rows if f"`{what}/" in row)
        for what in ("alert", "event", "cmd/{login}/table")
    )
    assert "scoreboard" not in alert
    assert "scoreboard (some)" in event
    assert order.endswith("| board, referee, scoreboard (some), admin |")


def test_the_page_names_the_library_by_its_present_name() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert "**aiomqtt**" in page
    assert "old name of this library,\nasyncio-mqtt" in page
