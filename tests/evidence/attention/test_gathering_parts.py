"""Parts of a corpus, gathered apart with the same heads, add up to the whole."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import pairwise
from operator import add
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import EvidenceError
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.gathering import gather_relevance
from tealeaves.evidence.attention.relevance import Relevance
from tealeaves.evidence.requests import RelevanceRequest, Term
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.pipeline import Pipeline

TOPICS = ["w0 w1 w2 w3", "w2 w3 w4s", "w5 w6"]


def _corpus() -> Corpus:
    random = np.random.default_rng(0)
    words = [*(f"w{n}" for n in range(12)), "w4s"]
    return Corpus.of(" ".join(random.choice(words, random.integers(0, 20))) for _ in range(150))


CORPUS = _corpus()


def gather(
    classifier: Classifier, corpus: Corpus, tokens: str = "tokens", **given: Any
) -> Relevance:
    topics = given.pop("topics", TOPICS)
    terms = [[Term((word,)) for word in topic.split()] for topic in topics]
    request = RelevanceRequest.of(terms, improved=given.pop("improved", True))
    return gather_relevance(
        corpus, Pipeline.parse(tokens), request, classifier=classifier, budget=None, **given
    )


@pytest.fixture(scope="module")
def tiny(tiny_classifier: Callable[..., Classifier]) -> Classifier:
    return tiny_classifier()


@pytest.fixture(scope="module")
def first(tiny: Classifier) -> Relevance:
    return gather(tiny, CORPUS[:50])


@pytest.mark.parametrize("cuts", [(50, 150), (50, 60, 120, 150)])
def test_parts_add_up_to_the_whole(
    tiny_classifier: Callable[..., Classifier], cuts: tuple[int, ...]
) -> None:
    # in double precision, so that batches of other texts change nothing
    exact = tiny_classifier(exact=True)
    start = gather(exact, CORPUS[:50])
    others = [gather(exact, CORPUS[a:b], heads_of=start) for a, b in pairwise(cuts)]
    whole = gather(exact, CORPUS, heads_of=start)
    for parts in ([start, *others], [*others[::-1], start]):
        found = reduce(add, parts)
        assert found.totals == whole.totals
        assert found.fingerprint == whole.fingerprint
        for name in ("rows", "together", "counted", "positive"):
            assert np.array_equal(getattr(found, name), getattr(whole, name)), name
        for name in ("sums", "attention", "lrp"):
            np.testing.assert_allclose(
                getattr(found, name), getattr(whole, name), rtol=1e-6, atol=1e-12
            )
        np.testing.assert_allclose(found.statistics.relevance, whole.statistics.relevance)
        assert found.sample == whole.sample


def test_the_heads_of_another_are_taken_as_they_are(tiny: Classifier, first: Relevance) -> None:
    other = gather(tiny, CORPUS[50:])
    assert other.sample != first.sample  # by its own texts
    taken = gather(tiny, CORPUS[50:], heads_of=first)
    assert taken.sample == first.sample
    assert taken.fixed == first.fixed
    assert taken.statistics == other.statistics


def test_the_same_texts_do_not_add(tiny: Classifier, first: Relevance) -> None:
    with pytest.raises(EvidenceError, match=r"double counting: .* are there twice"):
        first + first
    part = gather(tiny, CORPUS[40:60], heads_of=first)
    with pytest.raises(EvidenceError, match=r"double counting: documents 4\d-4\d of source"):
        first + part


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"tokens": "tokens(min_tokens=2)"}, r"different pipeline .*: tokens.* and tokens.*2"),
        ({"topics": TOPICS[:2]}, "different words cannot be added: gather both for the same"),
        ({"improved": False}, "different improved cannot be added"),
        ({"target": "true"}, "different target cannot be added: predicted and true"),
        ({"by_head": False, "same": True}, "by head and sums only cannot be added"),
        ({}, "the heads were fixed from different texts: .*--heads-of FILE"),
    ],
)
def test_what_was_gathered_otherwise_does_not_add(
    tiny: Classifier, first: Relevance, changed: dict[str, Any], told: str
) -> None:
    given = dict(changed)
    if given.pop("same", False):
        given["heads_of"] = first
    texts = CORPUS[50:90]
    if "target" in given:
        texts = Corpus.of([Document(one.text, label="arts") for one in texts])
    other = gather(tiny, texts, **given)
    with pytest.raises(EvidenceError, match=told) as caught:
        first + other
    assert "\n" not in str(caught.value)


def test_another_classifier_does_not_add(
    tiny_classifier: Callable[..., Classifier], first: Relevance
) -> None:
    other = gather(tiny_classifier(7), CORPUS[50:80])
    with pytest.raises(EvidenceError, match="different weights cannot be added"):
        first + other
    # and it is said before the network has taken its time
    with pytest.raises(EvidenceError, match="different weights cannot be added"):
        gather(tiny_classifier(7), CORPUS[50:80], heads_of=first)
