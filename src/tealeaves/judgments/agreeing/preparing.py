"""From judgments to ratings: each annotator's last answer to each item, as a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tealeaves.arrays import Integers
from tealeaves.errors import InputError
from tealeaves.judgments.counted import answered, last_answers, with_key
from tealeaves.judgments.judgments import Judgments
from tealeaves.judgments.ratings import Ratings


@dataclass(frozen=True)
class Prepared:
    """The answers to one task: rows, arrays, and the number of each item's model.

    ``unnumbered`` says why answers are taken for names and not for numbers: they can be the same
    or not, no more; it is empty where they are numbers. ``unanswered`` rows have no answer,
    ``repeated`` ones were answered again later, ``keyless`` ones are neither right nor wrong in a
    task where others are, and ``checks`` only tested attention.
    """

    rows: Judgments
    ratings: Ratings
    models: Integers
    unnumbered: str
    unanswered: int
    repeated: int
    keyless: int
    checks: int


def prepared(part: Judgments) -> Prepared:
    """Prepare the answers of one data set and task."""
    topics = part.topics_only
    there, unanswered = answered(topics)
    keyed, keyless = with_key(there)
    rows, repeated = last_answers(keyed)
    values, unnumbered = _values(rows)
    frame = rows.frame
    items = frame["item"].to_list()
    ratings = Ratings.of(items, frame["annotator"].to_list(), values)
    model_of = dict(zip(items, frame["model"].to_list(), strict=True))
    numbers = {name: number for number, name in enumerate(dict.fromkeys(model_of.values()))}
    models = np.array([numbers[model_of[item]] for item in ratings.items], dtype=np.int64)
    checks = len(part) - len(topics)
    unanswered += ratings.dropped
    return Prepared(rows, ratings, models, unnumbered, unanswered, repeated, keyless, checks)


def _values(rows: Judgments) -> tuple[Sequence[float], str]:
    """Return the answers as numbers, and why these only number names, if so."""
    import polars as pl

    column = rows.frame["answer"]
    if rows.has_key or rows.scale.values or column.dtype != pl.String:
        return rows.values.to_list(), ""
    answers = column.to_list()
    try:
        return rows.scale.numbers_of(answers), ""
    except InputError as error:
        number = {name: float(place) for place, name in enumerate(sorted(set(answers)))}
        return [number[answer] for answer in answers], str(error)
