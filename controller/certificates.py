"""The venue's own certificate authority, and the certificates it issues; reads no clock, no file.

Keys are elliptic, P-256, signed with SHA-256: every TLS library of the last ten years takes them.
An authority signs certificates of machines only, never another authority.
"""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from table.errors import SetupError

AUTHORITY_LASTS = timedelta(days=3652)
"""Ten years: outlives the machines of a venue, so nobody has to replace it everywhere."""
CERTIFICATE_LASTS = timedelta(days=825)
"""The longest that Apple's systems take from an authority of one's own (support page HT210176)."""
BACKDATED = timedelta(days=1)
"""A machine whose clock is slow takes a new certificate all the same."""
WARNED_BEFORE = timedelta(days=60)
"""So long before its end a certificate should be renewed."""
_LONGEST_NAME = 64


class Purpose(Enum):
    """What a certificate proves."""

    BROKER = ExtendedKeyUsageOID.SERVER_AUTH
    LOGIN = ExtendedKeyUsageOID.CLIENT_AUTH


@dataclass(frozen=True, slots=True)
class Identity:
    """A certificate and its private key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def certificate_pem(self) -> bytes:
        """The certificate, for everybody."""
        return self.certificate.public_bytes(Encoding.PEM)

    @property
    def key_pem(self) -> bytes:
        """The private key, not encrypted; a secret."""
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@dataclass(frozen=True, slots=True)
class _Lifetime:
    begins: datetime
    ends: datetime


def new_authority(venue: str, now: datetime) -> Identity:
    """Return a certificate authority of a venue that begins a day ago."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name(f"Tables of {venue}")
    unsigned = _unsigned(key, name, name, _Lifetime(now - BACKDATED, now + AUTHORITY_LASTS))
    usage = _usage(signs_certificates=True)
    signed = (
        unsigned.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .sign(key, SHA256())
    )
    return Identity(signed, key)


def issue(
    authority: Identity, purpose: Purpose, name: str, now: datetime, hosts: Sequence[str] = ()
) -> Identity:
    """Return a new key and a certificate for it, which ends no later than its authority.

    Args:
        authority: who signs.
        purpose: whether it is for the broker or for a login.
        name: common name; of a login its login.
        now: the present.
        hosts: names and addresses that the broker is reached by.

    Raises:
        SetupError: the authority itself has ended.
    """
    ends = authority.certificate.not_valid_after_utc
    if ends <= now:
        message = (
            f"the certificate authority ended on {ends:%Y-%m-%d}; start anew in another folder"
        )
        raise SetupError(message)
    key = ec.generate_private_key(ec.SECP256R1())
    lifetime = _Lifetime(now - BACKDATED, min(now + CERTIFICATE_LASTS, ends))
    unsigned = _unsigned(key, _name(name), authority.certificate.subject, lifetime)
    public = authority.key.public_key()
    unsigned = (
        unsigned.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([purpose.value]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(public), critical=False)
    )
    if hosts:
        names = x509.SubjectAlternativeName([_alternative(host) for host in hosts])
        unsigned = unsigned.add_extension(names, critical=False)
    return Identity(unsigned.sign(authority.key, SHA256()), key)


def read_identity(certificate: bytes, key: bytes) -> Identity:
    """Return what was written as PEM.

    Raises:
        SetupError: it is something else.
    """
    try:
        read = load_pem_private_key(key, password=None)
        signed = x509.load_pem_x509_certificate(certificate)
    except (TypeError, ValueError) as error:
        message = f"the certificate authority cannot be read: {error}"
        raise SetupError(message) from error
    if not isinstance(read, ec.EllipticCurvePrivateKey):
        message = "the key of the certificate authority is of another kind than `init` makes"
        raise SetupError(message)
    return Identity(signed, read)


def hosts_of(certificate: bytes) -> tuple[str, ...]:
    """Return the names and addresses that a certificate, written as PEM, is good for."""
    signed = x509.load_pem_x509_certificate(certificate)
    named = signed.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return (
        *named.get_values_for_type(x509.DNSName),
        *map(str, named.get_values_for_type(x509.IPAddress)),
    )


def ends_of(certificate: bytes) -> datetime:
    """Return until when a certificate, written as DER, is good."""
    return x509.load_der_x509_certificate(certificate).not_valid_after_utc


def ends_of_pem(certificate: bytes) -> datetime:
    """Return until when a certificate, written as PEM, is good."""
    return x509.load_pem_x509_certificate(certificate).not_valid_after_utc


def _unsigned(
    key: ec.EllipticCurvePrivateKey, subject: x509.Name, issuer: x509.Name, lifetime: _Lifetime
) -> x509.CertificateBuilder:
    own = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(lifetime.begins)
        .not_valid_after(lifetime.ends)
        .add_extension(own, critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:_LONGEST_NAME])])


def _alternative(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)
