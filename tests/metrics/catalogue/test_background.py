"""The share of background: by hand, against plain loops, and whatever must not matter."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tealeaves
from tealeaves import Topics
from tealeaves.errors import InputError
from tealeaves.metrics import metric
from tealeaves.topics.assignments import Assignments

# with equal topics p(t|w) is (1/2, 1/2), (1/4, 3/4), (1, 0), (0, 1), and p(w) .4, .2, .25, .15;
# direct divergences: 0, (log 2 + log 2/3) / 2 = log(4/3) / 2 = 0.144, infinite, infinite
PHI = [[0.4, 0.1, 0.5, 0.0], [0.4, 0.3, 0.0, 0.3]]


def model(phi: Any = PHI, **known: Any) -> Topics:
    lists = {f"t{k}": ["a", "b"] for k in range(len(phi))}
    words = tuple(f"w{i}" for i in range(len(phi[0])))
    return Topics.of(lists, model="m", vocabulary=words, topic_word=phi, **known)


def value(spec: str, topics: Topics) -> float:
    return tealeaves.score(topics, metrics=spec).value("m", metric(spec))


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("", 0.4 + 0.2),
        ("delta=0.1", 0.4),
        ("delta=0", 0.4),
        ("delta=99", 0.4 + 0.2),
        # reverse: 0, 1/4 log 1/2 + 3/4 log 3/2 = 0.131, log 2 = 0.693 twice
        ("kl=reverse", 0.4 + 0.2),
        ("kl=reverse, delta=0.7", 1.0),
        # BigARTM counts words above delta, of 4; 1/2 log((1/2) / 1) is all that remains of w2, w3
        ("rule=bigartm", 0 / 4),
        ("rule=bigartm, delta=0.1", 1 / 4),
        ("rule=bigartm, kl=reverse", 2 / 4),
        ("rule=bigartm, kl=reverse, delta=0.1", 3 / 4),
    ],
)
def test_by_hand(parameters: str, expected: float) -> None:
    assert value(f"background_ratio({parameters})", model()) == pytest.approx(expected)


def test_tokens_are_counted_where_the_model_has_counts() -> None:
    counted = model(term_frequency=[1, 1, 2, 4])
    assert value("background_ratio", counted) == pytest.approx((1 + 1) / 8)
    for thing, origin in ((counted, "counted"), (model(), "expected")):
        [row] = tealeaves.score(thing, metrics="background_ratio").rows
        assert row.topic is None
        assert f"|prior=uniform|tokens={origin}|" in row.signature


def test_words_of_no_topic_lower_the_support() -> None:
    phi = [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0]]
    [row] = tealeaves.score(model(phi, term_frequency=[3, 3, 2]), metrics="background_ratio")
    assert (row.value, row.support) == (1.0, 6 / 8)
    [row] = tealeaves.score(model(phi, term_frequency=[0, 0, 2]), metrics="background_ratio")
    assert math.isnan(row.value)
    assert row.support == 0


def test_the_prior_is_what_words_are_compared_with() -> None:
    # 1 : 3 by tokens: p(t|w1) = (.1, .9) from (.25, .75):
    # .25 log(.25 / .1) + .75 log(.75 / .9) = 0.0923
    theta = np.eye(2)
    thing = model(document_topic=theta, document_lengths=[1, 3])
    assert 0.25 * math.log(2.5) + 0.75 * math.log(5 / 6) == pytest.approx(0.0923, abs=1e-4)
    both = 0.4 + 0.25 * 0.1 + 0.75 * 0.3
    assert value("background_ratio(delta=0.0924)", thing) == pytest.approx(both)
    assert value("background_ratio(delta=0.0922)", thing) == pytest.approx(0.4)
    assert value("background_ratio(delta=0.0924, prior=uniform)", thing) == pytest.approx(0.4)


def test_background_topics() -> None:
    theta = [[0.5, 0.5, 0.0], [0.2, 0.0, 0.8]]
    lists = {"bcg0": ["a"], "sport": ["b"], "bcg1": ["c"]}
    spec = "background_ratio(rule=topics, background='bcg*')"
    by_documents = Topics.of(lists, model="m", document_topic=theta)
    assert value(spec, by_documents) == pytest.approx((0.5 + 0.2 + 0.8) / 2)
    # 30 tokens with a half, 10 with all
    by_tokens = Topics.of(lists, model="m", document_topic=theta, document_lengths=[30, 10])
    assert value(spec, by_tokens) == pytest.approx((15 + 10) / 40)
    one = "background_ratio(rule=topics, background='bcg0 sport')"
    assert value(one, by_tokens) == pytest.approx((30 + 2) / 40)
    counted = Topics.of(lists, model="m", assignments=Assignments.of([[0, 1, 1], [2, -1]]))
    assert value(spec, counted) == pytest.approx(2 / 4)


def test_what_is_lacking() -> None:
    one = metric("background_ratio")
    assert one.lacks(Topics.of([["a"]])) == "no topic-word matrix"
    assert "weights" in one.lacks(model([[3.0, 1.0]]))
    assert one(prior="tokens").lacks(model()).startswith("prior=tokens needs")
    assert one(rule="bigartm").lacks(model()) == ""
    topics = one(rule="topics", background="t1")
    assert topics.lacks(model()).startswith("how large its topics are is not known")
    assert topics(prior="uniform").lacks(model()) == ""
    assert topics.lacks(model(document_topic=np.eye(2))) == ""
    absent = topics(background="bcg*").lacks(model(document_topic=np.eye(2)))
    assert absent == "none of its topics is called bcg*"
    with pytest.raises(InputError, match=r"first words of topics: leave out @10"):
        value("background_ratio@10", model())


def test_rules_and_their_parameters() -> None:
    with pytest.raises(InputError, match="needs the ids of the background topics"):
        metric("background_ratio(rule=topics)")
    with pytest.raises(InputError, match="is for rule=topics"):
        metric("background_ratio(background='bcg*')")
    with pytest.raises(InputError, match=r"delta must be a number of at least 0, not -1$"):
        metric("background_ratio(delta=-1)")
    assert metric("background_ratio(rule=bigartm)").better == "higher"
    spec = "background_ratio(rule=topics, background='bcg* x')"
    assert repr(metric(spec)) == spec
    assert metric(metric(spec).signature) == metric(spec)


positive = st.lists(st.integers(0, 5), min_size=4, max_size=4).filter(any)
models = st.lists(positive, min_size=1, max_size=4)
deltas = st.sampled_from([0.05, 0.31, 0.5, 1.3])


def divergence(p: list[float], q: list[float]) -> float:
    terms = [(a, b) for a, b in zip(p, q, strict=True) if a]
    return math.inf if any(b == 0 for _, b in terms) else sum(a * math.log(a / b) for a, b in terms)


@given(models, deltas, st.booleans(), st.data())
def test_against_plain_loops(
    counts: list[list[int]], delta: float, direct: bool, data: st.DataObject
) -> None:
    sizes = data.draw(st.lists(st.integers(1, 5), min_size=len(counts), max_size=len(counts)))
    phi = [[n / sum(row) for n in row] for row in counts]
    shares = [size / sum(sizes) for size in sizes]
    near, total, far = 0.0, 0.0, 0
    for w in range(4):
        joint = [row[w] * share for row, share in zip(phi, shares, strict=True)]
        if not sum(joint):
            continue
        given_word = [one / sum(joint) for one in joint]
        pair = (shares, given_word) if direct else (given_word, shares)
        total += sum(joint)
        near += sum(joint) if divergence(*pair) <= delta else 0
        passing = [
            (p, q) if direct else (q, p) for p, q in zip(shares, given_word, strict=True) if q
        ]
        far += sum(a * math.log(a / b) for a, b in passing) > delta
    thing = model(phi, document_topic=np.eye(len(phi)), document_lengths=sizes)
    rest = f"delta={delta}, kl={'direct' if direct else 'reverse'}"
    assert value(f"background_ratio({rest})", thing) == pytest.approx(near / total)
    assert value(f"background_ratio(rule=bigartm, {rest})", thing) == pytest.approx(far / 4)


@given(models, deltas, st.randoms(use_true_random=False))
def test_the_order_of_topics_and_words_does_not_matter(
    counts: list[list[int]], delta: float, random: Any
) -> None:
    phi = np.array([[n / sum(row) for n in row] for row in counts])
    rows, columns = list(range(len(phi))), list(range(4))
    random.shuffle(rows)
    random.shuffle(columns)
    for rule in ("near", "bigartm"):
        spec = f"background_ratio(rule={rule}, delta={delta})"
        turned = value(spec, model(phi[np.ix_(rows, columns)].tolist()))
        assert turned == pytest.approx(value(spec, model(phi.tolist())))
