"""``tealeaves relevance fit``: fitted, killed and resumed classifiers, bad input."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.embeddings.sources.huggingface import quiet_transformers
from tests.systems import needs_fork

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("sklearn")

PETS, CARS = ("cat", "dog", "pet", "fur"), ("car", "road", "wheel", "fuel")
SIZES = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
SHORT = ("--longest", 16, "--epochs", 3, "--patience", 3, "--batch", 4, "--rate", 0.003)
Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Leave threads and the handling of signals as they were."""
    before = torch.get_num_threads()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
    for number, handler in handlers.items():
        signal.signal(number, handler)


def _save(model: Any, folder: Path) -> None:
    pieces = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *PETS, *CARS)
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    with quiet_transformers():
        model.save_pretrained(folder)
        transformers.BertTokenizer(vocab=vocabulary).save_pretrained(folder)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with texts, with and without labels, and with models."""
    folder = tmp_path_factory.mktemp("relevance")
    random = np.random.default_rng(0)
    groups = [("pets", PETS), ("cars", CARS)] * 20
    texts = [(name, " ".join(random.choice(words, 6).tolist())) for name, words in groups]
    for file, label in [("news", None), ("plain", ""), ("same", "a")]:
        rows = [{"text": text, "label": name if label is None else label} for name, text in texts]
        (folder / f"{file}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=13, intermediate_size=20, max_position_embeddings=20, **SIZES
    )
    _save(transformers.BertForMaskedLM(config), folder / "tiny")
    config = transformers.GPT2Config(vocab_size=13, n_embd=16, n_layer=1, n_head=2, n_positions=20)
    _save(transformers.GPT2Model(config), folder / "writer")
    return folder


def _arguments(place: Path, output: Path, *more: Any, corpus: str = "news.jsonl") -> list[str]:
    given = ["-c", place / corpus, "--encoder", place / "tiny", "--device", "cpu", "-o", output]
    return ["relevance", "fit", *map(str, given), *map(str, more)]


def _only_line(done: Any) -> str:
    assert (done.code, done.out) == (2, "")
    [line] = done.err.splitlines()
    return str(line).removeprefix("tealeaves: error: ")


def test_a_probe_and_its_report(place: Path, tmp_path: Path, run: Run) -> None:
    done = run(*_arguments(place, tmp_path / "probe", "--longest", 7))
    assert (done.code, done.out) == (0, "")
    found = Classifier.open(tmp_path / "probe")
    report = found.report
    assert found.labels == ("cars", "pets")
    name, *lines = done.err.splitlines()
    assert name == f"{tmp_path / 'probe'}: tiny probe"
    assert lines[:4] == [
        f"  texts: 36 fitted on, 4 held out, of 40 in {place / 'news.jsonl'}",
        "  labels: 2 classes given with the texts",
        "  cut: 40 texts, longer than 7 word pieces",  # six words and both ends
        f"  held out: macro F1 {report['f1']:.3f}, accuracy {report['accuracy']:.3f}; the largest "
        "class has 0.500 of the texts",
    ]
    assert lines[4] == "  encoder: tiny, pooling mean"
    assert re.fullmatch(r"  time: \d+ seconds", lines[5])
    assert not lines[6:]
    assert not (tmp_path / "probe" / "checkpoints").exists()


def test_a_classifier_is_replaced_only_with_restart(place: Path, tmp_path: Path, run: Run) -> None:
    output = tmp_path / "probe"
    assert run(*_arguments(place, output, "-q")).code == 0
    kept = {path: path.read_bytes() for path in output.rglob("*") if path.is_file()}
    for more in ([], ["--seed", 1], ["--how", "mlm", *SHORT]):
        line = _only_line(run(*_arguments(place, output, *more)))
        assert line == f"{output} holds a classifier already: --restart replaces it"
    assert kept == {path: path.read_bytes() for path in output.rglob("*") if path.is_file()}
    assert run(*_arguments(place, output, "-q", "--restart", "--longest", 9)).code == 0
    assert Classifier.open(output).longest == 9
    assert (
        "is complete already"
        not in run(*_arguments(place, output, "--restart", "--longest", 9)).err
    )  # it was fitted again


def test_texts_in_another_language_are_noted(
    place: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = tmp_path / "es.jsonl"
    texts.write_text('{"text": "el gato", "language": "es"}\n')

    def none(*_: Any, **__: Any) -> Any:
        raise InputError("not fitted")

    monkeypatch.setattr("tealeaves.evidence.attention.training.fit.fit_classifier", none)
    told = "note: minilm was made for en, but the texts say es: --encoder names another"
    given = ["relevance", "fit", "-c", texts, "-o", tmp_path / "new"]
    assert run(*given).err.splitlines() == [told, "tealeaves: error: not fitted"]
    assert len(run(*given, "-q").err.splitlines()) == 1
    assert len(run(*given, "--encoder", place / "tiny").err.splitlines()) == 1


def test_clusters_and_no_words(place: Path, tmp_path: Path, run: Run) -> None:
    output = tmp_path / "probe"
    done = run(*_arguments(place, output, "--clusters", 2, "-q", corpus="plain.jsonl"))
    assert (done.code, done.out, done.err) == (0, "", "")
    assert Classifier.open(output).report["labels"] == "clusters"
    again = run(*_arguments(place, output, "--clusters", 2, "--resume", corpus="plain.jsonl"))
    assert again.code == 0
    first, _, _, labels, *_ = again.err.splitlines()
    assert first == f"{output} is complete already"
    assert labels == "  labels: 2 clusters of the texts"


def _after(steps: int) -> Callable[[], bool]:
    left = iter(range(steps - 1, -1, -1))
    return lambda: next(left, 0) == 0


@pytest.mark.parametrize("how", ["finetune", "mlm"])
def test_stopped_trainings_are_resumed_or_restarted(
    place: Path, tmp_path: Path, run: Run, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    output, whole = tmp_path / "stopped", tmp_path / "whole"
    given = ("--how", how, *SHORT)
    monkeypatch.setattr(
        "tealeaves.evidence.attention.training.fit.stop_at_signals", lambda: nullcontext(_after(13))
    )
    stopped = run(*_arguments(place, output, *given))
    monkeypatch.undo()
    training = output / "checkpoints"
    assert stopped.code == 130
    message = f"interrupted: {training} holds what is done; --resume continues it"
    assert stopped.err == f"tealeaves: error: {message}\n"
    choice = "resume (--resume) continues it, restart (--restart) starts again"
    line = f"{training}: an unfinished fit: {choice}"
    assert _only_line(run(*_arguments(place, output, *given))) == line
    line = _only_line(run(*_arguments(place, output, "--seed", 1, "--resume", *given)))
    assert "an unfinished fit of other texts, labels, weights or settings" in line
    line = _only_line(run(*_arguments(place, output)))  # a probe
    assert line.startswith(f"{training}: an unfinished training: a probe with --restart replaces")
    bad = run(*_arguments(place, output, "--restart", "--texts", 0, *given))
    assert _only_line(bad) == "texts must be at least 1, not 0"
    assert training.exists()  # nothing is forgotten for what cannot be done

    assert run(*_arguments(place, output, "--resume", *given)).code == 0
    assert not training.exists()
    assert run(*_arguments(place, whole, *given)).code == 0
    assert Classifier.open(output) == Classifier.open(whole)
    done = run(*_arguments(place, whole, "--resume", *given))
    assert (done.code, done.err.splitlines()[0]) == (0, f"{whole} is complete already")
    line = _only_line(run(*_arguments(place, whole, "--seed", 1, "--resume", *given)))
    assert line == f"{whole}: a classifier of other texts or settings: restart (--restart) " + (
        "replaces it"
    )
    assert run(*_arguments(place, whole, "--seed", 1, "--restart", *given)).code == 0
    assert Classifier.open(output) != Classifier.open(whole)


def test_output_of_training(place: Path, tmp_path: Path, run: Run) -> None:
    done = run(*_arguments(place, tmp_path / "mlm", "--how", "mlm", "--preset", "lenta", *SHORT))
    found = Classifier.open(tmp_path / "mlm").report
    assert f"  held out: perplexity {found['perplexity']:.4g}, " in done.err
    assert f"  epochs: 3, of which number {found['best_epoch']} is kept" in done.err
    assert (found["settings"]["batch"], found["settings"]["rate"]) == (4, 0.003)
    # the head of the encoder is what it began with
    with quiet_transformers():
        model = transformers.AutoModelForMaskedLM.from_pretrained(place / "tiny")
    weight = model.cls.predictions.transform.dense.weight.detach()
    kept = Classifier.open(tmp_path / "mlm").head.steps[0].weight
    assert float((kept - weight).abs().max()) < 0.15  # 30 steps of 0.003 at most


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            ["--labels", "given"],
            "no text has a label: name the field of labels (--label-field), or",
        ),
        (
            ["--label-field", "topic"],
            "no text has a label in the field 'topic': name the field of labels (--label-field)",
        ),
        (["--clusters", 50], "40 texts for 50 clusters: give more texts, or fewer clusters"),
        (["--clusters", 1], "clusters must be at least 2, not 1"),
        (["--preset", "20ng"], "--preset has no effect without --how finetune or --how mlm"),
        (["--encoder", "./nothing"], "./nothing: no such folder, and no name of the hub"),
        (["--encoder", "no such model"], "no such model: this model is not on this machine and"),
        (["--device", "cuda:7"], "device cuda:7: torch cannot use it here; cpu is always there"),
        (["--tokens", "wrds"], "wrds"),
        (["--resume", "--restart"], "give either resume (--resume) or restart"),
        (["--how", "mlm", "--rate", -1], "rate must be a number of more than 0, not -1"),
    ],
)
def test_wrong_input_is_one_line_and_leaves_nothing(
    place: Path, tmp_path: Path, run: Run, more: list[Any], message: str
) -> None:
    line = _only_line(run(*_arguments(place, tmp_path / "new", *more, corpus="plain.jsonl")))
    assert message in line
    assert not list(tmp_path.iterdir())


def test_models_and_folders_that_cannot_be_used(place: Path, tmp_path: Path, run: Run) -> None:
    def line(output: Path, *more: Any, corpus: str = "news.jsonl") -> str:
        return _only_line(run(*_arguments(place, output, *more, corpus=corpus)))

    assert "the attention of gpt2 cannot be followed" in line(
        tmp_path / "new", "--encoder", place / "writer"
    )
    assert line(tmp_path / "new", corpus="same.jsonl").startswith(
        "all labelled texts are of the class a: use clusters (--labels clusters)"
    )
    assert line(place) == f"{place}: it holds something else (news.jsonl): name a new or an " + (
        "empty folder"
    )
    assert "a file, where a folder for the classifier is needed" in line(place / "plain.jsonl")
    assert line(place / "plain.jsonl" / "new") == f"{place / 'plain.jsonl'}: a file, not a folder"
    assert _only_line(run("relevance", "fit", "-o", tmp_path / "new")) == (
        "give the texts with --corpus"
    )
    assert not list(tmp_path.iterdir())


# Children are forked, so that torch is imported once: a first run in the parent sees to that.
_DRIVER = """
import json, os, random, signal, sys, time
from pathlib import Path
from tealeaves.cli.main import main
jobs, seed = json.loads(sys.argv[1]), int(sys.argv[2])
draw = random.Random(seed)
last = Path("checkpoints", "checkpoint.safetensors")

def run(name, *more):
    try:
        main([*arguments, "--checkpoint", "0", "-o", str(folder / name), *more])
    except SystemExit as ended:
        return ended.code

def child(name, *more):
    number = os.fork()
    if not number:
        os.dup2(os.open(folder / f"{name}.err", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        os._exit(run(name, *more))
    return number

def ended(number):
    return os.waitid(os.P_PID, number, os.WEXITED | os.WNOHANG | os.WNOWAIT)

def end(number, how):
    os.kill(number, how)
    return os.waitpid(number, 0)[1]

def changed(path):
    return path.stat().st_mtime_ns if path.exists() else 0

def kill_after(path, times):
    # some milliseconds after a file was written so many times; 0: at the start of a run
    number, known = child("killed", "--resume", "-q"), changed(path)
    while times and not ended(number):
        found = changed(path)
        times -= found != known
        known = found
        time.sleep(0.0005)
    time.sleep(draw.uniform(0, 0.02))
    return os.WIFSIGNALED(end(number, signal.SIGKILL))

def hindered(killed):
    kills = [kill_after(killed / last, 0)]
    kills += [kill_after(killed / last, draw.randint(1, 5)) for _ in range(4)]
    kills.append(kill_after(killed / "classifier.json", 1))  # while it is saved
    status = os.waitpid(child("killed", "--resume", "-q"), 0)[1]
    codes = [os.WEXITSTATUS(status)]
    for how in (signal.SIGINT, signal.SIGTERM):
        number = child(how.name, "--epochs", "1000", "--patience", "1000")
        while not ((folder / how.name / last).exists() or ended(number)):
            time.sleep(0.001)
        codes.append(os.waitstatus_to_exitcode(end(number, how)))
    return kills, codes

found = []
for arguments, place in jobs:
    folder = Path(place)
    assert run("first", "-q") == 0
    assert os.waitpid(child("whole"), 0)[1] == 0
    found.append(hindered(folder / "killed"))
print(json.dumps(found))
"""
RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID") or os.urandom(4).hex()
SEED = int(os.environ.get("TEALEAVES_SEED") or int(RUN, 16) % 2**32)


@needs_fork
@pytest.mark.parametrize("seed", [SEED])
def test_resuming_after_kills_gives_the_result_of_a_full_run(
    place: Path, tmp_path: Path, seed: int
) -> None:
    jobs = []
    for how in ("finetune", "mlm"):
        folder = tmp_path / how
        folder.mkdir()
        jobs.append((_arguments(place, folder, "--how", how, *SHORT), str(folder)))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _DRIVER, json.dumps(jobs), str(seed)],
        capture_output=True, text=True, timeout=600, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for (_, where), (kills, codes) in zip(jobs, json.loads(done.stdout), strict=True):
        assert codes == [0, 130, 130], (Path(where) / "killed.err").read_text()
        assert all(kills[:5])  # the last may have come too late
        _check_killed(Path(where))


def _check_killed(folder: Path) -> None:
    whole, killed = (
        json.loads((folder / name / "classifier.json").read_text()) for name in ("whole", "killed")
    )
    assert killed["fingerprint"] == whole["fingerprint"]
    assert killed["files"] == whole["files"]
    for report in (killed["report"], whole["report"]):
        report.pop("seconds")
    assert killed["report"] == whole["report"]
    left = {path.name for path in (folder / "killed").iterdir()}
    assert left == {path.name for path in (folder / "whole").iterdir()}
    for name in ("SIGINT", "SIGTERM"):
        kept = f"{folder / name / 'checkpoints'} holds what is done; --resume continues it"
        message = f"tealeaves: error: interrupted: {kept}\n"
        assert (folder / f"{name}.err").read_text() == message
