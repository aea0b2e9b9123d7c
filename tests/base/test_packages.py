"""Rooms that are used by their own names are there after ``import tealeaves``."""

from __future__ import annotations

import subprocess
import sys

import pytest

import tealeaves


@pytest.mark.parametrize(
    ("room", "name"), [("consensus", "explain"), ("estimator", "predict"), ("lexicon", "extract")]
)
def test_a_room_comes_when_it_is_asked_for(room: str, name: str) -> None:
    """In a process that has imported nothing else."""
    code = f"""
import sys, tealeaves
assert "tealeaves.{room}" not in sys.modules
assert callable(tealeaves.{room}.{name})
assert tealeaves.{room} is sys.modules["tealeaves.{room}"]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_is_no_room_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'tealeaves' has no attribute 'concensus'"):
        tealeaves.concensus  # noqa: B018
    with pytest.raises(AttributeError, match=r"'tealeaves\.consensus' has no attribute 'verdict'"):
        tealeaves.consensus.verdict  # noqa: B018
    assert set(tealeaves.consensus.__all__) == {
        "Explanation",
        "Explanations",
        "Judges",
        "explain",
        "open_judges",
    }
    for name in tealeaves.consensus.__all__:
        assert getattr(tealeaves.consensus, name).__name__ == name
