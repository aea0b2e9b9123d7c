"""Selecting: a grid of models is trained and scored; the demo's themes are selection."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tealeaves import demo, score
from tealeaves.errors import InputError
from tealeaves.evidence.embeddings import Embeddings
from tealeaves.models import Selection, model, select
from tealeaves.models.selection.candidates import Candidate

SMALL = "lda(iterations=40)"


def best_of(selection: Selection) -> Candidate:
    assert selection.best is not None
    return selection.best


@pytest.mark.parametrize(("language", "seed"), [("en", 1), ("es", 101)])
def test_lda_finds_the_eight_themes_of_the_demo(language: str, seed: int) -> None:
    selection = select("lda", demo.corpus(language), "2:20:2", seed=seed)
    assert 6 <= best_of(selection).k <= 10
    assert best_of(selection).means["npmi@10"].value > 0.45


def test_nmf_finds_the_eight_themes_of_the_demo() -> None:
    selection = select("nmf", demo.corpus("en"), "2:20:4,8", runs=2)
    assert 6 <= best_of(selection).k <= 10


def test_the_numbers_are_those_of_score() -> None:
    selection = select(SMALL, demo.corpus("en"), "4,6", "npmi@10 c_v@10", runs=2)
    assert list(selection.trained) == ["lda-4-1", "lda-4-2", "lda-6-1", "lda-6-2"]
    scores = score(
        list(selection.trained.values()),
        demo.corpus("en"),
        "npmi@10 c_v@10",
        tokens="words(stopwords=en)",
        weight="documents",
    )
    for candidate in selection.candidates:
        for run in candidate.runs:
            for metric, value in run.values.items():
                assert value == scores.value(run.label, metric)
    assert selection.best_run is not None
    assert selection.best_topics is selection.trained[selection.best_run.label]
    plain = select(SMALL, demo.corpus("en"), "4", runs=2, weight=None)
    first = plain.candidates[0].runs[0]
    unweighted = score(selection.trained["lda-4-1"], demo.corpus("en"), "npmi@10")
    assert first.values["npmi@10"] == unweighted.value("lda-4-1", "npmi@10")


def test_what_is_not_weighted_is_not_called_so() -> None:
    selection = select(SMALL, demo.corpus("en"), "3,4", "perplexity npmi@10", runs=1)
    assert selection.explain()[0] == ("Take lda(k=4, iterations=40): its perplexity is the lowest.")
    selection = select(SMALL, demo.corpus("en"), "3,4", "npmi@10 perplexity", runs=1)
    assert "npmi@10 (weighted by documents)" in selection.explain()[0]


def test_models_of_one_name_are_told_apart() -> None:
    selection = select(["lda(iterations=20)", "lda(iterations=30)"], demo.corpus("en"), 4, runs=1)
    assert list(selection.trained) == ["lda.1-4-1", "lda.2-4-1"]
    assert [one.kind for one in selection.candidates] == [
        "lda(iterations=20)",
        "lda(iterations=30)",
    ]


def test_a_model_that_finds_its_number_of_topics_is_one_candidate() -> None:
    selection = select("hdp(iterations=50)", demo.corpus("en"), runs=2)
    [one] = selection.candidates
    sizes = [len(topics) for topics in selection.trained.values()]
    assert one.k == round(sum(sizes) / 2)


@pytest.mark.parametrize(
    ("models", "k", "message"),
    [
        ("lda", "500", "more topics than texts with words"),
        ("lad", "5", "did you mean lda"),
        ([], "5", "no model is named"),
        ("lda", "5:2", "holds no number"),
        ("lda", None, "lda: give the numbers of topics with -k"),
        ("lda(k=20)", "5", r"lda\(k=20\): leave out k, which -k sets for each model"),
        ("lda(seed=1)", "5", r"lda\(seed=1\): leave out seed, which --seed sets for each model"),
        (model("lda(seed=9)"), "5", "leave out seed"),
        ("lda(iterations=10, samples=6)", "5", "samples must be at most 5, half"),
    ],
)
def test_nonsense_is_refused_before_anything_is_trained(
    models: Any, k: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        select(models, demo.corpus("en"), k, folder=tmp_path / "grid")
    assert not (tmp_path / "grid").exists()


@pytest.mark.parametrize("saved", [True, False])
def test_selected_topics_say_it_and_embeddings_of_others_are_noted(
    saved: bool, tmp_path: Path
) -> None:
    words = {word for text in demo.corpus("es") for word in text.text.lower().split()}
    english = Embeddings.of({word: [1.0] for word in words}, name="mine")
    english.embedder.codes = frozenset({"en"})
    selection = select(
        "nmf(iterations=200)",
        demo.corpus("es"),
        "2",
        "embedding_coherence@10",
        runs=1,
        embeddings=english,
        folder=tmp_path / "grid" if saved else None,
    )
    assert selection.trained["nmf-2-1"].language == "es"
    note = "mine was made for en, but nmf-2-1 says its language is es"
    assert any(note in one for one in selection.notes)
    assert note in str(selection)


@pytest.mark.parametrize("option", ["resume", "restart"])
def test_going_on_needs_a_folder(option: str) -> None:
    with pytest.raises(InputError, match="resume and restart need the folder of the selection"):
        select(SMALL, demo.corpus("en"), 4, **{option: True})  # type: ignore[arg-type]
