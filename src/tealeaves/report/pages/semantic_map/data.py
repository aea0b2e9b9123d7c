"""What the scripts of the page read: tokens, languages and texts, in few bytes."""

from __future__ import annotations

import math
import string
from collections.abc import Mapping, Sequence
from typing import Any

from tealeaves.lexicon.extraction.extracted import Token
from tealeaves.lexicon.semantic_map.semantic_map import SemanticMap
from tealeaves.report.charts.placement import Placement, place_points
from tealeaves.report.charts.semantic_map import expression_ranks, language_names

WIDTH = 720  # of the map, in its own pixels: the page scales it
GUESS = 0.1  # what a model is less sure of is shown as a guess


def page_data(found: SemanticMap) -> dict[str, Any]:
    """Return all that the page shows, for JSON."""
    table = found.table
    keys = list(dict.fromkeys(where.key for where in table.occurrences))
    placement = place_points(found.layout.points, width=WIDTH)
    names = language_names(found.languages)
    return {
        "source": table.source,
        "guess": GUESS,
        "lemmas": list(table.lemmas),
        "map": {"width": placement.width, "height": placement.height, "radius": placement.radius},
        "keys": keys,
        "texts": [text_of(table.passages[key]) for key in keys],
        "tokens": _tokens(found, keys, placement),
        "order": found.order.tolist(),
        "groups": [
            {"name": group_name(number), "example": int(example)}
            for number, example in enumerate(found.examples)
        ],
        "languages": [
            {"name": names[language]} | _language(found, language, keys)
            for language in found.languages
        ],
        "rows": [found.languages.index(language) for language in found.seriated],
    }


def group_name(number: int) -> str:
    """Return the letter of a group: A, B, … Z, then numbers.

    >>> group_name(0), group_name(26)
    ('A', '27')
    """
    letters = string.ascii_uppercase
    return letters[number] if number < len(letters) else str(number + 1)


def told_sure(value: float) -> str:
    """Return how sure something is, as papers write it.

    >>> told_sure(0.1), told_sure(0.25), told_sure(1)
    ('.1', '.25', '1')
    """
    return f"{value:g}".removeprefix("0") or "0"


def text_of(forms: Sequence[str]) -> str | list[str]:
    """Return forms as one string where spaces can tell them apart, which is shorter.

    >>> text_of(["a", "hand"]), text_of(["New York"])
    ('a hand', ['New York'])
    """
    if any(not form or " " in form for form in forms):
        return list(forms)
    return " ".join(forms) if forms else []


def _tokens(found: SemanticMap, keys: Sequence[str], placement: Placement) -> list[list[Any]]:
    """Return for each token its passage, place, lemma and group, and where it lies if it does."""
    table = found.table
    row = {key: number for number, key in enumerate(keys)}
    points = {
        int(token): (float(x), float(y))
        for token, x, y in zip(found.placed, placement.x, placement.y, strict=True)
    }
    return [
        [
            row[where.key],
            where.place,
            table.lemmas.index(where.lemma),
            int(found.members[number]),
            *points.get(number, ()),
        ]
        for number, where in enumerate(table.occurrences)
    ]


def _language(found: SemanticMap, language: str, keys: Sequence[str]) -> dict[str, Any]:
    table, inventory = found.table, found.inventories[language]
    rank = expression_ranks(inventory)
    tokens = table.extracted[language]
    texts = table.translations[language]
    return {
        "code": language,
        "model": table.models[language],
        "expressions": [expression for expression, _ in inventory.expressions],
        "counts": [count for _, count in inventory.expressions],
        "cells": [_cell(token, rank) for token in tokens],
        "words": [_single(token.words) if token else 0 for token in tokens],
        "sure": [_sure(token) for token in tokens],
        "doubted": sorted(table.doubted[language]),
        "texts": [text_of(texts[key]) if key in texts else 0 for key in keys],
    }


def _cell(token: Token | None, rank: Mapping[str, int]) -> int | list[int]:
    """Return the expressions of a token by rank: -1 for none, -2 for no passage."""
    if token is None:
        return -2
    return _single(sorted(rank[one] for one in token.expressions)) if token.expressions else -1


def _sure(token: Token | None) -> float | int:
    """Return how sure a model is of a token; -1 if it does not say."""
    if token is None or math.isnan(token.confidence):
        return -1
    return math.floor(token.confidence * 1e4) / 1e4  # what is below a bound stays below it


def _single(numbers: Sequence[int]) -> int | list[int]:
    """Return one number as itself: most lists have one."""
    return numbers[0] if len(numbers) == 1 else list(numbers)
