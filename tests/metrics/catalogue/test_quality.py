"""Quality: coherence times diversity."""

from __future__ import annotations

import math

import pytest

import tealeaves
from tealeaves import Topics, demo
from tealeaves.errors import InputError
from tealeaves.evidence import Counts
from tealeaves.metrics import metric

# of 16 texts: NPMI(a, b) = log 2 / log 4 = 1/2, NPMI(a, c) = -log 2 / log 16 = -1/4
COUNTS = Counts.of({"a": 8, "b": 4, "c": 4}, {("a", "b"): 4, ("a", "c"): 1}, 16)


def test_by_hand() -> None:
    # coherence (1/2 - 1/4) / 2 = 1/8; 3 words of 4 are unique
    scores = tealeaves.score([["a", "b"], ["a", "c"]], metrics="quality@2", counts=COUNTS)
    [row] = scores.rows
    assert row.value == pytest.approx(1 / 8 * 3 / 4)
    assert (row.topic, row.support) == (None, 1.0)
    # the support is that of npmi@10 (1 of 45 pairs) times that of diversity@25
    parts = tealeaves.score(
        [["a", "b"], ["a", "c"]], metrics="quality npmi@10 diversity@25", counts=COUNTS
    ).models
    whole, *factors = parts.rows
    assert whole.value == pytest.approx(1 / 8 * 3 / 4)
    assert whole.support == pytest.approx(math.prod(row.support for row in factors))
    assert factors[0].support == pytest.approx(1 / 45)


@pytest.mark.parametrize(
    ("spec", "one", "other"),
    [
        ("quality", "npmi@10", "diversity@25"),
        ("quality@7", "npmi@7", "diversity@7"),
        ("quality(coherence=c_v@5)", "c_v@5", "diversity@25"),
        ("quality(coherence='npmi(window=10)@10')@5", "npmi(window=10)@5", "diversity@5"),
    ],
)
def test_the_product_of_the_two(spec: str, one: str, other: str) -> None:
    scores = tealeaves.score(demo.models(), demo.corpus(), [spec, one, other])
    for model in ("good", "middling", "shuffled"):
        product = scores.value(model, one) * scores.value(model, other)
        assert scores.value(model, spec) == pytest.approx(product)
    assert scores.value("good", spec) > scores.value("shuffled", spec)


def test_the_signature_writes_out_both() -> None:
    [row] = tealeaves.score([["a", "b"], ["a", "c"]], metrics="quality", counts=COUNTS)
    assert metric("npmi@10").signature in row.signature
    assert metric("diversity@25").signature in row.signature
    assert "|texts=" in row.signature


def test_an_undefined_factor_makes_the_product_undefined() -> None:
    texts = ["a b", "a c"]
    scores = tealeaves.score([["x", "y"], ["z", "y"]], texts, "quality", tokens="tokens")
    [row] = scores.rows
    assert math.isnan(row.value)
    assert row.support == 0
    assert scores.notes[-1] == "model: not in the corpus: x, y, z"


def test_a_model_lacks_what_a_factor_lacks() -> None:
    one = metric("quality(coherence=purity)")
    assert one.lacks(Topics.of([["a", "b"]])) == "no topic-word matrix"
    assert metric("quality").lacks(Topics.of([["a", "b"]])) == ""


def test_the_factors_are_checked() -> None:
    with pytest.raises(InputError, match="unknown metric sparsity2"):
        metric("quality(diversity=sparsity2)")
    with pytest.raises(InputError, match="diversity must be a metric of which higher"):
        metric("quality(diversity=background_ratio)")
    one = metric("quality(coherence='npmi( window = 10 )@5', diversity='diversity @ 25')")
    assert repr(one) == "quality(coherence='npmi(window=10)@5')"
    assert metric(repr(one)) == one == metric(one.signature)
    assert metric("quality(coherence=pmi@10)").bounds == (-math.inf, math.inf)
    assert metric("quality(coherence=umass@10)").bounds == (-math.inf, 0.0)
