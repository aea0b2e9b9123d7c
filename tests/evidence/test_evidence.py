"""Which requests evidence answers: those of which it has every word and pair."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import EvidenceError
from tealeaves.evidence import CountRequest, Counts, Evidence, Term, Unit, count_corpus
from tealeaves.evidence.embeddings.embeddings import WordVectors
from tealeaves.evidence.requests import EmbeddingRequest
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline

TERMS = [Term((letter,)) for letter in "abcde"]
PAIRS = list(combinations(TERMS, 2))
SETS = list(combinations(TERMS, 3))


@st.composite
def requests(draw: st.DrawFn) -> CountRequest:
    """Draw terms, pairs and sets, with the terms of these among them, as requests have it."""
    unit = draw(st.sampled_from([Unit(), Unit("window", 3)]))
    pairs = draw(st.frozensets(st.sampled_from(PAIRS), max_size=5))
    sets = draw(st.frozensets(st.sampled_from(SETS), max_size=3))
    alone = draw(st.frozensets(st.sampled_from(TERMS)))
    return CountRequest(unit, alone.union(*pairs, *sets), pairs, sets)


@given(requests(), requests())
def test_counts_answer_what_was_counted_and_no_more(
    counted: CountRequest, wanted: CountRequest
) -> None:
    corpus = Corpus.of(["a b c d", "e", "a e"])
    [counts] = count_corpus(corpus, Pipeline.parse("words"), [counted], threads=1)
    subset = (
        wanted.unit == counted.unit
        and wanted.terms <= counted.terms
        and wanted.pairs <= counted.pairs
        and wanted.sets <= counted.sets
    )
    assert Evidence([counts]).has(wanted) is subset
    assert Evidence([counts]).has(counted)


def test_evidence_has_a_unit_in_which_anything_was_counted() -> None:
    counts = Counts.of({"a": 1}, {}, units=3)
    assert Evidence([counts]).has(Unit())
    assert not Evidence([counts]).has(Unit("window", 3))
    assert not Evidence().has(Unit())
    assert not Evidence().has(CountRequest(Unit()))


def vectors(name: str, *words: str) -> WordVectors:
    return WordVectors(name, "", {w: n for n, w in enumerate(words)}, np.ones((len(words), 2)))


def test_evidence_has_vectors_by_name_and_for_all_words() -> None:
    known: dict[str | None, WordVectors]
    known = {"one": vectors("one", "cat", "dog"), "other": vectors("other", "cat")}
    evidence = Evidence(vectors=known, chosen_embeddings=["one", "not requested"])
    assert evidence.chosen_embeddings == ("one",)

    def has(name: str | None, *words: str, further: str = "") -> bool:
        return evidence.has(EmbeddingRequest(name, frozenset(words), frozenset(further.split())))

    assert has("one", "cat", "dog")
    assert has("other", "cat")
    assert not has("other", "dog")
    assert not has("other", "cat", further="the")
    assert not has("third", "cat")
    assert has(None, "dog")  # those that the user named
    assert not has(None, "bird")
    assert not Evidence(vectors=known).has(EmbeddingRequest(None, frozenset({"cat"})))


def test_missing_counts_are_named() -> None:
    evidence = Evidence([Counts.of({"a": 1}, {}, units=3)])
    with pytest.raises(EvidenceError, match=r"no counts of window\(size=5\).*only of document"):
        evidence.counts(Unit("window", 5))
