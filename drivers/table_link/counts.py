"""What the wire did to a connection so far."""

from dataclasses import dataclass


@dataclass(slots=True)
class Counts:
    """Counters of one connection; `drivers.port.LinkHealth` says what each means."""

    damaged: int = 0
    replayed: int = 0
    duplicates: int = 0
    lost: int = 0
    bounces: int = 0
    unknown: int = 0
