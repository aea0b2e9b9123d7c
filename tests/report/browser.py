"""A real browser without a network, for tests of pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..chromium import find_chromium  # noqa: TID252

ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
_GIVEN_UP = 600_000  # milliseconds: the page hangs, however slow the machine is
_DRAWN = """() => {
  const [done, all] = (document.documentElement.dataset.drawn || "0/1").split("/");
  return done === all;
}"""


@dataclass
class Opened:
    """A page that is open: ``page`` is Playwright's; what it complained of, what it asked for."""

    page: Any
    complaints: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def wait_drawn(self) -> None:
        """Wait until all charts are drawn."""
        self.page.wait_for_function(_DRAWN)

    def pause(self) -> None:
        """Let the browser show what was done."""
        self.page.evaluate("() => new Promise((next) => requestAnimationFrame(() => next()))")

    def overflow(self) -> int:
        """Return by how many pixels the page is wider than the window."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - innerWidth"))

    def violations(self) -> list[str]:
        """Return what axe finds to keep people out, if it is serious."""
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page, options={"resultTypes": ["violations"]}).response["violations"]
        return [
            f"{one['id']}: {one['nodes'][0]['html'][:200]} {one['nodes'][0]['failureSummary']}"
            for one in found
            if one["impact"] in ("serious", "critical")
        ]


@contextmanager
def chromium() -> Iterator[Any]:
    """Start a browser; give it to :func:`opened`, or let that start one of its own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def opened(
    path: Path,
    *,
    dark: bool = False,
    width: int = 1280,
    height: int = 900,
    browser: Any = None,
    wait: bool = True,
) -> Iterator[Opened]:
    """Open a file with the network cut off, and wait until its charts are drawn.

    At the end it must have complained of nothing and asked for nothing but itself.
    """
    if browser is None:
        with (
            chromium() as own,
            opened(path, dark=dark, width=width, height=height, browser=own, wait=wait) as one,
        ):
            yield one
        return
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        accept_downloads=True,
        offline=True,
    )
    context.set_default_timeout(_GIVEN_UP)
    try:
        shown = _watched(context.new_page(), path)
        shown.page.goto(path.as_uri())
        if wait:
            shown.wait_drawn()
        yield shown
        assert not shown.complaints, shown.complaints
        assert not shown.asked, shown.asked
    finally:
        context.close()


def _watched(page: Any, path: Path) -> Opened:
    """Let a page read its own file and nothing else, and write down what it tries."""
    shown = Opened(page)

    def route(one: Any) -> None:
        if one.request.url == path.as_uri():
            one.continue_()
        else:
            shown.asked.append(one.request.url)
            one.abort()

    page.route("**/*", route)
    page.on("pageerror", lambda error: shown.complaints.append(str(error)))
    page.on("console", lambda one: _note(shown, one))
    return shown


def _note(shown: Opened, message: Any) -> None:
    if message.type in ("error", "warning"):
        shown.complaints.append(f"{message.type}: {message.text}")


def downloaded(shown: Opened, button: Any) -> tuple[str, str]:
    """Return the name and the content of what a button saves."""
    with shown.page.expect_download() as waiting:
        button.click()
    found = waiting.value
    return found.suggested_filename, Path(found.path()).read_bytes().decode()
