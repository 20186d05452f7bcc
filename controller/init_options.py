"""The options of `tablewarden init`; each complains in one sentence about what it cannot take."""

import argparse
import ipaddress
import re
from pathlib import Path

from mqtt.topics import is_id

_LABEL = r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)"
_HOST = re.compile(rf"{_LABEL}(\.{_LABEL})*\.?")
_LONGEST_HOST = 253
_MOST_PORTS = 65535


def init_options(parser: argparse.ArgumentParser) -> None:
    """Add what can be set up, and how."""
    deeds = parser.add_subparsers(required=True, dest="deed", metavar="what")
    _broker(deeds.add_parser("broker", help="everything for an MQTT broker with users and TLS"))
    _login(deeds.add_parser("login", help="one more user of a broker that init wrote"))


def _broker(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="where all is written")
    parser.add_argument(
        "--host", type=host, nargs="+", default=[], help="names or addresses of its machine"
    )
    parser.add_argument("--venue", type=level, help="name of the venue in topics")
    parser.add_argument("--prefix", type=level, default="mahjong", help="first word of every topic")
    _users(parser)
    parser.add_argument("--port", type=port, default=8883, help="of the encrypted listener")
    parser.add_argument("--local-port", type=port, default=1883, help="for this machine only")
    parser.add_argument("--websockets", type=port, metavar="PORT", help="also for browsers")
    parser.add_argument("--origin", type=origin, help="the web page that may use --websockets")
    parser.add_argument(
        "--certificates", action="store_true", help="ask every machine for a certificate as well"
    )
    parser.add_argument("--user", help="who the broker runs as; mosquitto if root sets it up")
    parser.add_argument(
        "--mosquitto", type=version, help="its version; that of the one on this machine if not said"
    )
    parser.add_argument(
        "--renew", choices=("certificates", "access"), help="write these anew, nothing else"
    )


def _login(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="what `init broker` wrote")
    _users(parser)


def _users(parser: argparse.ArgumentParser) -> None:
    for role, who in (
        ("node", "machines with table cables"),
        ("board", "web pages for hall and referees"),
        ("referee", "referees' own tools"),
        ("scoreboard", "displays for everyone"),
        ("admin", "staff"),
    ):
        parser.add_argument(f"--{role}", type=level, nargs="+", default=[], help=who, metavar="ID")


def level(word: str) -> str:
    """Return an id that may be a level of a topic."""
    if not is_id(word) or word.startswith("-"):
        message = f"'{word}' is no id; allowed: 1 to 64 of a-z, 0-9 and hyphen, no hyphen first"
        raise argparse.ArgumentTypeError(message)
    return word


def host(word: str) -> str:
    """Return a host name or an IP address."""
    try:
        return str(ipaddress.ip_address(word))
    except ValueError:
        if len(word) <= _LONGEST_HOST and _HOST.fullmatch(word):
            return word.rstrip(".").lower()
    message = f"'{word}' is neither a host name nor an IP address"
    raise argparse.ArgumentTypeError(message)


def port(word: str) -> int:
    """Return the number of a TCP port."""
    if re.fullmatch(r"[0-9]{1,5}", word) and 1 <= int(word) <= _MOST_PORTS:
        return int(word)
    message = f"'{word}' is no port; allowed: 1 to {_MOST_PORTS}"
    raise argparse.ArgumentTypeError(message)


def origin(word: str) -> str:
    """Return where web pages come from: scheme and host, maybe a port."""
    if re.fullmatch(rf"https?://{_HOST.pattern}(:[0-9]{{1,5}})?", word):
        return word
    message = f"'{word}' is no origin; allowed: https://name or https://name:port, nothing after it"
    raise argparse.ArgumentTypeError(message)


def version(word: str) -> tuple[int, int]:
    """Return major and minor version of a mosquitto."""
    if found := re.fullmatch(r"([0-9]{1,2})\.([0-9]{1,2})(\..*)?", word):
        return int(found[1]), int(found[2])
    message = f"'{word}' is no version; allowed: for example 2.0 or 2.1.2"
    raise argparse.ArgumentTypeError(message)
