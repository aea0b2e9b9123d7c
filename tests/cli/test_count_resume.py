"""A killed ``tealeaves count`` leaves no incomplete output and can be resumed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tealeaves.errors import InputError
from tealeaves.evidence import load_counts
from tealeaves.text.files import content_identity
from tests.systems import SENT_SIGNALS, kill_group, started

from .in_process import run_in_process

WORDS = [f"w{number}" for number in range(60)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus that takes a few seconds, in two files, and topics for it."""
    folder = tmp_path_factory.mktemp("resume")
    rng = random.Random(1)
    for name in ("one", "two"):
        with (folder / f"{name}.txt").open("w") as stream:
            for _ in range(40_000):
                stream.write(" ".join(rng.choices(WORDS, k=40)) + "\n")
    lines = [" ".join(rng.sample(WORDS, 10)) for _ in range(20)]
    (folder / "topics.txt").write_text("\n".join(lines))
    return folder


def counting(folder: Path, output: str, *more: str) -> list[str]:
    texts = ["-c", str(folder / "one.txt"), "-c", str(folder / "two.txt")]
    return [
        *["count", str(folder / "topics.txt"), *texts],
        *["--tokens", "tokens", "-m", "npmi@10 c_npmi@10", "-o", str(folder / output)],
        *["--checkpoint", "0", *more],
    ]


@pytest.fixture(scope="module")
def unbroken(folder: Path) -> Path:
    """The counts of a run that nobody killed."""
    done = run_in_process(*counting(folder, "unbroken.counts"))
    assert done.returncode == 0, done.stderr
    return folder / "unbroken.counts"


def process(arguments: list[str]) -> list[str]:
    """Return the command of a process of its own."""
    return [sys.executable, "-m", "tealeaves", *arguments]


def kill_while_counting(arguments: list[str], partial: Path, delay: float) -> None:
    """Kill a count ``delay`` seconds after it has saved something new."""
    before = partial.stat().st_mtime_ns if partial.exists() else 0
    running = started(
        process(arguments),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while running.poll() is None:
        if partial.exists() and partial.stat().st_mtime_ns != before:
            time.sleep(delay)
            break
        time.sleep(0.001)
    if running.poll() is None:
        kill_group(running)
    running.wait()


@pytest.mark.parametrize("threads", [1, 4])
def test_resuming_after_kills_gives_the_same_counts(
    folder: Path, unbroken: Path, threads: int
) -> None:
    output = folder / f"killed{threads}.counts"
    going_on = counting(folder, output.name, "--resume", "--threads", str(threads))
    partial = output.with_name(output.name + ".partial")
    rng = random.Random(os.urandom(8))
    progress = []
    for _ in range(3):
        delay = rng.uniform(0, 0.3)
        kill_while_counting(going_on, partial, delay)
        if output.exists():
            break
        # whatever a killed run leaves is whole
        progress.append(load_counts(partial)[0].totals.documents)
    assert progress, "no kill hit a running count"
    assert progress == sorted(progress)
    assert 0 < progress[0] < 80_000
    going_on[-1] = str(5 - threads)  # with other threads than before
    done = run_in_process(*going_on)
    assert done.returncode == 0, done.stderr
    assert load_counts(output) == load_counts(unbroken)
    assert output.read_bytes() == unbroken.read_bytes()
    assert not partial.exists()
    assert not list(folder.glob(f".{output.name}*.tmp"))


def test_a_killed_count_leaves_no_output(folder: Path) -> None:
    output = folder / "half.counts"
    partial = folder / "half.counts.partial"
    kill_while_counting(counting(folder, output.name), partial, 0)
    assert partial.exists()
    with pytest.raises(InputError, match="no such file"):
        load_counts(output)


@pytest.mark.parametrize("sent", SENT_SIGNALS)
def test_an_interrupted_count_names_the_partial_file(
    folder: Path, unbroken: Path, sent: signal.Signals
) -> None:
    partial = folder / "stopped.counts.partial"
    running = started(
        process(counting(folder, "stopped.counts")),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    while running.poll() is None and not partial.exists():
        time.sleep(0.001)
    running.send_signal(sent)
    _, error = running.communicate()
    assert running.returncode == 130
    assert error.decode().splitlines() == [
        f"tealeaves: error: interrupted: {partial} holds what is done; --resume continues it"
    ]
    assert run_in_process(*counting(folder, "stopped.counts", "--resume")).returncode == 0
    assert (folder / "stopped.counts").read_bytes() == unbroken.read_bytes()
    (folder / "stopped.counts").unlink()


def test_a_count_for_fewer_metrics_is_not_resumed(folder: Path, unbroken: Path) -> None:
    for name in ("fewer.counts.partial", "whole.counts"):
        (folder / name).write_bytes(unbroken.read_bytes())
        output = name.removesuffix(".partial")
        arguments = counting(folder, output, "--resume")
        arguments[arguments.index("npmi@10 c_npmi@10")] = "npmi@10"
        done = run_in_process(*arguments)
        assert done.returncode == 2
        assert "other" in done.stderr
        assert (folder / name).read_bytes() == unbroken.read_bytes()


def test_unfinished_work_is_not_discarded(folder: Path, unbroken: Path) -> None:
    (folder / "old.counts.partial").write_bytes(unbroken.read_bytes())
    done = run_in_process(*counting(folder, "old.counts"))
    assert done.returncode == 2
    assert "--resume continues it, --restart starts again" in done.stderr
    assert (folder / "old.counts.partial").exists()
    done = run_in_process(*counting(folder, "old.counts", "--restart"))
    assert done.returncode == 0
    assert (folder / "old.counts").read_bytes() == unbroken.read_bytes()


def test_resuming_a_complete_count_does_nothing(folder: Path, unbroken: Path) -> None:
    done = run_in_process(*counting(folder, unbroken.name, "--resume"))
    assert done.returncode == 0
    assert "is complete already" in done.stderr


def test_texts_that_were_replaced_are_not_taken_for_those_that_were_counted(
    folder: Path, unbroken: Path
) -> None:
    """Also where the samples by which files are told apart have not changed."""
    texts, before = folder / "one.txt", content_identity(folder / "one.txt")
    original = texts.read_bytes()
    start, end = 70_000, 80_000  # between the first sample and the second
    changed = original[start:end].replace(b" w1 ", b" w2 ")
    try:
        texts.write_bytes(original[:start] + changed + original[end:])
        assert texts.read_bytes() != original
        assert content_identity(texts) == before
        done = run_in_process(*counting(folder, unbroken.name, "--resume"))
    finally:
        texts.write_bytes(original)
    assert done.returncode == 2
    assert "unbroken.counts holds the counts of other texts than" in done.stderr
    assert "--restart" in done.stderr


def test_another_count_is_not_resumed(folder: Path, unbroken: Path) -> None:
    (folder / "other.counts.partial").write_bytes(unbroken.read_bytes())
    arguments = counting(folder, "other.counts", "--resume")
    arguments[arguments.index("npmi@10 c_npmi@10")] = "npmi@5 c_npmi@5"
    done = run_in_process(*arguments)
    assert done.returncode == 2
    assert "was for other words, metrics or windows" in done.stderr
