"""The whole error tree, split by who must act.

TablewardenError
├── LinkError            the table loop: reconnects and tells staff
│   ├── LinkUnavailable  the port is absent, busy or refused
│   ├── LinkLost         the wire or the device went away
│   └── NoAnswer         a command was not answered in time
├── FrameError           nobody: damage on the wire, counted, frame dropped
├── CommandRefused       the sender: gets a reply with a code and a reason
├── BrokerError          the publisher: keeps the outbox and reconnects
│   └── SpokenForError   staff: another daemon bears this node's name
├── JournalError         staff: disk full, read-only or damaged; tables play on
├── SettingsError        who wrote the configuration: printed, exit code 78
├── ScriptError          who wrote the rehearsal: printed with its line number
├── SetupError           who sets a venue up: printed, and nothing was written
└── ExportError          who had the contract written out: printed, exit code 1
"""


class TablewardenError(Exception):
    """Anything that goes wrong outside the program; every other exception is a bug."""


class LinkError(TablewardenError):
    """The table cannot be reached."""


class LinkUnavailable(LinkError):
    """The port is absent, busy or refused."""


class LinkLost(LinkError):
    """The wire or the device went away."""


class NoAnswer(LinkError):
    """A command was not answered in time."""


class FrameError(TablewardenError):
    """Bytes that are no frame."""


class CommandRefused(TablewardenError):
    """A command that must not be carried out.

    `code` is one of the reply codes of docs/contract.md, `str(error)` the reason in a sentence.
    """

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class BrokerError(TablewardenError):
    """The broker is away or refused us."""


class SpokenForError(BrokerError):
    """Another daemon speaks under this node's name; who was thrown out must not fight for it."""


class JournalError(TablewardenError):
    """The journal cannot be written or read."""


class SettingsError(TablewardenError):
    """The configuration is wrong; the message names file, key, value and what is allowed."""


class ScriptError(TablewardenError):
    """A rehearsal file is wrong; the message names the line and what is allowed there."""


class SetupError(TablewardenError):
    """What `init` is asked for cannot be; the message says what is in the way."""


class ExportError(TablewardenError):
    """Files cannot be written where they were asked for; the message names the place."""
