"""MALLET's tables: topic keys, document topics and topic-word weights."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from tealeaves.errors import InputError
from tealeaves.limits import check_bytes
from tealeaves.topics.assembly import TopicsOptions, positions_with_words, rank_words
from tealeaves.topics.formats.format import TopicsFormat, TopicsSource
from tealeaves.topics.matrices import MOST_PRIOR
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

_KEYS_FIELDS = 3
_WEIGHTS_FIELDS = 3
_DIGITS = 10  # the number of a topic has fewer
_DOCUMENTS_HEADERS = ("#doc name topic proportion", "#doc source topic proportion")
_UNKNOWN_NAMES = {"", "no-name", "NA", "null-source"}  # of documents
SHARES_TOLERANCE = 0.01  # how far the sum of the printed shares of a document may be from 1


# topic keys, --output-topic-keys: number, weight and words of each topic, separated by tabs


def is_topic_keys(file: TopicsSource) -> bool:
    """Recognise three fields, separated by tabs: a number, a number, words with spaces.

    MALLET ends each line with a space. If all lines end so, the first field may be a label.
    """
    lines = [line.rstrip("\r").split("\t") for line in file.lines]
    if not all(len(fields) == _KEYS_FIELDS and is_number(fields[1]) for fields in lines):
        return False
    if all(is_index(fields[0]) for fields in lines):
        return any(" " in fields[2] for fields in lines)
    return all(fields[2].endswith(" ") for fields in lines)


def read_topic_keys(file: TopicsSource, options: TopicsOptions) -> Topics:
    """Read the words of each topic, and its id."""
    return topics_from_keys(parse_topic_keys(file), options)


def parse_topic_keys(file: TopicsSource) -> tuple[Topic, ...]:
    """Return all topics, also those without words: other files have rows for them."""
    topics = []
    for number, line in enumerate(file.text().split("\n"), 1):
        if not line.strip():
            continue
        fields = line.rstrip("\r").split("\t")
        if len(fields) != _KEYS_FIELDS or not is_number(fields[1]):
            raise InputError(
                f"{file.name}:{number}: not a line of topic keys: a number, a weight and the "
                "words, separated by tabs"
            )
        identity = int(fields[0]) if is_index(fields[0]) else fields[0]
        topics.append(Topic(identity, tuple(fields[2].split())))
    return tuple(topics)


def topics_from_keys(keys: Sequence[Topic], options: TopicsOptions) -> Topics:
    """Make a model of the topic keys alone."""
    return Topics(tuple(keys[n] for n in nonempty_topics(keys, options)), model=options.name)


def nonempty_topics(topics: Sequence[Topic], options: TopicsOptions) -> list[int]:
    """Return the positions of the topics that have words; a warning names the others."""
    ids = [topic.id for topic in topics]
    return positions_with_words(ids, [topic.words for topic in topics], options)


def is_index(text: str) -> bool:
    """Tell whether a field is the number of a topic."""
    return text.isdecimal() and len(text) < _DIGITS


def is_number(text: str) -> bool:
    """Tell whether a field is a number; MALLET may write a decimal comma.

    >>> [is_number(text) for text in ("0.05", "5", "0,05", "1.0E-4", "dog", "nan")]
    [True, True, True, True, False, False]
    """
    if not text[:1].isdecimal():
        return False
    try:
        parse_number(text)
    except ValueError:
        return False
    return True


def parse_number(text: str) -> float:
    """Return a number that may have a decimal comma; of larger ones, sums may be infinite."""
    number = float(text.replace(",", "."))
    if not abs(number) <= MOST_PRIOR:
        raise ValueError(f"{text!r:.40} is too large")
    return number


# document topics, --output-doc-topics: the shares of the topics in each document


@dataclass(frozen=True)
class DocumentTopics:
    """The shares of the topics, one row per document, and the documents' names.

    ``sparse`` tells that small shares are left out.
    """

    shares: Floats
    names: list[str]
    sparse: bool


def is_document_topics(file: TopicsSource) -> bool:
    """Recognise the header of MALLET, or lines of a number, a name and shares that sum to 1."""
    if file.lines[0].startswith(_DOCUMENTS_HEADERS):
        return True
    lines = [_split_fields(line) for line in file.lines]
    topics = min(map(len, lines)) - 2
    return topics >= 1 and all(
        fields[0] == str(number) and _are_shares(fields[-topics:])
        for number, fields in enumerate(lines)
    )


def refuse_document_topics(file: TopicsSource, _options: TopicsOptions) -> NoReturn:
    """Refuse document topics alone: they have no words."""
    raise InputError(
        f"{file.name}: document topics of MALLET, without words: put --output-topic-keys or "
        "--output-state into the same folder and give the folder"
    )


def parse_document_topics(file: TopicsSource, topics: int) -> DocumentTopics:
    """Read the shares line by line, given the number of topics."""
    import numpy as np

    values, names, sparse = array("d"), list[str](), False
    for number, line in enumerate(file.byte_lines(), 1):
        text = line.decode("utf-8", "replace").removeprefix("\ufeff")
        if text.startswith("#") or not text.strip():
            continue
        where = f"{file.name}:{number}"
        fields = _split_fields(text)
        check_document_number(fields[0], len(names), where)
        if _is_sparse(fields):
            sparse = True
            check_bytes("archive", values.itemsize * topics * len(names), where, size=file.size)
            name, row = _parse_sparse_row(fields, topics, where)
        else:
            name, row = _parse_dense_row(fields, topics, where)
        names.append(name)
        values.extend(row)
    shares = np.frombuffer(values, dtype=np.float64) if values else np.zeros(0)
    return DocumentTopics(shares.reshape(len(names), topics), names, sparse)


def check_document_number(field: str, expected: int, where: str) -> None:
    """Check that the documents are in their order."""
    if field != str(expected):
        raise InputError(f"{where}: document {field!r:.40} instead of {expected}")


def names_as_ids(names: list[str]) -> tuple[str, ...] | None:
    """Return the names of documents if they are unique and known."""
    usable = len(set(names)) == len(names) and _UNKNOWN_NAMES.isdisjoint(names)
    return tuple(names) if usable and names else None


def _split_fields(line: str) -> list[str]:
    """Split at tabs, which MALLET writes now, or at spaces, which it wrote once."""
    stripped = line.rstrip()
    return stripped.split("\t") if "\t" in stripped else stripped.split(" ")


def _are_shares(fields: list[str]) -> bool:
    if not all("." in field and is_number(field) for field in fields):
        return False
    return abs(sum(map(float, fields)) - 1.0) <= SHARES_TOLERANCE


def _is_sparse(fields: list[str]) -> bool:
    """Recognise pairs of a topic and its share by the whole number; dense lines have none."""
    pairs = len(fields) > 3 and is_index(fields[-2])
    return pairs or len(fields) == 2  # no topic is above the threshold


def _parse_sparse_row(fields: list[str], topics: int, where: str) -> tuple[str, list[float]]:
    row = [0.0] * topics
    end = len(fields)
    while end >= 4 and is_index(fields[end - 2]) and is_number(fields[end - 1]):
        topic = int(fields[end - 2])
        if topic >= topics:
            raise InputError(f"{where}: topic {topic}, but there are {topics} topics")
        row[topic] = float(fields[end - 1])
        end -= 2
    return " ".join(fields[1:end]), row


def _parse_dense_row(fields: list[str], topics: int, where: str) -> tuple[str, list[float]]:
    shares = fields[-topics:]
    if len(fields) < topics + 2 or not all(map(is_number, shares)):
        raise InputError(
            f"{where}: {max(len(fields) - 2, 0)} shares, but there are {topics} topics: are the "
            "files of one model?"
        )
    row = [parse_number(share) for share in shares]
    if abs(sum(row) - 1.0) > SHARES_TOLERANCE:
        raise InputError(
            f"{where}: the last {topics} shares sum to {sum(row):.4g}, not to 1: are the files of "
            "one model?"
        )
    return " ".join(fields[1:-topics]), row


# topic-word weights, --topic-word-weights-file: the weight of every word in every topic


@dataclass(frozen=True)
class TopicWordWeights:
    """The sums of counts and the prior, one row per topic, and the words of the columns."""

    table: Floats
    vocabulary: tuple[str, ...]

    @property
    def counts(self) -> Floats:
        """The weights without the prior β: the smallest weight is that of a word never used."""
        return self.table - self.table.min() if len(self.table) > 1 else self.table

    @property
    def phi(self) -> Floats:
        """The shares of the words, φ = (n_tw + β) / (n_t + Vβ)."""
        shares: Floats = self.table / self.table.sum(axis=1)[:, None]
        return shares


def is_topic_word_weights(file: TopicsSource) -> bool:
    """Recognise a topic, a word and a weight with a decimal point in each line, from topic 0 on."""
    lines = [line.split("\t") for line in file.lines]
    return lines[0][0] == "0" and all(
        len(fields) == _WEIGHTS_FIELDS
        and fields[0].isdecimal()
        and "." in fields[2]
        and is_number(fields[2])
        for fields in lines
    )


def read_topic_word_weights(file: TopicsSource, options: TopicsOptions) -> Topics:
    """Make a model of the weights alone."""
    return topics_from_weights(parse_topic_word_weights(file), options)


def topics_from_weights(
    weights: TopicWordWeights, options: TopicsOptions, keys: Sequence[Topic] | None = None
) -> Topics:
    """Make topics of the weights, with the words of the topic keys if there are any."""
    topics = keys or rank_used_words(weights.counts, weights.phi, weights.vocabulary, options)
    positions = nonempty_topics(topics, options)
    return Topics(
        tuple(topics[n] for n in positions),
        model=options.name,
        vocabulary=weights.vocabulary,
        topic_word=weights.phi[positions],
    )


def parse_topic_word_weights(file: TopicsSource) -> TopicWordWeights:
    """Read the weights line by line: all words of topic 0, then of 1, in the same order."""
    import numpy as np

    values, vocabulary = array("d"), list[str]()
    for number, line in enumerate(file.byte_lines(), 1):
        fields = line.decode("utf-8", "replace").strip("\r\n\ufeff").split("\t")
        if len(fields) != _WEIGHTS_FIELDS or not is_number(fields[2]):
            raise InputError(
                f"{file.name}:{number}: not a topic, a word and a weight, separated by tabs"
            )
        if fields[0] == "0":
            vocabulary.append(fields[1])
        topic, column = divmod(len(values), len(vocabulary) or 1)
        if not vocabulary or fields[:2] != [str(topic), vocabulary[column]]:
            raise InputError(
                f"{file.name}:{number}: topic {fields[0]!r:.20} and word {fields[1]!r:.40} are "
                "not in their place: each topic has all words in one order"
            )
        values.append(parse_number(fields[2]))
    if len(values) % len(vocabulary):
        raise InputError(f"{file.name}: the last topic lacks words: the file is cut short")
    table = np.frombuffer(values, dtype=np.float64).reshape(-1, len(vocabulary))
    if not np.isfinite(table).all() or not (table.sum(axis=1) > 0).all():
        raise InputError(f"{file.name}: a topic has no weight, or more than a number can hold")
    return TopicWordWeights(table, tuple(vocabulary))


def rank_used_words(
    counts: Floats, phi: Floats, vocabulary: Sequence[str], options: TopicsOptions
) -> list[Topic]:
    """Return topics with their words of the largest shares, but only words that a topic has."""
    import numpy as np

    return rank_words(np.where(counts > 0, phi, 0.0), vocabulary, None, options.ranked_words)


TOPIC_KEYS = TopicsFormat("topic keys of MALLET", is_topic_keys, read_topic_keys)
DOCUMENT_TOPICS = TopicsFormat("", is_document_topics, refuse_document_topics)
TOPIC_WORD_WEIGHTS = TopicsFormat(
    "topic-word weights of MALLET", is_topic_word_weights, read_topic_word_weights, options=("top",)
)
