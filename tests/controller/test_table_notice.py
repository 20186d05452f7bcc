"""What staff are told of the state of a wire at a slow beat."""

from dataclasses import replace
from datetime import timedelta

from drivers.port import LinkHealth, Pace
from tests.controller.plugged_table import SECOND, Plug, wired


async def test_damage_on_the_wire_is_told_until_a_look_finds_none() -> None:
    async with wired() as table:
        plug = await table.plug_in(Plug(health=LinkHealth(damaged_frames=2)))
        table.wire.look()
        assert table.staff_see() == ("online", ())
        plug.health = LinkHealth(
            damaged_frames=5, resent_commands=1, lost_events=4, unknown=2, replayed_events=9
        )
        table.wire.look()
        assert table.staff_see() == (
            "degraded",
            (
                "3 frames arrived damaged",
                "1 commands had to be sent again",
                "4 events were lost",
                "2 messages named what nobody knows",
            ),
        )
        await table.clock.advance(SECOND)
        table.wire.look()
        assert table.staff_see() == ("online", ())
        assert table.availability.last_contact == table.clock.utc()


async def test_a_sound_wire_is_no_news() -> None:
    async with wired() as table:
        await table.plug_in()
        said = table.availability
        table.wire.look()
        assert table.availability is said


async def test_how_closely_seats_are_watched_is_told_once_measured_and_when_it_changed() -> None:
    async with wired() as table:
        ms = timedelta(milliseconds=1)
        plug = await table.plug_in()
        told = []
        for width in (0, 24, 25, 28, 27):
            pace = Pace(20 * ms, 20 * ms if width else 0 * ms, width * ms, 30 * ms)
            plug.health = replace(plug.health, pace=pace)
            table.wire.look()
            told.append(table.meta.pace.width_us if table.meta.pace else None)
        assert told == [None, 24_000, 24_000, 28_000, 28_000]
        assert table.meta.pace
        assert (table.meta.pace.wanted_us, table.meta.pace.achieved_us) == (20_000, 20_000)


async def test_a_look_at_a_table_that_is_away_says_nothing() -> None:
    async with wired() as table:
        said = table.availability
        table.wire.look()
        assert table.availability is said


async def test_damage_of_the_connection_before_is_not_counted_again() -> None:
    async with wired() as table:
        plug = await table.plug_in()
        plug.health = replace(plug.health, damaged_frames=50)
        table.wire.look()
        await table.pull()
        await table.plug_in()
        table.wire.look()
        assert table.staff_see() == ("online", ())
