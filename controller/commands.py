"""What each command of `tablewarden` does; heavy parts are imported only when they are needed."""
# ruff: noqa: PLC0415 - `tablewarden --help` answers at once, and a board needs no serial library

import argparse
import asyncio
import logging
import os
import resource
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from table.errors import SettingsError

if TYPE_CHECKING:
    from config.tables import Table
    from controller.doctor_findings import Finding
    from controller.table_core import TableRules
    from drivers.port import Identity

LOG_FORMAT = "%(levelname)s %(name)s: %(message)s"


def run(chosen: argparse.Namespace) -> int:
    """Serve the tables of a node until told to stop."""
    from config.load import load
    from controller.clock import MonotonicClock, ScaledClock
    from controller.daemon import serve
    from controller.table_drivers import refuse_miswired

    logging.basicConfig(level=logging.INFO, format=LOG_FORMAT, stream=sys.stderr)
    _allow_many_ports()
    settings = load(chosen.config, os.environ)
    refuse_miswired(settings, chosen.config)
    real = chosen.speed == 1
    if not real:
        for table, wired in settings.tables.items():
            _refuse_real_table(table, wired)
    asyncio.run(serve(settings, MonotonicClock() if real else ScaledClock(chosen.speed)))
    return 0


def _allow_many_ports() -> None:
    """A serial port takes five descriptors; the usual soft limit ends at some 200 tables."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _refuse_real_table(table: str, wired: "Table") -> None:
    """Let scaled time loose on simulated tables only: people at real ones live at speed 1."""
    if not wired.simulated:
        message = f"--speed: {wired.place} of table {table} is no pseudo-terminal of a simulation"
        raise SettingsError(message)


def demo(chosen: argparse.Namespace) -> int:
    """Show the whole product on this machine, or play one written hand."""
    from config.load import playing_by
    from controller import demo as demonstration
    from controller.demo_broker import BrokerKind

    rules = chosen.rules or _named_by(chosen.script) or "mcr-2014"
    playing_by(rules)  # a rule set that there is none of is told before anything starts
    wishes = demonstration.Wishes(
        tables=chosen.tables,
        port=chosen.port,
        seed=chosen.seed,
        broker=chosen.broker and BrokerKind(chosen.broker),
        rules=str(Path(rules).resolve()) if Path(rules).is_file() else rules,
    )
    if chosen.script is not None:
        from controller.demo_script import play

        return play(chosen.script, wishes)
    return asyncio.run(demonstration.show(wishes))


def _named_by(script: Path | None) -> str | None:
    """Return the rule set that a written hand names."""
    from controller.script_file import hand_file_of

    return None if script is None else hand_file_of(script).ruleset


def rehearse(chosen: argparse.Namespace) -> int:
    """Print what a referee would have seen of written hands, or whether they went as expected."""
    from controller.rehearsal_check import unmet
    from controller.rehearsal_report import report
    from controller.script_file import hand_file_of

    wrong = 0
    for path in chosen.file:
        file = hand_file_of(path)
        rules = _rules(chosen, file.ruleset)
        if not chosen.check:
            _print(*report(rules, file.lines, as_json=chosen.json))
        elif sentences := [*unmet(rules, file)]:
            _print(*(f"{path}: {sentence}" for sentence in sentences))
            wrong += 1
        else:
            _print(f"{path}: all {len(file.expectations)} expectations met")
    return 1 if wrong else 0


def _print(*lines: str) -> None:
    sys.stdout.writelines(line + "\n" for line in lines)


def _rules(chosen: argparse.Namespace, named: str | None) -> "TableRules":
    """Return the rules that the command line names, else those of the file, else mcr-2014."""
    from config.load import load, playing_by
    from controller.table_rules import rules_of

    if chosen.config is not None:
        return rules_of(load(chosen.config, os.environ))
    return rules_of(playing_by(chosen.ruleset or named or "mcr-2014"))


def check(chosen: argparse.Namespace) -> int:
    """Print the effective rules with their sources; bad settings are told by the caller."""
    from config.load import load
    from config.rules_table import rules_table
    from config.tile_sets import other_tiles
    from controller.table_drivers import refuse_miswired
    from drivers.modbus.line_settings import other_line_settings

    settings = load(chosen.config, os.environ)
    refuse_miswired(settings, chosen.config)
    sys.stdout.write(rules_table(settings) + "\n")
    warnings = (*other_tiles(settings), *other_line_settings(settings))
    _print(*(f"warning: {one}" for one in warnings))
    tables = ", ".join(f"{table} ({wired.place})" for table, wired in settings.tables.items())
    sys.stdout.write(f"{chosen.config} is good; tables: {tables or 'none'}\n")
    return 0


def profile(chosen: argparse.Namespace) -> int:
    """Tell profiles of modules in plain words; what is wrong with one is told by the caller."""
    from controller.profile_command import told

    good, wrong = told(chosen.profile)
    sys.stdout.write("\n\n".join(good) + "\n" if good else "")
    if wrong:
        raise SettingsError("\n".join(wrong))
    return 0


def init(chosen: argparse.Namespace) -> int:
    """Write a broker's configuration, users, certificates and access list, or a part anew."""
    from controller.clock import MonotonicClock
    from controller.init_command import initialise

    _print(*initialise(chosen, MonotonicClock().utc()))
    return 0


def healthcheck(chosen: argparse.Namespace) -> int:
    """Say whether a heartbeat of the node arrives and tells of no alarm."""
    from config.load import load
    from controller.healthcheck import ask

    settings = load(chosen.config, os.environ)
    verdict = asyncio.run(ask(settings))
    sys.stdout.write(verdict.sentence + "\n")
    return 0 if verdict.well else 1


def doctor(chosen: argparse.Namespace) -> int:
    """Say of each thing at broker, ports and tables whether it is well, and what to do."""
    from config.load import load
    from controller.clock import MonotonicClock
    from controller.doctor import examine, patient
    from controller.doctor_certificates import examine_certificates
    from controller.doctor_findings import all_well, as_json, as_text
    from controller.doctor_ports import examine_ports
    from controller.logins_file import read_logins
    from controller.wired_lines import wired_lines

    logins = None if chosen.logins is None else read_logins(chosen.logins)
    settings, clock = load(chosen.config, os.environ), MonotonicClock()
    findings: list[Finding] = []
    seen: dict[str, Identity] = {}
    ask = chosen.only != "wires"
    if ask:
        findings += asyncio.run(examine(patient(settings, logins), clock.utc()))
    if chosen.only != "broker":
        found, seen = asyncio.run(examine_ports(wired_lines(settings, clock.now), clock.now))
        findings += found
    today = clock.utc().astimezone().date()
    findings += asyncio.run(examine_certificates(settings, seen, today, ask=ask))
    _print(*([as_json(findings)] if chosen.json else map(as_text, findings)))
    return 0 if all_well(findings) else 1


def wire(chosen: argparse.Namespace) -> int:
    """Show what is said on the line of a table or bus, frame by frame."""
    from config.load import load
    from controller.clock import MonotonicClock
    from controller.wire_command import Wires

    wires = Wires(load(chosen.config, os.environ), MonotonicClock(), _say)
    wires.show(chosen.line, chosen.seconds)
    return 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def journal(chosen: argparse.Namespace) -> int:
    """Show records of the node's journal, write it out whole, or check its chain."""
    from config.load import load
    from controller.journal_reader import JournalReader
    from controller.journal_report import shown, verdict

    reader = JournalReader(load(chosen.config, os.environ).node.journal_file)
    match chosen.deed:
        case "show":
            _print(*shown(reader, chosen.number))
        case "export":
            for one in reader.export():
                _print(one)
        case _:
            wrong = verdict(reader)
            _print(wrong or "every record is as it was written")
            return 1 if wrong else 0
    return 0


def fairness(chosen: argparse.Namespace) -> int:
    """Tell what the journal knows of dice and machines, in words, as JSON or as a picture."""
    from config.load import load
    from controller.fairness import fairness as judged
    from controller.fairness_plot import svg
    from controller.fairness_report import as_json, lines
    from controller.journal_reader import JournalReader

    settings = load(chosen.config, os.environ)
    records = JournalReader(settings.node.journal_file).records()
    since = chosen.since
    found = judged((one for one in records if since is None or one.utc >= since), settings.tables)
    if chosen.plot is not None:
        chosen.plot.write_text(svg(found), encoding="utf-8")
    _print(*([as_json(found)] if chosen.json else lines(found)))
    return 0


def certificate(chosen: argparse.Namespace) -> int:
    """Enter or revoke a certificate through the running node, or tell what its journal has."""
    from config.load import load
    from controller import certificate_command as command
    from controller.clock import MonotonicClock

    settings = load(chosen.config, os.environ)
    match chosen.deed:
        case "list":
            today = MonotonicClock().utc().astimezone().date()
            _print(*command.lines(command.entered(settings), today))
        case "export":
            _print(command.as_json(command.entered(settings)))
        case _:
            _print(command.send(settings, chosen))
    return 0


def contract(chosen: argparse.Namespace) -> int:
    """Write the contract as files for other people's programs."""
    from controller.contract_export import write

    write(chosen.folder)
    _print(f"{chosen.folder} has the contract; README.md says what is what")
    return 0
