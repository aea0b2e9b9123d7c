"""The tools that are compared: how each is installed and asked for scores."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from cases import Case
from measure import run
from texts import HERE

GENSIM = "gensim==4.4.0"


class Tool(Protocol):
    """Something that scores the topics of a case in one process."""

    @property
    def name(self) -> str:
        """As shown in the table."""

    @property
    def python(self) -> Path:
        """The interpreter of its environment."""

    def command(self, case: Case) -> list[str]:
        """Return the command line that does the work of the case."""

    def values(self, output: str) -> list[float]:
        """Read the scores of the topics from what the command printed."""


@dataclass(frozen=True)
class Tealeaves:
    """Our command line; ``alike`` asks for the metric that must equal the peer's."""

    python: Path
    alike: bool = False
    name: str = "tealeaves"

    @property
    def program(self) -> str:
        """The command as pip installed it."""
        return str(self.python.with_name("tealeaves"))

    def command(self, case: Case) -> list[str]:
        """Score by topic, from the prepared texts."""
        metric = case.compared if self.alike else case.timed
        texts = ["--corpus", str(case.texts), "--tokens", "tokens"]
        shown = ["--by-topic", "--format", "jsonl", "--quiet"]
        return [self.program, "score", str(case.topic_file), *texts, "--metrics", metric, *shown]

    def values(self, output: str) -> list[float]:
        """Read the rows of topics; the row of the whole model has no topic."""
        rows = [json.loads(line) for line in output.splitlines()]
        return [row["value"] for row in rows if row["topic"] is not None]


@dataclass(frozen=True)
class Gensim:
    """gensim's CoherenceModel."""

    python: Path
    name: str = "gensim"

    def command(self, case: Case) -> list[str]:
        """Run the script that reads, counts and scores."""
        script = str(HERE / "peer_gensim.py")
        window = str(case.peer_window or 0)
        return [str(self.python), script, case.peer, window, str(case.topic_file), str(case.texts)]

    def values(self, output: str) -> list[float]:
        """Read the list that the script prints."""
        values: list[float] = json.loads(output)
        return values


def environment(folder: Path, requirement: str) -> Path:
    """Return the Python of a virtual environment with one requirement, made if not there."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        quiet = ["--quiet", "--disable-pip-version-check"]
        subprocess.run([str(python), "-m", "pip", "install", *quiet, requirement], check=True)
    return python


def versions(python: Path, packages: tuple[str, ...]) -> str:
    """Say which Python and packages an environment has."""
    script = (
        "import platform, sys; from importlib.metadata import version; "
        "print('Python ' + platform.python_version(), "
        "*(name + ' ' + version(name) for name in sys.argv[1:]), sep=', ')"
    )
    return run([str(python), "-c", script, *packages]).output.strip()
