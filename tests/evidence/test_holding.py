"""Whether evidence at hand holds what is asked for: a question of subsets."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.evidence import Counts, Evidence, Request, Term, Unit, gather
from tealeaves.evidence.embeddings.embeddings import WordVectors
from tealeaves.evidence.embeddings.request import EmbeddingRequest
from tealeaves.evidence.holding import counts_hold
from tealeaves.evidence.wish import Wish
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline

TERMS = [Term((letter,)) for letter in "abcde"]
PAIRS = list(combinations(TERMS, 2))
SETS = list(combinations(TERMS, 3))


@st.composite
def requests(draw: st.DrawFn) -> Request:
    """Draw terms, pairs and sets, with the terms of these among them, as requests have it."""
    unit = draw(st.sampled_from([Unit(), Unit("window", 3)]))
    pairs = draw(st.frozensets(st.sampled_from(PAIRS), max_size=5))
    sets = draw(st.frozensets(st.sampled_from(SETS), max_size=3))
    alone = draw(st.frozensets(st.sampled_from(TERMS)))
    return Request(unit, alone.union(*pairs, *sets), pairs, sets)


@given(requests(), requests())
def test_counts_hold_what_they_were_asked_for_and_no_more(counted: Request, asked: Request) -> None:
    corpus = Corpus.of(["a b c d", "e", "a e"])
    [counts] = gather(corpus, Pipeline.parse("words"), [counted], threads=1)
    subset = (
        asked.unit == counted.unit
        and asked.terms <= counted.terms
        and asked.pairs <= counted.pairs
        and asked.sets <= counted.sets
    )
    assert counts_hold(counts, asked) is subset
    assert Evidence([counts]).has(asked) is subset
    assert counts_hold(counts, counted)


def test_a_unit_is_at_hand_where_anything_was_counted_in_it() -> None:
    counts = Counts.of({"a": 1}, {}, units=3)
    assert Evidence([counts]).has(Unit())
    assert not Evidence([counts]).has(Unit("window", 3))
    assert not Evidence().has(Unit())
    assert not Evidence().has(Request(Unit()))


def vectors(name: str, *words: str) -> WordVectors:
    return WordVectors(name, "", {w: n for n, w in enumerate(words)}, np.ones((len(words), 2)))


def test_vectors_are_at_hand_by_name_and_for_all_words() -> None:
    known: dict[str | None, WordVectors]
    known = {"one": vectors("one", "cat", "dog"), "other": vectors("other", "cat")}
    evidence = Evidence(vectors=known, named=["one", "not wished for"])
    assert evidence.named == ("one",)

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


def test_of_a_reference_only_counts_are_asked_for() -> None:
    assert Wish(Request(Unit()), reference=True).reference
    with pytest.raises(ValueError, match="only counts"):
        Wish(EmbeddingRequest(), reference=True)
