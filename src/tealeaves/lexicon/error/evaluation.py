"""``Evaluation``: the errors of models, beside those of simple answers, and which models differ."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.lexicon.annotation.annotation import Annotation, in_split
from tealeaves.lexicon.error.extraction_error import Series
from tealeaves.lexicon.error.matching import match
from tealeaves.lexicon.error.means import LemmaBootstrap, grids_of
from tealeaves.lexicon.error.measures import LemmaError, Pair, lemma_errors
from tealeaves.lexicon.error.summaries import (
    Difference,
    ErrorSummary,
    EvaluationPlan,
    differences_of,
    flat,
    letters_of,
    summaries_of,
)
from tealeaves.lexicon.error.tables import (
    difference_table,
    lemma_table,
    notes_of,
    summary_table,
)
from tealeaves.lexicon.extraction.registry import paper_name
from tealeaves.lexicon.extraction.result import Extraction
from tealeaves.tables.table import Table
from tealeaves.tables.tidy import Tidy, json_row

_CORRECTIONS = {
    "holm": "p corrected by Holm",
    "bh": "p corrected by Benjamini and Hochberg",
    "none": "p not corrected",
}


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

    For several languages see :func:`evaluate_rows`, for saved extractions
    :func:`evaluate_extractions`.

    Parameters
    ----------
    series
        For each model and each lemma two series of the same length: what was extracted, and what
        was annotated.
    pos
        The parts of speech of lemmas, if they are known.
    forms
        For each lemma the annotated words as they stand in the text, if they are known: the error
        of an answer with these expressions is shown beside those of models.
    target
        The target language.
    draws
        The number of samples of the bootstrap over lemmas, and of patterns of signs.
    level
        The level of intervals; a difference is significant if the corrected p is 1 - ``level`` or
        less.
    correction
        The correction of p over all pairs of models: ``holm``, ``bh`` or ``none``.
    seed
        Where random numbers start.

    >>> annotated = [{"x"}, {"x"}, {"y"}]
    >>> right, same = [{"a"}, {"a"}, {"b"}], [{"a"}, {"a"}, {"a"}]
    >>> evaluation = evaluate({"l": {"hand": (right, annotated)}, "m": {"hand": (same, annotated)}})
    >>> [(row.model, row.error) for row in evaluation.summaries]
    [('l', 0.0), ('m', 0.666667)]
    >>> [(row.model, row.error) for row in evaluation.lines]
    [('all same', 0.666667), ('all different', 0.333333)]
    """
    plan = EvaluationPlan(draws=draws, level=level, correction=correction, seed=seed)
    return evaluate_rows(lemma_errors(series, pos, forms=forms, target=target), plan)


def evaluate_rows(
    rows: Iterable[LemmaError], plan: EvaluationPlan | None = None, notes: Sequence[str] = ()
) -> Evaluation:
    """Evaluate models whose lemmas are measured already, in one target language or several.

    The mean of a language is over its lemmas, the total over languages. Lemmas with fewer than two
    tokens are left out, and counted.
    """
    all_rows, plan = list(rows), plan or EvaluationPlan()
    _check_unique(all_rows)
    measured = [row for row in all_rows if not math.isnan(row.measures.error)]
    if not measured:
        raise InputError("no lemma has two tokens or more: the error compares pairs of tokens")
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


def _check_unique(rows: Sequence[LemmaError]) -> None:
    seen: set[tuple[str, str, str]] = set()
    for row in rows:
        names = (row.model, row.target, row.lemma)
        if names in seen:
            where = f" in {row.target}" if row.target else ""
            raise InputError(f"{row.lemma!r}{where} is there twice for {row.model}: keep one")
        seen.add(names)


def evaluate_extractions(
    extractions: Iterable[Extraction],
    annotations: Iterable[Annotation],
    *,
    split: str | None = None,
    draws: int = 10_000,
    level: float = 0.95,
    correction: str = "holm",
    seed: int = 0,
) -> Evaluation:
    """Evaluate extractions of one or several models and target languages.

    Models are compared on the tokens that are annotated and that all of them extracted; notes say
    how many tokens are missing on a side.

    Parameters
    ----------
    extractions
        What :func:`read_extractions` reads, or :func:`extract` returns.
    annotations
        What :func:`read_sheets` reads.
    split
        Only the lemmas that the sheets put into a split: ``dev``, ``test`` or ``mixed``.
    draws, level, correction, seed
        As for :func:`evaluate`.
    """
    plan = EvaluationPlan(draws=draws, level=level, correction=correction, seed=seed)
    matched, notes = match(extractions, _annotated_split(list(annotations), split))
    rows = [
        row
        for one in matched
        for row in lemma_errors(one.series, one.pos, forms=one.forms, target=one.target)
    ]
    return evaluate_rows(rows, plan, notes)


def _annotated_split(annotations: Sequence[Annotation], split: str | None) -> list[Annotation]:
    """Return the annotations of a split; raise if only other splits are annotated."""
    chosen = in_split(annotations, split)
    counts = Counter(one.split or "no split" for one in annotations if one.is_annotated)
    if counts and not any(one.is_annotated for one in chosen):
        splits = ", ".join(f"{count:,} in {name}" for name, count in sorted(counts.items()))
        raise InputError(
            f"none of the {len(chosen):,} tokens in the split {split!r} is annotated yet; of all "
            f"splits {counts.total():,} are: {splits}"
        )
    return chosen


class Evaluation(Tidy):
    """Models in one target language or several: the means of their errors, and how they differ.

    Its rows are ``summaries``, the means of models, and ``lines``, those of simple answers: over
    everything, by language, by part of speech. ``rows`` has each lemma, ``differences`` each two
    models, ``plan`` how they were compared. ``by_pos``, ``by_target``, ``by_lemma`` and ``pairs``
    show other rows.
    """

    def __init__(
        self,
        rows: Sequence[LemmaError],
        summaries: Sequence[ErrorSummary],
        lines: Sequence[ErrorSummary],
        differences: Sequence[Difference],
        *,
        plan: EvaluationPlan,
        notes: Sequence[str] = (),
    ) -> None:
        self.rows = list(rows)
        self.summaries = list(summaries)
        self.lines = list(lines)
        self.differences = list(differences)
        self.plan = plan
        self.notes = list(notes)

    @property
    def models(self) -> list[str]:
        """The names of the models, in the order given."""
        return list(dict.fromkeys(row.model for row in self.summaries))

    @property
    def targets(self) -> list[str]:
        """The target languages."""
        return list(dict.fromkeys(row.target for row in self.summaries if row.target is not None))

    @property
    def pos(self) -> list[str]:
        """The parts of speech, if there are several."""
        return list(dict.fromkeys(row.pos for row in self.summaries if row.pos is not None))

    def summary(
        self, model: str, target: str | None = None, pos: str | None = None
    ) -> ErrorSummary:
        """Return the mean of a model or simple answer, over all or of one language and part."""
        wanted = (self._model_name(model), self._target_name(target), pos)
        for row in [*self.summaries, *self.lines]:
            if (row.model, row.target, row.pos) == wanted:
                return row
        named = " ".join(filter(None, (model, target, pos)))
        raise InputError(
            f"no mean of {named}; there are the models {', '.join(self.models)}, the languages "
            f"{', '.join(self.targets)} and the parts of speech {', '.join(self.pos) or '(one)'}"
        )

    def difference(self, model_a: str, model_b: str) -> Difference:
        """Return the row of two models, in the order in which they were given."""
        names = (self._model_name(model_a), self._model_name(model_b))
        for row in self.differences:
            if (row.model_a, row.model_b) == names:
                return row
        raise InputError(
            f"{model_a} and {model_b} were not compared in this order; there are the models "
            f"{', '.join(self.models)}"
        )

    def selected(self, target: str | None = None, pos: str | None = None) -> list[ErrorSummary]:
        """Return the means of models, then of simple answers, over all or of one language."""
        wanted = (self._target_name(target), pos)
        both = [*self.summaries, *self.lines]
        return [row for row in both if (row.target, row.pos) == wanted]

    def _model_name(self, model: str) -> str:
        """Return the name here of a model that is given as expression: ``l`` is ``L``."""
        return model if model in self.models else paper_name(model)

    def _target_name(self, target: str | None) -> str | None:
        """Return the target; if there is a single language, it stands for all."""
        return self.targets[0] if target is None and len(self.targets) == 1 else target

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a row for each mean: of models first, then of simple answers."""
        return [flat(row) for row in [*self.summaries, *self.lines]]

    @property
    def content(self) -> dict[str, Any]:
        """The JSON object: means, differences, lemmas, the plan, and notes."""
        return {
            "rows": [json_row(row) for row in self.to_dicts()],
            "differences": [json_row(msgspec.structs.asdict(row)) for row in self.differences],
            "lemmas": [json_row(flat(row)) for row in self.rows],
            "plan": msgspec.structs.asdict(self.plan),
            "notes": self.notes,
        }

    def table(self) -> Table:
        """Return the table that is printed: a row for each model, then for each simple answer."""
        by_pos = {pos: self.selected(pos=pos) for pos in self.pos}
        return summary_table(self.selected(), by_pos, ["model"], self.plan)

    @property
    def legend(self) -> list[str]:
        """What the columns are, and what was tested."""
        tested = [f"Models that share a letter do not differ significantly ({self.tested})."]
        lettered = any(row.letters for row in self.summaries)
        over = " The total is the mean over languages." if len(self.targets) > 1 else ""
        return [
            f"E: error of extraction, the mean over lemmas with an interval over lemmas.{over}",
            *(tested if lettered else []),
            "expressed: E on pairs that are expressed on both sides; mismatched: share of pairs "
            "where a token is empty on one side alone; corrected: 1 - E / the lower line; "
            "adjusted: 1 - E / chance.",
            "ARI and V-measure: of tokens with one expression on both sides; empty: share of "
            "tokens with none extracted.",
            *self._empty_line(),
        ]

    def _empty_line(self) -> list[str]:
        shares = {
            f"{100 * row.measures.empty_annotated:.1f} %"
            for row in self.selected()
            if not math.isnan(row.measures.empty_annotated)
        }
        return [f"Annotated as empty: {' or '.join(sorted(shares))} of tokens."] if shares else []

    @property
    def tested(self) -> str:
        """How models were tested, in words."""
        corrected = _CORRECTIONS[self.plan.correction]
        return f"flipped signs of lemmas, {corrected} over all pairs; p ≤ {self.plan.alpha:g}"

    @property
    def by_pos(self) -> EvaluationView:
        """A row for each model and part of speech."""
        rows = [row for pos in [None, *self.pos] for row in self.selected(pos=pos)]
        return EvaluationView(self, rows, summary_table(rows, {}, ["pos", "model"], self.plan))

    @property
    def by_target(self) -> EvaluationView:
        """A row for each model and target language."""
        wanted = [None, *self.targets] if len(self.targets) > 1 else self.targets
        rows = [row for target in wanted for row in self.selected(target)]
        return EvaluationView(self, rows, summary_table(rows, {}, ["target", "model"], self.plan))

    @property
    def by_lemma(self) -> EvaluationView:
        """A row for each model and lemma."""
        return EvaluationView(self, self.rows, lemma_table(self.rows))

    @property
    def pairs(self) -> EvaluationView:
        """A row for each two models."""
        legend = (
            f"Difference of E on the lemmas that both have, a - b; {self.tested}, marked *. "
            "Intervals are not corrected."
        )
        table = difference_table(self.differences, self.plan)
        return EvaluationView(self, self.differences, table, legend=[legend])


class EvaluationView(Tidy):
    """Some rows of an evaluation, with their table; its JSON has the whole evaluation."""

    def __init__(
        self,
        evaluation: Evaluation,
        rows: Sequence[ErrorSummary | LemmaError | Difference],
        table: Table,
        legend: Sequence[str] | None = None,
    ) -> None:
        self.evaluation = evaluation
        self.notes = evaluation.notes
        self._rows, self._table = list(rows), table
        self._legend = evaluation.legend if legend is None else list(legend)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows."""
        return [
            msgspec.structs.asdict(row) if isinstance(row, Difference) else flat(row)
            for row in self._rows
        ]

    @property
    def content(self) -> dict[str, Any]:
        """The JSON object of the evaluation, with these rows."""
        return self.evaluation.content | {"rows": [json_row(row) for row in self.to_dicts()]}

    def table(self) -> Table:
        """Return the table that is printed."""
        return self._table

    @property
    def legend(self) -> list[str]:
        """What the columns are."""
        return self._legend
