"""Stability within one chain: by hand, by slow definitions, by what must hold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tealeaves
from tealeaves import Topics
from tealeaves.arrays import Floats
from tealeaves.errors import InputError

from .slow_likeness import (
    ORACLES,
    SIMILARITIES,
    distributions,
    jaccard_slowly,
    model,
    of,
    rbo_slowly,
)


def chain(samples: Floats, **known: Any) -> Topics:
    vocabulary = tuple(f"w{v}" for v in range(samples.shape[2]))
    best = np.argsort(-samples.mean(axis=0), axis=1, kind="stable")[:, :4]
    topics = [[vocabulary[v] for v in row] for row in best]
    return model(topics, "chain", vocabulary=vocabulary, samples=samples, **known)


def test_posterior_by_hand() -> None:
    # samples (1, 0) and (0, 1), mean (1/2, 1/2): cosine 1/√2 each;
    # JS(sample, mean) = H(3/4, 1/4) - (0 + 1) / 2
    samples = np.array([[[1.0, 0.0]], [[0.0, 1.0]]])
    one = model([["w0", "w1"]], "chain", vocabulary=("w0", "w1"), samples=samples)
    values, support = of(tealeaves.score(one, None, "posterior_stability"), "chain")
    assert values == pytest.approx([1 / math.sqrt(2)])
    assert support == [1.0]
    entropy = -(0.75 * math.log2(0.75) + 0.25 * math.log2(0.25))
    values, _ = of(tealeaves.score(one, None, "posterior_stability(similarity=js)"), "chain")
    assert values == pytest.approx([1 - (entropy - 0.5)])
    # the samples' lists have one word each, the mean's both
    jaccard = "posterior_stability(similarity=jaccard)@2"
    values, support = of(tealeaves.score(one, None, jaccard), "chain")
    assert values == pytest.approx([0.5])
    assert support == [0.5]


def alike(similarity: str, one: Floats, other: Floats, size: int) -> float:
    if similarity in ORACLES:
        return ORACLES[similarity](one, other)
    first, second = (
        [str(v) for v, _ in sorted(enumerate(each), key=lambda pair: -pair[1])[:size]]
        for each in (one.tolist(), other.tolist())
    )
    if similarity == "jaccard":
        return jaccard_slowly(first, second)
    return rbo_slowly(first, second, 0.9)


@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize("top", [None, 2, 5])
def test_posterior_slowly(similarity: str, top: int | None) -> None:
    samples = distributions(3, 6, 3, 10)
    spec = f"posterior_stability(similarity={similarity})" + ("" if top is None else f"@{top}")
    values, support = of(tealeaves.score(chain(samples), None, spec), "chain")
    size = 4 if top is None else top  # the topics list 4 words
    for k in range(3):
        mean = sum(samples[s, k] for s in range(6)) / 6
        each = [alike(similarity, samples[s, k], mean, size) for s in range(6)]
        assert values[k] == pytest.approx(sum(each) / 6)
    assert support == [1.0] * 3


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_a_chain_that_stands_still_has_1(similarity: str) -> None:
    samples = np.repeat(distributions(5, 1, 3, 12), 4, axis=0)
    spec = f"posterior_stability(similarity={similarity})@5"
    values, support = of(tealeaves.score(chain(samples), None, spec), "chain")
    assert values == pytest.approx([1.0] * 3)
    assert support == [1.0] * 3


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_counts_are_as_good_as_probabilities(similarity: str) -> None:
    samples = distributions(4, 5, 2, 8)
    spec = f"posterior_stability(similarity={similarity})@4"
    scale = np.array([1, 10, 3, 7, 2.0])[:, None, None]
    plain, counts = (
        of(tealeaves.score(chain(one), None, spec), "chain") for one in (samples, samples * scale)
    )
    assert counts[0] == pytest.approx(plain[0])


def test_an_empty_sample_lowers_the_support() -> None:
    samples = distributions(6, 4, 2, 8)
    whole = of(tealeaves.score(chain(samples[:3]), None, "posterior_stability"), "chain")
    samples[3, 0] = 0.0
    values, support = of(tealeaves.score(chain(samples), None, "posterior_stability"), "chain")
    assert values[0] == pytest.approx(whole[0][0])
    assert support == [0.75, 1.0]


def test_one_sample_says_nothing() -> None:
    single = chain(distributions(1, 1, 2, 8))
    several = Topics.of(
        [["w0"], ["w1"]],
        model="several",
        vocabulary=single.vocabulary,
        samples=distributions(2, 3, 2, 8),
    )
    scores = tealeaves.score([single, several], None, "posterior_stability")
    assert math.isnan(scores.value("chain", "posterior_stability"))
    assert not math.isnan(scores.value("several", "posterior_stability"))
    assert any("fewer than 2 samples" in note for note in scores.notes)
    signatures = {row.model: row.signature for row in scores}
    assert "samples=3" in signatures["several"]
    with pytest.raises(InputError, match="fewer than 2 samples"):
        tealeaves.score(single, None, "posterior_stability")
    with pytest.raises(InputError, match="no samples of one chain"):
        tealeaves.score(model(["ab"], "words"), None, "posterior_stability")


@given(seed=st.integers(0, 10**6), size=st.integers(1, 8))
def test_posterior_promises(seed: int, size: int) -> None:
    samples = distributions(seed, 3, 2, 6)
    samples[samples < 0.05] = 0.0
    assume((samples.sum(axis=2) > 0).all())
    for similarity in SIMILARITIES:
        spec = f"posterior_stability(similarity={similarity})@{size}"
        for row in tealeaves.score(chain(samples), None, spec):
            assert 0 < row.support <= 1
            assert 0 <= row.value <= 1
