"""The command line in this process, and the demo's files to try it on."""

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
    from tealeaves.evidence.relevance.classifier.classifier import Classifier

WORDS = [f"w{number}" for number in range(16)]


class Done(NamedTuple):
    """What a command has returned and written."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Run a command; much quicker than a process of its own."""

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
    """Texts in two files, topics, and a classifier."""
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
    """Gather; whoever handled signals before does so again in the end."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield GatherCommand(run, relevance_folder, tmp_path)
    for number, handler in before.items():
        signal.signal(number, handler)
