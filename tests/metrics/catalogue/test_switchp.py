"""SwitchP: worked examples, a loop, samplers of libraries, and where topics of tokens come from."""

from __future__ import annotations

import gzip
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tealeaves
from tealeaves import Topics, demo
from tealeaves.errors import InputError
from tealeaves.metrics import Scores
from tealeaves.metrics.per_text import model_texts
from tealeaves.text.document import Document
from tealeaves.topics.assignments import Assignments


def sampled(rows: list[list[int]], topics: int = 3) -> Topics:
    lists = [[f"w{k}"] for k in range(topics)]
    return Topics.of(lists, model="m", assignments=Assignments.of(rows))


def mixed(phi: Any, theta: Any = None, words: Any = ("a", "b"), **known: Any) -> Topics:
    return Topics.of(
        [[words[0]]] * len(phi),
        model="m",
        vocabulary=tuple(words),
        topic_word=np.array(phi),
        document_topic=None if theta is None else np.array(theta),
        **known,
    )


def scored(topics: Topics, spec: str = "switchp", texts: Any = None, tokens: str = "tokens") -> Any:
    return tealeaves.score(topics, texts, spec, tokens=tokens)


def value(scores: Scores) -> float:
    [row] = scores.models
    return row.value


# ------------------------------------------------------------------ worked examples


def test_by_hand() -> None:
    # text 1: 0-0 stays, 0-1 switches, 1-1 stays: 1/3; text 2: 1-0 switches: 1; text 3: no pair
    topics = sampled([[0, 0, 1, 1], [1, 0], [2]])
    scores = scored(topics)
    assert value(scores) == pytest.approx((1 / 3 + 1) / 2)
    assert scores.models.rows[0].support == pytest.approx(2 / 3)
    assert value(scored(topics, "switchp(average=tokens)")) == pytest.approx(2 / 4)


def test_of_each_topic_by_hand() -> None:
    # of topic 0 start 0-0 and 0-1; of topic 1 start 1-1 and 1-0; of topic 2 none
    rows = scored(sampled([[0, 0, 1, 1], [1, 0], [2]])).topics.rows
    assert [row.value for row in rows[:2]] == [0.5, 0.5]
    assert math.isnan(rows[2].value)
    assert [row.support for row in rows] == pytest.approx([2 / 3, 2 / 3, 0])


def test_probable_topics_by_hand() -> None:
    # p(a|t) = .6, .4 and p(b|t) = .4, .6
    # text 1, p(t|d) = .5, .5: a has topic 0, b topic 1: both pairs switch
    # text 2, p(t|d) = .9, .1: .36 against .06 for b: all have topic 0
    topics = mixed([[0.6, 0.4], [0.4, 0.6]], [[0.5, 0.5], [0.9, 0.1]])
    assert value(scored(topics, texts=["a b a", "a b a"])) == 0.5
    assert value(scored(topics, "switchp(assignment=word)", ["a b a", "a b a"])) == 1.0


def test_one_topic_never_switches_and_two_by_turns_always_do() -> None:
    assert value(scored(sampled([[0] * 9]))) == 0.0
    assert value(scored(sampled([[0, 1] * 5]))) == 1.0


# ------------------------------------------------------------------ a loop


def naive(rows: list[list[int]], topics: int) -> tuple[float, float, list[float], float]:
    shares, switches, of_topic = [], [], [[] for _ in range(topics)]  # type: ignore[var-annotated]
    for row in rows:
        pairs = list(pairwise(z for z in row if z >= 0))
        if pairs:
            shares.append(sum(a != b for a, b in pairs) / len(pairs))
        for a, b in pairs:
            switches.append(a != b)
            of_topic[a].append(a != b)
    if not switches:
        return math.nan, math.nan, [math.nan] * topics, 0.0
    by_topic = [sum(s) / len(s) if s else math.nan for s in of_topic]
    return (
        sum(shares) / len(shares), sum(switches) / len(switches), by_topic, len(shares) / len(rows)
    )  # fmt: skip


@given(st.lists(st.lists(st.integers(-1, 3), max_size=8), min_size=1, max_size=6))
def test_it_is_that_of_a_loop(rows: list[list[int]]) -> None:
    documents, tokens, by_topic, support = naive(rows, 4)
    scores = scored(sampled(rows, 4))
    assert value(scores) == pytest.approx(documents, nan_ok=True)
    assert scores.models.rows[0].support == pytest.approx(support)
    assert value(scored(sampled(rows, 4), "switchp(average=tokens)")) == pytest.approx(
        tokens, nan_ok=True
    )
    assert [row.value for row in scores.topics] == pytest.approx(by_topic, nan_ok=True)


@given(
    st.lists(st.lists(st.integers(0, 5), max_size=8), min_size=1, max_size=6),
    st.integers(0, 10**6),
)
def test_probable_topics_are_those_of_a_loop(texts: list[list[int]], seed: int) -> None:
    if not any(texts):
        return
    rng = np.random.default_rng(seed)
    phi, theta = rng.dirichlet([0.3] * 5, size=3), rng.dirichlet([0.3] * 3, size=len(texts))
    lists = [["vwxyz!"[w] for w in text] for text in texts]  # ! is not the model's
    own = [[w for w in text if w < 5] for text in texts]
    probable = [[int(np.argmax(phi[:, w] * theta[d])) for w in row] for d, row in enumerate(own)]
    alone = [[int(np.argmax(phi[:, w])) for w in row] for row in own]
    topics = mixed(phi, theta, "vwxyz")
    for assignment, rows in (("probable", probable), ("word", alone)):
        actual = value(scored(topics, f"switchp(assignment={assignment})", lists))
        assert actual == pytest.approx(naive(rows, 3)[0], nan_ok=True)


def test_the_size_of_blocks_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, rich_models: list[Topics]
) -> None:
    spec = "switchp(assignment=probable)"
    whole = value(scored(rich_models[1], spec, demo.corpus(), "words"))
    monkeypatch.setattr(model_texts, "BLOCK", 300)
    assert value(scored(rich_models[1], spec, demo.corpus(), "words")) == whole


# ------------------------------------------------------------------ where topics come from


def test_given_topics_are_the_probable_ones_where_these_were_given(
    rich_models: list[Topics],
) -> None:
    # the fixture's assignments are the most probable topics of the same tokens
    given_ones = scored(rich_models[1], "switchp(assignment=given)")
    probable = scored(rich_models[1], "switchp(assignment=probable)", demo.corpus(), "words")
    assert value(given_ones) == pytest.approx(value(probable))
    assert [r.value for r in given_ones.topics] == pytest.approx([r.value for r in probable.topics])


@pytest.mark.filterwarnings("ignore:builtin type .* has no __module__:DeprecationWarning")
def test_a_sampler_of_tomotopy() -> None:
    import tomotopy as tp

    trained = tp.LDAModel(k=4, seed=1)
    for document in demo.corpus():
        trained.add_doc(document.text.lower().split())
    trained.train(20, workers=1)
    documents = [list(map(int, document.topics)) for document in trained.docs]
    expected = np.mean([np.mean(np.diff(row) != 0) for row in documents if len(row) > 1])
    assert value(tealeaves.score(trained, metrics="switchp")) == pytest.approx(expected)


def test_a_state_of_mallet(tmp_path: Path) -> None:
    # the first text has the topics 0 0 1, one switch of two; the second 1 0, one of one
    tokens = [(0, "cat", 0), (0, "dog", 0), (0, "soup", 1), (1, "soup", 1), (1, "cat", 0)]
    types = ["cat", "dog", "soup"]
    lines = ["#doc source pos typeindex type topic", "#alpha : 0.1 0.1 ", "#beta : 0.01"]
    for place, (document, word, topic) in enumerate(tokens):
        lines.append(f"{document} NA {place} {types.index(word)} {word} {topic}")
    path = tmp_path / "state.gz"
    path.write_bytes(gzip.compress("\n".join([*lines, ""]).encode()))
    assert value(tealeaves.score(path, metrics="switchp")) == pytest.approx((1 / 2 + 1) / 2)


def test_given_topics_need_no_texts_and_auto_takes_them() -> None:
    topics = sampled([[0, 1, 1]])
    assert value(scored(topics)) == 0.5
    assert "|assignment=given" in scored(topics).models.rows[0].signature
    assert "texts=" not in scored(topics).models.rows[0].signature


def test_the_signature_says_where_topics_come_from() -> None:
    topics = mixed([[0.6, 0.4], [0.4, 0.6]], [[0.5, 0.5]])
    [row] = scored(topics, texts=["a b"]).models
    start = "switchp(assignment=auto, average=documents)|assignment=probable|tokens=tokens"
    assert row.signature.startswith(start)
    assert "|texts=1#" in row.signature


def test_it_says_what_is_lacking() -> None:
    bare = Topics.of([["a"]], model="bare")
    with pytest.raises(InputError, match="bare: no token assignments, and no topic-word matrix"):
        scored(bare, texts=["a"])
    with pytest.raises(InputError, match=r"no document-topic matrix \(assignment=word does"):
        scored(mixed([[0.6, 0.4]]), texts=["a"])
    with pytest.raises(InputError, match=r"m: no token assignments$"):
        scored(mixed([[0.6, 0.4]], [[1]]), "switchp(assignment=given)", ["a"])
    with pytest.raises(InputError, match="switchp needs texts: give a corpus"):
        scored(mixed([[0.6, 0.4]], [[1]]))


# ------------------------------------------------------------------ words and texts


def test_words_of_the_same_term_and_sequences_of_tokens() -> None:
    # "cat" is .3 + .3 of topic 0 and .5 of topic 1; alone neither spelling would be topic 0
    words = ["Cat", "cat", "new york"]
    phi = [[0.3, 0.3, 0.4], [0.5, 0.0, 0.5]]
    topics = mixed(phi, words=words)
    assert value(scored(topics, "switchp(assignment=word)", ["A cat in New York"], "words")) == 1.0


def test_documents_are_found_by_their_ids() -> None:
    phi = [[0.6, 0.4], [0.4, 0.6]]
    topics = mixed(phi, [[0.9, 0.1], [0.5, 0.5]], document_ids=("x", "y"))
    texts = [Document("a b", id="y"), Document("a b", id="x"), Document("a b", id="z")]
    scores = scored(topics, texts=texts)
    assert value(scores) == 0.5  # x keeps to topic 0, y switches, z is not known
    assert scores.models.rows[0].support == pytest.approx(2 / 3)
    with pytest.raises(InputError, match="2 documents, the corpus 3"):
        scored(topics, texts=["a b", "a b", "a b"])


def test_words_that_no_topic_has_are_passed_over() -> None:
    topics = mixed([[0.5, 0.5, 0.0]], [[1]], "abc")
    assert value(scored(topics, texts=["a c b"])) == 0.0
    assert math.isnan(value(scored(topics, texts=["a c"])))


def test_it_prefers_topics_that_last(rich_models: list[Topics]) -> None:
    scores = tealeaves.score(rich_models, None, "switchp")
    assert scores.value("good", "switchp") < scores.value("shuffled", "switchp")
