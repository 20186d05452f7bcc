"""Codes of a reply that the core does not know; the core's own are in `table.answers`."""

from enum import StrEnum


class ReplyCode(StrEnum):
    """Why a command was not carried out, before or beside the core."""

    INVALID_PAYLOAD = "invalid-payload"
    """No JSON, a key missing or unknown, or a value of the wrong type."""
    TOO_LARGE = "too-large"
    """The payload is longer than 16 KiB."""
    UNKNOWN_VERB = "unknown-verb"
    """No verb of that name for tables; nodes and the venue take no commands so far."""
    UNKNOWN_TABLE = "unknown-table"
    """No node has a table of that name."""
    RETAINED = "retained"
    """Commands must not be retained: they would be carried out again after a restart."""
    EXPIRY_TOO_LONG = "expiry-too-long"
    """The message expiry is more than 5 s."""
    EXPIRED = "expired"
    """The message expiry passed before the command could be carried out."""
    PRECONDITION_MISSING = "precondition-missing"
    """The verb needs a precondition, always or because the message has no expiry."""
    REPLY_TOPIC_REFUSED = "reply-topic-refused"
    """The response topic is not below `reply/` and the sender's own login."""
    NOT_CONNECTED = "not-connected"
    """The cable to the table is down."""
    TABLE_REFUSED = "table-refused"
    """The table itself said no; nothing moved."""
    UNCERTAIN = "uncertain"
    """The table did not answer: it may or may not have happened. Look before trying again."""
    NOT_RECORDED = "not-recorded"
    """The journal cannot be written, and what is not recorded is not carried out."""
