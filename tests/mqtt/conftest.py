from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.broker import Mosquitto, mosquitto


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """A mosquitto that everybody may use."""
    with mosquitto(tmp_path) as running:
        yield running
