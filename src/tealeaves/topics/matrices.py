"""The topic-word and document-topic matrices of a model, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def topic_word_matrix(values: Any, shape: tuple[int, int], model: str) -> NDArray[np.float64]:
    """Check a K×V matrix against the number of topics and the vocabulary."""
    matrix = _matrix(values, shape[1], "topic-word", model)
    if matrix.shape != shape:
        raise InputError(
            f"{model}: the topic-word matrix is {matrix.shape[0]}×{matrix.shape[1]}, but there are "
            f"{shape[0]} topics and {shape[1]} words in the vocabulary"
        )
    return matrix


def document_topic_matrix(values: Any, topics: int, model: str) -> NDArray[np.float64]:
    """Check a D×K matrix against the number of topics."""
    matrix = _matrix(values, topics, "document-topic", model)
    if matrix.shape[1] != topics:
        raise InputError(
            f"{model}: the document-topic matrix is {matrix.shape[0]}×{matrix.shape[1]}, "
            f"but there are {topics} topics (one column each)"
        )
    return matrix


def best_topics(document_topic: NDArray[np.float64]) -> tuple[list[int], int]:
    """Count the documents whose largest share is each topic's; rows of zeros are outliers.

    Of equal shares the first topic's counts.
    """
    import numpy as np

    assigned = document_topic[document_topic.max(axis=1, initial=0.0) > 0]
    counts = np.bincount(assigned.argmax(axis=1), minlength=document_topic.shape[1])
    return counts.tolist(), len(document_topic) - len(assigned)


def _matrix(values: Any, columns: int, name: str, model: str) -> NDArray[np.float64]:
    import numpy as np

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
