"""Virtual environments that checks make, and the commands that they run in them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: a build without compiled kernels fails where this variable is set
REQUIRE_KERNELS = "TEALEAVES_REQUIRE_KERNELS"
#: variables that would change what a check sees
_LEFT_OUT = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "TEALEAVES_KERNELS", REQUIRE_KERNELS)

#: the lines of a failed command that are shown, from the last one back
LINES = 60
#: variables of a build and of its tests, with a compiler and without one
WITH_KERNELS = {REQUIRE_KERNELS: "1"}
WITHOUT_COMPILER = {"CC": "false"}


class CommandError(Exception):
    """A command failed; the text is what it printed."""


def run(
    command: Sequence[str | os.PathLike[str]],
    *,
    folder: Path = ROOT,
    variables: Mapping[str, str] | None = None,
    minutes: float = 20,
) -> str:
    """Run a command and return what it printed; raise :class:`CommandError` if it fails."""
    kept = {name: value for name, value in os.environ.items() if name not in _LEFT_OUT}
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**kept, **(variables or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=60 * minutes,
            check=False,
        )
    except FileNotFoundError:
        raise CommandError(f"{command[0]} is not installed") from None
    except subprocess.TimeoutExpired:
        raise CommandError(f"{command[0]} took more than {minutes:g} minutes") from None
    if done.returncode:
        shown = " ".join(map(str, command))
        said = "\n".join(done.stdout.splitlines()[-LINES:])
        raise CommandError(f"{shown}\n{said}\nexit code {done.returncode}")
    return done.stdout


@dataclass(frozen=True)
class Environment:
    """A virtual environment."""

    folder: Path

    @classmethod
    def make(cls, folder: Path, python: str = sys.executable) -> Environment:
        """Make an empty one with an interpreter."""
        run([python, "-m", "venv", str(folder)])
        return cls(folder)

    def program(self, name: str) -> Path:
        """Return the path of a program in it."""
        if os.name == "nt":
            return self.folder / "Scripts" / f"{name}.exe"
        return self.folder / "bin" / name

    def python(
        self,
        *arguments: str | os.PathLike[str],
        folder: Path = ROOT,
        variables: Mapping[str, str] | None = None,
    ) -> str:
        """Run its interpreter and return what was printed."""
        return run(
            [self.program("python"), *arguments], folder=folder, variables=variables, minutes=60
        )

    def install(
        self, *what: str | os.PathLike[str], variables: Mapping[str, str] | None = None
    ) -> None:
        """Install packages; options of pip are allowed."""
        self.python(
            "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what,
            variables=variables,
        )  # fmt: skip
