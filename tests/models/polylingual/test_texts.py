"""Paired texts as numbers of words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.models.polylingual.texts import PolylingualTexts, read_documents, read_tuples
from tealeaves.models.texts import read_texts
from tealeaves.text import Corpus, Document, Pipeline
from tealeaves.text.paired import PairedCorpus
from tealeaves.text.paired.links import LinkById
from tealeaves.text.pipeline import pipelines_of

BOTH = {"en": Pipeline.parse("words"), "sv": Pipeline.parse("words")}


def test_the_words_of_a_tuple_lie_beside_each_other() -> None:
    paired = PairedCorpus.of(
        [{"en": "The king", "sv": "kungen"}, {"en": "?"}, {"sv": "ett hus, hus"}]
    )
    texts = read_tuples(paired, BOTH)
    assert texts.languages == ("en", "sv")
    assert texts.vocabularies == (("king", "the"), ("ett", "hus", "kungen"))
    assert [texts.tuple_of(row) for row in range(len(texts))] == [
        [["the", "king"], ["kungen"]],
        [[], []],
        [[], ["ett", "hus", "hus"]],
    ]
    # en | sv of the three tuples: 2 | 1, 0 | 0, 0 | 3 words
    assert texts.starts.tolist() == [0, 2, 3, 3, 3, 3, 6]
    assert texts.lengths.tolist() == [[2, 1], [0, 0], [0, 3]]
    assert texts.document_languages.tolist() == [[True, True], [True, False], [False, True]]
    assert texts.term_frequency(1).tolist() == [1, 2, 1]
    assert texts.tokens == ("words", "words")


def test_unlinked_documents_are_tuples_with_names_of_their_own() -> None:
    sides = {
        "en": Corpus.of([Document("a", id="x"), Document("b"), Document("c", id="sv:1")]),
        "sv": Corpus.of([Document("d"), Document("e", id="x"), Document("f", id="")]),
    }
    texts = read_tuples(PairedCorpus(sides, links=LinkById()), BOTH)
    assert texts.keys == ("x", "", "sv:1", "", "")
    # a key stays as it is, so the nameless first document of sv cannot be sv:1
    assert texts.ids == ("x", "en:2", "sv:1", "sv:1#2", "sv:3")


languages = st.dictionaries(
    st.sampled_from(["en", "sv", "tr"]),
    st.lists(st.sampled_from("abcdefg"), max_size=5).map(" ".join),
)


@given(st.lists(languages, max_size=12), st.integers(0, 4), st.data())
def test_rows_are_those_of_the_tuples(
    tuples: list[dict[str, str]], cut: int, data: st.DataObject
) -> None:
    filled = [*tuples, dict.fromkeys(("en", "sv", "tr"), "z z")]
    paired = PairedCorpus.of(data.draw(st.permutations(filled)))
    paired = paired.unlink(cut / 4, seed=3)
    texts = read_tuples(paired, pipelines_of(paired.languages))
    expected = list(paired.tuples())
    assert texts.keys == tuple(key for key, _ in expected)
    assert [texts.tuple_of(row) for row in range(len(texts))] == [
        [sides[name].text.split() if name in sides else [] for name in texts.languages]
        for _, sides in expected
    ]
    assert len(set(texts.ids)) == len(texts)


def test_words_are_limited_by_the_documents_of_their_own_language() -> None:
    paired = PairedCorpus.of(
        [
            {"en": "a b", "sv": "a b"},
            {"en": "a b", "sv": "a"},
            {"en": "a c"},
            {"en": "a b d"},
        ]
    )
    texts = read_tuples(paired, BOTH)
    # a b c d of en are in 4, 3, 1, 1 of 4 documents; a b of sv in 2 and 1 of 2
    assert texts.document_frequency().tolist() == [4, 3, 1, 1, 2, 1]
    limited = texts.limited(max_df=0.75)
    assert limited.vocabularies == (("b", "c", "d"), ("b",))
    assert [limited.tuple_of(row) for row in range(4)] == [
        [["b"], ["b"]],
        [["b"], []],
        [["c"], []],
        [["b", "d"], []],
    ]
    assert texts.limited(min_df=2).vocabularies == (("a", "b"), ("a",))
    assert limited.document_languages.tolist() == texts.document_languages.tolist()
    with pytest.raises(InputError) as caught:
        texts.limited(min_df=3)
    assert str(caught.value).endswith(
        "no word of sv is in at least 3 and at most 100% of the 2 texts: set min_df and max_df"
    )


def test_one_language_is_as_plain_texts_are() -> None:
    corpus = Corpus.of([Document("a cat", id="x"), Document("?", id="y"), Document("a", id="z")])
    plain = read_texts(corpus, Pipeline.parse("words"))
    texts = PolylingualTexts.of_one_language(plain)
    assert [texts.tuple_of(row) for row in range(3)] == [[["a", "cat"]], [[]], [["a"]]]
    assert (texts.ids, texts.keys, texts.digest) == (("x", "y", "z"), ("", "", ""), plain.digest)
    for limits in ({"min_df": 2}, {"max_df": 0.5}):
        mine, theirs = texts.limited(**limits), plain.limited(**limits)
        assert mine.vocabularies == (theirs.vocabulary,)
        assert np.array_equal(mine.words, theirs.numbers)
        assert np.array_equal(mine.starts, theirs.starts)


def test_the_digest_tells_texts_and_links_from_others() -> None:
    def digest(*tuples: dict[str, str], share: float = 1.0) -> str:
        paired = PairedCorpus.of(tuples).unlink(share, seed=1)
        return read_tuples(paired, BOTH).digest

    first = {"en": "a", "sv": "b"}
    second = {"en": "c", "sv": "d"}
    known = digest(first, second)
    assert known == digest(dict(first), dict(second))
    assert known.startswith("2#")
    others = [
        digest(second, first),
        digest(first, second, share=0.5),
        digest(first, {"en": "c", "sv": "D"}),
        digest(first, {"en": "c"}, {"sv": "d"}),
    ]
    assert len({known, *others}) == 5


def test_words_that_are_not_of_a_given_vocabulary_are_left_out() -> None:
    paired = PairedCorpus.of([{"en": "a b c", "sv": "x"}, {"en": "c a"}])
    texts = read_tuples(paired, BOTH, {"en": ["c", "a"], "sv": ["y"]})
    assert texts.vocabularies == (("c", "a"), ("y",))
    assert texts.words.tolist() == [1, 0, 0, 1]
    assert texts.lengths.tolist() == [[2, 0], [2, 0]]
    plain = read_documents(Corpus.of(["b a", "?"]), {"en": BOTH["en"]}, {"en": ["c", "a"]})
    assert (plain.languages, plain.words.tolist(), len(plain)) == (("en",), [1], 2)


def test_texts_with_too_few_tokens_are_dropped() -> None:
    paired = PairedCorpus.of([{"en": "a b", "sv": "x"}, {"en": "c", "sv": "y"}])
    pipelines = pipelines_of(["en", "sv"], {"en": "words(min_tokens=2)"})
    assert read_tuples(paired, pipelines).lengths.tolist() == [[2, 1], [0, 1]]


def test_each_language_has_its_tokens() -> None:
    def token_names(tokens: Any) -> list[str]:
        return list(map(repr, pipelines_of(["en", "swe", "zh"], tokens).values()))

    assert token_names(None) == ["words", "words", "icu(language=zh)"]
    assert token_names("tokens") == ["tokens"] * 3
    assert token_names({"sv": "tokens"}) == ["words", "tokens", "icu(language=zh)"]
    assert token_names({"sv": "tokens", "": "words(digits=true)"}) == [
        "words(digits=true)",
        "tokens",
        "words(digits=true)",
    ]
    with pytest.raises(InputError, match="tokens for tr, but not for one of en, swe, zh"):
        token_names({"tr": "words"})


def test_a_side_without_words_is_named() -> None:
    with pytest.raises(InputError, match="the side sv is empty: none of its 1 documents has a"):
        read_tuples(PairedCorpus.of([{"en": "a", "sv": "?"}]), BOTH)
