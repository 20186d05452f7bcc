"""The `tablewarden` command: reads arguments and starts one of the programs.

Exit codes: 0 good, 1 failed, 2 usage, 78 bad configuration (EX_CONFIG of sysexits.h).
"""

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from controller import commands
from controller.certificate_options import certificate_options
from controller.init_options import init_options
from table.errors import ScriptError, SettingsError, TablewardenError

GOOD, FAILED, USAGE, BAD_CONFIGURATION = 0, 1, 2, 78

Options: TypeAlias = Callable[[argparse.ArgumentParser], None]
PASSED_ON = {"board": "board", "simulate": "simulator"}
"""Programs of their own, which read their arguments themselves."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given and given[0] in PASSED_ON:
        os.execv(sys.executable, [sys.executable, "-m", PASSED_ON[given[0]], *given[1:]])  # noqa: S606 - our own program
    chosen = _parser().parse_args(given)
    run: Callable[[argparse.Namespace], int] = chosen.run
    try:
        code = run(chosen)
        sys.stdout.flush()
    except BrokenPipeError:
        return _unread()
    except SettingsError as error:
        return _complain(error, BAD_CONFIGURATION)
    except ScriptError as error:
        return _complain(error, USAGE)
    except (TablewardenError, OSError) as error:
        return _complain(error, FAILED)
    except KeyboardInterrupt:
        return GOOD
    return code


def _unread() -> int:
    """End quietly where whoever reads has seen enough, as `| head` has."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return GOOD


def _complain(error: Exception, code: int) -> int:
    for sentence in str(error).splitlines():
        sys.stderr.write(f"tablewarden: {sentence}\n")
    return code


@dataclass(frozen=True, slots=True)
class _Program:
    """One command: what runs it, what it is for, and its options."""

    run: Callable[[argparse.Namespace], int]
    purpose: str
    options: Options


def _config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, required=True, help="the settings, a TOML file")


def _run_options(parser: argparse.ArgumentParser) -> None:
    _config(parser)
    parser.add_argument(
        "--speed", type=_speed, default=1.0, help="scaled time; simulated tables only"
    )


def _speed(word: str) -> float:
    return _positive(word, "speed; allowed: 0.001 to 9999.999, 1 is real time")


def _positive(word: str, what: str) -> float:
    """Return a number of up to four digits before the point and three behind it, but for 0."""
    if re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,3})?", word) is None or float(word) == 0:
        message = f"'{word}' is no {what}"
        raise argparse.ArgumentTypeError(message)
    return float(word)


def _demo_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tables", type=int, default=3, help="how many simulated tables")
    parser.add_argument("--port", type=int, default=8080, help="of the board")
    parser.add_argument("--seed", type=int, default=1, help="other players, other hands")
    parser.add_argument(
        "--rules", "--ruleset", help="the rule set; that of the script or mcr-2014 if not said"
    )
    parser.add_argument(
        "--broker", choices=("mosquitto", "iotcore"), help="the first that is installed if not said"
    )
    parser.add_argument(
        "--script", type=Path, help="play one written hand over real wires, say what is seen, end"
    )


def _rehearse_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, nargs="+", help="a written hand (docs/rehearsal.md)")
    told = parser.add_mutually_exclusive_group()
    told.add_argument("--json", action="store_true", help="one JSON object per line")
    told.add_argument(
        "--check", action="store_true", help="only say whether all went as the hand expects"
    )
    parser.add_argument("--config", type=Path, help="settings with the rules of the event")
    parser.add_argument(
        "--ruleset", help="rules instead of those the hand names; mcr-2014 if it names none"
    )


def _journal_options(parser: argparse.ArgumentParser) -> None:
    deeds = parser.add_subparsers(required=True, dest="deed", metavar="what")
    show = deeds.add_parser("show", help="records by their numbers, as an alert names them")
    show.add_argument("number", type=int, nargs="+", help="of a record, from 1")
    verify = deeds.add_parser("verify", help="whether every record is as it was written")
    export = deeds.add_parser("export", help="the whole journal as lines of JSON")
    for deed in (show, verify, export):
        _config(deed)


def _fairness_options(parser: argparse.ArgumentParser) -> None:
    _config(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw it, too")
    parser.add_argument(
        "--since", type=_day, metavar="YYYY-MM-DD", help="only from this day on (UTC)"
    )


def _day(word: str) -> datetime:
    try:
        return datetime.strptime(word, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        message = f"'{word}' is no day; a day is written 2026-07-01"
        raise argparse.ArgumentTypeError(message) from error


def _contract_options(parser: argparse.ArgumentParser) -> None:
    deeds = parser.add_subparsers(required=True, dest="deed", metavar="what")
    export = deeds.add_parser("export", help="document, schemas and access list, as files")
    export.add_argument("folder", type=Path, help="where to; made if it is not there")


def _doctor_options(parser: argparse.ArgumentParser) -> None:
    _config(parser)
    parser.add_argument("--logins", type=Path, help="the users, as `init broker` wrote them")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    parser.add_argument(
        "--only", choices=("broker", "wires"), help="look over one half; both if not said"
    )


def _wire_options(parser: argparse.ArgumentParser) -> None:
    _config(parser)
    parser.add_argument("line", help="a table with a link of its own, or a bus, by its id")
    parser.add_argument(
        "--seconds", type=_seconds, default=10.0, help="how long to listen; 10 if not said"
    )


def _seconds(word: str) -> float:
    return _positive(word, "number of seconds; allowed: 0.001 to 9999.999")


def _profile_options(parser: argparse.ArgumentParser) -> None:
    deeds = parser.add_subparsers(required=True, dest="deed", metavar="what")
    check = deeds.add_parser("check", help="whether profiles are whole, and what they say")
    check.add_argument(
        "profile", nargs="+", help="a TOML file (docs/hardware.md), or the id of a shipped profile"
    )


PROGRAMS = {
    "run": _Program(commands.run, "the daemon: tables, timers, fouls, journal, MQTT", _run_options),
    "demo": _Program(
        commands.demo, "a broker, simulated tables, the daemon and the board", _demo_options
    ),
    "rehearse": _Program(
        commands.rehearse, "play a written hand and print what a referee sees", _rehearse_options
    ),
    "init": _Program(commands.init, "write what a broker and its users need", init_options),
    "check": _Program(commands.check, "read the settings and print the effective rules", _config),
    "profile": _Program(
        commands.profile, "what is known of Modbus modules for tables", _profile_options
    ),
    "journal": _Program(
        commands.journal, "show what a ruling rests on, or check the record", _journal_options
    ),
    "certificate": _Program(
        commands.certificate,
        "the certificates of tables: add, list, revoke, export",
        certificate_options,
    ),
    "fairness": _Program(
        commands.fairness, "dice and cycle times: what the journal says of them", _fairness_options
    ),
    "contract": _Program(
        commands.contract, "write the MQTT contract for other people's programs", _contract_options
    ),
    "doctor": _Program(
        commands.doctor, "look over the broker, ports, boxes and modules", _doctor_options
    ),
    "wire": _Program(
        commands.wire, "show what is said on the line of a table or a bus", _wire_options
    ),
    "healthcheck": _Program(
        commands.healthcheck, "ask the broker whether the daemon is well", _config
    ),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tablewarden", description="Runs the automatic mahjong tables of a venue."
    )
    named = parser.add_subparsers(required=True, metavar="command")
    for name, program in PROGRAMS.items():
        under = named.add_parser(name, help=program.purpose, description=program.purpose)
        program.options(under)
        under.set_defaults(run=program.run)
    named.add_parser("board", help="the web pages for hall and referees")
    named.add_parser("simulate", help="simulated tables on pseudo-terminals")
    return parser
