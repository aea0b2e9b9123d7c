"""``tealeaves train pltm``: texts in several languages, stopped and resumed runs."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tealeaves.models import train
from tealeaves.text.paired import PairedCorpus
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.reading import read_topics
from tests.systems import SENT_SIGNALS, kill_group, started

from .conftest import Done

LANGUAGES = ("en", "sv")
SETTINGS = ("--set", "iterations=150", "--set", "chains=2", "--set", "max_df=1")
ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Texts in two languages, of which five lack Swedish."""
    folder = tmp_path_factory.mktemp("pltm")
    draw = random.Random(1)
    for language in LANGUAGES:
        with (folder / f"{language}.jsonl").open("w") as stream:
            for number in range(60):
                words = [
                    f"{language}{chr(97 + draw.randrange(8) + number % 3 * 8)}" for _ in range(9)
                ]
                if language == "en" or number % 12:
                    record = {"id": f"d{number}", "text": " ".join(words)}
                    stream.write(json.dumps(record) + "\n")
    return folder


def arguments(folder: Path, output: str, *more: str) -> list[str]:
    texts = [f"--corpus={language}={folder / f'{language}.jsonl'}" for language in LANGUAGES]
    return [
        *["train", "pltm", "-k", "3", *texts, *SETTINGS],
        *["-o", str(folder / output), *more],
    ]


def process_command(*given: str) -> list[str]:
    """Return the command of a process of its own, which saves after each sweep."""
    return [sys.executable, "-W", "error", "-m", "tealeaves", *given, "--checkpoint", "0"]


@pytest.fixture(scope="module")
def unbroken(folder: Path) -> Path:
    """The topics of a run that nobody stopped."""
    command = process_command(*arguments(folder, "unbroken.topics", "--threads", "1"))
    done = subprocess.run(command, capture_output=True, text=True, env=ONE_THREAD)
    assert done.returncode == 0, done.stderr
    return folder / "unbroken.topics"


def test_the_saved_model_is_the_trained_model(
    folder: Path, unbroken: Path, run: Callable[..., Done]
) -> None:
    done = run(*arguments(folder, "one.json"))
    assert done.code == 0, done.err
    paired = PairedCorpus.open({name: folder / f"{name}.jsonl" for name in LANGUAGES})
    expected = train("pltm(k=3, iterations=150, chains=2, max_df=1)", paired)
    assert isinstance(expected, MultilingualTopics)
    for file in (folder / "one.json", unbroken):
        saved = read_topics(file)
        assert saved == expected
        assert saved.digest == expected.digest
    assert not (folder / "one.json.partial").exists()
    assert expected.document_ids is not None
    assert expected.document_ids[:2] == ("d0", "d1")
    lines = done.out.splitlines()
    assert len(lines) == 6  # a line for each topic and language
    for number in range(3):
        english, swedish = lines[2 * number : 2 * number + 2]
        assert f"tuples  en: {' '.join(expected.side('en')[number].words[:10])}" in english
        assert swedish.strip() == f"sv: {' '.join(expected.side('sv')[number].words[:10])}"
        assert english.index("en:") == swedish.index("sv:")
    notes = done.err.splitlines()
    assert notes[0].startswith("note: stop words stay in the texts: ")  # with max_df=1
    assert notes[1].startswith("note: log-likelihoods -")
    assert notes[1].endswith(("the chain of seed 1 is kept", "the chain of seed 2 is kept"))
    assert notes[2] == f"note: {folder / 'one.json'}: {expected.family} of 60 tuples"


def start_training(command: list[str], partial: Path) -> subprocess.Popen[bytes]:
    """Start a run, and wait until it has saved something new."""
    before = partial.stat().st_mtime_ns if partial.exists() else 0
    running = started(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=ONE_THREAD,
    )
    while running.poll() is None:
        if partial.exists() and partial.stat().st_mtime_ns != before:
            break
        time.sleep(0.001)
    return running


def test_resuming_after_kills_gives_the_same_bytes(folder: Path, unbroken: Path) -> None:
    output, partial = folder / "killed.topics", folder / "killed.topics.partial"
    going_on = process_command(*arguments(folder, output.name, "--resume", "--threads", "2"))
    draw = random.Random(os.urandom(8))
    kills = 0
    for _ in range(3):
        running = start_training(going_on, partial)
        time.sleep(draw.uniform(0, 0.3))
        if running.poll() is None:
            kill_group(running)
        running.communicate()
        if output.exists():
            break
        kills += 1
    assert kills, "no kill hit a running training"
    done = subprocess.run(going_on, capture_output=True, text=True, env=ONE_THREAD)
    assert done.returncode == 0, done.stderr
    assert output.read_bytes() == unbroken.read_bytes()
    assert not partial.exists()
    assert not list(folder.glob(f".{output.name}*"))


@pytest.mark.parametrize("sent", SENT_SIGNALS)
def test_an_interrupted_run_names_the_partial_file(
    folder: Path, unbroken: Path, run: Callable[..., Done], sent: signal.Signals
) -> None:
    output, partial = folder / f"{sent.name}.topics", folder / f"{sent.name}.topics.partial"
    running = start_training(process_command(*arguments(folder, output.name, "-q")), partial)
    running.send_signal(sent)
    _, error = running.communicate()
    assert running.returncode == 130
    assert error.decode().splitlines() == [
        f"tealeaves: error: interrupted: {partial} holds what is done; --resume continues it"
    ]
    kept = partial.read_bytes()
    for more, message in [
        ((), f"{partial} is an unfinished training: --resume continues it, --restart starts again"),
        (("--resume", "--set", "alpha=1"), "belongs to another training: its model is pltm(k=3"),
        (("--resume", "--tokens", "tokens"), "belongs to another training: its tokens are"),
        (("--resume", "--links", "line"), "sv.jsonl 55: "),
        (("--resume", "--restart"), "give either resume (--resume) or restart"),
    ]:
        done = run(*arguments(folder, output.name, "-q", *more))
        assert done.code == 2
        assert message in done.err
        assert done.err.count("\n") == 1
        assert partial.read_bytes() == kept
    done = run(*arguments(folder, output.name, "--resume"))
    assert done.code == 0, done.err
    assert output.read_bytes() == unbroken.read_bytes()
    assert not partial.exists()


def test_restart_starts_from_the_beginning(
    folder: Path, unbroken: Path, run: Callable[..., Done]
) -> None:
    output, partial = folder / "anew.topics", folder / "anew.topics.partial"
    partial.write_text("damaged")
    done = run(*arguments(folder, output.name, "--resume"))
    assert done.code == 2
    assert "not a complete file of an unfinished training" in done.err
    done = run(*arguments(folder, output.name, "--restart"))
    assert done.code == 0, done.err
    assert output.read_bytes() == unbroken.read_bytes()
    assert not partial.exists()


def test_resuming_a_complete_training_does_nothing(
    folder: Path, unbroken: Path, run: Callable[..., Done]
) -> None:
    before = unbroken.stat().st_mtime_ns
    done = run(*arguments(folder, unbroken.name, "--resume"))
    assert (done.code, done.err) == (0, f"note: {unbroken} is complete already\n")
    others = [("--set", "beta=0.1"), ("--seed", "9"), ("--tokens", "sv=words(min_length=3)")]
    for more in [*others, ("--samples", "2")]:
        done = run(*arguments(folder, unbroken.name, "--resume", *more))
        assert done.code == 2
        assert f"{unbroken} holds other topics: --restart replaces them" in done.err
    assert unbroken.stat().st_mtime_ns == before


def test_one_language_is_plain_lda(folder: Path, run: Callable[..., Done]) -> None:
    command = ["train", "pltm", "-k", "3", "-c", str(folder / "en.jsonl"), *SETTINGS]
    done = run(*command, "-o", str(folder / "lda.topics"), "-q")
    assert (done.code, done.err) == (0, "")
    saved = read_topics(folder / "lda.topics")
    assert not isinstance(saved, MultilingualTopics)
    assert saved.documents == 60
    assert saved.assignments is not None
    assert " texts  en" in done.out.splitlines()[0]
    done = run(*command, "-o", str(folder / "lda.topics"), "--resume")
    assert "is complete already" in done.err


def test_tokens_of_one_language(folder: Path, run: Callable[..., Done]) -> None:
    tokens = ["--tokens", "sv=words(min_length=2)", "--set", "iterations=2"]
    given = [one for one in arguments(folder, "tokens.topics") if one != "iterations=150"]
    given.remove("--set")
    done = run(*given, *tokens)
    assert done.code == 0, done.err
    saved = read_topics(folder / "tokens.topics")
    assert isinstance(saved, MultilingualTopics)
    assert [side.tokens for side in saved.by_language.values()] == ["words", "words(min_length=2)"]


def test_the_list_has_pltm(run: Callable[..., Done]) -> None:
    done = run("train", "--list")
    assert "pltm: polylingual topic model" in done.out
    assert "pltm(k=20, seed=1, " in done.out
    assert "Mimno et al. 2009" in done.out


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            ["lda", "-c", "en=en.jsonl", "-c", "sv=sv.jsonl"],
            "train pltm, or give the texts of one language, as in --corpus en.jsonl (in Python",
        ),
        (["lda", "-c", "en.jsonl", "--resume"], "resume is for pltm, not for lda"),
        (["lda", "-c", "en.jsonl", "--threads", "2"], "threads is for pltm, not for lda"),
        (
            ["pltm", "-c", "en=en.jsonl", "-c", "sv.jsonl"],
            "say the language of each",
        ),
        (["pltm", "-c", "en.jsonl", "--links", "id"], "--links is for texts in several languages"),
        (["pltm", "-c", "en=en.jsonl", "-c", "sv=no.jsonl"], "no.jsonl: no such file"),
        (["pltm", "-k", "99", "-c", "en=en.jsonl", "-c", "sv=sv.jsonl"], "more topics than texts"),
        (
            ["pltm", "-c", "en=en.jsonl", "--tokens", "tr=words"],
            "tokens for tr, but the texts",
        ),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    folder: Path,
    run: Callable[..., Done],
    monkeypatch: pytest.MonkeyPatch,
    given: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(folder)
    done = run("train", *given, "-q")
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1
