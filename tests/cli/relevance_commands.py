"""What tests of ``tealeaves relevance`` share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

Run = Callable[..., Any]


class GatherCommand(NamedTuple):
    """Gathers from a folder, into another."""

    run: Run
    folder: Path
    into: Path

    def __call__(
        self,
        output: str,
        *more: object,
        texts: str = "april",
        topics: str = "topics.txt",
        classifier: str = "tiny",
    ) -> Any:
        return self.run(
            "relevance", "gather", self.folder / topics,
            "-c", self.folder / "texts" / f"{texts}.txt",
            "--tokens", "tokens", "--classifier", self.folder / classifier, "--no-improved",
            "-o", self.into / output, *more,
        )  # fmt: skip


def refused(done: Any, told: str) -> None:
    """Require one line that says what is wrong."""
    assert done.code == 2, done.err
    assert done.out == ""
    [line] = done.err.splitlines()
    assert line.startswith("tealeaves: error: ")
    assert told in line
