"""``compare``: score several models in one reading of the corpus, and test their differences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from tealeaves.comparison.design import ComparisonOptions, Design, design_for_models
from tealeaves.comparison.groups import (
    MOST_NAMED,
    Pairing,
    UnitGroup,
    groups_of_runs,
    groups_of_topics,
    notes_on_names,
    pair_runs,
    pair_topics,
)
from tealeaves.comparison.notes import (
    Remarks,
    note_intervals,
    note_letters,
    note_pairing,
    note_power,
    note_sample,
    note_units,
    reach_of,
)
from tealeaves.comparison.result import ComparedModel, Comparison, Pair, UnitValue
from tealeaves.comparison.samples import (
    TwoSamples,
    effect_of,
    interval_of_difference,
    interval_of_mean,
    p_values,
)
from tealeaves.errors import InputError
from tealeaves.evidence.sources import Sources
from tealeaves.metrics.evaluation import score
from tealeaves.metrics.scores import Scores
from tealeaves.parameters import check_keywords
from tealeaves.statistics.correction import correct_p
from tealeaves.statistics.letters import compact_letters
from tealeaves.tables.numbers import list_text
from tealeaves.topics.reading import read_models
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    import os

    from tealeaves.metrics.base import Metric
    from tealeaves.text.corpus import Corpus, Text
    from tealeaves.text.paired.corpus import PairedCorpus


def compare(
    models: Any,
    corpus: Sources | Corpus | PairedCorpus | str | os.PathLike[str] | Iterable[Text] | None = None,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    *,
    over: str = "auto",
    pairing: str = "auto",
    test: str = "permutation",
    correction: str = "holm",
    level: float = 0.05,
    draws: int | None = None,
    seed: int = 0,
    weight: str | None = None,
    also: str | Metric | Iterable[str | Metric] = (),
    strict: bool = False,
    threads: int | None = None,
    progress: bool = False,
    **sources: Any,
) -> Comparison:
    """Compare several models on several metrics, reading the corpus once.

    Parameters
    ----------
    models, corpus, metrics, also, strict, threads, progress
        As for :func:`tealeaves.score`.
    over
        What the units are: ``topics`` of each model, or ``seeds``, several runs of each family;
        ``auto`` takes seeds if at least two families have two runs or more.
    pairing
        Which units belong together: topics ``matched`` by their words or of the same ``id``,
        runs of the same seed (``id``), or ``none``; ``auto`` matches topics if models have equally
        many, and runs if their seeds are the same, unless so few pairs could never differ.
    test
        ``permutation``, ``t`` or ``wilcoxon``.
    correction
        How p is corrected for the number of pairs of models: ``holm``, ``bh`` or ``none``.
    level
        A difference is significant if p is this or less; the level of intervals is 1 minus this.
    draws
        The number of permutations and of bootstrap samples. By default 10,000, and more
        permutations if p is corrected for many pairs.
    seed
        The seed of the permutations and of the bootstrap.
    weight
        ``"documents"`` weights the topics of each run, over seeds only.
    sources
        Whatever else models are judged with (counts, tokens, embeddings, reference …), as for
        :class:`~tealeaves.evidence.sources.Sources`.

    >>> from tealeaves import demo
    >>> comparison = compare(demo.models(), demo.corpus(), "npmi@10")
    >>> [(row.model, row.letters) for row in comparison.summary]
    [('good', 'a'), ('middling', 'b'), ('shuffled', 'c')]
    """
    check_keywords(compare, sources, Sources)
    judged = read_models(models)
    options = ComparisonOptions(pairing, test, correction, level, draws, seed)
    design = design_for_models(judged, over, options)
    if weight is not None and design.over == "topics":
        raise InputError(
            f"weight {weight}: tests over topics are of plain means; leave it out, or give several "
            "runs of each model and compare over seeds"
        )
    scores = score(
        judged,
        Sources.of(corpus, **sources),
        metrics,
        weight=weight,
        also=also,
        strict=strict,
        threads=threads,
        progress=progress,
    )
    return _compare(scores, judged, design)


def compare_scores(
    scores: Scores,
    models: Sequence[Topics],
    *,
    over: str = "auto",
    pairing: str = "auto",
    test: str = "permutation",
    correction: str = "holm",
    level: float = 0.05,
    draws: int | None = None,
    seed: int = 0,
) -> Comparison:
    """Compare models by scores, which must have the rows of topics and of models.

    Parameters
    ----------
    scores
        The scores, as :func:`tealeaves.score` returns them.
    models
        The models that were scored, whose topics are matched.
    over, pairing, test, correction, level, draws, seed
        As for :func:`compare`.
    """
    judged = read_models(list(models))
    options = ComparisonOptions(pairing, test, correction, level, draws, seed)
    design = design_for_models(judged, over, options)
    return _compare(scores, judged, design)


def _compare(scores: Scores, models: Sequence[Topics], design: Design) -> Comparison:
    if design.over == "topics":
        groups, whole = groups_of_topics(scores, models)
        notes = _notes_on_whole_models(whole)
        if not groups[0].values:
            raise InputError(f"nothing can be compared over topics: {notes[0]}")
    else:
        groups, notes = groups_of_runs(scores, models), notes_on_names(models)
    comparison = compare_groups(groups, scores.better, design, scores.notes)
    every = [*scores.notes, *notes, *design.notes, *comparison.notes]
    comparison.notes = list(dict.fromkeys(every))
    comparison.scores = scores
    return comparison


def _notes_on_whole_models(metrics: Sequence[str]) -> list[str]:
    if not metrics:
        return []
    judge = "judges" if len(metrics) == 1 else "judge"
    return [
        f"{list_text(metrics, MOST_NAMED)} {judge} models as a whole, so there is no test over "
        "topics; several runs of each model can be compared over seeds"
    ]


# ---------------------------------------------------------------------- groups


def compare_groups(
    groups: Sequence[UnitGroup],
    better: Mapping[str, str],
    design: Design,
    score_notes: Sequence[str] = (),
) -> Comparison:
    """Compare each two groups on each metric, and summarise each group.

    The notes on the scores are not repeated.
    """
    remarks = Remarks()
    pairings = _pairings(groups, design)
    samples = {
        metric: {
            (a, b): TwoSamples.of(groups[a], groups[b], metric, pairing)
            for (a, b), pairing in pairings.items()
        }
        for metric in groups[0].values
    }
    note_units(groups, design, score_notes, remarks)
    every = [sample for by_pair in samples.values() for sample in by_pair.values()]
    note_intervals(groups, every, design, remarks)
    note_pairing(groups, pairings, remarks)
    pairs, summary = [], []
    for metric in groups[0].shown:
        letters = [""] * len(groups)
        if metric in samples:
            tested = _tested_pairs(groups, metric, samples[metric], pairings, design)
            for row, sample in zip(tested, samples[metric].values(), strict=True):
                note_sample(row, sample, remarks)
            pairs += tested
            known = [sample for sample in samples[metric].values() if not sample.refusal]
            if not note_power(metric, known, design, remarks):
                letters = _letters(groups, metric, tested, better, remarks)
        summary += [
            _summary(group, metric, own, design) for group, own in zip(groups, letters, strict=True)
        ]
    if all(math.isnan(row.p) for row in pairs):
        reasons = [note for note in remarks.notes if "not tested" in note]
        # the first note on a model says why values are missing, such as words not in the corpus
        names = tuple(group.name for group in groups)
        causes = [note for note in score_notes if note.startswith(names)][:1]
        raise InputError(
            f"nothing can be compared over {design.over}: {'; '.join([*reasons, *causes])}"
        )
    return Comparison(
        pairs,
        summary,
        design=design,
        better=dict(better),
        units=list(_unit_values(groups)),
        notes=remarks.notes,
    )


def _pairings(groups: Sequence[UnitGroup], design: Design) -> dict[tuple[int, int], Pairing]:
    pair = pair_topics if design.over == "topics" else pair_runs
    reach = reach_of(groups, design)
    return {
        (a, b): pair(groups[a], groups[b], design.pairing, reach)
        for a, b in combinations(range(len(groups)), 2)
    }


def _tested_pairs(
    groups: Sequence[UnitGroup],
    metric: str,
    samples: Mapping[tuple[int, int], TwoSamples],
    pairings: Mapping[tuple[int, int], Pairing],
    design: Design,
) -> list[Pair]:
    """Test each two groups on one metric, and correct p for all of them."""
    raw = p_values(list(samples.values()), design.test, design.draws, design.seed)
    corrected = correct_p(np.array(raw), design.correction).tolist()
    return [
        msgspec.structs.replace(
            _pair(groups[a], groups[b], metric, sample, pairings[a, b].kind, design),
            p=p,
            p_corrected=p_corrected,
            significant=p_corrected <= design.level,
        )
        for ((a, b), sample), p, p_corrected in zip(samples.items(), raw, corrected, strict=True)
    ]


def _pair(
    a: UnitGroup, b: UnitGroup, metric: str, sample: TwoSamples, pairing: str, design: Design
) -> Pair:
    row = Pair(
        metric=metric,
        model_a=a.name,
        model_b=b.name,
        value_a=a.shown[metric][0],
        value_b=b.shown[metric][0],
        n=sample.n,
        dropped_a=sample.dropped_a,
        dropped_b=sample.dropped_b,
        test=design.test,
        pairing=pairing,
    )
    if sample.refusal:
        return row
    effect = effect_of(sample)
    interval = interval_of_difference(sample, design.bootstrap, design.seed, 1 - design.level)
    return msgspec.structs.replace(
        row,
        difference=sample.difference,
        low=interval.low,
        high=interval.high,
        effect=effect.value,
        effect_name=effect.name,
        cliff_delta=effect.cliff_delta,
    )


def _letters(
    groups: Sequence[UnitGroup],
    metric: str,
    rows: Sequence[Pair],
    better: Mapping[str, str],
    remarks: Remarks,
) -> list[str]:
    """Return the letters of each group; none if it was not tested against any other."""
    places = {group.name: place for place, group in enumerate(groups)}
    different = np.zeros((len(groups), len(groups)), dtype=np.bool_)
    tested: set[str] = set()
    for row in rows:
        a, b = places[row.model_a], places[row.model_b]
        different[a, b] = different[b, a] = row.significant
        if not math.isnan(row.p):
            tested |= {row.model_a, row.model_b}
    note_letters(rows, tested, remarks)
    sign = -1.0 if better.get(metric) == "lower" else 1.0
    worth = [
        sign * group.shown[metric][0] if group.name in tested else math.nan for group in groups
    ]
    return compact_letters(worth, different)


def _summary(group: UnitGroup, metric: str, letters: str, design: Design) -> ComparedModel:
    value, support = group.shown[metric]
    if metric not in group.values:
        return ComparedModel(model=group.name, metric=metric, value=value, support=support)
    values = group.values[metric]
    known = values[~np.isnan(values)]
    interval = interval_of_mean(known, design.bootstrap, design.seed, 1 - design.level)
    return ComparedModel(
        model=group.name,
        metric=metric,
        value=value,
        low=interval.low,
        high=interval.high,
        n=len(known),
        letters=letters,
        support=support,
    )


def _unit_values(groups: Sequence[UnitGroup]) -> Iterable[UnitValue]:
    for group in groups:
        for metric, values in group.values.items():
            for label, value in zip(group.labels, values.tolist(), strict=True):
                yield UnitValue(group.name, metric, label, value)
