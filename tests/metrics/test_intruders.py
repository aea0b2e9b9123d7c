"""Intruders: by hand, by plain loops over words, and where there is little to say."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.evidence.embeddings.embeddings import WordVectors
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.metrics import metric
from tealeaves.metrics.evaluation import evaluate
from tealeaves.metrics.scores import Scores
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.topics import Topics

Lists = Sequence[Sequence[str]]
Point = Sequence[float]
WORDS = "abcdefghij"


def judged(topics: Lists, points: Mapping[str, Point], spec: str) -> Scores:
    """Score with vectors of double precision, as they are."""
    words = sorted({word for topic in topics for word in topic})
    size = len(next(iter(points.values()), (0.0,)))
    rows = [points.get(word, [math.nan] * size) for word in words]
    numbers = {word: number for number, word in enumerate(words)}
    vectors = WordVectors("toy", "", numbers, np.array(rows, dtype=np.float64))
    wording = Wording(Pipeline.parse("words"))
    evidence = Evidence(vectors={None: vectors}, wording=wording)
    return evaluate([Topics.of(topics)], [metric(spec)], evidence)


def of_topics(topics: Lists, points: Mapping[str, Point], spec: str) -> list[Any]:
    return [(row.value, row.support) for row in judged(topics, points, spec).topics]


# ---------------------------------------------------------------------- by hand

POINTS = {"east": (1, 0), "ne": (3, 4), "north": (0, 2), "west": (-2, 0), "south": (0, -1)}
TOPICS = [["east", "ne"], ["north", "west"], ["north", "south", "east"]]
# Who may intrude, and how often. Into the first topic: half the time of north or west, half the
# time of north or south (east is its own): north 1/2, west 1/4, south 1/4. Into the second: half
# the time of east or ne, half of south or east: east 1/2, ne 1/4, south 1/4. Into the third: ne,
# which alone is left of the first, or west of the second: 1/2 each.


def test_isim_by_hand() -> None:
    found = of_topics(TOPICS, POINTS, "isim")
    assert found == [
        # east, ne to north: 0, .8; to west: -1, -.6; to south: 0, -.8
        (pytest.approx(0.4 / 2 - 0.8 / 4 - 0.4 / 4), 1.0),
        # north, west to east: 0, -1; to ne: .8, -.6; to south: -1, 0
        (pytest.approx(-0.5 / 2 + 0.1 / 4 - 0.5 / 4), 1.0),
        # north, south, east to ne: .8, -.8, .6; to west: 0, 0, -1
        (pytest.approx((0.6 / 3 - 1 / 3) / 2), 1.0),
    ]


def test_int_by_hand() -> None:
    found = of_topics(TOPICS, POINTS, "int")
    assert found == [
        # east and ne are .6 to each other. north: 0, .8, so east alone finds it; west: -1, -.6,
        # both; south: 0, -.8, both
        (pytest.approx(0.5 / 2 + 1 / 4 + 1 / 4), 1.0),
        # north and west are 0 to each other. east: north 0, no less; west -1. ne: .8, -.6.
        # south: north -1; west 0, no less
        (pytest.approx(0.5), 1.0),
        # the least of north and of south is -1, which nothing is below; of east it is 0: ne is .6
        # to it, west is -1
        (pytest.approx((0 + 1 / 3) / 2), 1.0),
    ]


def test_ish_by_hand() -> None:
    found = of_topics(TOPICS, POINTS, "ish")
    first = (
        # the sum (4, 4), of which only the direction counts, becomes (3, 6) or (1, 2) by north
        (3 / sqrt(10)) / 2
        # (1, 4) or (-1, 0) by west
        + (5 / sqrt(34) - 1 / sqrt(2)) / 2 / 4
        # (3, 3) or (1, -1) by south
        + (1 + 0) / 2 / 4
    )
    second = (
        # (-2, 2) becomes (-1, 0) or (1, 2) by east
        (1 / sqrt(2) + 1 / sqrt(10)) / 2 / 2
        # (1, 4) or (3, 6) by ne
        + (3 / sqrt(34) + 1 / sqrt(10)) / 2 / 4
        # (-2, -1) or (0, 1) by south
        + (1 / sqrt(10) + 1 / sqrt(2)) / 2 / 4
    )
    third = (
        # (1, 1) becomes (4, 3), (4, 6) or (3, 5) by ne
        (7 / sqrt(50) + 10 / sqrt(104) + 8 / sqrt(68)) / 3 / 2
        # (-1, -1), (-1, 2) or (-2, 1) by west
        + (-1 + 1 / sqrt(10) - 1 / sqrt(10)) / 3 / 2
    )
    assert found == [(pytest.approx(value), 1.0) for value in (first, second, third)]


def test_as_stream_computes_them_by_hand() -> None:
    # words of the topic may intrude as well. Into the first: north 1/4 + 1/6, west 1/4, south and
    # east 1/6; into the second: east 1/4 + 1/6, ne 1/4, north and south 1/6
    isim = of_topics(TOPICS, POINTS, "isim(compat=stream)")[0]
    assert isim == (pytest.approx(0.4 * 5 / 12 - 0.8 / 4 - 0.4 / 6 + 0.8 / 6), 1.0)
    # ties go to the intruder: both words find east and south, west finds ne and, tied, north
    found = of_topics(TOPICS, POINTS, "int(compat=stream)")[1]
    assert found == (pytest.approx(1 * 5 / 12 + 0.5 / 4 + 0.5 / 6 + 1 / 6), 1.0)
    # the direction (1, 1) to north and to east is 1/√2, to west and to south -1/√2
    ish = of_topics(TOPICS, POINTS, "ish(compat=stream)")[0]
    assert ish == (pytest.approx((5 / 12 - 1 / 4 - 1 / 6 + 1 / 6) / sqrt(2)), 1.0)


# ---------------------------------------------------------------------- by plain loops


def cos(one: Point, other: Point) -> float:
    lengths = math.hypot(*one) * math.hypot(*other)
    return math.nan if lengths < 1e-9 else sum(map(float.__mul__, one, other)) / lengths


def slow_isim(words: list[Point], intruder: Point) -> list[float]:
    return [sum(cos(word, intruder) for word in words) / len(words)]


def slow_int(words: list[Point], intruder: Point) -> list[float]:
    found = 0
    for i, word in enumerate(words):
        others = [cos(word, other) for j, other in enumerate(words) if j != i]
        found += all(cos(word, intruder) < one - 1e-6 for one in others)
    return [found / len(words)]


def slow_int_with_ties(words: list[Point], intruder: Point) -> list[float]:
    found = 0
    for i, word in enumerate(words):
        others = [cos(word, other) for j, other in enumerate(words) if j != i]
        found += all(cos(word, intruder) < one + 1e-6 for one in others)
    return [found / len(words)]


def total(words: Sequence[Point]) -> Point:
    return [float(sum(axis)) for axis in zip(*words, strict=True)]


def slow_ish(words: list[Point], intruder: Point) -> list[float]:
    replaced = [[intruder if j == i else word for j, word in enumerate(words)]
                for i in range(len(words))]  # fmt: skip
    return [cos(total(words), total(changed)) for changed in replaced]


def slow_to_centroid(words: list[Point], intruder: Point) -> list[float]:
    return [cos(total(words), intruder)]


SLOW = {
    "isim": (slow_isim, 1, False),
    "int": (slow_int, 2, False),
    "ish": (slow_ish, 1, False),
    "isim(compat=stream)": (slow_isim, 1, True),
    "int(compat=stream)": (slow_int_with_ties, 2, True),
    "ish(compat=stream)": (slow_to_centroid, 1, True),
}


def slowly(
    topics: Lists, points: Mapping[str, Point], spec: str, top: int | None
) -> list[tuple[float, float]]:
    """Go through all intruders of all topics, one by one."""
    formula, least, own = SLOW[spec]
    found = []
    for t, topic in enumerate(topics):
        words = [points[word] for word in topic[:top] if word in points]
        others = [[word for word in other[:top] if own or word not in topic]
                  for s, other in enumerate(topics) if s != t]  # fmt: skip
        others = [other for other in others if other]
        mass = value = 0.0
        for other in others if len(words) >= least else []:
            for word in other:
                results = formula(words, points[word]) if word in points else [math.nan]
                for result in results:
                    if not math.isnan(result):
                        share = 1 / len(others) / len(other) / len(results)
                        mass, value = mass + share, value + share * result
        asked = top or len(topic)
        found.append((value / mass, mass * len(words) / asked) if mass else (math.nan, 0.0))
    return found


coordinates = st.integers(-2, 2).map(float)
# small whole numbers: many words have the same direction, some opposite ones
spaces = st.dictionaries(
    st.sampled_from(WORDS), st.tuples(*[coordinates] * 3).filter(any), min_size=2
)
ragged = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=6, unique=True), min_size=1, max_size=5
)


@given(ragged, spaces, st.sampled_from(sorted(SLOW)), st.sampled_from([None, 1, 2, 3, 8]))
def test_the_same_as_plain_loops(
    topics: Lists, points: dict[str, Point], spec: str, top: int | None
) -> None:
    found = of_topics(topics, points, spec if top is None else f"{spec}@{top}")
    for (value, support), (slow_value, slow_support) in zip(
        found, slowly(topics, points, spec, top), strict=True
    ):
        assert value == pytest.approx(slow_value, abs=1e-9, nan_ok=True)
        assert support == pytest.approx(slow_support, abs=1e-12)


def test_a_word_that_the_topic_lists_further_down_never_intrudes() -> None:
    topics = [["east", "ne", "north"], ["north", "west"]]
    # of the first two words of the second topic, north is the third of the first topic
    assert of_topics(topics, POINTS, "isim@2")[0] == (pytest.approx((-1 - 0.6) / 2), 1.0)
    # so it does if it is not listed: north is 0 and .8
    listed = [["east", "ne"], ["north", "west"]]
    assert of_topics(listed, POINTS, "isim@2")[0][0] == pytest.approx((0.4 - 0.8) / 2)


@pytest.mark.parametrize("spec", SLOW)
@pytest.mark.parametrize("size", [3, 7, 11, 49])
def test_where_nothing_is_missing_the_support_is_whole(spec: str, size: int) -> None:
    random = np.random.default_rng(size)
    topics = [[f"w{t}_{w}" for w in range(size)] for t in range(size)]
    points = {word: random.normal(size=3).tolist() for topic in topics for word in topic}
    assert {support for _, support in of_topics(topics, points, spec)} == {1.0}
