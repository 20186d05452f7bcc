"""`python -m tests.journeys.pictures FOLDER`: photograph the board while a demonstration runs."""

import asyncio
import sys
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from controller.demo import Venue, Wishes, venue
from tests.harness.broker import free_port

TABLES = 8
ALERTS = 3
PATIENCE_MS = 300_000
PAGES = {"hall": "/", "table": "/table/t2", "referee": "/referee"}
SIZES = {"": (1280, 800), "-phone": (390, 844)}
QUIET = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")


async def photograph(folder: Path) -> None:
    """Wait for a few alerts, then photograph every page in both sizes."""
    async with venue(Wishes(TABLES, free_port(), seed=3)) as running, async_playwright() as tool:
        browser = await tool.chromium.launch(executable_path="/usr/bin/chromium", args=[*QUIET])
        page = await browser.new_page()
        await page.goto(f"{running.address}referee")
        last = page.locator('[data-list="alert"] li').nth(ALERTS - 1)
        await last.wait_for(timeout=PATIENCE_MS)
        for name, path in PAGES.items():
            for size in SIZES:
                await _take(browser, running, path, folder / f"{name}{size}.png")
        await browser.close()


async def _take(browser: Browser, running: Venue, path: str, picture: Path) -> None:
    size = "-phone" if picture.stem.endswith("-phone") else ""
    width, height = SIZES[size]
    page = await browser.new_page(viewport={"width": width, "height": height})
    await page.goto(running.address.rstrip("/") + path)
    await page.click("#person")
    await page.click("#pick-person label:has-text('Referee A')")
    await page.click("#pick-person button[type=submit]")
    await page.locator("#person b", has_text="Referee A").wait_for()
    await page.reload()
    if path == "/referee":
        await page.click('[data-list="alert"] li:first-child a')
    await page.wait_for_timeout(2500)
    await page.screenshot(path=picture)
    await page.close()


if __name__ == "__main__":
    asyncio.run(photograph(Path(sys.argv[1])))
