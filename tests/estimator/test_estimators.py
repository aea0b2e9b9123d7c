"""Estimators: what is saved and read again, who judges which topic, and how far."""

from __future__ import annotations

import json
import math
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.estimator.estimators import (
    AtCardinality,
    Estimator,
    Estimators,
    Seen,
    open_estimators,
)
from tealeaves.estimator.features import FEATURES, TopicFeatures
from tealeaves.estimator.fitting import useful_estimators
from tealeaves.learners.adaboost import fit_adaboost
from tealeaves.learners.conformal import Conformal
from tealeaves.learners.ridge import fit_ridge
from tealeaves.learners.trees import fit_trees
from tealeaves.metrics import metric
from tealeaves.topics.multilingual import MultilingualTopics

from .made import estimators_of, linear, made_table

NAMES = ("cnpmi", "mta", "era_mean")
FITS: dict[str, Callable[..., Any]] = {
    "adaboost": fit_adaboost,
    "ridge": fit_ridge,
    "trees": fit_trees,
}


def learned(learner: str, names: tuple[str, ...] = NAMES) -> Estimator:
    """Fit a learner to a table, with settings as they come."""
    table = made_table(names=names, noise=0.05)
    plain = linear(dict.fromkeys(names, 1.0))
    return msgspec.structs.replace(
        plain,
        fitted=FITS[learner](table.values, table.target, seed=3),
        seen=tuple(Seen.of(column) for column in table.values.T),
    )


def topics_with(**columns: list[float]) -> TopicFeatures:
    """Some topics of two languages, of which features are given."""
    size = len(next(iter(columns.values())))
    values = {"cardinality": np.full(size, 10.0)}
    values |= {name: np.array(column) for name, column in columns.items()}
    model = MultilingualTopics.of_languages({"en": [["a"]] * size, "sv": [["b"]] * size})
    return TopicFeatures(("en", "sv"), model, values, np.ones(size))


# ---------------------------------------------------------------------- saved and read again


@pytest.mark.parametrize("learner", FITS)
def test_what_is_read_again_is_the_same_to_the_last_bit(learner: str, tmp_path: Path) -> None:
    saved = estimators_of(learned(learner), linear({"cnpmi": 1 / 3}), learner=learner)
    saved.save(tmp_path / "one.json")
    found = open_estimators(tmp_path / "one.json")
    assert found == saved
    assert found.signature == saved.signature
    new = made_table(["xh"], NAMES, seed=5).values
    for one, other in zip(saved.estimators, found.estimators, strict=True):
        rows = new[:, : len(one.features)]
        assert one.predict(rows).tobytes() == other.predict(rows).tobytes()
        forth, back = (each.contributions(rows[:4], 10) for each in (one, other))
        assert forth.tobytes() == back.tobytes()
        assert one.half_width(10, 0.9) == other.half_width(10, 0.9)
    found.save(str(tmp_path / "two.json"))
    assert (tmp_path / "two.json").read_bytes() == (tmp_path / "one.json").read_bytes()


def test_the_file_is_plain_json_that_says_what_it_is(tmp_path: Path) -> None:
    estimators_of(linear({"cnpmi": 0.5}), source="two Bibles").save(tmp_path / "mine.json")
    content = json.loads((tmp_path / "mine.json").read_text())
    assert content["format"] == "tealeaves-estimator"
    assert content["version"] == 1
    assert content["source"] == "two Bibles"
    [one] = content["estimators"]
    assert one["fitted"]["learner"] == "adaboost"
    assert one["fitted"]["coefficients"] == [[0.5]]


def test_any_change_changes_the_signature() -> None:
    one = estimators_of(linear({"cnpmi": 0.5}))
    assert one.signature == estimators_of(linear({"cnpmi": 0.5})).signature
    others = [
        estimators_of(linear({"cnpmi": math.nextafter(0.5, 1.0)})),
        estimators_of(linear({"cnpmi": 0.5}, residuals=[0.1] * 8)),
        estimators_of(linear({"cnpmi": 0.5}), pivot="fr"),
    ]
    assert len({one.signature, *(other.signature for other in others)}) == 4


def test_what_is_there_stays_if_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.json"
    estimators_of(linear({"cnpmi": 0.5})).save(file)
    before = file.read_bytes()

    def full(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        estimators_of(linear({"cnpmi": 0.6})).save(file)
    assert file.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["mine.json"]


# ---------------------------------------------------------------------- files that do not do


def _refused(file: Path) -> str:
    with pytest.raises(InputError) as error:
        open_estimators(file)
    said = str(error.value)
    assert said.startswith(f"{file}: ")
    assert "\n" not in said
    return said


class _Trap:
    """A pickle of it makes a folder when it is read."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.place),)


def test_a_pickle_is_refused_and_not_run(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_bytes(pickle.dumps(_Trap(tmp_path / "sprung")))
    assert "not a complete file of estimators" in _refused(file)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a complete file of estimators"),
        (b"\xff\xfe\x00", "not a complete file of estimators"),
        (b"[1, 2]", "not a complete file of estimators"),
        (b'{"format": "tealeaves-counts", "version": 1}', "`tealeaves estimator fit` makes one"),
        (b"{}", "`tealeaves estimator fit` makes one"),
        (b'{"format": "tealeaves-estimator"}', "file version 0; "),
        (
            b'{"format": "tealeaves-estimator", "version": 2, "made_with": "9.1", "new": [1]}',
            "file version 2, made with tealeaves 9.1",
        ),
        (b'{"format": "tealeaves-estimator", "version": 1}', "damaged: "),
        (
            b'{"format": "tealeaves-estimator", "version": 1, "pivot": "en", "learner": "ridge", '
            b'"estimators": []}',
            "no estimators in it",
        ),
    ],
)
def test_what_is_no_file_of_estimators(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_bytes(content)
    assert message in _refused(tmp_path / "mine.json")


def test_what_is_no_file(tmp_path: Path) -> None:
    assert "a folder" in _refused(tmp_path)
    assert "no such file of estimators" in _refused(tmp_path / "nowhere.json")


def test_half_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    estimators_of(linear({"cnpmi": 0.5})).save(file)
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])
    assert "not a complete file of estimators: " in _refused(file)


Damage = Callable[[dict[str, Any]], object]
DAMAGES: dict[str, Damage] = {
    "a coefficient lacks": lambda one: one["fitted"]["coefficients"][0].pop(),
    "a coefficient is no number": lambda one: one["fitted"]["coefficients"][0].insert(0, None),
    "a coefficient too many": lambda one: one["fitted"]["coefficients"][0].append(1.0),
    "a weight of zero": lambda one: one["fitted"].update(weights=[0.0]),
    "an unknown learner": lambda one: one["fitted"].update(learner="oracle"),
    "a feature too many": lambda one: one["features"].append("mta"),
    "no features": lambda one: one.update(features=[], seen=[]),
    "a mean that is no number": lambda one: one["seen"][0].update(mean="high"),
    "a mean at a cardinality lacks": lambda one: one["cardinalities"]["10"]["features"].pop(),
    "no cardinality": lambda one: one.update(cardinalities={}),
    "a cardinality that is no number": lambda one: one.update(
        cardinalities={"ten": one["cardinalities"]["10"]}
    ),
    "residuals that are not sorted": lambda one: one["conformal"]["residuals"][0].insert(
        0, [2.0, 1.0]
    ),
    "a residual below zero": lambda one: one["conformal"]["residuals"].__setitem__(0, [[-1.0]]),
    "a field of another version": lambda one: one.update(novelty=1),
    "a field lacks": lambda one: one.pop("conformal"),
    "an infinite slope": lambda one: one["fitted"].update(intercepts=[1e999]),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_an_error_in_one_line(damage: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    estimators_of(linear({"cnpmi": 0.5, "twc_pivot": 0.1})).save(file)
    content = json.loads(file.read_text())
    del content["checksum"]
    DAMAGES[damage](content["estimators"][0])
    file.write_text(json.dumps(content).replace("Infinity", "1e999"))
    said = _refused(file)
    assert "damaged: " in said or "not a complete file of estimators: " in said


# ---------------------------------------------------------------------- who judges


def test_each_topic_is_judged_by_the_first_whose_features_it_has() -> None:
    several = estimators_of(
        linear({"cnpmi": 1.0, "mta": 1.0}, residuals=[0.1] * 9),
        linear({"cnpmi": 1.0, "era_mean": 1.0}, residuals=[0.2] * 9),
        linear({"cnpmi": 1.0}, 0.5, residuals=[0.3] * 9),
    )
    nan = np.nan
    found = several.estimate(
        topics_with(
            cnpmi=[0.1, 0.1, 0.1, nan],
            mta=[0.2, nan, nan, 0.2],
            era_mean=[0.3, 0.3, nan, 0.3],
        )
    )
    assert found.which.tolist() == [0, 1, 2, -1]
    assert found.values[:3] == pytest.approx([0.1 + 0.2, 0.1 + 0.3, 0.1 + 0.5])
    assert (found.high - found.values)[:3] == pytest.approx([0.1, 0.2, 0.3])
    assert np.isnan([found.values[3], found.low[3], found.high[3]]).all()


def test_a_feature_that_was_not_computed_is_one_that_lacks() -> None:
    several = estimators_of(linear({"drift_mean": 1.0}), linear({"cnpmi": 0.5}))
    found = several.estimate(topics_with(cnpmi=[0.2, 0.4]))
    assert found.which.tolist() == [1, 1]
    assert found.values == pytest.approx([0.1, 0.2])


def test_of_a_topic_without_a_pair_of_words_nothing_is_said() -> None:
    topics = topics_with(mta=[0.2, 0.2])
    topics.support[1] = 0.0
    found = estimators_of(linear({"mta": 1.0})).estimate(topics)
    assert found.which.tolist() == [0, -1]
    assert np.isnan([found.values[1], found.low[1], found.high[1]]).all()


def test_the_interval_is_as_wide_as_languages_erred() -> None:
    # nine languages of one residual each: each has 1/10 of the mass, and 1/10 lies at infinity
    tenths = [number / 10 for number in range(1, 10)]
    several = estimators_of(linear({"cnpmi": 1.0}, residuals=tenths))
    topics = topics_with(cnpmi=[0.25])
    for level, half in ((0.5, 0.5), (0.81, 0.9), (0.9, 0.9), (0.91, np.inf)):
        found = several.estimate(topics, level)
        assert found.low[0] == pytest.approx(max(-1, 0.25 - half))  # where CNPMI can be
        assert found.high[0] == pytest.approx(min(1, 0.25 + half))
    usual = several.estimate(topics)
    assert usual.low[0] == pytest.approx(0.25 - 0.9)  # 90 % unless another level is asked for


def test_the_interval_is_that_of_the_nearest_cardinality() -> None:
    names = [f"l{number}" for number in range(9)]
    plain = linear({"cnpmi": 1.0})
    widths = Conformal.of([0.5] * 9 + [0.1] * 9, names * 2, [5] * 9 + [20] * 9)
    one = msgspec.structs.replace(plain, conformal=widths)
    topics = topics_with(cnpmi=[0.0, 0.0, 0.0], cardinality=[3.0, 12.0, 13.0])
    assert estimators_of(one).estimate(topics).high == pytest.approx([0.5, 0.5, 0.1])


def test_what_was_seen_is_that_of_the_nearest_cardinality() -> None:
    seen = (Seen(mean=m, sd=1, low=0, high=1) for m in (0.1, 0.2))
    five, twenty = (AtCardinality(one, one, one, (one,)) for one in seen)
    one = linear({"cnpmi": 1.0}, at={5: five, 20: twenty})
    assert [one.nearest(size) for size in (1, 10, 15, 100)] == [five, five, twenty, twenty]


def test_names_are_of_all_of_them_in_the_usual_order() -> None:
    several = estimators_of(
        linear({"cnpmi(never=-1)": 1.0, "era_mean": 0.1}), linear({"mta": 0.1, "cnpmi": 0.1})
    )
    assert several.names == ("cnpmi", "mta", "era_mean", "cnpmi(never=-1)")
    assert several.more == several.features.more == ("cnpmi(never=-1)",)
    assert several.features.pivot == "en"


def test_a_further_feature_that_is_no_metric_is_one_line() -> None:
    with pytest.raises(InputError, match=r"^.*wisdom.*$"):
        _ = estimators_of(linear({"wisdom": 1.0})).features


def test_the_least_wrong_is_first_and_equals_stay_in_order() -> None:
    several = [linear({name: 1.0}, error=e) for name, e in (("a", 0.2), ("b", 0.1), ("c", 0.1))]
    assert [one.features[0] for one in useful_estimators(several)] == ["b", "c", "a"]


# ---------------------------------------------------------------------- one estimator


def test_estimates_stay_where_cnpmi_can_be() -> None:
    one = linear({"cnpmi": 10.0})
    found = one.predict(np.array([[0.5], [-0.5], [0.05], [np.nan]]))
    assert found.tolist()[:3] == [1.0, -1.0, 0.5]
    assert np.isnan(found[3])


@given(
    st.lists(
        st.tuples(st.floats(-3, 3), st.floats(0, 1), st.floats(500, 2500)), min_size=1, max_size=5
    ),
    st.sampled_from(sorted(FITS)),
)
def test_contributions_add_up(rows: list[tuple[float, float, float]], learner: str) -> None:
    one, matrix = _LEARNED[learner], np.array(rows)
    added = one.contributions(matrix, 10)
    assert added.shape == matrix.shape
    assert one.average(10) + added.sum(axis=1) == pytest.approx(one.predict(matrix), abs=1e-9)


_LEARNED = {learner: learned(learner) for learner in FITS}


def test_contributions_of_a_line_are_slopes_by_distances() -> None:
    one = linear({"cnpmi": 0.4, "mta": -0.2}, 0.1)  # means are 0.5
    assert one.average(10) == pytest.approx(0.1 + 0.4 * 0.5 - 0.2 * 0.5)
    [added] = one.contributions(np.array([[0.8, 0.25]]), 10)
    assert added == pytest.approx([0.4 * 0.3, -0.2 * -0.25])


def test_contributions_stand_beside_a_topic_of_as_many_words() -> None:
    seen = {n: Seen(mean=m, sd=1, low=0, high=1) for n, m in ((5, 0.1), (20, 0.3))}
    one = linear({"cnpmi": 0.5}, at={n: AtCardinality(s, s, s, (s,)) for n, s in seen.items()})
    row = np.array([[0.4]])
    for size, mean in ((5, 0.1), (6, 0.1), (20, 0.3), (50, 0.3)):
        assert one.average(size) == pytest.approx(0.5 * mean)
        assert one.contributions(row, size).ravel() == pytest.approx([0.5 * (0.4 - mean)])
        assert one.standing("cnpmi", 0.4, size) == pytest.approx(0.4 - mean)


def test_what_lies_beyond_all_that_was_seen() -> None:
    seen = {"era_mean": Seen(mean=1500, sd=100, low=1200, high=1800)}
    one = linear({"cnpmi": 1.0, "era_mean": 0.0}, seen=seen)
    assert one.beyond([0.0, 1200.0]) == []
    assert one.beyond([1.0, 1800.0]) == []
    assert one.beyond([1.01, 1500.0]) == ["cnpmi"]
    assert one.beyond([-0.01, 1801.0]) == ["cnpmi", "era_mean"]


def test_how_unusual_a_value_is() -> None:
    column = np.array([1.0, np.nan, 3.0, 5.0])
    seen = Seen.of(column)
    assert (seen.mean, seen.low, seen.high) == (3.0, 1.0, 5.0)
    assert seen.sd == pytest.approx((8 / 3) ** 0.5)
    assert seen.standing(3.0) == 0.0
    assert seen.standing(3.0 - 2 * seen.sd) == pytest.approx(-2.0)
    assert Seen(mean=1.0, sd=0.0, low=1.0, high=1.0).standing(7.0) == 0.0


# ---------------------------------------------------------------------- those of tealeaves


def test_the_estimators_of_tealeaves_are_nested() -> None:
    ours = open_estimators()
    assert ours is open_estimators()  # read once
    assert ours.pivot == "en"
    sets = [frozenset(one.features) for one in ours.estimators]
    assert len(set(sets)) == len(sets) > 7
    assert all(metric(name).crosslingual for name in set().union(*sets) - set(FEATURES))
    bible = {name for name, group in FEATURES.items() if group in ("base", "gap")} - {"mta"}
    assert any(some & set(FEATURES) <= bible for some in sets)  # nothing but a Bible is enough
    assert list(ours.estimators) == list(useful_estimators(ours.estimators))
    for one in ours.estimators:
        assert len(one.languages) >= 12
        assert one.reached.estimate is not None
        assert one.reached.raw is not None
        assert one.reached.estimate > one.reached.raw
        assert 0 < one.half_width(10, 0.9) < 1


def test_the_estimators_of_tealeaves_are_saved_as_they_are_read(tmp_path: Path) -> None:
    ours = open_estimators()
    ours.save(tmp_path / "ours.json")
    assert open_estimators(tmp_path / "ours.json") == ours
    assert isinstance(ours, Estimators)


def test_the_estimators_of_tealeaves_hold_numbers_and_no_text() -> None:
    content = json.loads(msgspec.json.encode(open_estimators()))
    known = {
        *open_estimators().names,
        *(n for o in open_estimators().estimators for n in o.languages),
    }
    allowed = known | {"ridge", "en", content["format"], content["made_with"], content["source"]}
    assert set(_strings(content)) <= allowed


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for one in value.values() for text in _strings(one)]
    if isinstance(value, list):
        return [text for one in value for text in _strings(one)]
    return [value] if isinstance(value, str) else []
