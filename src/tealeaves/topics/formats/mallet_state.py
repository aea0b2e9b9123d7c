"""MALLET's ``--output-state``: the topic of each token, from which all else follows.

The file is read line by line into arrays of integers: its text, often gigabytes, is never held.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.given import warn
from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.assignments import Assignments
from tealeaves.topics.formats.mallet_documents import names_as_ids
from tealeaves.topics.formats.mallet_keys import filled
from tealeaves.topics.formats.mallet_weights import ranked_by
from tealeaves.topics.formats.source import TopicsSource
from tealeaves.topics.orientation import divided
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORM = "a state of MALLET"
STATED = ("top",)
_HEADER = "#doc source pos typeindex type topic"
_FIELDS = 6
_LONGEST = 10_000  # bytes of a line: a token and where it is from
_GAP = 1_000_000  # empty documents in a row: a number beyond it is no document's


@dataclass
class State:
    """What the lines say, as they are read."""

    name: str
    alpha: list[float] | None = None
    beta: float | None = None
    words: array[int] = field(default_factory=lambda: array("i"))  # indices of MALLET's types
    topics: array[int] = field(default_factory=lambda: array("i"))
    starts: array[int] = field(default_factory=lambda: array("q"))
    sources: dict[int, bytes] = field(default_factory=dict)
    types: dict[int, bytes] = field(default_factory=dict)

    @property
    def documents(self) -> int:
        """The number of documents up to the last that has a token."""
        return len(self.starts)

    def add(self, line: bytes, number: int) -> None:
        """Take in one line."""
        parts = line.split()
        if len(parts) != _FIELDS:
            parts = self._spaced(line, number)
        try:
            self.take(int(parts[0]), parts[1], int(parts[3]), parts[4], int(parts[5]), number)
        except InputError:
            raise
        except (ValueError, OverflowError) as error:
            raise self._wrong(line, number) from error

    def take(
        self, document: int, source: bytes, kind: int, word: bytes, topic: int, number: int
    ) -> None:
        """Take in a token: the type and the topic of a word of a document."""
        self.topics.append(topic)
        self.words.append(kind)
        if document != len(self.starts) - 1:
            self._open(document, source, number)
        if self.types.setdefault(kind, word) != word:
            raise InputError(
                f"{self.name}:{number}: word {kind} is {text_of(word)}, but was "
                f"{text_of(self.types[kind])} above"
            )

    def parameter(self, line: bytes, number: int) -> None:
        """Take in ``#alpha`` or ``#beta``."""
        key, _, rest = line.partition(b":")
        try:
            values = [float(value) for value in rest.split()]
        except ValueError as error:
            raise self._wrong(line, number) from error
        if key.strip() == b"#alpha" and values:
            self.alpha = values
        elif key.strip() == b"#beta" and len(values) == 1:
            self.beta = values[0]

    def _open(self, document: int, source: bytes, number: int) -> None:
        """Begin a document; those left out before it have no tokens."""
        if not len(self.starts) <= document < len(self.starts) + _GAP:
            raise InputError(
                f"{self.name}:{number}: document {document} after {len(self.starts) - 1}: the "
                "documents of a state are in their order"
            )
        while len(self.starts) <= document:
            self.starts.append(len(self.words) - 1)
        self.sources[document] = source

    def _spaced(self, line: bytes, number: int) -> list[bytes]:
        """Split a line whose source or word has spaces, by its position in the document."""
        if len(line) > _LONGEST:
            raise self._wrong(line, number)
        pattern = rb"(\d+) (.*?) (\d+) (\d+) (.+) (-?\d+)\s*"
        if self.starts and line.startswith(b"%d " % (len(self.starts) - 1)):
            source = re.escape(self.sources[len(self.starts) - 1])
            pattern = rb"(\d+) (" + source + rb") (\d+) (\d+) (.+) (-?\d+)\s*"
        found = re.fullmatch(pattern, line)
        if found is None:
            raise self._wrong(line, number)
        return list(found.groups())

    def _wrong(self, line: bytes, number: int) -> InputError:
        return InputError(
            f"{self.name}:{number}: not a line of a MALLET state ({_HEADER[1:]}): "
            f"{line[:60].decode('utf-8', 'replace').strip()!r}"
        )


def fits(file: TopicsSource) -> bool:
    """The header of MALLET."""
    return file.lines[0].startswith(_HEADER)


def read(file: TopicsSource, parts: Parts) -> Topics:
    """Make a model of a state alone."""
    state = parse(file)
    return topics_of(state, parts, len(state.starts))


def parse(file: TopicsSource) -> State:
    """Read a state line by line."""
    state = State(file.name)
    with file.open() as stream:
        for number, line in enumerate(stream, 1):
            if line.startswith((b"#", b"\xef\xbb\xbf#")):
                state.parameter(line, number)
            elif line.strip():
                state.add(line, number)
    if not state.words:
        raise InputError(f"{file.name}: a MALLET state without tokens")
    return state


def number_of_topics(state: State) -> int:
    """Return the number of weights, else one more than the highest topic."""
    count = max(state.topics) + 1 if state.alpha is None else len(state.alpha)
    if max(state.topics) >= count or (state.alpha is None and count > len(state.topics)):
        raise InputError(f"{state.name}: topic {max(state.topics)} of {count}: a wrong number")
    return count


@dataclass(frozen=True)
class Tables:
    """The tokens of a state as arrays, and how often topics, words and documents meet."""

    vocabulary: list[str]
    columns: NDArray[np.int64]  # the word of each token
    labels: NDArray[np.int32]  # and its topic
    starts: NDArray[np.int64]
    by_word: NDArray[np.float64]  # a row a topic
    by_document: NDArray[np.float64]  # a row a document

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens of each document."""
        lengths: NDArray[np.int64] = self.starts[1:] - self.starts[:-1]
        return lengths

    def of_topics(self, kept: list[int]) -> dict[str, Any]:
        """Return what :class:`Topics` says of the tokens, of those topics that are kept."""
        import numpy as np

        position = np.full(len(self.by_word) + 1, -1, dtype=np.int32)  # the last: of no topic
        position[kept] = np.arange(len(kept))
        tokens = Assignments(self.starts, self.columns.astype(np.int32), position[self.labels])
        return {
            "vocabulary": tuple(self.vocabulary),
            "document_lengths": self.lengths,
            "term_frequency": np.bincount(self.columns, minlength=len(self.vocabulary)),
            "assignments": tokens,
        }


def tables_of(state: State, size: int, documents: int) -> Tables:
    """Count the tokens of a number of topics and of documents."""
    import numpy as np

    kinds, columns = np.unique(np.frombuffer(state.words, dtype=np.int32), return_inverse=True)
    labels = np.frombuffer(state.topics, dtype=np.int32)
    starts = np.full(documents + 1, len(labels), dtype=np.int64)
    starts[: state.documents] = state.starts
    whose = np.repeat(np.arange(documents), np.diff(starts))
    return Tables(
        vocabulary=[text_of(state.types[kind]) for kind in kinds.tolist()],
        columns=columns,
        labels=labels,
        starts=starts,
        by_word=_counts(labels, columns, size, len(kinds)),
        by_document=_counts(labels, whose, size, documents).T,
    )


def topics_of(
    state: State, parts: Parts, documents: int, listed: tuple[Topic, ...] | None = None
) -> Topics:
    """Make topics of the tokens, with φ and θ smoothed as MALLET does.

    φ = (n_tw + β) / (n_t + Vβ) and θ = (n_dt + α_t) / (n_d + Σα), V the words that occur.
    """
    size = number_of_topics(state)
    tables = tables_of(state, size, documents)
    alpha, beta = _smoothing(state, size)
    phi = divided(tables.by_word + beta)
    names = [text_of(state.sources.get(document, b"")) for document in range(documents)]
    every = listed or ranked_by(tables.by_word, phi, tables.vocabulary, parts)
    topics = filled(every, parts)
    kept = [every.index(topic) for topic in topics]
    return Topics(
        topics,
        model=parts.name,
        topic_word=phi[kept],
        document_topic=divided((tables.by_document + alpha)[:, kept]),
        document_ids=names_as_ids(names),
        **tables.of_topics(kept),
    )


def _counts(labels: Any, others: Any, topics: int, size: int) -> NDArray[np.float64]:
    """Count the tokens of each topic and word, or document; those of no topic are left out."""
    import numpy as np

    given = labels >= 0
    cells = labels[given].astype(np.int64) * size + others[given]
    counts = np.bincount(cells, minlength=topics * size)
    return counts.reshape(topics, size).astype(np.float64)


def _smoothing(state: State, topics: int) -> tuple[NDArray[np.float64], float]:
    import numpy as np

    if state.alpha is not None and state.beta is not None:
        return np.asarray(state.alpha), state.beta
    warn(f"{state.name}: no #alpha and #beta: the shares of words and topics are not smoothed")
    return np.zeros(topics), 0.0


def text_of(data: bytes) -> str:
    """Return a word or a name, whatever bytes stand for it."""
    return data.decode("utf-8", "replace")
