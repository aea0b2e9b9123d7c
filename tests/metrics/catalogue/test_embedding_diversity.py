"""Embedding diversity: by hand, and as OCTIS computes it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

import tealeaves
from tealeaves import Topic, Topics
from tealeaves.errors import InputError
from tealeaves.metrics import metric
from tealeaves.metrics.scores import Score

Lists = Sequence[Sequence[str]]
Vector = tuple[int, ...]
Vectors = Mapping[str, Vector]

# "c" is shared by the first two topics
VECTORS: Vectors = {
    "a": (1, 0), "b": (4, 3), "c": (0, 2), "d": (-3, 4),
    "e": (0, -1), "f": (12, 5), "g": (-2, 0), "h": (1, 1),
}  # fmt: skip
THREE = ["abc", "fcd", "egh"]


def score_rows(
    topics: Lists | Topics, spec: str, vectors: Mapping[str, Sequence[float]] = VECTORS
) -> list[Score]:
    """Return the rows of the topics, then the model's."""
    given = topics if isinstance(topics, Topics) else [list(words) for words in topics]
    return tealeaves.score(given, None, spec, embeddings=vectors).rows


def all_values(
    topics: Lists | Topics, spec: str, vectors: Mapping[str, Sequence[float]] = VECTORS
) -> tuple[list[float], float]:
    """Return the topics' values and the model's."""
    *values, model = [row.value for row in score_rows(topics, spec, vectors)]
    return values, model


# ---------------------------------------------------------------------- by hand, and as OCTIS


def test_centroids_by_hand() -> None:
    # the sums are (5, 5), (9, 11), (-1, 0)
    one, two = 100 / math.sqrt(50 * 202), -5 / math.sqrt(50)
    three = -9 / math.sqrt(202)
    values, model = all_values(THREE, "embedding_diversity")
    expected = [1 - (one + two) / 2, 1 - (one + three) / 2, 1 - (two + three) / 2]
    assert values == pytest.approx(expected, abs=1e-12)
    assert model == pytest.approx(1 - (one + two + three) / 3, abs=1e-12)


def test_all_words_by_hand() -> None:
    # cosines in 65ths, rows a b c, columns f c d: 60 0 -39 / 63 39 0 / 25 65 52, in sum 265
    values, model = all_values(THREE[:2], "embedding_diversity(form=pairwise)")
    assert [*values, model] == pytest.approx([1 - 265 / 585] * 3, abs=1e-12)


def test_lists_of_different_lengths_by_hand() -> None:
    # a-f 60, a-c 0, b-f 63, b-c 39, c-f 25, c-c 65 of 65: 252 in 6 pairs
    _, model = all_values(["abc", "fc"], "embedding_diversity(form=pairwise)")
    assert model == pytest.approx(1 - 252 / 390, abs=1e-12)
    # centroids (5, 5) / 3 and (12, 7) / 2
    _, model = all_values(["abc", "fc"], "embedding_diversity")
    assert model == pytest.approx(1 - 95 / math.sqrt(50 * 193), abs=1e-12)


def test_all_words_of_a_topic_and_its_copy() -> None:
    # 2 of 4 pairs have cosine 1, 2 have 3/5
    _, model = all_values(
        ["ab", "ab"], "embedding_diversity(form=pairwise)", {"a": (1, 0), "b": (3, 4)}
    )
    assert model == pytest.approx(1 - (2 + 2 * 3 / 5) / 4, abs=1e-12)


@pytest.mark.parametrize(
    ("topics", "spec", "similarity"),
    [
        (THREE, "embedding_diversity@3", -0.11510246041127366),
        (THREE, "embedding_diversity@2", -0.33168533121827304),
        (THREE[:2], "embedding_diversity", 0.995037190209989),
        (THREE[::2], "embedding_diversity", -0.7071067811865475),
        (THREE[1:], "embedding_diversity", -0.6332377902572626),
        (THREE, "embedding_diversity(form=pairwise)@3", 0.08691110461950302),
        (THREE, "embedding_diversity(form=pairwise)@2", -0.1846153885126114),
        (THREE[:2], "embedding_diversity(form=pairwise)", 0.45299142599105835),
        (THREE[::2], "embedding_diversity(form=pairwise)", -0.11064855754375458),
        (THREE[1:], "embedding_diversity(form=pairwise)", -0.0816095620393753),
    ],
)
def test_octis(topics: Lists, spec: str, similarity: float) -> None:
    """OCTIS 1.14.0 gave these similarities; it computes in single precision."""
    assert all_values(topics, spec)[1] == pytest.approx(1 - similarity, abs=1e-6)


# ---------------------------------------------------------------------- weights


AXES: Vectors = {"a": (1, 0), "b": (0, 1), "c": (-1, 0)}


def weighted_model(
    topics: Lists, vocabulary: Sequence[str], phi: Sequence[Sequence[float]]
) -> Topics:
    return Topics.of([list(words) for words in topics], vocabulary=vocabulary, topic_word=phi)


def test_weights_by_hand() -> None:
    model = weighted_model(["ab", "ba"], "cab", [[0.3, 0.4, 0.3], [0.1, 0.3, 0.6]])
    # centroids (.4, .3) and (.3, .6): cosine (.12 + .18) / (.5 * sqrt(.45))
    expected = 1 - 0.3 / (0.5 * math.sqrt(0.45))
    values, result = all_values(model, "embedding_diversity(weights=phi)", AXES)
    assert [*values, result] == pytest.approx([expected] * 3, abs=1e-12)
    # uniform: both are (.5, .5)
    assert all_values(model, "embedding_diversity", AXES)[1] == pytest.approx(0, abs=1e-12)


def test_stream_takes_the_weights_of_the_first_columns() -> None:
    # a and b get .3 and .4, the weights of c and a; b and a the same: (.3, .4) and (.4, .3)
    model = weighted_model(["ab", "ba"], "cab", [[0.3, 0.4, 0.3]] * 2)
    values, result = all_values(model, "embedding_diversity(compat=stream)", AXES)
    assert [*values, result] == pytest.approx([0.96] * 3, abs=1e-12)
    # by their own weights both are (.4, .3)
    assert all_values(model, "embedding_diversity(weights=phi)", AXES)[1] == pytest.approx(
        0, abs=1e-12
    )


def test_weights_of_words_where_there_is_no_matrix() -> None:
    matrix = weighted_model(["ab", "ba"], "abc", [[0.6, 0.4, 0], [0.3, 0.7, 0]])
    listed = Topics((Topic(0, ("a", "b"), (0.6, 0.4)), Topic(1, ("b", "a"), (0.7, 0.3))))
    spec = "embedding_diversity(weights=phi)"
    assert all_values(listed, spec, AXES) == all_values(matrix, spec, AXES)


@pytest.mark.parametrize("order", ["abc", "cba", "bca"])
def test_the_order_of_the_vocabulary_changes_nothing(order: str) -> None:
    phi = {"a": (0.5, 0.1, 0.3), "b": (0.2, 0.6, 0.3), "c": (0.3, 0.3, 0.4)}
    rows = [[phi[word][k] for word in order] for k in range(3)]
    one = weighted_model(["abc", "bca", "cab"], "abc", np.array([*phi.values()]).T.tolist())
    other = weighted_model(["abc", "bca", "cab"], order, rows)
    spec = "embedding_diversity(weights=phi)"
    np.testing.assert_allclose(
        all_values(other, spec, AXES)[0],
        all_values(one, spec, AXES)[0],
        atol=1e-12,
    )


def test_words_that_weigh_nothing_have_no_centroid() -> None:
    model = weighted_model(["a", "b", "ab"], "abc", [[0.0, 0.5, 0.5], [0.2, 0.8, 0], [0.5, 0.5, 0]])
    nothing, *others, _ = score_rows(model, "embedding_diversity(weights=phi)@1", AXES)
    assert math.isnan(nothing.value)
    assert nothing.support == 0
    assert [row.value for row in others] == pytest.approx([1.0] * 2)  # b and a
    assert [row.support for row in others] == [0.5] * 2


def test_missing_weights_are_refused() -> None:
    with pytest.raises(InputError, match="no weights of its words; embedding_diversity@2 needs no"):
        all_values(["ab", "ba"], "embedding_diversity(weights=phi)@2", AXES)
    with pytest.raises(InputError, match="no topic-word matrix"):
        all_values(["ab", "ba"], "embedding_diversity(compat=stream)", AXES)


# ---------------------------------------------------------------------- words against each other


@pytest.mark.parametrize("b", [(-3, 0), (-1, 0)])
def test_a_topic_without_a_direction_has_no_value(b: Vector) -> None:
    # 3 - 3, and 0.1 * 3 - 0.3 * 1, of which rounding leaves 5e-17
    spec = "embedding_diversity" if b == (-3, 0) else "embedding_diversity(weights=phi)"
    model = weighted_model(
        ["ab", "c", "d"], "abcd", [[0.1, 0.3, 0.3, 0.3], [0, 0, 1, 0], [0, 0, 0, 1]]
    )
    vectors = {"a": (3, 0), "b": b, "c": (1, 0), "d": (1, 1)}
    rows = score_rows(model, spec, vectors)
    assert math.isnan(rows[0].value)
    assert [row.support for row in rows[:3]] == [0, 0.5, 0.5]
    values = [row.value for row in rows[1:]]
    assert values == pytest.approx([1 - math.sqrt(0.5)] * 3, abs=1e-12)


def test_opposite_words_can_be_compared_pairwise() -> None:
    # cosines 1 and -1 with c, and sqrt(1/2) and -sqrt(1/2) with d
    vectors = {"a": (3, 0), "b": (-3, 0), "c": (1, 0), "d": (1, 1)}
    values, _ = all_values(["ab", "c", "d"], "embedding_diversity(form=pairwise)", vectors)
    half = 1 - math.sqrt(0.5) / 2
    assert values == pytest.approx([1.0, half, half], abs=1e-12)


# ---------------------------------------------------------------------- parameters


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("form=pairwise, weights=phi", "weights=phi works only with form=centroid"),
        ("compat=stream, form=pairwise", "compat=stream .*; leave out form"),
        ("compat=stream, weights=phi", "compat=stream .*; leave out weights"),
    ],
)
def test_conflicting_parameters_are_refused(given: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        metric(f"embedding_diversity({given})")


def test_better_and_bounds_follow_the_parameters() -> None:
    one = metric("embedding_diversity")
    assert (one.better, one.bounds) == ("higher", (0.0, 2.0))
    stream = one(compat="stream")
    assert (stream.better, stream.bounds) == ("lower", (-1.0, 1.0))
    back = stream(compat=None)
    assert (back.better, back.bounds) == ("higher", (0.0, 2.0))
    assert "phi" in stream.source
    assert "phi" not in one.source
    assert metric("embedding_topic_diversity") == one
