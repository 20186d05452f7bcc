import re
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import load as config_load
from config.load import load
from config.models import Event, SerialLinkTable, Settings
from scoring.rules import AlertPolicy
from table.errors import SettingsError
from table.fouls import FoulKind
from table.sanctions import WRITTEN
from table.seat import BySeat
from tests.config.files import GOOD, complaint, loaded, saved

EXAMPLE = Path(config_load.__file__).with_name("example.toml")


def serial_table(settings: Settings) -> SerialLinkTable:
    table = settings.tables["t1"]
    assert isinstance(table, SerialLinkTable)
    return table


def test_the_shortest_file_is_filled_up_with_what_is_documented(tmp_path: Path) -> None:
    settings = loaded(tmp_path)
    assert settings.node.journal_file == Path("/var/lib/tablewarden/journal.sqlite")
    assert (settings.broker.host, settings.broker.port) == ("127.0.0.1", 1883)
    assert (settings.broker.prefix, settings.broker.protocol) == ("mahjong", "5")
    assert settings.event.lease == timedelta(seconds=60)
    assert settings.event.presumed_margin == timedelta(seconds=3)
    assert settings.event.beep == timedelta(milliseconds=300)
    assert (settings.board.host, settings.board.login) == ("127.0.0.1", "board")
    assert serial_table(settings).baudrate == 115200


def test_the_example_that_is_shipped_is_good() -> None:
    settings = load(EXAMPLE, {})
    assert list(settings.tables) == ["t1", "t2"]


def test_every_line_the_example_shows_as_a_comment_is_good_too(tmp_path: Path) -> None:
    shown = re.sub(r'^# (?=["\w][\w ".-]* = )', "", EXAMPLE.read_text("utf-8"), flags=re.MULTILINE)
    settings = loaded(tmp_path, shown)
    assert settings.broker.password_file == tmp_path / "broker-password"
    assert settings.event.overrides.turn == timedelta(seconds=15)
    assert settings.event.alerts == {FoulKind.DISCARD_OVER_LIMIT: AlertPolicy.ON_CLAIM}
    assert settings.event.margins == {FoulKind.EARLY_DRAW: timedelta(seconds=1.5)}
    assert settings.event.chief_referees == ("Chief referee",)
    assert settings.event.certificates == "required"
    assert settings.board.zones == {"Referee 1": ("a",)}
    assert settings.tables["t1"].zone == "a"
    assert serial_table(settings).expected_serial == "TW-000123"
    assert settings.tables["t1"].players == ("e-01", "s-01", "w-01", "n-01")
    # What is shown as a comment holds anyway, except where the example says what it is for.
    plain = load(EXAMPLE, {})
    own: dict[str, object] = {"overrides": None, "alerts": {}, "margins": {}}
    own |= {"chief_referees": (), "certificates": "off"}
    assert settings.event.model_copy(update=own) == plain.event.model_copy(update=own)


def test_players_are_named_after_table_and_seat_unless_they_are_given(tmp_path: Path) -> None:
    named = (
        GOOD
        + 'players = ["ann", "bob", "cat", "dan"]\n[tables.t2]\n'
        + ('wire = "serial-link"\nport = "/dev/ttyS2"\n')
    )
    settings = loaded(tmp_path, named)
    assert settings.players("t1") == BySeat("ann", "bob", "cat", "dan")
    assert settings.players("t2") == BySeat("t2-1", "t2-2", "t2-3", "t2-4")


def test_paths_are_relative_to_the_folder_of_the_file(tmp_path: Path) -> None:
    text = GOOD.replace("[event]", 'journal = "j.sqlite"\nstate_directory = "/srv/x"\n[event]')
    settings = loaded(tmp_path, text)
    assert settings.node.journal_file == tmp_path / "j.sqlite"
    assert settings.node.state_directory == Path("/srv/x")


def test_nothing_can_be_changed_after_reading(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="frozen"):
        loaded(tmp_path).node.id = "other"


@given(st.integers(1_000, 600_000_000))
def test_seconds_are_read_to_the_microsecond(micros: int) -> None:
    # A float would miss some of these: 600 s in microseconds has nine digits after rounding.
    written = f"{micros // 1_000_000}.{micros % 1_000_000:06d}"
    environ = {"TABLEWARDEN__EVENT__LEASE_SECONDS": written}
    assert load(EXAMPLE, environ).event.lease == timedelta(microseconds=micros)


@pytest.mark.parametrize(
    "written",
    ["-1", "0.0000005", "600.000001", "inf", "nan", "true", '"60"', "1e999999", "[1]", "1e-999999"],
)
def test_what_is_no_time_in_whole_microseconds_is_refused(tmp_path: Path, written: str) -> None:
    text = GOOD.replace("[tables.t1]", f"lease_seconds = {written}\n[tables.t1]")
    assert "event.lease_seconds" in (said := complaint(tmp_path, text))
    assert said.endswith("must be a number of seconds, from 1 ms to 600 s, in whole microseconds.")


def test_an_unknown_key_is_refused_with_the_nearest_one(tmp_path: Path) -> None:
    text = GOOD.replace("venue =", "venu =")
    assert complaint(tmp_path, text) == (
        "tablewarden.toml: node.venue is missing.\n"
        "tablewarden.toml: node.venu is not known; did you mean venue."
    )


def test_an_unknown_section_like_no_other_is_refused_with_all_there_are(tmp_path: Path) -> None:
    assert complaint(tmp_path, GOOD + "[xyz]\n") == (
        "tablewarden.toml: xyz is not known; known are board, broker, buses, event, node, tables."
    )


def test_every_problem_is_told_in_a_line_of_its_own(tmp_path: Path) -> None:
    text = """
    [node]
    id = "Hall A"
    venue = 7
    keeps_venue = "yes"
    journal = ""
    [broker]
    port = 70000
    protocol = "4"
    [event]
    ruleset = "mcr-2015"
    beep_milliseconds = 301
    alerts = { early = "auto", late-pung = "loud" }
    overrides.steps.late-pung = ["warning", 0, "5-all", true, "5-player:ann"]
    overrides.dead_tiles = 145
    overrides.empty_calls = ["chow", "flower"]
    overrides.steps.discard-over-limit = []
    [board]
    host = "0.0.0.0"
    people = ["Lin", "", "Lin"]
    [tables.T_1]
    wire = "serial-link"
    port = "/dev/ttyS1"
    baudrate = 9600.5
    players = "ann"
    [tables.t2]
    wire = "serial-link"
    port = "/dev/ttyS2"
    players = ["a", "b", "c"]
    [tables.t3]
    wire = "serial-link"
    port = "/dev/ttyS3"
    players = ["a", "b", "c", "a"]
    [tables]
    """.replace("    [tables]\n", "")
    name = "an id of the characters a-z, 0-9 and hyphen, with no hyphen first, for example hall-a"
    step = f"a sanction: {WRITTEN}"
    beep = "a number of milliseconds, from 0 s to 300 ms"
    here = (
        "an address of this machine alone (127.0.0.1, ::1 or localhost), because the board has no"
        " log-in yet and whoever reaches it can rule"
    )
    books = "gb-1998 or jingji-2012 or mcr-2014 or wsom-2010"
    nobody = "a sanction that names no player"
    calls = '"chow", "pung" or "kong"'
    path = "a path, absolute or relative to the folder of this file"
    assert complaint(tmp_path, text).replace("tablewarden.toml: ", "").splitlines() == [
        f'node.id is "Hall A", but must be {name}.',
        f"node.venue is 7, but must be {name}.",
        'node.keeps_venue is "yes", but must be true or false.',
        f'node.journal is "", but must be {path}.',
        "broker.port is 70000, but must be a whole number from 1 to 65535.",
        "broker.protocol is \"4\", but must be '5' or '3.1.1'.",
        f'event.ruleset is "mcr-2015", but must be {books}, or the path of a TOML file.',
        "event.alerts.early is not known; did you mean early-draw.",
        "event.alerts.late-pung is \"loud\", but must be 'auto', 'on_claim' or 'record_only'.",
        f"event.beep_milliseconds is 301, but must be {beep}, in whole microseconds.",
        f'event.overrides.empty_calls[1] is "flower", but must be {calls}.',
        "event.overrides.dead_tiles is 145, but must be a whole number from 0 to 144.",
        f"event.overrides.steps.late-pung[1] is 0, but must be {step}.",
        f'event.overrides.steps.late-pung[2] is "5-all", but must be {step}.',
        f"event.overrides.steps.late-pung[3] is true, but must be {step}.",
        f'event.overrides.steps.late-pung[4] is "5-player:ann", but must be {nobody}.',
        "event.overrides.steps.discard-over-limit is [], but must be a list of at least one.",
        f'board.host is "0.0.0.0", but must be {here}.',
        'board.people[1] is "", but must be text on one line.',
        f"the name tables.T_1 must be {name}.",
        'tables.T_1.players is "ann", but must be a list.',
        "tables.T_1.baudrate is 9600.5, but must be a whole number from 1200 to 4000000.",
        'tables.t2.players is ["a", "b", "c"], but must be a list of four different players.',
        'tables.t3.players is ["a", "b", "c", "a"], but must be a list of four different players.',
    ]


def test_two_tables_cannot_share_a_wire(tmp_path: Path) -> None:
    text = GOOD + '[tables.t2]\nwire = "serial-link"\nport = "/dev/ttyS1"\n'
    assert complaint(tmp_path, text) == (
        "tablewarden.toml: table t1 and table t2 both name the port /dev/ttyS1."
    )


def test_a_player_cannot_sit_at_two_tables(tmp_path: Path) -> None:
    text = (
        GOOD
        + '[tables.t2]\nwire = "serial-link"\nport = "/dev/ttyS2"\n'
        + ('players = ["ann", "t1-4", "bob", "cat"]\n')
    )
    assert complaint(tmp_path, text) == ("tablewarden.toml: player t1-4 sits at both t1 and t2.")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"])
def test_the_board_is_served_on_this_machine(tmp_path: Path, host: str) -> None:
    assert loaded(tmp_path, GOOD + f'[board]\nhost = "{host}"\n').board.host == host


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "hall.example"])  # noqa: S104 - refused
def test_the_board_is_served_to_nobody_else(tmp_path: Path, host: str) -> None:
    said = complaint(tmp_path, GOOD + f'[board]\nhost = "{host}"\n')
    assert said.startswith(f'tablewarden.toml: board.host is "{host}", but must be an address of')


def test_a_broker_on_another_machine_needs_a_certificate_to_check(tmp_path: Path) -> None:
    text = GOOD + '[broker]\nhost = "broker.example"\n'
    assert complaint(tmp_path, text) == (
        "tablewarden.toml: broker: the broker broker.example is on another machine, so tls_ca_file"
        " must name the certificates that its certificate is checked against."
    )
    assert loaded(tmp_path, text + 'tls_ca_file = "ca.pem"\n').broker.tls_ca_file == (
        tmp_path / "ca.pem"
    )


def test_a_password_without_a_login_is_refused(tmp_path: Path) -> None:
    assert complaint(tmp_path, GOOD + '[broker]\npassword_file = "p"\n') == (
        "tablewarden.toml: broker: password_file is given without the login it belongs to."
    )


@pytest.mark.parametrize("given", ["tls_certificate_file", "tls_key_file"])
@pytest.mark.parametrize("section", ["broker", "board"])
def test_a_certificate_without_its_key_is_refused(tmp_path: Path, section: str, given: str) -> None:
    assert complaint(tmp_path, GOOD + f'[{section}]\n{given} = "own.pem"\n') == (
        f"tablewarden.toml: {section}: tls_certificate_file and tls_key_file are given together or"
        " not at all."
    )


@pytest.mark.parametrize("section", ["broker", "board"])
def test_a_certificate_that_would_never_be_shown_is_refused(tmp_path: Path, section: str) -> None:
    own = 'tls_certificate_file = "own.pem"\ntls_key_file = "own.key"\n'
    said = complaint(tmp_path, f"{GOOD}[{section}]\n{own}")
    assert "there is no TLS to show it in" in said
    authority = '[broker]\ntls_ca_file = "ca.pem"\n'
    both = authority + own if section == "broker" else f"{authority}[board]\n{own}"
    settings = loaded(tmp_path, GOOD + both)
    proof = settings.broker if section == "broker" else settings.board
    assert (proof.tls_certificate_file, proof.tls_key_file) == (
        tmp_path / "own.pem",
        tmp_path / "own.key",
    )


@pytest.mark.parametrize("bad", ["-trial-1", "-", "-a"])
def test_an_id_does_not_begin_with_a_hyphen(tmp_path: Path, bad: str) -> None:
    said = complaint(tmp_path, GOOD.replace('"hall-a"', f'"{bad}"'))
    assert said.endswith("with no hyphen first, for example hall-a.")


def test_a_long_value_is_shown_short(tmp_path: Path) -> None:
    said = complaint(tmp_path, GOOD.replace('"hall-a"', f'"{"x" * 99}!"'))
    assert said.startswith(f'tablewarden.toml: node.id is "{"x" * 59}…, but must be an id')


def test_a_single_value_where_a_section_belongs_is_refused(tmp_path: Path) -> None:
    assert complaint(tmp_path, "broker = 1\n" + GOOD) == (
        "tablewarden.toml: broker is 1, but must be a section with keys of its own."
    )


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path / "none.toml", {})
    assert str(caught.value) == f"{tmp_path}/none.toml: cannot be read: No such file or directory."


def test_a_file_that_is_no_toml_is_told_with_the_line(tmp_path: Path) -> None:
    assert complaint(tmp_path, "[node]\nid = hall\n") == (
        "tablewarden.toml: is no TOML: Invalid value (at line 2, column 6)."
    )


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    file = saved(tmp_path, "")
    file.write_bytes(b'[node]\nid = "\xff"\n')
    with pytest.raises(SettingsError, match=r"is no text in UTF-8 \(byte 13\)\.$"):
        load(file, {})


def test_settings_can_be_made_without_a_file() -> None:
    assert Event(ruleset="mcr-2014").lease == timedelta(seconds=60)


def test_the_alerts_of_a_kind_without_a_ladder_are_refused(tmp_path: Path) -> None:
    text = GOOD + '[event.alerts]\nphone-rang = "auto"\n[event.margins]\nphone-rang = 1\n'
    assert complaint(tmp_path, text).splitlines() == [
        f"tablewarden.toml: event.{section}.phone-rang is given, but mcr-2014 has no steps for it;"
        " event.overrides.steps may give some."
        for section in ("alerts", "margins")
    ]


def test_a_margin_without_alerts_by_themselves_is_refused(tmp_path: Path) -> None:
    text = GOOD.replace(
        "[tables.t1]", 'alerts.early-draw = "on_claim"\nmargins.early-draw = 2\n[tables.t1]'
    )
    assert complaint(tmp_path, text) == (
        "tablewarden.toml: event.margins.early-draw is given, but its alerts are on_claim, not"
        " auto."
    )
