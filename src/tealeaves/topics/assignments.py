"""Token assignments: the topic that a sampler gave to each token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError

if TYPE_CHECKING:
    from tealeaves.arrays import Integers, Integers32


@dataclass(frozen=True, eq=False)
class Assignments:
    """The topic and the word of each token of each document, in the order of the texts.

    Token i of document d is at ``starts[d] + i``. ``words`` are columns of the model's vocabulary.
    ``topics`` are positions of the model's topics (not their ids), -1 where a token has none.

    >>> assignments = Assignments.of([[0, 0, 1], [1]], words=[[2, 0, 1], [1]])
    >>> [topics.tolist() for topics, _ in assignments]
    [[0, 0, 1], [1]]
    >>> assignments.lengths.tolist()
    [3, 1]
    """

    starts: Integers
    words: Integers32
    topics: Integers32

    @classmethod
    def of(
        cls, topics: Iterable[Sequence[int]], words: Iterable[Sequence[int]] | None = None
    ) -> Assignments:
        """Make assignments of one list per document; unknown words are -1."""
        import numpy as np

        from tealeaves.arrays import offsets

        rows = [np.asarray(row, dtype=np.int32) for row in topics]
        starts = offsets([len(row) for row in rows])
        flat = np.concatenate([*rows, np.empty(0, dtype=np.int32)])
        if words is None:
            return cls(starts, np.full(len(flat), -1, dtype=np.int32), flat)
        word_rows = [np.asarray(row, dtype=np.int32) for row in words]
        if [len(row) for row in word_rows] != [len(row) for row in rows]:
            raise InputError("each token of a document needs a word and a topic")
        return cls(starts, np.concatenate([*word_rows, np.empty(0, dtype=np.int32)]), flat)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[tuple[Integers32, Integers32]]:
        """Yield the topics and the words of each document."""
        for start, stop in pairwise(self.starts.tolist()):
            yield self.topics[start:stop], self.words[start:stop]

    @property
    def lengths(self) -> Integers:
        """The number of tokens of each document."""
        import numpy as np

        return np.diff(self.starts)


def check_assignments(values: Assignments, topics: int, words: int, model: str) -> Assignments:
    """Check that the arrays fit together and that there are such topics and words."""
    import numpy as np

    starts = np.asarray(values.starts, dtype=np.int64)
    labels = np.asarray(values.topics, dtype=np.int32)
    columns = np.asarray(values.words, dtype=np.int32)
    ordered = starts.ndim == 1 and len(starts) > 0 and bool((np.diff(starts) >= 0).all())
    if not ordered or starts[0] != 0 or not starts[-1] == len(labels) == len(columns):
        raise InputError(f"{model}: the token assignments do not fit together")
    _check_range(labels, topics, "topic", model)
    _check_range(columns, words, "word", model)
    return Assignments(starts, columns, labels)


def _check_range(values: Any, count: int, what: str, model: str) -> None:
    if len(values) and not (values.min() >= -1 and values.max() < count):
        wrong = values.max() if values.max() >= count else values.min()
        raise InputError(
            f"{model}: a token is assigned to {what} {wrong}, but there are {count} {what}s"
        )
