"""``Evaluation``: the errors of models, lines to hold them against, and which models differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.lexicon.error.rows import LemmaError
from tealeaves.lexicon.error.summaries import Difference, Plan, Summary, flat
from tealeaves.lexicon.error.tables import difference_table, lemma_table, summary_table
from tealeaves.lexicon.extraction.registry import paper_name
from tealeaves.tables.table import Table
from tealeaves.tables.tidy import Tidy, json_row

CORRECTIONS = {
    "holm": "p corrected after Holm",
    "bh": "p corrected after Benjamini and Hochberg",
    "none": "p not corrected",
}


class Evaluation(Tidy):
    """Models in one target language or several: means of their errors, and how they differ.

    Its rows are ``summaries``, the means of models, and ``lines``, those of simple answers: over
    everything, by language, by part of speech. ``rows`` has each lemma, ``differences`` each two
    models, ``plan`` how they were compared. ``by_pos``, ``by_target``, ``by_lemma`` and ``pairs``
    are the same with another table.
    """

    def __init__(
        self,
        rows: Sequence[LemmaError],
        summaries: Sequence[Summary],
        lines: Sequence[Summary],
        differences: Sequence[Difference],
        *,
        plan: Plan,
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
        """The parts of speech, where there are several."""
        return list(dict.fromkeys(row.pos for row in self.summaries if row.pos is not None))

    def summary(self, model: str, target: str | None = None, pos: str | None = None) -> Summary:
        """Return the mean of a model or line, over all languages and parts of speech or in one."""
        where, called = self._only(target), self._called(model)
        for row in [*self.summaries, *self.lines]:
            if (row.model, row.target, row.pos) == (called, where, pos):
                return row
        named = " ".join(filter(None, (model, target, pos)))
        raise InputError(
            f"no mean of {named}; there are the models {', '.join(self.models)}, the languages "
            f"{', '.join(self.targets)} and the parts of speech {', '.join(self.pos) or '(one)'}"
        )

    def difference(self, model_a: str, model_b: str) -> Difference:
        """Return the row of two models, in the order in which they were given."""
        called = (self._called(model_a), self._called(model_b))
        for row in self.differences:
            if (row.model_a, row.model_b) == called:
                return row
        raise InputError(
            f"{model_a} and {model_b} were not compared in this order; there are the models "
            f"{', '.join(self.models)}"
        )

    def selected(self, target: str | None = None, pos: str | None = None) -> list[Summary]:
        """Return the means of models, then of lines, of one language and part of speech or all."""
        where = self._only(target)
        both = [*self.summaries, *self.lines]
        return [row for row in both if (row.target, row.pos) == (where, pos)]

    def _called(self, model: str) -> str:
        """Return the name here of a model that is given by its expression: ``L`` is ``l``."""
        return model if model in self.models else paper_name(model)

    def _only(self, target: str | None) -> str | None:
        """Return the one language that there is, for all."""
        return self.targets[0] if target is None and len(self.targets) == 1 else target

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a row for each mean: of models first, then of lines."""
        return [flat(row) for row in [*self.summaries, *self.lines]]

    @property
    def content(self) -> dict[str, Any]:
        """What is written as JSON: means, differences, lemmas, the plan, and notes."""
        return {
            "rows": [json_row(row) for row in self.to_dicts()],
            "differences": [json_row(msgspec.structs.asdict(row)) for row in self.differences],
            "lemmas": [json_row(flat(row)) for row in self.rows],
            "plan": msgspec.structs.asdict(self.plan),
            "notes": self.notes,
        }

    def table(self) -> Table:
        """Return the table that is printed: a row a model, then a row a line."""
        by_pos = {pos: self.selected(pos=pos) for pos in self.pos}
        return summary_table(self.selected(), by_pos, ["model"], self.plan)

    @property
    def legend(self) -> list[str]:
        """What the columns are, what was tested, and how far it reaches."""
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
            *self._annotated_empty(),
        ]

    def _annotated_empty(self) -> list[str]:
        shares = {
            f"{100 * row.measures.empty_annotated:.1f} %"
            for row in self.selected()
            if not math.isnan(row.measures.empty_annotated)
        }
        return [f"Annotated as empty: {' or '.join(sorted(shares))} of tokens."] if shares else []

    @property
    def tested(self) -> str:
        """How models were tested, in words."""
        corrected = CORRECTIONS[self.plan.correction]
        return f"flipped signs of lemmas, {corrected} over all pairs; p ≤ {self.plan.alpha:g}"

    @property
    def by_pos(self) -> View:
        """The same with a row for each model and part of speech."""
        rows = [row for pos in [None, *self.pos] for row in self.selected(pos=pos)]
        return View(self, rows, summary_table(rows, {}, ["pos", "model"], self.plan))

    @property
    def by_target(self) -> View:
        """The same with a row for each model and target language."""
        wanted = [None, *self.targets] if len(self.targets) > 1 else self.targets
        rows = [row for target in wanted for row in self.selected(target)]
        return View(self, rows, summary_table(rows, {}, ["target", "model"], self.plan))

    @property
    def by_lemma(self) -> View:
        """The same with a row for each model and lemma."""
        return View(self, self.rows, lemma_table(self.rows))

    @property
    def pairs(self) -> View:
        """The same with a row for each two models."""
        said = (
            f"Difference of E on the lemmas that both have, a - b; {self.tested}, marked *. "
            "Intervals are not corrected."
        )
        table = difference_table(self.differences, self.plan)
        return View(self, self.differences, table, legend=[said])


class View(Tidy):
    """Some rows of an evaluation, and their table; as JSON it is all of the evaluation."""

    def __init__(
        self,
        evaluation: Evaluation,
        rows: Sequence[Summary | LemmaError | Difference],
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
        """What is written as JSON: as of the evaluation, with these rows."""
        return self.evaluation.content | {"rows": [json_row(row) for row in self.to_dicts()]}

    def table(self) -> Table:
        """Return the table that is printed."""
        return self._table

    @property
    def legend(self) -> list[str]:
        """What the columns are."""
        return self._legend
