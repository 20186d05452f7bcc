"""How far the writes of an order have come, and how it ends."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Self

from drivers.modbus.master_answers import Answer as Exchanged
from drivers.modbus.master_answers import Refused, Replied, Unanswered
from drivers.modbus.pulse_steps import Step, Steps
from drivers.port import Answer, Outcome
from table.moment import ZERO

MAY_HAVE_BEGUN = frozenset({0x04, 0x05, 0x08, 0x0B})
"""Exceptions after which nobody knows: it failed half-way, it is still at it, the gateway waited.

Modbus Application Protocol Specification V1.1b3, section 7.
"""
NEVER = frozenset({0x01, 0x02, 0x03})
"""Exceptions that a request meets each time: function, address or value are unknown."""


@dataclass(frozen=True, slots=True)
class Run:
    """The writes of one order to one module; whoever sends them asks what is `due`."""

    steps: Steps
    place: int = 0
    verdict: Answer | None = None
    """How it ends, as soon as that is known; what must still be switched off still is."""
    tries: int = 0
    """How often the step that is due went out in vain; `until_answered` knows no last time."""

    @property
    def due(self) -> Step | None:
        """The write to send next; None when nothing is left to do."""
        following = self.steps.steps[self.place :]
        if self.verdict is None:
            return next(iter(following), None)
        return next((step for step in following if step.until_answered), None)

    @property
    def wait(self) -> timedelta:
        """How long to wait before it is sent; what was sent in vain goes out again at once."""
        return self.due.after if self.due and not self.tries else ZERO

    @property
    def answer(self) -> Answer:
        """How it ended, once nothing is due."""
        return self.verdict or Answer(Outcome.DONE)

    def heard(self, reply: Exchanged) -> Self:
        """Take what came of the step that was due.

        A step that may have started something is never due again, whatever came of it.
        """
        step = self.due
        if step is None:
            return self
        if step.until_answered and not _final(reply):
            return replace(self, tries=self.tries + 1)
        after = replace(self, place=self.steps.steps.index(step, self.place) + 1, tries=0)
        if isinstance(reply, Replied):
            return after
        if step.starts and _may_have_begun(reply):
            return replace(after, verdict=Answer(Outcome.UNCERTAIN, reply.reason))
        if step.until_answered:
            return replace(after, verdict=Answer(Outcome.FAILED, reply.reason))
        nothing = Answer(Outcome.REFUSED, f"nothing was started: {reply.reason}")
        return replace(after, place=len(self.steps.steps), verdict=nothing)

    def stopped(self) -> Self:
        """Take that everything is to stop: nothing more is started, what may be on is switched off.

        An order whose first writes are under way would else start a motor after the stop.
        """
        if self.due is None or self.verdict is not None:
            return self
        begun = any(step.starts for step in self.steps.steps[: self.place])
        place = self.place if begun else len(self.steps.steps)
        return replace(self, place=place, verdict=Answer(Outcome.FAILED, "stopped"), tries=0)

    def seen_on(self) -> Self:
        """Take that the pulse was seen while it lasted: it is certain then."""
        if self.verdict is None or self.verdict.outcome is not Outcome.UNCERTAIN:
            return self
        return replace(self, verdict=Answer(Outcome.DONE))


def _final(reply: Exchanged) -> bool:
    """Say whether asking again could bring nothing else."""
    return isinstance(reply, Replied) or (isinstance(reply, Refused) and reply.code in NEVER)


def _may_have_begun(reply: Refused | Unanswered) -> bool:
    return isinstance(reply, Unanswered) or reply.code in MAY_HAVE_BEGUN
