"""Fixtures that run the command line in the test process, and files for it."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tealeaves import demo
from tealeaves.cli.main import main

from .relevance_commands import GatherCommand, Run

if TYPE_CHECKING:
    from tealeaves.evidence.attention.classifiers.classifier import Classifier

WORDS = [f"w{number}" for number in range(16)]


class Done(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """A function that runs a command in the test process."""

    def run_command(*arguments: object) -> Done:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, out, err)

    return run_command


@pytest.fixture(scope="module")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the demo's files."""
    folder = tmp_path_factory.mktemp("playground")
    demo.copy_to(folder)
    return folder


@pytest.fixture(scope="module")
def relevance_folder(
    tmp_path_factory: pytest.TempPathFactory, tiny_classifier: Callable[..., Classifier]
) -> Path:
    """A folder with texts in two files, topics, and a classifier."""
    folder = tmp_path_factory.mktemp("relevance")
    (folder / "texts").mkdir()
    draw = random.Random(1)
    for name in ("april", "may"):
        lines = [" ".join(draw.choices(WORDS, k=8)) for _ in range(80)]
        (folder / "texts" / f"{name}.txt").write_text("\n".join(lines) + "\n")
    (folder / "foreign.txt").write_text("cat dog\n")
    (folder / "topics.txt").write_text("w0 w1 w2 w3 w4\nw3 w4 w5 w6 w7\n")
    (folder / "single.txt").write_text("w0\nw1\n")
    tiny_classifier().save(folder / "tiny")
    tiny_classifier(1).save(folder / "other")
    return folder


@pytest.fixture
def gather(run: Run, relevance_folder: Path, tmp_path: Path) -> Iterator[GatherCommand]:
    """A function that gathers relevance; the signal handlers are restored afterwards."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield GatherCommand(run, relevance_folder, tmp_path)
    for number, handler in before.items():
        signal.signal(number, handler)
