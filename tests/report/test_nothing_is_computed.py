"""A page is drawn of what a run holds: nothing is computed for it, and a file holds all of it."""

from __future__ import annotations

import ast
import importlib
import inspect
import math
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.special
import scipy.stats

import tealeaves.models.selection.candidates
import tealeaves.report.charts
import tealeaves.report.run.analysis
import tealeaves.statistics
from tealeaves import compare, demo, select
from tealeaves.evidence.attention.heads import HeadsTable
from tealeaves.evidence.attention.text_relevance import TextRelevance
from tealeaves.judgments import Separations, compare_judgments, correlate, separation
from tealeaves.judgments.correlation.plan import MOST_POINTS
from tealeaves.judgments.judgments import Judgments
from tealeaves.metrics.scores import Score, Scores
from tealeaves.models.selection.candidates import PooledVariance
from tealeaves.models.selection.result import Selection
from tealeaves.report import Run, make_run, report_html, run_of, save_run
from tealeaves.report.charts import (
    RelevancePanel,
    heads_chart,
    relevance_maps,
    separated_chart,
    text_relevance_chart,
)
from tealeaves.report.run import merge_runs, read_run
from tealeaves.report.run.results import run_of_table

STATISTICS = [
    importlib.import_module(f"tealeaves.statistics.{module.name}")
    for module in pkgutil.iter_modules(tealeaves.statistics.__path__)
]
STATISTICS += [tealeaves.models.selection.candidates, tealeaves.report.run.analysis]
NOT_STATISTICS = {tealeaves.report.run.analysis.analysed}  # returns an analysis that is there
METHODS = [
    (PooledVariance, "half"),
    (PooledVariance, "clearly_differ"),
    (Selection, "_not_clearly_worse"),
]
SUMMARIES = (
    "quantile", "nanquantile", "percentile", "nanpercentile", "median", "nanmedian", "corrcoef",
    "cov", "std", "nanstd", "var", "nanvar", "average", "mean", "nanmean",
)  # fmt: skip
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
    } - NOT_STATISTICS
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
        for owner, name in METHODS:
            patch.setattr(owner, name, _refusing(f"{owner.__name__}.{name}"))
        for name in SUMMARIES:
            patch.setattr(np, name, _refusing(f"numpy.{name}"))
        patch.setattr(math, "fsum", _refusing("math.fsum"))
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
    models, specs = demo.models(), "npmi@10 diversity@10"
    return run_of(compare(models, demo.corpus(), specs, test="t", also="consensus@10"), models)


def _compare_judgments() -> Run:
    return run_of(compare_judgments(Judgments.of(demo.judgments())))


def _correlate() -> Run:
    judgments = Judgments.of(demo.judgments())
    return make_run(demo.models(), demo.corpus(), "npmi@10 c_v@10", judgments=judgments)


def _many_judged_topics() -> Run:
    rng = np.random.default_rng(0)
    topics = MOST_POINTS + 100
    values = rng.normal(size=(2, topics))
    values[1, :7] = math.nan
    rows = [
        Score("lda", topic, metric, float(value), 1.0, "")
        for metric, column in zip(("npmi", "c_v"), values, strict=True)
        for topic, value in enumerate(column)
    ]
    answers = [
        {"model": "lda", "topic": str(topic), "task": "rating", "annotator": name, "answer": answer}
        for topic, answer in enumerate(rng.integers(1, 4, topics).tolist())
        for name in ("a", "b")
    ]
    scores = Scores(rows, better={"npmi": "higher", "c_v": "higher"})
    judgments = Judgments.of(answers)
    found = correlate(scores, judgments, coefficients=("pearson",), draws=100, permutations=99)
    return merge_runs([run_of_table(scores).with_correlations(found)])


def _table_of_topics() -> Run:
    rows = [
        Score(model, topic, metric, value + (model == "nmf") / 7, 1.0, "")
        for model in ("lda", "nmf")
        for metric in ("npmi", "c_v")
        for topic, value in enumerate([0.1, 0.25, 0.7, math.nan])
    ]
    return merge_runs([run_of_table(Scores(rows, better={"npmi": "higher", "c_v": "higher"}))])


def _select() -> Run:
    texts = ["red blue green", "cat dog cow", "red green", "dog cow"] * 10
    selection = select("lda_vb", texts, [2, 3], "npmi@10 c_v@10", runs=2, also="consensus@10")
    return run_of(selection)


def _consensus() -> Run:
    return make_run(demo.models(), demo.corpus(), "consensus@10 npmi@10")


def _multilingual(folder: Path) -> Run:
    demo.copy_to(folder)
    corpus = {name: folder / f"{name}.jsonl" for name in ("en", "es")}
    return make_run(demo.multilingual_models(), corpus, "cnpmi@10 twc@10")


RUNS = [
    _score,
    _one_model,
    _compare,
    _compare_judgments,
    _correlate,
    _many_judged_topics,
    _table_of_topics,
    _select,
    _consensus,
]


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


def _separations() -> Separations:
    found = _correlate().correlations[0]
    return separation(found)


def _heads() -> HeadsTable:
    chosen = {"confident": False, "important": False}
    rows = [{"layer": 1, "head": n, "confidence": 0.5, "importance": n / 3} for n in (1, 2)]
    return HeadsTable([row | chosen for row in rows])


def test_charts_draw_what_results_hold() -> None:
    separations, heads = _separations(), _heads()
    words, matrix = ["tea", "cup"], np.array([[0.0, 0.5], [0.25, 0.0]])
    with nothing_computed():
        separated_chart(separations)
        heads_chart(heads)
        relevance_maps(words, [RelevancePanel("LRP", matrix, signed=True, limit=0.5)])
        text_relevance_chart(_text_relevance(words, matrix), "all")


def _text_relevance(words: list[str], matrix: np.ndarray[Any, Any]) -> TextRelevance:
    limits = {"attention": 0.5, "lrp": 0.25, "improved": 0.5}
    units = tuple((word,) for word in words)
    return TextRelevance(units, matrix > 0, matrix, matrix, matrix, "tea", cut=False, limits=limits)


def test_quartiles_of_groups_are_those_of_their_topics() -> None:
    separations = _separations()
    parts = {part.part: part for part in separations.correlations.parts}
    for row, spread in zip(separations.rows, separations.spreads, strict=True):
        part = parts[row.part]
        values = part.scores[row.metric][part.human >= row.from_high]
        expected = np.quantile(values[np.isfinite(values)], [0.25, 0.5, 0.75])
        assert spread.quartiles["high"] == tuple(expected.tolist())


CHART_MODULES = sorted(Path(tealeaves.report.charts.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("module", CHART_MODULES, ids=lambda path: path.stem)
def test_no_chart_has_a_summary_of_its_own(module: Path) -> None:
    used = {
        node.attr
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Attribute)
    }
    # placement.py looks how many points are covered
    allowed = {"mean"} if module.stem == "placement" else set()
    assert used & set(SUMMARIES) <= allowed


# they have a function that takes bare data and summarises it
SUMMARISING = {
    "separation": {"tealeaves.statistics.spread.group_spread"},
    "relevance_map": {"tealeaves.statistics.spread.size_of_most"},
}


@pytest.mark.parametrize("module", CHART_MODULES, ids=lambda path: path.stem)
def test_no_chart_uses_statistics(module: Path) -> None:
    tree = ast.parse(module.read_text())
    types = {node for one in ast.walk(tree) if _is_for_types(one) for node in ast.walk(one)}
    used = {
        f"{node.module}.{name.name}" if isinstance(node, ast.ImportFrom) else name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom) and node not in types
        for name in node.names
    }
    packages = ("tealeaves.statistics", "scipy.stats", "scipy.special")
    assert {n for n in used if n.startswith(packages)} == SUMMARISING.get(module.stem, set())


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def test_what_would_be_computed_is_noticed() -> None:
    runs = [make_run(model, demo.corpus(), "npmi@10") for model in demo.models()]
    with nothing_computed(), pytest.raises(ComputedError):
        merge_runs(runs)


def test_a_selection_is_computed_once_and_a_file_holds_it(tmp_path: Path) -> None:
    run = _select()
    [made] = run.selections
    save_run(run, tmp_path / "a.run")
    with nothing_computed():
        [read] = read_run(tmp_path / "a.run").selections
        assert (str(read), repr(read.content)) == (str(made), repr(made.content))
        assert [one.means for one in read.candidates] == [one.means for one in made.candidates]
        with pytest.raises(ComputedError):
            Selection(made.candidates, made.better, trained={}, weight=None, tokens="")


def test_points_and_means_of_topics_are_in_the_file(tmp_path: Path) -> None:
    save_run(_many_judged_topics(), tmp_path / "a.run")
    run = read_run(tmp_path / "a.run")
    [part] = run.correlations[0].parts
    for metric, first in (("npmi", 0), ("c_v", 7)):
        known = np.arange(first, MOST_POINTS + 100)
        sample = np.random.default_rng(0).choice(known, MOST_POINTS, replace=False)
        assert part.drawn_points(metric).tolist() == sorted(sample)
    assert run.analysis is not None
    assert set(run.analysis.topic_means["lda"]) == {"npmi", "c_v"}
    assert run.model_value("lda", "npmi") == run.analysis.topic_means["lda"]["npmi"]
