"""Intruders: by hand, by plain loops, drawn at random, and matched by frequency."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import tealeaves
from tealeaves.errors import InputError
from tealeaves.evidence.counting.corpus import count_corpus
from tealeaves.evidence.counts import save_counts
from tealeaves.evidence.embeddings.embeddings import WordVectors
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.metrics import metric
from tealeaves.metrics.evaluation import evaluate
from tealeaves.metrics.planning import count_requests
from tealeaves.metrics.scores import Score, Scores
from tealeaves.metrics.vectors import space
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.topics import Topics

Lists = Sequence[Sequence[str]]
Point = Sequence[float]
WORDS = "abcdefghij"


def score_topics(topics: Lists, points: Mapping[str, Point], spec: str) -> Scores:
    """Score with vectors of double precision."""
    words = sorted({word for topic in topics for word in topic})
    size = len(next(iter(points.values()), (0.0,)))
    rows = [points.get(word, [math.nan] * size) for word in words]
    numbers = {word: number for number, word in enumerate(words)}
    vectors = WordVectors("toy", "", numbers, np.array(rows, dtype=np.float64))
    wording = Wording(Pipeline.parse("words"))
    evidence = Evidence(vectors={None: vectors}, wording=wording)
    return evaluate([Topics.of(topics)], [metric(spec)], evidence)


def topic_values(topics: Lists, points: Mapping[str, Point], spec: str) -> list[Any]:
    return [(row.value, row.support) for row in score_topics(topics, points, spec).topics]


# ---------------------------------------------------------------------- by hand

POINTS = {"east": (1, 0), "ne": (3, 4), "north": (0, 2), "west": (-2, 0), "south": (0, -1)}
TOPICS = [["east", "ne"], ["north", "west"], ["north", "south", "east"]]
# Who may intrude, and how often. Into the first topic: half the time of north or west, half the
# time of north or south (east is its own): north 1/2, west 1/4, south 1/4. Into the second: half
# the time of east or ne, half of south or east: east 1/2, ne 1/4, south 1/4. Into the third: ne,
# which alone is left of the first, or west of the second: 1/2 each.


def test_isim_by_hand() -> None:
    values = topic_values(TOPICS, POINTS, "isim")
    assert values == [
        # east, ne to north: 0, .8; to west: -1, -.6; to south: 0, -.8
        (pytest.approx(0.4 / 2 - 0.8 / 4 - 0.4 / 4), 1.0),
        # north, west to east: 0, -1; to ne: .8, -.6; to south: -1, 0
        (pytest.approx(-0.5 / 2 + 0.1 / 4 - 0.5 / 4), 1.0),
        # north, south, east to ne: .8, -.8, .6; to west: 0, 0, -1
        (pytest.approx((0.6 / 3 - 1 / 3) / 2), 1.0),
    ]


def test_int_by_hand() -> None:
    values = topic_values(TOPICS, POINTS, "int")
    assert values == [
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
    values = topic_values(TOPICS, POINTS, "ish")
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
    assert values == [(pytest.approx(value), 1.0) for value in (first, second, third)]


def test_compat_stream_by_hand() -> None:
    # words of the topic may intrude as well. Into the first: north 1/4 + 1/6, west 1/4, south and
    # east 1/6; into the second: east 1/4 + 1/6, ne 1/4, north and south 1/6
    isim = topic_values(TOPICS, POINTS, "isim(compat=stream)")[0]
    assert isim == (pytest.approx(0.4 * 5 / 12 - 0.8 / 4 - 0.4 / 6 + 0.8 / 6), 1.0)
    # ties go to the intruder: both words find east and south, west finds ne and, tied, north
    values = topic_values(TOPICS, POINTS, "int(compat=stream)")[1]
    assert values == (pytest.approx(1 * 5 / 12 + 0.5 / 4 + 0.5 / 6 + 1 / 6), 1.0)
    # the direction (1, 1) to north and to east is 1/√2, to west and to south -1/√2
    ish = topic_values(TOPICS, POINTS, "ish(compat=stream)")[0]
    assert ish == (pytest.approx((5 / 12 - 1 / 4 - 1 / 6 + 1 / 6) / sqrt(2)), 1.0)


# ---------------------------------------------------------------------- by plain loops


def cos(one: Point, other: Point) -> float:
    lengths = math.hypot(*one) * math.hypot(*other)
    return math.nan if lengths < 1e-9 else sum(map(float.__mul__, one, other)) / lengths


def slow_isim(words: list[Point], intruder: Point) -> list[float]:
    return [sum(cos(word, intruder) for word in words) / len(words)]


def slow_int(words: list[Point], intruder: Point) -> list[float]:
    count = 0
    for i, word in enumerate(words):
        others = [cos(word, other) for j, other in enumerate(words) if j != i]
        count += all(cos(word, intruder) < one - 1e-6 for one in others)
    return [count / len(words)]


def slow_int_with_ties(words: list[Point], intruder: Point) -> list[float]:
    count = 0
    for i, word in enumerate(words):
        others = [cos(word, other) for j, other in enumerate(words) if j != i]
        count += all(cos(word, intruder) < one + 1e-6 for one in others)
    return [count / len(words)]


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


def slow_scores(
    topics: Lists, points: Mapping[str, Point], spec: str, top: int | None
) -> list[tuple[float, float]]:
    """Go through all intruders of all topics, one by one."""
    formula, least, own = SLOW[spec]
    expected = []
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
        expected.append((value / mass, mass * len(words) / asked) if mass else (math.nan, 0.0))
    return expected


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
    values = topic_values(topics, points, spec if top is None else f"{spec}@{top}")
    for (value, support), (slow_value, slow_support) in zip(
        values, slow_scores(topics, points, spec, top), strict=True
    ):
        assert value == pytest.approx(slow_value, abs=1e-9, nan_ok=True)
        assert support == pytest.approx(slow_support, abs=1e-12)


def test_a_word_that_the_topic_lists_further_down_never_intrudes() -> None:
    topics = [["east", "ne", "north"], ["north", "west"]]
    # of the first two words of the second topic, north is the third of the first topic
    assert topic_values(topics, POINTS, "isim@2")[0] == (pytest.approx((-1 - 0.6) / 2), 1.0)
    # so it does if it is not listed: north is 0 and .8
    listed = [["east", "ne"], ["north", "west"]]
    assert topic_values(listed, POINTS, "isim@2")[0][0] == pytest.approx((0.4 - 0.8) / 2)


@pytest.mark.parametrize("spec", SLOW)
@pytest.mark.parametrize("size", [3, 7, 11, 49])
def test_support_is_exactly_one_if_nothing_is_missing(spec: str, size: int) -> None:
    random = np.random.default_rng(size)
    topics = [[f"w{t}_{w}" for w in range(size)] for t in range(size)]
    points = {word: random.normal(size=3).tolist() for topic in topics for word in topic}
    assert {support for _, support in topic_values(topics, points, spec)} == {1.0}


NAMES = ("isim", "int", "ish")
ALL = (*NAMES, *(f"{name}(compat=stream)" for name in NAMES))
DRAWN = tuple(f"{name}(draws=7, seed=3)" for name in NAMES)


def random_topics(seed: int) -> tuple[list[list[str]], dict[str, NDArray[np.float64]]]:
    """Return four topics of five words, some of them shared, and the vectors of the words."""
    random = np.random.default_rng(seed)
    words = [f"w{number:02d}" for number in range(14)]
    topics = [random.permutation(words)[:5].tolist() for _ in range(4)]
    return topics, {word: random.normal(size=4) for word in words}


def rows_by_words(
    topics: Lists | Topics, points: Mapping[str, NDArray[np.float64]], spec: str
) -> dict[frozenset[str], Score]:
    """Return the scores of topics by their words, that of the model by no words."""
    model = topics if isinstance(topics, Topics) else Topics.of(topics)
    numbers = {word: number for number, word in enumerate(points)}
    vectors = WordVectors("toy", "", numbers, np.array(list(points.values())))
    wording = Wording(Pipeline.parse("words"))
    scores = evaluate([model], [metric(spec)], Evidence(vectors={None: vectors}, wording=wording))
    words = {topic.id: frozenset(topic.words) for topic in model.topics}
    return {frozenset() if row.topic is None else words[row.topic]: row for row in scores}


def values_of(result: Mapping[frozenset[str], Score]) -> dict[frozenset[str], float]:
    return {words: row.value for words, row in result.items()}


# ---------------------------------------------------------------------- what changes nothing


@given(st.integers(0, 999), st.sampled_from(ALL + DRAWN), st.floats(-6, 6))
def test_rotation_and_scale_change_nothing(seed: int, spec: str, power: float) -> None:
    topics, points = random_topics(seed)
    turn, _ = np.linalg.qr(np.random.default_rng(seed + 1).normal(size=(4, 4)))
    turned = {word: 10**power * (turn @ point) for word, point in points.items()}
    assert values_of(rows_by_words(topics, turned, spec)) == pytest.approx(
        values_of(rows_by_words(topics, points, spec)), abs=1e-9
    )


@given(st.integers(0, 999), st.sampled_from(ALL + DRAWN), st.randoms(use_true_random=False))
def test_order_changes_nothing(seed: int, spec: str, random: Random) -> None:
    topics, points = random_topics(seed)
    other = [list(topic) for topic in topics]
    random.shuffle(other)
    for topic in other:
        random.shuffle(topic)
    columns = list(points)
    random.shuffle(columns)
    again = rows_by_words(other, {word: points[word] for word in columns}, spec)
    assert values_of(again) == pytest.approx(
        values_of(rows_by_words(topics, points, spec)), abs=1e-12
    )


@pytest.mark.parametrize("spec", DRAWN)
def test_the_vocabulary_changes_nothing(spec: str) -> None:
    topics, points = random_topics(1)
    phi = np.random.default_rng(0).dirichlet(np.ones(14), size=4)
    order = np.random.default_rng(1).permutation(14)
    vocabulary = np.array(list(points))
    models = [
        Topics.of(topics, vocabulary=tuple(vocabulary[at]), topic_word=phi[:, at])
        for at in (np.arange(14), order)
    ]
    one, other = (values_of(rows_by_words(model, points, spec)) for model in models)
    assert one == other


# ---------------------------------------------------------------------- drawing


@pytest.mark.parametrize("name", NAMES)
def test_the_seed_decides_the_score(name: str) -> None:
    topics, points = random_topics(5)
    first, again, other = (
        rows_by_words(topics, points, f"{name}(draws=10, seed={seed})") for seed in (1, 1, 2)
    )
    assert first == again
    assert values_of(first) != values_of(other)
    none = rows_by_words(topics, points, f"{name}(draws=10)")
    assert values_of(none) == values_of(rows_by_words(topics, points, f"{name}(draws=10, seed=0)"))


@pytest.mark.parametrize("spec", ALL)
def test_many_draws_approach_the_expectation(spec: str) -> None:
    topics, points = random_topics(7)
    exact = rows_by_words(topics, points, spec)
    drawn = rows_by_words(topics, points, repr(metric(spec)(draws=20_000, seed=1)))
    for words, row in drawn.items():
        assert row.error is not None
        assert 0 < row.error < 0.01
        assert abs(row.value - exact[words].value) < 4 * row.error
        assert exact[words].error is None


@pytest.mark.parametrize("name", NAMES)
def test_the_error_shrinks_with_the_root_of_the_draws(name: str) -> None:
    topics, points = random_topics(7)
    few, many = (rows_by_words(topics, points, f"{name}(draws={n})") for n in (4_000, 400_000))
    for words, row in few.items():
        assert row.error is not None
        assert many[words].error == pytest.approx(row.error / 10, rel=0.15)


@pytest.mark.parametrize(("name", "draws"), [("isim", 2), ("isim", 10), ("int", 10), ("ish", 10)])
def test_the_error_is_the_spread_over_seeds(name: str, draws: int) -> None:
    topics, points = random_topics(11)
    runs = [
        rows_by_words(topics, points, f"{name}(draws={draws}, seed={seed})") for seed in range(300)
    ]
    exact = values_of(rows_by_words(topics, points, name))
    for words in runs[0]:  # the topics, and the model
        drawn = np.array([one[words].value for one in runs])
        errors = np.array([one[words].error for one in runs], dtype=np.float64)
        spread = drawn.std(ddof=1)
        # the square of the error is right on average; 300 seeds estimate the spread to about 4 %
        assert math.sqrt((errors**2).mean()) == pytest.approx(spread, rel=0.15)
        # and the mean of the means is the expectation
        assert abs(drawn.mean() - exact[words]) < 4 * spread / math.sqrt(len(drawn))


def test_the_error_of_a_model_is_that_of_the_mean_over_topics() -> None:
    topics, points = random_topics(3)
    by_words = rows_by_words(topics, points, "isim(draws=10)")
    model = by_words.pop(frozenset())
    errors = [row.error for row in by_words.values() if row.error is not None]
    assert model.error == pytest.approx(math.sqrt(sum(error**2 for error in errors)) / 4)
    # weighted by documents: 3/4, 1/4 and 0 for the others
    weighted = tealeaves.score(
        Topics.of(topics, documents=[30, 10, 0, 0]),
        None,
        "isim(draws=10)",
        embeddings=points,
        weight="documents",
    )
    *parts, whole = weighted.rows
    expected = math.hypot(0.75 * (parts[0].error or 0), 0.25 * (parts[1].error or 0))
    assert whole.error == pytest.approx(expected)
    assert whole.value == pytest.approx(0.75 * parts[0].value + 0.25 * parts[1].value)


def test_one_draw_has_no_standard_error() -> None:
    topics, points = random_topics(3)
    by_words = rows_by_words(topics, points, "ish(draws=1)")
    assert all(row.error is None for row in by_words.values())
    assert all(-1 <= row.value <= 1 and row.support == 1 for row in by_words.values())


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("isim(seed=3)", "isim: seed works only with draws=N; draws=all draws nothing"),
        ("isim(draws=0)", "draws"),
        ("isim(draws=most)", "draws"),
        ("isim(draws=2, seed=-1)", "seed"),
        ("isim(compat=octis)", "compat"),
        ("isim(intruders=frequent)", "intruders"),
    ],
)
def test_invalid_parameters_are_refused(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        metric(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "written"),
    [
        ("isim(draws=all)@10", "isim@10"),
        ("intruder_similarity(draws=10, seed=0)", "isim(draws=10)"),
        ("intruder_accuracy(seed=4, draws=10)@5", "int(draws=10, seed=4)@5"),
        ("intruder_shift(compat=stream, intruders=matched)", None),
    ],
)
def test_expressions(spec: str, written: str | None) -> None:
    one = metric(spec)
    assert metric(repr(one)) == one
    assert repr(one) == (written or "ish(intruders=matched, compat=stream)")
    assert ("seed=" in one.signature) == ("draws=10" in spec)
    assert repr(metric("isim(draws=10, seed=4)")(draws="all")) == "isim"


@pytest.mark.parametrize("spec", [*ALL, "ish(draws=2)"])
def test_products_of_many_words_are_computed_in_parts(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    topics, points = random_topics(9)
    kept = rows_by_words(topics, points, spec)
    monkeypatch.setattr(space, "_MOST_PRODUCTS", 1)
    assert values_of(rows_by_words(topics, points, spec)) == pytest.approx(
        values_of(kept), abs=1e-12
    )


def test_ish_warns_against_choosing_models_by_it() -> None:
    lists = {"one": [["a", "b"], ["c", "d"]], "other": [["a", "c"], ["b", "d"]]}
    points = {"a": [1.0, 0.0], "b": [1.0, 1.0], "c": [0.0, 1.0], "d": [-1.0, 1.0]}
    warned = "ish: lower is declared better, but people prefer higher values"
    assert warned in tealeaves.score(lists, None, "ish", embeddings=points).notes
    for models, spec in (({"one": lists["one"]}, "ish"), (lists, "ish(compat=stream)")):
        assert warned not in tealeaves.score(models, None, spec, embeddings=points).notes


MATCHED = "isim(intruders=matched)"
THREE = ("isim", "int", "ish")


def texts_of(frequencies: Mapping[str, int]) -> list[str]:
    """Return texts with these document frequencies."""
    most = max(frequencies.values(), default=0)
    result = [" ".join(w for w, times in frequencies.items() if times > n) for n in range(most)]
    return [*result, "filler"]


def values_and_support(scores: tealeaves.Scores) -> list[Any]:
    return [(row.value, row.support) for row in scores.topics]


# ---------------------------------------------------------------------- matched

FREQUENCIES = {"a": 4, "b": 1, "c": 7, "d": 1, "e": 2, "gone": 0}
ANGLES = {"a": 0, "b": 90, "c": 60, "d": 180, "e": 120, "gone": 270}
ROUND = {w: (math.cos(math.radians(x)), math.sin(math.radians(x))) for w, x in ANGLES.items()}
MATCHED_TOPICS = [["a", "b"], ["c", "d", "e", "gone"]]
COS_30 = math.sqrt(3) / 2


def test_matched_intruders_by_hand() -> None:
    scores = tealeaves.score(MATCHED_TOPICS, texts_of(FREQUENCIES), MATCHED, embeddings=ROUND)
    # classes of texts: a 4-7, b 1; c 4-7, d 1, e 2-3, gone none.
    # Into the first: c for a, d for b. a, b to c: cos 60°, cos 30°; to d: -1, 0
    first = ((0.5 + COS_30) / 2 + (-1 + 0) / 2) / 2
    # Into the second: a for c, b for d; for e both are equally near: the rarer, b, is taken.
    # c, d, e, gone to a: .5, -1, -.5, 0; to b: cos 30°, 0, cos 30°, -1
    second = (-1 / 4) / 3 + ((2 * COS_30 - 1) / 4) * 2 / 3
    # gone is one of four that could intrude into the first, and one of four words of the second
    assert values_and_support(scores) == [
        (pytest.approx(first, abs=1e-6), 0.75),
        (pytest.approx(second, abs=1e-6), 0.75),
    ]
    assert "the corpus has only 8 texts: the numbers are rough" in scores.notes
    assert "model: not in the corpus: gone" in scores.notes


def test_the_signature_names_texts_and_tokens() -> None:
    other = FREQUENCIES | {"e": 4}
    signatures = set()
    for texts in (texts_of(FREQUENCIES), texts_of(other)):
        scores = tealeaves.score(MATCHED_TOPICS, texts, MATCHED, embeddings=ROUND)
        [signature] = {row.signature for row in scores}
        assert "|tokens=words" in signature
        assert "|texts=" in signature
        signatures.add(signature)
    assert len(signatures) == 2
    [plain] = {
        row.signature for row in tealeaves.score(MATCHED_TOPICS, None, "isim", embeddings=ROUND)
    }
    assert "texts=" not in plain


def test_no_word_in_the_texts() -> None:
    scores = tealeaves.score(MATCHED_TOPICS, ["nothing of it"], MATCHED, embeddings=ROUND)
    assert all(math.isnan(row.value) and row.support == 0 for row in scores)
    [note] = [note for note in scores.notes if "have no" in note]
    assert "whose frequency in the texts is known" in note
    assert "model: not in the corpus: a, b, c, d, e, gone" in scores.notes


def slow_matched_scores(topics: Lists, frequencies: Mapping[str, int]) -> list[float]:
    """Take intruders for each word of each topic, by plain loops over classes."""
    classes = {word: times.bit_length() for word, times in frequencies.items()}  # 0: not there
    expected = []
    for t, topic in enumerate(topics):
        others = [[w for w in other if w not in topic] for s, other in enumerate(topics) if s != t]
        others = [other for other in others if other]
        likely: dict[str, float] = {}
        for other in others:
            for word in other:
                if classes[word]:
                    likely[word] = likely.get(word, 0) + 1 / len(others) / len(other)
        wanted = [classes[word] for word in topic if classes[word]] if likely else []
        value = 0.0
        for one in wanted:
            near = min({classes[word] for word in likely}, key=lambda c: (abs(c - one), c))
            those = {word: p for word, p in likely.items() if classes[word] == near}
            for word, p in those.items():
                cosines = [np.dot(ROUND[word], ROUND[own]) for own in topic]
                value += p / sum(those.values()) * sum(cosines) / len(cosines) / len(wanted)
        expected.append(value if wanted else math.nan)
    return expected


@settings(max_examples=40)
@given(
    st.lists(st.lists(st.sampled_from(sorted(ROUND)), min_size=1, max_size=4, unique=True),
             min_size=1, max_size=4),
    st.fixed_dictionaries(dict.fromkeys(ROUND, st.integers(0, 20))),
)  # fmt: skip
def test_matched_intruders_by_plain_loops(topics: Lists, frequencies: dict[str, int]) -> None:
    scores = tealeaves.score(topics, texts_of(frequencies), MATCHED, embeddings=ROUND)
    expected = slow_matched_scores(topics, frequencies)
    assert [value for value, _ in values_and_support(scores)] == pytest.approx(
        expected, abs=1e-6, nan_ok=True
    )
    assert all((support > 0) == (value == value) for value, support in values_and_support(scores))


def test_matched_draws_approach_the_expectation() -> None:
    texts = texts_of(FREQUENCIES)
    exact = tealeaves.score(MATCHED_TOPICS, texts, MATCHED, embeddings=ROUND)
    spec = "isim(draws=20000, intruders=matched)"
    drawn = tealeaves.score(MATCHED_TOPICS, texts, spec, embeddings=ROUND)
    for one, other in zip(exact, drawn, strict=True):
        assert other.error is not None
        assert abs(one.value - other.value) < 4 * other.error


def test_counts_replace_texts(tmp_path: Path) -> None:
    texts, pipeline = texts_of(FREQUENCIES), Pipeline.parse("words")
    model = Topics.of(MATCHED_TOPICS)
    requests = count_requests([model], [metric(MATCHED)], Wording(pipeline))
    counts = count_corpus(Corpus.of(texts), pipeline, requests)
    expected = tealeaves.score(MATCHED_TOPICS, texts, MATCHED, embeddings=ROUND)
    scores = tealeaves.score(MATCHED_TOPICS, None, MATCHED, counts=counts, embeddings=ROUND)
    assert values_and_support(scores) == values_and_support(expected)
    save_counts(counts, tmp_path / "words.counts")
    path = tmp_path / "words.counts"
    scores = tealeaves.score(MATCHED_TOPICS, None, MATCHED, counts=path, embeddings=ROUND)
    assert values_and_support(scores) == values_and_support(expected)


def test_the_vocabulary_may_be_a_list() -> None:
    words = list(ROUND)
    model = Topics.of(MATCHED_TOPICS, vocabulary=words, topic_word=np.full((2, 6), 1 / 6))
    texts = texts_of(FREQUENCIES)
    listed, plain = (
        values_and_support(tealeaves.score(topics, texts, MATCHED, embeddings=ROUND))
        for topics in (model, MATCHED_TOPICS)
    )
    assert listed == plain


def test_matching_needs_texts() -> None:
    with pytest.raises(InputError, match=r"needs texts: give a corpus \(--corpus\) or counts"):
        tealeaves.score(MATCHED_TOPICS, None, MATCHED, embeddings=ROUND)
    assert metric(MATCHED).source == "vectors of words, document counts"
    assert metric("isim").source == "vectors of words"


# ---------------------------------------------------------------------- little to say


@pytest.mark.parametrize("name", THREE)
@pytest.mark.parametrize("draws", ["", "(draws=10)", "(compat=stream)"])
def test_a_single_topic_has_no_intruders(name: str, draws: str) -> None:
    scores = tealeaves.score([["a", "b", "c"]], None, name + draws, embeddings=ROUND)
    assert all(math.isnan(row.value) and row.support == 0 for row in scores)
    assert len(scores) == 2
    [note] = [note for note in scores.notes if "have no" in note]
    assert note == (
        f"model: 1 of 1 topics have no {metric(name + draws)!r}, because there is no other topic "
        "that a word could intrude from: 0"
    )


def test_a_word_alone_has_no_partner() -> None:
    scores = tealeaves.score(MATCHED_TOPICS, None, "int@1", embeddings=ROUND)
    [note] = [note for note in scores.notes if "have no" in note]
    assert "because it compares 2 words or more" in note


@pytest.mark.parametrize("name", THREE)
def test_topics_of_the_same_words_have_no_intruders(name: str) -> None:
    scores = tealeaves.score([["a", "b"], ["b", "a"], ["c"]], None, name, embeddings=ROUND)
    # only the third topic has intruders for the first two, and only they for it
    assert [support for _, support in values_and_support(scores)] == [
        1.0,
        1.0,
        float(name != "int"),
    ]
    alike = tealeaves.score([["a", "b"], ["b", "a"]], None, name, embeddings=ROUND)
    assert all(math.isnan(value) and support == 0 for value, support in values_and_support(alike))
    # STREAM draws the topic's own words then: each is 1 and cos 90° = 0 to the two
    own = tealeaves.score([["a", "b"], ["b", "a"]], None, "isim(compat=stream)", embeddings=ROUND)
    assert values_and_support(own) == [(pytest.approx(0.5), 1.0)] * 2


def test_fewer_words_than_asked_for_lower_the_support() -> None:
    topics = [["a", "b"], ["c", "xxx", "d"]]
    scores = tealeaves.score(topics, None, "isim@4", embeddings=ROUND)
    # of 4 words there are 2; of their intruders c, xxx and d two thirds have a vector. Of the
    # second topic's 4 words 2 have one, all of their intruders do
    assert [support for _, support in values_and_support(scores)] == pytest.approx(
        [2 / 4 * 2 / 3, 2 / 4]
    )
    assert scores.value("model", "isim@4") == pytest.approx(
        ((0.5 + COS_30 - 1 + 0) / 4 + (0.5 - 1 + COS_30 + 0) / 4) / 2, abs=1e-6
    )
    assert "model: no vector in given: xxx" in scores.notes


@pytest.mark.parametrize("name", THREE)
@pytest.mark.parametrize("nothing", [{}, {"a": (0.0, 0.0), "b": (math.nan, 1.0)}])
def test_no_vectors_at_all(name: str, nothing: dict[str, tuple[float, float]]) -> None:
    scores = tealeaves.score([["a", "b"], ["c", "d"]], None, name, embeddings=nothing)
    assert all(math.isnan(row.value) and row.support == 0 for row in scores)
    assert "model: no vector in given: a, b, c, d" in scores.notes


@pytest.mark.parametrize("bad", [(0.0, 0.0), (math.nan, 1.0), (math.inf, 1.0)])
def test_vectors_without_a_direction_are_none(bad: tuple[float, float]) -> None:
    topics = [["a", "b", "bad"], ["c", "e"]]
    whole = tealeaves.score([["a", "b"], ["c", "e"]], None, list(THREE), embeddings=ROUND)
    scores = tealeaves.score(topics, None, list(THREE), embeddings=ROUND | {"bad": bad})
    assert [v for v, _ in values_and_support(scores)] == pytest.approx(
        [v for v, _ in values_and_support(whole)]
    )
    assert {support for _, support in values_and_support(scores)} == {2 / 3}


def test_topics_of_one_word() -> None:
    scores = tealeaves.score([["a"], ["c"]], None, list(THREE), embeddings=ROUND)
    # cos 60° both ways; a word alone has no partner; replaced, it has become the intruder
    for topic in (0, 1):
        assert scores.value("model", "isim", topic) == pytest.approx(0.5, abs=1e-6)
        assert math.isnan(scores.value("model", "int", topic))
        assert scores.value("model", "ish", topic) == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("seed", range(8))
def test_words_that_cancel_out_have_no_centroid_to_shift(seed: int) -> None:
    # only rounding is left of the sum of three words
    one, two, other = np.random.default_rng(seed).normal(size=(3, 4))
    points = {"a": one, "b": two, "c": -(one + two), "d": other}
    specs = ["ish", "ish(compat=stream)", "ish(draws=5)"]
    scores = tealeaves.score([["a", "b", "c"], ["d", "b"]], None, specs, embeddings=points)
    for spec in specs:
        assert math.isnan(scores.value("model", spec, 0))
        assert not math.isnan(scores.value("model", spec, 1))


@pytest.mark.parametrize("seed", range(8))
def test_rounding_breaks_no_tie(seed: int) -> None:
    # the intruder has the direction of the second word: to the first both are equal, and the
    # second finds the first less similar
    one, two = np.random.default_rng(seed).normal(size=(2, 4))
    points = {"a": one, "b": two, "c": two * 0.3, "d": two * 7.1}
    topics = [["a", "b"], ["c"], ["d"]]
    scores = tealeaves.score(topics, None, "int int(compat=stream)", embeddings=points)
    assert scores.value("model", "int", 0) == 0
    assert scores.value("model", "int(compat=stream)", 0) == 0.5


def test_an_intruder_that_leaves_nothing_is_left_out() -> None:
    points = {"east": (1, 0), "up": (1, 1), "west": (-1, 0), "north": (0, 1)}
    scores = tealeaves.score([["east", "up"], ["west", "north"]], None, "ish", embeddings=points)
    # the sum (2, 1) becomes (0, 1) by west for east, nothing by west for up, (1, 2) by north for
    # east, (1, 1) by north for up: three of four
    expected = (1 / math.sqrt(5) + 4 / 5 + 3 / math.sqrt(10)) / 3
    assert values_and_support(scores)[0] == (
        pytest.approx(expected, abs=1e-6),
        pytest.approx(3 / 4),
    )
