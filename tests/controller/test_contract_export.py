import json
from pathlib import Path

import pytest

from controller.command_line import FAILED, GOOD, USAGE, main
from controller.contract_export import files
from mqtt.access import Role
from mqtt.payloads import CONTRACT_VERSION

COMMITTED = Path(__file__).parents[2] / "docs" / "contract"

Read = pytest.CaptureFixture[str]


def found(folder: Path) -> dict[str, str]:
    """Return every file below a folder."""
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_committed_files_are_what_the_code_says() -> None:
    committed, written = found(COMMITTED), files()
    assert committed.keys() == written.keys(), "run: tablewarden contract export docs/contract"
    for name, text in written.items():
        assert committed[name] == text, f"{name}: run: tablewarden contract export docs/contract"


def test_an_export_makes_its_folder_and_says_where_to_read_on(tmp_path: Path, capsys: Read) -> None:
    folder = tmp_path / "for" / "others"
    assert main(["contract", "export", str(folder)]) == GOOD
    assert capsys.readouterr().out == f"{folder} has the contract; README.md says what is what\n"
    assert found(folder) == files()


def test_a_second_export_changes_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("mine", encoding="utf-8")
    for _ in range(2):
        assert main(["contract", "export", str(tmp_path)]) == GOOD
    assert found(tmp_path) == files() | {"own.txt": "mine"}


@pytest.mark.parametrize("blocked", ["", "schemas"])
def test_a_place_that_cannot_be_written_is_named_in_one_sentence(
    blocked: str, tmp_path: Path, capsys: Read
) -> None:
    folder = tmp_path / "taken"
    (folder / blocked).parent.mkdir(exist_ok=True)
    (folder / blocked).write_text("a file", encoding="utf-8")
    assert main(["contract", "export", str(folder)]) == FAILED
    sentence = capsys.readouterr().err
    assert sentence.startswith(f"tablewarden: {folder / blocked}")
    assert "cannot be written: " in sentence
    assert sentence.count("\n") == 1


def test_an_export_needs_a_place(capsys: Read) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["contract", "export"])
    assert caught.value.code == USAGE
    assert "folder" in capsys.readouterr().err


def test_the_files_name_the_version_of_the_contract() -> None:
    written = files()
    assert json.loads(written["asyncapi.json"])["info"]["version"] == CONTRACT_VERSION
    assert f"version {CONTRACT_VERSION}\n" in written["README.md"]


def test_the_access_list_has_a_login_for_every_role() -> None:
    lines = files()["mosquitto.acl"].splitlines()
    assert [line for line in lines if line.startswith("user ")] == [f"user {role}" for role in Role]


def test_every_file_that_the_readme_names_is_there() -> None:
    written = files()
    for name in ("asyncapi.json", "schemas/payloads/event-envelope.json", "mosquitto.acl"):
        assert f"`{name}`" in written["README.md"]
        assert name in written
