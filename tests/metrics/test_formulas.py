"""Formulas: all can be rendered, and what they say is what is computed.

The second half writes formulas out in plain Python, with their letters, and compares.
"""

from __future__ import annotations

import json
import math
import re
import textwrap
from collections.abc import Mapping, Sequence
from importlib.metadata import entry_points
from importlib.resources import files
from itertools import combinations, pairwise
from pathlib import Path
from statistics import fmean
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from latex2mathml.converter import convert

import tealeaves
from tealeaves import Topics, catalogue
from tealeaves.consensus.predictors import open_predictors
from tealeaves.estimator.estimators import open_estimators
from tealeaves.metrics import Metric, metric, registry
from tealeaves.metrics.catalogue import coherence
from tealeaves.metrics.registry import METRICS
from tealeaves.topics.assignments import Assignments

Lists = Sequence[Sequence[str]]
Point = tuple[float, ...]


CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"


def shipped() -> list[Metric]:
    """The metrics of our own entry points, not those of other packages."""
    ours = [e for e in entry_points(group=registry.GROUP) if e.value.startswith("tealeaves.")]
    values = (value for entry in ours for value in catalogue._loaded_values(entry))
    return sorted({one for one in values if isinstance(one, Metric)}, key=lambda one: one.name)


def example() -> tuple[str, Metric]:
    """The metric that CONTRIBUTING adds to the catalogue: its source, and what it makes there."""
    match = re.search(
        r"^   ```python\n(   c_new = .*?)^   ```", CONTRIBUTING.read_text("utf-8"), re.S | re.M
    )
    assert match is not None
    source = textwrap.dedent(match[1])
    names = dict(vars(coherence))
    exec(source, names)
    return source, names["c_new"]


HAS_EXAMPLE = CONTRIBUTING.exists()  # the tests are packed without it
EVERY = [
    pytest.param(one, id=one.name) for one in [*shipped(), *([example()[1]] if HAS_EXAMPLE else [])]
]


def test_all_are_there() -> None:
    names = {one.name for one in shipped()}
    assert len(names) >= 49
    assert names <= set(METRICS)


@pytest.mark.skipif(not HAS_EXAMPLE, reason="CONTRIBUTING.md is not here")
def test_the_example_of_contributing_can_be_copied() -> None:
    source, c_new = example()
    assert max(map(len, source.splitlines())) <= 100  # the most that ruff lets pass
    texts = ["a b", "a b c", "c"]
    scores = tealeaves.score([["a", "b"], ["a", "c"]], texts, c_new, tokens="tokens")
    assert [row.value for row in scores.topics] == pytest.approx([1.0, 1 / 3])


@pytest.mark.parametrize("one", EVERY)
class TestEveryMetric:
    def test_says_what_it_is_and_when_it_misleads(self, one: Metric) -> None:
        for said in (one.summary, one.formula, one.misleads, one.cite, one.details):
            assert said.strip()
        assert one.better in ("higher", "lower")
        assert one.bounds[0] < one.bounds[1]

    def test_the_formula_can_be_rendered(self, one: Metric) -> None:
        assert "$" not in one.formula
        plain = one.formula.replace(r"\{", "").replace(r"\}", "")
        depths = np.cumsum([{"{": 1, "}": -1}.get(letter, 0) for letter in plain])
        assert depths.min() >= 0
        assert depths[-1] == 0
        assert one.formula.count(r"\left") == one.formula.count(r"\right")
        for display in ("inline", "block"):
            mathml = convert(one.formula, display=display)
            ET.fromstring(mathml)  # `aligned` gives what is not XML
            assert "\\" not in mathml  # an unknown command stays as it is
            assert "merror" not in mathml

    def test_functions_do_not_stick_to_letters(self, one: Metric) -> None:
        # a renderer puts no space between the names of functions and what follows
        assert not re.search(r"\\(log|exp|cos|arccos) ?[a-zA-Z]", one.formula)

    def test_misleads_is_a_few_sentences_and_said_once(self, one: Metric) -> None:
        assert one.misleads == " ".join(one.misleads.split())
        assert one.misleads[0].isupper()
        assert one.misleads.endswith(".")
        assert len(re.findall(r"\.(?= [A-Za-z]|$)", one.misleads.replace("et al.", ""))) <= 3
        assert "mislead" not in one.details.lower()
        details = " ".join(one.details.split())
        for sentence in re.split(r"(?<=\.) (?=[A-Z])", one.misleads):
            assert sentence not in details

    def test_the_letters_of_sets_are_explained(self, one: Metric) -> None:
        # sums run over sets, which only the text can say the meaning of
        for letter in re.findall(r"\\in ([A-Z])", one.formula):
            assert re.search(rf"(?<![\w*]){letter}(?![a-z'])", one.details), letter


def test_a_metric_without_them_works() -> None:
    bare = METRICS["npmi"].__class__(
        name="bare",
        summary="as npmi",
        better="higher",
        bounds=(-1.0, 1.0),
        cite="nobody",
        settings=metric("npmi").settings,
        accepts=(),
    )
    assert bare.formula == bare.misleads == ""
    texts = ["cat dog", "cat dog", "soup"]
    [row] = tealeaves.score([["cat", "dog"]], texts, bare, tokens="tokens").topics
    assert row.value == pytest.approx(1.0)


def test_a_changed_metric_keeps_them() -> None:
    changed = metric("npmi(window=10)@5")
    assert changed.formula == metric("npmi").formula
    assert changed.misleads == metric("npmi").misleads


# ------------------------------------------------------------------ formulas written out

UNEVEN = [["a", "b", "c", "d"], ["c", "a"], ["e", "b", "a"]]
POINTS: dict[str, Point] = {
    "a": (1.0, 0.2, 0.0), "b": (0.3, 1.0, 0.1), "c": (-0.4, 0.5, 0.9),
    "d": (0.7, -0.6, 0.2), "e": (0.1, 0.1, -1.0), "f": (-0.8, 0.3, 0.4),
}  # fmt: skip


def cos(one: Sequence[float], other: Sequence[float]) -> float:
    dot = sum(x * y for x, y in zip(one, other, strict=True))
    return dot / math.hypot(*one) / math.hypot(*other)


def of_topics(topics: Any, spec: str, texts: Any = None, **more: Any) -> list[float]:
    return [row.value for row in tealeaves.score(topics, texts, spec, **more).topics]


def of_model(topics: Any, spec: str, texts: Any = None, **more: Any) -> float:
    [row] = tealeaves.score(topics, texts, spec, **more).models
    return row.value


def biased(shared: Mapping[int, float], s: int, l: int, p: float = 0.9) -> float:  # noqa: E741
    """p^l A_l + (1 - p) Σ p^(d-1) A_d, A_d = (X_d + max(0, d - s) X_s / s) / d."""
    A = {d: (shared[d] + max(0, d - s) * shared[s] / s) / d for d in range(1, l + 1)}  # noqa: N806
    return p**l * A[l] + (1 - p) * sum(p ** (d - 1) * A[d] for d in A)


def rbo(one: Sequence[str], other: Sequence[str]) -> float:
    s, longest = sorted((len(one), len(other)))
    shared = {d: float(len({*one[:d]} & {*other[:d]})) for d in range(1, longest + 1)}
    return biased(shared, s, longest)


def test_diversity() -> None:
    words = [word for topic in UNEVEN for word in topic]
    assert of_model(UNEVEN, "diversity") == pytest.approx(len({*words}) / len(words))
    expected = [fmean(1 / words.count(w) for w in topic) for topic in UNEVEN]
    assert of_topics(UNEVEN, "diversity") == pytest.approx(expected)


def others(number: int) -> list[list[str]]:
    return UNEVEN[:number] + UNEVEN[number + 1 :]


def test_irbo() -> None:
    expected = [1 - fmean(rbo(one, two) for two in others(k)) for k, one in enumerate(UNEVEN)]
    assert of_topics(UNEVEN, "irbo") == pytest.approx(expected)
    assert of_model(UNEVEN, "irbo") == pytest.approx(fmean(expected))


def greedy(one: Sequence[str], other: Sequence[str]) -> float:
    """The sum over M_d of 1 - arccos(cos) / π: the most similar two first, each word once."""
    total, left, right = 0.0, list(one), list(other)
    while left and right:
        worth, a, b = max(
            (1 - math.acos(min(1.0, cos(POINTS[a], POINTS[b]))) / math.pi, a, b)
            for a in left
            for b in right
        )
        total += worth
        left.remove(a)
        right.remove(b)
    return total


def test_we_irbo() -> None:
    def overlap(one: Sequence[str], other: Sequence[str]) -> float:
        s, longest = sorted((len(one), len(other)))
        X = {d: greedy(one[:d], other[:d]) for d in range(1, longest + 1)}  # noqa: N806
        return biased(X, s, longest)

    expected = [1 - fmean(overlap(one, two) for two in others(k)) for k, one in enumerate(UNEVEN)]
    assert of_topics(UNEVEN, "we_irbo", embeddings=POINTS) == pytest.approx(expected, abs=1e-6)


def likely(topics: Lists, number: int, top: int) -> dict[str, float]:
    """p(c): E are the other topics with a word outside of T, those without vectors are left out."""
    T = set(topics[number])  # noqa: N806
    first = [[*topic[:top]] for k, topic in enumerate(topics) if k != number]
    E = [rest for words in first if (rest := [w for w in words if w not in T])]  # noqa: N806
    p = {c: sum((c in free) / len(free) for free in E) / len(E) for free in E for c in free}
    known = {c: share for c, share in p.items() if c in POINTS}
    return {c: share / sum(known.values()) for c, share in known.items()}


@pytest.mark.parametrize("name", ["isim", "int", "ish"])
def test_intruders(name: str) -> None:
    # x has no vector; of the third topic all first words are in the second, which lists them
    topics = [["a", "b", "c", "f"], ["d", "x", "e", "a", "b"], ["b", "e", "a", "c"]]

    def meeting(W: list[Point], c: Point) -> float:  # noqa: N803
        n = len(W)
        if name == "isim":
            return fmean(cos(w, c) for w in W)
        if name == "int":
            least = [min(cos(W[i], W[j]) for j in range(n) if j != i) for i in range(n)]
            return fmean(cos(W[i], c) < least[i] for i in range(n))
        mean = [fmean(axis) for axis in zip(*W, strict=True)]
        after = [[m + (x - y) / n for m, x, y in zip(mean, c, w, strict=True)] for w in W]
        return fmean(cos(mean, one) for one in after)

    expected = []
    for number, topic in enumerate(topics):
        W = [POINTS[word] for word in topic[:3] if word in POINTS]  # noqa: N806
        p = likely(topics, number, 3)
        expected.append(sum(share * meeting(W, POINTS[c]) for c, share in p.items()))
    actual = of_topics(topics, f"{name}@3", embeddings=POINTS)
    assert actual == pytest.approx(expected, abs=1e-6)


PHI = np.array([[0.5, 0.3, 0.1, 0.1, 0.0], [0.1, 0.1, 0.2, 0.2, 0.4], [0.2, 0.2, 0.2, 0.2, 0.2]])
THETA = np.array([[0.5, 0.2, 0.3], [0.1, 0.6, 0.3], [0.2, 0.2, 0.6], [0.5, 0.5, 0.0]])


def with_matrices() -> Topics:
    lists = [["v", "w"], ["z", "x"], ["y", "v"]]
    return Topics.of(
        lists, model="m", vocabulary=tuple("vwxyz"), topic_word=PHI, document_topic=THETA
    )


def given_words(prior: Sequence[float]) -> list[list[float]]:
    """p(t|w), a row a word."""
    rows = []
    for column in PHI.T.tolist():
        joint = [p * share for p, share in zip(column, prior, strict=True)]
        rows.append([one / sum(joint) for one in joint])
    return rows


def test_significance() -> None:
    def kl(x: Sequence[float], y: Sequence[float]) -> float:
        return sum(a * math.log(a / b) for a, b in zip(x, y, strict=True) if a)

    prior = [fmean(column) for column in THETA.T.tolist()]
    mixture = [sum(a * b for a, b in zip(prior, column, strict=True)) for column in PHI.T.tolist()]
    expected = []
    for row, column in zip(PHI.tolist(), THETA.T.tolist(), strict=True):
        documents = [share / sum(column) for share in column]
        parts = kl(row, [1 / 5] * 5), kl(row, mixture), kl(documents, [1 / 4] * 4)
        expected.append(sum(parts) / 3)
    assert of_topics(with_matrices(), "significance") == pytest.approx(expected)


def test_background_ratio() -> None:
    prior = [fmean(column) for column in THETA.T.tolist()]
    n = [sum(a * b for a, b in zip(prior, column, strict=True)) for column in PHI.T.tolist()]
    D = [  # noqa: N806
        sum(p * math.log(p / q) if q else math.inf for p, q in zip(prior, row, strict=True))
        for row in given_words(prior)
    ]
    for delta in (0.05, 0.2):
        near = sum(weight for weight, far in zip(n, D, strict=True) if far <= delta)
        actual = of_model(with_matrices(), f"background_ratio(delta={delta})")
        assert actual == pytest.approx(near / sum(n))
        assert 0 < near < sum(n)


def test_kernel_metrics() -> None:
    prior = [fmean(column) for column in THETA.T.tolist()]
    given = given_words(prior)
    texts = ["v w", "v w x", "x y", "z y x", "v z", "w"]
    held = [set(text.split()) for text in texts]

    def ppmi(a: str, b: str) -> float:
        p = [fmean({*words} <= one for one in held) for words in ((a, b), (a,), (b,))]
        return max(0.0, math.log(p[0] / (p[1] * p[2]))) if p[0] else 0.0

    for t in range(3):
        W = [w for w in range(5) if given[w][t] >= 0.25]  # noqa: N806
        assert of_topics(with_matrices(), "kernel_size")[t] == len(W)
        assert of_topics(with_matrices(), "purity")[t] == pytest.approx(sum(PHI[t][w] for w in W))
        contrast = fmean(given[w][t] for w in W)
        assert of_topics(with_matrices(), "contrast")[t] == pytest.approx(contrast)
        pairs = [ppmi("vwxyz"[a], "vwxyz"[b]) for a, b in combinations(W, 2)]
        actual = of_topics(with_matrices(), "kernel_coherence", texts, tokens="tokens")
        assert actual[t] == pytest.approx(fmean(pairs))


Z = [[0, 0, 1, 0, 2], [1], [2, 2, 0, 1, 1, 1], [0, 1]]


def test_switchp() -> None:
    model = Topics.of([["v"], ["w"], ["x"]], model="m", assignments=Assignments.of(Z))
    D = [z for z in Z if len(z) > 1]  # noqa: N806
    expected = fmean(sum(a != b for a, b in pairwise(z)) / (len(z) - 1) for z in D)
    assert of_model(model, "switchp") == pytest.approx(expected)
    steps = [step for z in D for step in pairwise(z)]
    each = [fmean(b != t for a, b in steps if a == t) for t in range(3)]
    assert of_topics(model, "switchp") == pytest.approx(each)


def test_intratext() -> None:
    model = Topics.of([["v"], ["w"], ["x"]], model="m", assignments=Assignments.of(Z))
    expected = []
    for t in range(3):
        of_texts = []
        for z in Z:
            at = [i for i, topic in enumerate(z) if topic == t]
            ends = [k for k, (i, j) in enumerate(pairwise(at), 1) if j - i - 1 > 1]
            lengths = [b - a for a, b in pairwise([0, *ends, len(at)])]
            of_texts += [fmean(lengths)] if at else []
        expected.append(fmean(of_texts))
    assert of_topics(model, "intratext(gap=1)") == pytest.approx(expected)


def test_cnpmi_estimated() -> None:
    content = json.loads((files("tealeaves.estimator") / "shipped/english.json").read_text("utf-8"))
    random = np.random.default_rng(0)
    degrees = set()
    for one, said in zip(open_estimators().estimators, content["estimators"], strict=True):
        fit = said["fitted"]
        low, high = np.array(fit["lowest"]), np.array(fit["highest"])
        X = random.uniform(low - 0.3, high + 0.3, (20, len(low)))  # noqa: N806
        expected = []
        for x in X:
            z = [
                (min(max(v, a), b) - m) / s
                for v, a, b, m, s in zip(x, low, high, fit["centres"], fit["spreads"], strict=True)
            ]
            terms = list(z)
            if fit["degree"] == 2:
                terms += [z[j] * z[k] for j in range(len(z)) for k in range(j, len(z))]
            value = fit["intercept"] + sum(
                b * term for b, term in zip(fit["slopes"], terms, strict=True)
            )
            expected.append(max(-1.0, min(1.0, value)))
        assert one.predict(X) == pytest.approx(expected)
        degrees.add(fit["degree"])
    assert degrees == {1, 2}  # the formula speaks of both


def test_consensus() -> None:
    random = np.random.default_rng(0)
    for predictor in open_predictors().predictors:
        lines = predictor.model.lines
        signals = random.uniform(-0.5, 1.5, (10, len(lines)))
        expected = []
        for x in signals.tolist():
            moved = [line_at(line, value) - line.mean for line, value in zip(lines, x, strict=True)]
            expected.append(min(1.0, max(0.0, predictor.model.average + sum(moved))))
        assert predictor.model.predict(signals) == pytest.approx(expected)


def line_at(line: Any, x: float) -> float:
    """The line of three pieces that meet at two knots, level beyond what training saw."""
    x = min(max(x, line.lowest), line.highest)
    first, second = line.knots
    if x <= first:
        return float(line.slopes[0] * x)
    if x <= second:
        return float(line.slopes[0] * first + line.slopes[1] * (x - first))
    middle = line.slopes[0] * first + line.slopes[1] * (second - first)
    return float(middle + line.slopes[2] * (x - second))
