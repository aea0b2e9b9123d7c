"""Chromium for the tests of pages: where it is, and how ``make test`` installs it.

``python -m tests.chromium`` installs it if there is none. With ``TEALEAVES_REQUIRE_BROWSER=1`` it
is an error if that is not possible, and tests that need it fail; otherwise they are skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

HOW_TO_INSTALL = (
    "install it with `apt-get install chromium` (Debian, as root) or "
    f"`{sys.executable} -m playwright install chromium`"
)


@cache
def find_chromium() -> str | None:
    """Return the path of Chromium: that of the system, or the one that Playwright installed."""
    found = shutil.which("chromium")
    # a snap cannot read files in the folder for temporary files
    if found and Path(found).resolve().name != "snap":
        return found
    own = _path_of_playwright()
    return own if own and Path(own).exists() else None


def _path_of_playwright() -> str | None:
    """Return where Playwright looks for its own Chromium, whether that is installed or not."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def is_required() -> bool:
    """Whether tests fail without a browser."""
    return os.environ.get("TEALEAVES_REQUIRE_BROWSER", "") not in ("", "0")


def install_chromium() -> str | None:
    """Install Chromium where that is possible; return its path, or None if there is still none."""
    for commands in _ways():
        sys.stdout.write(f"installing Chromium: {' '.join(commands[-1])}\n")
        sys.stdout.flush()
        if all(map(_succeeds, commands)):
            find_chromium.cache_clear()
            if found := find_chromium():
                return found
    return None


def _ways() -> Iterator[list[list[str]]]:
    """Yield the commands of each way, the best first."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    apt = shutil.which("apt-get")
    if root and apt:
        yield [[apt, "update", "-qq"], [apt, "install", "-y", "-qq", "chromium"]]
    # what the browser needs of the system is installed by root alone
    needed = ["--with-deps"] if root and apt else []
    yield [[sys.executable, "-m", "playwright", "install", *needed, "chromium"]]


def _succeeds(command: list[str]) -> bool:
    """Run a command; say why if it fails."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
    except OSError as error:
        reason = str(error)
    else:
        if not done.returncode:
            return True
        reasons = [line for line in done.stderr.splitlines() if "rror" in line or "E:" in line]
        reason = reasons[0].strip() if reasons else f"exit code {done.returncode}"
    sys.stdout.write(f"  that failed: {reason}\n")
    return False


def main() -> int:
    """Install Chromium if there is none."""
    if find_chromium() or install_chromium() or not is_required():
        return 0
    sys.stderr.write(f"Chromium is required and not installed: {HOW_TO_INSTALL}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
