"""Plain arrays: a topic-word matrix with its vocabulary."""

from __future__ import annotations

from typing import Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.parts import Parts, from_matrices
from tealeaves.topics.topics import Topics

LIBRARY = ""
USES = frozenset({"topic_word", "vectorizer", "vocabulary"})
PLAIN = "arrays"


def fits(model: Any) -> bool:
    """An array or lists of numbers, or nothing but named parts."""
    if model is None:
        return True
    if isinstance(model, list | tuple):
        return bool(model) and all(_is_row(row) for row in model)
    if not (hasattr(model, "ndim") and hasattr(model, "shape")):
        return False
    kinds = [model.dtype] if hasattr(model, "dtype") else list(getattr(model, "dtypes", ()))
    return all(_is_number(kind) for kind in kinds)  # strings make word lists


def convert(model: Any, parts: Parts) -> Topics:
    """Make topics of the arrays; a frame's columns that are words are its vocabulary."""
    if model is not None and parts.topic_word is not None:
        raise InputError(f"{parts.name}: two topic-word matrices are given")
    matrix = parts.topic_word if model is None else model
    if matrix is None:
        raise InputError("nothing to adapt: give a model, or topic_word= and vocabulary=")
    words = parts.vocabulary
    if words is None and hasattr(parts.vectorizer, "get_feature_names_out"):
        words = parts.vectorizer.get_feature_names_out()
    if words is None:
        columns = list(getattr(matrix, "columns", ()))
        words = columns if columns and all(isinstance(one, str) for one in columns) else None
    if words is None:
        raise InputError(f"{parts.name}: a topic-word matrix needs its vocabulary=, or vectorizer=")
    return from_matrices(parts, matrix, words)


def _is_number(kind: Any) -> bool:
    """Tell a kind of numbers; torch, whose kinds are its own, has no other."""
    return getattr(kind, "kind", "f") in tuple("iufb")


def _is_row(row: Any) -> bool:
    return (
        isinstance(row, list | tuple)
        and bool(row)
        and all(isinstance(one, int | float) for one in row)
    )
