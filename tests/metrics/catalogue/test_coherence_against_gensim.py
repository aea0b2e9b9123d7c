"""gensim 4.4.0 itself, on random texts, against ``compat='gensim'``."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tealeaves
from tealeaves.metrics import metric

pytest.importorskip("gensim")

words = st.sampled_from(["aa", "bb", "cc", "dd", "ee", "ff", "gg"])
texts = st.lists(st.lists(words, max_size=40), min_size=3, max_size=12)
some = st.sampled_from(["aa", "bb", "cc", "dd", "ee", "ff", "gg", "absent", "missing"])
topics = st.lists(st.lists(some, min_size=2, max_size=8, unique=True), min_size=1, max_size=4)


def by_gensim(
    lists: list[list[str]], documents: list[list[str]], measure: str, window: int, top: int
) -> list[float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from gensim.corpora import Dictionary
        from gensim.models import CoherenceModel

        dictionary = Dictionary(documents)
        # gensim looks only at the first topic's length to decide whether to cut, so each is alone
        model = CoherenceModel(
            topics=lists,
            texts=documents,
            corpus=[dictionary.doc2bow(text) for text in documents],
            dictionary=dictionary,
            coherence=measure,
            window_size=window,
            topn=top,
            processes=1,
        )
        return list(model.get_coherence_per_topic())


@settings(max_examples=25)
@given(texts, topics, st.integers(2, 15), st.integers(2, 6))
@pytest.mark.parametrize(
    ("measure", "spec"),
    [
        ("c_npmi", "c_npmi(window={}, compat=gensim)"),
        ("c_uci", "c_uci(window={}, compat=gensim)"),
        ("c_v", "c_v(window={}, compat=gensim)"),
        ("u_mass", "umass(compat=gensim)"),
    ],
)
def test_compat_reproduces_gensim(
    measure: str,
    spec: str,
    documents: list[list[str]],
    lists: list[list[str]],
    window: int,
    top: int,
) -> None:
    there = {word for text in documents for word in text}
    lists = [topic for topic in lists if len(there & set(topic)) > 1]
    if not lists:
        return
    expression = f"{spec.format(window)}@{top}"
    scores = tealeaves.score(lists, documents, expression, tokens="tokens")
    ours = [row.value for row in scores.topics if row.metric == repr(metric(expression))]
    theirs = [by_gensim([topic], documents, measure, window, top)[0] for topic in lists]
    # gensim gives NaN for the cosine with a zero vector, infinity for nothing in common
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)
