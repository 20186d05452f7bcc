"""What every test runs under: seeded samples, journeys last, the long figures only on request."""

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no failure: tests never time things.
untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", untimed, max_examples=30, derandomize=True, database=None)
settings.register_profile("long", untimed, max_examples=2000, print_blob=True)
settings.load_profile("quick")


LONG_SECONDS = 7200
"""A long test that names no limit of its own hangs if it takes more."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep the journeys on two workers, as they run in real time, and give long tests time."""
    if item.get_closest_marker("long") and not item.get_closest_marker("timeout"):
        item.add_marker(pytest.mark.timeout(LONG_SECONDS))
    if item.get_closest_marker("journey"):
        half = sum(item.path.name.encode()) % 2
        item.add_marker(pytest.mark.xdist_group(f"journeys-{half}"))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked long unless the marker is asked for, and put journeys last."""
    if "long" not in config.option.markexpr:
        long = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]
    items.sort(key=lambda item: item.get_closest_marker("journey") is not None)
