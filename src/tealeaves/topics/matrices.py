"""The matrices of a model: their checks, their orientation, and rows as distributions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Floats, Integers, Integers32

_MOST = 2**53  # from here on, fractions of whole numbers are not exact
MOST_PRIOR = 1e100  # of α and β: sums of larger numbers may be infinite
TOLERANCE = 1e-3  # how far the sum of a distribution may be from 1: files round


# checks of what a model's arrays must be


def check_matrix(values: Any, name: str, model: str, *, columns: int | None = None) -> Floats:
    """Return a table of finite numbers, none of them negative.

    ``columns`` are those of an empty list, which does not show them.
    """
    import numpy as np

    if hasattr(values, "toarray"):  # a sparse matrix of scipy
        values = values.toarray()
    try:
        matrix = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{model}: the {name} matrix is not a table of numbers") from error
    if columns is not None and matrix.size == 0 and matrix.ndim == 1:
        matrix = matrix.reshape(0, columns)
    if matrix.ndim != 2:
        raise InputError(f"{model}: the {name} matrix has {matrix.ndim} dimensions, not 2")
    if not np.isfinite(matrix).all() or (matrix < 0).any():
        raise InputError(f"{model}: the {name} matrix holds negative or non-finite numbers")
    return matrix


def check_topic_word(values: Any, shape: tuple[int, int], model: str) -> Floats:
    """Check a K×V matrix against the number of topics and the vocabulary."""
    matrix = check_matrix(values, "topic-word", model, columns=shape[1])
    if matrix.shape != shape:
        hint = " (is it transposed?)" if matrix.shape == shape[::-1] else ""
        raise InputError(
            f"{model}: the topic-word matrix is {_size(matrix)}, but there are "
            f"{shape[0]} topics and {shape[1]} words in the vocabulary{hint}"
        )
    return matrix


def check_document_topic(values: Any, topics: int, model: str) -> Floats:
    """Check a D×K matrix against the number of topics."""
    matrix = check_matrix(values, "document-topic", model, columns=topics)
    if matrix.shape[1] != topics:
        hint = " (is it transposed?)" if matrix.shape[0] == topics else ""
        raise InputError(
            f"{model}: the document-topic matrix is {_size(matrix)}, "
            f"but there are {topics} topics (one column each){hint}"
        )
    return matrix


def check_samples(values: Any, shape: tuple[int, int], model: str) -> Floats:
    """Check S×K×V samples of a topic-word matrix."""
    import numpy as np

    try:
        samples = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{model}: the samples are not tables of numbers of one size") from error
    if samples.ndim != 3 or samples.shape[1:] != shape:
        raise InputError(
            f"{model}: the samples are {_size(samples)}, but there are {shape[0]} topics and "
            f"{shape[1]} words"
        )
    if not np.isfinite(samples).all() or (samples < 0).any():
        raise InputError(f"{model}: the samples hold negative or non-finite numbers")
    return samples


def check_whole_numbers(
    values: Any, size: int, name: str, model: str, *, least: int = 0, most: int = _MOST
) -> Integers:
    """Check one number per document or word, such as document lengths."""
    import numpy as np

    numbers = np.asarray(values)
    if numbers.dtype == object:  # whole numbers that are larger than any that numpy has
        raise InputError(f"{model}: the {name} are not whole numbers")
    if numbers.shape != (size,):
        raise InputError(f"{model}: there are {numbers.size} {name} instead of {size}")
    if numbers.dtype.kind not in "iuf" or not np.array_equal(numbers, np.floor(numbers)):
        raise InputError(f"{model}: the {name} are not whole numbers")
    outside = numbers[(numbers < least) | (numbers > most)]
    if len(outside):
        raise InputError(
            f"{model}: the {name} must be between {least} and {most}, but one is {outside[0]}"
        )
    return numbers.astype(np.int64)


def check_best_topics(values: Any, topics: int, model: str) -> Integers32:
    """Check the position of each document's best topic; -1 is none."""
    import numpy as np

    size = np.asarray(values).size
    best = check_whole_numbers(values, size, "best topics", model, least=-1, most=topics - 1)
    return best.astype(np.int32)


def check_document_languages(values: Any, languages: Sequence[str], model: str) -> Bools:
    """Check which languages each document has: one row per document, one column per language."""
    import numpy as np

    columns = len(languages)
    try:
        table = np.asarray(values)
    except ValueError as error:  # rows of different lengths
        raise InputError(f"{model}: rows of the documents' languages differ in length") from error
    if table.size == 0:
        table = table.reshape(0, columns)
    if table.ndim != 2 or table.shape[1] != columns:
        raise InputError(
            f"{model}: the languages of the documents are {_size(table)}, but there are {columns} "
            f"languages (one column each): {', '.join(languages)}"
        )
    if not np.isin(table, (0, 1)).all():
        raise InputError(f"{model}: the languages of the documents must be true or false")
    return table.astype(np.bool_)


# documents and their best topics


def best_topics(document_topic: Floats) -> Integers32:
    """Return the position of each document's largest share; -1 where all are zero.

    Of equal shares the first counts.
    """
    import numpy as np

    if not len(document_topic):
        return np.empty(0, dtype=np.int32)
    best: Integers32 = document_topic.argmax(axis=1).astype(np.int32)
    best[document_topic.max(axis=1) <= 0] = -1
    return best


# rows as distributions


def is_distribution(matrix: Floats) -> bool:
    """Tell whether each row sums to 1."""
    import numpy as np

    return bool((np.abs(matrix.sum(axis=1) - 1.0) <= TOLERANCE).all())


def rows_sum_to_one(matrix: Floats) -> bool:
    """Tell whether each row sums to 1, rows of zeros (documents without a topic) aside."""
    return is_distribution(matrix[matrix.any(axis=1)])


def divide_rows(matrix: Floats) -> Floats:
    """Divide each row by its sum; rows of zeros stay."""
    import numpy as np

    sums = matrix.sum(axis=1, keepdims=True)
    shares: Floats = matrix / np.where(sums == 0, 1.0, sums)
    return shares


def row_distributions(matrix: Floats, name: str, model: str, *, normalize: bool) -> Floats:
    """Return rows that sum to 1; with ``normalize`` other rows are divided by their sum.

    Without it they are an error. A row of zeros stays: a document without a topic.
    """
    import numpy as np

    sums = matrix.sum(axis=1)
    empty = sums == 0
    if name == TOPIC_WORD.name and empty.any():
        raise InputError(f"{model}: row {int(empty.argmax())} of the {name} matrix is all zeros")
    if is_distribution(matrix[~empty]):
        return matrix  # sums near 1 were rounded by libraries or files: keep the numbers
    if not normalize:
        worst = int(np.abs(np.where(empty, 1.0, sums) - 1.0).argmax())
        raise InputError(
            f"{model}: row {worst} of the {name} matrix sums to {sums[worst]:.6g}, not to 1: give "
            "probabilities, or say normalize=True to divide each row by its sum"
        )
    return divide_rows(matrix)


# orientation: libraries differ in what their rows are, and a square matrix does not show it


@dataclass(frozen=True)
class Axes:
    """What the rows and the columns of a matrix are, as we keep it."""

    name: str
    rows: str
    columns: str

    @property
    def parameter(self) -> str:
        """The parameter of ``adapt`` that states the order of the axes."""
        return f"{self.name.replace('-', '_')}_axes"

    @property
    def order(self) -> str:
        """The axes in our order."""
        return f"{self.rows} {self.columns}"

    @property
    def reverse(self) -> str:
        """The axes in the reverse order."""
        return f"{self.columns} {self.rows}"

    def check(self, order: str | None) -> None:
        """Check that an order which the caller gives is one of the two."""
        if order not in (None, self.order, self.reverse):
            raise InputError(
                f"{self.parameter} must be {self.order!r} or {self.reverse!r}, not {order!r}"
            )


TOPIC_WORD = Axes("topic-word", "topics", "words")
DOCUMENT_TOPIC = Axes("document-topic", "documents", "topics")


def orient_matrix(
    values: Any,
    axes: Axes,
    model: str,
    *,
    rows: int | None = None,
    columns: int | None = None,
    order: str | None = None,
) -> Floats:
    """Return a matrix in our orientation, transposed if its size or its sums show the other one.

    ``rows`` and ``columns`` are the numbers that are known. ``order`` is the order of the axes
    that the caller gives, such as ``"words topics"``. If both orders are possible, an error asks
    for it.
    """
    if hasattr(values, "detach"):  # a tensor of torch, perhaps on a GPU
        values = values.detach().cpu()
    matrix = check_matrix(values, axes.name, model)
    axes.check(order)
    fits = order != axes.reverse and _has_size(matrix.shape, rows, columns)
    fits_reverse = order != axes.order and _has_size(matrix.shape[::-1], rows, columns)
    if not fits and not fits_reverse:
        sizes = " and ".join(
            f"{count} {name}"
            for count, name in ((rows, axes.rows), (columns, axes.columns))
            if count is not None
        )
        clause = f", and {axes.parameter} is {order!r}" if order else ""
        raise InputError(
            f"{model}: the {axes.name} matrix is {_size(matrix)}, but there are {sizes}{clause}"
        )
    if fits and fits_reverse:
        by_rows, by_columns = rows_sum_to_one(matrix), rows_sum_to_one(matrix.T)
        if by_rows == by_columns:
            raise InputError(
                f"{model}: the {axes.name} matrix is {_size(matrix)}, which may be {axes.rows} × "
                f"{axes.columns} or the reverse: say {axes.parameter}={axes.order!r} or "
                f"{axes.reverse!r}"
            )
        fits = by_rows
    return matrix if fits else matrix.T.copy()


def _has_size(shape: tuple[int, ...], rows: int | None, columns: int | None) -> bool:
    return rows in (None, shape[0]) and columns in (None, shape[1])


def _size(array: Any) -> str:
    return "×".join(map(str, array.shape))
