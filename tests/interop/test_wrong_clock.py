"""The clocks by which the example scoreboards are tested are wrong indeed."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from datetime import timedelta

import pytest
from playwright.async_api import Browser

from controller.clock import MonotonicClock
from tests.interop.examples import wrong_clock, wrong_page

pytestmark = pytest.mark.asyncio(loop_scope="module")
HOURS = timedelta(hours=5).total_seconds()
CLOCKS = ("time.time()", "datetime.datetime.now().timestamp()")


async def test_a_terminal_reads_a_wall_clock_that_is_hours_ahead() -> None:
    read = f"import datetime, time; print({', '.join(CLOCKS)})"
    program = [sys.executable, "-c", read]
    process = await asyncio.create_subprocess_exec(*program, stdout=PIPE, env=wrong_clock())
    printed, _ = await process.communicate()

    said = [float(each) for each in printed.split()]
    assert len(said) == len(CLOCKS)
    assert all(each - _right() > HOURS for each in said)


async def test_a_page_reads_a_wall_clock_that_is_hours_ahead(browser: Browser) -> None:
    async with wrong_page(browser) as page:
        said = await page.evaluate("[Date.now(), new Date().getTime()]")

    assert all(each / 1000 - _right() > HOURS for each in said)


def _right() -> float:
    return MonotonicClock().utc().timestamp()
