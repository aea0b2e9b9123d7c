"""A killed ``relevance gather`` leaves no incomplete output and can be resumed."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.relevance_file import load_relevance
from tests.systems import SENT_SIGNALS, kill_group, started

from .in_process import run_in_process

torch = pytest.importorskip("torch")
WORDS = [f"w{number}" for number in range(40)]
TEXTS, BUDGET = 500, 420  # seven chunks
# torch of several processes at once is slow with several threads each
ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1"}


@pytest.fixture(scope="module")
def folder(
    tmp_path_factory: pytest.TempPathFactory, tiny_classifier: Callable[..., Classifier]
) -> Path:
    """Texts in two files, topics, and a classifier."""
    folder = tmp_path_factory.mktemp("relevance")
    draw = random.Random(1)
    for name in ("one", "two"):
        lines = [" ".join(draw.choices(WORDS, k=12)) for _ in range(TEXTS // 2)]
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")
    (folder / "topics.txt").write_text(
        "\n".join(" ".join(draw.sample(WORDS, 12)) for _ in range(4))
    )
    tiny_classifier().save(folder / "classifier")
    return folder


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Let this process compute as those that it starts."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def gathering(folder: Path, output: str, *more: str) -> list[str]:
    texts = ["-c", str(folder / "one.txt"), "-c", str(folder / "two.txt")]
    return [
        *["relevance", "gather", str(folder / "topics.txt")],
        *[*texts, "--tokens", "tokens", "--classifier", str(folder / "classifier")],
        *["--budget", str(BUDGET), "--head-sample", "64", "--device", "cpu"],
        *["-o", str(folder / output), "--checkpoint", "0", *more],
    ]


@pytest.fixture(scope="module")
def unbroken(folder: Path) -> Path:
    """The relevance of a run that nobody killed."""
    done = run_in_process(*gathering(folder, "unbroken.relevance"))
    assert done.returncode == 0, done.stderr
    return folder / "unbroken.relevance"


def started_gathering(arguments: list[str], partial: Path) -> subprocess.Popen[bytes]:
    """Start a run, and wait until it has saved something new."""
    before = partial.stat().st_mtime_ns if partial.exists() else 0
    process = started(
        [sys.executable, "-m", "tealeaves", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=ONE_THREAD,
    )
    while process.poll() is None:
        if partial.exists() and partial.stat().st_mtime_ns != before:
            break
        time.sleep(0.001)
    return process


def test_resuming_after_kills_gives_the_same_bytes(folder: Path, unbroken: Path) -> None:
    output = folder / "killed.relevance"
    partial = folder / "killed.relevance.partial"
    process = started_gathering(gathering(folder, output.name), partial)
    process.send_signal(SENT_SIGNALS[-1])
    _, error = process.communicate()
    assert process.returncode == 130
    assert error.decode().splitlines() == [
        f"tealeaves: error: interrupted: {partial} holds what is done; --resume continues it"
    ]
    progress = [load_relevance(partial).totals.used]
    going_on = gathering(folder, output.name, "--resume")
    process = started_gathering(going_on, partial)
    time.sleep(random.Random(os.urandom(8)).uniform(0, 0.05))
    if process.poll() is None:
        kill_group(process)
    process.communicate()
    if not output.exists():
        progress.append(load_relevance(partial).totals.used)  # whatever is left is whole
    assert progress == sorted(progress)
    assert 0 < progress[0] < BUDGET
    done = run_in_process(*going_on)
    assert done.returncode == 0, done.stderr
    assert load_relevance(output) == load_relevance(unbroken)
    assert output.read_bytes() == unbroken.read_bytes()
    assert not partial.exists()
    assert not list(folder.glob(f".{output.name}*"))
