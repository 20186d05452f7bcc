"""What the doctor asks of the broker itself: is it safe, is it new enough, what does it keep?"""

import asyncio
import re
import ssl
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from secrets import token_urlsafe

from controller.certificates import WARNED_BEFORE, ends_of, ends_of_pem
from controller.doctor_callers import Caller
from controller.doctor_findings import Finding, failed, ok, warning
from controller.doctor_trials import VERSION_TOPIC, Ward
from mqtt.access import Role
from mqtt.broker_line import connect, tls_context
from mqtt.messages import LineSettings, Message
from mqtt.slow_subscriber import slow_subscriber
from table.errors import BrokerError

OLDEST = (2, 0, 11)
"""What Debian 12 has, and what everything is tried with."""
PROBE = 1_200
"""Messages that wait for a slow subscriber here; mosquitto's own limit is 1,000."""
RENEW = "tablewarden init broker DIR --renew certificates, then restart mosquitto"
_PATIENCE_SECONDS = 1.0
_RETAIN = "retain_available true in mosquitto.conf, then restart mosquitto"
_RESTART = "compare its mosquitto.conf with one that `tablewarden init broker` writes"


async def strangers(line: LineSettings) -> list[Finding]:
    """Make sure that a password is needed, and is checked."""
    nobody = replace(line, login="", password="", client_id=f"{line.client_id}-nobody")
    guess = replace(line, password=token_urlsafe(), client_id=f"{line.client_id}-guess")
    found = [_turned_away(await _lets_in(nobody), "nobody gets in without a login", "without one")]
    if line.login:
        found.append(
            _turned_away(
                await _lets_in(guess), "a wrong password is refused", "with a wrong password"
            )
        )
    return found


async def _lets_in(line: LineSettings) -> bool:
    with suppress(BrokerError):
        async with connect(line):
            return True
    return False


def _turned_away(let_in: bool, good: str, how: str) -> Finding:  # noqa: FBT001 - read beside its call
    if let_in:
        advice = "allow_anonymous false and password_file in mosquitto.conf, then restart mosquitto"
        return failed("strangers", f"the broker lets somebody in {how}", advice)
    return ok("strangers", good)


async def certificates(line: LineSettings, files: Sequence[Path], now: datetime) -> list[Finding]:
    """Say until when the broker's certificate, and those in files, are good."""
    shown = await _shown(line)
    if shown is None:
        return [ok("TLS", f"none to {line.host}, which nobody outside this machine can listen to")]
    found = [_lasting("the broker's certificate", shown, now)]
    for file in files:
        try:
            ends = ends_of_pem(await asyncio.to_thread(file.read_bytes))
        except (OSError, ValueError) as error:
            found.append(failed("TLS", f"{file} cannot be read: {error}", "copy it anew"))
        else:
            found.append(_lasting(str(file), ends, now))
    return found


async def _shown(line: LineSettings) -> datetime | None:
    """Return until when the certificate that the broker shows is good, None without TLS."""
    try:
        context = await asyncio.to_thread(tls_context, line)
        async with asyncio.timeout(line.answer_seconds):
            _, writer = await asyncio.open_connection(line.host, line.port, ssl=context)
    except (OSError, TimeoutError) as error:
        reason = str(error) or "no answer in time"
        message = f"no connection to the broker at {line.host}:{line.port}: {reason}"
        raise BrokerError(message) from error
    secured: ssl.SSLObject | None = writer.get_extra_info("ssl_object")
    shown = secured.getpeercert(binary_form=True) if secured else None
    writer.transport.abort()
    return ends_of(shown) if shown else None


def _lasting(what: str, ends: datetime, now: datetime) -> Finding:
    day = f"{ends:%Y-%m-%d}"
    if ends <= now:
        return failed("TLS", f"{what} ended on {day}", RENEW)
    if ends - now <= WARNED_BEFORE:
        return warning("TLS", f"{what} ends on {day}", RENEW)
    return ok("TLS", f"{what} is good until {day}")


def version(callers: Sequence[Caller]) -> Finding:
    """Say which broker it is, as far as it tells anybody."""
    told = (
        delivery.payload.decode("utf-8", "replace")
        for caller in callers
        for delivery in caller.seen
        if delivery.topic == VERSION_TOPIC
    )
    text = next(told, None)
    if text is None:
        return warning("version", "the broker tells nobody its version", "log in as an admin too")
    number = tuple(map(int, re.findall(r"\d+", text)[:3]))
    if number < OLDEST:
        least = ".".join(map(str, OLDEST))
        return warning("version", text, f"update mosquitto to {least} or newer")
    return ok("version", text)


async def retaining(ward: Ward, callers: Sequence[Caller]) -> Finding:
    """Say whether the broker keeps what is retained; what was tried with is cleared."""
    caller = next(_of(callers, Role.ADMIN, Role.NODE), None)
    if caller is None:
        return warning("retained", "not tried: it takes an admin or a node", _RESTART)
    kept = Message(ward.kept(), b"kept", retain=True)
    try:
        if await caller.send([kept]):
            return warning("retained", f"not tried: {caller.name} cannot write", _RESTART)
        await caller.subscribe(kept.topic, retained=True)
        await caller.catch_up()
        await caller.send([replace(kept, payload=b"")])
    except BrokerError as error:
        return failed("retained", f"the broker retains nothing ({error})", _RETAIN)
    if caller.has_seen(lambda one: one.topic == kept.topic and one.retained):
        return ok("retained", "what is retained is kept")
    return failed("retained", "the broker forgets what is retained", _RETAIN)


async def queueing(ward: Ward, callers: Sequence[Caller]) -> Finding:
    """Say whether messages for a slow subscriber wait or are lost."""
    writer = next(_of(callers, Role.NODE), None)
    reader = next(_of(callers, Role.ADMIN, Role.REFEREE, Role.SCOREBOARD, Role.BOARD), None)
    if writer is None or reader is None:
        return warning("queue", "not tried: it takes a node and one who reads", _RESTART)
    topic = ward.private(reader.name)
    slow = replace(reader.login.line, client_id=f"{reader.login.line.client_id}-slow")
    async with slow_subscriber(slow) as subscriber:
        await subscriber.subscribe(topic)
        if await writer.send(Message(topic, b"waits") for _ in range(PROBE)):
            return warning("queue", f"not tried: {writer.name} cannot write replies", _RESTART)
        came = await subscriber.count(PROBE, _PATIENCE_SECONDS)
    if came < PROBE:
        sentence = f"of {PROBE} messages for a slow subscriber {came} came, the newest are lost"
        advice = "max_queued_messages 100000 in mosquitto.conf, then restart mosquitto"
        return warning("queue", sentence, advice)
    return ok("queue", f"{PROBE} messages wait for a slow subscriber and none is lost")


def _of(callers: Sequence[Caller], *roles: Role) -> Iterator[Caller]:
    """Yield the callers of some roles, those of the first role first."""
    return (one for role in roles for one in callers if one.login.holder.role is role)
