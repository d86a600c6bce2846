"""A real browser, where there is one."""

from __future__ import annotations

import os
import shutil

import pytest

# --no-sandbox: containers run as root; the others: draw without a graphics card, as continuous integration does
ARGUMENTS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_browser() -> str | None:
    given = os.environ.get("TRUNDLE_BROWSER")
    return given or next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="session")
def browser():
    """Chromium without a window; the test is skipped, with the remedy, where there is none."""
    path = find_browser()
    if path is None:
        pytest.skip("NO BROWSER: the page is not tested. Debian: apt install chromium; or name one in TRUNDLE_BROWSER")
    playwright = pytest.importorskip("playwright.sync_api", reason="NO PLAYWRIGHT: pip install playwright")
    with playwright.sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    """A page that remembers its errors in `page.complaints` and whom it asked in `page.asked`."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.complaints, page.asked = [], []
    page.on(
        "console",
        lambda message: page.complaints.append(message.text) if message.type in ("error", "warning") else None,
    )
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("request", lambda request: page.asked.append(request.url))
    yield page
    page.close()
