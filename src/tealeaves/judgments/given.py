"""Judgments from whatever a caller has at hand."""

from __future__ import annotations

import os
from typing import Any

from tealeaves.judgments.judgments import Judgments
from tealeaves.judgments.reading import read_judgments


def given_judgments(given: Any, scale: str | None = None) -> Judgments:
    """Accept judgments, a file of them, a data frame, or dictionaries, and put them on a scale.

    >>> given_judgments([{"topic": 0, "answer": "good"}], "good=2, bad=1").values.to_list()
    [2.0]
    """
    if isinstance(given, str | os.PathLike):
        given = read_judgments(given)
    people = given if isinstance(given, Judgments) else Judgments.of(given)
    return people if scale is None else people.scaled(scale)
