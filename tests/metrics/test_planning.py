"""Plan, gather, evaluate: the three steps of scoring, one by one."""

from __future__ import annotations

from typing import Any

import pytest

import tealeaves
from tealeaves import Sources, demo, evaluate, gather, plan
from tealeaves.errors import InputError
from tealeaves.metrics import parse_metrics
from tealeaves.metrics.planning import check_sources_used

METRICS = "npmi@10 c_v@10 umass@10 irbo@10 diversity@10"


def test_the_three_steps_give_what_score_gives() -> None:
    models, corpus = demo.models(), demo.corpus()
    evidence = gather(plan(models, METRICS, Sources(corpus)))
    steps = evaluate(models, METRICS, evidence)
    whole = tealeaves.score(models, corpus, METRICS)
    assert steps.to_dicts() == whole.to_dicts()
    assert steps.notes == whole.notes
    assert tealeaves.score(models, Sources(corpus), METRICS).to_dicts() == whole.to_dicts()


def test_topics_in_several_languages_take_the_same_steps() -> None:
    words = {"en": [["king", "sea"]], "es": [["rey", "mar"]]}
    models = tealeaves.MultilingualTopics.of_languages(words)
    linked = [
        {"en": "king sea", "es": "rey mar"},
        {"en": "king", "es": "rey"},
        {"en": "a", "es": "b"},
    ]
    texts = tealeaves.PairedCorpus.of(linked)
    evidence = gather(plan(models, "cnpmi inpmi", Sources(texts)))
    steps = evaluate(models, "cnpmi inpmi", evidence)
    assert steps.to_dicts() == tealeaves.score(models, texts, "cnpmi inpmi").to_dicts()


def test_a_plan_says_what_is_gathered_and_what_cannot_be_scored(
    rich_models: list[tealeaves.Topics],
) -> None:
    models = {"words": [["cat", "dog"]], "short": [["cat"]]}
    with pytest.raises(InputError, match="sparsity cannot be computed: words: "):
        plan(models, "npmi@10 sparsity", Sources(["cat dog"]))
    planned = plan(models, "npmi@10 npmi(window=10)@10", Sources(["cat dog"]))
    assert [str(request.unit) for request in planned.counts] == ["document", "window(size=10)"]
    assert not planned.unscorable
    bare = tealeaves.Topics.of([["cat", "dog"]], model="bare")
    [left] = plan([rich_models[0], bare], "significance", Sources()).unscorable
    assert (left.model.model, repr(left.metric)) == ("bare", "significance")
    assert left.reason


def test_sources_are_given_once() -> None:
    sources = Sources(["cat dog"])
    assert repr(sources) == "Sources(corpus)"
    with pytest.raises(InputError, match="tokens belongs to the Sources that are given"):
        tealeaves.score([["cat", "dog"]], sources, "npmi", tokens="tokens")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"embeddings": {"cat": [1.0]}}, "are for metrics of word vectors, .* for npmi, c_v"),
        ({"relevance": "made/of"}, "is for metrics such as lrp_sum@10, not for npmi, c_v"),
        ({"dictionary": "en-es.txt"}, "is for mta@10, .* not for npmi, c_v"),
    ],
)
def test_a_source_that_no_metric_uses(source: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_sources_used(
            parse_metrics("npmi c_v"), Sources(**source), multilingual="dictionary" in source
        )


def test_a_strict_score_refuses_what_nothing_uses() -> None:
    topics, texts = [["cat", "dog"]], ["cat dog", "cat", "soup"]
    vectors = {"cat": [1.0, 0.0], "dog": [1.0, 1.0]}
    lenient = tealeaves.score(topics, texts, "npmi", embeddings=vectors)
    assert lenient.rows == tealeaves.score(topics, texts, "npmi").rows
    with pytest.raises(InputError, match="are for metrics of word vectors"):
        tealeaves.score(topics, texts, "npmi", embeddings=vectors, strict=True)
    assert tealeaves.score(topics, texts, "npmi isim", embeddings=vectors, strict=True).rows
    with pytest.raises(InputError, match="are for metrics of word vectors"):
        tealeaves.select("nmf", demo.corpus(), 2, "npmi@10", embeddings=vectors, strict=True)


@pytest.mark.parametrize("metric", ["npmi", "perplexity", "lrp_sum"])
def test_a_plan_refuses_metrics_that_lack_texts(
    rich_models: list[tealeaves.Topics], metric: str
) -> None:
    with pytest.raises(InputError, match=rf"^{metric} needs texts: give a corpus \(--corpus\)"):
        plan(rich_models, f"diversity {metric}", Sources())
    with pytest.raises(InputError, match=r"^cnpmi needs texts: give .* \(--corpus en=PATH --cor"):
        plan(demo.multilingual_models(), "cnpmi", Sources())


def test_a_plan_takes_texts_alone_too() -> None:
    topics, texts = [["cat", "dog"]], ["cat dog", "cat", "soup"]
    evidence = gather(plan(topics, "npmi", texts))
    assert evaluate(topics, "npmi", evidence).rows == tealeaves.score(topics, texts, "npmi").rows
    number: Any = 5
    with pytest.raises(InputError, match="texts are a corpus, a path or a list of texts, not 5"):
        tealeaves.score(topics, number, "npmi")
