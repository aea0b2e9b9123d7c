"""``correlate``: how well every metric agrees with people."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np

from tealeaves.errors import InputError, TealeavesWarning, did_you_mean
from tealeaves.judgments.correlation.ceilings import Ceilings, careless_notes, ceilings_of
from tealeaves.judgments.correlation.correlations import Correlation, Correlations
from tealeaves.judgments.correlation.index import ScoreIndex
from tealeaves.judgments.correlation.matching import Matched
from tealeaves.judgments.correlation.pairs import pair_tests
from tealeaves.judgments.correlation.parts import parts_of
from tealeaves.judgments.correlation.plan import FEWEST, Plan, read_plan
from tealeaves.judgments.correlation.remarks import FEW, remark_on, remarks
from tealeaves.judgments.correlation.samples import Group, groups_of
from tealeaves.judgments.given import given_judgments
from tealeaves.judgments.judgments import Judgments
from tealeaves.metrics.reading import read_scores
from tealeaves.metrics.scores import Scores
from tealeaves.statistics.correction import correct_p


def correlate(
    scores: Any,
    judgments: Any,
    *,
    scale: str | None = None,
    metrics: Iterable[str] | None = None,
    progress: bool = False,
    **given: Any,
) -> Correlations:
    """Correlate metrics with people, for each data set and task.

    ``scores`` are :class:`Scores`, a file of them, or a data frame; ``judgments`` are
    :class:`Judgments`, a file or a data frame.

    ``given`` are the fields of :class:`~tealeaves.judgments.correlation.plan.Plan`: ``by`` topic or
    model, ``coefficients``, ``control`` (a metric to hold fast), ``within`` ("model": the topics of
    each model apart), ``pool`` (all data sets as one, standardised in each), ``draws``,
    ``permutations``, ``seed``, ``level``, ``correction``, ``near`` (Jaccard index from which topics
    are nearly the same), ``bins`` and ``noise_correction`` of phi_K, ``pairs`` (test all pairs of
    metrics) and ``versus`` (test one metric against all others).
    """
    plan = read_plan(**given)
    people = given_judgments(judgments, scale)
    if not len(people.topics_only):
        raise InputError(f"all {len(people)} judgments are of items that only test attention")
    index = ScoreIndex(scores if isinstance(scores, Scores) else read_scores(scores))
    chosen = _chosen(index, metrics, plan)
    parts, notes = parts_of(people, index, chosen, plan)
    steps, more = _steps(parts, people, plan)
    rows: list[Correlation] = []
    for part, name, groups, ceilings in _tracked(steps, progress=progress):
        rows += _rows(part, name, groups, plan, ceilings)
    _warn_of_few(rows)
    better = {name: index.scores.better.get(name, "") for name in chosen}
    pairs = []
    if plan.pairs or plan.versus:
        pairs = [test for part in parts for test in pair_tests(part, plan, better)]
    said = [*people.notes, *index.scores.notes, *notes, *more, *remarks(rows, better, plan)]
    notes = list(dict.fromkeys(said))
    parts = [part.with_lines(plan.level) for part in parts]
    return Correlations(rows, pairs=pairs, parts=parts, better=better, notes=notes, plan=plan)


def _chosen(index: ScoreIndex, asked: Iterable[str] | None, plan: Plan) -> list[str]:
    """Return the metrics that are asked for, and those that others are compared with."""
    names = list(index.metrics) if asked is None else [_label(name, index) for name in asked]
    names += [_label(name, index) for name in (plan.control, plan.versus) if name]
    return list(dict.fromkeys(names))


def _label(name: str, index: ScoreIndex) -> str:
    if name in index.metrics:
        return name
    why = next((f": {note}" for note in index.scores.notes if name in note.split()), "")
    hint = did_you_mean(name, index.metrics)
    raise InputError(f"no scores of {name}{hint} (there are {', '.join(index.metrics)}){why}")


Groups = dict[str, list[Group]]
_Step = tuple[Matched, str, Groups, Ceilings]


def _steps(
    parts: Iterable[Matched], people: Judgments, plan: Plan
) -> tuple[list[_Step], list[str]]:
    """Return what is to be computed: each coefficient, of the same groups of metrics."""
    found, notes = [], careless_notes(people)
    for part in parts:
        groups = {control: list(groups_of(part, plan, control)) for control in {"", plan.control}}
        ceilings = ceilings_of(people, part)
        name = " ".join(filter(None, (part.dataset, part.task)))
        notes += [f"{name}: {note}" for note in ceilings.notes]
        found += [(part, name, groups, ceilings) for name in plan.coefficients]
    return found, notes


def _tracked(steps: Sequence[_Step], *, progress: bool) -> Iterable[_Step]:
    from tqdm.auto import tqdm

    bar: Iterable[_Step] = tqdm(
        steps, desc="correlating", unit="step", disable=not progress, leave=False
    )
    return bar


def _rows(
    part: Matched, name: str, groups: Groups, plan: Plan, ceilings: Ceilings
) -> list[Correlation]:
    """Return one coefficient of all metrics, corrected for their number."""
    found: list[Correlation] = []
    ceiling = ceilings.one_with_others.get(name, math.nan)
    attainable = ceilings.attainable if name == "pearson" else math.nan
    for control in sorted(groups):
        if control and name == "phik":
            continue
        rows = {
            row.metric: row
            for group in groups[control]
            for row in _group_rows(group, part, name, control)
        }
        ordered = [rows[metric] for metric in part.scores if metric in rows]
        p = correct_p(np.array([row.p for row in ordered]), plan.correction)
        found += [
            msgspec.structs.replace(
                row, p_corrected=float(value), ceiling=ceiling, attainable=attainable
            )
            for row, value in zip(ordered, p, strict=True)
        ]
    return found


def _group_rows(group: Group, part: Matched, name: str, control: str) -> list[Correlation]:
    plan = group.plan
    common: dict[str, Any] = {
        "dataset": part.dataset,
        "task": part.task,
        "model": part.model,
        "by": part.by,
        "coefficient": name,
        "control": control,
        "n": group.n,
        "dropped": len(part) - group.n,
        "clusters": group.number_of_clusters,
        "correction": plan.correction,
        "bins": plan.bins if name == "phik" else None,
        "noise_correction": plan.noise_correction if name == "phik" else None,
    }
    if not group.enough:
        few = f"fewer than {FEWEST} {part.by}s" if group.n < FEWEST else "nearly all the same"
        return [Correlation(**common, metric=metric, remark=few) for metric in group.metrics]
    found, p = group.found(name), group.p(name)
    rows = []
    for number, metric in enumerate(group.metrics):
        value = float(found.values[number])
        low, high = found.interval(number, plan.level)
        rows.append(
            Correlation(
                **common,
                metric=metric,
                value=value,
                low=low,
                high=high,
                p=float(p[number]) if not math.isnan(value) else math.nan,
                draws=plan.draws_of(name),
                permutations=plan.permutations_of(name),
                remark=remark_on(group, number, value, name),
            )
        )
    return rows


def _warn_of_few(rows: Iterable[Correlation]) -> None:
    few = [row.n for row in rows if row.coefficient == "phik" and 0 < row.n < FEW]
    if few:
        warnings.warn(
            f"phi_K of {min(few)} values says little: with 10 bins independent values reach .24 on "
            "average at n = 33, and .49 in one of twenty cases at n = 100; look at n and p",
            TealeavesWarning,
            stacklevel=3,
        )
