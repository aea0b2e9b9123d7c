"""Evaluate models: the errors of their lemmas, means with intervals, and tests between models."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from tealeaves.errors import InputError
from tealeaves.lexicon.dataset.annotation import Annotation
from tealeaves.lexicon.error.averaging import grids_of
from tealeaves.lexicon.error.bootstrap import LemmaBootstrap
from tealeaves.lexicon.error.comparing import differences_of, letters_of
from tealeaves.lexicon.error.evaluation import Evaluation
from tealeaves.lexicon.error.kinds import Series
from tealeaves.lexicon.error.matching import match
from tealeaves.lexicon.error.notes import notes_of
from tealeaves.lexicon.error.rows import LemmaError, Pair, lemma_errors
from tealeaves.lexicon.error.summaries import Plan
from tealeaves.lexicon.error.summarising import summaries_of
from tealeaves.lexicon.extraction.extracted import Extraction


def evaluate(
    series: Mapping[str, Mapping[str, Pair]],
    pos: Mapping[str, str] | None = None,
    *,
    forms: Mapping[str, Series] | None = None,
    target: str = "",
    draws: int = 10_000,
    level: float = 0.95,
    correction: str = "holm",
    seed: int = 0,
) -> Evaluation:
    """Evaluate models in one target language.

    For several languages see :func:`evaluate_rows`, for extractions as they are saved
    :func:`evaluate_extractions`.

    Parameters
    ----------
    series
        For each model and each lemma two equally long series: what was extracted, and what people
        annotated.
    pos
        The part of speech of lemmas, where it is known.
    forms
        For each lemma the annotated words as they stand in the text, where these are known: an
        answer that takes them for expressions is a line to hold models against.
    target
        The target language.
    draws
        Samples of the bootstrap over lemmas, and patterns of signs where there are more of them.
    level
        The level of intervals; a difference is significant where p, corrected, is 1 less this, or
        less.
    correction
        ``holm``, ``bh`` or ``none``: of p, over all pairs of models.
    seed
        Where random numbers start.

    >>> annotated = [{"x"}, {"x"}, {"y"}]
    >>> right, same = [{"a"}, {"a"}, {"b"}], [{"a"}, {"a"}, {"a"}]
    >>> found = evaluate({"l": {"hand": (right, annotated)}, "m": {"hand": (same, annotated)}})
    >>> [(row.model, row.error) for row in found.summaries]
    [('l', 0.0), ('m', 0.666667)]
    >>> [(row.model, row.error) for row in found.lines]
    [('all same', 0.666667), ('all different', 0.333333)]
    """
    plan = Plan(draws=draws, level=level, correction=correction, seed=seed)
    return evaluate_rows(lemma_errors(series, pos, forms=forms, target=target), plan)


def evaluate_rows(
    rows: Iterable[LemmaError], plan: Plan | None = None, notes: Sequence[str] = ()
) -> Evaluation:
    """Evaluate models whose lemmas are measured already, in one target language or several.

    The mean of a language is over its lemmas, the total over languages. Lemmas with fewer than two
    tokens are left out, and counted.
    """
    all_rows, plan = list(rows), plan or Plan()
    _check(all_rows)
    measured = [row for row in all_rows if not math.isnan(row.measures.error)]
    if not measured:
        raise InputError("no lemma has two tokens or more: an error is of pairs of tokens")
    bootstrap = LemmaBootstrap(plan.draws, plan.level, plan.seed)
    grid = grids_of(measured)["error"]
    differences = differences_of(grid, bootstrap, plan)
    summaries, lines = summaries_of(all_rows, bootstrap, letters_of(grid, differences, plan))
    return Evaluation(
        all_rows,
        summaries,
        lines,
        differences,
        plan=plan,
        notes=[*notes, *notes_of(all_rows, differences, plan)],
    )


def _check(rows: Sequence[LemmaError]) -> None:
    seen: set[tuple[str, str, str]] = set()
    for row in rows:
        named = (row.model, row.target, row.lemma)
        if named in seen:
            where = f" in {row.target}" if row.target else ""
            raise InputError(f"{row.lemma!r}{where} is there twice for {row.model}: keep one")
        seen.add(named)


def evaluate_extractions(
    extractions: Iterable[Extraction],
    annotations: Iterable[Annotation],
    *,
    draws: int = 10_000,
    level: float = 0.95,
    correction: str = "holm",
    seed: int = 0,
) -> Evaluation:
    """Evaluate extractions of one or several models and target languages.

    Models are compared on the tokens that are annotated and that all of them extracted; notes say
    how many tokens are missing on a side. See :func:`evaluate` for the other parameters.

    Parameters
    ----------
    extractions
        What :func:`read_extractions` reads, or :func:`extract` returns.
    annotations
        What :func:`read_sheets` reads.
    """
    plan = Plan(draws=draws, level=level, correction=correction, seed=seed)
    found, notes = match(extractions, annotations)
    rows = [
        row
        for one in found
        for row in lemma_errors(one.series, one.pos, forms=one.forms, target=one.target)
    ]
    return evaluate_rows(rows, plan, notes)
