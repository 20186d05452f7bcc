"""Every verb of the contract: carried out where it fits, and refused in every way it can be wrong.

A refusal is one reply with code and reason; nothing else is told, kept or numbered.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mqtt.certificate_orders import CERTIFICATE_VERBS
from mqtt.inbox import LARGEST_PAYLOAD
from mqtt.inquiries import QUESTIONS
from mqtt.messages import Message
from mqtt.reply_codes import ReplyCode
from mqtt.venue_orders import VENUE_VERBS
from mqtt.verbs import NODE_VERBS, VERBS, Need, Verb
from table.answers import Code
from table.commands import SetLamp, SoundBuzzer, Stop
from tests.controller.stage import LOGIN, NODE, Stage, stage
from tests.controller.verb_scenes import (
    ALERT,
    CERTIFICATE_TRIALS,
    FRESH,
    NODE_TRIALS,
    PLAYING,
    TRIALS,
    VENUE_TRIALS,
    Scene,
    Trial,
)
from tests.harness.broker import Mosquitto, mosquitto

pytestmark = pytest.mark.xdist_group("every-verb")
STALE: dict[Need, dict[str, object]] = {
    Need.HAND: {"hand": "t1-99"},
    Need.MACHINE: {"machine_seq": 99},
    Need.ALERT: {"revision": 99},
}
BY_THE_TABLE = frozenset(
    {Code.WRONG_PHASE, Code.UNKNOWN_ALERT, Code.HAND_RUNNING, Code.LIFT_UNKNOWN}
)
NO_SUCH_VALUE = frozenset({Code.BAD_VALUE, Code.REASON_MISSING, ReplyCode.INVALID_PAYLOAD})
CERTIFIED = {
    "certify": "certificate 2026-8 of OTW-4 TL-7 holds until 2027-06-30",
    "revoke-certificate": "certificate 2026-7 holds no longer: seal broken",
}
SILENT = {SoundBuzzer, SetLamp}
"""What changes nothing of the table."""


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path_factory.mktemp("broker")) as running:
        yield running


@dataclass(frozen=True)
class Wrong:
    """One way in which an order is wrong, and the codes it may be refused with."""

    codes: frozenset[str]
    spoilt: Callable[["Sender"], Message]
    old: bool = False
    """Whether a client of MQTT 3.1.1 sends it."""


def _wrong(code: str, spoilt: Callable[["Sender"], Message], *, old: bool = False) -> Wrong:
    return Wrong(frozenset({code}), spoilt, old)


NOT_NOW = Wrong(BY_THE_TABLE, lambda one: one.good())
"""A good order that does not fit the moment."""


@dataclass
class Sender:
    """Writes orders of one verb for one table or node."""

    here: Stage
    topic: str
    verb: Verb
    trial: Trial
    table: str = "t1"

    def good(self, **changes: Any) -> Message:  # noqa: ANN401 - JSON
        fields = {"arguments": self.trial.arguments, "precondition": self.precondition()}
        return self.here.message(self.topic, **{**fields, **changes})

    def precondition(self) -> dict[str, object]:
        state = self.here.tables[self.table].state
        match self.verb.need:
            case Need.HAND:
                return {"hand": state.hand.hand}
            case Need.MACHINE:
                return {"machine_seq": state.machine.seq}
            case Need.ALERT:
                alert = state.docket.alerts.get(ALERT.replace("t1", self.table))
                return {"revision": alert.revision if alert else 1}
            case Need.NOTHING:
                return {}

    def without(self, key: str) -> Message:
        """Return an order without a field that every order must have."""
        message = self.good()
        content = json.loads(message.payload)
        del content[key]
        return replace(message, payload=json.dumps(content).encode())

    def required(self) -> str | None:
        """Return an argument that the verb cannot do without."""
        fields = self.verb.arguments.model_fields.items()
        return next((name for name, field in fields if field.is_required()), None)


def _ways(sender: Sender) -> dict[str, Wrong]:
    """Return every way in which an order of this verb can be wrong."""
    invalid = ReplyCode.INVALID_PAYLOAD
    ways = {
        "retained": _wrong(ReplyCode.RETAINED, lambda one: replace(one.good(), retain=True)),
        "too long expiry": _wrong(
            ReplyCode.EXPIRY_TOO_LONG, lambda one: replace(one.good(), expiry_seconds=6)
        ),
        "unknown field": _wrong(invalid, lambda one: one.good(persons="x")),
        "unknown argument": _wrong(
            invalid, lambda one: one.good(arguments={**one.trial.arguments, "why": 1})
        ),
        "unknown precondition": _wrong(
            invalid, lambda one: one.good(precondition={**one.precondition(), "phase": "turn"})
        ),
        "no person": _wrong(invalid, lambda one: one.without("person")),
        "no id": _wrong(invalid, lambda one: one.without("id")),
        "person of a wrong type": _wrong(invalid, lambda one: one.good(person=17)),
        "arguments of a wrong type": _wrong(invalid, lambda one: one.good(arguments=[])),
        "precondition of a wrong type": _wrong(invalid, lambda one: one.good(precondition="t1")),
        "foreign response topic": _wrong(
            ReplyCode.REPLY_TOPIC_REFUSED,
            lambda one: replace(one.good(), response_topic=one.here.root.reply("board", "x")),
        ),
        "no response topic at all": _wrong(
            ReplyCode.REPLY_TOPIC_REFUSED,
            lambda one: replace(one.good(), response_topic=one.here.root.state("t1")),
        ),
        "too large": _wrong(
            ReplyCode.TOO_LARGE, lambda one: one.good(person="x" * (LARGEST_PAYLOAD + 1))
        ),
        "no JSON": _wrong(invalid, lambda one: replace(one.good(), payload=b"\xff{")),
    }
    return {**ways, **_ways_with_arguments(sender), **_ways_of_a_need(sender.verb.need)}


def _ways_with_arguments(sender: Sender) -> dict[str, Wrong]:
    given = sender.trial.arguments
    ways: dict[str, Wrong] = {}
    if (name := sender.required()) is not None:
        fewer = {key: value for key, value in given.items() if key != name}
        code = Code.REASON_MISSING if name == "reason" else ReplyCode.INVALID_PAYLOAD
        ways["argument missing"] = _wrong(code, lambda one: one.good(arguments=fewer))
    for name in sender.verb.arguments.model_fields:
        ways[f"{name} of a wrong type"] = Wrong(NO_SUCH_VALUE, partial(_with, {**given, name: 0.5}))
    return ways


def _with(arguments: Mapping[str, object], sender: Sender) -> Message:
    return sender.good(arguments=arguments)


def _ways_of_a_need(need: Need) -> dict[str, Wrong]:
    if need is Need.NOTHING:
        return {}
    missing, other = ReplyCode.PRECONDITION_MISSING, STALE[_another(need)]
    ways = {
        "stale": _wrong(Code.STALE, lambda one: one.good(precondition=STALE[need])),
        "no precondition, no expiry": _wrong(
            missing, lambda one: replace(one.good(precondition={}), expiry_seconds=None)
        ),
        "no precondition in 3.1.1": _wrong(
            missing, lambda one: one.good(precondition={}), old=True
        ),
        "stale in 3.1.1": _wrong(
            Code.STALE, lambda one: one.good(precondition=STALE[need]), old=True
        ),
        "one precondition too many": _wrong(
            ReplyCode.INVALID_PAYLOAD,
            lambda one: one.good(precondition={**one.precondition(), **other}),
        ),
    }
    if need is Need.ALERT:
        ways["no precondition"] = _wrong(missing, lambda one: one.good(precondition={}))
    return ways


def _another(need: Need) -> Need:
    return Need.MACHINE if need is Need.HAND else Need.HAND


def _scenes(trial: Trial) -> dict[str, Scene]:
    return {"t1": trial.fits, "t2": trial.fits, "t3": trial.unfit or FRESH}


def _sender(here: Stage, verb: str, table: str = "t1") -> Sender:
    topic = here.root.table_command(LOGIN, table, verb)
    return Sender(here, topic, VERBS[verb], _of(TRIALS[verb], table), table)


def _of(trial: Trial, table: str) -> Trial:
    """Return a trial as another table knows its alert."""
    known = trial.arguments
    return (
        replace(trial, arguments={**known, "alert": ALERT.replace("t1", table)})
        if "alert" in known
        else trial
    )


@pytest.mark.parametrize("verb", sorted(VERBS))
async def test_a_verb_is_refused_in_every_way_it_can_be_wrong_and_carried_out_where_it_fits(
    broker: Mosquitto, tmp_path: Path, verb: str
) -> None:
    trial = TRIALS[verb]
    async with stage(broker, tmp_path, _scenes(trial)) as here:
        sender = _sender(here, verb)
        wrong = [(sender, name, way) for name, way in _ways(sender).items()]
        if trial.unfit is not None:
            wrong.append((_sender(here, verb, "t3"), "not now", NOT_NOW))
        await _all_are_refused(here, wrong)
        for table, old in (("t1", False), ("t2", True)):
            await _is_carried_out(_sender(here, verb, table), old=old)


@pytest.mark.parametrize("verb", sorted(NODE_VERBS))
async def test_a_verb_of_a_node_is_refused_in_every_way_and_carried_out_by_every_table(
    broker: Mosquitto, tmp_path: Path, verb: str
) -> None:
    trial = NODE_TRIALS[verb]
    async with stage(broker, tmp_path, {"t1": trial.fits, "t2": trial.fits}) as here:
        topic = here.root.node_command(LOGIN, NODE, verb)
        sender = Sender(here, topic, NODE_VERBS[verb], trial)
        await _all_are_refused(here, [(sender, name, way) for name, way in _ways(sender).items()])
        (reply,) = await here.answers(sender.good())
        assert (reply.status, reply.counts) == ("done", {"done": 2})
        await here.told()
        await _all_are_refused(here, [(sender, "not now", NOT_NOW)])


@pytest.mark.parametrize("verb", sorted(CERTIFICATE_VERBS))
async def test_a_verb_about_certificates_is_refused_in_every_way_and_carried_out_once(
    broker: Mosquitto, tmp_path: Path, verb: str
) -> None:
    async with stage(broker, tmp_path, {"t1": FRESH}) as here:
        known = CERTIFICATE_TRIALS["certify"].arguments | {"number": "2026-7"}
        first = here.message(here.root.node_command(LOGIN, NODE, "certify"), arguments=known)
        assert [one.status for one in await here.answers(first)] == ["done"]
        row = Verb(Stop, Need.NOTHING, CERTIFICATE_VERBS[verb].arguments)
        topic = here.root.node_command(LOGIN, NODE, verb)
        sender = Sender(here, topic, row, CERTIFICATE_TRIALS[verb])
        await _all_are_refused(here, [(sender, name, way) for name, way in _ways(sender).items()])
        (reply,) = await here.answers(sender.good())
        assert (reply.status, reply.reason) == ("done", CERTIFIED[verb])
        again = Wrong(frozenset({Code.BAD_VALUE, Code.WRONG_PHASE}), lambda one: one.good())
        await _all_are_refused(here, [(sender, "again", again)])


@pytest.mark.parametrize("verb", sorted(QUESTIONS))
async def test_a_question_is_refused_in_every_way_it_can_be_wrong_and_answered_as_it_should(
    broker: Mosquitto, tmp_path: Path, verb: str
) -> None:
    question = QUESTIONS[verb]
    async with stage(broker, tmp_path, {"t1": PLAYING}) as here:
        topic = here.root.table_command(LOGIN, "t1", verb)
        asked = {"epoch": here.journal.epoch, "after": 0}
        row = Verb(Stop, Need.NOTHING, question.arguments)
        sender = Sender(here, topic, row, Trial(PLAYING, asked))
        other = {**asked, "epoch": here.journal.epoch + 1}
        ways = {**_ways(sender), "epoch": _wrong(ReplyCode.UNKNOWN_EPOCH, partial(_with, other))}
        await _all_are_refused(here, [(sender, name, way) for name, way in ways.items()])
        before = here.states()
        replies = await here.answers(sender.good())
        assert [one.status for one in replies] == ["accepted", "done"]
        assert here.states() == before


@pytest.mark.parametrize("verb", sorted(VENUE_VERBS))
async def test_a_verb_of_the_venue_is_refused_in_every_way_it_can_be_wrong_and_carried_out(
    broker: Mosquitto, tmp_path: Path, verb: str
) -> None:
    async with stage(broker, tmp_path, {"t1": PLAYING}) as here:
        row = Verb(Stop, Need.NOTHING, VENUE_VERBS[verb].arguments)
        sender = Sender(here, here.root.venue_command(LOGIN, verb), row, VENUE_TRIALS[verb])
        await _all_are_refused(here, [(sender, name, way) for name, way in _ways(sender).items()])
        topic = await here.send(sender.good())
        await here.watcher.until(lambda _: "done" in [one.status for one in here.replies(topic)])


async def _is_carried_out(sender: Sender, *, old: bool) -> None:
    here, record = sender.here, sender.here.tables[sender.table]
    before, seq = record.state, record.seq
    replies = await here.answers(sender.good(), old=old)
    assert replies[0].status == sender.trial.status, replies
    assert {one.status for one in replies} <= {"accepted", "done"}
    await here.told()
    if sender.trial.status == "done" and sender.verb.command not in SILENT:
        assert record.seq > seq
        assert record.state != before


async def _all_are_refused(here: Stage, wrong: list[tuple[Sender, str, Wrong]]) -> None:
    """Send wrong orders: one reply says why each is refused, and nothing else happens."""
    before = here.states()
    since = len(here.watcher.seen)
    asked: dict[str, str] = {}
    for sender, name, way in wrong:
        message = way.spoilt(sender)
        asked[name] = await here.send(message, old=way.old)
        if message.retain:
            await here.watcher.publish(replace(message, payload=b""))
    await here.watcher.until(lambda _: all(map(here.replies, asked.values())))
    await here.fence()
    for _, name, way in wrong:
        replies = here.replies(asked[name])
        assert [one.status for one in replies] == ["rejected"], (name, replies)
        assert replies[0].code in way.codes, (name, replies)
        assert replies[0].reason, name
    assert here.news(since) == []
    assert here.states() == before


def test_every_verb_is_tried() -> None:
    assert TRIALS.keys() == VERBS.keys()
    assert NODE_TRIALS.keys() == NODE_VERBS.keys()
    assert CERTIFICATE_TRIALS.keys() == CERTIFICATE_VERBS.keys()
    assert VENUE_TRIALS.keys() == VENUE_VERBS.keys()
