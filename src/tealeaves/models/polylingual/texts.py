"""Texts in several languages: tuples of linked documents, their words numbered.

:class:`PolylingualTexts` are read by :func:`read_tuples`; :class:`TokenLayout` is what the sampler
sees of them.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import InputError
from tealeaves.models.texts import TrainingTexts, update_digest
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Integers, Integers32
    from tealeaves.compiling.arrays import I32, I64
    from tealeaves.text.corpus import Corpus
    from tealeaves.text.document import Document
    from tealeaves.text.paired import PairedCorpus

    # the words that a model knows in each of its languages
    Vocabularies = Mapping[str, Sequence[str]]

_MOST_PARTS = 16
_LEAST_PART = 250_000  # tokens


@dataclass(frozen=True, eq=False)
class PolylingualTexts:
    """Tuples of documents, each document a sequence of words of its language's vocabulary.

    The words of tuple d in language l are ``words[starts[d * L + l]:starts[d * L + l + 1]]``, L
    being the number of languages. A document without a link is a tuple by itself. A tuple that has
    no words left stays, without words. Texts in one language are tuples of one document each, as
    plain LDA has them.

    Parameters
    ----------
    languages, vocabularies
        The languages, and the words of each.
    starts, words
        Where the words of each document start, and their numbers in the language's vocabulary.
    keys
        The key of each tuple; empty for a document without a link.
    ids
        A unique name for each tuple; empty if they have none.
    present
        Which documents there are: one row per tuple, one column per language. By default a
        document is present if it has words.
    tokens, signatures
        The token pipelines of the languages, and their signatures.
    name, digest
        The name of the texts, and a digest of the texts and their links.

    >>> texts = PolylingualTexts(
    ...     ("en", "sv"),
    ...     (("king",), ("hus", "kung")),
    ...     starts=np.array([0, 2, 3, 3, 4]),
    ...     words=np.array([0, 0, 1, 0]),
    ... )
    >>> len(texts), texts.tuple_of(0), texts.tuple_of(1)
    (2, [['king', 'king'], ['kung']], [[], ['hus']])
    """

    languages: tuple[str, ...]
    vocabularies: tuple[tuple[str, ...], ...]
    starts: Integers
    words: Integers32
    keys: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    present: Bools | None = None
    tokens: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    name: str = "memory"
    digest: str = ""

    @classmethod
    def of_one_language(cls, texts: TrainingTexts, signature: str = "") -> PolylingualTexts:
        """Return texts in one language as tuples of one document each."""
        return cls(
            (texts.language,),
            (texts.vocabulary,),
            texts.starts,
            texts.numbers,
            keys=("",) * len(texts),
            ids=texts.document_ids or (),
            present=np.ones((len(texts), 1), dtype=np.bool_),
            tokens=(texts.tokens,),
            signatures=(signature or texts.tokens,),
            name=texts.name,
            digest=texts.digest,
        )

    def __len__(self) -> int:
        return (len(self.starts) - 1) // len(self.languages)

    def tuple_of(self, row: int) -> list[list[str]]:
        """Return the words of one tuple, language by language."""
        first = row * len(self.languages)
        spans = zip(self.starts[first:], self.starts[first + 1 :], self.vocabularies, strict=False)
        return [
            [vocabulary[number] for number in self.words[start:stop].tolist()]
            for start, stop, vocabulary in spans
        ]

    @property
    def lengths(self) -> Integers:
        """The number of words of each document: one row per tuple, one column per language."""
        return np.diff(self.starts).reshape(-1, len(self.languages))

    @property
    def document_languages(self) -> Bools:
        """Which documents there are: one row per tuple, one column per language."""
        return self.lengths > 0 if self.present is None else self.present

    @cached_property
    def token_languages(self) -> Integers:
        """The position of each token's language."""
        places = np.tile(np.arange(len(self.languages)), len(self))
        return np.repeat(places, np.diff(self.starts))

    @property
    def offsets(self) -> Integers:
        """Where the words of each language start when vocabularies follow one another."""
        return np.cumsum([0, *map(len, self.vocabularies)])

    def term_frequency(self, language: int) -> Integers:
        """Return how often each word of a language occurs."""
        size = len(self.vocabularies[language])
        return np.bincount(self.words[self.token_languages == language], minlength=size)

    def document_frequency(self) -> Integers:
        """Return in how many documents each word occurs, one language after the other."""
        total = int(self.offsets[-1])
        rows = np.repeat(np.arange(len(self)), self.lengths.sum(axis=1))
        placed = self.words + self.offsets[self.token_languages]
        return np.bincount(np.unique(rows * total + placed) % max(total, 1), minlength=total)

    def limited(self, *, min_df: int = 1, max_df: float = 1.0) -> PolylingualTexts:
        """Leave out words in too few, or too large a share, of their language's documents."""
        frequency = self.document_frequency()
        sizes = [len(words) for words in self.vocabularies]
        documents = np.repeat(self.document_languages.sum(axis=0), sizes)
        kept = (frequency >= min_df) & (frequency <= max_df * documents)
        by_language = np.split(kept, self.offsets[1:-1])
        self._check_kept(by_language, min_df, max_df)
        renumbered = np.concatenate([np.cumsum(part) - 1 for part in by_language])
        placed = self.words + self.offsets[self.token_languages]
        is_kept = kept[placed]
        starts = np.concatenate([[0], np.cumsum(is_kept)])[self.starts]
        vocabularies = tuple(
            tuple(word for word, keep in zip(words, part.tolist(), strict=True) if keep)
            for words, part in zip(self.vocabularies, by_language, strict=True)
        )
        return replace(
            self,
            vocabularies=vocabularies,
            starts=starts.astype(np.int64),
            words=renumbered[placed[is_kept]].astype(np.int32),
        )

    def _check_kept(self, by_language: Sequence[Bools], min_df: int, max_df: float) -> None:
        for place, kept in enumerate(by_language):
            if not kept.any():
                count = int(self.document_languages[:, place].sum())
                which = f"of {self.languages[place]} " if len(self.languages) > 1 else ""
                raise InputError(
                    f"{self.name}: no word {which}is in at least {min_df} and at most "
                    f"{max_df:.0%} of the {count} texts: set min_df and max_df"
                )


# ------------------------------------------------------------------ reading


def read_tuples(
    paired: PairedCorpus,
    pipelines: Mapping[str, Pipeline],
    vocabularies: Vocabularies | None = None,
) -> PolylingualTexts:
    """Read the documents of all languages that have a pipeline, in the order of the corpus.

    Documents in other languages keep their rows, without words. Vocabularies are in alphabetical
    order; if they are given, other words are left out.
    """
    documents = {language: paired.keyed_documents(language) for language in paired.languages}
    return _read(documents, paired.name, pipelines, vocabularies)


def read_documents(
    corpus: Corpus, pipelines: Mapping[str, Pipeline], vocabularies: Vocabularies
) -> PolylingualTexts:
    """Read documents in the one language that has a pipeline, each a tuple by itself."""
    documents = {language: (("", document) for document in corpus) for language in pipelines}
    return _read(documents, corpus.name, pipelines, vocabularies)


def _read(
    documents: Mapping[str, Iterable[tuple[str, Document]]],
    name: str,
    pipelines: Mapping[str, Pipeline],
    vocabularies: Vocabularies | None,
) -> PolylingualTexts:
    """Read the documents of each language, which are given with their keys."""
    rows = _TupleRows()
    readers = []
    for language, keyed in documents.items():
        if language not in pipelines:
            for number, (key, document) in enumerate(keyed, 1):
                rows.find_row(key, _document_name(language, document, number))
            continue
        vocabulary = None if vocabularies is None else vocabularies[language]
        reader = _LanguageReader(language, pipelines[language], vocabulary)
        reader.read(keyed, rows)
        if vocabulary is None and not reader.vocabulary:
            count = len(reader.rows)
            why = f"none of its {count} documents has a token" if count else "it holds no documents"
            raise InputError(f"{name}: the side {language} is empty: {why}")
        readers.append(reader)
    starts, words = _interleave(readers, len(rows))
    present = np.zeros((len(rows), len(readers)), dtype=np.bool_)
    for place, reader in enumerate(readers):
        present[reader.rows, place] = True
    digest = hashlib.blake2b("".join(reader.digest for reader in readers).encode(), digest_size=8)
    return PolylingualTexts(
        tuple(reader.language for reader in readers),
        tuple(reader.vocabulary for reader in readers),
        starts,
        words,
        keys=tuple(rows.keys),
        ids=tuple(rows.ids()),
        present=present,
        tokens=tuple(repr(reader.pipeline) for reader in readers),
        signatures=tuple(reader.pipeline.signature for reader in readers),
        name=name,
        digest=f"{len(rows)}#{digest.hexdigest()}",
    )


def _document_name(language: str, document: Document, number: int) -> str:
    """Return the id of the tuple that a document without a link makes."""
    return f"{language}:{document.id or number}"


class _TupleRows:
    """The row of each tuple: one per key, and one per document without a key."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self._names: list[str] = []
        self._rows: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.keys)

    def find_row(self, key: str, name: str) -> int:
        """Return the row of a key; a document without a key gets a new one."""
        if key in self._rows:
            return self._rows[key]
        if key:
            self._rows[key] = len(self.keys)
        self.keys.append(key)
        self._names.append(key or name)
        return len(self.keys) - 1

    def ids(self) -> Iterator[str]:
        """Yield a unique name for each row: its key if it has one."""
        used = set(self._rows)
        for key, name in zip(self.keys, self._names, strict=True):
            unique, number = name, 1
            while not key and unique in used:
                number += 1
                unique = f"{name}#{number}"
            used.add(unique)
            yield unique


class _LanguageReader:
    """Reads the documents of one language: the row of each, and its words as numbers.

    If a vocabulary is given, other words are left out; if not, it is made of all words.
    """

    def __init__(self, language: str, pipeline: Pipeline, vocabulary: Sequence[str] | None) -> None:
        self.language = language
        self.pipeline = pipeline
        self.rows: list[int] = []
        self.lengths: list[int] = []
        self.digest = ""
        self._numbers = array("i")
        self._grows = vocabulary is None
        self._known = defaultdict(int, {word: n for n, word in enumerate(vocabulary or ())})
        self._known.default_factory = self._known.__len__  # a new word has the next number

    def read(self, keyed: Iterable[tuple[str, Document]], rows: _TupleRows) -> None:
        """Read all documents; only the numbers of their words are kept."""
        tokenize = self.pipeline.tokenizer()
        digest = hashlib.blake2b(digest_size=8)
        for number, (key, document) in enumerate(keyed, 1):
            self.rows.append(rows.find_row(key, _document_name(self.language, document, number)))
            before = len(self._numbers)
            tokens = tokenize(document.text)
            if len(tokens) >= self.pipeline.min_tokens:
                if not self._grows:
                    tokens = [token for token in tokens if token in self._known]
                self._numbers.extend(list(map(self._known.__getitem__, tokens)))
            self.lengths.append(len(self._numbers) - before)
            update_digest(digest, key, document.id, document.text)
        self.digest = f"{self.language}:{len(self.rows)}#{digest.hexdigest()};"

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The words in alphabetical order, or in the order in which they were given."""
        return tuple(sorted(self._known) if self._grows else self._known)

    @property
    def words(self) -> Integers32:
        """The numbers of all words in the vocabulary, document after document."""
        numbers = np.frombuffer(self._numbers, dtype=np.int32)
        if not self._grows:
            return numbers
        order = np.empty(len(self._known), dtype=np.int32)
        places = [self._known[word] for word in self.vocabulary]
        order[places] = np.arange(len(places), dtype=np.int32)
        return order[numbers]


def _interleave(readers: Sequence[_LanguageReader], rows: int) -> tuple[Integers, Integers32]:
    """Return starts and words with the documents of each tuple next to each other."""
    lengths = np.zeros((rows, len(readers)), dtype=np.int64)
    for place, reader in enumerate(readers):
        lengths[reader.rows, place] = reader.lengths
    starts = np.concatenate([[0], np.cumsum(lengths)])
    words = np.empty(int(starts[-1]), dtype=np.int32)
    for place, reader in enumerate(readers):
        own = np.array(reader.lengths, dtype=np.int64)
        shifts = starts[np.array(reader.rows, dtype=np.int64) * len(readers) + place]
        shifts = shifts - (np.cumsum(own) - own)
        words[np.arange(int(own.sum())) + np.repeat(shifts, own)] = reader.words
    return starts, words


# ------------------------------------------------------------------ the sampler's view


@dataclass(frozen=True, eq=False)
class TokenLayout:
    """The tokens of texts: those of tuple d in language l lie between two ``starts``."""

    starts: I64
    words: I32
    vocabulary: I64  # the number of words of each language

    @classmethod
    def of(cls, texts: PolylingualTexts) -> TokenLayout:
        """Return the layout of texts, checked."""
        layout = cls(
            np.ascontiguousarray(texts.starts, dtype=np.int64),
            np.ascontiguousarray(texts.words, dtype=np.int32),
            np.array([len(words) for words in texts.vocabularies], dtype=np.int64),
        )
        layout._check()
        return layout

    def _check(self) -> None:
        """Raise an error for starts and words that would make kernels read outside of arrays."""
        starts, words = self.starts, self.words
        if (len(starts) - 1) % self.languages or starts[0] != 0 or starts[-1] != len(words):
            raise ValueError("the starts of texts are not those of their words")
        if (np.diff(starts) < 0).any():
            raise ValueError("the starts of texts are not in order")
        if (words < 0).any() or (words >= self.vocabulary[self.token_languages]).any():
            raise ValueError("a word is not in the vocabulary of its language")

    @property
    def languages(self) -> int:
        """The number of languages."""
        return len(self.vocabulary)

    @property
    def tuples(self) -> int:
        """The number of tuples."""
        return (len(self.starts) - 1) // self.languages

    @cached_property
    def rows(self) -> I64:
        """The row of each language's first word, and at the end the number of rows."""
        return np.concatenate([[0], np.cumsum(self.vocabulary)]).astype(np.int64)

    @cached_property
    def lengths(self) -> I64:
        """The number of tokens of each tuple, all languages together."""
        return np.diff(self.starts[:: self.languages])

    @cached_property
    def token_rows(self) -> I64:
        """The row of each token's word."""
        return self.words + self.rows[:-1][self.token_languages]

    @cached_property
    def token_languages(self) -> I64:
        """The language of each token."""
        return np.repeat(np.tile(np.arange(self.languages), self.tuples), np.diff(self.starts))

    def tuple_of(self, token: int) -> int:
        """Return the tuple of a token."""
        return int(np.searchsorted(self.starts, token, side="right") - 1) // self.languages

    def language_of(self, token: int) -> int:
        """Return the language of a token."""
        return int(np.searchsorted(self.starts, token, side="right") - 1) % self.languages

    def split_tuples(self, parts: int) -> list[tuple[int, int]]:
        """Divide the tuples into parts that have about the same number of tokens."""
        ends = self.starts[:: self.languages]
        tokens = np.arange(1, parts) * (int(ends[-1]) / parts)
        cuts = [0, *np.searchsorted(ends, tokens).tolist(), self.tuples]
        return [(first, max(first, last)) for first, last in pairwise(cuts)]


def number_of_parts(tokens: int, cells: int) -> int:
    """Choose how many parts are sampled at the same time: a power of two, 16 at most.

    Each part works on its own copy of the counts. So a part has at least as many tokens as there
    are cells to copy (copying and adding a cell takes about a twentieth of sampling a token), and
    at least 250,000: smaller texts are sampled fast enough, and a chain of several parts needs
    more sweeps.

    >>> number_of_parts(40_000, 10_000), number_of_parts(2_000_000, 500_000)
    (1, 4)
    """
    most = min(_MOST_PARTS, tokens // max(cells, _LEAST_PART))
    return int(1 << max(0, int(most).bit_length() - 1))
