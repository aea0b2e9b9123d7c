"""The data of the page as JSON, which its scripts read: tokens, languages and texts."""

from __future__ import annotations

import math
import string
from collections.abc import Mapping, Sequence
from typing import Any

from tealeaves.lexicon.extraction.result import Token
from tealeaves.lexicon.maps.semantic_map import SemanticMap
from tealeaves.report.charts.blocks.placement import Placement, place_points
from tealeaves.report.charts.semantic_map import expression_ranks, language_names

WIDTH = 720  # pixels of the map, which the page scales
GUESS = 0.1  # expressions of lower confidence are shown as guesses


def page_data(semantic_map: SemanticMap) -> dict[str, Any]:
    """Return all data of the page, for JSON."""
    table = semantic_map.table
    keys = list(dict.fromkeys(where.key for where in table.occurrences))
    placement = place_points(semantic_map.layout.points, width=WIDTH)
    names = language_names(semantic_map.languages)
    return {
        "source": table.source,
        "guess": GUESS,
        "lemmas": list(table.lemmas),
        "map": {"width": placement.width, "height": placement.height, "radius": placement.radius},
        "keys": keys,
        "texts": [text_of(table.passages[key]) for key in keys],
        "tokens": _tokens(semantic_map, keys, placement),
        "order": semantic_map.order.tolist(),
        "groups": [
            {"name": group_name(number), "example": int(example)}
            for number, example in enumerate(semantic_map.examples)
        ],
        "languages": [
            {"name": names[language]} | _language(semantic_map, language, keys)
            for language in semantic_map.languages
        ],
        "rows": [semantic_map.languages.index(language) for language in semantic_map.seriated],
    }


def group_name(number: int) -> str:
    """Return the letter of a group: A, B, … Z, then numbers.

    >>> group_name(0), group_name(26)
    ('A', '27')
    """
    letters = string.ascii_uppercase
    return letters[number] if number < len(letters) else str(number + 1)


def confidence_text(value: float) -> str:
    """Return a confidence as papers print it.

    >>> confidence_text(0.1), confidence_text(0.25), confidence_text(1)
    ('.1', '.25', '1')
    """
    return f"{value:g}".removeprefix("0") or "0"


def text_of(forms: Sequence[str]) -> str | list[str]:
    """Return forms as one string if none has a space, because that is shorter.

    >>> text_of(["a", "hand"]), text_of(["New York"])
    ('a hand', ['New York'])
    """
    if any(not form or " " in form for form in forms):
        return list(forms)
    return " ".join(forms) if forms else []


def _tokens(
    semantic_map: SemanticMap, keys: Sequence[str], placement: Placement
) -> list[list[Any]]:
    """Return the passage, place, lemma and group of each token, and its point if it has one."""
    table = semantic_map.table
    row = {key: number for number, key in enumerate(keys)}
    points = {
        int(token): (float(x), float(y))
        for token, x, y in zip(semantic_map.placed, placement.x, placement.y, strict=True)
    }
    return [
        [
            row[where.key],
            where.place,
            table.lemmas.index(where.lemma),
            int(semantic_map.members[number]),
            *points.get(number, ()),
        ]
        for number, where in enumerate(table.occurrences)
    ]


def _language(semantic_map: SemanticMap, language: str, keys: Sequence[str]) -> dict[str, Any]:
    table, inventory = semantic_map.table, semantic_map.inventories[language]
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
    """Return the confidence of a token; -1 if it has none."""
    if token is None or math.isnan(token.confidence):
        return -1
    return (
        math.floor(token.confidence * 1e4) / 1e4
    )  # rounded down, so that it stays below a threshold


def _single(numbers: Sequence[int]) -> int | list[int]:
    """Return a list with a single number as that number: most lists have one."""
    return numbers[0] if len(numbers) == 1 else list(numbers)
