"""Which texts are used: drawn fairly, the same ones again, and all others accounted for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.evidence.attention.frame import Frame
from tealeaves.evidence.attention.sample import Sampler, random_number
from tealeaves.evidence.attention.texts import TextReader
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.pipeline import Pipeline


class Letters:
    """A tokenizer each of whose pieces is a letter."""

    cls_token_id, sep_token_id = 0, 1

    def __call__(self, words: Sequence[Sequence[str]], **_: Any) -> dict[str, list[list[int]]]:
        return {"input_ids": [[ord(letter) for letter in word] for [word] in words]}


MakeSampler = Callable[..., Sampler]


@pytest.fixture(scope="session")
def sampler(make_frame: Callable[..., Frame]) -> MakeSampler:
    """Make samplers that look for pairs of the topics a b c and b c d."""
    frame = make_frame()

    def make(
        budget: int | None,
        seed: int = 0,
        tokens: str = "tokens",
        labels: Sequence[str] | None = None,
    ) -> Sampler:
        reader = TextReader(Letters(), frame.terms, 12)
        pipeline = Pipeline.parse(tokens)
        return Sampler(pipeline, reader, frame, budget=budget, seed=seed, labels=labels)

    return make


def numbered(texts: Sequence[str], source: str = "s") -> list[Document]:
    """Number texts, so that each can be told from the others."""
    return [Document(text, f"{source}{n}", source=source, position=n)
            for n, text in enumerate(texts)]  # fmt: skip


def drawn(sampler: Sampler, documents: Sequence[Document]) -> list[str]:
    """Return the ids of the chosen texts."""
    found = [one.document.id for one in sampler.sample(Corpus.of(documents))]
    counted = sampler.dropped + sampler.without + sampler.left + len(found)
    assert counted == sampler.documents == len(documents)
    return found


mixed = st.lists(st.sampled_from(["a b", "b x c d", "a d", "a", "", "a a", "x y"]), max_size=30)


@given(mixed, st.integers(1, 12), st.integers(0, 12), st.integers(0, 3))
def test_a_smaller_budget_draws_the_first_texts_of_a_larger_one(
    sampler: MakeSampler, texts: list[str], budget: int, more: int, seed: int
) -> None:
    few = drawn(sampler(budget, seed), numbered(texts))
    many = drawn(sampler(budget + more, seed), numbered(texts))
    assert many[:budget] == few
    usable = sum(text in ("a b", "b x c d") for text in texts)
    assert len(few) == min(budget, usable)


@given(mixed, st.randoms(use_true_random=False), st.integers(1, 9))
def test_the_order_of_reading_does_not_matter(
    sampler: MakeSampler, texts: list[str], random: Any, budget: int
) -> None:
    documents = numbered(texts, "s") + numbered(texts, "t")
    expected = drawn(sampler(budget), documents)
    random.shuffle(documents)
    assert drawn(sampler(budget), documents) == expected


@given(mixed)
def test_a_budget_beyond_the_corpus_draws_what_is_read_without_one(
    sampler: MakeSampler, texts: list[str]
) -> None:
    one, other = sampler(None), sampler(100)
    assert set(drawn(one, numbered(texts))) == set(drawn(other, numbered(texts)))
    assert (one.dropped, one.without, one.left) == (other.dropped, other.without, 0)


def test_what_became_of_each_text(sampler: MakeSampler) -> None:
    # no token; one; two of which one is in no topic; a pair that is in no topic; twice one word
    documents = numbered(["", "a", "a x", "a d", "b b", "a b", "c x d"])
    whole = sampler(None)
    assert drawn(whole, documents) == ["s5", "s6"]  # as they are read
    assert (whole.documents, whole.dropped, whole.without, whole.left) == (7, 1, 4, 0)
    longer = sampler(None, tokens="tokens(min_tokens=3)")
    assert drawn(longer, documents) == ["s6"]
    assert (longer.dropped, longer.without) == (6, 0)
    one = sampler(1)
    assert len(drawn(one, documents)) == 1
    assert one.left >= 1


@pytest.mark.parametrize("budget", [None, 9])
def test_only_texts_with_a_label_that_is_asked_for(
    sampler: MakeSampler, budget: int | None
) -> None:
    given = [("a b", "x"), ("a b", ""), ("b c", "y"), ("c d", "z"), ("a", "x"), ("", "z")]
    documents = [
        Document(text, f"s{number}", label=label, source="s", position=number)
        for number, (text, label) in enumerate(given)
    ]
    some = sampler(budget, labels=("x", "y"))
    assert sorted(drawn(some, documents)) == ["s0", "s2"]
    # without a pair: one; of another label: "" and z; without a token: one
    assert (some.without, some.unlabelled, some.dropped) == (3, 2, 1)
    every = sampler(budget)
    assert len(drawn(every, documents)) == 4
    assert every.unlabelled == 0


def test_a_pair_beyond_the_length_that_is_read_is_none(sampler: MakeSampler) -> None:
    # ten letters are read between both ends: b is the tenth, or the eleventh
    assert drawn(sampler(None), numbered(["a xxxxxxxx b", "a xxxxxxxxx b"])) == ["s0"]


def test_each_text_is_drawn_as_often_as_the_others(sampler: MakeSampler) -> None:
    documents = numbered(["a b"] * 40)
    runs = [tuple(drawn(sampler(10, seed), documents)) for seed in range(400)]
    times = Counter(one for found in runs for one in found)
    # 400 draws of 10 among 40: 100 each, with a standard deviation of sqrt(400 · 1/4 · 3/4) = 8.7
    assert len(times) == 40
    assert all(abs(count - 100) < 4.5 * 8.7 for count in times.values())
    assert len(set(runs)) == 400
    first = Counter(found[0] for found in runs)  # the order is random too: 10 each, sd 3.1
    assert max(first.values()) < 10 + 5 * 3.2


def test_most_texts_are_not_even_split(
    sampler: MakeSampler, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    one = sampler(5)
    tokenize = one._tokenize

    def watched(text: str) -> Sequence[str]:
        looked.append(text)
        return tokenize(text)

    monkeypatch.setattr(one, "_tokenize", watched)
    drawn(one, numbered(["a b"] * 2000))
    # text n is among the five smallest so far with a chance of 5/n: 5 + 5 (1/6 + … + 1/2000) = 35
    assert 15 < len(looked) < 60


@pytest.mark.parametrize("budget", [None, 2])
def test_each_document_is_told_of(sampler: MakeSampler, budget: int | None) -> None:
    read: list[int] = []
    documents = numbered(["a b", "", "x", "b c"])
    list(sampler(budget).sample(Corpus.of(documents), each=lambda: read.append(1)))
    assert len(read) == 4


def test_the_number_of_a_document_never_changes() -> None:
    # another version that draws other texts must be another procedure
    document = Document("any text", source="file", position=3)
    assert random_number(document, 0) == 285857650659818882
    assert random_number(document, 1) != random_number(document, 0)
    assert random_number(Document("other", source="file", position=3), 0) == 285857650659818882
