from hypothesis import given
from hypothesis import strategies as st

from controller.venue_views import standings
from mqtt.payloads_of_rulings import LedgerPayload
from tests.mqtt.speaking import NOON

PLAYERS = st.sampled_from(["chen", "li", "wu"])
TOTALS = st.dictionaries(PLAYERS, st.integers(-200, 200))


@given(st.lists(TOTALS, max_size=5))
def test_no_point_is_lost_or_made(totals: list[dict[str, int]]) -> None:
    ledgers = [
        LedgerPayload(table=f"t{number}", seq=1, time=NOON, totals=one)
        for number, one in enumerate(totals)
    ]
    told = standings("n1", NOON, ledgers)
    assert sum(one.points for one in told.players) == sum(sum(one.values()) for one in totals)
    points = [(-one.points, one.player) for one in told.players]
    assert points == sorted(points)
    for one in told.players:
        named = [f"t{number}" for number, each in enumerate(totals) if one.player in each]
        assert list(one.tables) == named
