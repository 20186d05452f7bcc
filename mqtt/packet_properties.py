"""What only MQTT 5 packets carry, as paho wants it; a part of the door to aiomqtt."""

from functools import lru_cache

from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from mqtt.messages import Subscription

_LARGEST_PACKET = 256 * 1024


def connect_properties(session_seconds: int | None) -> Properties:
    """Properties of a CONNECT whose session outlives the connection for so long.

    Brokers that keep to the letter end a session, and publish its will, at its expiry; so it must
    last as long as the will is delayed.
    """
    return _properties(
        PacketTypes.CONNECT,
        SessionExpiryInterval=session_seconds,
        MaximumPacketSize=_LARGEST_PACKET,
    )


def will_properties(delay_seconds: int) -> Properties:
    """Properties of a last will that the broker holds back for a while."""
    return _properties(PacketTypes.WILLMESSAGE, WillDelayInterval=delay_seconds)


class _Packed(Properties):
    """Properties that are packed once and sent often."""

    def __init__(self, properties: Properties) -> None:
        super().__init__(properties.packetType)  # type: ignore[no-untyped-call]
        self.__dict__["packed"] = properties.pack()  # type: ignore[no-untyped-call]

    def pack(self) -> bytes:
        packed: bytes = self.__dict__["packed"]
        return packed


@lru_cache(maxsize=64)
def publish_properties(
    expiry_seconds: int | None, response_topic: str | None, content_type: str | None
) -> Properties | None:
    """Properties of a PUBLISH, or None where it has none."""
    # Making and packing them costs paho as much as the rest of a publish, and many share theirs.
    if expiry_seconds is None and response_topic is None and content_type is None:
        return None
    return _Packed(
        _properties(
            PacketTypes.PUBLISH,
            MessageExpiryInterval=expiry_seconds,
            ResponseTopic=response_topic,
            ContentType=content_type,
        )
    )


def subscribe_options(wanted: Subscription) -> SubscribeOptions:
    """Options of a SUBSCRIBE."""
    handling = (
        SubscribeOptions.RETAIN_SEND_ON_SUBSCRIBE
        if wanted.retained
        else SubscribeOptions.RETAIN_DO_NOT_SEND
    )
    return SubscribeOptions(
        qos=wanted.qos,
        noLocal=not wanted.echo,
        retainAsPublished=wanted.flag_retained,
        retainHandling=handling,
    )


def _properties(packet: int, **wanted: str | int | None) -> Properties:
    properties = Properties(packet)  # type: ignore[no-untyped-call] # paho leaves it untyped
    for name, value in wanted.items():
        if value is not None:
            setattr(properties, name, value)
    return properties
