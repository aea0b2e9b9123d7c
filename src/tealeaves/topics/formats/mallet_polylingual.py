"""MALLET's polylingual model: its topic keys, its state, and a folder of its outputs.

The outputs number the languages; the caller may name them with ``languages=``. The state is that of
one language with the language's number instead of the source, and without α and β: only the topic
keys have them. Documents are tuples of linked documents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError, warn_caller
from tealeaves.limits import check_bytes
from tealeaves.topics.assembly import TopicsOptions, positions_with_words
from tealeaves.topics.formats.format import TopicsFormat, TopicsSource
from tealeaves.topics.formats.mallet import FileKinds, one_file_per_kind, outputs_in
from tealeaves.topics.formats.mallet_state import MalletState, StateCounts, check_place, count_state
from tealeaves.topics.formats.mallet_tables import (
    SHARES_TOLERANCE,
    check_document_number,
    is_document_topics,
    is_index,
    is_number,
    parse_number,
    rank_used_words,
)
from tealeaves.topics.matrices import divide_rows
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topic, Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

_STATE_HEADER = "#doc lang pos typeindex type topic"
_CELL = 8  # bytes of a number in a matrix
_MOST_LANGUAGES = 1000  # a higher number is no language's
_TOPIC_FIELDS, _LANGUAGE_FIELDS = 2, 4  # of the two kinds of lines of topic keys


@dataclass
class PolylingualKeys:
    """The topic keys: the weights of the topics, and the priors and words of the languages."""

    alpha: list[float] = field(default_factory=list)
    beta: list[float] = field(default_factory=list)
    words: list[list[tuple[str, ...]]] = field(default_factory=list)  # by language, then topic

    @property
    def languages(self) -> int:
        """The number of languages."""
        return len(self.words)

    @property
    def topics(self) -> int:
        """The number of topics."""
        return len(self.alpha)

    def add_words(self, fields: list[str], expected: int, where: str) -> None:
        """Add one language's words of the last topic; ``expected`` is the language's number."""
        if fields[0] != f" {expected}":
            raise InputError(f"{where}: language {fields[0].strip()} instead of {expected}")
        if self.topics == 1:
            self.words.append([])
            self.beta.append(parse_number(fields[2]))
        elif expected == self.languages:
            raise InputError(
                f"{where}: topic {self.topics - 1} has more languages than the first, "
                f"{self.languages}"
            )
        self.words[expected].append(tuple(fields[3].split()))

    def check_last_topic(self, languages: int, where: str) -> None:
        """Check that the last topic has as many languages as the first."""
        if self.alpha and (languages != self.languages or not languages):
            raise InputError(
                f"{where}: topic {self.topics - 1} has {languages} languages, the first has "
                f"{self.languages}: the file is cut short or changed"
            )


# topic keys: a line with a topic's number and weight α, then a line per language, which has a space
# and the language's number, the number of tokens, the prior β and the words, separated by tabs


def is_polylingual_keys(file: TopicsSource) -> bool:
    """Recognise a number and a weight, then a line that starts with a space and language 0."""
    first, second = (line.rstrip("\r").split("\t") for line in [*file.lines, ""][:2])
    # no other format starts so: a wrong line further down is an error
    return (
        _is_topic_line(first)
        and first[0] == "0"
        and _is_language_line(second)
        and second[0] == " 0"
    )


def read_polylingual_keys(file: TopicsSource, options: TopicsOptions) -> Topics:
    """Read the words of each topic in each language."""
    return _topics_from_keys(parse_polylingual_keys(file), None, options, file.name)


def parse_polylingual_keys(file: TopicsSource) -> PolylingualKeys:
    """Return the words of all topics and languages, also of topics without words."""
    keys, language = PolylingualKeys(), 0
    for number, line in enumerate(file.text().split("\n"), 1):
        fields = line.rstrip("\r").split("\t")
        where = f"{file.name}:{number}"
        if _is_topic_line(fields):
            keys.check_last_topic(language, where)
            if fields[0] != str(keys.topics):
                raise InputError(f"{where}: topic {fields[0]} instead of {keys.topics}")
            keys.alpha.append(parse_number(fields[1]))
            language = 0
        elif _is_language_line(fields) and keys.alpha:
            keys.add_words(fields, language, where)
            language += 1
        elif line.strip():
            raise InputError(
                f"{where}: not a line of polylingual topic keys: a topic and its weight, or a "
                "language, its tokens, its prior and its words, separated by tabs"
            )
    keys.check_last_topic(language, f"{file.name}: at its end")
    return keys


def _is_topic_line(fields: list[str]) -> bool:
    return len(fields) == _TOPIC_FIELDS and is_index(fields[0]) and is_number(fields[1])


def _is_language_line(fields: list[str]) -> bool:
    return (
        len(fields) == _LANGUAGE_FIELDS
        and fields[0].startswith(" ")
        and is_index(fields[0][1:])
        and is_index(fields[1])
        and is_number(fields[2])
    )


# the state


def is_polylingual_state(file: TopicsSource) -> bool:
    """Recognise the header line."""
    return file.lines[0].startswith(_STATE_HEADER)


def read_polylingual_state(file: TopicsSource, options: TopicsOptions) -> Topics:
    """Make a model of a state alone."""
    states = parse_polylingual_state(file)
    return _topics_from_states(states, options, max(state.documents for state in states), None)


def parse_polylingual_state(file: TopicsSource) -> list[MalletState]:
    """Read a state line by line; return the tokens of each language."""
    states: list[MalletState] = []
    for number, line in enumerate(file.byte_lines(), 1):
        if line.strip() and not line.startswith((b"#", b"\xef\xbb\xbf#")):
            _add_line(states, line, number, file)
    empty = next((language for language, state in enumerate(states) if not state.words), None)
    if not states or empty is not None:
        missing = "tokens" if not states else f"tokens of language {empty}"
        raise InputError(f"{file.name}: a MALLET state without {missing}")
    return states


def _add_line(states: list[MalletState], line: bytes, number: int, file: TopicsSource) -> None:
    """Add the token of a line to its language; the word may have spaces."""
    try:
        document, language, place, kind, rest = line.split(None, 4)
        word, topic = rest.rsplit(None, 1)
        check_place(place)
        if not 0 <= int(language) < _MOST_LANGUAGES:
            raise ValueError(f"language {int(language)}")
        while len(states) <= int(language):
            states.append(MalletState(file.name, file.size))
        state = states[int(language)]
        state.add_token(int(document), b"", int(kind), word, int(topic), number)
    except InputError:
        raise
    except (ValueError, OverflowError) as error:
        start = line[:60].decode("utf-8", "replace").strip()
        raise InputError(
            f"{file.name}:{number}: not a line of a polylingual MALLET state "
            f"({_STATE_HEADER[1:]}): {start!r}"
        ) from error


def _topics_from_states(
    states: Sequence[MalletState],
    options: TopicsOptions,
    documents: int,
    keys: PolylingualKeys | None,
) -> Topics:
    """Make topics of the tokens, smoothed with the α and β of the topic keys as MALLET does.

    φ = (n_tw + β) / (n_t + Vβ) for each language, θ = (n_dt + α_t) / (n_d + Σα) for each tuple.
    Without topic keys nothing is smoothed, and a warning says so.
    """
    name = states[0].name
    if keys is None:
        warn_caller(
            f"{name}: a polylingual state has no α and β: the shares of words and topics are not "
            "smoothed; put --output-topic-keys into the same folder and give the folder"
        )
    size = _number_of_topics(states) if keys is None else keys.topics
    sides = [count_state(state, size, documents) for state in states]
    alpha = 0.0 if keys is None else keys.alpha
    betas = [0.0] * len(sides) if keys is None else keys.beta
    phis = [divide_rows(side.by_word + beta) for side, beta in zip(sides, betas, strict=True)]
    if keys is None:
        rankings = [
            rank_used_words(side.by_word, phi, side.vocabulary, options)
            for side, phi in zip(sides, phis, strict=True)
        ]
    else:
        rankings = [list(map(Topic, range(size), words)) for words in keys.words]
    words = [[topic.words for topic in topics] for topics in rankings]
    positions = _topics_with_words(words, options)
    fields = [
        {
            "topics": tuple(topics[k] for k in positions),
            "topic_word": phi[positions],
            **side.token_fields(positions),
        }
        for topics, phi, side in zip(rankings, phis, sides, strict=True)
    ]
    return _join_languages(fields, options, name, **_tuple_fields(sides, alpha, positions))


def _number_of_topics(states: Sequence[MalletState]) -> int:
    """Return one more than the highest topic."""
    count = max(max(state.topics) for state in states) + 1
    tokens = sum(len(state.topics) for state in states)
    if not 0 < count <= tokens:
        name = states[0].name
        raise InputError(f"{name}: the highest topic is {count - 1} in a state of {tokens} tokens")
    return count


def _tuple_fields(sides: Sequence[StateCounts], alpha: Any, positions: list[int]) -> dict[str, Any]:
    """Return the fields of ``MultilingualTopics`` about tuples of documents."""
    import numpy as np

    lengths = np.array([side.lengths for side in sides])
    counts = np.sum([side.by_document for side in sides], axis=0)
    return {
        "document_topic": divide_rows((counts + alpha)[:, positions]),
        "document_lengths": lengths.sum(axis=0),
        "document_languages": (lengths > 0).T,
    }


# a folder of the outputs

_STATE_KIND, _KEYS_KIND = "polylingual state", "polylingual topic keys"
_WORD_KINDS: FileKinds = {_STATE_KIND: is_polylingual_state, _KEYS_KIND: is_polylingual_keys}
_KINDS: FileKinds = {**_WORD_KINDS, "document topics": is_document_topics}


def is_polylingual_folder(folder: TopicsSource) -> bool:
    """Recognise a folder with polylingual topic keys or a polylingual state."""
    return next(outputs_in(folder.path, _WORD_KINDS), None) is not None


def read_polylingual_folder(folder: TopicsSource, options: TopicsOptions) -> Topics:
    """Join the outputs to one model, after checking that they belong to one."""
    files = one_file_per_kind(folder, _KINDS)
    states = parse_polylingual_state(files[_STATE_KIND]) if _STATE_KIND in files else None
    keys = parse_polylingual_keys(files[_KEYS_KIND]) if _KEYS_KIND in files else None
    if states is not None and keys is not None:
        _check_sizes(states, keys, folder.name)
    shares = None
    if "document topics" in files:
        topics = None if keys is None else keys.topics
        shares = _parse_document_shares(files["document topics"], topics)
    if states is None:
        return _topics_from_keys(keys or PolylingualKeys(), shares, options, folder.name)
    documents = max(state.documents for state in states)
    if shares is not None and len(shares) < documents:
        raise InputError(
            f"{folder.name}: the state has {documents} documents, the document topics "
            f"{len(shares)}: are the files of one model?"
        )
    # the state does not have empty documents at the end
    documents = documents if shares is None else len(shares)
    return _topics_from_states(states, options, documents, keys)


def _check_sizes(states: list[MalletState], keys: PolylingualKeys, name: str) -> None:
    """Check that both files have the same sizes; a state may lack the last topics."""
    topics = _number_of_topics(states)
    if len(states) != keys.languages or topics > keys.topics:
        raise InputError(
            f"{name}: the topic keys have {keys.topics} topics in {keys.languages} languages, the "
            f"state {topics} in {len(states)}: are they of one model?"
        )


def _topics_from_keys(
    keys: PolylingualKeys, shares: Floats | None, options: TopicsOptions, name: str
) -> Topics:
    positions = _topics_with_words(keys.words, options)
    sides = [{"topics": tuple(Topic(k, words[k]) for k in positions)} for words in keys.words]
    if shares is not None and len(positions) < shares.shape[1]:
        shares = divide_rows(shares[:, positions])  # some topics were dropped
    known = {} if shares is None else {"document_topic": shares}
    return _join_languages(sides, options, name, **known)


def _parse_document_shares(file: TopicsSource, topics: int | None) -> Floats:
    """Read pairs of a topic and its share: one row per tuple, zeros for one without tokens.

    The polylingual model writes no name after the number of a tuple.
    """
    import numpy as np

    rows: list[dict[int, float]] = []
    for number, line in enumerate(file.text().split("\n"), 1):
        if line.startswith("#") or not line.strip():
            continue
        where = f"{file.name}:{number}"
        fields = line.split()
        check_document_number(fields[0], len(rows), where)
        row = _parse_shares(fields[1:], where)
        if topics is not None and max(row, default=0) >= topics:
            raise InputError(f"{where}: topic {max(row)}, but there are {topics} topics")
        rows.append(row)
    columns = 1 + max((max(row, default=0) for row in rows), default=0)
    columns = columns if topics is None else topics
    what = f"{file.name}: shares of {columns} topics in {len(rows)} documents"
    check_bytes("archive", _CELL * len(rows) * columns, what, size=file.size)
    shares = np.zeros((len(rows), columns))
    for document, row in enumerate(rows):
        shares[document, list(row)] = list(row.values())
    return shares


def _parse_shares(fields: list[str], where: str) -> dict[int, float]:
    """Return the share of each topic that is listed for a tuple."""
    wrong = InputError(
        f"{where}: not the number of a document, then pairs of a topic and its share"
    )
    if len(fields) % 2:
        raise wrong
    shares: dict[int, float] = {}
    for topic, share in zip(fields[::2], fields[1::2], strict=True):
        if not is_index(topic) or not (is_number(share) or share == "NaN"):
            raise wrong
        # NaN: a tuple without tokens, for which MALLET divides by zero
        shares[int(topic)] = 0.0 if share == "NaN" else parse_number(share)
    if sum(shares.values()) > 1.0 + SHARES_TOLERANCE:
        raise wrong
    return shares


# languages


def _topics_with_words(
    words: Sequence[Sequence[Sequence[str]]], options: TopicsOptions
) -> list[int]:
    """Return the topics that have words in every language; a warning names the others."""
    topics = range(len(words[0]))
    has_words = [all(side[k] for side in words) for k in topics]
    return positions_with_words(topics, has_words, options, "no words in some language")


def _join_languages(
    sides: Sequence[Mapping[str, Any]], options: TopicsOptions, name: str, **known: Any
) -> Topics:
    """Make one model of the fields of each language and of the tuples.

    A model of one language is plain topics.
    """
    names = _language_names(len(sides), options, name)
    if len(sides) == 1:
        known.pop("document_languages", None)
        language = "" if options.languages is None else names[0]
        return Topics(**({"model": options.name, "language": language} | dict(sides[0]) | known))
    by_language = {
        language: Topics(model=options.name, language=language, **side)
        for language, side in zip(names, sides, strict=True)
    }
    return MultilingualTopics.of_languages(by_language, model=options.name, **known)


def _language_names(count: int, options: TopicsOptions, name: str) -> list[str]:
    """Return the names of languages 0, 1, …: those of ``languages=``, else the numbers."""
    languages = options.languages
    if languages is None:
        return [str(number) for number in range(count)]
    languages = languages.split(",") if isinstance(languages, str) else languages
    names = [language.strip() for language in languages]
    if len(names) != count:
        raise InputError(
            f"{name}: {count} languages, but {len(names)} named ({', '.join(names)}): name all, as "
            "in --languages en,sv"
        )
    if len(set(names)) < count:
        raise InputError(f"{name}: the languages (--languages) have one twice: {', '.join(names)}")
    return names


POLYLINGUAL_KEYS = TopicsFormat(
    "topic keys of MALLET's polylingual model",
    is_polylingual_keys,
    read_polylingual_keys,
    options=("languages",),
)
POLYLINGUAL_STATE = TopicsFormat(
    "a state of MALLET's polylingual model",
    is_polylingual_state,
    read_polylingual_state,
    options=("languages", "top"),
)
POLYLINGUAL_FOLDER = TopicsFormat(
    "a folder of the outputs of MALLET's polylingual model",
    is_polylingual_folder,
    read_polylingual_folder,
    options=("languages", "top"),
    folder=True,
)
