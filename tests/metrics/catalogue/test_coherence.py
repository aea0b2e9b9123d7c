"""Numbers worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tealeaves
from tealeaves.evidence import Counts
from tealeaves.metrics import metric


def value(spec: str, words: list[str], counts: Counts) -> float:
    return tealeaves.score([words], None, spec, counts=counts).value("model", repr(metric(spec)))


def test_pmi_and_npmi_of_two_portuguese_words() -> None:
    # canção in 4, exílio in 7, both in 4 of 684 texts
    counts = Counts.of({"canção": 4, "exílio": 7}, {("canção", "exílio"): 4}, 684)
    words = ["canção", "exílio"]
    assert value("pmi(base=2)", words, counts) == pytest.approx(6.610, abs=5e-4)
    assert value("pmi", words, counts) == pytest.approx(6.610 * math.log(2), abs=5e-4)
    assert value("npmi", words, counts) == pytest.approx(0.891, abs=5e-4)


@pytest.fixture
def cats() -> Counts:
    # of 16 units: a in 8, b in 4, c in 4; a and b together in 4, a and c in 1, b and c never
    pairs = {("a", "b"): 4, ("a", "c"): 1, ("b", "c"): 0}
    return Counts.of({"a": 8, "b": 4, "c": 4}, pairs, 16)


@pytest.mark.parametrize(
    ("spec", "words", "expected"),
    [
        # PMI(a, b) = log2((4/16) / (8/16 * 4/16)) = 1 bit
        ("pmi(base=2)", "ab", 1.0),
        ("pmi(base=2)", "ac", -1.0),
        ("ppmi(base=2)", "ac", 0.0),
        ("ppmi(base=2)", "abc", 1 / 3),
        # NPMI(a, b) = 1 bit / -log2(4/16) = 1/2; NPMI(a, c) = -1 / -log2(1/16) = -1/4
        ("npmi", "ab", 0.5),
        ("npmi", "ac", -0.25),
        ("npmi", "bc", -1.0),
        ("npmi(never=0)", "bc", 0.0),
        ("npmi", "abc", (0.5 - 0.25 - 1) / 3),
        ("npmi(aggregate=median)", "abc", -0.25),
        ("npmi(aggregate=sum)", "abc", -0.75),
        ("npmi(aggregate=min)", "abc", -1.0),
        ("npmi(aggregate=max)", "abc", 0.5),
        # with eps: -1 + log(1/4 * 1/4) / log(eps)
        ("npmi(eps=1e-12)", "bc", -1 + math.log(1 / 16) / math.log(1e-12)),
        ("pmi(eps=1e-12)", "bc", math.log(1e-12 * 16)),
        # UMass: log P(later | earlier); Mimno: log((D + 1) / D), summed
        ("umass", "ab", math.log(4 / 8)),
        ("umass", "ba", math.log(4 / 4)),
        ("umass(smooth=1, aggregate=sum)", "ab", math.log(5 / 8)),
        ("umass(smooth=1, aggregate=sum)", "abc", math.log(5 / 8 * 2 / 8 * 1 / 4)),
        ("lcp(base=2)", "ab", -1.0),
        # Fitelson: P(b|a) = 1/2, P(b|not a) = 0; P(c|a) = 1/8, P(c|not a) = 3/8
        ("c_p(window=none)", "ab", 1.0),
        ("c_p(window=none)", "ac", (1 / 8 - 3 / 8) / (1 / 8 + 3 / 8)),
        ("c_p(window=none)", "bc", -1.0),
        ("c_p(window=none, never=0)", "bc", 0.0),
        ("coherence(confirmation=jaccard)", "ac", 1 / 11),
        ("coherence(confirmation=conditional, segmentation=one_pre)", "ac", 1 / 8),
        ("coherence(confirmation=conditional, segmentation=one_suc)", "ac", 1 / 4),
        ("coherence(confirmation=difference)", "bc", -1 / 4),
    ],
)  # fmt: skip
def test_by_hand(cats: Counts, spec: str, words: str, expected: float) -> None:
    assert value(spec, list(words), cats) == pytest.approx(expected, abs=1e-9)


def test_c_v_by_hand(cats: Counts) -> None:
    # NPMI of each word with (a, b, c), and their sum
    a, b, c, whole = (1, 0.5, -0.25), (0.5, 1, 0), (-0.25, 0, 1), (1.25, 1.5, 0.75)
    expected = sum(cosine(v, whole) for v in (a, b, c)) / 3
    assert value("c_v(window=none, never=0)", list("abc"), cats) == pytest.approx(expected)
    pairs = (cosine(a, b) + cosine(a, c) + cosine(b, c)) / 3
    assert value("c_a(context=none, never=0)", list("abc"), cats) == pytest.approx(pairs)


def cosine(left: tuple[float, ...], right: tuple[float, ...]) -> float:
    dot = sum(x * y for x, y in zip(left, right, strict=True))
    return dot / (math.hypot(*left) * math.hypot(*right))


def test_words_in_every_unit_are_always_together() -> None:
    counts = Counts.of({"a": 5, "b": 5}, {("a", "b"): 5}, 5)
    assert value("npmi", ["a", "b"], counts) == 1.0
    assert value("npmi(eps=1e-12)", ["a", "b"], counts) == 1.0
    assert value("c_p(window=none)", ["a", "b"], counts) == 1.0


@given(st.floats(1e-15, 0.9), st.integers(0, 200), st.integers(0, 200))
def test_always_together_is_1_whatever_the_eps(eps: float, a: int, b: int) -> None:
    counts = Counts.of({"a": 3, "b": 3}, {("a", "b"): 3}, 3)
    one = metric(f"npmi(eps={eps!r})")
    assert value(repr(one), ["a", "b"], counts) == 1.0
    nearly = Counts.of({"a": a, "b": b}, {("a", "b"): min(a, b)}, 200)
    actual = value(repr(one), ["a", "b"], nearly)
    assert math.isnan(actual) or one.bounds[0] <= actual <= one.bounds[1] + 1e-9


def test_c_a_by_counting_neighbours() -> None:
    text = ["a", "b", "x", "x", "c", "a", "x", "b", "x", "x", "x", "x", "c", "b", "a", "a", "b"]
    words, size = "abc", 2
    positions = {word: [i for i, token in enumerate(text) if token == word] for word in words}

    def npmi(one: str, other: str) -> float:
        near = sum(abs(i - j) <= size for i in positions[one] for j in positions[other])
        singles = len(positions[one]), len(positions[other])
        together = min(near, *singles) if one != other else singles[0]
        if together == 0:
            return 0.0
        p, p1, p2 = together / len(text), singles[0] / len(text), singles[1] / len(text)
        return math.log(p / (p1 * p2)) / -math.log(p)

    vectors = [tuple(npmi(one, other) for other in words) for one in words]
    pairs = [cosine(vectors[i], vectors[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    scores = tealeaves.score([list(words)], [text], f"c_a(context={size})", tokens="tokens")
    assert scores.rows[0].value == pytest.approx(sum(pairs) / 3)


def test_pairs_are_compared_in_both_orders_where_order_matters(cats: Counts) -> None:
    spec = "coherence(confirmation=conditional, segmentation={})"
    names = ("one_one", "one_pre", "one_suc")
    one, pre, suc = (value(spec.format(name), list("ac"), cats) for name in names)
    assert one == pytest.approx((pre + suc) / 2)
    assert pre != suc


def test_words_that_are_always_together_but_not_everywhere() -> None:
    counts = Counts.of({"a": 5, "b": 5}, {("a", "b"): 5}, 50)
    assert value("npmi", ["a", "b"], counts) == pytest.approx(1.0, abs=1e-15)


def test_each_word_given_all_others() -> None:
    texts = ["a b c", "a b c", "a b", "c", "a"]
    spec = "coherence(segmentation=one_all, confirmation=conditional)"
    # P(a | b c) = 2/2, P(b | a c) = 2/2, P(c | a b) = 2/3
    scores = tealeaves.score([["a", "b", "c"]], texts, spec, tokens="tokens")
    assert scores.value("model", repr(metric(spec))) == pytest.approx((1 + 1 + 2 / 3) / 3)
    spec = "coherence(segmentation=one_any, confirmation=conditional)"
    # given b, c, bc: 3/3 2/3 2/2; given a, c, ac: 3/4 2/3 2/2; given a, b, ab: 2/4 2/3 2/3
    expected = (1 + 2 / 3 + 1 + 3 / 4 + 2 / 3 + 1 + 2 / 4 + 2 / 3 + 2 / 3) / 9
    scores = tealeaves.score([["a", "b", "c"]], texts, spec, tokens="tokens")
    assert scores.value("model", repr(metric(spec))) == pytest.approx(expected)
