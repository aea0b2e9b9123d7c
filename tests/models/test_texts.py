"""The texts that models are trained on: words, ids, language, tokens, and tuples of documents."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves import demo, read_topics
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.models import train
from tealeaves.models.texts import default_tokens, read_texts, read_tuples
from tealeaves.text import Corpus, Document, Pipeline, stopwords
from tealeaves.text.paired import PairedCorpus
from tealeaves.text.paired.links import LinkById
from tealeaves.text.pipeline import pipelines_of

SMALL = "nmf(iterations=200)"
BOTH = {"en": Pipeline.parse("words"), "sv": Pipeline.parse("words")}


@pytest.mark.parametrize(
    ("named", "tokens", "language"),
    [
        (["es", "es"], "words", "es"),
        (["es", ""], "words", "es"),
        (["", "es"], "words(stopwords=en)", "es"),  # the texts know better
        (["es-MX", "ES", "es_AR"], "words", "es"),
        (["es", "en"], "words(stopwords=es)", ""),
        (["es", "Spanish"], "words", "es"),
        (["Klingon"], "words", ""),
        (["Klingon"], "words(stopwords=es)", "es"),
        (["es", "Klingon"], "words", ""),
        (["eng"], "words", "en"),
        (["", ""], "words", ""),
        ([""], "words(stopwords=es)", "es"),
        ([""], "words(lemmas=es)", "es"),
        ([""], "attention(language=es)", "es"),
        ([""], "words(stopwords=en, lemmas=es)", ""),
        ([""], "words(stopwords=en+es)", ""),
    ],
)
def test_the_language_is_what_texts_or_else_tokens_say(
    named: list[str], tokens: str, language: str
) -> None:
    text = "gato perro casa libro mesa agua"
    corpus = Corpus.of([Document(text, language=name) for name in named])
    texts = read_texts(corpus, Pipeline.parse(tokens))
    assert texts.languages == (language,)
    assert texts.limited().languages == (language,)


def test_a_list_of_ones_own_says_no_language(tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("casa\n")
    corpus = Corpus.of(["gato casa"])
    alone = Pipeline.parse(f'words(stopwords="{own}")')
    assert read_texts(corpus, alone).languages == ("",)
    beside = Pipeline.parse(f'words(stopwords="es+{own}")')
    assert read_texts(corpus, beside).languages == ("es",)


def test_the_language_of_late_texts_counts_too() -> None:
    corpus = Corpus.of([Document("gato", language="es")] * 1500 + [Document("cat", language="en")])
    assert read_texts(corpus, Pipeline.parse("words")).languages == ("",)


@pytest.mark.parametrize("suffix", ["topics", "json"])
def test_trained_topics_keep_it_in_their_file(suffix: str, tmp_path: Path) -> None:
    topics = train(SMALL, demo.corpus("es"), k=2)
    assert topics.language == "es"
    topics.save(tmp_path / f"nmf.{suffix}")
    assert read_topics(tmp_path / f"nmf.{suffix}").language == "es"
    untold = [document.text for document in demo.corpus("es")]
    assert train(SMALL, untold, k=2).language == ""


def test_too_rare_and_too_common_words_are_left_out() -> None:
    texts = read_texts(Corpus.of(["a b c", "a b", "a c d", "a"]), Pipeline.parse("words"))
    assert texts.document_frequency.tolist() == [4, 2, 2, 1]
    limited = texts.limited(min_df=2, max_df=0.5)
    assert limited.vocabularies == (("b", "c"),)
    assert [limited.words_of(row) for row in range(4)] == [[["b", "c"]], [["b"]], [["c"]], [[]]]


def test_ids_that_are_not_unique_are_no_ids() -> None:
    pipeline = Pipeline.parse("words")
    twice = Corpus.of([Document("a b", id="x"), Document("a b", id="x")])
    assert read_texts(twice, pipeline).ids == ()
    once = Corpus.of([Document("a b", id="x"), Document("a b", id="y")])
    assert read_texts(once, pipeline).ids == ("x", "y")
    partly = Corpus.of([Document("a b", id="x"), Document("a b")])
    assert read_texts(partly, pipeline).ids == ()


def test_without_their_lists_stop_words_stay_with_a_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "stopwordsiso", None)
    stopwords._list_of_language.cache_clear()
    with pytest.warns(TealeavesWarning, match=r"stop words stay .*tealeaves\[langs\]"):
        assert default_tokens(demo.corpus("en")) == "words"


# ------------------------------------------------------------------ tuples


def test_the_words_of_a_tuple_lie_beside_each_other() -> None:
    paired = PairedCorpus.of(
        [{"en": "The king", "sv": "kungen"}, {"en": "?"}, {"sv": "ett hus, hus"}]
    )
    texts = read_tuples(paired, BOTH)
    assert texts.languages == ("en", "sv")
    assert texts.vocabularies == (("king", "the"), ("ett", "hus", "kungen"))
    assert [texts.words_of(row) for row in range(len(texts))] == [
        [["the", "king"], ["kungen"]],
        [[], []],
        [[], ["ett", "hus", "hus"]],
    ]
    # en | sv of the three tuples: 2 | 1, 0 | 0, 0 | 3 words
    assert texts.starts.tolist() == [0, 2, 3, 3, 3, 3, 6]
    assert texts.lengths.tolist() == [3, 0, 3]
    assert texts.document_languages.tolist() == [[True, True], [True, False], [False, True]]
    assert texts.term_frequency(1).tolist() == [1, 2, 1]
    assert texts.tokens == ("words", "words")


def test_unlinked_documents_are_tuples_with_names_of_their_own() -> None:
    sides = {
        "en": Corpus.of([Document("a", id="x"), Document("b"), Document("c", id="sv:1")]),
        "sv": Corpus.of([Document("d"), Document("e", id="x"), Document("f", id="")]),
    }
    texts = read_tuples(PairedCorpus(sides, links=LinkById()), BOTH)
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
    for name, (key, _) in zip(texts.ids, expected, strict=True):
        assert name == key or not key
    assert [texts.words_of(row) for row in range(len(texts))] == [
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
    assert texts.document_frequency.tolist() == [4, 3, 1, 1, 2, 1]
    limited = texts.limited(max_df=0.75)
    assert limited.vocabularies == (("b", "c", "d"), ("b",))
    assert [limited.words_of(row) for row in range(4)] == [
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


def test_tuples_in_one_language_are_as_plain_texts_are() -> None:
    words = ["a cat", "?", "a"]
    plain = read_texts(Corpus.of(words), BOTH["en"])
    tuples = read_tuples(PairedCorpus.of([{"en": text} for text in words]), BOTH)
    assert [plain.words_of(row) for row in range(3)] == [[["a", "cat"]], [[]], [["a"]]]
    for limits in ({}, {"min_df": 2}, {"max_df": 0.5}):
        one, other = plain.limited(**limits), tuples.limited(**limits)
        assert one.vocabularies == other.vocabularies
        assert np.array_equal(one.words, other.words)
        assert np.array_equal(one.starts, other.starts)


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
    assert texts.starts.tolist() == [0, 2, 2, 4, 4]
    plain = read_texts(Corpus.of(["b a", "?"]), BOTH["en"], ["c", "a"])
    assert (plain.vocabularies, plain.words.tolist(), len(plain)) == ((("c", "a"),), [1], 2)


def test_texts_with_too_few_tokens_are_dropped() -> None:
    paired = PairedCorpus.of([{"en": "a b", "sv": "x"}, {"en": "c", "sv": "y"}])
    pipelines = pipelines_of(["en", "sv"], {"en": "words(min_tokens=2)"})
    assert read_tuples(paired, pipelines).starts.tolist() == [0, 2, 3, 3, 4]


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
    with pytest.raises(InputError, match="tokens for tr, but the texts are in en, swe, zh"):
        token_names({"tr": "words"})


def test_a_side_without_words_is_named() -> None:
    with pytest.raises(InputError, match="the side sv is empty: none of its 1 documents has a"):
        read_tuples(PairedCorpus.of([{"en": "a", "sv": "?"}]), BOTH)
