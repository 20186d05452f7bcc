import asyncio
import ssl
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mqtt.broker_line import connect
from mqtt.messages import LineSettings, Message, Protocol
from table.errors import BrokerError
from tests.harness.broker import HOST, OPEN, Mosquitto, free_port, mosquitto

PROTOCOLS = pytest.mark.parametrize("protocol", ["5", "3.1.1"])


def certificate(directory: Path, name: str, *, host: str = f"IP:{HOST}", key: str = "") -> Path:
    """Make a self-signed certificate, with its key beside it; a key may want a pass phrase."""
    made = directory / f"{name}.pem"
    asked = (
        f"-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -days 2 -subj /CN={name}"
        f" -addext subjectAltName={host} -out {made} -keyout {made.with_suffix('.key')}"
        f" {f'-passout pass:{key}' if key else '-nodes'}"
    )
    subprocess.run(["openssl", "req", *asked.split()], check=True, capture_output=True)
    return made


def served_by(own: Path) -> str:
    return f"{OPEN}\ncertfile {own}\nkeyfile {own.with_suffix('.key')}\n"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The certificate of the broker."""
    return certificate(tmp_path, "broker")


@pytest.fixture
def asking(tmp_path: Path, own: Path) -> Iterator[Mosquitto]:
    """A broker that lets in who shows the certificate of a node."""
    node = certificate(tmp_path, "node")
    lines = f"{served_by(own)}cafile {node}\nrequire_certificate true"
    with mosquitto(tmp_path, lines) as broker:
        yield broker


def shown(settings: LineSettings, certificate: Path) -> LineSettings:
    key = certificate.with_suffix(".key")
    return replace(settings, tls_certificate_file=certificate, tls_key_file=key)


async def say(settings: LineSettings) -> None:
    async with connect(settings) as line:
        await line.publish(Message("hall/door"))


@PROTOCOLS
async def test_tls_trusts_the_authority_that_is_named_and_no_other(
    tmp_path: Path, own: Path, protocol: Protocol
) -> None:
    foreign = certificate(tmp_path, "foreign")
    with mosquitto(tmp_path, served_by(own)) as broker:
        trusting = replace(broker.line("guest", protocol), tls_ca_file=own)
        await say(trusting)
        with pytest.raises(BrokerError, match="certificate verify failed"):
            await say(replace(trusting, tls_ca_file=foreign))


async def test_a_certificate_of_another_host_is_not_enough(tmp_path: Path) -> None:
    elsewhere = certificate(tmp_path, "elsewhere", host="IP:127.0.0.9,DNS:elsewhere")
    refusal = pytest.raises(BrokerError, match=r"not valid for '127\.0\.0\.1'")
    with mosquitto(tmp_path, served_by(elsewhere)) as broker, refusal:
        await say(replace(broker.line("guest"), tls_ca_file=elsewhere))


async def test_a_broker_that_speaks_nothing_newer_than_tls_1_1_is_refused(own: Path) -> None:
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    old.load_cert_chain(own, own.with_suffix(".key"))
    old.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match=r"TLSv1_1"):
        old.maximum_version = ssl.TLSVersion.TLSv1_1
    async with await asyncio.start_server(lambda *_: None, HOST, 0, ssl=old) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(BrokerError, match=r"no connection to the broker .*(?i:protocol|reset)"):
            await say(LineSettings(HOST, port, "guest", tls_ca_file=own))


@PROTOCOLS
async def test_a_broker_that_asks_for_a_certificate_is_shown_ours(
    asking: Mosquitto, own: Path, protocol: Protocol
) -> None:
    trusting = replace(asking.line("n1", protocol), tls_ca_file=own)
    await say(shown(trusting, own.with_name("node.pem")))


@PROTOCOLS
async def test_a_broker_that_asks_for_a_certificate_lets_nobody_in_without(
    asking: Mosquitto, own: Path, protocol: Protocol
) -> None:
    trusting = replace(asking.line("n1", protocol), tls_ca_file=own)
    with pytest.raises(BrokerError, match="no connection to the broker"):
        await say(trusting)
    with pytest.raises(BrokerError, match="no connection to the broker"):
        await say(shown(trusting, own))


async def test_an_unreadable_certificate_authority_is_named(tmp_path: Path) -> None:
    settings = LineSettings(HOST, free_port(), "guest", tls_ca_file=tmp_path / "none.pem")
    with pytest.raises(BrokerError, match=r"none\.pem: No such file"):
        await say(settings)


async def test_a_key_that_belongs_to_another_certificate_is_named(
    tmp_path: Path, own: Path
) -> None:
    foreign = certificate(tmp_path, "foreign").with_suffix(".key")
    settings = LineSettings(HOST, free_port(), "n1", tls_ca_file=own)
    with pytest.raises(BrokerError, match=r"broker\.pem with .*foreign\.key: .*mismatch"):
        await say(replace(settings, tls_certificate_file=own, tls_key_file=foreign))


async def test_a_key_that_wants_a_pass_phrase_is_refused_and_nobody_is_asked(
    tmp_path: Path, own: Path
) -> None:
    locked = certificate(tmp_path, "locked", key="open-sesame")
    settings = LineSettings(HOST, free_port(), "n1", tls_ca_file=own)
    with pytest.raises(BrokerError, match=r"locked\.key: "):
        await say(shown(settings, locked))


@pytest.mark.parametrize(
    "given",
    [
        {"tls_ca_file": Path("ca"), "tls_certificate_file": Path("own")},
        {"tls_ca_file": Path("ca"), "tls_key_file": Path("key")},
        {"tls_certificate_file": Path("own"), "tls_key_file": Path("key")},
    ],
)
def test_half_a_proof_of_who_we_are_is_refused(given: dict[str, Path]) -> None:
    with pytest.raises(ValueError, match="certificate"):
        LineSettings(HOST, 8883, "n1", **given)  # type: ignore[arg-type] # paths of any name
