"""Texts as sequences of requested terms."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.evidence.counting.corpus import count_corpus
from tealeaves.evidence.requests import CountRequest, Term
from tealeaves.evidence.texts import EncodedTexts, TextEncoder, encode
from tealeaves.evidence.units import Unit
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.pipeline import Pipeline

WORDS = Pipeline.parse("words")


def terms(*words: str) -> list[Term]:
    return [Term(tuple(word.split())) for word in words]


def words_of(texts: EncodedTexts) -> list[list[str]]:
    return [[str(texts.terms[number]) for number in row] for row in texts]


def test_words_stand_in_the_order_of_the_text() -> None:
    texts = encode(Corpus.of(["b x a b", "", "nothing", "A, b!"]), terms("a", "b"), WORDS)
    assert words_of(texts) == [["b", "a", "b"], [], [], ["a", "b"]]
    assert texts.starts.tolist() == [0, 3, 3, 3, 5]


def test_sequences_of_tokens_are_words_too() -> None:
    texts = encode(Corpus.of(["new york is new"]), terms("new", "york", "new york"), WORDS)
    assert sorted(words_of(texts)[0]) == ["new", "new", "new york", "york"]


def test_words_without_tokens_are_never_found() -> None:
    texts = encode(Corpus.of(["a b"]), [*terms("a"), Term(())], WORDS)
    assert words_of(texts) == [["a"]]


def test_ids_and_labels_are_kept() -> None:
    documents = [Document("a", id="x", label="one"), Document("b", id="y", label="two")]
    texts = encode(Corpus.of(documents), terms("a"), WORDS)
    assert (texts.ids, texts.labels) == (("x", "y"), ("one", "two"))


def test_dropped_texts_keep_their_row() -> None:
    pipeline = Pipeline.parse("words(min_tokens=2)")
    texts = encode(Corpus.of(["a b", "a", "b a c"]), terms("a", "b"), pipeline)
    assert texts.kept.tolist() == [True, False, True]
    assert words_of(texts) == [["a", "b"], [], ["b", "a"]]


def test_large_texts_are_encoded_the_same_way_as_small_ones() -> None:
    # an unusual letter sends a text through strings, which must not change the order of rows
    small = [
        f"cat dog {number} İstanbul cat" if number % 7 == 0 else "dog bird" for number in range(200)
    ]
    pipeline = Pipeline.parse("words")
    requested = terms("cat", "dog", "bird", "cat dog")
    once = encode(Corpus.of(small), requested, pipeline)
    many = encode(Corpus.of(small * 80), requested, pipeline)
    assert words_of(many) == words_of(once) * 80


def test_one_reading_counts_and_encodes() -> None:
    corpus = Corpus.of(["a b", "b c", "a"])
    a, b = terms("a", "b")
    encoder = TextEncoder([a, b], WORDS)
    [counts] = count_corpus(corpus, WORDS, [CountRequest.of(Unit(), [[a, b]])], encoder=encoder)
    assert (counts.single(a), counts.pair(a, b)) == (2, 1)
    texts = encoder.texts()
    assert words_of(texts) == [["a", "b"], ["b"], ["a"]]
    assert texts.fingerprint == counts.fingerprint


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=8), max_size=8))
def test_sequences_equal_the_tokens_of_the_text(rows: list[list[str]]) -> None:
    texts = encode(Corpus.of([" ".join(row) for row in rows]), terms("a", "c"), WORDS)
    assert words_of(texts) == [[token for token in row if token in "ac"] for row in rows]
    assert len(texts) == len(rows)
    assert np.array_equal(np.diff(texts.starts), [len(row) for row in words_of(texts)])
