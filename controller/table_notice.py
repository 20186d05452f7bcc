"""What staff are told of a table's wire: what the table is, and whether it can be reached."""

from collections.abc import Callable
from datetime import datetime

from controller.node import Node
from controller.table_certificate import Standing
from drivers.port import Identity, LinkHealth, Pace, TableLink
from mqtt.payloads import Availability, PaceFields, TableAvailability, TableMeta
from table.moment import MICROSECOND
from table.seat import BySeat

NEWS = 8
"""A pace that changed by less than one of so many parts is the same. House choice: else each look
would be told."""


class TableNotice:
    """Keeps the retained topics about a table's wire true.

    Args:
        node: what all tables share.
        meta: what is known of the table before it was ever connected.
    """

    def __init__(self, node: Node, meta: TableMeta) -> None:
        self._node = node
        self._meta = meta
        self._contact: datetime | None = None
        self._health = LinkHealth()
        self._degraded = False
        self.identified: Callable[[Identity], None] = lambda _: None
        """Told who the table says it is, before anything else that it says."""

    def seat(self, players: BySeat[str]) -> None:
        """Publish who sits at the table from now on."""
        seated = {"time": self._node.clock.utc(), "players": dict(players.items())}
        self._meta = self._meta.model_copy(update=seated)
        self._node.press.retain(self._node.root.table_meta(self._meta.table), self._meta)

    def certify(self, stands: Standing) -> None:
        """Publish how the table stands with its certificate."""
        certified = {
            "time": self._node.clock.utc(),
            "certificate_status": stands.status,
            "certificate_until": stands.valid_until,
            "certificate_notice": stands.notice,
        }
        self._meta = self._meta.model_copy(update=certified)
        self._node.press.retain(self._node.root.table_meta(self._meta.table), self._meta)

    def connected(self, link: TableLink) -> None:
        """Publish who answered and that the table is there."""
        self._health = link.health
        identity = link.identity
        self._meta = self._meta.model_copy(
            update={
                "time": self._node.clock.utc(),
                "vendor": identity.vendor,
                "model": identity.model,
                "serial": identity.serial,
                "firmware": identity.firmware,
                "certificate": identity.certificate,
                "capabilities": {str(one): str(how) for one, how in link.capabilities.items()},
                "resolution_us": link.resolution // MICROSECOND,
                "pace": None,
            }
        )
        self._node.press.retain(self._node.root.table_meta(self._meta.table), self._meta)
        self._tell("online")
        self.identified(identity)

    def lost(self, cause: str) -> None:
        """Publish that the table cannot be reached, and why."""
        self._node.press.retain(self._node.root.table_meta(self._meta.table), self._meta)
        self._tell("offline", cause)

    def look(self, link: TableLink) -> None:
        """Publish what the wire did since the last look; called at a slow beat."""
        causes = (*_damage(self._health, link.health), *link.health.lacks)
        self._health = link.health
        self._measure(link)
        if causes or self._degraded:
            self._tell("degraded" if causes else "online", *causes)

    def _measure(self, link: TableLink) -> None:
        """Publish how closely the seats are watched, once it is measured and when it is news."""
        found = None if link.health.pace is None else _pace(link.health.pace)
        if found is None or not _differs(self._meta.pace, found):
            return
        measured = {
            "time": self._node.clock.utc(),
            "resolution_us": link.resolution // MICROSECOND,
            "pace": found,
        }
        self._meta = self._meta.model_copy(update=measured)
        self._node.press.retain(self._node.root.table_meta(self._meta.table), self._meta)

    def _tell(self, status: Availability, *causes: str) -> None:
        self._degraded = status == "degraded"
        now = self._node.clock.utc()
        if status != "offline":
            self._contact = now
        said = TableAvailability(
            table=self._meta.table,
            status=status,
            causes=causes,
            last_contact=self._contact,
            time=now,
        )
        self._node.press.retain(self._node.root.table_availability(said.table), said)


def _damage(before: LinkHealth, now: LinkHealth) -> tuple[str, ...]:
    """Say in sentences what the wire did between two looks."""
    counted = (
        (now.damaged_frames - before.damaged_frames, "frames arrived damaged"),
        (now.resent_commands - before.resent_commands, "commands had to be sent again"),
        (now.lost_events - before.lost_events, "events were lost"),
        (now.unknown - before.unknown, "messages named what nobody knows"),
    )
    return tuple(f"{count} {what}" for count, what in counted if count > 0)


def _pace(pace: Pace) -> PaceFields:
    return PaceFields(
        wanted_us=pace.wanted // MICROSECOND,
        achieved_us=pace.achieved // MICROSECOND,
        width_us=pace.width // MICROSECOND,
        widest_us=pace.widest // MICROSECOND,
    )


def _differs(told: PaceFields | None, found: PaceFields) -> bool:
    """Say whether a pace was measured and is not nearly what was told."""
    if told is None:
        return found.width_us > 0
    pairs = ((told.width_us, found.width_us), (told.achieved_us, found.achieved_us))
    return any(abs(before - now) * NEWS > before for before, now in pairs)
