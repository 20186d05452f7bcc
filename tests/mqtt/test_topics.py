import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqtt.topics import TRIAL, Address, Root, TopicKind, is_id

ROOT = Root("mahjong", "hall")
ids = st.from_regex(r"(?!-trial-)[a-z0-9-]{1,64}", fullmatch=True)


def topic_of(kind: TopicKind, levels: dict[str, str]) -> str:
    return f"{ROOT.path}/{kind.format(**levels)}"


@given(
    st.sampled_from(TopicKind),
    st.fixed_dictionaries({"node": ids, "table": ids, "login": ids, "name": ids}),
)
def test_every_topic_is_read_back_as_it_was_built(kind: TopicKind, levels: dict[str, str]) -> None:
    named = {name: value for name, value in levels.items() if f"{{{name}}}" in kind}
    assert ROOT.parse(topic_of(kind, levels)) == Address(kind, **named)


def test_each_topic_has_the_name_the_contract_gives_it() -> None:
    assert [
        ROOT.node_availability("n1"),
        ROOT.heartbeat("n1"),
        ROOT.node_meta("n1"),
        ROOT.table_meta("t1"),
        ROOT.table_availability("t1"),
        ROOT.state("t1"),
        ROOT.timers("t1"),
        ROOT.ledger("t1"),
        ROOT.venue_state("session"),
        ROOT.event("t1", "discarded"),
        ROOT.alert("t1", "t1-3-1"),
        ROOT.table_command("board", "t1", "pause"),
        ROOT.node_command("board", "n1", "reload"),
        ROOT.venue_command("board", "close"),
        ROOT.reply("board", "c1"),
    ] == [
        "mahjong/1/hall/avail/node/n1",
        "mahjong/1/hall/hb/node/n1",
        "mahjong/1/hall/meta/node/n1",
        "mahjong/1/hall/meta/table/t1",
        "mahjong/1/hall/avail/table/t1",
        "mahjong/1/hall/state/table/t1",
        "mahjong/1/hall/state/table/t1/timers",
        "mahjong/1/hall/ledger/table/t1",
        "mahjong/1/hall/state/venue/session",
        "mahjong/1/hall/event/table/t1/discarded",
        "mahjong/1/hall/alert/table/t1/t1-3-1",
        "mahjong/1/hall/cmd/board/table/t1/pause",
        "mahjong/1/hall/cmd/board/node/n1/reload",
        "mahjong/1/hall/cmd/board/venue/close",
        "mahjong/1/hall/reply/board/c1",
    ]


@pytest.mark.parametrize("kind", TopicKind)
def test_what_is_sent_on_trial_names_nothing(kind: TopicKind) -> None:
    levels = {"node": "n1", "table": "t1", "login": "board", "name": "x"}
    assert ROOT.parse(topic_of(kind, levels))
    for level in ("node", "table", "name"):
        if f"{{{level}}}" in kind:
            assert ROOT.parse(topic_of(kind, levels | {level: f"{TRIAL}7f"})) is None


@given(st.text())
def test_any_text_is_a_topic_of_the_contract_or_none(text: str) -> None:
    for topic in (text, f"{ROOT.path}/{text}"):
        address = ROOT.parse(topic)
        if address is not None:
            assert topic_of(address.kind, vars_of(address)) == topic


def vars_of(address: Address) -> dict[str, str]:
    levels = ("node", "table", "login", "name")
    return {level: getattr(address, level) for level in levels}


@pytest.mark.parametrize("bad", ["", "T1", "t 1", "t/1", "t1+", "#", "ä", "t1\n", "x" * 65])
def test_a_name_that_would_break_a_topic_is_refused(bad: str) -> None:
    assert not is_id(bad)
    with pytest.raises(ValueError, match="only a-z, 0-9 and hyphen"):
        ROOT.state(bad)
    with pytest.raises(ValueError, match="only a-z, 0-9 and hyphen"):
        Root("mahjong", bad)
    with pytest.raises(ValueError, match="only a-z, 0-9 and hyphen"):
        ROOT.every(TopicKind.STATE, table=bad)


@pytest.mark.parametrize("bad", ["", "/", "Club", "club/", "/club", "a/b/c/d/e", "club/+"])
def test_a_prefix_that_would_break_a_topic_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="topic prefix"):
        Root(bad, "hall")


def test_a_prefix_may_have_levels() -> None:
    assert Root("club/mahjong", "hall").state("t1") == "club/mahjong/1/hall/state/table/t1"


def test_a_filter_matches_what_is_not_named() -> None:
    assert ROOT.every(TopicKind.TABLE_COMMAND) == "mahjong/1/hall/cmd/+/table/+/+"
    assert ROOT.every(TopicKind.ALERT, table="t1") == "mahjong/1/hall/alert/table/t1/+"


def test_another_venue_and_another_version_are_not_ours() -> None:
    assert ROOT.parse("mahjong/1/hall-2/state/table/t1") is None
    assert ROOT.parse("mahjong/2/hall/state/table/t1") is None
