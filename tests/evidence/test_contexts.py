"""Contexts: the words near a word, against a count by hand and one in plain Python."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import EvidenceError
from tealeaves.evidence.contexts import Contexts, gather_contexts
from tealeaves.evidence.counting.hits import StringFinder
from tealeaves.evidence.requests import ContextRequest, Term
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.pipeline import Pipeline

WORDS = Pipeline.parse("words")
TERMS = ("a", "b", "a b", "b b a", "z")


def term(words: str) -> Term:
    return Term(tuple(words.split()))


def context_request(*words: str, window: int = 5) -> ContextRequest:
    return ContextRequest("", frozenset(map(term, words)), window)


def contexts_of(texts: Iterable[str], *words: str, window: int = 5) -> Contexts:
    return gather_contexts(Corpus.of(texts), WORDS, context_request(*words, window=window))


class BruteForce:
    """The definition, token by token."""

    def __init__(self, texts: Sequence[Sequence[str]], words: Sequence[str], window: int) -> None:
        self.near = {word: Counter[str]() for word in words}
        self.singles, self.frequencies, self.marginals = (Counter[str]() for _ in range(3))
        for tokens in texts:
            for i, token in enumerate(tokens):
                self.frequencies[token] += 1
                near = [*tokens[max(0, i - window) : i], *tokens[i + 1 : i + 1 + window]]
                self.marginals[token] += len(near)
                for word in words:
                    parts = word.split()
                    if list(tokens[i : i + len(parts)]) == parts:
                        self.singles[word] += 1
                        before = tokens[max(0, i - window) : i]
                        after = tokens[i + len(parts) : i + len(parts) + window]
                        self.near[word].update([*before, *after])

    def agrees(self, contexts: Contexts, vocabulary: Iterable[str]) -> None:
        """Check all numbers of some contexts, which know these context words."""
        words = sorted(vocabulary)
        assert list(contexts.vocabulary) == words
        assert contexts.frequencies.tolist() == [self.frequencies[word] for word in words]
        assert contexts.marginals.tolist() == [self.marginals[word] for word in words]
        assert contexts.matrix.dtype == np.int64
        for word, near in self.near.items():
            assert contexts.singles[contexts.positions[term(word)]] == self.singles[word]
            expected = {other: count for other, count in near.items() if other in set(words)}
            assert contexts.neighbours(term(word)) == expected


# ---------------------------------------------------------------------- counts


def test_neighbours_by_hand() -> None:
    """Window 2. king at 1: the | of the; king at 5: the sea | -; each text on its own."""
    contexts = contexts_of(["the king of the sea king", "king", "a king!"], "king", window=2)
    assert contexts.neighbours(term("king")) == {"the": 3, "a": 1, "of": 1, "sea": 1}
    assert list(contexts.neighbours(term("king"))) == ["the", "a", "of", "sea"]
    assert contexts.singles.tolist() == [4]
    # a: one neighbour; king: 1+2 (at 1), 2 (at 5), 0 (alone), 1; of 2+2; sea 2+1; the 2, 2+2
    assert contexts.vocabulary == ("a", "king", "of", "sea", "the")
    assert contexts.marginals.tolist() == [1, 6, 4, 3, 6]
    assert contexts.frequencies.tolist() == [1, 4, 1, 1, 2]
    assert "1 terms among 5 words, window 2, 3 documents" in repr(contexts)


def test_a_word_is_near_itself() -> None:
    assert contexts_of(["sea sea"], "sea").neighbours(term("sea")) == {"sea": 2}


def test_sequences_have_neighbours_on_both_sides() -> None:
    contexts = contexts_of(["x new york y", "new york new york"], "new york", window=1)
    assert contexts.neighbours(term("new york")) == {"new": 1, "x": 1, "y": 1, "york": 1}
    assert contexts.singles.tolist() == [3]


@given(
    st.lists(st.lists(st.sampled_from("abcd"), max_size=12), max_size=6),
    st.integers(1, 7),
    st.one_of(st.none(), st.frozensets(st.sampled_from("abcdxz"))),
)
def test_random_texts_agree_with_brute_force(
    texts: list[list[str]], window: int, vocabulary: frozenset[str] | None
) -> None:
    corpus = Corpus.of([" ".join(tokens) for tokens in texts])
    contexts = gather_contexts(
        corpus, WORDS, context_request(*TERMS, window=window), vocabulary=vocabulary
    )
    brute = BruteForce(texts, TERMS, window)
    brute.agrees(contexts, brute.frequencies if vocabulary is None else vocabulary)
    assert contexts.complete == (vocabulary is None)


def _long_texts(seed: int) -> list[list[str]]:
    """Make texts, some of which go through strings."""
    draw = random.Random(seed)
    words = ["a", "b", *(f"w{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(300))]
    texts = [draw.choices(words, k=draw.randrange(400)) for _ in range(250)]
    texts.append(["q̣̇", "a", "b", *words])  # marks that are not in normal form
    return texts


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("words", [TERMS, ("a", "b", "waa")])
def test_long_texts_agree_with_brute_force(*, closed: bool, words: tuple[str, ...]) -> None:
    texts = _long_texts(0)
    brute = BruteForce([WORDS.tokenizer()(" ".join(tokens)) for tokens in texts], words, 5)
    vocabulary = frozenset(sorted(brute.frequencies)[::3]) if closed else None
    corpus = Corpus.of([" ".join(tokens) for tokens in texts])
    contexts = gather_contexts(corpus, WORDS, context_request(*words), vocabulary=vocabulary)
    brute.agrees(contexts, brute.frequencies if vocabulary is None else vocabulary)


@pytest.mark.parametrize("pairs_at_once", [1, 1000])
def test_pairs_are_summed_again_and_again(
    pairs_at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tealeaves.evidence.contexts._PAIRS_AT_ONCE", pairs_at_once)
    texts = [" ".join(tokens) for tokens in _long_texts(2) if tokens]
    for number, text in enumerate(texts):
        (tmp_path / f"{number:03}.txt").write_text(text, encoding="utf-8")
    brute = BruteForce(list(map(WORDS.tokenizer(), texts)), TERMS, 5)
    contexts = gather_contexts(
        Corpus.open(*sorted(tmp_path.iterdir())), WORDS, context_request(*TERMS)
    )
    brute.agrees(contexts, brute.frequencies)


def test_many_small_files_are_one_text(tmp_path: Path) -> None:
    texts = _long_texts(1)
    for number in range(10):
        part = texts[number::10]
        lines = "\n".join(" ".join(tokens) for tokens in part if tokens)
        (tmp_path / f"{number}.jsonl").write_text(
            "".join(f'{{"text": "{line}"}}\n' for line in lines.splitlines()), encoding="utf-8"
        )
    brute = BruteForce([WORDS.tokenizer()(" ".join(tokens)) for tokens in texts], TERMS, 5)
    vocabulary = frozenset(brute.frequencies)
    corpus = Corpus.open(tmp_path)
    contexts = gather_contexts(
        corpus, WORDS, context_request(*TERMS), vocabulary=vocabulary, progress=True
    )
    brute.agrees(contexts, vocabulary)


def test_long_texts_are_read_as_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once there is enough text, if the context words are given."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("texts became strings")

    corpus = Corpus.of(["a b c " * 1000] * 50)
    monkeypatch.setattr(StringFinder, "__call__", refuse)
    contexts = gather_contexts(
        corpus, WORDS, context_request("a", window=1), vocabulary=frozenset("b")
    )
    assert contexts.neighbours(term("a")) == {"b": 50_000}
    with pytest.raises(AssertionError, match="became strings"):
        gather_contexts(corpus, WORDS, context_request("a"))


def test_windows_wider_than_texts() -> None:
    contexts = contexts_of(["a b c", "d"], "a", window=10**9)
    assert contexts.neighbours(term("a")) == {"b": 1, "c": 1}
    assert contexts.marginals.tolist() == [2, 2, 2, 0]


def test_the_pipeline_decides_which_tokens_are_neighbours() -> None:
    """Words that are left out do not part their neighbours; texts that are dropped have none."""
    pipeline = Pipeline.parse("words(min_length=3, min_tokens=2)")
    corpus = Corpus.of(["king of an ox sea", "king of"])
    contexts = gather_contexts(corpus, pipeline, context_request("king", window=1))
    assert contexts.neighbours(term("king")) == {"sea": 1}
    assert contexts.singles.tolist() == [1]
    assert contexts.fingerprint.documents == 2


def test_no_texts_and_no_terms() -> None:
    assert contexts_of([], "a").neighbours(term("a")) == {}
    nothing = contexts_of(["a b"])
    assert (nothing.terms, nothing.vocabulary) == ((), ("a", "b"))
    empty = gather_contexts(Corpus.of(["a"]), WORDS, ContextRequest("", frozenset({Term(())})))
    assert empty.neighbours(Term(())) == {}
    assert empty.singles.tolist() == [0]


def test_frequent_words() -> None:
    contexts = contexts_of(["a b a", "c a b"], "a")
    assert contexts.frequent(2) == {"a", "b"}
    assert contexts.frequent(4) == frozenset()


def test_chapters_are_one_text() -> None:
    verses = Corpus.of([Document("a b", id="GEN 1:1"), Document("c", id="GEN 1:2")])
    chapters = gather_contexts(verses.group("chapter"), WORDS, context_request("b", window=1))
    assert chapters.neighbours(term("b")) == {"a": 1, "c": 1}
    assert str(chapters.pipeline).startswith("chapter ")


def test_copies_of_a_file_are_named(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("a b\nc d\n", encoding="utf-8")
    (tmp_path / "two.jsonl").write_text('{"text": "a b"}\n{"text": "c d"}\n', encoding="utf-8")
    corpus = Corpus.open(tmp_path / "one.txt", tmp_path / "two.jsonl")
    with pytest.raises(EvidenceError, match=r"one\.txt.* and .*two\.jsonl hold the same texts"):
        gather_contexts(corpus, WORDS, context_request("a"))


def test_a_word_that_was_not_requested_is_an_error() -> None:
    with pytest.raises(EvidenceError, match="contexts of the word 'b' were not counted"):
        contexts_of(["a b"], "a").neighbours(term("b"))
