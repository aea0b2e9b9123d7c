"""The page ``RESULTS.md``, from the estimates of the run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from benchmarks import markdown
from benchmarks.estimator.noise import SPLITS
from benchmarks.estimator.stages import BEST, FOUR, OTHERS, PAPER, Variant, resources
from tealeaves.arrays import Floats
from tealeaves.estimator.cross_validation import held_out_half_widths
from tealeaves.estimator.evaluation import EstimatorEvaluation, EvaluatedLanguage, evaluate
from tealeaves.estimator.table import FeatureTable

Noise = Mapping[str, tuple[list[str], Floats]]
NESTED = "estimator"
_table = partial(markdown.table, spaced=True)
INTRODUCTION = """\
`python -m benchmarks estimator` writes this page. [Trusting the Bible](../../docs/estimator.md)
explains the estimator and sums up the results.

English is paired with 23 languages (`am ar cs de es fa fi fr ha he hr it ja ko pt ro ru sv sw tl tr
vi zh`; Serbian is left out because its texts are in two scripts). In each round half of NTREX-128's
news, in blocks of four sentences, and of SIB-200's sentences trains `pltm` (20 topics, 1,000
sweeps, six rounds in a whole run) with 0 to 100 % of the links; the other half, and the Universal
Declaration of Human Rights, are the rich reference, about 780 linked documents; chapters of Bibles
are the poor one. No document both trains topics and is counted. Topics are judged by their first
5, 10, 15, 20, 30, 40 and 50 words.

**Unseen documents.** The texts are parallel, so the topics of all languages of a round come from
the same English documents, and leaving out a language would leave its topics in. So each language
is estimated by estimators that learned from other languages *and* from the other half of the
documents.

Numbers are Pearson's r with the CNPMI of the rich reference, of the Bible's CNPMI and of the
estimates, over topics and over models. 95 % intervals come from a bootstrap over models. ° is not
significant, ↓ is significantly worse (p below .05, corrected by Benjamini and Hochberg for the
languages). *In interval* is the share of targets inside the 90 % interval."""


def page(
    table: FeatureTable,
    estimates: Mapping[str, Floats],
    variants: Sequence[Variant],
    noise: Noise,
) -> str:
    """Return the page of results."""
    nested = [one for one in variants if one.name.startswith("nested")]
    best = best_first(table, {one.name: estimates[one.name] for one in nested})
    widths = [held_out_half_widths(table, estimates[name]) for name in best]
    columns = {NESTED: first_known([estimates[name] for name in best])}
    paper = {PAPER: estimates[f"{PAPER} +{FOUR[-1]}"]}
    parts = ["# What the estimator adds to a Bible", INTRODUCTION]
    for title, cardinality in (("All numbers of words", None), ("Ten words", 10)):
        parts.append(f"## {title}")
        for what, given, wide in (
            ("With the nested estimators:", columns, {NESTED: first_known(widths)}),
            ("With the paper's learner:", paper, {}),
        ):
            evaluation = evaluate(table, given, cardinality=cardinality, half_widths=wide)
            parts += [what, _languages(evaluation), *evaluation.notes]
    parts += ["## Groups of features", *_ablation(table, estimates)]
    parts += ["## Learners", *_learners(table, estimates)]
    parts += ["## With what a user has", *_nested(table, nested, estimates, best)]
    parts += ["## Noise of the target, ten words", _noise(table, columns[NESTED], noise)]
    parts += ["## Features", table.summary().to_markdown()]
    return "\n\n".join(parts) + "\n"


def best_first(table: FeatureTable, estimates: Mapping[str, Floats]) -> list[str]:
    """Order estimators as those are that ship: by their mean error over languages."""
    raw, names = table.column("cnpmi"), np.array(table.languages)
    common = ~np.isnan(np.array([raw, *estimates.values()])).any(axis=0)

    def error(name: str) -> float:
        errors = np.abs(estimates[name] - table.target)
        spoken = np.unique(names[common])
        return float(np.mean([errors[common & (names == one)].mean() for one in spoken]))

    return sorted(estimates, key=error)


def first_known(columns: Sequence[Floats]) -> Floats:
    """Return for each row the first estimate that there is."""
    estimates = columns[0].copy()
    for column in columns[1:]:
        lacking = np.isnan(estimates)
        estimates[lacking] = column[lacking]
    return estimates


def _interval(value: float, low: float, high: float) -> str:
    return f"{value:.2f} [{low:.2f}, {high:.2f}]"


def _languages(evaluation: EstimatorEvaluation) -> str:
    """Return a table with a row a language: topics, then models."""
    rows = {(row.language, row.level): row for row in evaluation}
    lines = []
    for language in dict.fromkeys(row.language for row in evaluation):
        topic, model = rows[language, "topic"], rows[language, "model"]
        if not topic.n:
            continue
        lines.append(
            [language, str(topic.n), *_cells(topic), _share(topic.coverage), *_cells(model)]
        )
    what = ["Bible", "estimate", "difference"]
    return _table(
        ["language", "rows", *what, "in interval", *(f"models: {w}" for w in what)], lines
    )


def _cells(row: EvaluatedLanguage) -> list[str]:
    """Return r of both and their difference; ° is not significant, ↓ significantly worse."""
    significant = row.p_corrected < 0.05 or (row.language == "all" and row.p < 0.05)
    sign = "" if significant and row.difference > 0 else " ↓" if significant else " °"
    return [
        f"{row.raw:.2f}",
        _interval(row.estimate, row.estimate_low, row.estimate_high),
        _interval(row.difference, row.difference_low, row.difference_high) + sign,
    ]


def _share(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.0%}"


def _mean_row(
    evaluation: EstimatorEvaluation, name: str, level: str = "topic"
) -> EvaluatedLanguage:
    return evaluation.row("all", level, name)


def _common(estimates: Mapping[str, Floats], names: Sequence[str]) -> dict[str, Floats]:
    """Leave only rows that all of these have an estimate of."""
    there = ~np.isnan(np.array([estimates[name] for name in names])).any(axis=0)
    return {name: np.where(there, estimates[name], np.nan) for name in names}


def _compared(table: FeatureTable, estimates: Mapping[str, Floats], names: Sequence[str]) -> str:
    """Return a row an estimator: means over languages, at both levels, all cardinalities and 10."""
    given = _common(estimates, names)
    every, ten = (evaluate(table, given, cardinality=c) for c in (None, 10))
    lines = []
    for name in ("raw", *names):
        cells = []
        for evaluation in (every, ten):
            for level in ("topic", "model"):
                row = _mean_row(evaluation, names[0] if name == "raw" else name, level)
                cells.append(
                    _interval(row.raw, row.raw_low, row.raw_high)
                    if name == "raw"
                    else _interval(row.estimate, row.estimate_low, row.estimate_high)
                )
        error = "" if name == "raw" else f"{_mean_row(every, name).mae:.4f}"
        lines.append(["Bible CNPMI" if name == "raw" else name, *cells, error])
    heads = ["", "topics", "models", "topics, C = 10", "models, C = 10", "mean error"]
    return _table(heads, lines)


def _ablation(table: FeatureTable, estimates: Mapping[str, Floats]) -> Iterator[str]:
    names = [f"{BEST} {sign}{group}" for sign in "+-" for group in FOUR]
    yield _compared(table, estimates, [f"{PAPER} +{FOUR[0]}", f"{PAPER} +{FOUR[-1]}", *names])


def _learners(table: FeatureTable, estimates: Mapping[str, Floats]) -> Iterator[str]:
    names = [f"{learner} +{FOUR[-1]}" for learner in (PAPER, *OTHERS)]
    yield _compared(table, estimates, [*names, *(f"{name} open" for name in names)])
    evaluation = evaluate(table, _common(estimates, names), against=names[0])
    for name in names[1:]:
        row = _mean_row(evaluation, name)
        difference = _interval(row.difference, row.difference_low, row.difference_high)
        yield f"{name} - {names[0]} at topic level: {difference}"


def _nested(
    table: FeatureTable,
    nested: Sequence[Variant],
    estimates: Mapping[str, Floats],
    best: Sequence[str],
) -> Iterator[str]:
    yield _compared(table, estimates, best)
    for one in nested:
        share = (~np.isnan(estimates[one.name])).mean()
        yield f"{one.name}: {share:.1%} of rows; {', '.join(resources(one.features)) or 'nothing'}"


def _noise(table: FeatureTable, estimates: Floats, noise: Noise) -> str:
    """Return how reliable targets are, and the difference when articles are drawn."""
    ten = table.cardinalities == 10
    models, names = np.array(table.models), np.array(table.languages)
    raw = np.where(np.isnan(estimates), np.nan, table.column("cnpmi"))
    lines = []
    for language, (drawn_models, values) in noise.items():
        mine = ten & (names == language)
        place = {key: k for k, key in enumerate(_keys(drawn_models))}
        targets = values[:, [place[key] for key in _keys(models[mine].tolist())]]
        whole = table.target[mine]
        assert np.array_equal(np.isnan(targets[0]), np.isnan(whole)), language
        assert np.nanmax(np.abs(targets[0] - whole)) < 1e-5, language
        halves = targets[1 : 1 + 2 * SPLITS]
        half = float(
            np.mean([_r(one, other) for one, other in zip(halves[::2], halves[1::2], strict=True)])
        )
        reliability = 2 * half / (1 + half)
        drawn = targets[1 + 2 * SPLITS :]
        differences = [_r(estimates[mine], y) - _r(raw[mine], y) for y in drawn]
        low, high = np.percentile(differences, [2.5, 97.5])
        r = [_r(column, whole) for column in (raw[mine], estimates[mine])]
        lines.append(
            [
                language,
                f"{reliability:.2f}",
                f"{np.sqrt(max(reliability, 0)):.2f}",
                *(f"{value:.2f}" for value in r),
                f"[{low:.2f}, {high:.2f}]",
            ]
        )
    heads = [
        "language",
        "reliability",
        "highest r",
        "Bible",
        "estimate",
        "difference, articles drawn",
    ]
    return _table(heads, lines)


def _keys(models: Sequence[str]) -> list[tuple[str, int]]:
    """Number the topics of each model, in their order."""
    seen: dict[str, int] = {}
    keys = []
    for model in models:
        keys.append((model, seen.get(model, 0)))
        seen[model] = seen.get(model, 0) + 1
    return keys


def _r(one: Floats, other: Floats) -> float:
    known = ~(np.isnan(one) | np.isnan(other))
    return float(np.corrcoef(one[known], other[known])[0, 1])
