"""``Candidate``: the runs of one model with one number of topics."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from tealeaves.models.intervals import Mean, mean_of


@dataclass(frozen=True)
class Run:
    """One trained model: its name, seed, file and score of each metric."""

    label: str
    seed: int
    path: Path | None
    values: dict[str, float]
    support: dict[str, float]


@dataclass(frozen=True)
class Candidate:
    """The runs of one model with one number of topics."""

    kind: str
    k: int
    family: str
    runs: tuple[Run, ...]

    def mean(self, metric: str) -> Mean:
        """Return the mean over the runs that have a value."""
        return mean_of([run.values[metric] for run in self.runs])

    def has_value(self, metric: str) -> bool:
        """Tell whether the mean is a number that others can be compared with."""
        return math.isfinite(self.mean(metric).value)

    def support(self, metric: str) -> float:
        """Return the mean support over runs."""
        return math.fsum(run.support[metric] for run in self.runs) / len(self.runs)
