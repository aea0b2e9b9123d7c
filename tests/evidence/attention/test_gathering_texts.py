"""Texts through the network: the right sums of the right pairs, however they are batched."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence.attention import chunks, gathering
from tealeaves.evidence.attention.batch_relevance import batch_relevance
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.gathering import gather_relevance
from tealeaves.evidence.attention.relevance import BY_HEAD, Relevance
from tealeaves.evidence.attention.text_relevance import relevance_of_tokens
from tealeaves.evidence.requests import RelevanceRequest, Term
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.pipeline import Pipeline

TOKENS = Pipeline.parse("tokens")
TOPICS = ["w0 w1 w2 w3", "w2 w3 w4s", "w5 w6"]
CLOSE: dict[str, Any] = {"rtol": 1e-9, "atol": 1e-12}


def request(topics: Sequence[str] = TOPICS, *, improved: bool = True) -> RelevanceRequest:
    return RelevanceRequest.of(
        [[Term((word,)) for word in topic.split()] for topic in topics], improved=improved
    )


def some_texts(number: int = 90, seed: int = 0) -> list[str]:
    """Draw texts of 0 to 40 of the words w0 to w11 and w4s, so that some are cut at 30 pieces."""
    random = np.random.default_rng(seed)
    words = [*(f"w{n}" for n in range(12)), "w4s"]
    return [" ".join(random.choice(words, random.integers(0, 41))) for _ in range(number)]


def gather(classifier: Classifier, texts: Sequence[Any] | None = None, **given: Any) -> Relevance:
    corpus = Corpus.of(some_texts() if texts is None else texts)
    return gather_relevance(
        corpus, TOKENS, given.pop("asked", request()), classifier=classifier, **given
    )


@pytest.fixture(scope="module")
def tiny(tiny_classifier: Callable[..., Classifier]) -> Classifier:
    """In double precision, so that what is not rounding is seen."""
    return tiny_classifier(exact=True)


@pytest.fixture(scope="module")
def whole(tiny: Classifier) -> Relevance:
    """All texts, streamed."""
    return gather(tiny, budget=None)


def by_words(relevance: Relevance, name: str) -> dict[tuple[str, str], Any]:
    """Return a column by the words of its rows."""
    return {
        (str(relevance.terms[i]), str(relevance.terms[j])): value
        for (i, j), value in zip(relevance.rows, getattr(relevance, name), strict=True)
    }


def assert_close(one: Relevance, other: Relevance) -> None:
    """Require the same, but for rounding."""
    assert one.fingerprint == other.fingerprint
    assert np.array_equal(one.rows, other.rows)
    assert np.array_equal(one.together, other.together)
    for name in ("sums", "attention", "lrp"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), **CLOSE)
    np.testing.assert_allclose(one.statistics.confidence, other.statistics.confidence, **CLOSE)
    np.testing.assert_allclose(one.statistics.relevance, other.statistics.relevance, **CLOSE)


def read(text: str) -> list[str]:
    """Return the words of a text that fit into 30 pieces with both ends, by hand."""
    words, room = [], 28
    for word in text.split():
        room -= 1 + word.endswith("s")
        if room < 0:
            break
        words.append(word)
    return words


def test_pairs_are_those_of_positions(whole: Relevance) -> None:
    expected: Counter[tuple[str, str]] = Counter()
    asked = {pair for topic in TOPICS for pair in product(topic.split(), topic.split())}
    for text in some_texts():
        expected.update(
            (left, right)
            for left, right in product(read(text), read(text))
            if (left, right) in asked and left != right
        )
    assert by_words(whole, "together") == expected


def test_totals_add_up(whole: Relevance, tiny: Classifier) -> None:
    texts = some_texts()
    groups = [set(topic.split()) for topic in TOPICS]
    usable = [text for text in texts if any(len(group & set(read(text))) > 1 for group in groups)]
    totals = whole.totals
    assert totals.documents == 90
    assert totals.used == len(usable) == whole.texts == whole.statistics.texts < 90
    assert totals.dropped == sum(not text for text in texts) > 0
    assert totals.cut == sum(len(read(text)) < len(text.split()) for text in usable) > 0
    assert totals.left == totals.undecided == 0
    for budget in (1, 40, 70, 1000):
        found = gather(tiny, budget=budget, head_sample=8).totals
        assert found.used == min(budget, len(usable))
        assert found.documents == found.dropped + found.without + found.left + found.used == 90


def test_sums_are_those_of_each_text_by_itself(whole: Relevance, tiny: Classifier) -> None:
    names = ("attention", "lrp", "improved")
    expected: dict[tuple[str, str], Any] = {}
    for text in some_texts():
        words = text.split()
        if len(words) < 2:
            continue
        one = relevance_of_tokens(tiny, words, fixed=whole.fixed)
        matrices = np.stack([getattr(one, name) for name in names], axis=-1)
        for (i, left), (j, right) in product(enumerate(one.words), repeat=2):
            if left != right:
                expected[left, right] = expected.get((left, right), 0) + matrices[i, j]
    found = by_words(whole, "sums")
    assert len(found) > 10
    for pair, value in found.items():
        np.testing.assert_allclose(value, expected[pair], **CLOSE)


def test_heads_by_themselves_make_the_sums(whole: Relevance) -> None:
    layers = np.arange(2)
    assert whole.attention is not None
    assert whole.lrp is not None
    attention = whole.attention[:, layers, whole.fixed.confident].mean(axis=1)
    np.testing.assert_allclose(whole.sums[:, 0], attention, **CLOSE)
    lrp = whole.lrp[:, whole.fixed.important].sum(axis=1)
    np.testing.assert_allclose(whole.sums[:, 1], lrp, **CLOSE)
    assert (whole.counted <= whole.together).all()
    assert 0 < whole.counted.sum() < whole.together.sum()
    assert whole.positive is not None
    assert whole.positive.max() <= whole.together.max()


def test_a_budget_beyond_the_corpus_is_no_budget(whole: Relevance, tiny: Classifier) -> None:
    # the order of texts is another, and so is that of rounding
    assert_close(gather(tiny, budget=1000, heads_of=whole), whole)


@pytest.mark.parametrize(("chunk", "pieces"), [(64, 1), (64, 100_000), (7, 2048), (1, 2048)])
def test_chunks_and_batches_change_nothing(
    whole: Relevance, tiny: Classifier, monkeypatch: pytest.MonkeyPatch, chunk: int, pieces: int
) -> None:
    monkeypatch.setattr(gathering, "_CHUNK", chunk)
    monkeypatch.setattr(chunks, "_PIECES", pieces)
    found = gather(tiny, budget=None, heads_of=whole)
    assert_close(found, whole)
    assert np.array_equal(found.text_rows, whole.text_rows)
    np.testing.assert_allclose(found.text_values, whole.text_values, **CLOSE)


def test_the_same_run_gives_the_same_bits(
    tiny: Classifier, tiny_classifier: Callable[..., Classifier], tmp_path: Path
) -> None:
    one, other = (gather(made, budget=50) for made in (tiny, tiny_classifier(exact=True)))
    assert one == other
    for found, name in ((one, "one"), (other, "other")):
        found.save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    assert one.fingerprint != gather(tiny, budget=50, seed=1).fingerprint


def test_single_precision_is_near(
    whole: Relevance, tiny_classifier: Callable[..., Classifier], monkeypatch: pytest.MonkeyPatch
) -> None:
    single = gather(tiny_classifier(), budget=None)
    monkeypatch.setattr(chunks, "_PIECES", 1)
    alone = gather(tiny_classifier(), budget=None, heads_of=single)
    for found in (single, alone):
        assert found.fixed == whole.fixed
        # Improved LRP divides by sums that nearly cancel out, most of all in a random network
        errors = np.abs(found.sums - whole.sums) / np.abs(whole.sums).max(axis=0)
        assert (errors.max(axis=0) < [1e-6, 1e-6, 5e-3]).all()


def test_a_smaller_budget_is_part_of_a_larger_one(tiny: Classifier) -> None:
    few, many = (gather(tiny, budget=budget, head_sample=5) for budget in (20, 60))
    assert few.fixed == many.fixed
    rows = [set(map(tuple, found.rows[found.text_rows[: found.text_starts[20]]]))
            for found in (few, many)]  # fmt: skip
    assert rows[0] == rows[1]
    first = slice(None, few.text_starts[20])
    np.testing.assert_allclose(few.text_values[first], many.text_values[first], **CLOSE)


def test_without_improved_the_rest_is_the_same(whole: Relevance, tiny: Classifier) -> None:
    found = gather(tiny, asked=request(improved=False), budget=None)
    assert np.isnan(found.sums[:, 2]).all()
    assert np.array_equal(found.sums[:, :2], whole.sums[:, :2])
    assert np.array_equal(found.counted, whole.counted)
    assert not found.stamp.improved


def test_all_pairs_keep_only_sums_unless_asked(whole: Relevance, tiny: Classifier) -> None:
    every = RelevanceRequest(request().terms, None, improved=True)
    found = gather(tiny, asked=every, budget=None)
    assert all(getattr(found, name) is None for name in BY_HEAD)
    assert len(found.rows) == 7 * 6  # of all seven words
    assert gather(tiny, asked=every, budget=5, by_head=True).has_heads
    some = by_words(found, "together")
    assert all(some[pair] >= number for pair, number in by_words(whole, "together").items())


def test_the_true_class_is_that_of_the_label(tiny: Classifier) -> None:
    def labelled(label: str) -> list[Document]:
        return [Document(text, label=label) for text in some_texts(10)]

    found = {
        label: gather(tiny, labelled(label), target="true", heads_of=None).lrp
        for label in tiny.labels
    }
    predicted = gather(tiny, labelled("arts")).stamp
    assert predicted.target == "predicted"
    assert not np.allclose(found["arts"], found["news"])  # type: ignore[arg-type]


def test_texts_of_other_classes_are_not_asked_for_theirs(tiny: Classifier) -> None:
    labels = ("arts", "music", "news", "")
    documents = [
        Document(text, label=labels[number % 4]) for number, text in enumerate(some_texts(40))
    ]
    found = gather(tiny, documents, target="true", budget=None)
    known = [one for one in documents if one.label in tiny.labels]
    alone = gather(tiny, known, target="true", budget=None)
    assert np.array_equal(found.rows, alone.rows)
    np.testing.assert_allclose(found.sums, alone.sums, **CLOSE)
    totals = found.totals
    tokens = [bool(one.text) for one in documents]
    assert totals.unlabelled == sum(tokens[1::4]) + sum(tokens[3::4])
    assert totals.documents == totals.dropped + totals.without + totals.used == 40
    assert totals.used > 5
    with pytest.raises(InputError, match="target=true: no text has a label that the class") as told:
        gather(tiny, [Document(text, label="music") for text in some_texts(10)], target="true")
    assert "(it knows arts, news, sport)" in str(told.value)
    assert "\n" not in str(told.value)
    assert gather(tiny, documents, budget=None).totals.unlabelled == 0


def test_masked_words_are_drawn_by_the_seed(tiny_classifier: Callable[..., Classifier]) -> None:
    masked = tiny_classifier(masked=True)
    one, again, other = (gather(masked, budget=None, seed=seed) for seed in (0, 0, 1))
    assert one.stamp.target == "masked"
    assert one == again
    assert np.array_equal(one.together, other.together)
    assert not np.allclose(one.sums, other.sums)
    assert (one.stamp.seed, other.stamp.seed) == (0, 1)
    assert "|target=masked|seed=1|" in other.provenance


def test_what_is_masked_does_not_depend_on_what_is_asked(
    tiny_classifier: Callable[..., Classifier],
) -> None:
    """The numbers of a pair are the same, whatever other pairs are asked for."""
    masked = tiny_classifier(masked=True, exact=True)
    texts = ["w0 w1 w2 w3 w5 w6 w7 w8 w9 w10", "w1 w7 w0 w3 w2 w2 w9 w1", "w8 w0 w6 w1 w7 w5 w2"]
    few, many = (
        by_words(gather(masked, texts, asked=request(asked)), "attention")
        for asked in (["w0 w1"], ["w0 w1 w2", "w7 w8 w9 w0 w1"])
    )
    for pair, value in few.items():
        np.testing.assert_allclose(value, many[pair], **CLOSE)
    assert len(few) == 2


@pytest.mark.parametrize("target", ["predicted", "masked"])
def test_only_where_words_are_masked_the_seed_is_told(
    tiny_classifier: Callable[..., Classifier], target: str
) -> None:
    parts = [["w0 w1 w2", "w3 w2 w1"], ["w5 w6 w0", "w1 w3"]]
    made = tiny_classifier(masked=target == "masked")
    first = gather(made, parts[0], budget=None)
    if target == "masked":
        with pytest.raises(EvidenceError, match="different seed cannot be added: 1 and 0"):
            gather(made, parts[1], budget=None, heads_of=first, seed=1)
        return
    other = gather(made, parts[1], budget=None, heads_of=first, seed=1)
    assert first.stamp.seed is None
    assert "seed" not in first.provenance
    assert (first + other).totals.used == 4


# ------------------------------------------------------------------ what goes wrong


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ([], "memory: the corpus is empty: it holds no documents"),
        (["", " "], "memory: none of 2 texts has enough tokens"),
        (["w0 w9", "w0 w5", "w1"], "no text has two words of one topic, as tokens reads them"),
    ],
)
def test_why_no_text_can_be_used(tiny: Classifier, texts: list[str], told: str) -> None:
    with pytest.raises(InputError) as caught:
        gather(tiny, texts)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("topics", [[], ["w1"], ["w1", "w2"]])
def test_topics_without_two_words(tiny: Classifier, topics: list[str]) -> None:
    with pytest.raises(InputError, match="these topics have no two words"):
        gather(tiny, asked=request(topics))


@pytest.mark.parametrize(("name", "value"), [("budget", 0), ("head_sample", 0)])
def test_numbers_that_mean_nothing(tiny: Classifier, name: str, value: Any) -> None:
    with pytest.raises(InputError, match=f"^{name} must be at least 1, not 0$"):
        gather(tiny, None, **{name: value})


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("can't allocate memory: you tried")])
def test_too_little_memory_makes_batches_smaller(
    whole: Relevance, tiny: Classifier, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    sizes: list[int] = []
    run = batch_relevance

    def small(network: Any, batch: Any, texts: Any, **given: Any) -> Any:
        sizes.append(batch.ids.numel())
        if sizes[-1] > 90:
            raise error
        return run(network, batch, texts, **given)

    monkeypatch.setattr(chunks, "batch_relevance", small)
    assert_close(gather(tiny, budget=None, heads_of=whole), whole)
    assert sizes[0] > 1000
    # halved until it fits, and not tried again
    assert sum(size > 90 for size in sizes) == sum(size > 90 for size in sizes[:8]) < 7


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            MemoryError(),
            r"too little memory on cpu for a text of \d+ word pieces: .*smaller longest$",
        ),
        (RuntimeError("shapes cannot be multiplied"), "shapes cannot be multiplied"),
    ],
)
def test_a_text_that_no_memory_holds(
    tiny: Classifier, monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    monkeypatch.setattr(chunks, "batch_relevance", fail)
    with pytest.raises((InputError, RuntimeError), match=told):
        gather(tiny)


@pytest.mark.parametrize("budget", [None, 1000])
def test_a_file_that_is_there_twice_is_called_by_its_name(
    tiny: Classifier, tmp_path: Path, budget: int | None
) -> None:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text("\n".join(some_texts(20)))
    corpus = Corpus.open(tmp_path / "one.txt", tmp_path / "two.txt")
    with pytest.raises(EvidenceError, match=r"double counting: .*one.txt = .*two.txt are there"):
        gather_relevance(corpus, TOKENS, request(), classifier=tiny, budget=budget)


def test_copies_are_told_of_when_they_end(
    tiny: Classifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The third file is not read any more."""
    monkeypatch.setattr(gathering, "_CHUNK", 4)
    some = [text for text in some_texts(200) if text]
    files = {"1.txt": some[:30], "2.jsonl": some[:30], "3.txt": some[30:]}
    for name, texts in files.items():
        lines = texts if name != "2.jsonl" else [json.dumps({"text": text}) for text in texts]
        (tmp_path / name).write_text("\n".join(lines))
    through: list[int] = []
    run = batch_relevance

    def counted(network: Any, batch: Any, texts: Any, **given: Any) -> Any:
        through.append(len(texts))
        return run(network, batch, texts, **given)

    monkeypatch.setattr(chunks, "batch_relevance", counted)
    corpus = Corpus.open(*(tmp_path / name for name in files))
    asked = request(improved=False)
    given: dict[str, Any] = {"classifier": tiny, "budget": None, "head_sample": 1}
    with pytest.raises(EvidenceError, match=r"double counting: .*1.txt and .*2.jsonl hold"):
        gather_relevance(corpus, TOKENS, asked, **given)
    assert 50 < sum(through) <= 61  # of more than 150, and one for the heads


def test_a_bar_follows_the_reading(
    tiny: Classifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bars: list[Any] = []

    class Bar:
        n = 0

        def __init__(self, **given: Any) -> None:
            self.given, self.steps = given, [0]
            bars.append(self)

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def update(self, number: int) -> None:
            self.n += number
            self.steps.append(self.n)

    monkeypatch.setattr("tealeaves.jobs._bar_class", lambda: Bar)
    file = tmp_path / "texts.txt"
    file.write_text("\n".join(some_texts(100)))
    asked = request(improved=False)
    gather_relevance(Corpus.open(file), TOKENS, asked, classifier=tiny, budget=70, progress=True)
    choosing, passed = bars
    assert (choosing.given["desc"], choosing.given["total"]) == ("choosing texts", choosing.n)
    assert choosing.n == file.stat().st_size
    assert len(choosing.steps) == 101  # while it is read, not in the end
    assert (passed.given["desc"], passed.steps) == ("relevance", [0, 64, 70])
    assert passed.given["total"] == 70
