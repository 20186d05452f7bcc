"""A referee's browser on the board of a hall."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Page, async_playwright, expect

from tests.journeys.hall import Hall

PERSON = "Referee A"
PATIENCE_MS = 20_000
CHROMIUM = "/usr/bin/chromium"
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@asynccontextmanager
async def referee_page(hall: Hall) -> AsyncIterator[Page]:
    """Open the referee's page of a board that runs, with nobody's name picked."""
    async with async_playwright() as browsers:
        browser = await browsers.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        page = await browser.new_page()
        page.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        await page.goto(address(hall, "referee"))
        yield page
        await browser.close()


def address(hall: Hall, path: str = "") -> str:
    """Return where a page of the board is."""
    return f"http://127.0.0.1:{hall.board_port}/{path}"


async def pick_name(page: Page) -> None:
    """Say who gives the orders that follow."""
    await page.click("#person")
    await page.click(f"#pick-person label:has-text('{PERSON}')")
    await page.click("#pick-person button[type=submit]")
    await expect(page.locator("#person b")).to_have_text(PERSON)


async def ask(page: Page, name: str, *picks: str) -> None:
    """Pick in the dialog that is open and send it off."""
    dialog = page.locator(f"#ask-{name}")
    await expect(dialog).to_be_visible()
    for pick in picks:
        await dialog.get_by_role("radio", name=pick).check()
    await dialog.locator("button[type=submit]").click()
    await expect(dialog).to_be_hidden()


async def confirm(page: Page, alert: str) -> None:
    """Open an alert and let its proposal stand."""
    await page.click(f'[data-key="alert:{alert}"] a')
    await page.click('#sheet [data-verb="confirm"]')
    await expect(page.locator(f'[data-list="ruling"] [data-key$="{alert}"]')).to_have_count(1)
