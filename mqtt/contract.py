"""Writes the tables of the contract's page from the code.

`python -m mqtt.contract docs/contract.md` does it; a test checks that it was done.
"""

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

from mqtt.access import Deed
from mqtt.catalogue import EVENTS, TOPICS, Delivered, pattern, purpose
from mqtt.certificate_orders import CERTIFICATE_VERBS, CertificateVerb
from mqtt.contract_payloads import link, payload_tables, rows_of
from mqtt.docstrings import member_texts, sentence
from mqtt.events import field_names
from mqtt.inquiries import QUESTIONS, Question
from mqtt.pad_orders import PAD_VERBS, PadVerb
from mqtt.reach import names_of, who_may
from mqtt.reply_codes import ReplyCode
from mqtt.topics import TopicKind
from mqtt.venue_orders import VENUE_VERBS, Chore
from mqtt.verbs import NODE_VERBS, VERBS, Need, Verb
from scoring.alert import Alert, Note, Ruling
from table.answers import Code
from table.fouls import FoulSeen
from table.moment import DeviceStamp, Elapsed, Interval
from table.restrictions import Restriction
from table.sanctions import Sanction

_NOTHING = "-"
_NESTED = {
    Interval: "interval",
    DeviceStamp: "stamp",
    Elapsed: "elapsed",
    Alert: "alert",
    FoulSeen: "foul",
    Ruling: "ruling",
    Note: "note",
    Sanction: "sanction",
    Restriction: "restriction",
}


def written(page: str) -> str:
    """Return a page with everything between its `begin` and `end` marks written anew."""
    for name, table in TABLES.items():
        head, begin, rest = page.partition(f"<!-- begin {name} -->\n")
        _, end, tail = rest.partition(f"<!-- end {name} -->")
        page = f"{head}{begin}\n{table()}\n{end}{tail}" if end else page
    return page


def _topics() -> str:
    rows = [
        (f"`{pattern(kind)}`", _how(told), _payloads(told), purpose(kind))
        for kind, told in TOPICS.items()
    ]
    return rows_of("topic below the root | QoS | payload | what it is", rows)


def _how(told: Delivered) -> str:
    expiry = f"expiry {'at most ' if told.heard else ''}{told.expiry_seconds} s"
    words = {"retained": told.retained, "last will": told.will, expiry: told.expiry_seconds}
    return ", ".join([str(told.qos), *(word for word, holds in words.items() if holds)])


def _payloads(told: Delivered) -> str:
    return ", ".join(link(model.__name__) for model in told.payloads) or _NOTHING


def _roles() -> str:
    rows = [
        (f"`{pattern(kind)}`", _who(Deed.READ, kind), _who(Deed.WRITE, kind)) for kind in TopicKind
    ]
    return rows_of("topic below the root | who may read | who may write", rows)


def _who(deed: Deed, kind: TopicKind) -> str:
    always = [set(who_may(deed, kind, name)) for name in names_of(kind)]
    every = set.intersection(*always)
    some = who_may(deed, kind)
    return ", ".join(f"{role}" if role in every else f"{role} (some)" for role in some) or _NOTHING


def _kinds() -> str:
    rows = [
        (f"`{kind}`", f"{who}", _facts(effect), sentence(effect))
        for kind, (effect, who) in EVENTS.items()
    ]
    return rows_of("kind | for | data | what happened", rows)


def _facts(owner: Any) -> str:  # noqa: ANN401 - any dataclass
    hints = get_type_hints(owner)
    return ", ".join(f"`{wire}`{_nested(hints[name])}" for name, wire in field_names(owner).items())


def _nested(hint: object) -> str:
    options = [option for option in (get_args(hint) or (hint,)) if option is not NoneType]
    maybe = "?" if NoneType in get_args(hint) else ""
    known = [_NESTED[option] for option in options if option in _NESTED]
    return f" ({known[0]}){maybe}" if known else maybe


def _nested_facts() -> str:
    rows = [(name, _facts(owner), sentence(owner)) for owner, name in _NESTED.items()]
    return rows_of("part | fields | what it is", rows)


def _verbs(verbs: dict[str, Verb]) -> str:
    rows = [
        (f"`{name}`", _need(verb), _arguments(verb), sentence(verb.command))
        for name, verb in verbs.items()
    ]
    return rows_of("verb | precondition | arguments | what it orders", rows)


def _need(verb: Verb) -> str:
    return _NOTHING if verb.need is Need.NOTHING else f"`{verb.need}`"


def _questions() -> str:
    rows = [
        (f"`{name}`", f"{question.audience}", _arguments(question), question.asks)
        for name, question in QUESTIONS.items()
    ]
    return rows_of("verb | events for | arguments | what it asks", rows)


def _chores(
    chores: Mapping[str, Chore] | Mapping[str, CertificateVerb] | Mapping[str, PadVerb],
) -> str:
    rows = [(f"`{name}`", _arguments(chore), chore.does) for name, chore in chores.items()]
    return rows_of("verb | arguments | what it orders", rows)


def _arguments(verb: Verb | Question | Chore | CertificateVerb | PadVerb) -> str:
    schema = verb.arguments.model_json_schema()
    needed = schema.get("required", [])
    names = [f"`{name}`" if name in needed else f"`{name}`?" for name in schema["properties"]]
    return ", ".join(names) or _NOTHING


def _codes() -> str:
    rows = [
        (f"`{code}`", member_texts(codes).get(code.name, ""))
        for codes in (ReplyCode, Code)
        for code in codes
    ]
    return rows_of("code | why", rows)


TABLES: dict[str, Callable[[], str]] = {
    "topics": _topics,
    "roles": _roles,
    "payloads": payload_tables,
    "kinds": _kinds,
    "parts": _nested_facts,
    "verbs": partial(_verbs, VERBS),
    "nodeverbs": partial(_verbs, NODE_VERBS),
    "venueverbs": partial(_chores, VENUE_VERBS),
    "certificateverbs": partial(_chores, CERTIFICATE_VERBS),
    "padverbs": partial(_chores, PAD_VERBS),
    "questions": _questions,
    "codes": _codes,
}
"""The marks a page may have, and what stands between them."""


def main(page: Path) -> None:
    """Write the tables of a page anew."""
    page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
