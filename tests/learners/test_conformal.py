"""Intervals over languages: by hand, by an independent count, and by their coverage."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.learners.conformal import Conformal, thinned


def test_by_hand() -> None:
    """Residuals of ro are 1, 2, 3, 4 (1/12 each of its 1/3), of sv 10 (1/3); 1/3 is at infinity.

    So 1/4 is reached by the third (3/12), .3 by the fourth, 1/3 too; more than 1/3 needs sv, up to
    2/3; beyond there is no interval.
    """
    found = Conformal.of([1, -2, 3, -4, 10], ["ro"] * 4 + ["sv"], [10] * 5)
    assert 1 - 1 / 3 > 2 / 3  # by a bit
    levels = [0.08, 0.25, 0.3, 1 / 3, 0.34, 2 / 3, 1 - 1 / 3, 0.67]
    widths = [found.half_width(level, 10) for level in levels]
    assert widths == [1.0, 3.0, 4.0, 4.0, 10.0, 10.0, 10.0, np.inf]


@pytest.mark.parametrize(("level", "needed"), [(0.5, 1), (0.8, 4), (0.9, 9), (0.95, 19)])
def test_a_level_needs_enough_languages(level: float, needed: int) -> None:
    def width(languages: int) -> float:
        names = [f"l{k}" for k in range(languages)]
        return Conformal.of(np.ones(languages), names, [10] * languages).half_width(level, 10)

    assert width(needed) == 1.0
    assert width(needed - 1) == np.inf


@given(
    st.lists(st.lists(st.integers(0, 20), min_size=1, max_size=7), min_size=1, max_size=6),
    st.integers(1, 99),
)
@example([[1, 2, 3, 4, 5, 6], [9], [9]], 25)  # six times 1/6 adds up to less than 1
def test_it_is_the_quantile_of_the_mixture(residuals: list[list[int]], percent: int) -> None:
    """Counted with fractions: the least residual that enough of the mass does not exceed."""
    level = Fraction(percent, 100)
    wanted = np.inf
    for value in sorted({error for own in residuals for error in own}, reverse=True):
        shares = [Fraction(sum(error <= value for error in own), len(own)) for own in residuals]
        if sum(shares) / (len(residuals) + 1) >= level:
            wanted = value
    names = [f"l{k}" for k, own in enumerate(residuals) for _ in own]
    flat = [float(error) for own in residuals for error in own]
    assert Conformal.of(flat, names, [5] * len(flat)).half_width(percent / 100, 5) == wanted


@given(st.lists(st.floats(0, 100), min_size=1, max_size=60), st.integers(1, 12), st.floats(0, 100))
def test_thinning_never_narrows(errors: list[float], most: int, at: float) -> None:
    """At no value is a larger share of the thinned errors below it than of all."""
    kept = np.array(thinned(np.array(errors), most))
    assert len(kept) == min(most, len(errors))
    assert max(errors) <= kept.max() <= max(errors) + 1e-5
    assert np.mean(kept <= at) <= np.mean(np.array(errors) <= at) + 1e-12


def test_many_residuals_are_thinned() -> None:
    found = Conformal.of(np.arange(1000.0), ["ro"] * 1000, [10] * 1000)
    assert found.residuals[0][0][:2] == [19.0, 39.0]
    assert len(found.residuals[0][0]) == 50
    assert found.half_width(0.5, 10) == 999.0


def test_the_nearest_cardinality_serves() -> None:
    """Of 5 and 20, 12 is nearer to 5 and 13 to 20; 15 is as near to 10 as to 20: the lower."""
    found = Conformal.of([1, 1, 3, 3], ["ro", "sv", "ro", "sv"], [5, 5, 20, 20])
    assert [found.half_width(0.5, size) for size in (1, 12, 13, 100)] == [1.0, 1.0, 3.0, 3.0]
    tie = Conformal.of([1, 3], ["ro", "ro"], [10, 20])
    assert tie.half_width(0.5, 15) == 1.0


def test_a_language_without_the_cardinality_does_not_count() -> None:
    found = Conformal.of([1, 2, 3], ["ro", "sv", "sv"], [10, 10, 20])
    assert found.residuals == [[[1.0], []], [[2.0], [3.0]]]
    assert found.half_width(0.6, 10) == 2.0
    assert found.half_width(0.6, 20) == np.inf  # one language reaches 1/2


def test_undefined_residuals_are_left_out() -> None:
    found = Conformal.of([1, np.nan, np.nan], ["ro", "ro", "sv"], [10, 10, 10])
    assert (found.languages, found.residuals) == (["ro"], [[[1.0]]])
    none = Conformal.of([], [], [])
    assert none.half_width(0.1, 10) == np.inf


@pytest.mark.parametrize("level", [0.5, 0.8])
def test_new_languages_are_covered(level: float) -> None:
    """Languages differ much in how far off predictions are; a new one is covered at the level.

    Exchangeable languages, 9 known and 1 new, 60 topics each; 1,000 times. The share covered is
    at least the level (less three standard errors), and at most 1/10 + a little above it.
    """
    rng = np.random.default_rng(0)
    shares = np.empty(1000)
    for k in range(len(shares)):
        scales = rng.gamma(1.0, size=(10, 1))
        errors = scales * np.abs(rng.normal(size=(10, 60)))
        known = Conformal(
            languages=[f"l{n}" for n in range(9)],
            cardinalities=[10],
            residuals=[[thinned(own)] for own in errors[:9]],
        )
        shares[k] = np.mean(errors[9] <= known.half_width(level, 10))
    error = shares.std() / np.sqrt(len(shares))
    assert level - 3 * error <= shares.mean() <= level + 0.13


def test_json_gives_the_same_back() -> None:
    rng = np.random.default_rng(1)
    found = Conformal.of(rng.normal(size=300), ["ro", "sv", "tl"] * 100, [5, 10] * 150)
    again = msgspec.json.decode(msgspec.json.encode(found), type=Conformal)
    assert again == found
    assert again.half_width(0.7, 10) == found.half_width(0.7, 10) < np.inf


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ({"languages": ["ro", "ro"]}, "one is there twice"),
        ({"cardinalities": [20, 10]}, "cardinalities: not sorted"),
        ({"residuals": [[[1.0], [2.0]]]}, "of 1 languages, not 2"),
        ({"residuals": [[[1.0], [2.0]], [[1.0]]]}, "residuals of sv: of 1 cardinalities, not 2"),
        ({"residuals": [[[2.0, 1.0], []], [[], []]]}, "residuals of ro: not all are sorted"),
        ({"residuals": [[[], []], [[float("nan")], []]]}, "residuals of sv"),
        ({"residuals": [[[-1.0], []], [[], []]]}, "residuals of ro"),
    ],
)
def test_damaged_intervals_are_refused(damage: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {
        "languages": ["ro", "sv"],
        "cardinalities": [10, 20],
        "residuals": [[[1.0], []], [[2.0], [0.5, 3.0]]],
    }
    Conformal(**good)
    with pytest.raises(InputError, match=message):
        Conformal(**(good | damage))


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(InputError, match="2 residuals, 1 languages and 2 cardinalities"):
        Conformal.of([1, 2], ["ro"], [10, 10])
    for level in (0.0, 1.0, 95.0):
        with pytest.raises(InputError, match=f"^level must be between 0 and 1, not {level}$"):
            Conformal.of([1], ["ro"], [10]).half_width(level, 10)
