"""What a line to the broker is made with, and what goes over it; pure."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

Protocol: TypeAlias = Literal["5", "3.1.1"]


@dataclass(frozen=True, slots=True)
class LineSettings:
    """How to reach the broker, and as whom."""

    host: str
    port: int
    client_id: str
    """One connection at a time may bear it; the broker drops the older."""
    login: str = ""
    password: str = field(default="", repr=False)
    tls_ca_file: Path | None = None
    """Certificate authority of the broker; None: no TLS."""
    tls_certificate_file: Path | None = None
    """Our own certificate, for a broker that asks for one."""
    tls_key_file: Path | None = None
    """The private key of our own certificate, not encrypted."""
    protocol: Protocol = "5"
    keepalive_seconds: int = 5
    answer_seconds: float = 3.0
    """A broker that acknowledges nothing for so long is taken for dead (house choice)."""

    def __post_init__(self) -> None:
        """Refuse half a proof of who we are, and one that would never be shown."""
        if (self.tls_certificate_file is None) is not (self.tls_key_file is None):
            message = "a certificate and its key are given together or not at all"
            raise ValueError(message)
        if self.tls_certificate_file is not None and self.tls_ca_file is None:
            message = "without a certificate authority there is no TLS to show a certificate in"
            raise ValueError(message)


@dataclass(frozen=True, slots=True)
class LastWill:
    """What the broker publishes, retained, when this line breaks."""

    topic: str
    payload: bytes
    delay_seconds: int = 5
    """A line restored within this time leaves no trace; MQTT 5 only."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message to publish."""

    topic: str
    payload: bytes = b""
    qos: Literal[0, 1] = 1
    retain: bool = False
    expiry_seconds: int | None = None
    """MQTT 5 only: not delivered later than this."""
    response_topic: str | None = None
    """MQTT 5 only."""
    content_type: str | None = None
    """MQTT 5 only."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message that arrived."""

    topic: str
    payload: bytes
    retained: bool
    expiry_seconds: int | None = None
    response_topic: str | None = None


@dataclass(frozen=True, slots=True)
class Subscription:
    """A topic filter, and what of the retained messages it is to bring."""

    topic_filter: str
    qos: Literal[0, 1] = 1
    retained: bool = True
    """Whether the broker sends what it retained; MQTT 5 only, 3.1.1 always does."""
    flag_retained: bool = False
    """Whether a message keeps its retain flag when it passes live; MQTT 5 only."""
    echo: bool = True
    """Whether our own messages come back; MQTT 5 only, in 3.1.1 they always do."""
