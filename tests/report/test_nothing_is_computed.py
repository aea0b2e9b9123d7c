"""A page is drawn of what a run holds: nothing is computed for it, and a file holds all of it."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.special
import scipy.stats

import tealeaves.statistics
from tealeaves import compare, demo, select
from tealeaves.consensus.catalogue import consensus
from tealeaves.judgments import compare_judgments
from tealeaves.judgments.judgments import Judgments
from tealeaves.report import Run, make_run, report_html, save_run
from tealeaves.report.run import merge_runs, read_run
from tealeaves.report.run.results import run_of_people, run_of_scores, run_of_selection

STATISTICS = [
    importlib.import_module(f"tealeaves.statistics.{module.name}")
    for module in pkgutil.iter_modules(tealeaves.statistics.__path__)
]
QUANTILES = ("stdtrit", "stdtr", "ndtri", "ndtr", "betainc", "chdtri")


class ComputedError(AssertionError):
    """A page computed a statistic."""


@contextmanager
def nothing_computed() -> Iterator[None]:
    """Let all statistics raise, wherever a module has imported them."""
    functions = {
        function
        for module in STATISTICS
        for function in vars(module).values()
        if inspect.isroutine(function) and getattr(function, "__module__", "") == module.__name__
    }
    with pytest.MonkeyPatch.context() as patch:
        for module in list(_loaded("tealeaves")):
            for name, value in list(vars(module).items()):
                if inspect.isroutine(value) and value in functions:
                    patch.setattr(module, name, _refusing(f"{module.__name__}.{name}"))
        for name in scipy.stats.__all__:
            if callable(getattr(scipy.stats, name)):
                patch.setattr(scipy.stats, name, _refusing(f"scipy.stats.{name}"))
        for name in QUANTILES:
            patch.setattr(scipy.special, name, _refusing(f"scipy.special.{name}"))
        for name in ("default_rng", "Generator", "RandomState", "choice", "permutation", "shuffle"):
            patch.setattr(np.random, name, _refusing(f"numpy.random.{name}"))
        yield


def _loaded(package: str) -> Iterator[Any]:
    import sys

    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == package and module is not None:
            yield module


def _refusing(name: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise ComputedError(name)

    return refuse


# ---------------------------------------------------------------------- runs of all commands


def _score() -> Run:
    return make_run(demo.models(), demo.corpus(), "npmi@10 c_v@10 umass@10")


def _one_model() -> Run:
    return make_run(demo.models()[:1], demo.corpus(), "npmi@10 umass@10")


def _compare() -> Run:
    models, explainer = demo.models(), consensus @ 10
    comparison = compare(models, demo.corpus(), "npmi@10 diversity@10", test="t", also=explainer)
    assert comparison.scores is not None
    return run_of_scores(models, comparison.scores, explainer, comparison=comparison)


def _compare_judgments() -> Run:
    return run_of_people(compare_judgments(Judgments.of(demo.judgments())))


def _correlate() -> Run:
    judgments = Judgments.of(demo.judgments())
    return make_run(demo.models(), demo.corpus(), "npmi@10 c_v@10", judgments=judgments)


def _select() -> Run:
    texts = ["red blue green", "cat dog cow", "red green", "dog cow"] * 10
    selection = select("lda_vb", texts, [2, 3], "npmi@10 c_v@10", runs=2, also="consensus@10")
    return run_of_selection(selection, consensus @ 10)


def _consensus() -> Run:
    return make_run(demo.models(), demo.corpus(), "consensus@10 npmi@10")


def _multilingual(folder: Path) -> Run:
    demo.copy_to(folder)
    corpus = {name: folder / f"{name}.jsonl" for name in ("en", "es")}
    return make_run(demo.multilingual_models(), corpus, "cnpmi@10 twc@10")


RUNS = [_score, _one_model, _compare, _compare_judgments, _correlate, _select, _consensus]


@pytest.mark.parametrize("make", [*RUNS, _multilingual])
def test_a_saved_run_becomes_the_same_page_and_nothing_is_computed(
    make: Callable[..., Run], tmp_path: Path
) -> None:
    run = make(tmp_path) if make is _multilingual else make()
    at_once = report_html(run)
    save_run(run, tmp_path / "a.run")
    with nothing_computed():
        assert report_html(run) == at_once
        assert report_html(read_run(tmp_path / "a.run")) == at_once


def test_several_runs_are_compared_before_the_page_is_drawn(tmp_path: Path) -> None:
    runs = [make_run(model, demo.corpus(), "npmi@10") for model in demo.models()]
    assert all(run.tested is None for run in runs)
    merged = merge_runs(runs)
    assert merged.tested is not None
    at_once = report_html(runs)
    save_run(merged, tmp_path / "all.run")
    with nothing_computed():
        assert report_html(merged) == at_once
        assert report_html(read_run(tmp_path / "all.run")) == at_once


def test_what_would_be_computed_is_noticed() -> None:
    runs = [make_run(model, demo.corpus(), "npmi@10") for model in demo.models()]
    with nothing_computed(), pytest.raises(ComputedError):
        merge_runs(runs)
