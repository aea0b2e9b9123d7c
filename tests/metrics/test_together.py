"""Metrics that are scored together say what they say alone."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tealeaves
from tealeaves import Topics, demo
from tealeaves.evidence.counting.corpus import count_corpus
from tealeaves.evidence.requests import CountRequest, Term
from tealeaves.evidence.units import Unit
from tealeaves.evidence.wording import Wording
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline

# the same words in other units, with other rules, in other numbers
SPECS = (
    "npmi@10 npmi(window=10)@10 npmi@5 npmi(compat=gensim)@10 c_npmi(compat=gensim)@10 c_v@10 "
    "c_a@10 umass@10 pmi@10 c_v(never=0)@10 coherence(segmentation=one_all)@4"
)


def test_coherence_in_several_units_and_rules_at_once() -> None:
    words = ["sky", "nowhere", "moon", "planet", "telescope"]
    topics = Topics.of([words, ["soup", "bread", "sauce", "salt", "sky"]])
    values: dict[str, list[float]] = {}
    for row in tealeaves.score(topics, demo.corpus(), SPECS):
        values.setdefault(row.metric, []).append(row.value)
    for label, found in values.items():
        alone = [row.value for row in tealeaves.score(topics, demo.corpus(), label)]
        np.testing.assert_array_equal(found, alone, err_msg=label)
    assert values["npmi@10"] != values["npmi(window=10)@10"]
    assert values["npmi@10"] != values["npmi(compat=gensim)@10"]


def test_all_metrics_at_once(rich_models: list[Topics]) -> None:
    specs = (
        "npmi@10 kernel_coherence@10 kernel_coherence(measure=npmi, threshold=0.4)@5 quality "
        "c_v@10 perplexity switchp(assignment=probable) diversity@10 purity significance clustering"
    )
    together = tealeaves.score(rich_models, demo.corpus(), specs)
    for label in specs.replace(", ", ",").split():
        alone = tealeaves.score(rich_models, demo.corpus(), label)
        found = [r.value for r in together if r.metric == alone.rows[0].metric]
        np.testing.assert_array_equal(found, [r.value for r in alone])


def test_a_wording_keeps_what_it_knows_by_identity() -> None:
    wording = Wording(Pipeline.parse("words"))
    for number in range(50):  # made and forgotten: the next may have the same id
        word = "w" * (number + 1)
        made = Topics.of([[word, "cat"]])
        assert wording.terms(made) == [(Term((word,)), Term(("cat",)))]
        assert wording.lists([made]) == wording.terms(made)
        del made


def test_requests_of_the_same_terms_with_other_pairs() -> None:
    a, b, c = (Term((word,)) for word in "abc")
    terms = frozenset([a, b, c])
    asked = [
        CountRequest(Unit(), terms, frozenset([(a, b)])),
        CountRequest(Unit("window", 2), terms, frozenset([(a, c)])),
    ]
    documents, windows = count_corpus(Corpus.of(["a b c", "a c"]), Pipeline.parse("tokens"), asked)
    assert documents.pair(a, b) == 1
    assert windows.pair(a, c) == 1


def test_stability_names_the_runs_in_its_signature() -> None:
    def run(name: str, words: list[str], family: str = "lda") -> Topics:
        return Topics.of([words, ["soup", "bread"]], model=name, family=family)

    one, two = run("one", ["cat", "dog"]), run("two", ["cat", "dog"])
    other, nmf = run("two", ["cat", "bird"]), run("nmf", ["cat", "dog"], "nmf")

    def signature(*models: Topics) -> str:
        return tealeaves.score(list(models), metrics="stability").rows[0].signature

    assert "|family=lda|runs=2#" in signature(one, two)
    assert signature(one, two) != signature(one, other)
    assert signature(one, two) == signature(one, two, nmf)
    alone = tealeaves.score(one, metrics="stability")
    assert math.isnan(alone.value("one", "stability"))
    assert any("for lack of another run of the same family" in note for note in alone.notes)


@pytest.mark.parametrize("spec", ["quality", "diversity@10"])
def test_a_metric_of_the_whole_model_says_that_it_is_not_weighted(spec: str) -> None:
    scores = tealeaves.score(demo.models(), demo.corpus(), f"{spec} npmi@10", weight="documents")
    assert f"{tealeaves.metric(spec)!r} judges the model as a whole, not weighted by documents" in (
        scores.notes
    )
    signatures = {row.metric: row.signature for row in scores.models}
    assert "weight=" not in signatures[repr(tealeaves.metric(spec))]
    assert signatures["npmi@10"].endswith("|weight=documents")
