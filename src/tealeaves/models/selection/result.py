"""``Selection``: what the models of a grid scored, and which of them to take."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tealeaves.models.selection.candidates import (
    LEVEL,
    Candidate,
    PooledVariance,
    TrainedRun,
    with_means,
)
from tealeaves.tables.formats import plain_table
from tealeaves.tables.table import Cell, Table
from tealeaves.tables.tidy import Tidy

if TYPE_CHECKING:
    from tealeaves.metrics.scores import Scores
    from tealeaves.topics.topics import Topics


@dataclass(frozen=True)
class IntervalCell(Cell):
    """A mean with half the width of its interval, if it has one."""

    half: float = math.nan

    def __str__(self) -> str:
        """Write the mean, ± and the support if it is below 1."""
        text = super().__str__()
        if math.isnan(self.value) or math.isnan(self.half):
            return text
        number, space, share = text.partition(" ")
        return f"{number} ± {self.half:.4f}{space}{share}"


@dataclass(init=False, eq=False, repr=False)
class Selection(Tidy):
    """The candidates, compared by the first metric's mean over runs.

    ``best`` has the best mean; it is None if no candidate has a finite mean. ``as_good`` are those
    that are not clearly worse, ordered by their number of topics: the 95 % interval of the
    difference, with the variance of runs pooled over all candidates, includes 0. The intervals of
    the means use the same variance: ``spreads`` has it for each metric. Means, intervals and
    ``not_clearly_worse``, the places of ``as_good`` among the candidates, are computed once, when
    the selection is made. ``trained`` holds the topics of each run by its label, ``scores`` the
    scores of all runs and their topics; they are not saved with it.
    """

    candidates: list[Candidate]
    better: dict[str, str]
    weight: str | None
    tokens: str
    spreads: dict[str, PooledVariance]
    not_clearly_worse: list[int]
    notes: list[str]

    def __init__(
        self,
        candidates: Sequence[Candidate],
        better: dict[str, str],
        *,
        trained: Mapping[str, Topics],
        weight: str | None,
        tokens: str,
        scores: Scores | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self.better = dict(better)
        self.candidates, self.spreads = with_means(candidates, self.better)
        self.trained: Mapping[str, Topics] = trained
        self.weight = weight
        self.tokens = tokens
        self.scores: Scores | None = scores
        self.notes = list(notes)
        self.not_clearly_worse = self._not_clearly_worse()

    def __post_init__(self) -> None:  # of a selection that was read from a file
        self.trained, self.scores = {}, None

    @property
    def criterion(self) -> str:
        """The metric that decides: the first."""
        return next(iter(self.better))

    def _gain(self, value: float) -> float:
        """Return a value so that more is better and NaN is worst."""
        signed = value if self.better[self.criterion] == "higher" else -value
        return -math.inf if math.isnan(signed) else signed

    @cached_property
    def best(self) -> Candidate | None:
        """The candidate with the best mean; of equals the one with fewer topics."""

        def gain(candidate: Candidate) -> tuple[float, int]:
            return self._gain(candidate.means[self.criterion].value), -candidate.k

        return max(self.comparable, key=gain, default=None)

    @property
    def best_run(self) -> TrainedRun | None:
        """The best run of the best candidate."""
        return None if self.best is None else self.best_of(self.best)

    def best_of(self, candidate: Candidate) -> TrainedRun:
        """Return the best run of a candidate."""
        return max(candidate.runs, key=lambda run: self._gain(run.values[self.criterion]))

    @property
    def ranking(self) -> list[Candidate]:
        """The candidates whose mean is finite, the best first; of equals the first."""
        return sorted(
            self.comparable,
            key=lambda candidate: self._gain(candidate.means[self.criterion].value),
            reverse=True,
        )

    @property
    def best_topics(self) -> Topics | None:
        """The topics of the best run."""
        return None if self.best_run is None else self.trained[self.best_run.label]

    @property
    def comparable(self) -> list[Candidate]:
        """The candidates whose mean is finite."""
        return [candidate for candidate in self.candidates if candidate.has_value(self.criterion)]

    @property
    def without_value(self) -> list[Candidate]:
        """The candidates that cannot be compared, because their mean is not finite."""
        return [
            candidate for candidate in self.candidates if not candidate.has_value(self.criterion)
        ]

    @property
    def rivals(self) -> list[Candidate]:
        """The candidates that can be compared with the best, by their number of topics."""
        others = [candidate for candidate in self.comparable if candidate is not self.best]
        return sorted(others, key=lambda candidate: candidate.k)

    @property
    def as_good(self) -> list[Candidate]:
        """The rivals that are not clearly worse than the best; none if all have a single run."""
        return [self.candidates[place] for place in self.not_clearly_worse]

    def _not_clearly_worse(self) -> list[int]:
        """Test the rivals against the best; return the places of those that may be as good."""
        if self.best is None:
            return []
        metric = self.criterion
        spread, top = self.spread(metric), self.best.means[metric]
        places = [
            place
            for place, candidate in enumerate(self.candidates)
            if candidate is not self.best
            and spread.clearly_differ(top, candidate.means[metric]) is False
        ]
        return sorted(places, key=lambda place: self.candidates[place].k)

    def spread(self, metric: str) -> PooledVariance:
        """Return the variance of runs, which intervals and comparisons use."""
        return self.spreads[metric]

    def explain(self) -> list[str]:
        """Say which model to take and why, one sentence per line; claim only what was tested."""
        best, run = self.best, self.best_run
        if best is None or run is None:
            return [f"No model has a finite value of {self.criterion}: nothing can be chosen."]
        sentences = [self._choice(best), self._doubt(best), self._not_compared()]
        return [*filter(None, sentences), f"Its best run: {run.path or run.label}"]

    def _choice(self, best: Candidate) -> str:
        metric, mean = self.criterion, best.means[self.criterion]
        weighted = f" (weighted by {self.weight})" if self.weight else ""
        over = f" over {mean.runs} runs" if mean.runs > 1 else ""
        if len(self.candidates) == 1:
            value = f"{mean.value:.4f}"
            return f"Only {best.family} was tried: its {metric}{weighted} is {value}{over}."
        if not self.rivals:
            return f"Take {best.family}: no other has a finite {metric}{weighted}."
        order = "highest" if self.better[metric] == "higher" else "lowest"
        return f"Take {best.family}: its {metric}{weighted} is the {order}{over}."

    def _doubt(self, best: Candidate) -> str:
        """Say which others may be as good."""
        if not self.rivals:
            return ""
        if not self.spread(self.criterion).freedom:
            if all(len(candidate.runs) == 1 for candidate in self.candidates):
                return "A single run does not tell how sure that is: try --runs 3."
            return "No model has values of two runs: how sure that is cannot be known."
        if not self.as_good:
            others = "All others that have a value" if self.without_value else "All others"
            return f"{others} are clearly worse (95 % interval of the difference)."
        listed, least = self._list(self.as_good), self.as_good[0]
        if least.k < best.k:
            return f"Not clearly worse: {listed}; of these {least.family} has the fewest topics."
        return f"Not clearly worse: {listed}; none of these has fewer topics."

    def _not_compared(self) -> str:
        if not self.without_value:
            return ""
        listed = self._list(self.without_value)
        return f"Not compared, without a finite value of {self.criterion}: {listed}."

    def _list(self, candidates: Iterable[Candidate]) -> str:
        is_one_kind = len({candidate.kind for candidate in self.candidates}) == 1
        return ", ".join(
            f"k={candidate.k}" if is_one_kind else candidate.family for candidate in candidates
        )

    @property
    def legend(self) -> list[str]:
        """What ± means in the table; empty if no mean has an interval."""
        if not any(spread.freedom for spread in self.spreads.values()):
            return []
        return [
            "±: 95 % interval, variance of runs pooled over all candidates; means of equally many "
            "runs differ clearly if they are more than 1.41 times that apart."
        ]

    # ------------------------------------------------------------------ tables

    def table(self) -> Table:
        """Return the table that is printed: one row per candidate, one column per metric."""
        arrows = {"higher": "↑", "lower": "↓"}
        rows = []
        for candidate in self.candidates:
            cells: list[Cell] = []
            for name, mean in candidate.means.items():
                best = name == self.criterion and candidate is self.best
                cells.append(IntervalCell(mean.value, mean.support, best, half=mean.half))
            rows.append(([candidate.kind, str(candidate.k)], cells))
        return Table(
            ["model", "k"], list(self.better), [arrows[b] for b in self.better.values()], rows
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a row for each candidate and metric; ``runs`` counts those with a value."""
        return [
            {
                "model": candidate.kind,
                "k": candidate.k,
                "metric": name,
                "mean": mean.value,
                "low": mean.low,
                "high": mean.high,
                "runs": mean.runs,
                "values": [run.values[name] for run in candidate.runs],
                "support": mean.support,
                "chosen": candidate is self.best,
            }
            for candidate in self.candidates
            for name, mean in candidate.means.items()
        ]

    @property
    def content(self) -> dict[str, Any]:
        """What is written as JSON; ``best`` is null if nothing is chosen."""
        best = None
        if self.best is not None and self.best_run is not None:
            best = {
                "model": self.best.family,
                "run": self.best_run.label,
                "file": str(self.best_run.path or ""),
                "not_clearly_worse": [candidate.family for candidate in self.as_good],
                "not_compared": [candidate.family for candidate in self.without_value],
                "level": LEVEL,
            }
        notes = [*self.explain(), *self.notes]
        return {"rows": super().content["rows"], "best": best, "notes": notes}

    def __str__(self) -> str:
        lines = [plain_table(self.table()), *self.legend, "", *self.explain(), *self.notes]
        return "\n".join(lines)
