"""Run the fast tests with other versions of Python, and with the lowest versions of packages.

``python -m tools.test_pythons`` uses each Python from 3.11 on that is found, and tests the lowest
declared versions of the dependencies with the lowest of them. Each has a virtual environment of its
own, in a temporary folder, with the package as it is installed from a wheel.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tools.environments import (
    ROOT,
    WITH_KERNELS,
    WITHOUT_COMPILER,
    CommandError,
    Environment,
)

#: the fast tests, about a minute on two processors: what depends on Python, numpy and the kernels
TESTS = ("base", "demo", "evidence/counting", "judgments", "learners", "lexicon/alignment",
         "metrics/catalogue/test_coherence.py", "models/polylingual", "statistics", "tables",
         "test_packaging.py", "text", "topics")  # fmt: skip
#: extras that are small and that all systems and versions of Python have
EXTRAS = ("align", "langs", "models", "morphs", "pandas", "phik", "report", "tag", "usfm", "zst")
TOOLS = ("hypothesis", "krippendorff", "pytest", "pytest-xdist", "PyYAML", "setuptools")

Version = tuple[int, int]


def minimum_python() -> Version:
    """Return the lowest version of Python that the package declares."""
    found = re.fullmatch(r">=(\d+)\.(\d+)", _project()["requires-python"])
    assert found
    return int(found[1]), int(found[2])


def found_pythons() -> dict[Version, str]:
    """Return the interpreters on the path and of pyenv, by version."""
    folders = [Path(name) for name in os.environ.get("PATH", "").split(os.pathsep) if name]
    folders += sorted((Path.home() / ".pyenv" / "versions").glob("*/bin"))
    found: dict[Version, str] = {}
    for folder in folders:
        for program in sorted(folder.glob("python3.*")):
            version = _version(program) if re.fullmatch(r"python3\.\d+", program.name) else None
            if version and version >= minimum_python():
                found.setdefault(version, str(program))
    return dict(sorted(found.items()))


def _version(python: Path) -> Version | None:
    """Return the version of an interpreter, or None if it does not run."""
    command = [str(python), "-c", "import sys; print(*sys.version_info[:2])"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        return None
    major, minor = done.stdout.split()
    return int(major), int(minor)


def lowest_versions(requirements: Iterable[str]) -> list[str]:
    """Return pins of the lowest versions that requirements allow.

    >>> lowest_versions(["numpy>=2,<3", "regex>=2024.5.15"])
    ['numpy==2', 'regex==2024.5.15']
    """
    pins = []
    for requirement in requirements:
        found = re.fullmatch(r"([\w.-]+)>=([\w.]+)(,<[\w.]+)?", requirement)
        if not found:
            raise ValueError(f"{requirement} has no lowest version")
        pins.append(f"{found[1]}=={found[2]}")
    return pins


def _project() -> dict[str, Any]:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project: dict[str, Any] = tomllib.loads(text)["project"]
    return project


def run_tests(python: str, folder: Path, *, lowest: bool = False, kernels: bool = True) -> str:
    """Run the fast tests with an interpreter, and return the last line of pytest."""
    environment = Environment.make(folder, python)
    variables = WITH_KERNELS if kernels else WITHOUT_COMPILER
    pins = ROOT / "constraints.txt"
    if lowest:
        pins = folder / "lowest.txt"
        pins.write_text("\n".join(lowest_versions(_project()["dependencies"])), encoding="utf-8")
    environment.install("-c", pins, f"{ROOT}[{','.join(EXTRAS)}]", *TOOLS, variables=variables)
    options = [] if kernels else ["--without-kernels"]
    environment.python(ROOT / "tools" / "smoke_test.py", *options, folder=folder)
    # The tests are those of this folder; the package is the one that is installed.
    options = ["-q", "-n", "2", "--dist", "loadfile", "-p", "no:cacheprovider", "--tb=short"]
    output = environment.python(
        "-m", "pytest", *options, *(f"tests/{name}" for name in TESTS),
        variables={"OMP_NUM_THREADS": "1", **(WITH_KERNELS if kernels else {})},
    )  # fmt: skip
    return output.strip().splitlines()[-1].strip("= ")


def main(options: list[str]) -> None:
    """Run the tests with each interpreter, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m tools.test_pythons", description=__doc__)
    parser.add_argument("--this", action="store_true", help="only the Python that runs this")
    parser.add_argument("--lowest", action="store_true", help="only the lowest versions")
    parser.add_argument(
        "--without-kernels", action="store_true", help="build without a compiler, run in Python"
    )
    chosen = parser.parse_args(options)
    this = {sys.version_info[:2]: sys.executable}
    pythons = this if chosen.this else found_pythons()
    runs = [] if chosen.lowest else [(version, False) for version in pythons]
    if chosen.lowest or not chosen.this:
        runs.append((min(pythons), True))
    failed = False
    for version, lowest in runs:
        name = f"Python {version[0]}.{version[1]}{', lowest versions' if lowest else ''}"
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="tealeaves-") as folder:
            try:
                said = run_tests(
                    pythons[version],
                    Path(folder),
                    lowest=lowest,
                    kernels=not chosen.without_kernels,
                )
            except CommandError as error:
                failed, said = True, f"FAILED\n{error}"
        print(f"{name} ({time.monotonic() - begun:.0f} s): {said}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
