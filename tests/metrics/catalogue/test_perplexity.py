"""Perplexity: worked examples, loops, invariants, and the bounds of libraries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tealeaves
from tealeaves import Topics, demo
from tealeaves.arrays import Floats
from tealeaves.errors import InputError
from tealeaves.evidence.counting.corpus import count_corpus
from tealeaves.evidence.requests import CountRequest
from tealeaves.evidence.units import Unit
from tealeaves.metrics import Score
from tealeaves.metrics.per_text import inference, model_texts
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.pipeline import Pipeline

SKEWED = [[0.75, 0.25], [0.25, 0.75]]


def model(phi: Any, theta: Any = None, words: Sequence[str] = ("a", "b"), **known: Any) -> Topics:
    return Topics.of(
        [[words[0]]] * len(phi),
        model="m",
        vocabulary=tuple(words),
        topic_word=np.array(phi),
        document_topic=None if theta is None else np.array(theta),
        **known,
    )


def row(topics: Topics, texts: Any, spec: str = "perplexity", tokens: str = "tokens") -> Score:
    [score] = tealeaves.score(topics, texts, spec, tokens=tokens).models
    return score


def value(topics: Topics, texts: Any, spec: str = "perplexity", tokens: str = "tokens") -> float:
    return row(topics, texts, spec, tokens).value


# ------------------------------------------------------------------ worked examples


def test_training_by_hand() -> None:
    # text 1 is all topic 0: .75 .75 .25; text 2 half and half: .5 * .25 + .5 * .75 = .5
    product = 0.75 * 0.75 * 0.25 * 0.5
    score = row(model(SKEWED, [[1, 0], [0.5, 0.5]]), ["a a b", "x b"])
    assert score.value == pytest.approx(product ** (-1 / 4))
    assert score.support == 1.0


def test_completion_by_hand() -> None:
    # p(t|d) of "a . b ." is (1/2, 1/2); the words judged are a and a, each with p = 1/2
    topics = model(np.eye(2))
    assert value(topics, ["a a b a"], "perplexity(estimator=completion, alpha=0)") == 2.0
    # learnt from "a" with alpha 1: (1 + 1, 0 + 1) / 3; judged: b with p = 1/3
    assert value(topics, ["a b"], "perplexity(estimator=completion, alpha=1)") == pytest.approx(3)


def test_folding_in_by_hand() -> None:
    # p(t|d) = (3/4, 1/4), so p(a) = 3/4 three times and p(b) = 1/4 once
    expected = (0.75**3 * 0.25) ** (-1 / 4)
    actual = value(model(np.eye(2)), ["a b a a"], "perplexity(estimator=fold_in, alpha=0)")
    assert actual == pytest.approx(expected)


def test_an_impossible_word_makes_it_infinite_unless_smoothed() -> None:
    topics = model(np.eye(2), [[1, 0]])
    assert value(topics, ["a b"]) == math.inf
    # p(a) = .8 * 1 + .2 / 2 = .9, p(b) = .8 * 0 + .2 / 2 = .1
    assert value(topics, ["a b"], "perplexity(eps=0.2)") == pytest.approx(0.09**-0.5)


# ------------------------------------------------------------------ what must hold


@pytest.mark.parametrize("estimator", ["training", "completion", "fold_in"])
@pytest.mark.parametrize("eps", [0, 0.3])
def test_a_uniform_model_has_the_size_of_its_vocabulary(estimator: str, eps: float) -> None:
    words = "abcd"
    topics = model(np.full((3, 4), 0.25), np.full((2, 3), 1 / 3), words)
    spec = f"perplexity(estimator={estimator}, eps={eps})"
    assert value(topics, ["a b c x y", "d d a"], spec) == pytest.approx(4, rel=1e-14)


def test_one_topic_of_the_texts_own_frequencies_has_the_entropy() -> None:
    shares = np.array([3, 2, 1]) / 6
    topics = model([shares], [[1], [1]], "abc")
    entropy = -(shares * np.log(shares)).sum()
    for estimator in ("training", "fold_in"):
        spec = f"perplexity(estimator={estimator})"
        assert value(topics, ["a b a", "b c a"], spec) == pytest.approx(math.exp(entropy))


def naive_shares(words: list[int], phi: Floats, iterations: int, alpha: float) -> list[float]:
    count = len(phi)
    shares = [1 / count] * count
    for _ in range(iterations):
        weights = [alpha] * count
        for w in words:
            joint = [shares[t] * phi[t, w] for t in range(count)]
            if sum(joint) > 0:
                for t in range(count):
                    weights[t] += joint[t] / sum(joint)
        if sum(weights) > 0:
            shares = [weight / sum(weights) for weight in weights]
    return shares


def naive(
    texts: list[list[int]], phi: Floats, estimator: str, iterations: int, alpha: float, eps: float
) -> float:
    logs = []
    for words in texts:
        learnt, judged = words, words
        if estimator == "completion":
            learnt, judged = words[::2], words[1::2]
        shares = naive_shares(learnt, phi, iterations, alpha)
        for w in judged:
            p = sum(shares[t] * phi[t, w] for t in range(len(phi)))
            p = (1 - eps) * p + eps / phi.shape[1]
            logs.append(math.log(p) if p > 0 else -math.inf)
    return math.exp(-sum(logs) / len(logs)) if logs else math.nan


def drawn(seed: int, topics: int, words: int, *, sparse: bool) -> Floats:
    rng = np.random.default_rng(seed)
    phi = rng.gamma(1.0, size=(topics, words))
    if sparse:
        phi *= rng.random(phi.shape) < 0.6
        phi[:, 0] += 0.1
    return np.asarray(phi / phi.sum(axis=1, keepdims=True))


@given(
    st.lists(st.lists(st.integers(0, 5), max_size=12), min_size=1, max_size=6),
    st.integers(0, 10**6),
    st.integers(1, 4),
    st.sampled_from(["completion", "fold_in"]),
    st.integers(1, 8),
    st.sampled_from([0.0, 0.1, 2.0]),
    st.sampled_from([0.0, 0.01]),
    st.booleans(),
)
def test_estimates_are_those_of_a_loop(
    texts: list[list[int]],
    seed: int,
    topics: int,
    estimator: str,
    iterations: int,
    alpha: float,
    eps: float,
    sparse: bool,
) -> None:
    if not any(texts):
        return
    phi = drawn(seed, topics, 5, sparse=sparse)  # word 5 is not the model's
    spec = f"perplexity(estimator={estimator}, iterations={iterations}, alpha={alpha}, eps={eps})"
    score = row(model(phi, words="vwxyz"), [["vwxyz!"[w] for w in text] for text in texts], spec)
    own = [[w for w in text if w < 5] for text in texts]
    expected = naive(own, phi, estimator, iterations, alpha, eps)
    assert score.value == pytest.approx(expected, rel=1e-9, nan_ok=True)
    least = 2 if estimator == "completion" else 1
    assert score.support == pytest.approx(sum(len(text) >= least for text in own) / len(texts))


@settings(max_examples=20)
@given(
    st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=9), min_size=1, max_size=5),
    st.integers(0, 10**6),
)
def test_training_is_that_of_a_loop_and_folding_in_is_lower(
    texts: list[list[int]], seed: int
) -> None:
    phi = drawn(seed, 3, 5, sparse=False)
    theta = np.random.default_rng(seed + 1).dirichlet([0.5] * 3, size=len(texts))
    topics = model(phi, theta, "vwxyz")
    lists = [["vwxyz"[w] for w in text] for text in texts]
    logs = [
        math.log(sum(phi[t, w] * theta[d, t] for t in range(3)))
        for d, text in enumerate(texts)
        for w in text
    ]
    trained = value(topics, lists)
    assert trained == pytest.approx(math.exp(-sum(logs) / len(logs)))
    # p(t|d) of the largest likelihood can only be more likely than any other
    best = "perplexity(estimator=fold_in, alpha=0, iterations=1000)"
    assert value(topics, lists, best) <= trained * (1 + 1e-3)


def test_each_step_of_the_estimation_makes_it_more_likely() -> None:
    phi = drawn(5, 4, 6, sparse=False)
    texts = [["uvwxyz"[w] for w in row] for row in np.random.default_rng(6).integers(0, 6, (9, 15))]
    actual = [
        value(model(phi, words="uvwxyz"), texts, f"perplexity(estimator=fold_in, alpha=0, {steps})")
        for steps in ("iterations=1", "iterations=3", "iterations=10", "iterations=100")
    ]
    assert actual == sorted(actual, reverse=True)
    assert actual[0] > actual[-1]


def test_the_size_of_blocks_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, rich_models: list[Topics]
) -> None:
    specs = ["perplexity", "perplexity(estimator=fold_in)", "perplexity(estimator=completion)"]
    whole = [value(rich_models[1], demo.corpus(), spec, "words") for spec in specs]
    for module in (model_texts, inference):
        monkeypatch.setattr(module, "BLOCK", 300)
    cut = [value(rich_models[1], demo.corpus(), spec, "words") for spec in specs]
    assert cut == pytest.approx(whole, rel=1e-12)


def test_it_prefers_the_model_that_fits(rich_models: list[Topics]) -> None:
    for estimator in ("training", "completion", "fold_in"):
        spec = f"perplexity(estimator={estimator})"
        scores = tealeaves.score(rich_models, demo.corpus(), spec)
        assert scores.value("good", spec) < scores.value("shuffled", spec)


# ------------------------------------------------------------------ libraries


class Lda(NamedTuple):
    """A model of scikit-learn, the perplexity it gives itself, and that without its priors."""

    topics: Topics
    bound: float
    expected: float


@pytest.fixture(scope="module")
def lda() -> Lda:
    from scipy.special import psi
    from sklearn.decomposition import LatentDirichletAllocation
    from sklearn.feature_extraction.text import CountVectorizer

    texts = [document.text for document in demo.corpus()]
    vectorizer = CountVectorizer(
        tokenizer=Pipeline.parse("words").tokenizer(), token_pattern=None, lowercase=False, min_df=2
    )
    counts = vectorizer.fit_transform(texts)
    trained = LatentDirichletAllocation(8, random_state=0, max_iter=20).fit(counts)
    weights, theta = trained.components_, trained.transform(counts)
    words = vectorizer.get_feature_names_out().tolist()
    topics = model(weights / weights.sum(axis=1, keepdims=True), theta, words)
    # exp E[log θ] of q(θ) = Dirichlet(γ), where γ sums to the words of the text and the prior
    lengths = np.asarray(counts.sum(axis=1)).reshape(-1, 1)
    gamma = theta * (lengths + 8 * trained.doc_topic_prior_)
    shares = np.exp(psi(gamma) - psi(gamma.sum(axis=1, keepdims=True)))
    logs = np.log(np.asarray(shares @ trained.exp_dirichlet_component_))
    expected = math.exp(-counts.multiply(logs).sum() / counts.sum())
    return Lda(topics, float(trained.perplexity(counts)), expected)


def test_the_bound_of_scikit_learn_lies_above(lda: Lda) -> None:
    # Its bound is Σ log Σ_t exp(E[log φ] + E[log θ]) less the divergences of q from the priors.
    # Ours is Σ log Σ_t E[φ] E[θ]: more likely, as exp(E[log x]) <= E[x], and near as q is narrow.
    ours = value(lda.topics, demo.corpus(), tokens="words")
    assert 0.85 * lda.expected < ours < lda.expected < lda.bound


def test_completion_is_worse_than_training(lda: Lda) -> None:
    topics = lda.topics
    training, completion, optimistic = (
        value(topics, demo.corpus(), f"perplexity(estimator={one})", "words")
        for one in ("training", "completion", "fold_in")
    )
    assert optimistic < completion
    assert training < completion < len(topics.vocabulary or ())


# ------------------------------------------------------------------ words


def test_sequences_of_tokens_are_words() -> None:
    words = ["new york", "new", "is"]
    topics = model([[0.5, 0.3, 0.2]], [[1]], words)
    # new, new york, is, new: all of them stand in the text
    expected = (0.3 * 0.5 * 0.2 * 0.3) ** (-1 / 4)
    assert value(topics, ["New York is new"], tokens="words") == pytest.approx(expected)


def test_words_of_the_same_term_add_up() -> None:
    words = ["Cat", "cat", "dog", "!"]
    topics = model([[0.3, 0.2, 0.1, 0.4]], [[1]], words)
    # cat has .3 + .2; nothing is left of "!", which no text can hold
    assert value(topics, ["a CAT, a dog!"], tokens="words") == pytest.approx(0.05**-0.5)


# ------------------------------------------------------------------ which text is which


def test_documents_are_found_by_their_ids() -> None:
    theta = [[1, 0], [0, 1]]
    topics = model(SKEWED, theta, document_ids=("x", "y"))
    texts = [Document("b", id="y"), Document("a b a", id="new"), Document("a", id="x")]
    score = row(topics, texts)
    assert score.value == pytest.approx(1 / 0.75)  # p(b|y) = p(a|x) = .75
    assert score.support == pytest.approx(2 / 3)


def test_documents_without_ids_are_found_by_their_places() -> None:
    topics = model(SKEWED, [[1, 0], [0, 1]])
    assert value(topics, ["a", "b"]) == pytest.approx(1 / 0.75)
    assert value(topics, ["b", "a"]) == pytest.approx(1 / 0.25)
    dropped = row(topics, ["a x", "b", "x b"], tokens="tokens(min_tokens=2)")
    assert dropped.value == pytest.approx(1 / 0.75)
    assert dropped.support == pytest.approx(2 / 3)


def test_documents_without_a_topic_are_left_out() -> None:
    score = row(model(SKEWED, [[1, 0], [0, 0]]), ["a", "b"])
    assert score.value == pytest.approx(1 / 0.75)
    assert score.support == 0.5


def test_other_texts_need_another_estimator() -> None:
    topics = model(SKEWED, [[1, 0], [0, 1]])
    with pytest.raises(InputError, match=r"2 documents, the corpus 3.*estimator=completion"):
        row(topics, ["a", "b", "a"])
    assert row(topics, ["a b", "b b", "a a"], "perplexity(estimator=completion)").support == 1.0


def test_texts_without_a_word_of_the_model_have_no_value() -> None:
    for spec in ("perplexity", "perplexity(estimator=completion)"):
        score = row(model(SKEWED, [[1, 0]]), ["x y z"], spec)
        assert math.isnan(score.value)
        assert score.support == 0


# ------------------------------------------------------------------ what it needs


def test_it_says_what_is_lacking() -> None:
    bare = Topics.of([["a"]], model="bare")
    with pytest.raises(InputError, match="bare: no topic-word matrix"):
        row(bare, ["a"])
    with pytest.raises(InputError, match=r"no document-topic matrix; .*estimator=completion"):
        row(model(SKEWED), ["a"])
    with pytest.raises(InputError, match="holds weights, not probabilities"):
        row(model([[3.0, 1.0]], [[1]]), ["a"])


def test_counts_are_not_enough() -> None:
    pipeline = Pipeline.parse("tokens")
    counts = count_corpus(Corpus.of(["a b"]), pipeline, [CountRequest(Unit())])
    with pytest.raises(InputError, match=r"perplexity needs texts: .*; counts do not suffice"):
        tealeaves.score(model(SKEWED, [[1, 0]]), metrics="perplexity", counts=counts)
    with pytest.raises(InputError, match="perplexity needs texts: give a corpus"):
        tealeaves.score(model(SKEWED, [[1, 0]]), metrics="perplexity")


def test_all_that_changes_it_is_in_the_signature() -> None:
    score = row(model(SKEWED), ["a b"], "perplexity(estimator=completion, alpha=0.5)", "words")
    for part in ("estimator=completion", "iterations=100", "alpha=0.5", "tokens=words", "texts="):
        assert part in score.signature
