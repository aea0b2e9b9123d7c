"""``fit_file``: estimators are learned, saved and evaluated."""

from __future__ import annotations

from pathlib import Path

import pytest

from tealeaves.errors import InputError
from tealeaves.estimator import evaluate, fit, fit_file, open_estimators

from .made import made_table


def test_estimators_are_saved_and_evaluated(tmp_path: Path) -> None:
    table, notes = made_table(noise=0.02), list[str]()
    made = fit_file(table, tmp_path / "made.json", draws=0, seed=3, on_note=notes.append)
    assert notes == [str(table.summary())]
    fitting = fit(table, seed=3)
    assert open_estimators(made.path) == fitting.estimators == made.fitting.estimators
    left = fitting.left_out[0]
    expected = evaluate(
        table, {"ridge": left.estimates}, half_widths={"ridge": left.half_widths}, draws=0, seed=3
    )
    assert str(made.evaluation) == str(expected)
    kept = len(fitting.estimators.estimators)
    assert str(made).startswith(f"{kept} estimators: {made.path} ({fitting.tried - kept} did no ")


def test_one_estimator_drops_none(tmp_path: Path) -> None:
    made = fit_file(made_table(), tmp_path / "made.json", nested=False, draws=0)
    assert str(made) == f"1 estimator: {made.path}"


def test_what_cannot_be_done_is_refused_before_any_work(tmp_path: Path) -> None:
    def refused(_: str) -> None:
        raise AssertionError

    with pytest.raises(InputError, match=r"estimators are saved as \.json"):
        fit_file(made_table(), tmp_path / "made.csv", on_note=refused)
    with pytest.raises(InputError, match="no rows of cardinality 7"):
        fit_file(made_table(), tmp_path / "made.json", cardinality=7, on_note=refused)
    assert not list(tmp_path.iterdir())
