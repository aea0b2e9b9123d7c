"""Descriptions of metrics, made from what each declares: for people, and for programs."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any

from tealeaves.metrics.base import Metric, bounds_text
from tealeaves.metrics.registry import METRICS, metric

_WIDTH = 100


def list_metrics() -> list[dict[str, Any]]:
    """Return one record for each registered metric.

    >>> [record["name"] for record in list_metrics() if "umass" in record["name"]]
    ['umass']
    """
    return [metric_record(one) for one in METRICS.values()]


def metric_record(spec: str | Metric) -> dict[str, Any]:
    """Return what a metric declares, as plain values.

    >>> metric_record("npmi")["bounds"]
    [-1.0, 1.0]
    """
    one = metric(spec)
    parameters = one.parameters
    return {
        "name": one.name,
        "aliases": list(one.aliases),
        "summary": one.summary,
        "judges": "topics" if one.level == "topic" else "models",
        "better": one.better,
        "bounds": [str(bound) if abs(bound) == float("inf") else bound for bound in one.bounds],
        "needs": one.source,
        "parameters": {parameter.name: parameter.default for parameter in parameters},
        "allowed": {parameter.name: parameter.allowed for parameter in parameters},
        "meanings": {parameter.name: parameter.meaning for parameter in parameters},
        "signature": one.signature,
        "cite": one.cite,
        "formula": one.formula,
        "misleads": one.misleads,
        "details": inspect.cleandoc(one.details),
    }


def describe_metric(spec: str | Metric) -> str:
    """Explain a metric: what it computes, its formula, where it misleads, its parameters.

    Parameters
    ----------
    spec
        The metric, or its expression.
    """
    one = metric(spec)
    judged = "topics, and models by them" if one.level == "topic" else "whole models"
    paragraphs = [
        [f"{one!r}: {one.summary}"],
        [inspect.cleandoc(one.details)],
        _formula(one),
        textwrap.wrap(f"Misleads: {one.misleads}", _WIDTH, break_on_hyphens=False)
        if one.misleads
        else [],
        [
            f"Judges {judged}. Better: {one.better}. Values: {bounds_text(*one.bounds)}.",
            f"Needs: {one.source}.",
            f"From: {one.cite}",
        ],
        [*one.describe_parameters(), f"Defaults: {METRICS[one.name].signature}"],
    ]
    return "\n\n".join("\n".join(lines) for lines in paragraphs if lines)


def _formula(one: Metric) -> list[str]:
    """Return the formula, one equation a line; lines are not broken, so that they can be copied."""
    if not one.formula:
        return []
    equations = one.formula.split(r", \quad ")
    return ["Formula, with the defaults:", *(f"  {equation}" for equation in equations)]
