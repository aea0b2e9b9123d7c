"""Metrics and models that cannot work are refused before anything is trained."""

from __future__ import annotations

import re
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import numpy as np
import pytest

from tealeaves import Relevance, demo, make_scorer, train
from tealeaves.errors import InputError, MissingExtraError, TealeavesWarning
from tealeaves.models import MODELS, model, select
from tealeaves.models.selection import search
from tealeaves.models.selection.feasibility import sketch
from tealeaves.text import Corpus, Document

PARTS = (
    *("vocabulary", "topic_word", "document_topic", "best_topic", "document_lengths"),
    *("term_frequency", "assignments", "samples"),
)


@pytest.fixture(autouse=True)
def untrained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where a selection comes to training."""

    def never(*_: Any) -> NoReturn:
        raise AssertionError("a model was trained")

    monkeypatch.setattr(search, "fit", never)


def parts(topics: Any) -> set[str]:
    return {name for name in PARTS if getattr(topics, name) is not None}


@pytest.mark.parametrize("name", [*MODELS, "lda(samples=3)", "ctm(samples=3)"])
def test_a_sketch_has_the_parts_that_training_gives(name: str) -> None:
    one = model(name)(iterations=10)
    size = {"k": 2} if "k" in one.accepts else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TealeavesWarning)  # so few iterations do not suffice
        trained = train(one(**size), demo.corpus("en"))
    sketched = sketch(one(**size))
    assert parts(sketched) == parts(trained)
    assert sketched.family == trained.family
    if "k" in size:
        assert [t.id for t in sketched.topics] == [t.id for t in trained.topics]
    for part in ("topic_word", "document_topic", "samples"):
        mine, theirs = getattr(sketched, part), getattr(trained, part)
        if mine is not None:
            assert mine.ndim == theirs.ndim
            assert mine.sum(axis=-1) == pytest.approx(1)


@pytest.mark.parametrize(
    ("models", "metrics", "more", "message"),
    [
        ("lda", "posterior_stability", {}, "lda has no samples of one chain: try lda(samples=10)"),
        ("lda(samples=1)", "posterior_stability", {}, "fewer than 2 samples"),
        (["nmf", "lda_vb"], "switchp(assignment=given)", {}, "cannot be computed: nmf: no token"),
        ("lda", "npmi@10 clustering", {}, "clustering cannot be computed: the texts have no label"),
        ("lda", "classification", {}, "the texts have no labels: name the field"),
        ("lda", "npmi@10 stability@10", {"runs": 1}, "stability@10 compares runs"),
        ("lda", "sparsity@10", {}, "leave out @10"),
        ("lda", "npmi@10", {"weight": "words"}, "unknown weight words"),
    ],
)
def test_metrics_that_cannot_be_are_found_before_training(
    models: Any, metrics: str, more: dict[str, Any], message: str, tmp_path: Path
) -> None:
    texts = [document.text for document in demo.corpus("en")]
    with pytest.raises(InputError) as caught:
        select(models, texts, "4", metrics, folder=tmp_path / "grid", **more)
    assert message in str(caught.value)
    assert not (tmp_path / "grid").exists()


@pytest.mark.parametrize(
    ("models", "metrics"),
    [
        ("lda(samples=2)", "posterior_stability"),
        (["nmf", "lda"], "switchp(assignment=given)"),  # one of them has it
        ("lda", "clustering"),
        ("lda", "kernel_coherence perplexity significance stability@10"),
    ],
)
def test_metrics_that_can_be_are_let_through(models: Any, metrics: str) -> None:
    texts = Corpus.of(
        [Document(one.text, label=one.id.partition("-")[0]) for one in demo.corpus("en")]
    )
    with pytest.raises(AssertionError, match="a model was trained"):
        select(models, texts, "4", metrics)


@pytest.mark.parametrize("module", ["tomotopy", "sklearn.decomposition"])
def test_packages_of_all_models_are_asked_for_first(
    module: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    for models in (["lda", "nmf"], ["nmf", "lda"]):
        with pytest.raises(MissingExtraError, match=r"tealeaves\[models\]"):
            select(models, "no-such-file.txt", "4", folder=tmp_path / "grid")
    assert not (tmp_path / "grid").exists()


def test_stop_words_that_no_language_has_are_missed_before_training() -> None:
    corpus = Corpus.of([Document("hestur hundur", language="qq")] * 9)
    with pytest.raises(InputError, match=r"no stop words .* language .?qq"):
        select("nmf(max_df=1)", corpus, "2", "expressivity@2", embeddings={"hestur": [1.0]})


# ---------------------------------------------------------------------- saved relevance


def with_pairs(relevance: Relevance, number: int) -> Relevance:
    """Leave only some pairs of words asked for."""
    pairs = np.unique(np.sort(relevance.rows, axis=1), axis=0)[:number]
    kept = {tuple(pair) for pair in pairs.tolist()}
    assert len(kept) == number
    return replace(relevance, pairs=pairs)


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("lrp_sum(heads=9)@10", "heads must be from 1 to 2, the number of heads, not 9"),
        ("improved_lrp_sum@10", "gathered without Improved LRP"),
        ("relevance_count(heads=2)@10", "heads can be chosen with by=heads"),
        ("lrp_sum(heads=all)@10", "holds only the sums of the heads that were fixed"),
        ("lrp_sum@1", "it compares two words or more: take @2 or more"),
    ],
)
def test_relevance_that_does_not_do_is_refused(
    demo_relevance: Relevance, metric: str, message: str
) -> None:
    stamp = msgspec.structs.replace(demo_relevance.stamp, improved=False)
    held = replace(demo_relevance, stamp=stamp, attention=None, lrp=None, positive=None)
    given = {"tokens": "words", "relevance": held}
    with pytest.raises(InputError, match=re.escape(message)):
        select("lda", demo.corpus("en"), 3, metric, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("metric", ["lrp_sum(heads=9)", "lrp_sum(heads=all)", "lrp_sum@1"])
def test_a_search_refuses_relevance_that_does_not_do(
    demo_relevance: Relevance, metric: str
) -> None:
    held = replace(demo_relevance, attention=None, lrp=None, positive=None)
    with pytest.raises(InputError, match=r"heads|two words"):
        make_scorer(metric, relevance=held)
    assert make_scorer("lrp_sum", relevance=held).relevance is held


def test_words_and_pairs_that_relevance_may_lack_are_said(demo_relevance: Relevance) -> None:
    few = with_pairs(demo_relevance, 3)
    for held, said in (
        (few, "gathered only for the pairs of words within some topics: if"),
        (demo_relevance, r"gathered for \d+ of the [\d,]+ words that topics may have: if"),
    ):
        with (
            pytest.warns(TealeavesWarning, match=said),
            pytest.raises(AssertionError, match="a model was trained"),
        ):
            select("lda", demo.corpus("en"), 3, "lrp_sum@10", tokens="words", relevance=held)
    # words that all are known, and metrics that ask for none
    words = [str(term) for term in demo_relevance.terms if len(term.tokens) == 1][:30]
    texts = [" ".join(words[start : start + 10]) for start in (0, 10, 20, 5)]
    for corpus, metric in ((texts, "lrp_sum@10"), (demo.corpus("en"), "npmi@10")):
        with pytest.raises(AssertionError, match="a model was trained"):
            select("lda", corpus, 2, metric, tokens="words", relevance=demo_relevance)
