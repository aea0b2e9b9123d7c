"""``Explanations``: what each feature adds to the estimate of a topic."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import msgspec

from tealeaves.estimator.features.names import group_of
from tealeaves.estimator.predictions import OfTopics, Prediction
from tealeaves.tables.numbers import number_text
from tealeaves.tables.table import Table, text_table

_LEAST = 0.0005  # what adds less is shown as one


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """One topic: its estimate is ``usual`` and the sum of all contributions.

    ``usual`` is the estimate of a topic all whose features are the mean of as many words. Features
    that contribute as one have no value of their own together.
    """

    prediction: Prediction
    usual: float
    values: dict[str, float]
    means: dict[str, float]
    contributions: dict[str, float]

    @property
    def ordered(self) -> list[str]:
        """The features, those that moved the estimate most first."""
        return sorted(self.contributions, key=lambda name: -abs(self.contributions[name]))


class Explanations(OfTopics[Explanation]):
    """Explanations of topics: rows of topics and features."""

    columns = (
        "model", "pivot", "language", "topic", "estimate", "low", "high", "usual", "feature",
        "group", "value", "mean", "contribution", "trusted", "reason",
    )  # fmt: skip

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a row for each topic and feature; a topic without an estimate has one."""
        return [row for one in self.rows for row in _dicts(one)]

    def table(self) -> Table:
        """Return the table that is printed: what moved each estimate most, first."""
        several = len({one.prediction.model for one in self.rows}) > 1
        lines = []
        for one in self.rows:
            name = f"{one.prediction.pivot}-{one.prediction.language} {one.prediction.topic}"
            label = f"{one.prediction.model} {name}" if several else name
            shown = [name for name in one.ordered if abs(one.contributions[name]) >= _LEAST]
            for place, feature in enumerate(shown):
                left = [label if place == 0 else "", feature, group_of(feature)]
                lines.append((left, _cells(one, feature)))
            if rest := [name for name in one.ordered if name not in shown]:
                added = sum(one.contributions[name] for name in rest)
                left = ["" if shown else label, f"{len(rest)} other{'s' * (len(rest) > 1)}", ""]
                lines.append((left, ["", "", f"{added:+.3f}"]))
        columns = ["value", "usual", "adds"]
        return text_table(["topic", "feature", "group"], columns, lines)

    @property
    def legend(self) -> list[str]:
        """How contributions add up, and a sentence on each topic."""
        lines = [
            "adds: Shapley values, beside a topic whose features are all as usual for its number "
            "of words; with its estimate they add up to the topic's"
        ]
        for one in self.rows:
            row = one.prediction
            name = f"{row.model} {row.pivot}-{row.language} {row.topic}"
            words = " / ".join(row.words)
            if math.isnan(row.estimate):
                lines.append(f"{name} ({words}): {row.reason}")
                continue
            lines.append(
                f"{name} ({words}): {number_text(row.estimate)} "
                f"[{number_text(row.low)}, {number_text(row.high)}], of which "
                f"{number_text(one.usual)} is usual. {row.reason}"
            )
        return lines


def _dicts(one: Explanation) -> Iterator[dict[str, Any]]:
    row = one.prediction
    common = {
        name: getattr(row, name)
        for name in ("model", "pivot", "language", "topic", "estimate", "low", "high")
    }
    said = {"trusted": row.trusted, "reason": row.reason}
    for feature in one.ordered or [""]:
        yield {
            **common,
            "usual": one.usual,
            "feature": feature,
            "group": group_of(feature) if feature else "",
            "value": one.values.get(feature, math.nan),
            "mean": one.means.get(feature, math.nan),
            "contribution": one.contributions.get(feature, math.nan),
            **said,
        }


def _cells(one: Explanation, feature: str) -> list[str]:
    known = [one.values.get(feature), one.means.get(feature)]
    shown = ["–" if value is None else f"{value:.4g}" for value in known]
    return [*shown, f"{one.contributions[feature]:+.3f}"]
