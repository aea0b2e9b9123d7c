"""MALLET's ``--output-state``: the topic of each token, from which all matrices follow.

The file is read line by line into arrays of integers. Its text, often gigabytes, is never kept.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError, warn_caller
from tealeaves.limits import VARIABLE, check, check_bytes, limit
from tealeaves.topics.assembly import TopicsOptions
from tealeaves.topics.assignments import Assignments
from tealeaves.topics.formats.format import TopicsFormat, TopicsSource
from tealeaves.topics.formats.mallet_tables import names_as_ids, nonempty_topics, rank_used_words
from tealeaves.topics.matrices import MOST_PRIOR, divide_rows
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers, Integers32

_HEADER = "#doc source pos typeindex type topic"
_FIELDS = 6
_CELL = 8  # bytes of a number in a matrix
_NO_TOPIC = -1  # the topic of a token that has none
_EMPTY_PER_TOKEN = 10  # so many documents more may be empty for each token


@dataclass
class MalletState:
    """The tokens of a state as they are read, and its α and β."""

    name: str
    size: int  # of the file, in bytes
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

    @property
    def number_of_topics(self) -> int:
        """The number of α's, else one more than the highest topic."""
        highest = max(self.topics)
        most = len(self.topics) if self.alpha is None else len(self.alpha)
        if highest >= most:
            limit = f"{most} tokens" if self.alpha is None else f"{most} values of α"
            raise InputError(f"{self.name}: a token has topic {highest}, but there are {limit}")
        return highest + 1 if self.alpha is None else most

    def add_line(self, line: bytes, number: int) -> None:
        """Add the token of a line."""
        fields = line.split()
        if len(fields) != _FIELDS:
            fields = self._split_with_spaces(line, number)
        try:
            document, source, place, kind, word, topic = fields
            check_place(place)
            self.add_token(int(document), source, int(kind), word, int(topic), number)
        except InputError:
            raise
        except (ValueError, OverflowError) as error:
            raise self._wrong_line(line, number) from error

    def add_token(
        self, document: int, source: bytes, kind: int, word: bytes, topic: int, number: int
    ) -> None:
        """Add a token; ``kind`` is MALLET's type index of the word, ``number`` is the line."""
        if document < 0 or kind < 0 or topic < _NO_TOPIC:
            raise ValueError(f"document {document}, word {kind}, topic {topic}")
        self.topics.append(topic)
        self.words.append(kind)
        if document != len(self.starts) - 1:
            self._start_document(document, source, number)
        if self.types.setdefault(kind, word) != word:
            raise InputError(
                f"{self.name}:{number}: word {kind} is {_decode(word)}, but was "
                f"{_decode(self.types[kind])} above"
            )

    def add_parameter(self, line: bytes, number: int) -> None:
        """Add ``#alpha`` or ``#beta``; other comments are skipped."""
        key, _, rest = line.partition(b":")
        try:
            values = [float(value) for value in rest.split()]
        except ValueError as error:
            raise self._wrong_line(line, number) from error
        if not all(0 <= value <= MOST_PRIOR for value in values):
            raise self._wrong_line(line, number)
        if key.strip() == b"#alpha" and values:
            self.alpha = values
        elif key.strip() == b"#beta" and len(values) == 1:
            self.beta = values[0]

    def _start_document(self, document: int, source: bytes, number: int) -> None:
        """Start a document; documents skipped before it have no tokens."""
        if document < len(self.starts):
            raise InputError(
                f"{self.name}:{number}: document {document} after {len(self.starts) - 1}: the "
                "documents of a state are in their order"
            )
        if (
            document >= limit("empty_documents") + _EMPTY_PER_TOKEN * number
        ):  # a line is a token, in any language
            raise InputError(
                f"{self.name}:{number}: document {document} after {len(self.starts) - 1}: the "
                "documents of a state are numbered one by one (a limit: empty_documents="
                f"{document} in {VARIABLE} raises it)"
            )
        while len(self.starts) <= document:
            self.starts.append(len(self.words) - 1)
        self.sources[document] = source

    def _split_with_spaces(self, line: bytes, number: int) -> list[bytes]:
        """Split a line whose source or word has spaces."""
        check("line", len(line), f"{self.name}:{number}: a line with spaces in a word")
        source = rb".*?"
        if self.starts and line.startswith(b"%d " % (len(self.starts) - 1)):
            source = re.escape(self.sources[len(self.starts) - 1])  # of the same document
        match = re.fullmatch(rb"(\d+) (" + source + rb") (\d+) (\d+) (.+) (-?\d+)\s*", line)
        if match is None:
            raise self._wrong_line(line, number)
        return list(match.groups())

    def _wrong_line(self, line: bytes, number: int) -> InputError:
        return InputError(
            f"{self.name}:{number}: not a line of a MALLET state ({_HEADER[1:]}): "
            f"{line[:60].decode('utf-8', 'replace').strip()!r}"
        )


def check_place(place: bytes) -> None:
    """Raise a ValueError if the position of a token in its document is none."""
    if int(place) < 0:
        raise ValueError(f"position {int(place)}")


@dataclass(frozen=True)
class StateCounts:
    """The tokens of a state as arrays, and the counts of topics by word and by document."""

    vocabulary: list[str]
    columns: Integers  # the word of each token
    labels: Integers32  # the topic of each token
    starts: Integers
    by_word: Floats  # one row per topic
    by_document: Floats  # one row per document

    @property
    def lengths(self) -> Integers:
        """The number of tokens of each document."""
        import numpy as np

        return np.diff(self.starts)

    def token_fields(self, positions: list[int]) -> dict[str, Any]:
        """Return the fields of ``Topics`` about tokens, for the topics at these positions."""
        import numpy as np

        position = np.full(len(self.by_word) + 1, -1, dtype=np.int32)  # the last is for no topic
        position[positions] = np.arange(len(positions))
        tokens = Assignments(self.starts, self.columns.astype(np.int32), position[self.labels])
        return {
            "vocabulary": tuple(self.vocabulary),
            "document_lengths": self.lengths,
            "term_frequency": np.bincount(self.columns, minlength=len(self.vocabulary)),
            "assignments": tokens,
        }


def is_state(file: TopicsSource) -> bool:
    """Recognise the header line."""
    return file.lines[0].startswith(_HEADER)


def read_state(file: TopicsSource, options: TopicsOptions) -> Topics:
    """Make a model of a state alone."""
    state = parse_state(file)
    return topics_from_state(state, options, state.documents)


def parse_state(file: TopicsSource) -> MalletState:
    """Read a state line by line."""
    state = MalletState(file.name, file.size)
    for number, line in enumerate(file.byte_lines(), 1):
        if line.startswith((b"#", b"\xef\xbb\xbf#")):
            state.add_parameter(line, number)
        elif line.strip():
            state.add_line(line, number)
    if not state.words:
        raise InputError(f"{file.name}: a MALLET state without tokens")
    return state


def count_state(state: MalletState, topics: int, documents: int) -> StateCounts:
    """Count the tokens of a state, given the numbers of topics and documents."""
    import numpy as np

    kinds, columns = np.unique(np.frombuffer(state.words, dtype=np.int32), return_inverse=True)
    what = f"{state.name}: {topics} topics of {len(kinds)} words in {documents} documents"
    check_bytes("archive", _CELL * topics * (len(kinds) + documents), what, size=state.size)
    labels = np.frombuffer(state.topics, dtype=np.int32)
    starts = np.full(documents + 1, len(labels), dtype=np.int64)
    starts[: state.documents] = state.starts
    document_of_token = np.repeat(np.arange(documents), np.diff(starts))
    return StateCounts(
        vocabulary=[_decode(state.types[kind]) for kind in kinds.tolist()],
        columns=columns,
        labels=labels,
        starts=starts,
        by_word=_count_pairs(labels, columns, topics, len(kinds)),
        by_document=_count_pairs(labels, document_of_token, topics, documents).T,
    )


def topics_from_state(
    state: MalletState, options: TopicsOptions, documents: int, keys: Sequence[Topic] | None = None
) -> Topics:
    """Make topics of the tokens, with φ and θ smoothed as MALLET does.

    φ = (n_tw + β) / (n_t + Vβ) and θ = (n_dt + α_t) / (n_d + Σα), V the words that occur.
    ``keys`` are the topics of the topic keys, if there are any.
    """
    size = state.number_of_topics
    counts = count_state(state, size, documents)
    alpha, beta = _smoothing(state, size)
    phi = divide_rows(counts.by_word + beta)
    names = [_decode(state.sources.get(document, b"")) for document in range(documents)]
    topics = keys or rank_used_words(counts.by_word, phi, counts.vocabulary, options)
    positions = nonempty_topics(topics, options)
    return Topics(
        tuple(topics[n] for n in positions),
        model=options.name,
        topic_word=phi[positions],
        document_topic=divide_rows((counts.by_document + alpha)[:, positions]),
        document_ids=names_as_ids(names),
        **counts.token_fields(positions),
    )


def _count_pairs(labels: Any, others: Any, topics: int, size: int) -> Floats:
    """Count the tokens by topic and by word or document; tokens without a topic are left out."""
    import numpy as np

    has_topic = labels >= 0
    cells = labels[has_topic].astype(np.int64) * size + others[has_topic]
    counts = np.bincount(cells, minlength=topics * size)
    return counts.reshape(topics, size).astype(np.float64)


def _smoothing(state: MalletState, topics: int) -> tuple[Floats, float]:
    import numpy as np

    if state.alpha is not None and state.beta is not None:
        return np.asarray(state.alpha), state.beta
    warn_caller(
        f"{state.name}: no #alpha and #beta: the shares of words and topics are not smoothed"
    )
    return np.zeros(topics), 0.0


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "replace")


STATE = TopicsFormat("a state of MALLET", is_state, read_state, options=("top",))
