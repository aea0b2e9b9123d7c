"""The scorer in scikit-learn's searches."""

from __future__ import annotations

import pickle

import pytest
from sklearn.decomposition import NMF, LatentDirichletAllocation
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.pipeline import Pipeline

import tealeaves
from tealeaves import demo
from tealeaves.errors import InputError

TEXTS = [document.text for document in demo.corpus("en")]


def vectorizer() -> CountVectorizer:
    return CountVectorizer(stop_words="english", min_df=2)


def test_a_grid_search_takes_the_coherent_one() -> None:
    pipeline = Pipeline([("words", vectorizer()), ("topics", NMF(max_iter=2000, random_state=1))])
    scorer = tealeaves.make_scorer("npmi@10", TEXTS, weight="documents")
    search = GridSearchCV(pipeline, {"topics__n_components": [2, 8]}, scoring=scorer, cv=2)
    search.fit(TEXTS)
    assert search.best_params_ == {"topics__n_components": 8}


def test_it_is_the_number_of_score() -> None:
    pipeline = Pipeline(
        [("words", vectorizer()), ("topics", LatentDirichletAllocation(4, random_state=1))]
    ).fit(TEXTS)
    topics = tealeaves.adapt(pipeline, documents=TEXTS[:64], name="model")
    scores = tealeaves.score(topics, TEXTS, "npmi@10", weight="documents")
    scorer = tealeaves.make_scorer("npmi@10", TEXTS, weight="documents")
    assert scorer(pipeline, TEXTS[:64]) == scores.value("model", "npmi@10")
    # without a reference, the fold is the reference
    own = tealeaves.score(topics, TEXTS[:64], "npmi@10").value("model", "npmi@10")
    assert tealeaves.make_scorer("npmi@10")(pipeline, TEXTS[:64]) == own


def test_a_bare_estimator_needs_its_vectorizer() -> None:
    words = vectorizer()
    matrix = words.fit_transform(TEXTS)
    scorer = tealeaves.make_scorer("npmi@10", demo.corpus("en"), vectorizer=words)
    search = RandomizedSearchCV(
        LatentDirichletAllocation(max_iter=3, random_state=1),
        {"n_components": [2, 3, 5]},
        n_iter=2,
        scoring=scorer,
        cv=2,
        random_state=1,
    ).fit(matrix)
    assert -1 <= search.best_score_ <= 1
    model = LatentDirichletAllocation(2, max_iter=1).fit(matrix)
    with pytest.raises(InputError, match="does not know its words"):
        tealeaves.make_scorer("npmi@10", TEXTS)(model, matrix)
    with pytest.raises(InputError, match="npmi@10 needs texts"):
        tealeaves.make_scorer("npmi@10", vectorizer=words)(model, matrix)


def test_lower_is_better_gives_the_negative() -> None:
    from tealeaves.metrics.registry import METRICS

    lower = [one.name for one in METRICS.values() if one.better == "lower"]
    assert "perplexity" in lower
    pipeline = Pipeline(
        [("words", vectorizer()), ("topics", LatentDirichletAllocation(4, random_state=1))]
    ).fit(TEXTS)
    assert tealeaves.make_scorer("perplexity", TEXTS)(pipeline, TEXTS) < -1


def test_it_can_be_pickled_and_counts_can_be_given() -> None:
    from tealeaves.evidence.counting.corpus import count_corpus
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.planning import count_requests
    from tealeaves.metrics.registry import metric
    from tealeaves.text.pipeline import Pipeline as Tokens

    pipeline = Pipeline(
        [("words", vectorizer()), ("topics", NMF(4, max_iter=2000, random_state=1))]
    ).fit(TEXTS)
    scorer = tealeaves.make_scorer("npmi@10", TEXTS)
    value = scorer(pipeline, TEXTS)
    assert pickle.loads(pickle.dumps(scorer))(pipeline, TEXTS) == value
    tokens = Tokens.parse("words")
    topics = tealeaves.adapt(pipeline)
    counts = count_corpus(
        demo.corpus("en"), tokens, count_requests([topics], [metric("npmi@10")], Wording(tokens))
    )
    assert tealeaves.make_scorer("npmi@10", counts=counts)(pipeline, TEXTS) == value
    with pytest.raises(InputError, match="either a corpus or counts"):
        tealeaves.make_scorer("npmi@10", TEXTS, counts=counts)


@pytest.mark.parametrize("name", ["isim@10", "expressivity@10"])
def test_an_embedding_that_is_not_there_is_refused_at_once(name: str) -> None:
    named = name.replace("@", "(embedding=wordlama)@")
    for given in (["wordlama"], "wordlama"):
        with pytest.raises(InputError, match=r"unknown embedding wordlama.*wordllama"):
            tealeaves.make_scorer(name, embeddings=given)
    with pytest.raises(InputError, match=r"unknown embedding wordlama.*wordllama"):
        tealeaves.make_scorer(named)


def test_a_scorer_has_one_embedding_and_only_for_vectors() -> None:
    from tealeaves.evidence.embeddings import Embeddings

    one, other = (Embeddings.of({"cat": [1.0]}, name=name) for name in ("one", "other"))
    with pytest.raises(InputError, match=r"make_scorer takes one embedding, .*\(one, other\)"):
        tealeaves.make_scorer("isim@10", embeddings=[one, other])
    with pytest.raises(InputError, match="for metrics of vectors, not for npmi@10"):
        tealeaves.make_scorer("npmi@10", embeddings=one)
    for metric, given in [("isim@10", [one]), ("isim(embedding=other)@10", [one, other])]:
        assert tealeaves.make_scorer(metric, embeddings=given).metric == metric
    assert tealeaves.make_scorer("npmi@10", embeddings=()).metric == "npmi@10"


def test_the_embedding_that_is_given_is_taken() -> None:
    pipeline = Pipeline(
        [("words", vectorizer()), ("topics", NMF(2, max_iter=2000, random_state=1))]
    ).fit(TEXTS)
    # all words have the same vector, so that every cosine is 1
    same = {word: [3.0, 4.0] for word in pipeline["words"].get_feature_names_out()}
    scorer = tealeaves.make_scorer("embedding_coherence@10", embeddings=same)
    assert scorer(pipeline, TEXTS) == pytest.approx(1)
