"""Which sources judge a topic, and which parts of the evidence they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tealeaves.consensus.predictors import EmbeddingScale, Predictors
from tealeaves.consensus.relations import Moments, Relations, off_diagonal
from tealeaves.consensus.signals import signals_of
from tealeaves.consensus.sources import ENOUGH, ModelSources, by_sources, first_words, parts_of
from tealeaves.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.topics import Topics

from .made import relations_of, vectors_of


@pytest.mark.parametrize(
    ("sources", "parts"),
    [
        (["corpus"], ["corpus"]),
        (["reference"], ["reference"]),
        (["corpus", "reference"], ["corpus", "reference"]),
        (["mine"], ["vectors"]),
        (["mine", "corpus"], ["corpus", "vectors"]),
        (["mine", "minilm_static"], ["vectors", "several"]),
        (["wordllama"], ["vectors", "length"]),
        (["wordllama", "mine"], ["vectors", "several", "length"]),
        (
            ["reference", "corpus", "minilm_static", "wordllama"],
            ["corpus", "reference", "vectors", "several", "length"],
        ),
    ],
)
def test_parts_of_the_evidence(sources: list[str], parts: list[str]) -> None:
    # only of wordllama are lengths known
    assert parts_of(relations_of(sources, lengths="wordllama" in sources)) == tuple(parts)


def test_without_lengths_wordllama_is_one_embedding_among_others() -> None:
    assert parts_of(relations_of(["wordllama"])) == ("vectors",)


def knowing(shares: Sequence[Sequence[int]], sources: Sequence[str]) -> Relations:
    """Return topics of five words, of whose ten pairs sources know these numbers."""
    given = relations_of(sources, topics=len(shares), size=5, lengths="wordllama" in sources)
    one, other = np.triu_indices(5, 1)
    known = {name: np.zeros((len(shares), 5, 5), dtype=bool) for name in sources}
    for topic, numbers in enumerate(shares):
        for name, number in zip(sources, numbers, strict=True):
            known[name][topic, one[:number], other[:number]] = True
            known[name][topic, other[:number], one[:number]] = True
    return replace(given, known=known)


def chosen(relations: Relations) -> dict[int, tuple[str, ...]]:
    """Return the sources that judge each topic."""
    return {
        int(topic): tuple(seen.logits)
        for mine, seen in by_sources(relations)
        for topic in np.flatnonzero(mine)
    }


def test_those_judge_that_know_any_pair_of_a_topic() -> None:
    shares = [(10, 10), (10, 1), (0, 1), (0, 0), (1, 10), (10, 0)]
    assert chosen(knowing(shares, ["corpus", "toy"])) == {
        0: ("corpus", "toy"),
        1: ("corpus", "toy"),
        2: ("toy",),
        4: ("corpus", "toy"),
        5: ("corpus",),
    }


def embedded(topics: list[list[str]], some: Sequence[str], others: Sequence[str]) -> ModelSources:
    """Return the sources of a model: two embeddings that know these words."""
    every = sorted({word for topic in topics for word in topic})
    names = ("one", "two")
    rows: dict[str, dict[str, Sequence[float]]] = {
        name: {word: [1.0, ord(word) / 99] if word in known else [np.nan] * 2 for word in every}
        for name, known in zip(names, (some, others), strict=True)
    }
    predictors = Predictors(
        embeddings=dict.fromkeys(names, EmbeddingScale("01", Moments(0.1, 0.2), None)),
        predictors=(),
    )
    evidence = Evidence(
        vectors={name: vectors_of(own, weights="01") for name, own in rows.items()},
        chosen_embeddings=names,
    )
    wording = Wording(Pipeline.parse("words"))
    return ModelSources.of(Topics.of(topics), None, evidence, wording, predictors)


@pytest.mark.parametrize(
    ("topics", "others", "asked"),
    [
        ([["a", "b"], ["c", "d", "e"]], "ab", ["one", "two"]),  # 1 pair of 4
        ([["a", "b"], ["c", "d", "e"]], "ce", ["one", "two"]),
        ([["a", "b"], ["c", "d", "e"]], "ace", ["one", "two"]),
        ([["a", "b"], ["c", "d", "e"], ["f", "g"]], "ab", ["one"]),  # 1 of 5
        ([["a", "b", "f"], ["c", "d", "e"]], "ab", ["one"]),  # 1 of 6
        ([["a", "b", "f"], ["c", "d", "e"]], "abf", ["one", "two"]),
        ([["a", "b"], ["c", "d", "e"]], "ac", ["one"]),  # no pair
    ],
)
def test_a_source_that_knows_little_of_a_model_is_not_asked(
    topics: list[list[str]], others: str, asked: list[str]
) -> None:
    assert ENOUGH == 0.25
    sources = embedded(topics, "abcdefg", others)
    assert sources.names == ("one", "two")
    assert sources.used == tuple(asked)
    assert all(list(related.logits) == asked for _, related in sources.relations)


def test_where_none_knows_enough_all_are_asked() -> None:
    topics = [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"], ["i", "j"]]
    assert embedded(topics, "ab", "").used == ("one",)
    assert embedded(topics, "ab", "cd").used == ("one", "two")
    found = embedded(topics, "", "")
    assert found.names == ("one", "two")
    assert found.used == ()


def test_topics_stand_by_their_number_of_words() -> None:
    sources = embedded([["a", "b"], ["c"], ["d", "e", "f"], ["g", "a"]], "abcdefg", "abcdefg")
    rows = [(rows.tolist(), related.words) for rows, related in sources.relations]
    assert rows == [([0, 3], [("a", "b"), ("g", "a")]), ([2], [("d", "e", "f")])]
    assert sources.relations is sources.relations  # made once


def test_each_topic_keeps_its_own_numbers() -> None:
    given = knowing([(10, 10), (10, 0), (10, 10)], ["corpus", "toy"])
    for mine, seen in by_sources(given):
        assert seen.words == [given.words[place] for place in np.flatnonzero(mine)]
        for name in seen.logits:
            np.testing.assert_array_equal(seen.logits[name], given.logits[name][mine])


def test_lengths_go_with_wordllama() -> None:
    """Where it knows none of the words, their lengths are no signal."""
    given = knowing([(10, 10), (10, 0)], ["corpus", "wordllama"])
    lengths = {
        tuple(seen.logits): "vectors.length" in signals_of(seen) for _, seen in by_sources(given)
    }
    assert lengths == {("corpus", "wordllama"): True, ("corpus",): False}


@pytest.mark.parametrize(
    ("name", "weights"), [("wordllama", "01"), ("wordllama", "02"), ("m", "01")]
)
def test_lengths_are_those_of_the_wordllama_whose_scale_is_known(name: str, weights: str) -> None:
    """Unknown words are as long as the average."""
    vectors = vectors_of({"a": [3, 4], "b": [0, 8], "c": [np.nan, np.nan]}, weights=weights)
    scale = EmbeddingScale("01", Moments(0.1, 0.2), Moments(4.0, 2.0))
    predictors = Predictors(embeddings={"wordllama": scale, "m": scale}, predictors=())
    model = Topics.of([["b", "a", "c"]], language="en")
    wording = Wording(Pipeline.parse("words"))
    evidence = Evidence(vectors={name: vectors}, chosen_embeddings=[name])
    sources = ModelSources.of(model, None, evidence, wording, predictors)
    if weights != "01":  # and too few words to tell what cosines are
        assert (sources.names, sources.left_out) == ((), ("wordllama",))
        assert (sources.used, sources.relations[0][1].logits) == ((), {})
        return
    [(rows, found)] = sources.relations
    assert (sources.names, sources.used, rows.tolist()) == ((name,), (name,), [0])
    assert (sources.named, sources.scaled_by_itself, sources.left_out) == (True, (), ())
    cosine = 4 / 5
    assert found.logits[name][0, 0, 1] == pytest.approx(1.5 * ((cosine - 0.1) / 0.2 - 1.2))
    if name == "wordllama":
        assert found.lengths == pytest.approx(np.array([[2.0, 0.5, 0.0]]))
    else:
        assert found.lengths is None


def test_judges_that_know_no_lengths_look_at_none() -> None:
    scale = EmbeddingScale("01", Moments(0.1, 0.2))
    predictors = Predictors(embeddings={"wordllama": scale}, predictors=())
    vectors = vectors_of({"a": [3, 4], "b": [0, 8]}, weights="01")
    evidence = Evidence(vectors={"wordllama": vectors})
    wording = Wording(Pipeline.parse("words"))
    sources = ModelSources.of(Topics.of([["a", "b"]]), None, evidence, wording, predictors)
    [(_, found)] = sources.relations
    assert (list(found.logits), found.lengths) == (["wordllama"], None)
    assert (sources.named, sources.scaled_by_itself) == (False, ())


def test_pairs_of_a_word_with_itself_are_not_known() -> None:
    everything = np.ones((2, 3, 3), dtype=bool)
    assert off_diagonal(everything).sum() == 2 * 6
    assert everything.all()


def test_first_words() -> None:
    models = [Topics.of([["a", "b", "c"], ["d"]]), Topics.of([["b", "e"]])]
    assert first_words(models, 2) == {"a", "b", "d", "e"}
    assert first_words(models, None) == {"a", "b", "c", "d", "e"}
