"""The predictors that come with tealeaves, and files of predictors."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from tealeaves import Embeddings, demo
from tealeaves.consensus.predictors import (
    BANDS,
    EMBEDDINGS,
    HIGHEST_LEVEL,
    PERCENTILES,
    EmbeddingScale,
    Predictor,
    Predictors,
    all_parts,
    in_order,
    open_predictors,
)
from tealeaves.consensus.relations import Moments, moments_of_cosines
from tealeaves.consensus.signals import FREE, names_of
from tealeaves.errors import InputError
from tealeaves.evidence.embeddings.catalogue import NAMED_EMBEDDINGS
from tealeaves.learners.results import LEVEL

SHIPPED = open_predictors()
EACH = [pytest.param(predictor, id="+".join(predictor.parts)) for predictor in SHIPPED.predictors]


# ---------------------------------------------------------------------- those of tealeaves


def test_there_is_one_for_each_kind_of_evidence() -> None:
    """Two texts or fewer, and five ways to have vectors, but not nothing at all."""
    assert len(all_parts()) == 4 * 5 - 1
    assert sorted(predictor.parts for predictor in SHIPPED.predictors) == sorted(
        p for p, _ in all_parts()
    )
    assert all(SHIPPED.of_parts(reversed(parts)).parts == parts for parts, _ in all_parts())


def test_parts_have_an_order() -> None:
    assert in_order(["length", "vectors", "corpus"]) == ("corpus", "vectors", "length")
    with pytest.raises(InputError, match=r"^no predictor for several$"):
        SHIPPED.of_parts(["several"])
    with pytest.raises(InputError, match=r"^no predictor for nothing$"):
        SHIPPED.of_parts([])


def drawn(predictor: Predictor, seed: int = 0, size: int = 200) -> np.ndarray:
    """Return signals from a little below what training saw to a little above."""
    rng = np.random.default_rng(seed)
    low = np.array([line.lowest for line in predictor.model.lines])
    high = np.array([line.highest for line in predictor.model.lines])
    return np.asarray(low + (high - low) * rng.uniform(-0.1, 1.1, size=(size, len(low))))


@pytest.mark.parametrize("predictor", EACH)
class TestEachPredictor:
    def test_reads_the_signals_of_its_parts(self, predictor: Predictor) -> None:
        assert predictor.model.signals == names_of(predictor.parts)
        assert [len(band) for band in predictor.errors] == [len(PERCENTILES)] * len(BANDS)

    def test_more_of_a_signal_is_never_worse(self, predictor: Predictor) -> None:
        low = drawn(predictor)
        rng = np.random.default_rng(1)
        rising = np.array([name not in FREE for name in predictor.model.signals])
        high = low + rng.exponential(0.2, size=low.shape) * rising
        assert (predictor.model.predict(high) >= predictor.model.predict(low)).all()
        assert all(
            min(line.slopes) >= 0 for line in predictor.model.lines if line.signal not in FREE
        )

    def test_tells_topics_apart(self, predictor: Predictor) -> None:
        predicted = predictor.model.predict(drawn(predictor))
        assert ((predicted >= 0) & (predicted <= 1)).all()
        assert predicted.std() > 0.05
        best, worst = (
            predictor.model.predict(
                np.array([[getattr(line, end) for line in predictor.model.lines]])
            )
            for end in ("highest", "lowest")
        )
        assert best > 0.7 > 0.5 > worst

    def test_intervals_lie_within_each_other(self, predictor: Predictor) -> None:
        values = np.linspace(0, 1, 11)
        edges = [predictor.interval(values, level) for level in (0.1, 0.5, 0.8, 0.9, 0.98)]
        for (low, high), (lower, higher) in pairwise(edges):
            assert (lower <= low).all()
            assert (high <= higher).all()
        low, high = edges[-1]
        assert (low <= values).all()
        assert (values <= high).all()
        assert low.min() == 0
        assert high.max() == 1

    def test_its_errors_are_about_nothing_in_the_middle(self, predictor: Predictor) -> None:
        """Nearly every topic is within a half; of average ones, one in ten is off by .2 or more."""
        errors = dict(zip(BANDS, predictor.errors, strict=True))
        middle, low, high = (PERCENTILES.index(one) for one in (50, 5, 95))
        assert all(abs(band[middle]) < 0.1 for band in predictor.errors)
        assert -0.5 < errors[0.5][low] < -0.15 < 0.15 < errors[0.5][high] < 0.5

    def test_very_good_and_very_bad_topics_have_smaller_errors(self, predictor: Predictor) -> None:
        low, high = predictor.interval(np.array([0.1, 0.5, 0.9]))
        width = high - low
        assert width[1] > width[0]
        assert width[1] > width[2]


# ---------------------------------------------------------------------- intervals


def evenly(wide: float) -> tuple[float, ...]:
    """Return percentiles of errors that are evenly spread, from -wide to wide."""
    return tuple(wide * (percentile - 50) / 50 for percentile in PERCENTILES)


def predictor_with(*wides: float) -> Predictor:
    """Return a predictor whose errors are so wide in each band."""
    errors = tuple(evenly(wide) for wide in wides)
    return Predictor(parts=("corpus",), model=SHIPPED.of_parts(["corpus"]).model, errors=errors)


def test_bands_and_percentiles_are_those_of_files() -> None:
    assert list(BANDS) == [0.1, 0.3, 0.5, 0.7, 0.9]
    assert list(PERCENTILES) == [1, 2.5, 5, 10, 25, 50, 75, 90, 95, 97.5, 99]
    assert [LEVEL, HIGHEST_LEVEL] == [0.9, 0.98]


def test_an_interval_by_hand() -> None:
    """Errors are the same everywhere: their percentile p is (p - 50) / 100."""
    predictor = predictor_with(*[0.5] * 5)
    low, high = predictor.interval(np.array([0.5, 0.1, 0.95]), 0.5)
    assert low == pytest.approx([0.25, 0, 0.7])
    assert high == pytest.approx([0.75, 0.35, 1])
    low, high = predictor.interval(np.array([0.5]))  # of .9: 5 and 95
    assert [low[0], high[0]] == pytest.approx([0.05, 0.95])


def test_between_percentiles_it_goes_straight() -> None:
    """A level of .6 is from the percentile 20, two thirds of the way from 10 to 25."""
    band = (-0.5, -0.45, -0.4, -0.3, 0.0, 0.0, 0.0, 0.2, 0.3, 0.3, 0.3)
    predictor = Predictor(
        parts=("corpus",), model=predictor_with(*[0] * 5).model, errors=(band,) * 5
    )
    low, high = predictor.interval(np.array([0.5]), 0.6)
    assert [low[0], high[0]] == pytest.approx([0.5 - 0.3 / 3, 0.5 + 0.2 / 3])
    low, high = predictor.interval(np.array([0.6]), 0.98)
    assert [low[0], high[0]] == pytest.approx([0.1, 0.9])


@pytest.mark.parametrize(
    ("value", "wide"),
    [
        (0.5, 0.3),
        (0.3, 0.2),
        (0.4, 0.25),  # half the way between two bands
        (0.55, 0.3 - 0.25 * 0.2),
        (0.7, 0.1),
        (0.85, 0.1 - 0.75 * 0.05),
        (0.9, 0.05),
        (0.97, 0.05),  # beyond the last band, and before the first, as in these
        (0.1, 0.08),
        (0.07, 0.08),
    ],
)
def test_between_bands_it_goes_straight(value: float, wide: float) -> None:
    predictor = predictor_with(0.08, 0.2, 0.3, 0.1, 0.05)
    low, high = predictor.interval(np.array([value]), 0.5)
    assert [low[0], high[0]] == pytest.approx([value - wide / 2, value + wide / 2])


def test_it_is_wider_in_the_middle_where_errors_are() -> None:
    values = np.linspace(0.3, 0.7, 9)
    low, high = predictor_with(0.1, 0.2, 0.3, 0.2, 0.1).interval(values, 0.5)
    assert (np.diff(high - low)[:4] > 0).all()
    assert (np.diff(high - low)[4:] < 0).all()


@pytest.mark.parametrize("level", [0.0, -0.5, 0.99, 1.0, 90.0, float("nan")])
def test_levels_that_cannot_be_known_are_refused(level: float) -> None:
    with pytest.raises(InputError, match=r"above 0, and at most 0\.98"):
        SHIPPED.predictors[0].interval(np.array([0.5]), level)


# ---------------------------------------------------------------------- what they know


def test_an_embedding_is_known_by_its_weights() -> None:
    for name in EMBEDDINGS:
        known = SHIPPED.embeddings[name]
        assert SHIPPED.scale_of(name, known.weights) is known
        assert SHIPPED.scale_of(name, "") is None
        assert SHIPPED.scale_of(name, known.weights[:-1] + "x") is None
        assert SHIPPED.scale_of("other", known.weights) is None
        assert known.cosines.deviation > 0
    one, other = (SHIPPED.embeddings[name].weights for name in EMBEDDINGS)
    assert one != other


def test_it_knows_the_scales_of_all_that_have_a_name() -> None:
    assert set(SHIPPED.embeddings) == set(NAMED_EMBEDDINGS)
    for name, known in SHIPPED.embeddings.items():
        assert (known.lengths is not None) == (name in EMBEDDINGS)
        assert -0.05 < known.cosines.mean < 0.3


@pytest.mark.parametrize("name", NAMED_EMBEDDINGS)
def test_it_knows_the_weights_that_are_installed(name: str) -> None:
    if not NAMED_EMBEDDINGS[name].installed:
        pytest.skip(f"{name} is not installed")
    known = SHIPPED.embeddings[name]
    assert SHIPPED.scale_of(name, NAMED_EMBEDDINGS[name].embedder().fingerprint) is known


@pytest.mark.parametrize("name", ["minilm_static", "wordllama", "glove"])
def test_the_scales_are_about_those_of_usual_words(name: str) -> None:
    """Words of topics are a little nearer to each other than any words are."""
    if not NAMED_EMBEDDINGS[name].installed:
        pytest.skip(f"{name} is not installed")
    words = sorted(
        {word for model in demo.models() for topic in model.topics for word in topic.words}
    )
    found = moments_of_cosines(Embeddings.of(name).vectors([], further=words), words)
    known = SHIPPED.embeddings[name].cosines
    assert found is not None
    assert abs(found.mean - known.mean) < known.deviation
    assert 0.5 < found.deviation / known.deviation < 2


# ---------------------------------------------------------------------- files


def small() -> Predictors:
    scale = EmbeddingScale("0123", Moments(0.1, 0.2), Moments(3.0, 1.5))
    return Predictors(
        source="made up", embeddings={"toy": scale}, predictors=SHIPPED.predictors[:2]
    )


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "predictors.json"
    small().save(path)
    again = open_predictors(str(path))
    assert again == small()
    assert again.signature == small().signature
    assert repr(again) == "Predictors(2: made up)"
    values = drawn(again.predictors[0])
    before, after = (one.predictors[0].model.predict(values).tobytes() for one in (small(), again))
    assert before == after


def test_the_signature_changes_with_what_is_in_them() -> None:
    one = small()
    predictor = one.predictors[0]
    first = (predictor.errors[0][0] - 0.001, *predictor.errors[0][1:])
    errors = (first, *predictor.errors[1:])
    others = [
        msgspec.structs.replace(one, source="made up again"),
        msgspec.structs.replace(one, predictors=one.predictors[:1]),
        msgspec.structs.replace(
            one, predictors=(msgspec.structs.replace(predictor, errors=errors), one.predictors[1])
        ),
        msgspec.structs.replace(
            one, embeddings={"toy": EmbeddingScale("0123", Moments(0.1, 0.21), Moments(3.0, 1.5))}
        ),
    ]
    assert len({other.signature for other in [one, *others]}) == 5
    assert small().signature == one.signature


def whole() -> Any:
    """Return what a file of predictors holds, to be damaged."""
    return msgspec.json.decode(msgspec.json.encode(small()))


def _put(value: Any, *place: Any) -> Callable[[Any], None]:
    """Return what puts a value at a place of the file."""

    def change(found: Any) -> None:
        for step in place[:-1]:
            found = found[step]
        found[place[-1]] = value

    return change


def _at(name: str, *place: Any) -> Callable[[Any], None]:
    """Return what calls a method of a list of the file: pop, reverse."""

    def change(found: Any) -> None:
        for step in place:
            found = found[step]
        getattr(found, name)()

    return change


FIRST = ("judges", 0)
LINES = (*FIRST, "model", "lines")
LINE = (*LINES, 0)
NOT_A_FILE, DAMAGED = "not a file of predictors", "damaged: the predictor for vectors"
INCOMPLETE = "not a complete file of predictors: "
NO_FLOAT = "damaged: Expected `float`"
DAMAGES = {
    "another format": (_put("tealeaves-estimator", "format"), NOT_A_FILE),
    "a format that is no word": (_put(1, "format"), INCOMPLETE + "Expected `str`"),
    "something more": (_put(1, "something"), "damaged: Object contains unknown field"),
    "no judges": (_put(None, "judges"), "damaged: Expected `array`"),
    "a word for a number": (_put("much", *FIRST, "model", "average"), NO_FLOAT),
    "no number": (_put(None, *LINE, "slopes", 0), NO_FLOAT),
    "three knots": (_put([0.1, 0.2, 0.3], *LINE, "knots"), "damaged: Expected `array` of length 2"),
    "knots the wrong way round": (_at("reverse", *LINE, "knots"), DAMAGED),
    "ends the wrong way round": (_put(-9.0, *LINE, "highest"), DAMAGED),
    "a signal is missing": (_at("pop", *LINES), DAMAGED),
    "another signal": (_put("vectors.middle", *LINE, "signal"), DAMAGED),
    "signals in another order": (_at("reverse", *LINES), DAMAGED),
    "another part": (_put(["vectors", "corpus"], *FIRST, "parts"), DAMAGED),
    "a part twice": (_put(["vectors", "vectors"], *FIRST, "parts"), DAMAGED),
    "a band is missing": (_at("pop", *FIRST, "errors"), DAMAGED),
    "an error is missing": (_at("pop", *FIRST, "errors", 3), DAMAGED),
    "errors in another order": (_at("reverse", *FIRST, "errors", 3), DAMAGED),
    "errors of no bands": (_put([0.0] * 5, *FIRST, "errors"), "damaged: Expected `array`"),
    "no deviation of cosines": (
        _put(0.0, "embeddings", "toy", "cosines", "deviation"),
        "damaged: the embedding toy",
    ),
    "a deviation of lengths below 0": (
        _put(-1.0, "embeddings", "toy", "lengths", "deviation"),
        "damaged: the embedding toy",
    ),
}


def refused(path: Path) -> str:
    with pytest.raises(InputError) as error:
        open_predictors(str(path))
    said = str(error.value)
    assert said.startswith(f"{path}: ")
    assert "\n" not in said
    return said


@pytest.mark.parametrize("change", DAMAGES)
def test_damaged_files_are_refused(change: str, tmp_path: Path) -> None:
    path = tmp_path / "predictors.json"
    damage, said = DAMAGES[change]
    found = whole()
    damage(found)
    path.write_bytes(msgspec.json.encode(found))
    assert said in refused(path)


def test_what_is_not_damaged_is_not_refused(tmp_path: Path) -> None:
    path = tmp_path / "predictors.json"
    path.write_bytes(msgspec.json.encode(whole()))
    assert open_predictors(str(path)) == small()


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff\xfe{}", b"null", b"[" * 100_000, b'{"format": "\xff"}']
)
def test_what_is_no_json_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "predictors.json"
    path.write_bytes(content)
    assert INCOMPLETE in refused(path)


def test_a_file_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "predictors.json"
    small().save(path)
    path.write_bytes(path.read_bytes()[:-200])
    assert INCOMPLETE in refused(path)


def test_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "predictors.json"
    path.write_bytes(msgspec.json.encode(whole() | {"version": 2, "made_with": "9.9", "new": []}))
    said = refused(path)
    assert "file version 2, made with tealeaves 9.9" in said
    assert "reads version 1" in said


def test_no_such_file(tmp_path: Path) -> None:
    assert "no such file of predictors" in refused(tmp_path / "none.json")
    assert "a folder, not a file of predictors" in refused(tmp_path)
