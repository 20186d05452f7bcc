"""Tries with real messages what each user of the broker may do; nothing of it is retained."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress

from pydantic import ValidationError

from controller.doctor_callers import Caller
from controller.doctor_findings import Finding, failed, ok, warning
from controller.doctor_trials import VERSION_TOPIC, Judgement, Observed, Ward
from mqtt.access import EVERYTHING, Role
from mqtt.messages import Delivery, Message
from mqtt.payloads import NodeAvailability

CHECK = "access"
BEAT_SECONDS = 2.5
"""Within this time a node that is at work is heard."""
REWRITE = "tablewarden init broker DIR --renew access, then systemctl reload mosquitto"
_POLL_SECONDS = 0.05
_WITNESSES = (Role.ADMIN, Role.BOARD, Role.REFEREE)


class AccessTrial:
    """All users try everything, one after the other, while all look on.

    Args:
        ward: the users, and the id under which they are tried.
        callers: those of them who are logged in, at least one.
    """

    def __init__(self, ward: Ward, callers: Sequence[Caller]) -> None:
        self._ward = ward
        self._callers = callers
        self._observed = Observed(tells=callers[0].login.line.protocol == "5")
        officials = (one for one in callers if one.login.holder.role in _WITNESSES)
        self._witness = next(officials, callers[0])

    async def findings(self) -> list[Finding]:
        """Try, and say what was found of each user.

        Raises:
            BrokerError: the broker broke off.
        """
        await self._look_on()
        for caller in self._callers:
            await self._attempt(caller)
        for caller in self._callers:
            await caller.catch_up()
            self._remember(caller)
        await self._hear_nodes()
        for caller in self._callers:
            for topic in self._ward.echoes():
                await self._say_again(caller, topic)
        return [*self._judged(), *self._missing_roles(), *self._quiet_nodes()]

    async def _look_on(self) -> None:
        await self._witness.subscribe(*self._ward.echoes(), retained=True)
        for caller in self._callers:
            everything = f"{self._ward.root.path}/{EVERYTHING}"
            await caller.subscribe(everything, f"{self._ward.mark}/{EVERYTHING}")
            await caller.subscribe(VERSION_TOPIC, retained=True)

    async def _attempt(self, caller: Caller) -> None:
        payload = caller.name.encode()
        topics = self._ward.attempts(caller.name)
        refused = await caller.send(Message(topic, payload) for topic in topics)
        self._observed.refused |= {(caller.name, topic) for topic in refused}

    def _remember(self, caller: Caller) -> None:
        writers = {one.name for one in self._callers}
        for delivery in caller.seen:
            writer = delivery.payload.decode("utf-8", "replace")
            if delivery.topic == VERSION_TOPIC:
                self._observed.figures.add(caller.name)
            elif self._ward.mark in delivery.topic and writer in writers:
                self._observed.seen.add((caller.name, writer, delivery.topic))

    async def _hear_nodes(self) -> None:
        """Wait until every real node has been heard, or would have been."""
        for _ in range(int(BEAT_SECONDS / _POLL_SECONDS)):
            if all(self._said(topic) for topic in self._ward.echoes()):
                return
            await asyncio.sleep(_POLL_SECONDS)

    def _said(self, topic: str) -> Delivery | None:
        """Return what a node said last on a topic; an empty message says nothing."""
        said = [one for one in self._witness.seen if one.topic == topic and one.payload]
        return said[-1] if said else None

    async def _say_again(self, caller: Caller, topic: str) -> None:
        if (said := self._said(topic)) is None:
            return
        before = len(self._witness.seen)
        refused = await caller.send([Message(topic, said.payload)])
        await self._witness.catch_up()
        heard = self._witness.seen[before:]
        again = any((one.topic, one.payload) == (topic, said.payload) for one in heard)
        accepted = self._observed.tells and not refused
        self._observed.echoed[caller.name, topic] = again or accepted

    def _judged(self) -> Iterator[Finding]:
        roles = {holder.login: holder.role for holder in self._ward.holders}
        for login, opinion in Judgement(self._ward, self._observed).opinions().items():
            sentence = f"{login} ({roles[login]}): {opinion.sentence()}"
            yield failed(CHECK, sentence, REWRITE) if opinion.wrong else ok(CHECK, sentence)

    def _missing_roles(self) -> Iterator[Finding]:
        there = {holder.role for holder in self._ward.holders}
        for role in Role:
            if role not in there:
                yield ok(CHECK, f"nobody of role {role} was there to try")

    def _quiet_nodes(self) -> Iterator[Finding]:
        for node in self._ward.nodes:
            topics = self._ward.echoes_of(node)
            silent = [topic for topic in topics if self._said(topic) is None]
            if silent and (len(silent) == len(topics) or self._has_left(node)):
                sentence = f"node {node} is not at work, so its own topics were left alone"
                yield warning(CHECK, sentence, "start its daemon and ask again")
            elif silent:
                sentence = f"node {node} is there, but nothing comes on {', '.join(silent)}"
                advice = f"start its daemon; if it runs, it may not write there: {REWRITE}"
                yield failed(CHECK, sentence, advice)

    def _has_left(self, node: str) -> bool:
        said = self._said(self._ward.root.node_availability(node))
        if said is None:
            return False
        with suppress(ValidationError):
            presence = NodeAvailability.model_validate_json(said.payload)
            return presence.status != "online"
        return False
