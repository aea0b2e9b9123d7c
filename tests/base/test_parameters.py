"""Descriptions of parameters and of their allowed values."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
import pytest
from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.parameters import (
    Parameter,
    allowed_text,
    changed_settings,
    check_names,
    parameters_of,
)


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        (Literal["skip", "zero"], "one of skip, zero"),
        (Literal["stream"] | None, "stream, or none"),
        (Annotated[int, Meta(ge=1)] | Literal["all"], "a whole number of at least 1, or all"),
        (Literal["a", "b"] | None, "one of a, b, or none"),
        (Annotated[float, Meta(gt=0, lt=1)], "a number of more than 0 and of less than 1"),
    ],
)
def test_types_are_described_in_words(annotation: object, text: str) -> None:
    assert allowed_text(annotation) == text


class Shared(msgspec.Struct, kw_only=True):
    """What both have.

    Parameters
    ----------
    name
        What it is called: ``a`` or
        anything.
    seed
        Where random numbers start.
    """

    name: str = "a"
    seed: int | None = None


class Own(Shared, kw_only=True):
    """What one has.

    Parameters
    ----------
    low, high
        The limits.
    seed
        Where it starts.

    Notes
    -----
    seed
        Nothing of this is meant.
    """

    low: float = 0.0
    high: float = 1.0
    silent: bool = False


def test_parameters_are_described_by_their_struct() -> None:
    names = ["high", "name", "seed", "low", "silent"]
    assert parameters_of(Own, names, Own(high=2.0)) == [
        Parameter("high", "a number", 2.0, "The limits."),
        Parameter("name", "a text", "a", "What it is called: a or anything."),
        Parameter("seed", "a whole number, or none", None, "Where it starts."),
        Parameter("low", "a number", 0.0, "The limits."),
        Parameter("silent", "true or false", False, ""),
    ]
    assert parameters_of(Own, [], Own()) == []


def test_settings_are_changed_by_name() -> None:
    made = changed_settings("own", Own(low=0.5), {"high": np.float64(2.0), "seed": np.int64(3)})
    assert made == Own(low=0.5, high=2.0, seed=3)
    assert type(made.seed) is int
    with pytest.raises(InputError, match=r"^own has no parameter hihg; did you mean high\? \(it"):
        check_names("own", {"hihg": 1.0}, ("low", "high", "seed"))
    with pytest.raises(InputError, match=r"^own: low must be a number, not a$"):
        changed_settings("own", Own(), {"low": "a"})


def _functions() -> dict[str, Callable[..., Any]]:
    from tealeaves.comparison import compare
    from tealeaves.estimator import explain, predict
    from tealeaves.evidence.attention.topic_relevance import gather_file, relevance
    from tealeaves.evidence.attention.training.fit import fit_folder
    from tealeaves.lexicon import extract
    from tealeaves.report import make_run
    from tealeaves.text.corpus import Corpus
    from tealeaves.topics.multilingual import MultilingualTopics
    from tealeaves.topics.topics import Topics

    two, texts = [[["a", "b"]], [["c", "d"]]], ["a b", "c d"]
    return {
        "compare": partial(compare, two, texts),
        "relevance": partial(relevance, two[0], texts),
        "gather_file": partial(gather_file, two[0], texts, "none"),
        "fit_folder": partial(fit_folder, Corpus.of(texts), "none"),
        "predict": partial(predict, two[0]),
        "explain": partial(explain, two[0]),
        "extract": partial(extract, "none.tsv", {"fin": "none"}, "hand"),
        "make_run": partial(make_run, two[0], texts),
        "Topics.of": partial(Topics.of, two[0]),
        "MultilingualTopics.of_languages": partial(MultilingualTopics.of_languages, {"en": two[0]}),
    }


@pytest.mark.parametrize(
    ("name", "wrong", "right"),
    [
        ("compare", "token", "tokens"),
        ("compare", "levl", "level"),
        ("relevance", "budgt", "budget"),
        ("gather_file", "sead", "seed"),
        ("fit_folder", "epoch", "epochs"),
        ("predict", "levl", "level"),
        ("explain", "topic", "topics"),
        ("extract", "tokns", "tokens"),
        ("make_run", "token", "tokens"),
        ("Topics.of", "langauge", "language"),
        ("MultilingualTopics.of_languages", "famly", "family"),
    ],
)
def test_a_misspelt_keyword_names_the_public_function(name: str, wrong: str, right: str) -> None:
    message = rf"^{re.escape(name)} has no parameter {wrong}; did you mean {right}\?"
    with pytest.raises(InputError, match=message):
        _functions()[name](**{wrong: 1})
