"""What a library gives when it is asked: what it complains of, and what is of no use."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from tealeaves.errors import InputError, TealeavesWarning

if TYPE_CHECKING:
    from tealeaves.topics.adapters.parts import Parts

_Made = TypeVar("_Made")
_COMPLAINTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)


class UnusableError(InputError):
    """A matrix that is of no use, whatever is said of it."""


def calling(method: Callable[..., _Made], *arguments: Any, parts: Parts, **named: Any) -> _Made:
    """Call a library's method; what it complains of is an error that names the model."""
    try:
        return method(*arguments, **named)
    except InputError:
        raise
    except _COMPLAINTS as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"{parts.name}: {said}") from error


def or_none(
    make: Callable[[], _Made], what: str, parts: Parts, *, stated: Any = None
) -> _Made | None:
    """Return a matrix that a library gives beside its words; one that is of no use is left out.

    ``stated`` is what the caller said of it: what does not fit that is an error, unless the matrix
    is of no use by itself (:class:`UnusableError`).
    """
    try:
        return make()
    except InputError as error:
        reason = str(error).removeprefix(f"{parts.name}: ")
        if stated is not None and not isinstance(error, UnusableError):
            raise InputError(f"{parts.name}: {reason}") from error
        warn(
            f"{parts.name}: without its {what} matrix, and so without the metrics that need it: "
            f"{reason}"
        )
        return None


def usable(values: Any, what: str) -> Any:
    """Return a matrix that can be one of probabilities or weights; others are of no use."""
    import numpy as np

    plain = values.toarray() if hasattr(values, "toarray") else values
    try:
        table = np.asarray(plain, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise UnusableError(f"the {what} matrix is not a table of numbers") from error
    if table.ndim != 2:
        raise UnusableError(f"the {what} matrix has {table.ndim} dimensions, not 2")
    if not np.isfinite(table).all() or (table < 0).any():
        raise UnusableError(f"the {what} matrix holds negative or non-finite numbers")
    return table


def refuse_negative(values: Any, kind: str, parts: Parts) -> None:
    """Refuse components that may be negative: they are neither probabilities nor weights."""
    import numpy as np

    if (np.asarray(values) < 0).any():
        raise InputError(
            f"{parts.name}: a {kind} has negative numbers, so its rows are no distributions of "
            "words: give a model whose topics are (LDA, NMF), or its word lists"
        )


def warn(message: str) -> None:
    """Say that something was left out, at the line that asked for it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and _is_own(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, TealeavesWarning, stacklevel=level)


def _is_own(module: str) -> bool:
    return module.partition(".")[0] == "tealeaves"


def whole_or_none(values: Any) -> Any:
    """Return numbers if they are whole ones, as counts are and weights are not."""
    import numpy as np

    found = None if values is None else np.asarray(values)
    if found is None or found.dtype.kind not in "iuf" or not (found == np.floor(found)).all():
        return None
    return found.ravel().astype(np.int64)


def keys_of(model: Any) -> set[Any]:
    """Return the keys of a mapping; of a key it lacks some mappings cannot even say so."""
    return set(model) if isinstance(model, Mapping) else set()
