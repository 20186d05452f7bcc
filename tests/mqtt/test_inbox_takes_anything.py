import json

from hypothesis import given
from hypothesis import strategies as st

from mqtt.certificate_orders import CERTIFICATE_VERBS, CertificateOrder
from mqtt.inbox import Rejection, Request, read_request
from mqtt.inquiries import QUESTIONS, Inquiry
from mqtt.messages import Delivery
from mqtt.pad_orders import PAD_VERBS, PadOrder
from mqtt.reply_codes import ReplyCode
from mqtt.venue_orders import VENUE_VERBS, VenueOrder
from mqtt.verbs import VERBS
from table.answers import Code
from tests.mqtt.sample_orders import ARGUMENTS, REPLY, ROOT, SEEN

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
near_orders = st.fixed_dictionaries(
    {},
    optional={
        "id": st.sampled_from(["c1", "c2", "", "C"]) | json_values,
        "person": st.just("li") | json_values,
        "precondition": st.sampled_from([*SEEN.values(), {}]) | json_values,
        "arguments": st.sampled_from([*ARGUMENTS.values(), {}]) | json_values,
        "more": json_values,
    },
)
payloads = st.binary(max_size=64) | near_orders.map(lambda content: json.dumps(content).encode())
topics = st.text(max_size=30) | st.sampled_from(
    [
        *(ROOT.table_command("board", "t1", verb) for verb in (*VERBS, *PAD_VERBS)),
        *(ROOT.node_command("board", "n1", verb) for verb in CERTIFICATE_VERBS),
        ROOT.venue_command("b", "x"),
        ROOT.venue_command("board", "forget-node"),
    ]
)
deliveries = st.builds(
    Delivery,
    topics,
    payloads,
    st.booleans(),
    st.none() | st.integers(0, 10),
    st.none() | st.just(REPLY) | st.text(max_size=30),
)


@given(deliveries)
def test_whatever_arrives_has_an_answer(message: Delivery) -> None:
    match read_request(ROOT, message):
        case Request() as request:
            assert request.verb in VERBS
            assert not message.retained
            assert request.reply_topic.startswith(f"{ROOT.path}/reply/{request.login}/")
        case Inquiry() | VenueOrder() | CertificateOrder() | PadOrder() as asked:
            assert asked.verb in {*QUESTIONS, *VENUE_VERBS, *CERTIFICATE_VERBS, *PAD_VERBS}
            assert asked.reply_topic.startswith(f"{ROOT.path}/reply/{asked.login}/")
        case Rejection() as rejection:
            assert rejection.code in {*ReplyCode, *Code}
            assert rejection.reason
            login = f"{ROOT.path}/reply/{rejection.login}/"
            assert rejection.reply_topic is None or rejection.reply_topic.startswith(login)
        case None:
            cleared = message.retained and not message.payload
            ours = {ROOT.table_command("board", "t1", verb) for verb in VERBS}
            assert cleared or message.topic not in ours
