"""Settings are chosen by languages that were held out whole."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.arrays import Floats
from tealeaves.catalogue import Catalogue
from tealeaves.errors import InputError
from tealeaves.estimator import cross_validation
from tealeaves.estimator.cross_validation import choose, language_folds
from tealeaves.learners.base import Fitted
from tealeaves.learners.catalogue import LEARNERS, AnyFitted, Learner


class Constant(Fitted, frozen=True, tag="constant", kw_only=True):
    """Says the mean target of what it was fitted to, times a factor."""

    value: float

    @property
    def width(self) -> int:
        return 1

    def _predicted(self, rows: Floats) -> Floats:
        return np.full(len(rows), self.value)


def fit_constant(rows: Floats, y: Floats, *, factor: float, seed: int = 0) -> Any:
    return Constant(value=factor * float(y.mean()))


@pytest.fixture
def constant(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = tuple({"factor": factor} for factor in (0.0, 1.0, 2.0))
    kind = Learner("constant", "", "", fit_constant, grid)
    monkeypatch.setattr(cross_validation, "LEARNERS", Catalogue("learner", lambda: [kind]))


@pytest.mark.usefixtures("constant")
def test_errors_are_means_over_languages_not_over_rows() -> None:
    """Three languages, three folds. ro: 1, 1, 1, 1 (four rows); sv: 2, 2; tl: 3, 5.

    Factor 1 predicts ro by the mean of sv and tl (2 + 2 + 3 + 5) / 4 = 3: error 4; sv by
    (4 + 8) / 6 = 2: error 0; tl by (4 + 4) / 6 = 4/3: errors (5/3)^2 and (11/3)^2, mean 73/9.
    Mean over languages (4 + 0 + 73/9) / 3 = 109/27. Factor 0: (1 + 4 + 17) / 3 = 22/3.
    Factor 2: ro 6, 25; sv 4, 4; tl 8/3: (1/9 + 49/9) / 2 = 25/9; (29 + 25/9) / 3 = 286/27.
    """
    languages = ["ro"] * 4 + ["sv"] * 2 + ["tl"] * 2
    targets = np.array([1.0, 1, 1, 1, 2, 2, 3, 5])
    chosen = choose("constant", np.zeros((8, 1)), targets, languages)
    assert [settings["factor"] for settings, _ in chosen.scores] == [0.0, 1.0, 2.0]
    np.testing.assert_allclose([e for _, e in chosen.scores], [22 / 3, 109 / 27, 286 / 27])
    assert chosen.settings == {"factor": 1.0}
    fitted: Fitted = chosen.fitted
    assert fitted == Constant(value=2.0)  # of all eight rows: 16 / 8


@pytest.mark.usefixtures("constant")
def test_rows_of_the_same_texts_do_not_tell_of_each_other() -> None:
    """ro: 1 of the texts a, 3 of b; sv: 5 of a, 7 of b. Each row is told by the other texts.

    Factor 1 predicts ro by 7 and 5: errors 36 and 4; sv by 3 and 1: 4 and 36. Mean 20.
    Factor 0: (1 + 9) / 2 and (25 + 49) / 2, mean 21. Factor 2: ro by 14 and 10: 169 and 49;
    sv by 6 and 2: 1 and 25; mean (109 + 13) / 2 = 61.
    Where all is shared, or nothing known, languages alone are held out: ro by 6, sv by 2, times
    the factor. Factor 1: (25 + 9) / 2 twice, 17. Factor 2: (121 + 81) / 2 and (1 + 9) / 2, 53.
    """
    languages, targets = ["ro", "ro", "sv", "sv"], np.array([1.0, 3, 5, 7])

    def errors(texts: list[str] | None) -> list[float]:
        chosen = choose("constant", np.zeros((4, 1)), targets, languages, texts)
        return [error for _, error in chosen.scores]

    np.testing.assert_allclose(errors(["a", "b", "a", "b"]), [21, 20, 61])
    np.testing.assert_allclose(errors(["a+c", "b", "a", "b+d"]), [21, 20, 61])
    for nothing in (None, [""] * 4, ["a"] * 4, ["a", "b", "c", "d"]):
        np.testing.assert_allclose(errors(nothing), [21, 17, 53])


@pytest.mark.usefixtures("constant")
def test_the_first_of_equals_is_chosen() -> None:
    chosen = choose("constant", np.zeros((4, 1)), np.zeros(4), ["ro", "ro", "sv", "sv"])
    assert chosen.settings == {"factor": 0.0}


@pytest.mark.usefixtures("constant")
def test_of_many_rows_some_choose_and_all_are_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def fit(rows: Floats, y: Floats, *, factor: float, seed: int = 0) -> Any:
        seen.append(len(y))
        return fit_constant(rows, y, factor=factor)

    kind = Learner("constant", "", "", fit, ({"factor": 1.0},))
    monkeypatch.setattr(cross_validation, "LEARNERS", Catalogue("learner", lambda: [kind]))
    languages = ["ro"] * 600 + ["sv"] * 300 + ["tl"] * 2
    targets = np.arange(902.0)
    choose("constant", np.zeros((902, 1)), targets, languages, most=451)
    # half of each language, but never fewer than two rows
    assert sorted(seen) == [152, 302, 450, 902]


def test_scores_are_those_of_scikit_learn() -> None:
    from sklearn.ensemble import AdaBoostRegressor
    from sklearn.linear_model import LinearRegression

    rng = np.random.default_rng(0)
    spoken = np.repeat(["am", "ro", "sv", "tl"], 25)
    rows = rng.normal(size=(100, 3))
    targets = rows[:, 0] + np.abs(rows[:, 1]) + rng.normal(size=100)
    chosen = choose("adaboost", rows, targets, spoken.tolist(), seed=5)
    for settings, score in chosen.scores[::4]:
        errors = []
        for held in language_folds(spoken.tolist(), 3, 5):
            kept = ~np.isin(spoken, held)
            theirs = AdaBoostRegressor(LinearRegression(), random_state=5, **settings)
            theirs.fit(rows[kept], targets[kept])
            for name in held:
                said = theirs.predict(rows[spoken == name])
                errors.append(np.mean((said - targets[spoken == name]) ** 2))
        np.testing.assert_allclose(score, np.mean(errors), atol=1e-9)
    assert chosen.settings == min(chosen.scores, key=lambda pair: pair[1])[0]


@given(st.lists(st.sampled_from("abcdefgh"), min_size=2), st.integers(2, 5), st.integers(0, 9))
def test_folds_part_the_languages(languages: list[str], folds: int, seed: int) -> None:
    names = sorted(set(languages))
    if len(names) < 2:
        return
    parts = language_folds(languages, folds, seed)
    assert sorted(name for part in parts for name in part) == names
    assert len(parts) == min(folds, len(names))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    assert parts == language_folds(languages[::-1], folds, seed)


def test_one_language_is_refused() -> None:
    rows = np.arange(6.0)[:, None]
    with pytest.raises(InputError, match=r"^one language only \(sv\)"):
        choose("adaboost", rows, rows[:, 0], ["sv"] * 6)


def test_wrong_calls_are_refused() -> None:
    rows = np.arange(6.0)[:, None]
    with pytest.raises(InputError, match="unknown learner ridgy; did you mean ridge"):
        choose("ridgy", rows, rows[:, 0], ["sv", "ro"] * 3)
    with pytest.raises(InputError, match="5 languages for 6 rows"):
        choose("adaboost", rows, rows[:, 0], ["sv"] * 5)
    with pytest.raises(InputError, match="folds must be at least 2, not 1"):
        choose("adaboost", rows, rows[:, 0], ["sv", "ro"] * 3, folds=1)


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_learns_and_can_be_saved(name: str) -> None:
    """Predictions of a language not seen are far better than the mean; JSON keeps all bits."""
    rng = np.random.default_rng(1)
    spoken = np.repeat(["am", "ro", "sv"], 100)
    rows = rng.normal(size=(300, 3))
    targets = rows[:, 0] - 0.5 * rows[:, 1] + 0.1 * rng.normal(size=300)
    seen = spoken != "sv"
    chosen = choose(name, rows[seen], targets[seen], spoken[seen].tolist())
    said = chosen.fitted.predict(rows[~seen])
    assert np.mean((said - targets[~seen]) ** 2) < 0.2 * targets.var()
    again = msgspec.json.decode(msgspec.json.encode(chosen.fitted), type=AnyFitted)
    assert again.predict(rows).tobytes() == chosen.fitted.predict(rows).tobytes()
    assert choose(name, rows[seen], targets[seen], spoken[seen].tolist()) == chosen


@pytest.mark.parametrize("kind", LEARNERS.values(), ids=lambda kind: kind.name)
def test_every_learner_refuses_what_is_undefined(kind: Learner) -> None:
    rows: Any = np.array([[0.0], [np.nan], [2.0]])
    with pytest.raises(InputError, match="fit on complete rows"):
        kind.fit(rows, np.arange(3.0))
