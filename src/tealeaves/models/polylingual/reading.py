"""Reading paired texts into memory, as tuples of documents."""

from __future__ import annotations

import hashlib
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import InputError
from tealeaves.models.polylingual.texts import PolylingualTexts
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.text.corpus import Corpus
    from tealeaves.text.document import Document
    from tealeaves.text.paired import PairedCorpus

    # of each language of a model, the words it knows
    Vocabularies = Mapping[str, Sequence[str]]


def read_paired(
    paired: PairedCorpus,
    pipelines: Mapping[str, Pipeline],
    vocabularies: Vocabularies | None = None,
) -> PolylingualTexts:
    """Read the documents of all languages that have a pipeline; tuples are in the corpus's order.

    Those of other languages have their rows, without words. Vocabularies are alphabetical; where
    they are given, other words are left out.
    """
    keyed = {language: paired.keyed_documents(language) for language in paired.languages}
    return _read(keyed, paired.name, pipelines, vocabularies)


def read_documents(
    corpus: Corpus, pipelines: Mapping[str, Pipeline], vocabularies: Vocabularies
) -> PolylingualTexts:
    """Read documents of the one language that has a pipeline, each a tuple by itself."""
    keyed = {language: (("", document) for document in corpus) for language in pipelines}
    return _read(keyed, corpus.name, pipelines, vocabularies)


def _read(
    keyed: Mapping[str, Iterable[tuple[str, Document]]],
    name: str,
    pipelines: Mapping[str, Pipeline],
    vocabularies: Vocabularies | None,
) -> PolylingualTexts:
    rows = _Rows()
    sides = []
    for language, documents in keyed.items():
        if language not in pipelines:
            for number, (key, document) in enumerate(documents, 1):
                rows.of(key, _own_name(language, document, number))
            continue
        given = None if vocabularies is None else vocabularies[language]
        sides.append(_Side(language, pipelines[language], given))
        sides[-1].read(documents, rows)
        if given is None:
            _check(sides[-1], name)
    starts, words = _laid_out(sides, len(rows))
    there = np.zeros((len(rows), len(sides)), dtype=np.bool_)
    for place, side in enumerate(sides):
        there[side.rows, place] = True
    digest = hashlib.blake2b("".join(side.summary for side in sides).encode(), digest_size=8)
    return PolylingualTexts(
        tuple(side.language for side in sides),
        tuple(side.vocabulary for side in sides),
        starts,
        words,
        tuple(rows.keys),
        tuple(rows.ids()),
        there,
        tuple(repr(side.pipeline) for side in sides),
        tuple(side.pipeline.signature for side in sides),
        name,
        f"{len(rows)}#{digest.hexdigest()}",
    )


def _own_name(language: str, document: Document, number: int) -> str:
    """Return what a document without a link is called."""
    return f"{language}:{document.id or number}"


class _Rows:
    """Which row of the texts a document goes to: that of its tuple, or one of its own."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self._names: list[str] = []
        self._known: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.keys)

    def of(self, key: str, name: str) -> int:
        """Return the row of a key; a document without a key has a new one."""
        if key in self._known:
            return self._known[key]
        if key:
            self._known[key] = len(self.keys)
        self.keys.append(key)
        self._names.append(key or name)
        return len(self.keys) - 1

    def ids(self) -> Iterator[str]:
        """Yield a name for each row that no other has: a tuple's is its key."""
        taken = set(self._known)
        for key, name in zip(self.keys, self._names, strict=True):
            chosen, number = name, 1
            while not key and chosen in taken:
                number += 1
                chosen = f"{name}#{number}"
            taken.add(chosen)
            yield chosen


class _Side:
    """The documents of one language: the row of each, and its words as numbers."""

    def __init__(self, language: str, pipeline: Pipeline, given: Sequence[str] | None) -> None:
        self.language = language
        self.pipeline = pipeline
        self.rows: list[int] = []
        self.lengths: list[int] = []
        self.summary = ""
        self._numbers = array("i")
        self._grows = given is None
        self._known = defaultdict(int, {word: number for number, word in enumerate(given or ())})
        self._known.default_factory = self._known.__len__  # a new word has the next number

    def read(self, documents: Iterable[tuple[str, Document]], rows: _Rows) -> None:
        """Read all documents, which are kept as numbers alone."""
        tokenize = self.pipeline.tokenizer()
        digest = hashlib.blake2b(digest_size=8)
        for number, (key, document) in enumerate(documents, 1):
            self.rows.append(rows.of(key, _own_name(self.language, document, number)))
            before = len(self._numbers)
            tokens = tokenize(document.text)
            if len(tokens) >= self.pipeline.min_tokens:
                self._numbers.extend(self._numbered(tokens))
            self.lengths.append(len(self._numbers) - before)
            for part in (key, document.id, document.text):
                data = part.encode("utf-8", "surrogatepass")
                digest.update(len(data).to_bytes(8, "little") + data)
        self.summary = f"{self.language}:{len(self.rows)}#{digest.hexdigest()};"

    def _numbered(self, tokens: Iterable[str]) -> Iterable[int]:
        known = self._known
        there = tokens if self._grows else [token for token in tokens if token in known]
        return list(map(known.__getitem__, there))

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The words in alphabetical order, or in the order they were given."""
        return tuple(sorted(self._known) if self._grows else self._known)

    @property
    def words(self) -> NDArray[np.int32]:
        """The numbers of all words in the vocabulary, document after document."""
        numbers = np.frombuffer(self._numbers, dtype=np.int32)
        if not self._grows:
            return numbers
        order = np.empty(len(self._known), dtype=np.int32)
        places = [self._known[word] for word in self.vocabulary]
        order[places] = np.arange(len(places), dtype=np.int32)
        return order[numbers]


def _laid_out(sides: Sequence[_Side], rows: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Put the documents of each tuple beside each other."""
    lengths = np.zeros((rows, len(sides)), dtype=np.int64)
    for place, side in enumerate(sides):
        lengths[side.rows, place] = side.lengths
    starts = np.concatenate([[0], np.cumsum(lengths)])
    words = np.empty(int(starts[-1]), dtype=np.int32)
    for place, side in enumerate(sides):
        own = np.array(side.lengths, dtype=np.int64)
        shifts = starts[np.array(side.rows, dtype=np.int64) * len(sides) + place]
        shifts = shifts - (np.cumsum(own) - own)
        words[np.arange(int(own.sum())) + np.repeat(shifts, own)] = side.words
    return starts, words


def _check(side: _Side, name: str) -> None:
    if not side.vocabulary:
        count = len(side.rows)
        why = f"none of its {count} documents has a token" if count else "it holds no documents"
        raise InputError(f"{name}: the side {side.language} is empty: {why}")
