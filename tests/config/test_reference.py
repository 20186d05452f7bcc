import subprocess
import sys
from pathlib import Path

from config import reference
from config.models import Settings
from config.rule_set import RuleSet
from config.section import Section

ROOT = Path(reference.__file__).parents[1]


def test_the_page_in_docs_is_what_the_command_prints() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "config.reference"], cwd=ROOT, capture_output=True, check=True
    )
    page = (ROOT / "docs" / "configuration.md").read_bytes()
    assert printed.stdout == page, "run: python -m config.reference > docs/configuration.md"


def test_every_key_is_explained() -> None:
    page = reference.reference()
    ours = [one for one in Section.__subclasses__() if one.__module__.startswith("config.")]
    sections: list[type[Section]] = [Settings, RuleSet, *ours]
    for section in sections:
        for name, field in section.model_fields.items():
            assert field.description, f"{section.__name__}.{name}"
            assert (field.alias or name) in page
