"""Which way round a matrix is: libraries differ, and a square one does not tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.matrices import checked_matrix, is_distribution

if TYPE_CHECKING:
    from tealeaves.topics.matrices import Matrix


@dataclass(frozen=True)
class Axes:
    """The axes of a matrix as it is kept, and the parameter that states them."""

    name: str
    rows: str
    columns: str

    @property
    def parameter(self) -> str:
        """The parameter of ``adapt`` that states the order of the axes."""
        return f"{self.name.replace('-', '_')}_axes"

    @property
    def kept(self) -> str:
        """The axes in their order."""
        return f"{self.rows} {self.columns}"

    @property
    def turned(self) -> str:
        """The axes in the other order."""
        return f"{self.columns} {self.rows}"

    def check(self, stated: str | None) -> None:
        """Refuse an order that is none of the two."""
        if stated not in (None, self.kept, self.turned):
            raise InputError(
                f"{self.parameter} is {self.kept!r} or {self.turned!r}, not {stated!r}"
            )


TOPIC_WORD = Axes("topic-word", "topics", "words")
DOCUMENT_TOPIC = Axes("document-topic", "documents", "topics")


def oriented(
    values: Any,
    axes: Axes,
    model: str,
    *,
    rows: int | None = None,
    columns: int | None = None,
    stated: str | None = None,
) -> Matrix:
    """Return a matrix the right way round, told by what is known of its size and by its sums.

    ``stated`` is the order of the axes as the caller gives it, such as ``"words topics"``. What
    fits both ways is an error that says how to state it.
    """
    matrix = checked_matrix(_plain(values), axes.name, model)
    axes.check(stated)
    as_given = stated != axes.turned and _fits(matrix.shape, rows, columns)
    as_turned = stated != axes.kept and _fits(matrix.shape[::-1], rows, columns)
    if not as_given and not as_turned:
        raise InputError(_misfit(matrix, axes, model, rows, columns, stated))
    if as_given and as_turned:
        by_rows, by_columns = rows_sum_to_one(matrix), rows_sum_to_one(matrix.T)
        if by_rows == by_columns:
            raise InputError(
                f"{model}: the {axes.name} matrix is {_size(matrix)}, which may be {axes.rows} × "
                f"{axes.columns} or the reverse: say {axes.parameter}={axes.kept!r} or "
                f"{axes.turned!r}"
            )
        as_given = by_rows
    return matrix if as_given else matrix.T.copy()


def distributions(matrix: Matrix, name: str, model: str, *, normalize: bool) -> Matrix:
    """Return rows that sum to 1; those that do not are divided by their sum only if told so.

    A row of zeros stays one: a document without a topic.
    """
    import numpy as np

    sums = matrix.sum(axis=1)
    empty = sums == 0
    if name == "topic-word" and empty.any():
        raise InputError(f"{model}: row {int(empty.argmax())} of the {name} matrix is all zeros")
    known = is_distribution(matrix[~empty])
    if not known and not normalize:
        worst = int(np.abs(np.where(empty, 1.0, sums) - 1.0).argmax())
        raise InputError(
            f"{model}: row {worst} of the {name} matrix sums to {sums[worst]:.6g}, not to 1: give "
            "probabilities, or say normalize=True to divide each row by its sum"
        )
    # libraries and files round: what is near 1 is kept as it was given
    return matrix if known else divided(matrix)


def divided(matrix: Matrix) -> Matrix:
    """Divide each row by its sum; a row of zeros stays one."""
    import numpy as np

    sums = matrix.sum(axis=1, keepdims=True)
    shares: Matrix = matrix / np.where(sums == 0, 1.0, sums)
    return shares


def _fits(shape: tuple[int, ...], rows: int | None, columns: int | None) -> bool:
    return rows in (None, shape[0]) and columns in (None, shape[1])


def rows_sum_to_one(matrix: Matrix) -> bool:
    """Tell whether each row does that is not all zeros, as that of a document without a topic."""
    return is_distribution(matrix[matrix.any(axis=1)])


def _plain(values: Any) -> Any:
    """Fetch a tensor of torch from where it is, and from what its gradient needs."""
    return values.detach().cpu() if hasattr(values, "detach") else values


def _size(matrix: Matrix) -> str:
    return f"{matrix.shape[0]}×{matrix.shape[1]}"


def _misfit(
    matrix: Matrix,
    axes: Axes,
    model: str,
    rows: int | None,
    columns: int | None,
    stated: str | None,
) -> str:
    known = [
        f"{count} {what}"
        for count, what in ((rows, axes.rows), (columns, axes.columns))
        if count is not None
    ]
    order = f", and {axes.parameter} is {stated!r}" if stated else ""
    return (
        f"{model}: the {axes.name} matrix is {_size(matrix)}, but there are "
        f"{' and '.join(known)}{order}"
    )
