"""``compare``: score several models in one reading of the corpus, and test their differences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.judgments.comparison.comparison import Comparison, Design
from tealeaves.judgments.comparison.designing import design_of, more_draws
from tealeaves.judgments.comparison.families import names_read
from tealeaves.judgments.comparison.groups import groups_of_runs, groups_of_topics
from tealeaves.judgments.comparison.pairwise import compare_groups
from tealeaves.judgments.comparison.wording import MOST_NAMED
from tealeaves.metrics.evaluation import DEFAULT_METRICS, score
from tealeaves.metrics.scores import Scores
from tealeaves.tables.numbers import list_text
from tealeaves.topics.reading import read_models
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    import os

    from tealeaves.evidence.counts import Counts
    from tealeaves.metrics.base import Metric
    from tealeaves.text.corpus import Corpus, Text
    from tealeaves.text.pipeline import Pipeline


def compare(
    models: Any,
    corpus: Corpus | str | os.PathLike[str] | Iterable[Text] | None = None,
    metrics: str | Metric | Iterable[str | Metric] = DEFAULT_METRICS,
    *,
    counts: Counts | Iterable[Counts] | str | os.PathLike[str] | None = None,
    tokens: str | Pipeline | None = None,
    embeddings: Any = None,
    relevance: Any = None,
    reference: Any = None,
    reference_tokens: str | Pipeline | None = None,
    over: str = "auto",
    pairing: str = "auto",
    test: str = "permutation",
    correction: str = "holm",
    level: float = 0.05,
    draws: int | None = None,
    seed: int = 0,
    weight: str | None = None,
    also: str | Metric | Iterable[str | Metric] = (),
    threads: int | None = None,
    progress: bool = False,
) -> Comparison:
    """Compare several models on several metrics, reading the corpus once.

    Parameters
    ----------
    models, corpus, metrics, counts, tokens, embeddings, relevance, reference, reference_tokens
        As of :func:`tealeaves.score`, and so are also, threads and progress.
    over
        What the units are: ``topics`` of each model, or ``seeds``, several runs of each family;
        ``auto`` takes seeds where at least two families have two runs or more.
    pairing
        Which units stand side by side: topics ``matched`` by their words or of the same ``id``,
        runs of the same seed (``id``), or ``none``; ``auto`` matches topics where there are equally
        many, and runs where their seeds are the same, unless so few pairs could never differ.
    test
        ``permutation``, ``t`` or ``wilcoxon``.
    correction
        Of p over the pairs of models within each metric: ``holm``, ``bh`` or ``none``.
    level
        The p at or below which a difference is significant; intervals are of 1 - level.
    draws, seed
        Of the permutations and of the bootstrap. By default 10,000, and more permutations where
        p is corrected for many pairs.
    weight
        ``"documents"`` weights the topics of each run, over seeds only.

    >>> from tealeaves import demo
    >>> found = compare(demo.models(), demo.corpus(), "npmi@10")
    >>> [(row.model, row.letters) for row in found.summary]
    [('good', 'a'), ('middling', 'b'), ('shuffled', 'c')]
    """
    judged = read_models(models)
    design = design_of(judged, over, pairing, test, correction, level, draws, seed)
    if weight is not None and design.over == "topics":
        raise InputError(
            f"weight={weight}: tests over topics are of plain means; leave it out, or give several "
            "runs of each model and compare over seeds"
        )
    scores = score(
        judged,
        corpus,
        metrics,
        tokens=tokens,
        counts=counts,
        embeddings=embeddings,
        relevance=relevance,
        reference=reference,
        reference_tokens=reference_tokens,
        weight=weight,
        also=also,
        threads=threads,
        progress=progress,
    )
    return _compared(scores, judged, design)


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
    """Compare models by scores at hand, which must have the rows of topics and of models.

    The options are those of :func:`compare`.
    """
    judged = read_models(list(models))
    design = design_of(judged, over, pairing, test, correction, level, draws, seed)
    return _compared(scores, judged, design)


def _compared(scores: Scores, models: Sequence[Topics], design: Design) -> Comparison:
    if design.over == "topics":
        groups, whole = groups_of_topics(scores, models)
        notes = _of_whole_models(whole)
        if not groups[0].values:
            raise InputError(f"nothing can be compared over topics: {notes[0]}")
    else:
        groups, notes = groups_of_runs(scores, models), names_read(models)
    found = compare_groups(groups, scores.better, design, scores.notes)
    said = [*scores.notes, *notes, *more_draws(design), *found.notes]
    found.notes = list(dict.fromkeys(said))
    found.scores = scores
    return found


def _of_whole_models(metrics: Sequence[str]) -> list[str]:
    if not metrics:
        return []
    judge = "judges" if len(metrics) == 1 else "judge"
    return [
        f"{list_text(metrics, MOST_NAMED)} {judge} models as a whole, so there is no test over "
        "topics; several runs of each model can be compared over seeds"
    ]
