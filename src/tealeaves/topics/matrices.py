"""The topic-word and document-topic matrices of a model, checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

TOLERANCE = 1e-3  # how far the sum of a distribution may be from 1: files round


def topic_word_matrix(values: Any, shape: tuple[int, int], model: str) -> Matrix:
    """Check a K×V matrix against the number of topics and the vocabulary."""
    matrix = checked_matrix(values, "topic-word", model, columns=shape[1])
    if matrix.shape != shape:
        hint = " (is it transposed?)" if matrix.shape == shape[::-1] else ""
        raise InputError(
            f"{model}: the topic-word matrix is {matrix.shape[0]}×{matrix.shape[1]}, but there are "
            f"{shape[0]} topics and {shape[1]} words in the vocabulary{hint}"
        )
    return matrix


def document_topic_matrix(values: Any, topics: int, model: str) -> Matrix:
    """Check a D×K matrix against the number of topics."""
    matrix = checked_matrix(values, "document-topic", model, columns=topics)
    if matrix.shape[1] != topics:
        hint = " (is it transposed?)" if matrix.shape[0] == topics else ""
        raise InputError(
            f"{model}: the document-topic matrix is {matrix.shape[0]}×{matrix.shape[1]}, "
            f"but there are {topics} topics (one column each){hint}"
        )
    return matrix


def sample_matrices(values: Any, shape: tuple[int, int], model: str) -> NDArray[np.float64]:
    """Check S×K×V samples of a topic-word matrix."""
    import numpy as np

    try:
        samples = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{model}: the samples are not tables of numbers") from error
    if samples.ndim != 3 or samples.shape[1:] != shape:
        size = "×".join(map(str, samples.shape))
        raise InputError(
            f"{model}: the samples are {size}, but there are {shape[0]} topics and {shape[1]} words"
        )
    if not np.isfinite(samples).all() or (samples < 0).any():
        raise InputError(f"{model}: the samples hold negative or non-finite numbers")
    return samples


def whole_numbers(values: Any, size: int, what: str, model: str) -> NDArray[np.int64]:
    """Check a number for each document or word, such as document lengths."""
    import numpy as np

    found = np.asarray(values)
    if found.shape != (size,):
        raise InputError(f"{model}: {found.size} {what} for {size}")
    if found.dtype.kind not in "iuf" or not np.array_equal(found, np.floor(found)):
        raise InputError(f"{model}: the {what} are not whole numbers")
    return found.astype(np.int64)


def topic_positions(values: Any, topics: int, model: str) -> NDArray[np.int32]:
    """Check the position of each document's best topic; -1 is none."""
    import numpy as np

    best = whole_numbers(values, np.asarray(values).size, "best topics", model)
    if len(best) and not (best.min() >= -1 and best.max() < topics):
        raise InputError(f"{model}: a document's best topic is none of {topics}")
    return best.astype(np.int32)


def membership(values: Any, languages: Sequence[str], model: str) -> NDArray[np.bool_]:
    """Check which languages each document has: a row a document, a column a language."""
    import numpy as np

    columns = len(languages)
    try:
        found = np.asarray(values)
    except ValueError as error:  # rows of different lengths
        raise InputError(f"{model}: the languages of the documents are no table") from error
    if found.size == 0:
        found = found.reshape(0, columns)
    if found.ndim != 2 or found.shape[1] != columns:
        size = "×".join(map(str, found.shape))
        raise InputError(
            f"{model}: the languages of the documents are {size}, but there are {columns} "
            f"languages (one column each): {', '.join(languages)}"
        )
    if not np.isin(found, (0, 1)).all():
        raise InputError(f"{model}: the languages of the documents are not yes or no")
    return found.astype(np.bool_)


def best_topics(document_topic: Matrix) -> tuple[list[int], int]:
    """Count the documents whose largest share is each topic's; rows of zeros are outliers.

    Of equal shares the first topic's counts.
    """
    import numpy as np

    best = best_topic_of_each(document_topic)
    counts = np.bincount(best[best >= 0], minlength=document_topic.shape[1])
    return counts.tolist(), int((best < 0).sum())


def best_topic_of_each(document_topic: Matrix) -> NDArray[np.int32]:
    """Return the position of each document's largest share; -1 where all are zero."""
    import numpy as np

    if not len(document_topic):
        return np.empty(0, dtype=np.int32)
    best: NDArray[np.int32] = document_topic.argmax(axis=1).astype(np.int32)
    best[document_topic.max(axis=1) <= 0] = -1
    return best


def is_distribution(matrix: Matrix) -> bool:
    """Tell whether each row sums to 1."""
    import numpy as np

    return bool((np.abs(matrix.sum(axis=1) - 1.0) <= TOLERANCE).all())


def checked_matrix(values: Any, name: str, model: str, *, columns: int = 0) -> Matrix:
    """Return a table of finite numbers that are not negative, or say what it is instead."""
    import numpy as np

    if hasattr(values, "toarray"):  # a sparse matrix of scipy
        values = values.toarray()
    try:
        matrix = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{model}: the {name} matrix is not a table of numbers") from error
    if matrix.size == 0 and matrix.ndim == 1:  # no rows: nothing to tell the columns by
        matrix = matrix.reshape(0, columns)
    if matrix.ndim != 2:
        raise InputError(f"{model}: the {name} matrix has {matrix.ndim} dimensions, not 2")
    if not np.isfinite(matrix).all() or (matrix < 0).any():
        raise InputError(f"{model}: the {name} matrix holds negative or non-finite numbers")
    return matrix
