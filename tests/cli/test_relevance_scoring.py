"""``tealeaves score --relevance`` with files of relevance and with classifiers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tealeaves
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.classifiers.record import record_of

Run = Callable[..., Any]
FOUR = ["lrp_sum@10", "attention_sum@10", "relevance_count@10", "cooccurrence@10"]


@pytest.fixture(scope="module")
def folder(
    tmp_path_factory: pytest.TempPathFactory, tiny_classifier: Callable[..., Classifier]
) -> Path:
    """Texts, topics, a classifier that was fitted with `tokens`, and relevance."""
    folder = tmp_path_factory.mktemp("scoring")
    (folder / "texts.txt").write_text("w1 w2 w3s\nw3s w2 w9 w30 w31\n" * 5)
    (folder / "topics.txt").write_text("w1 w2 w3s\nw2 w3s w9\n")
    classifier = tiny_classifier()
    classifier.save(folder / "tiny")
    corpus = tealeaves.Corpus.open(folder / "texts.txt")
    for name, improved in (("whole", True), ("short", False)):
        found = tealeaves.relevance(
            folder / "topics.txt", corpus, classifier=classifier, improved=improved, device="cpu"
        )
        found.save(folder / f"{name}.relevance")
    return folder


def check_error(done: Any, message: str) -> None:
    """Check that a command ended with a one-line error that contains the message."""
    assert done.code == 2, done.err
    [line] = done.err.splitlines()
    assert line.startswith("tealeaves: error: ")
    assert message in line


def scored(run: Run, folder: Path, *more: object) -> Any:
    return run("score", folder / "topics.txt", "--format", "jsonl", *more)


def metrics_of(done: Any) -> list[str]:
    assert done.code == 0, done.err
    return [json.loads(line)["metric"] for line in done.out.splitlines()]


def test_default_metrics_are_those_that_were_gathered(run: Run, folder: Path) -> None:
    done = scored(run, folder, "--relevance", folder / "whole.relevance")
    assert metrics_of(done) == [*FOUR, "improved_lrp_sum@10"]
    assert "warning" not in done.err  # the words are looked for with the tokens of the relevance
    done = scored(run, folder, "--relevance", folder / "short.relevance")
    assert metrics_of(done) == FOUR


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("en.relevence", "no such file of relevance or folder of a classifier: en.relevence"),
        ("en.relevance", "en.relevance: no such file of relevance"),
    ],
)
def test_typing_errors_are_reported_without_the_network(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    def asked(*_: Any, **__: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr("tealeaves.evidence.attention.classifiers.encoders.fetch_model", asked)
    check_error(scored(run, folder, "--relevance", name), message)
    texts = ["-c", folder / "texts.txt"]
    check_error(scored(run, folder, "--relevance", name, *texts, "-m", "lrp_sum@3"), message)


def test_other_files_are_refused(run: Run, folder: Path) -> None:
    done = scored(run, folder, "--relevance", folder / "texts.txt")
    check_error(done, "texts.txt: not a file of relevance (`tealeaves relevance gather` makes it)")


def test_a_classifier_decides_the_tokens(run: Run, folder: Path) -> None:
    given = [
        "--relevance",
        folder / "tiny",
        "-c",
        folder / "texts.txt",
        "-m",
        "lrp_sum@10",
    ]
    done = scored(run, folder, *given)
    direct = scored(run, folder, "--relevance", folder / "short.relevance", "-m", "lrp_sum@10")
    values = [
        [json.loads(line)["value"] for line in each.out.splitlines()] for each in (done, direct)
    ]
    assert values[0] == pytest.approx(values[1])
    message = "note: the texts are read with the tokens of the classifier, tokens (--tokens names"
    assert message in done.err
    assert "note: the texts are read" not in direct.err
    done = scored(run, folder, *given, "--tokens", "icu")
    assert "note: the classifier was fitted with the tokens tokens, and now reads icu" in done.err


def test_relevance_takes_the_tokens_of_the_classifier(folder: Path) -> None:
    corpus = tealeaves.Corpus.open(folder / "texts.txt")
    asked: dict[str, Any] = {"classifier": folder / "tiny", "improved": False, "device": "cpu"}
    found = tealeaves.relevance(folder / "topics.txt", corpus, **asked)
    assert found.stamp.pipeline.expression == "tokens"
    found = tealeaves.relevance(folder / "topics.txt", corpus, tokens="icu", **asked)
    assert found.stamp.pipeline.expression == "icu"


def test_the_description_of_a_saved_classifier(
    folder: Path, tiny_classifier: Callable[..., Classifier], tmp_path: Path
) -> None:
    tiny = tiny_classifier()
    assert record_of(folder / "tiny") == ("tokens", "", tiny.fingerprint)
    assert record_of(tiny) == ("tokens", "", "")
    (tmp_path / "classifier.json").write_text("{")
    for nothing in (tmp_path, "owner/name", None):
        assert record_of(nothing) == ("", "", "")
    assert repr(tiny) == "Classifier(tiny: 3 classes, up to 30 word pieces)"
    masked = tiny_classifier(masked=True)
    assert repr(masked) == "Classifier(tiny: masked words, up to 30 word pieces)"


def test_charts_have_the_requested_separation(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    people, scores = tmp_path / "people.csv", tmp_path / "scores.csv"
    numbers = range(12)
    people.write_text("model,topic,answer\n" + "".join(f"m,{n},{1 + n % 3}\n" for n in numbers))
    scores.write_text("model,topic,one\n" + "".join(f"m,{n},{n % 5}\n" for n in numbers))
    given = ["correlate", scores, "--human", people, "--draws", 100, "--permutations", 19]
    given += ["--coefficient", "pearson", "--plot", tmp_path / "chart.svg"]
    high_and_low = "separate topics that people rate high and low?"
    for more, there in (((), False), (("--separation", "halves"), True)):
        done = run(*given, *more)
        assert done.code == 0, done.err
        chart = (tmp_path / "chart.svg").read_text()
        assert "How well metrics agree with people" in chart
        assert (high_and_low in chart) == there
