"""Drift: the cosine of PPMI vectors, by hand, against dense matrices, and in real texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tealeaves.arrays import Floats
from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence.contexts import Contexts, gather_contexts
from tealeaves.evidence.drift import Drift, ppmi
from tealeaves.evidence.requests import ContextRequest, Term
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline

WORDS = Pipeline.parse("words")
TEXTS = st.lists(st.lists(st.sampled_from("abcde"), max_size=15), min_size=1, max_size=6)


def term(word: str) -> Term:
    return Term((word,))


def contexts_of(
    texts: Iterable[str], words: Iterable[str], window: int = 5, *, only: str | None = None
) -> Contexts:
    request = ContextRequest("", frozenset(map(term, words)), window)
    vocabulary = None if only is None else frozenset(only.split())
    return gather_contexts(Corpus.of(texts), WORDS, request, vocabulary=vocabulary)


OLD = ["old king", "new sea"]
NEW = ["old king", "new king", "new sea", "red hat"]


def test_ppmi_and_cosine_by_hand() -> None:
    """Window 1, so that both words of a text are each other's only neighbour.

    The words of both texts are king, new, old, sea; red and hat are in the second alone.

    First text: each word has one neighbour, N = 4.
      PPMI(king, old) = ln(1 * 4 / (1 * 1)) = ln 4, others 0.
    Second text: N(king) = 2, N(new) = 2, N(old) = 1, N(sea) = 1, N = 6 without red and hat.
      PPMI(king, old) = ln(1 * 6 / (2 * 1)) = ln 3
      PPMI(king, new) = ln(1 * 6 / (2 * 2)) = ln 1.5
    cos = ln 4 ln 3 / (ln 4 sqrt(ln² 3 + ln² 1.5)) = 1.0986 / sqrt(1.2069 + 0.1644) = .9381
    """
    one, other = (contexts_of(texts, ["king"], window=1) for texts in (OLD, NEW))
    shared = ["king", "new", "old", "sea"]
    assert ppmi(one, shared).toarray() == pytest.approx(np.array([[0, 0, math.log(4), 0]]))
    expected = np.array([[0, math.log(1.5), math.log(3), 0]])
    assert ppmi(other, shared).toarray() == pytest.approx(expected)
    drift = Drift.between(one, other, at_least=1)
    assert (drift.language, drift.words) == ("", tuple(shared))
    assert drift.of(term("king")) == pytest.approx(0.9381, abs=5e-5)
    assert repr(drift) == "Drift(1 terms, 4 shared words)"


def test_the_ppmi_of_independent_words_is_zero() -> None:
    """All that stands near a is b, as near any other word: N(a,b) N = N(a) N(b), exactly."""
    contexts = contexts_of(["a b", "b b b b"], ["a", "b"], window=1)
    # N(a,b) = 1 = N(a); N(b) = 1 + 6, N(a as context) = 1: N = 8, so ln(8 / 7)
    assert ppmi(contexts, ["a", "b"]).toarray()[0] == pytest.approx([0, math.log(8 / 7)])
    # with b alone as context, N = N(b) = 7: ln(1 * 7 / (1 * 7)) = 0, and the vector is empty
    assert ppmi(contexts, ["b"]).nnz == 0


def dense_cosine(one: Floats, other: Floats, row: int) -> float:
    """Compute the cosine by the definition; the matrices hold all pairs of neighbours."""
    vectors = []
    for pairs in (one, other):
        joint = pairs / pairs.sum()
        expected = np.outer(joint.sum(axis=1), joint.sum(axis=0))
        with np.errstate(divide="ignore", invalid="ignore"):
            pmi = np.log(joint / expected)
        vectors.append(np.where(joint > 0, np.maximum(pmi, 0), 0)[row])
    left, right = vectors
    left, right = (np.where(vector < 1e-12, 0, vector) for vector in (left, right))
    size = float(np.linalg.norm(left) * np.linalg.norm(right))
    return float(left @ right) / size if size else math.nan


def dense(texts: Sequence[Sequence[str]], words: str, columns: str, window: int) -> Floats:
    pairs = np.zeros((len(words), len(columns)))
    for tokens in texts:
        for i, left in enumerate(tokens):
            for j, right in enumerate(tokens):
                if i != j and abs(i - j) <= window and right in columns:
                    pairs[words.index(left), columns.index(right)] += 1
    return pairs


@settings(max_examples=50)
@given(TEXTS, TEXTS, st.integers(1, 4), st.integers(1, 3))
def test_random_texts_agree_with_dense_matrices(
    first: list[list[str]], second: list[list[str]], window: int, at_least: int
) -> None:
    often = [
        {w for w in "abcde" if sum(tokens.count(w) for tokens in texts) >= at_least}
        for texts in (first, second)
    ]
    columns = "".join(sorted(often[0] & often[1]))
    assume(columns)
    contexts = [contexts_of(map(" ".join, texts), "abcde", window) for texts in (first, second)]
    drift = Drift.between(*contexts, at_least=at_least)
    assert "".join(drift.words) == columns
    tables = [dense(texts, "abcde", columns, window) for texts in (first, second)]
    for row, word in enumerate("abcde"):
        seen = word in columns and all(table.sum() for table in tables)
        expected = dense_cosine(tables[0], tables[1], row) if seen else math.nan
        assert drift.of(term(word)) == pytest.approx(expected, abs=1e-9, nan_ok=True)


@settings(max_examples=50)
@given(TEXTS, TEXTS)
def test_cosines_are_symmetric_and_bounded(first: list[list[str]], second: list[list[str]]) -> None:
    assume(set().union(*first) & set().union(*second))
    one, other = (contexts_of(map(" ".join, texts), "abcde", 2) for texts in (first, second))
    there, back = Drift.between(one, other, at_least=1), Drift.between(other, one, at_least=1)
    for word in map(term, "abcde"):
        value = there.of(word)
        assert value == pytest.approx(back.of(word), nan_ok=True)
        assert math.isnan(value) or 0 <= value <= 1


@settings(max_examples=50)
@given(TEXTS, st.randoms(use_true_random=False))
def test_the_same_texts_give_exactly_one(texts: list[list[str]], draw: Random) -> None:
    assume(any(texts))
    moved = list(texts)
    draw.shuffle(moved)
    one, other = (contexts_of(map(" ".join, each), "abcde", 2) for each in (texts, moved))
    drift = Drift.between(one, other, at_least=1)
    empty = np.diff(ppmi(one, drift.words).indptr) == 0
    for row, word in enumerate(one.terms):
        assert math.isnan(drift.of(word)) if empty[row] else drift.of(word) == 1.0


def test_the_cosine_of_a_word_with_new_neighbours_is_zero() -> None:
    """Every other word keeps its neighbours, so that these are shared: mouse alone moved."""
    base = ["cheese trap", "keyboard screen"] * 5
    one = contexts_of([*base, *["mouse trap"] * 5], ["mouse", "cheese"], window=1)
    other = contexts_of([*base, *["mouse screen"] * 5], ["mouse", "cheese"], window=1)
    drift = Drift.between(one, other)
    assert drift.of(term("mouse")) == 0.0
    assert drift.of(term("cheese")) == 1.0


def test_rare_words_are_undefined_in_either_text() -> None:
    texts = ["a b c a b c a b c", "r b", "c b a"]
    often = contexts_of([*texts, *["r b"] * 4], "ar", window=1)
    seldom = contexts_of(texts, "ar", window=1)
    for pair in ((often, seldom), (seldom, often)):
        assert math.isnan(Drift.between(*pair, at_least=2).of(term("r")))
        assert not math.isnan(Drift.between(*pair, at_least=1).of(term("r")))
        assert not math.isnan(Drift.between(*pair, at_least=2).of(term("a")))


def test_a_vocabulary_of_the_other_texts_frequent_words_loses_nothing() -> None:
    one, whole = (contexts_of(texts, ["king", "sea"], 2) for texts in (OLD, NEW))
    part = contexts_of(NEW, ["king", "sea"], 2, only=" ".join(one.frequent(1)))
    assert not part.complete
    expected, partial = (Drift.between(one, other, at_least=1) for other in (whole, part))
    assert partial.cosines == expected.cosines
    assert partial.signature == expected.signature


def test_a_vocabulary_that_lacks_words_is_refused() -> None:
    one, part = contexts_of(OLD, ["king"]), contexts_of(NEW, ["king"], only="king old")
    for pair in ((one, part), (part, one)):
        with pytest.raises(EvidenceError, match="2 frequent words of one text, such as 'new'"):
            Drift.between(*pair, at_least=1)


def test_only_terms_of_both_texts_are_compared() -> None:
    drift = Drift.between(contexts_of(OLD, ["king", "sea"]), contexts_of(NEW, ["king"]), at_least=1)
    assert list(drift.cosines) == [term("king")]
    with pytest.raises(EvidenceError, match="the word 'sea' were not counted in both"):
        drift.of(term("sea"))


def test_contexts_of_different_requests_are_not_compared() -> None:
    one, corpus = contexts_of(OLD, ["king"]), Corpus.of(NEW)
    king = frozenset({term("king")})
    with pytest.raises(EvidenceError, match="contexts of 5 and of 4 tokens"):
        Drift.between(one, contexts_of(NEW, ["king"], 4))
    other = gather_contexts(corpus, Pipeline.parse("tokens"), ContextRequest("", king))
    with pytest.raises(EvidenceError, match="different tokens cannot be compared"):
        Drift.between(one, other)
    with pytest.raises(EvidenceError, match="within a language, not between '' and 'en'"):
        Drift.between(one, gather_contexts(corpus, WORDS, ContextRequest("en", frozenset())))
    with pytest.raises(InputError, match="at_least must be a whole number of at least 1, not 0"):
        Drift.between(one, one, at_least=0)
    with pytest.raises(InputError, match="no word occurs 1 times in both texts"):
        Drift.between(one, contexts_of(["konung"], ["king"]), at_least=1)


def test_texts_may_be_in_different_units() -> None:
    """Chapters of one text are compared with articles of another."""
    one = gather_contexts(
        Corpus.of(OLD).group("block(size=2)"), WORDS, ContextRequest("", frozenset())
    )
    assert one.pipeline.unit
    assert Drift.between(one, contexts_of(NEW, []), at_least=1).cosines == {}


def test_signatures_include_all_that_changes_cosines() -> None:
    one, other = (contexts_of(texts, ["king"], 1) for texts in (OLD, NEW))
    same = contexts_of(NEW, ["king", "sea"], 1)  # other terms do not change a cosine
    base = Drift.between(one, other, at_least=1).signature
    assert len(base) == 16
    assert Drift.between(one, same, at_least=1).signature == base
    wide = [contexts_of(texts, ["king"], 2) for texts in (OLD, NEW)]
    more = contexts_of([*NEW, "red"], ["king"], 1)
    part = [contexts_of(texts, ["king"], 1, only="king old") for texts in (OLD, NEW)]
    others = [
        Drift.between(one, one, at_least=1),
        Drift.between(*wide, at_least=1),
        Drift.between(one, more, at_least=1),
        Drift.between(*part, at_least=1),
    ]
    assert len({base, *(drift.signature for drift in others)}) == 5


# ------------------------------------------------------------------ a Bible and an encyclopedia

# tendencies that do not depend on the sample
KEPT = ("king", "water", "tree", "wife", "son", "sea", "fire", "house")
MOVED = ("art", "flight", "banks", "tune", "band", "mail", "company", "cross")
UNKNOWN = "computer"
PART = 5000  # articles


class Drifts(NamedTuple):
    parts: list[Drift]
    within: Drift


@pytest.fixture(scope="module")
def drifts(reference_data: Path) -> Drifts:
    """Compare a Bible with two parts of an encyclopedia, and these with each other."""
    bible = Corpus.open(reference_data / "bible" / "eng_web.tsv.gz", reader="bible")
    articles = Corpus.open(reference_data / "wikipedia_en_2014_sample" / "articles.jsonl.gz")
    terms = frozenset(Term((word,), "en") for word in (*KEPT, *MOVED, UNKNOWN))
    request = ContextRequest("en", terms)
    old = gather_contexts(bible.group("chapter"), WORDS, request)
    parts = [articles[:PART], articles[PART : 2 * PART]]
    words = old.frequent(5)
    new = [gather_contexts(part, WORDS, request, vocabulary=words) for part in parts]
    return Drifts([Drift.between(old, part) for part in new], Drift.between(*new))


def cosines(drift: Drift, words: tuple[str, ...]) -> Floats:
    return np.array([drift.of(Term((word,), "en")) for word in words])


@pytest.mark.reference
def test_words_that_kept_their_meaning_have_higher_cosines(drifts: Drifts) -> None:
    """Twice as near at least, whichever part of the encyclopedia it is."""
    for drift in drifts.parts:
        assert cosines(drift, KEPT).min() > 2 * np.median(cosines(drift, MOVED))
        assert np.median(cosines(drift, KEPT)) > 2 * cosines(drift, MOVED).max()


@pytest.mark.reference
def test_two_parts_of_an_encyclopedia_agree(drifts: Drifts) -> None:
    one, other = (cosines(drift, KEPT + MOVED) for drift in drifts.parts)
    assert np.corrcoef(one, other)[0, 1] > 0.8


@pytest.mark.reference
def test_an_encyclopedia_is_nearer_to_itself(drifts: Drifts) -> None:
    within = cosines(drifts.within, KEPT + MOVED)
    for drift in drifts.parts:
        assert (within > cosines(drift, KEPT + MOVED)).mean() > 0.8


@pytest.mark.reference
def test_words_of_one_text_alone_are_undefined(drifts: Drifts) -> None:
    assert np.isnan(cosines(drifts.parts[0], (UNKNOWN,))).all()
    assert np.isfinite(cosines(drifts.within, (UNKNOWN,))).all()
