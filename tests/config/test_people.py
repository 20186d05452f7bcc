from pathlib import Path

from tests.config.files import GOOD, complaint, loaded


def test_people_are_named_once(tmp_path: Path) -> None:
    text = GOOD + '[board]\npeople = ["Lin", "Ito", "Lin"]\n'
    assert complaint(tmp_path, text).endswith("must be a list that names everybody once.")


def test_whoever_is_chief_or_has_a_zone_is_one_of_the_people(tmp_path: Path) -> None:
    chief = GOOD.replace("[tables.t1]", 'chief_referees = ["Ito"]\n[board]\nPEOPLE\n[tables.t1]')
    known = chief.replace("PEOPLE", 'people = ["Lin", "Ito"]\nzones = { "Lin" = [] }')
    assert loaded(tmp_path, known).event.chief_referees == ("Ito",)
    for people in ('people = ["Lin"]', 'people = ["Ito"]\nzones = { "Ann" = [] }'):
        who = "Ito" if "Lin" in people else "Ann"
        assert complaint(tmp_path, chief.replace("PEOPLE", people)) == (
            f"tablewarden.toml: {who} is named, but is not among the people of the board."
        )


def test_a_zone_without_a_table_is_refused(tmp_path: Path) -> None:
    text = GOOD + 'zone = "a"\n[board]\nzones = { "Lin" = ["a", "b"] }\n'
    assert complaint(tmp_path, text) == "tablewarden.toml: zone b of Lin has no table."
