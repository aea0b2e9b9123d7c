"""When, where and with what something was measured."""

from __future__ import annotations

import datetime as dt
import os
import platform
from pathlib import Path

from benchmarks.processes import run


def machine_lines() -> list[str]:
    """Return the date and the machine, a line each."""
    return [
        f"- Date: {dt.datetime.now(dt.UTC):%Y-%m-%d %H:%M} UTC",
        f"- Machine: {_processor()}, {os.cpu_count()} cores, {_memory():.0f} GB memory, "
        f"{platform.system()} {platform.release()}",
    ]


def versions(python: Path, packages: tuple[str, ...]) -> str:
    """Return the versions of Python and of those packages that are in an environment."""
    script = (
        "import platform, sys; from importlib.metadata import distributions; "
        "known = {one.name: one.version for one in distributions()}; "
        "print('Python ' + platform.python_version(), "
        "*(name + ' ' + known[name] for name in sys.argv[1:] if name in known), sep=', ')"
    )
    return run([str(python), "-c", script, *packages]).output.strip()


def _processor() -> str:
    """Return the model of the processor as Linux names it, else what Python knows."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _memory() -> float:
    """Return the gigabytes of memory."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
