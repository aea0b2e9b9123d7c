"""The registry: metrics are found, not listed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest

import tealeaves
from tealeaves import catalogue
from tealeaves.errors import InputError, TealeavesError, TealeavesWarning
from tealeaves.metrics import registry
from tealeaves.metrics.registry import METRICS, metric

ROW = """
from tealeaves.metrics.coherence_by_counts.family import Coherence
from tealeaves.metrics.coherence_by_counts.settings import CoherenceSettings

{name} = Coherence(
    name="{name}",
    summary="Jaccard coefficient of word pairs",
    better="higher",
    bounds=(0.0, 1.0),
    cite="nobody",
    settings=CoherenceSettings(confirmation="jaccard", never=0.0),
    accepts=("window", "never"),
)
"""


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of another author with an entry point, and no list of its modules anywhere."""
    package = tmp_path / "their_metrics"
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    ours = entry_points(group=registry.GROUP)
    theirs = EntryPoint("theirs", "their_metrics", registry.GROUP)
    monkeypatch.setattr(catalogue, "entry_points", lambda **_: [*ours, theirs])
    METRICS.reload()
    yield package
    METRICS.reload()
    for name in [name for name in sys.modules if name.startswith("their_metrics")]:
        del sys.modules[name]


def test_a_module_in_a_package_of_metrics_is_all_it_takes(plug_in: Path) -> None:
    (plug_in / "jaccard.py").write_text(ROW.format(name="c_jaccard"))
    scores = tealeaves.score([["a", "b"]], ["a b", "a", "c"], "c_jaccard@2", tokens="tokens")
    assert scores.value("model", "c_jaccard@2") == pytest.approx(0.5)
    assert repr(metric("c_jaccard(window=5)@3")) == "c_jaccard(window=5)@3"


def test_two_metrics_of_one_name_are_refused(plug_in: Path) -> None:
    (plug_in / "again.py").write_text(ROW.format(name="npmi"))
    with pytest.raises(TealeavesError, match="two metrics are called npmi"):
        list(METRICS)


def test_a_broken_package_does_not_take_the_others_with_it(plug_in: Path) -> None:
    (plug_in / "broken.py").write_text("import no_such_module")
    with pytest.warns(TealeavesWarning, match="their_metrics cannot be loaded"):
        assert "npmi" in METRICS


def test_without_the_package_installed_there_is_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "entry_points", lambda **_: [])
    METRICS.reload()
    with pytest.raises(TealeavesError, match="install tealeaves"):
        list(METRICS)
    METRICS.reload()


def test_names_and_aliases() -> None:
    assert metric("u_mass") == metric("umass")
    with pytest.raises(InputError, match="did you mean c_npmi"):
        metric("c_nmpi")
    with pytest.raises(AttributeError):
        tealeaves.metrics.no_such_metric  # noqa: B018


def test_every_metric_that_attention_was_compared_with_is_there() -> None:
    # the rows of Table 4 of "Attention-based estimation of topic model quality"
    names = "npmi perplexity background_ratio switchp ppmi contrast purity kernel_size significance"
    assert set(names.split()) <= set(METRICS)
