"""Optional requests of metrics are answered if their source is given, and only then."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves import Embeddings, Topics
from tealeaves.errors import InputError, MissingExtraError
from tealeaves.evidence import Counts, Evidence, Term, Unit, count_corpus
from tealeaves.evidence.attention import gathering
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.embeddings import catalogue
from tealeaves.evidence.requests import EmbeddingRequest, OptionalRequest, RelevanceRequest
from tealeaves.evidence.wording import Wording
from tealeaves.metrics import METRICS, metric
from tealeaves.metrics.planning import count_requests
from tealeaves.models.scorer import make_scorer
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline

from .conftest import Maker

TOPICS = [["cat", "dog", "bird"], ["bread", "soup", "cat"]]
WORDS = {word for topic in TOPICS for word in topic}
# documents with cat and dog: 2, with bread and soup: 1
TEXTS = ["a cat and a dog", "the dog saw the cat", "bread and soup", "soup", "a bird"]
DOCUMENTS, WINDOWS = Unit(), Unit("window", 2)
Seen = list[Any]  # what the metric was given: evidence, wording, and what it asks for


@pytest.fixture(autouse=True)
def seen(flexible: Seen) -> Seen:
    return flexible


def values(scores: tealeaves.Scores, label: str = "flexible") -> list[float]:
    return [row.value for row in scores.topics if row.metric == label]


def counted(requests: Sequence[Any], texts: Sequence[str] = TEXTS) -> list[Counts]:
    return count_corpus(Corpus.of(texts), Pipeline.parse("words"), requests)


def toy(name: str, words: set[str] = WORDS) -> Embeddings:
    return Embeddings.of({word: [float(len(word)), 1.0] for word in words}, name=name)


def test_metrics_declare_their_optional_requests(rich_models: list[Topics]) -> None:
    """Else a source for an optional request would be refused."""
    pipeline = Pipeline.parse("words")
    wording = Wording(pipeline, reference=Wording(pipeline))
    kinds = {EmbeddingRequest: "embeddings", RelevanceRequest: "relevance"}
    found = {}
    for name, one in METRICS.items():
        able = [model for model in rich_models if not one.why_not(model)]
        needs = one.needs(able, wording) if able else ()
        optional = [need for need in needs if isinstance(need, OptionalRequest)]
        of_reference = {"reference" for request in optional if request.reference}
        others = {kinds[type(o.request)] for o in optional if type(o.request) in kinds}
        found[name] = of_reference | others
        assert found[name] == one.uses, name
    assert found["flexible"] == {"reference", "embeddings", "relevance"}
    assert found["npmi"] == set()


# ---------------------------------------------------------------------- counts


def test_without_sources_nothing_is_answered_and_nothing_fails(seen: Seen) -> None:
    scores = tealeaves.score(TOPICS, None, "flexible")
    assert all(map(math.isnan, values(scores)))
    assert {row.support for row in scores} == {0.0}
    [(evidence, wording, asked)] = seen
    assert evidence.reference is wording.reference is asked.reference is None
    everything = (asked.documents, asked.windows, asked.given_vectors, asked.named_vectors)
    assert not any(map(evidence.has, (*everything, asked.relevance)))
    assert list(evidence) == []
    assert evidence.chosen_embeddings == ()
    assert evidence.reference_provenance == ""


def test_a_corpus_grants_counts(seen: Seen) -> None:
    assert values(tealeaves.score(TOPICS, TEXTS, "flexible")) == [2, 1]
    [(evidence, _, asked)] = seen
    assert evidence.has(asked.documents)
    assert evidence.has(asked.windows)
    assert evidence.counts(WINDOWS).pair(Term(("bird",)), Term(("cat",))) == 0


def test_counts_grant_what_they_hold(seen: Seen) -> None:
    tealeaves.score(TOPICS, TEXTS, "flexible")
    asked = seen.pop()[2]
    both = counted([asked.documents, asked.windows])
    scores = tealeaves.score(TOPICS, None, "flexible", counts=both)
    assert values(scores) == [2, 1]
    assert not any("done without" in note for note in scores.notes)
    assert all(map(seen[-1][0].has, (asked.documents, asked.windows)))

    [documents] = counted([asked.documents])
    scores = tealeaves.score(TOPICS, None, "flexible", counts=documents)
    assert values(scores) == [2, 1]
    assert scores.notes[0] == (
        "not counted for these words in the counts, and left out: window(size=2)"
    )
    assert not seen[-1][0].has(asked.windows)

    more = [*TOPICS, ["cat", "soup"], ["bird", "bread"]]  # a pair was not counted
    scores = tealeaves.score(more, None, "flexible", counts=both)
    assert all(map(math.isnan, values(scores)))
    assert "document, window(size=2)" in scores.notes[0]


def test_other_metrics_of_the_same_counts_change_nothing(seen: Seen) -> None:
    model = Topics.of([*TOPICS, ["bird", "bread"]])
    wording = Wording(Pipeline.parse("words"))
    [npmi] = count_requests([model], [metric("npmi@2")], wording)
    counts = counted([npmi])  # of documents, but not of all pairs that are requested
    alone = tealeaves.score(model, None, "flexible", counts=counts)
    beside = tealeaves.score(model, None, "flexible npmi@2", counts=counts)
    assert all(map(math.isnan, values(alone)))
    assert all(map(math.isnan, values(beside)))
    assert values(beside, "npmi@2")[0] > 0
    assert seen[-1][0].has(DOCUMENTS)


def test_counting_beforehand_includes_optional_requests(seen: Seen) -> None:
    model, pipeline = Topics.of(TOPICS), Pipeline.parse("words")
    requests = count_requests([model], [metric("flexible")], Wording(pipeline))
    assert [request.unit for request in requests] == [DOCUMENTS, WINDOWS]
    scores = tealeaves.score(model, None, "flexible", counts=counted(requests))
    assert values(scores) == [2, 1]


# ---------------------------------------------------------------------- vectors


def test_an_embedding_without_a_name_is_each_that_the_user_named(seen: Seen) -> None:
    pair = [toy("one"), toy("other")]
    scores = tealeaves.score(TOPICS, None, ["flexible", "isim"], embeddings=pair)
    labels = list(dict.fromkeys(row.metric for row in scores))
    assert labels == ["flexible", "isim(embedding=one)", "isim(embedding=other)"]
    [(evidence, _, asked)] = seen
    assert evidence.chosen_embeddings == ("one", "other")
    assert evidence.has(asked.given_vectors)
    assert not evidence.has(asked.named_vectors)
    assert evidence.vectors("other").of(["bread"]).tolist() == [[5.0, 1.0]]


def test_one_embedding_is_at_hand_by_its_name_whatever_other_metrics_call_it(seen: Seen) -> None:
    tealeaves.score(TOPICS, None, "isim@1 flexible", embeddings=toy("one"))
    evidence, _, asked = seen[-1]
    assert evidence.chosen_embeddings == ("one",)
    assert evidence.has(asked.given_vectors)
    assert len(evidence.vectors(None).numbers) == 2  # only the first words of topics
    assert set(evidence.vectors("one").numbers) == WORDS


def test_a_named_embedding_is_used_if_it_can_be_opened(
    seen: Seen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("".join(f"{word} 1 {len(word)}\n" for word in sorted(WORDS)))
    tealeaves.score(TOPICS, None, metric("flexible")(also=str(path)))
    evidence, _, asked = seen[-1]
    assert evidence.has(asked.named_vectors)
    assert evidence.chosen_embeddings == ()
    assert evidence.vectors(str(path)).of(["soup"]).tolist() == [[1.0, 4.0]]

    tealeaves.score(TOPICS, None, "flexible(also=given)", embeddings=toy("given"))
    assert seen[-1][0].has(seen[-1][2].named_vectors)

    catalogue.open_named.cache_clear()
    monkeypatch.setattr(catalogue, "_is_installed", lambda _: False)
    for name in ("wordllama", "owner/model_of_the_hub"):
        tealeaves.score(TOPICS, None, f"flexible(also={name!r})")
        assert not seen[-1][0].has(seen[-1][2].named_vectors)
    with pytest.raises(MissingExtraError, match="wordllama is not installed"):
        tealeaves.score(TOPICS, None, "flexible(also=wordllama)", embeddings="wordllama")


def test_an_installed_embedding_is_used(seen: Seen) -> None:
    pytest.importorskip("wordllama")
    tealeaves.score(TOPICS, None, "flexible(also=wordllama)")
    evidence, _, asked = seen[-1]
    assert evidence.has(asked.named_vectors)
    assert evidence.vectors("wordllama").known == WORDS


def test_a_scorer_takes_embeddings_for_optional_requests() -> None:
    scorer = make_scorer("flexible", embeddings=[toy("one"), toy("other")])
    assert scorer.metric == "flexible"
    with pytest.raises(InputError, match="not for npmi"):
        make_scorer("npmi", embeddings=toy("one"))


# ---------------------------------------------------------------------- relevance


@pytest.mark.parametrize("improved", [True, False])
def test_relevance_holds_the_pairs_it_was_gathered_for(improved: bool, maker: Maker) -> None:
    a, b, c, d = (Term((letter,)) for letter in "abcd")

    def asks(*pairs: tuple[Term, Term], improved: bool = False) -> RelevanceRequest:
        return RelevanceRequest(frozenset().union(*pairs), frozenset(pairs), improved)

    for pairs, more in (([("a", "b")], False), (None, True)):
        made = maker.of_tokens([list("abc")], "abc", pairs=pairs, improved=improved)
        evidence = Evidence(relevance=made)
        assert evidence.has(asks((a, b)))
        assert evidence.has(asks((b, c))) is more
        assert evidence.has(asks((a, b), (b, c))) is more
        assert evidence.has(RelevanceRequest(frozenset({a, c}), None)) is more
        assert not evidence.has(asks((a, d)))
        assert not evidence.has(RelevanceRequest(frozenset({d})))
        assert evidence.has(asks((a, b), improved=True)) is improved
        assert not Evidence(relevance=made, relevance_read=True).has(asks((a, b)))
    assert not Evidence().has(asks((a, b)))


def test_relevance_is_used_if_it_is_given(seen: Seen, maker: Maker) -> None:
    texts = [text.split() for text in TEXTS]
    whole = maker.of_tokens(texts, WORDS, pipeline="words")
    tealeaves.score(TOPICS, None, "flexible", relevance=whole)
    assert seen[-1][0].has(seen[-1][2].relevance)
    less = maker.of_tokens(texts, WORDS - {"bird"}, pipeline="words")
    tealeaves.score(TOPICS, None, "flexible", relevance=less)
    assert not seen[-1][0].has(seen[-1][2].relevance)


def test_no_classifier_reads_texts_for_an_optional_request(
    seen: Seen, monkeypatch: pytest.MonkeyPatch, tiny_classifier: Callable[..., Classifier]
) -> None:
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("the texts were read")

    def scored(texts: list[str], metrics: str, classifier: Classifier | None) -> None:
        tealeaves.score([["w1", "w2"]], texts, metrics, relevance=classifier, tokens="tokens")

    with monkeypatch.context() as patch:
        patch.setattr(gathering, "gather_relevance", never)
        for given in (None, tiny_classifier()):
            scored(["w1 w2", "w2"], "flexible", given)
            assert not seen[-1][0].has(seen[-1][2].relevance)

    # what it reads for another metric is no business of this one
    texts = ["w1 w2 w3", "w2 w1", "w1 w2 w5 w1"]
    scored(texts, "attention_sum flexible", tiny_classifier())
    evidence, _, asked = seen[-1]
    assert evidence.relevance.texts == 3
    assert not evidence.has(asked.relevance)


def test_vectors_do_not_depend_on_other_requests(seen: Seen) -> None:
    tealeaves.score(TOPICS, TEXTS, "flexible@1 flexible@2 flexible", embeddings=toy("one"))
    evidences = {id(evidence) for evidence, _, _ in seen}
    assert len(evidences) == 1
    assert all(evidence.has(asked.given_vectors) for evidence, _, asked in seen)
    assert np.isfinite(seen[0][0].vectors("one").matrix).all()
