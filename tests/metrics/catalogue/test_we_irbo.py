"""Rank-biased overlap with word embeddings: by hand, as OCTIS, and its matching of words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tealeaves
from tealeaves.errors import InputError
from tealeaves.metrics import metric
from tealeaves.metrics.catalogue import we_irbo
from tealeaves.metrics.catalogue.we_irbo import matched_overlaps
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
FORMS = ("pairwise", "centroid")
WORDS = [f"w{i}" for i in range(9)]


def score_rows(
    topics: Lists, spec: str, vectors: Mapping[str, Sequence[float]] = VECTORS
) -> list[Score]:
    """Return the rows of the topics, then the model's."""
    given = [list(words) for words in topics]
    return tealeaves.score(given, None, spec, embeddings=vectors).rows


def all_values(
    topics: Lists, spec: str, vectors: Mapping[str, Sequence[float]] = VECTORS
) -> tuple[list[float], float]:
    """Return the topics' values and the model's."""
    *values, model = [row.value for row in score_rows(topics, spec, vectors)]
    return values, model


# ---------------------------------------------------------------------- by hand, and as OCTIS


def angular(cosine: float) -> float:
    return 1 - math.acos(cosine) / math.pi


def test_matched_words_by_hand() -> None:
    # cosines in 65ths, rows a b c, columns f c d: 60 0 -39 / 63 39 0 / 25 65 52
    af, bf, ad = (
        angular(60 / 65),
        angular(63 / 65),
        angular(-39 / 65),
    )
    overlaps = [
        af,
        bf + angular(0),
        1 + bf + ad,
    ]  # of 2: b-f, then a-c; of 3: c-c, b-f, then a-d
    assert overlaps == pytest.approx([0.874334, 1.420833, 2.216], abs=1e-6)
    overlap = 0.1 * overlaps[0] + 0.09 * overlaps[1] / 2 + (0.081 + 0.729) * overlaps[2] / 3
    _, model = all_values(THREE[:2], "we_irbo")
    assert model == pytest.approx(1 - overlap, abs=1e-12)
    assert model == pytest.approx(1 - 0.749691, abs=1e-6)


def test_centroids_by_hand() -> None:
    # the sums of the first words are (1, 0), (5, 3), (5, 5) and (12, 5), (12, 7), (9, 11)
    agreements = [
        angular(12 / 13),
        angular((60 + 21) / math.sqrt(34 * 193)),
        angular((45 + 55) / math.sqrt(50 * 202)),
    ]
    overlap = 0.1 * agreements[0] + 0.09 * agreements[1] + (0.081 + 0.729) * agreements[2]
    _, model = all_values(THREE[:2], "we_irbo(form=centroid)")
    assert model == pytest.approx(1 - overlap, abs=1e-12)
    assert model == pytest.approx(1 - 0.961382, abs=1e-6)


@pytest.mark.parametrize(
    ("spec", "topics", "model"),
    [
        ("we_irbo", [0.32039333722373, 0.3733979546558325, 0.4434822965519174], 0.3790911961438267),
        (
            "we_irbo(form=centroid)",
            [0.39195928388166146, 0.3855705749833236, 0.7389119384241642],
            0.5054805990963831,
        ),
    ],
)
def test_another_implementation(spec: str, topics: list[float], model: float) -> None:
    """A plain implementation in Python gave these values; pairwise it agrees with OCTIS to 2e-8."""
    values, whole = all_values(THREE, spec)
    assert [*values, whole] == pytest.approx([*topics, model], abs=1e-12)


@pytest.mark.parametrize(
    ("topics", "spec", "recorded"),
    [
        (THREE, "we_irbo@3", 0.37909119059620033),
        (THREE, "we_irbo@2", 0.49171106199307235),
        (THREE[:2], "we_irbo", 1 - 0.7496910032374633),
        (THREE[::2], "we_irbo", 1 - 0.6095223392776459),
        (THREE[1:], "we_irbo", 1 - 0.5035130856962898),
        (["abc", "cba"], "we_irbo", 0.0725),
        (THREE, "we_irbo(form=centroid, compat=octis)@3", 0.7910958432032722),
        (THREE, "we_irbo(form=centroid, compat=octis)@2", 0.7855586933706744),
        (THREE[:2], "we_irbo(form=centroid, compat=octis)", 1 - 0.39369067286835613),
        (THREE[::2], "we_irbo(form=centroid, compat=octis)", 1 - 0.11859965350017135),
        (THREE[1:], "we_irbo(form=centroid, compat=octis)", 1 - 0.1144221440216558),
        (["abc", "abc"], "we_irbo(form=centroid, compat=octis)", 0.585),
        (["abc", "cba"], "we_irbo(form=centroid, compat=octis)", 0.6400941070192593),
    ],
)
def test_octis(topics: Lists, spec: str, recorded: float) -> None:
    """OCTIS 1.14.0 gave these values; it computes in single precision."""
    assert all_values(topics, spec)[1] == pytest.approx(recorded, abs=1e-6)


def test_ties_are_matched_in_order() -> None:
    # x1-y1, x1-y2 and x2-y1 are 45 degrees apart, x2-y2 135: x1-y1 leaves x2-y2, .75 + .25;
    # .1 * .75 + .9 * 1 / 2. In the other order x1-y2 comes first and leaves x2-y1, .75 + .75.
    # OCTIS has these overlaps too.
    vectors = {"x1": (1, 0), "x2": (0, 1), "y1": (1, 1), "y2": (1, -1)}
    lists = [["x1", "x2"], ["y1", "y2"]]
    assert all_values(lists, "we_irbo", vectors)[1] == pytest.approx(1 - 0.525, abs=1e-12)
    assert all_values(lists[::-1], "we_irbo", vectors)[1] == pytest.approx(1 - 0.525, abs=1e-12)
    lists = [lists[0], ["y2", "y1"]]
    assert all_values(lists, "we_irbo", vectors)[1] == pytest.approx(1 - 0.75, abs=1e-12)


@pytest.mark.parametrize(
    ("topics", "spec", "overlap"),
    [
        # agreements .874334, .710417, (1.920833 + .710417) / 3: c-c and b-f leave a alone
        (["abc", "fc"], "we_irbo", 0.8618083266177501),
        (["abc", "fc"], "we_irbo(form=centroid)", 0.9207337159138096),
        (["abc", "ab"], "we_irbo", 1.0),
        (["ab", "a"], "we_irbo", 1.0),
    ],
)
def test_lists_of_different_lengths(topics: Lists, spec: str, overlap: float) -> None:
    for lists in (topics, topics[::-1]):
        assert all_values(lists, spec)[1] == pytest.approx(1 - overlap, abs=1e-12)


# ---------------------------------------------------------------------- matching


@settings(max_examples=50)
@given(st.permutations(range(8)), st.permutations(range(8)), st.integers(1, 8), st.integers(1, 8))
def test_words_that_are_the_same_or_have_nothing_in_common(
    one: list[int], other: list[int], left: int, right: int
) -> None:
    """The overlap is then the number of shared words, as in plain rank-biased overlap."""
    likeness = np.equal.outer(one, other).astype(float)
    likeness[left:], likeness[:, right:] = -1.0, -1.0
    shared = [len({*one[:left][:d]} & {*other[:right][:d]}) for d in range(1, 9)]
    assert matched_overlaps(likeness[None]).tolist() == [shared]


@settings(max_examples=50)
@given(st.integers(0, 2**32), st.integers(1, 12), st.sampled_from([3, 1000]))
def test_matching_by_depth_equals_matching_anew(seed: int, size: int, steps: int) -> None:
    """Few different values, so that many are equal."""
    likeness = np.random.default_rng(seed).integers(0, steps, (3, size, size)) / steps
    for pair, overlaps in zip(likeness, matched_overlaps(likeness), strict=True):
        for depth in range(1, size + 1):
            left, total = pair[:depth, :depth].copy(), 0.0
            for _ in range(depth):
                i, j = np.unravel_index(left.argmax(), left.shape)  # of equals the first
                total += left[i, j]
                left[i], left[:, j] = -1.0, -1.0
            assert overlaps[depth - 1] == pytest.approx(total, abs=1e-9)


# ---------------------------------------------------------------------- what must hold


def test_a_topic_and_its_copy_in_octis() -> None:
    # (1 - p) sum of p^(d-1) / d, d to 10, and p^10 / 10 are .2703
    vectors = {f"w{i}": (1, i) for i in range(10)}
    _, model = all_values([list(vectors)] * 2, "we_irbo(form=centroid, compat=octis)", vectors)
    assert model == pytest.approx(0.7297, abs=1e-4)


@pytest.mark.parametrize("form", FORMS)
def test_first_words_count_most(form: str) -> None:
    assert (
        all_values(["abc", "abd"], f"we_irbo(form={form})")[1]
        < all_values(["abc", "dab"], "we_irbo")[1]
    )
    low, high = (all_values(["abc", "abd"], f"we_irbo(form={form}, p={p})")[1] for p in (0.1, 0.9))
    assert low < high


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("cells", [1, 20, 150])
def test_many_topics_are_compared_in_tiles(
    monkeypatch: pytest.MonkeyPatch, cells: int, form: str
) -> None:
    random = np.random.default_rng(4)
    topics = [[WORDS[i] for i in random.permutation(9)[: 2 + k % 4]] for k in range(11)]
    vectors = {word: random.normal(size=4).tolist() for word in WORDS[1:]}
    whole, _ = all_values(topics, f"we_irbo(form={form})", vectors)
    monkeypatch.setattr(we_irbo, "_MOST_CELLS", cells)
    parts, _ = all_values(topics, f"we_irbo(form={form})", vectors)
    np.testing.assert_allclose(parts, whole, atol=1e-12)


def test_negligible_depths_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(5)
    vectors = {f"w{i:02d}": random.normal(size=4).tolist() for i in range(60)}
    topics = [random.permutation([*vectors])[:length].tolist() for length in (60, 20, 55, 30)]
    values, _ = all_values(topics, "we_irbo(p=0.5)", vectors)  # 47 words
    monkeypatch.setattr(we_irbo, "_NEGLIGIBLE", 1e-200)
    whole, _ = all_values(topics, "we_irbo(p=0.5)", vectors)
    np.testing.assert_allclose(values, whole, rtol=0, atol=1e-14)
    monkeypatch.setattr(we_irbo, "_NEGLIGIBLE", 0.5**10)
    rough, _ = all_values(topics, "we_irbo(p=0.5)", vectors)
    first, _ = all_values(topics, "we_irbo(p=0.5)@10", vectors)
    np.testing.assert_allclose(rough, first, rtol=0, atol=1e-14)
    assert 1e-7 < np.abs(np.subtract(rough, whole)).max() < 0.5**10


# ---------------------------------------------------------------------- centroids


def test_a_topic_without_a_direction_has_no_value() -> None:
    # a and z point against each other: after two words there is no centroid
    vectors = {**VECTORS, "z": (-1, 0)}
    *rows, model = score_rows(["azb", *THREE[1:]], "we_irbo(form=centroid)", vectors)
    assert math.isnan(rows[0].value)
    assert [row.support for row in rows] == [0.0, 0.5, 0.5]
    assert model.value == all_values(THREE[1:], "we_irbo(form=centroid)")[1]
    assert not np.isnan(all_values(["azb", *THREE[1:]], "we_irbo", vectors)[0]).any()


def test_a_centroid_of_rounding_has_no_direction() -> None:
    # 0.1 + 0.2 - 0.3 in single precision is not 0
    vectors = {**VECTORS, "x": (0.1, 0.2), "y": (0.2, 0.4), "z": (-0.3, -0.6)}
    single = np.array([vectors[word] for word in "xyz"], dtype=np.float32)
    assert single.astype(np.float64).sum(axis=0).all()
    values, _ = all_values(["xyz", *THREE[1:]], "we_irbo(form=centroid)", vectors)
    assert np.isnan(values).tolist() == [True, False, False]


# ---------------------------------------------------------------------- parameters


def test_compat_octis_is_for_centroids() -> None:
    with pytest.raises(InputError, match="compat=octis works only with form=centroid"):
        metric("we_irbo(compat=octis)")
    one = metric("we_irbo(form=centroid, compat=octis)")
    with pytest.raises(InputError, match="compat=octis works only with form=centroid"):
        one(form="pairwise")


@pytest.mark.parametrize("p", [0, 1, -0.5, 2])
def test_p_lies_between_0_and_1(p: float) -> None:
    with pytest.raises(InputError, match="p"):
        metric("we_irbo")(p=p)


def test_better_and_bounds() -> None:
    assert metric("we_irbo").better == "higher"
    assert metric("we_irbo").bounds == (0.0, 1.0)
    assert metric("word_embeddings_irbo") == metric("we_irbo")
