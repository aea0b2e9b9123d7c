"""Running whole processes: wall time, CPU time and peak memory, as the kernel counts them."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from benchmarks.folders import ROOT


@dataclass(frozen=True)
class FinishedProcess:
    """One finished process."""

    wall: float
    cpu: float
    megabytes: float
    output: str


@dataclass(frozen=True)
class TimeSpread:
    """Several values of the same thing."""

    values: tuple[float, ...]

    @classmethod
    def of(cls, values: Iterable[float]) -> TimeSpread:
        """Take the values of an iterable."""
        return cls(tuple(values))

    @property
    def median(self) -> float:
        """The value that is reported."""
        return statistics.median(self.values)

    def __str__(self) -> str:
        """Show the median, and the least and greatest value; small ones with more digits."""
        digits = 3 if self.median < 1 else 2
        if len(self.values) == 1:
            return f"{self.median:.{digits}f}"
        low, high = min(self.values), max(self.values)
        return f"{self.median:.{digits}f} ({low:.{digits}f}-{high:.{digits}f})"


def run(command: Sequence[str], *, fresh: bool = False) -> FinishedProcess:
    """Run a command to its end; a failure stops the benchmark with what the command said.

    Parameters
    ----------
    fresh
        Run it as on a machine on which tealeaves was just installed: with empty caches, and a copy
        of the package that Python has not compiled yet.
    """
    if not fresh:
        return _run(command, {})
    with _fresh_package(command) as environment:
        return _run(command, environment)


@contextmanager
def _fresh_package(command: Sequence[str]) -> Iterator[Mapping[str, str]]:
    """Copy the package that a command imports, and yield the variables that make it import that."""
    python = str(Path(command[0]).with_name("python"))
    package = "import tealeaves; print(*tealeaves.__path__)"
    installed = _run([python, "-c", package], {}).output.strip()
    with tempfile.TemporaryDirectory() as folder:
        cache, copy = str(Path(folder) / "cache"), Path(folder) / "packages"
        # without what Python compiled, and without machine code that older versions kept there
        left_out = shutil.ignore_patterns("__pycache__", "*.pyc")
        shutil.copytree(installed, copy / "tealeaves", ignore=left_out)
        yield {"TEALEAVES_CACHE": cache, "XDG_CACHE_HOME": cache, "PYTHONPATH": str(copy)}


def _run(command: Sequence[str], environment: Mapping[str, str]) -> FinishedProcess:
    if not hasattr(os, "wait4"):
        sys.exit("benchmarks: Windows does not tell what a process took: use Linux or macOS")
    # files, not pipes: nobody has to read while the process runs
    with _text_file() as out, _text_file() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=out, stderr=errors, env={**os.environ, **environment}, cwd=ROOT
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        errors.seek(0)
        if process.returncode:
            sys.exit(f"benchmarks: {' '.join(command)} failed:\n{errors.read()}")
        cpu = usage.ru_utime + usage.ru_stime
        return FinishedProcess(wall, cpu, _megabytes(usage.ru_maxrss), out.read())


def _text_file() -> IO[str]:
    return tempfile.TemporaryFile("w+", encoding="utf-8")


def _megabytes(peak: int) -> float:
    """Linux counts the peak in kilobytes, macOS in bytes.

    On Linux a process inherits the peak of the one that started it: so the driver has to stay
    small, and leaves all work on texts to other processes.
    """
    return peak / (1e6 if sys.platform == "darwin" else 1e6 / 1024)


def interleaved(counts: Mapping[str, int]) -> list[str]:
    """Spread the runs of each name evenly, so that a busy minute hits all of them.

    >>> interleaved({"a": 4, "b": 2})
    ['a', 'b', 'a', 'a', 'b', 'a']
    """
    places = [((i + 0.5) / n, name) for name, n in counts.items() for i in range(n)]
    return [name for _, name in sorted(places, key=lambda place: place[0])]
