"""``tealeaves select``: the choice, killed and resumed runs, bad input."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tealeaves import read_topics
from tests.systems import SENT_SIGNALS, kill_group, started

from .in_process import run_in_process

BASE = [sys.executable, "-W", "error", "-m", "tealeaves", "select"]


def run(*arguments: str | Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return run_in_process("select", *arguments, folder=folder)


def grid(playground: Path, output: str, *more: str) -> list[str]:
    return [
        *["--model", "lda(iterations=300)", "-k", "4:10:2", "--runs", "3", "--format", "jsonl"],
        *["-c", str(playground / "en.jsonl"), "-m", "npmi@10 umass@5", "-o"],
        *[str(playground / output), *more],
    ]


@pytest.fixture(scope="module")
def unbroken(playground: Path) -> subprocess.CompletedProcess[str]:
    """A run that nobody killed."""
    done = run(*grid(playground, "unbroken"))
    assert done.returncode == 0, done.stderr
    return done


def state(folder: Path) -> dict[str, tuple[int, int, str]]:
    """Return inode, time and digest of each model that is there."""
    return {
        path.name: (
            path.stat().st_ino,
            path.stat().st_mtime_ns,
            hashlib.sha256(path.read_bytes()).hexdigest(),
        )
        for path in folder.glob("*.topics")
    }


def kill_while_training(arguments: list[str], folder: Path, more: int, delay: float) -> None:
    """Kill a run ``delay`` seconds after it has saved so many more models."""
    before = len(list(folder.glob("*.topics")))
    process = started([*BASE, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        if len(list(folder.glob("*.topics"))) >= before + more:
            time.sleep(delay)
            break
        time.sleep(0.001)
    if process.poll() is None:
        kill_group(process)
    process.wait()


# drawn anew each run, the same in all processes that share a run; the name of the test tells it,
# and TEALEAVES_SEED sets it again
RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID") or os.urandom(4).hex()
SEED = int(os.environ.get("TEALEAVES_SEED") or int(RUN, 16) % 2**32)


@pytest.mark.parametrize("seed", [SEED])
def test_resuming_after_kills_does_not_train_models_again(
    playground: Path, unbroken: subprocess.CompletedProcess[str], seed: int
) -> None:
    folder = playground / "killed"
    going_on = grid(playground, "killed", "--resume")
    rng = random.Random(seed)
    progress = []
    known: dict[str, tuple[int, int, str]] = {}
    for _ in range(4):
        kill_while_training(going_on, folder, rng.randint(1, 2), rng.uniform(0, 0.1))
        trained = state(folder)
        assert known.items() <= trained.items(), "a model that was done was trained again"
        for name in trained:  # whatever a killed run leaves is whole
            assert len(read_topics(folder / name)) == int(name.split("-")[1])
        progress.append(len(trained))
        known = trained
    assert 0 < progress[0] < 12, "no kill hit a running training"
    assert progress == sorted(progress)
    done = run(*going_on)
    assert done.returncode == 0, done.stderr
    assert known.items() <= state(folder).items()
    assert len(state(folder)) == 12
    assert done.stdout == unbroken.stdout
    digests = {name: facts[2] for name, facts in state(folder).items()}
    assert digests == {name: facts[2] for name, facts in state(playground / "unbroken").items()}
    assert not list(folder.glob(".*.tmp"))


@pytest.mark.parametrize("number", SENT_SIGNALS)
def test_an_interrupted_selection_names_the_kept_models(
    playground: Path, number: signal.Signals
) -> None:
    folder = playground / number.name
    process = started(
        [*BASE, *grid(playground, number.name, "--runs", "500", "-q")],  # not done in time
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while process.poll() is None and not list(folder.glob("*.topics")):
        time.sleep(0.001)
    process.send_signal(number)
    _, error = process.communicate()
    assert process.returncode == 130
    assert error.decode().splitlines() == [
        f"tealeaves: error: interrupted: {folder} holds the models that are trained; "
        "--resume continues it"
    ]


def test_interrupted_before_the_first_model(playground: Path) -> None:
    code = "import signal, tealeaves.models.selection.search as search\n"
    code += "search.read_texts = lambda *_, **__: signal.raise_signal(signal.SIGTERM)\n"
    code += "from tealeaves.cli.main import main\n"
    code += "main(['select', '-k', '4', '-c', 'en.jsonl', '-o', 'never', '-q'])"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, cwd=playground, text=True)
    assert done.returncode == 130
    assert done.stderr == "tealeaves: error: interrupted: nothing was saved yet\n"
    assert not (playground / "never").exists()


def test_rows_and_the_choice(unbroken: subprocess.CompletedProcess[str], playground: Path) -> None:
    rows = [json.loads(line) for line in unbroken.stdout.splitlines()]
    assert [(row["k"], row["metric"]) for row in rows[:3]] == [
        (4, "npmi@10"),
        (4, "umass@5"),
        (6, "npmi@10"),
    ]
    assert all(row["low"] < row["mean"] < row["high"] for row in rows)
    means = {row["k"]: row["mean"] for row in rows if row["metric"] == "npmi@10"}
    best = max(means, key=lambda k: means[k])
    assert {row["k"] for row in rows if row["chosen"]} == {best}
    assert f"Take lda(k={best}, iterations=300): its npmi@10 (weighted by documents)" in (
        unbroken.stderr
    )
    assert f"Its best run: {playground / 'unbroken'}/lda-{best}-" in unbroken.stderr


def test_table_chart_and_other_metrics_of_trained_models(
    playground: Path, unbroken: subprocess.CompletedProcess[str]
) -> None:
    del unbroken
    before = state(playground / "unbroken")
    arguments = grid(playground, "unbroken", "--resume", "--plot", "unbroken/k.svg")
    arguments[arguments.index("jsonl")] = "table"
    arguments[arguments.index("npmi@10 umass@5")] = "c_v@10"
    done = run(*arguments, folder=playground)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["model", "k", "c_v@10", "↑"]
    assert [line.split()[1] for line in lines[1:5]] == ["4", "6", "8", "10"]
    assert all("±" in line for line in lines[1:5])
    assert lines[5].startswith("±: 95 % interval, variance of runs pooled over all candidates")
    assert any(line.startswith("Take lda(k=") for line in lines)
    assert (playground / "unbroken" / "k.svg").read_text().startswith("<svg")
    assert state(playground / "unbroken") == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-k", "5"], "give the texts with --corpus"),
        (["-c", "en.jsonl"], "lda: give the numbers of topics with -k"),
        (["-c", "en.jsonl", "-k", "5", "--model", "lda(k=9)"], "leave out k, which -k sets"),
        (["-c", "en.jsonl", "-k", "5", "--model", "lda(seed=9)"], "leave out seed, which --seed"),
        (["-c", "en.jsonl", "-k", "5", "-m", "posterior_stability"], "try lda(samples=10)"),
        (["-c", "nowhere.txt", "-k", "5", "--plot", "selection/k.svg"], "nowhere.txt: no such"),
        (["-c", "en.jsonl", "-k", "500", "--plot", "selection/k.svg"], "more topics than texts"),
        (["-c", "en.jsonl", "-k", "5:x"], "k 5:x: not a grid"),
        (["-c", "en.jsonl", "-k", "10:5"], "10:5 holds no number"),
        (["-c", "en.jsonl", "-k", "500"], "more topics than texts"),
        (["-c", "en.jsonl", "-k", "5", "--model", "lad"], "did you mean lda?"),
        (["-c", "en.jsonl", "-k", "5", "-m", "npim"], "did you mean npmi?"),
        (["-c", "nowhere.txt", "-k", "5"], "nowhere.txt: no such file"),
        (["-c", "empty.txt", "-k", "5"], "the corpus is empty"),
        (["-c", "en.jsonl", "-k", "5", "-o", "no/where"], "no: no such folder: make it first"),
        (["-c", "en.jsonl", "-k", "5", "-o", "en.jsonl"], "a file, not a folder"),
        (["-c", "en.jsonl", "-k", "5", "-o", "topics"], "holds other files"),
        (["-c", "en.jsonl", "-k", "5", "--plot", "x.gif"], ".html, .svg, .png or .pdf"),
        (["-c", "en.jsonl", "-k", "5", "--plot", "no/x.svg"], "no: no such folder: make it first"),
        (
            ["-c", "en.jsonl", "-k", "5", "--resume", "--restart"],
            "give either resume (--resume) or restart",
        ),
        (["-c", "en.jsonl", "-k", "5", "--weight", "words"], "'words' is not one of"),
        (["-c", "en.jsonl", "-k", "5", "-o", "unbroken"], "--resume continues it, --restart"),
        (["-c", "es.jsonl", "-k", "5", "-o", "unbroken", "--resume"], "the texts differ"),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    playground: Path,
    unbroken: subprocess.CompletedProcess[str],
    arguments: list[str],
    message: str,
) -> None:
    del unbroken
    (playground / "empty.txt").write_text("")
    done = run(*arguments, folder=playground)
    assert done.returncode == 2
    errors = [line for line in done.stderr.splitlines() if not line.startswith("note:")]
    assert len(errors) == 1, done.stderr
    assert message in errors[0]
    assert done.stdout == ""
    assert not (playground / "selection").exists()


def test_a_model_that_finds_its_number_of_topics_needs_no_grid(playground: Path) -> None:
    arguments = ["--model", "hdp(iterations=30)", "--runs", "2", "-c", "en.jsonl", "-o", "hdp"]
    done = run(*arguments, "--plot", "hdp/k.svg", "--format", "json", folder=playground)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["best"]["model"] == "hdp(iterations=30)"
    assert "Only hdp(iterations=30) was tried" in done.stderr
    assert (playground / "hdp" / "k.svg").exists()


def test_a_damaged_model_is_trained_again_with_a_note(playground: Path) -> None:
    arguments = ["--model", "lda(iterations=30)", "-k", "4,6", "--runs", "1", "-c", "en.jsonl"]
    arguments += ["-o", "damaged", "-q", "--format", "jsonl"]
    first = run(*arguments, folder=playground)
    (playground / "damaged" / "lda-6-1.topics").write_bytes(b"PK\x03\x04 no more")
    command = [sys.executable, "-m", "tealeaves", "select", *arguments, "--resume"]
    done = subprocess.run(command, capture_output=True, cwd=playground, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == first.stdout
    warned = [line for line in done.stderr.splitlines() if "warning" in line]
    assert len(warned) == 1
    assert warned[0].startswith("tealeaves: warning: damaged/lda-6-1.topics: ")
    assert warned[0].endswith("it is trained again")


def test_the_help_has_examples_and_is_light() -> None:
    code = "from tealeaves.cli.main import cli; cli(['select', '--help'], standalone_mode=False)"
    code += "\nimport sys; assert not {'numpy', 'msgspec', 'altair'} & set(sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "tealeaves select --model lda -k 5:60:5 --corpus" in done.stdout
    assert "-c texts.csv --text-field body" in done.stdout
