"""What a topic's parts must be."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence, Sized
from operator import index
from typing import Any, SupportsFloat

from tealeaves.errors import InputError


def is_finite(weight: object) -> bool:
    """Tell whether a weight is a number that can be compared."""
    return isinstance(weight, SupportsFloat) and math.isfinite(float(weight))


def number_of_documents(documents: Any, where: str) -> int | None:
    """Return a number of documents as a plain one."""
    try:
        number = None if documents is None else index(documents)
    except TypeError as error:
        raise InputError(f"{where}: {documents!r} is not a number of documents") from error
    if number is not None and number < 0:
        raise InputError(f"{where} has a negative number of documents")
    return number


def checked_word(word: object, rank: int, where: str) -> str:
    """Return a word without spaces around it, or say what is wrong with it."""
    if not isinstance(word, str):
        raise InputError(f"{where}: word {rank} is {word!r}, not a string")
    if not word.strip():
        raise InputError(f"{where}: word {rank} is empty")
    return word.strip()


def check_sizes(parts: Mapping[str, Sized | None], model: str) -> None:
    """Refuse parts that speak of different numbers of documents."""
    sizes = {name: len(part) for name, part in parts.items() if part is not None}
    if len(set(sizes.values())) > 1:
        said = ", ".join(f"{name}: {size}" for name, size in sizes.items())
        raise InputError(f"{model}: the numbers of documents differ ({said})")


def check_ids(ids: Sequence[str], model: str) -> None:
    """Refuse the id of two documents."""
    if len(set(ids)) < len(ids):
        twice = Counter(ids).most_common(1)[0][0]
        raise InputError(f"{model}: the document id {twice!r} is given twice")
