"""Helpers for the tests of ``tealeaves relevance``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

Run = Callable[..., Any]


class GatherCommand(NamedTuple):
    """Runs ``relevance gather`` on the files of one folder, with its output in another."""

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


def check_error(done: Any, message: str) -> None:
    """Check that a command ended with a one-line error that contains the message."""
    assert done.code == 2, done.err
    assert done.out == ""
    [line] = done.err.splitlines()
    assert line.startswith("tealeaves: error: ")
    assert message in line
