import json
from datetime import timedelta
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.records import Codec
from controller.table_core import Effect, Stimulus
from controller.table_memory import TableMemory
from scoring.alert import Alert, AlertStatus, Ruling
from scoring.docket import Docket, DocketStimulus
from scoring.effects import RulingMade
from table.alert_commands import Modify
from table.commands import Ordered, SeatPlayers
from table.errors import JournalError
from table.events import DiceRolled, DiscardPressed, Fault, LinkDown, Observed, Woken
from table.fouls import FoulKind, FoulSeen
from table.moment import MILLISECOND, DeviceStamp, Elapsed, Interval, Moment, Quality
from table.sanctions import WARNING, points
from table.seat import BySeat, Seat
from tests.harness.core_values import values
from timing.hand import Hand
from timing.machine import MachineStimulus

STIMULI: Codec[Stimulus] = Codec(Stimulus)
EFFECTS: Codec[tuple[Effect, ...]] = Codec(tuple[Effect, ...])
DEVICE = DeviceStamp("TL-7/3", timedelta(seconds=61), MILLISECOND)
PRESS = Interval(Moment(1_000), Moment(3_000), Quality.DEVICE, DEVICE)
FOUL = FoulSeen(
    id="t1-h4-f1",
    kind=FoulKind.LATE_PUNG,
    seat=Seat.FOUR,
    hand="t1-h4",
    measured=Elapsed(timedelta(microseconds=3_009_000), timedelta(microseconds=3_011_000)),
    limit=timedelta(seconds=3),
    rule="mcr-2014 art. 6",
    started=PRESS,
    ended=PRESS,
)
WRITTEN = [
    (
        STIMULI,
        Observed(DiscardPressed(Seat.TWO), PRESS, replayed=True),
        (
            '{"type":"Observed","event":{"type":"DiscardPressed","seat":2},"when":{"earliest":1000,'
            '"latest":3000,"quality":"device","stamp":{"clock":"TL-7/3","at":61000000,'
            '"resolution":1000}},"replayed":true}'
        ),
    ),
    (
        STIMULI,
        Observed(DiceRolled((3, 4)), Interval.exactly(Moment(7), Quality.POLLED)),
        (
            '{"type":"Observed","event":{"type":"DiceRolled","values":[3,4]},"when":{"earliest":7,'
            '"latest":7,"quality":"polled","stamp":null},"replayed":false}'
        ),
    ),
    (
        STIMULI,
        Ordered(Modify("t1-h4-f1", 2, points(10), "第二次"), "r-west"),
        (
            '{"type":"Ordered","command":{"type":"Modify","alert":"t1-h4-f1","revision":2,"sanction":'
            '{"kind":"points","points":10},"reason":"第二次"},"person":"r-west"}'
        ),
    ),
    (
        STIMULI,
        Ordered(SeatPlayers(BySeat("a", "b", "c", "d")), ""),
        (
            '{"type":"Ordered","command":{"type":"SeatPlayers","players":{"one":"a","two":"b",'
            '"three":"c","four":"d"}},"person":""}'
        ),
    ),
    (STIMULI, Woken(), '{"type":"Woken"}'),
    (
        EFFECTS,
        (
            RulingMade(
                Alert(
                    FOUL,
                    "p4",
                    1,
                    WARNING,
                    "mcr-2014 art. 11",
                    revision=3,
                    status=AlertStatus.CONFIRMED,
                    holder="r",
                    rulings=(Ruling("r", WARNING, ""),),
                )
            ),
        ),
        (
            '[{"type":"RulingMade","alert":{"foul":{"id":"t1-h4-f1","kind":"late-pung","seat":4,'
            '"hand":"t1-h4","measured":{"least":3009000,"most":3011000},"limit":3000000,'
            '"rule":"mcr-2014 art. 6","started":{"earliest":1000,"latest":3000,"quality":"device",'
            '"stamp":{"clock":"TL-7/3","at":61000000,"resolution":1000}},"ended":{"earliest":1000,'
            '"latest":3000,"quality":"device","stamp":{"clock":"TL-7/3","at":61000000,'
            '"resolution":1000}},"presumed":false},"player":"p4","step":1,"proposal":'
            '{"kind":"warning","points":0},"rule":"mcr-2014 art. 11","revision":3,'
            '"status":"confirmed","holder":"r","lease_ends":null,"rulings":[{"person":"r","sanction":'
            '{"kind":"warning","points":0},"reason":""}],"marked":false}}]'
        ),
    ),
]


@pytest.mark.parametrize(("codec", "value", "text"), WRITTEN)
def test_what_stands_in_older_journals_is_still_read(
    codec: Codec[Any], value: object, text: str
) -> None:
    assert codec.decode(text, "record 1") == value


def _classes(union: object) -> list[type]:
    return list(get_args(union))


@pytest.mark.parametrize("stimulus", _classes(Stimulus), ids=lambda kind: kind.__name__)
@settings(max_examples=30)
@given(drawn=st.data())
def test_every_stimulus_comes_back_as_it_was(stimulus: type, drawn: st.DataObject) -> None:
    value = drawn.draw(values(stimulus))
    assert STIMULI.decode(STIMULI.encode(value), "record 1") == value


@pytest.mark.parametrize("effect", _classes(Effect), ids=lambda kind: kind.__name__)
@settings(max_examples=10)
@given(drawn=st.data())
def test_every_effect_comes_back_as_it_was(effect: type, drawn: st.DataObject) -> None:
    value = (drawn.draw(values(effect)),)
    assert EFFECTS.decode(EFFECTS.encode(value), "record 1") == value


@pytest.mark.parametrize("kind", [Hand, TableMemory, DocketStimulus, MachineStimulus])
@settings(max_examples=30)
@given(drawn=st.data())
def test_whole_states_come_back_as_they_were(kind: object, drawn: st.DataObject) -> None:
    codec: Codec[object] = Codec(kind)
    value = drawn.draw(values(kind))
    assert codec.decode(codec.encode(value), "snapshot 1") == value


def test_alerts_keep_the_order_in_which_they_were_raised() -> None:
    codec = Codec[Docket](Docket)
    alert = Alert(FOUL, "p4", 1, WARNING, "mcr-2014 art. 11")
    docket = Docket(dict.fromkeys(("t1-h9-f1", "t1-h10-f1", "t1-h2-f1"), alert))
    assert list(codec.decode(codec.encode(docket), "snapshot 1").alerts) == list(docket.alerts)


def test_a_set_has_one_text_whatever_its_order() -> None:
    codec = Codec[frozenset[Fault]](frozenset[Fault])
    assert codec.encode(frozenset(Fault)) == codec.encode(frozenset(reversed(Fault)))


def test_fields_stand_in_their_order_behind_the_class() -> None:
    press = Observed(DiceRolled((3, 4)), Interval.exactly(Moment(7), Quality.POLLED))
    assert STIMULI.encode(press) == (
        '{"type":"Observed","event":{"type":"DiceRolled","values":[3,4]},"when":{"earliest":7,'
        '"latest":7,"quality":"polled","stamp":null},"replayed":false,"number":null}'
    )


def test_text_is_compact_and_keeps_chinese_readable() -> None:
    assert STIMULI.encode(LinkDown("断开")) == '{"type":"LinkDown","cause":"断开"}'


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"TileSwallowed","seat":2}',
        '{"seat":2}',
        '{"type":"LinkDown"}',
        '{"type":"LinkDown","cause":"x","more":1}',
        '{"type":"Observed","event":{"type":"DiscardPressed","seat":5},"when":null}',
        '{"type":"LinkDown","cause":"x"',
        "[1]",
        "null",
    ],
)
def test_what_this_version_cannot_read_is_named_with_its_place(text: str) -> None:
    with pytest.raises(JournalError, match="record 17 of table t1"):
        STIMULI.decode(text, "record 17 of table t1")


@given(plain=st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=5))
def test_foreign_json_is_an_error_of_the_journal_and_nothing_else(plain: object) -> None:
    with pytest.raises(JournalError):
        STIMULI.decode(json.dumps(plain), "record 17")
