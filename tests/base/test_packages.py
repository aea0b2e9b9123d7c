"""``import tealeaves`` makes all public packages and names reachable."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tealeaves

PACKAGES = {
    "consensus": "explain",
    "demo": "models",
    "errors": "InputError",
    "estimator": "predict",
    "evidence": "Counts",
    "judgments": "correlate",
    "lexicon": "extract",
    "metrics": "score",
    "models": "train",
    "report": "make_run",
    "statistics": "__doc__",
    "tables": "__doc__",
    "text": "Corpus",
    "topics": "Topics",
}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_is_imported_when_it_is_first_used(package: str) -> None:
    code = f"""
import sys, tealeaves
assert tealeaves.{package}.{PACKAGES[package]} is not None
assert tealeaves.{package} is sys.modules["tealeaves.{package}"]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_public_package_is_reachable() -> None:
    folder = Path(tealeaves.__file__).parent
    internal = {"cli"}
    packages = {path.parent.name for path in folder.glob("*/__init__.py")} - internal
    assert packages <= set(dir(tealeaves))
    assert set(PACKAGES) <= set(dir(tealeaves))


def test_every_public_name_is_reachable() -> None:
    for name in tealeaves.__all__:
        assert getattr(tealeaves, name) is not None


def test_unknown_names_are_errors() -> None:
    with pytest.raises(AttributeError, match="module 'tealeaves' has no attribute 'concensus'"):
        tealeaves.concensus  # noqa: B018
    with pytest.raises(AttributeError, match=r"'tealeaves\.consensus' has no attribute 'verdict'"):
        tealeaves.consensus.verdict  # noqa: B018
    assert set(tealeaves.consensus.__all__) == {
        "Explanation",
        "Explanations",
        "Predictors",
        "explain",
        "open_predictors",
    }
    for name in tealeaves.consensus.__all__:
        assert getattr(tealeaves.consensus, name).__name__ == name
