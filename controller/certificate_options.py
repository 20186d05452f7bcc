"""The options of `tablewarden certificate`."""

import argparse
from pathlib import Path


def certificate_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    deeds = parser.add_subparsers(required=True, dest="deed", metavar="what")
    add = deeds.add_parser("add", help="enter a certificate; the node must run")
    add.add_argument("--number", required=True, help="as its issuer counts")
    add.add_argument("--issuer", required=True, help="who inspected the table")
    add.add_argument(
        "--table",
        help="bind it to this table, and take model, serial and firmware from it; it is connected",
    )
    add.add_argument("--model", help="as the table says it")
    add.add_argument("--serial", help="as the table says it")
    add.add_argument(
        "--seal", action="append", default=[], help="number of a seal; may be repeated"
    )
    add.add_argument("--inspected", required=True, metavar="YYYY-MM-DD")
    add.add_argument(
        "--valid-until", required=True, metavar="YYYY-MM-DD", help="the last day on which it holds"
    )
    add.add_argument("--note", default="")
    revoke = deeds.add_parser("revoke", help="a certificate holds no longer; the node must run")
    revoke.add_argument("number")
    revoke.add_argument("--reason", required=True)
    for deed in (add, revoke):
        deed.add_argument("--person", help="who orders it; your login here if not said")
    listed = deeds.add_parser("list", help="every certificate in a line, read from the journal")
    export = deeds.add_parser("export", help="everything that was entered, as JSON")
    for deed in (add, revoke, listed, export):
        deed.add_argument("--config", type=Path, required=True, help="the settings, a TOML file")
