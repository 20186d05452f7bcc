"""Whether a table may be played and its motors may run: its certificate decides."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Arming:
    """From now on the table is armed, or is not; a hand that is played goes on either way."""

    reason: str = ""
    """Why no hand begins and no motor runs; empty where the table is armed."""


@dataclass(frozen=True, slots=True)
class TableArmed:
    """Hands may begin again, and motors may run."""


@dataclass(frozen=True, slots=True)
class TableDisarmed:
    """No hand begins and no motor runs until the certificate is put right; play goes on."""

    reason: str
