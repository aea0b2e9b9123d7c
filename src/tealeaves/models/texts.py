"""Texts that models are trained on: documents in one language, or tuples of linked documents."""

from __future__ import annotations

import hashlib
import warnings
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tealeaves.arrays import offsets
from tealeaves.errors import InputError, MissingExtraError, TealeavesWarning
from tealeaves.expressions import Expression
from tealeaves.text.corpus import Corpus
from tealeaves.text.languages import language_code
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.arrays import Bools, Integers, Integers32
    from tealeaves.text.document import Document
    from tealeaves.text.paired import PairedCorpus

_INSPECTED = 1000  # documents whose language decides which stop words are left out


@dataclass(frozen=True, eq=False)
class TrainingTexts:
    """Texts as numbers of words: a row for each tuple of linked documents.

    The words of tuple d in language l are ``words[starts[d * L + l]:starts[d * L + l + 1]]``, L
    being the number of languages. A document without a link is a tuple by itself, and so is each
    document of texts in one language. A tuple that has no words left keeps its row.

    Parameters
    ----------
    languages, vocabularies
        The languages, and the words of each. The name of a language that is not known is empty.
    starts, words
        Where the words of each document start, and their numbers in the language's vocabulary.
    ids
        A unique name for each tuple; empty if they have none.
    present
        Which documents there are: one row per tuple, one column per language. By default a
        document is present if it has words.
    tokens, signatures
        The token pipelines of the languages, and their signatures.
    name, digest
        The name of the texts, and a digest of the texts, their ids and links.
    labelled
        Whether any document has a label.

    >>> texts = TrainingTexts(
    ...     ("en", "sv"),
    ...     (("king",), ("hus", "kung")),
    ...     starts=np.array([0, 2, 3, 3, 4]),
    ...     words=np.array([0, 0, 1, 0]),
    ... )
    >>> len(texts), texts.words_of(0), texts.words_of(1)
    (2, [['king', 'king'], ['kung']], [[], ['hus']])
    """

    languages: tuple[str, ...]
    vocabularies: tuple[tuple[str, ...], ...]
    starts: Integers
    words: Integers32
    ids: tuple[str, ...] = ()
    present: Bools | None = None
    tokens: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    name: str = "memory"
    digest: str = ""
    labelled: bool = False

    def __post_init__(self) -> None:
        for name, kind in (("starts", np.int64), ("words", np.int32)):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), dtype=kind))
        self._check()

    def _check(self) -> None:
        """Raise an error for starts and words that would make kernels read outside of arrays."""
        starts, words = self.starts, self.words
        if (len(starts) - 1) % len(self.languages) or starts[0] != 0 or starts[-1] != len(words):
            raise ValueError("the starts of texts are not those of their words")
        if (np.diff(starts) < 0).any():
            raise ValueError("the starts of texts are not in order")
        sizes = np.repeat(np.tile(self.vocabulary_sizes, len(self)), np.diff(starts))
        if (words < 0).any() or (words >= sizes).any():
            raise ValueError("a word is not in the vocabulary of its language")

    def __len__(self) -> int:
        return (len(self.starts) - 1) // len(self.languages)

    def words_of(self, row: int) -> list[list[str]]:
        """Return the words of one tuple, language by language."""
        first = row * len(self.languages)
        spans = pairwise(self.starts[first : first + len(self.languages) + 1])
        return [
            [vocabulary[number] for number in self.words[start:stop].tolist()]
            for (start, stop), vocabulary in zip(spans, self.vocabularies, strict=True)
        ]

    @property
    def lengths(self) -> Integers:
        """The number of words of each tuple, all languages together."""
        return np.diff(self.starts[:: len(self.languages)])

    @property
    def document_languages(self) -> Bools:
        """Which documents there are: one row per tuple, one column per language."""
        if self.present is not None:
            return self.present
        return np.diff(self.starts).reshape(-1, len(self.languages)) > 0

    @property
    def vocabulary_sizes(self) -> Integers:
        """The number of words of each language."""
        return np.array([len(words) for words in self.vocabularies], dtype=np.int64)

    @cached_property
    def offsets(self) -> Integers:
        """Where the words of each language start when vocabularies follow one another."""
        return offsets(self.vocabulary_sizes)

    @cached_property
    def token_languages(self) -> Integers:
        """The position of each token's language."""
        return np.repeat(np.tile(np.arange(len(self.languages)), len(self)), np.diff(self.starts))

    @cached_property
    def token_rows(self) -> Integers:
        """The number of each token's word when vocabularies follow one another."""
        return self.words + self.offsets[self.token_languages]

    def term_frequency(self, language: int) -> Integers:
        """Return how often each word of a language occurs."""
        size = len(self.vocabularies[language])
        return np.bincount(self.words[self.token_languages == language], minlength=size)

    @cached_property
    def document_frequency(self) -> Integers:
        """In how many documents each word occurs, one language after the other."""
        total = int(self.offsets[-1])
        rows = np.repeat(np.arange(len(self)), self.lengths)
        pairs = np.sort(rows * total + self.token_rows)  # np.unique takes several times as long
        is_new = np.diff(pairs, prepend=-1) > 0
        return np.bincount(pairs[is_new] % max(total, 1), minlength=total)

    def limited(self, *, min_df: int = 1, max_df: float = 1.0) -> TrainingTexts:
        """Leave out words in too few, or too large a share, of their language's documents."""
        documents = np.repeat(self.document_languages.sum(axis=0), self.vocabulary_sizes)
        frequency = self.document_frequency
        kept = (frequency >= min_df) & (frequency <= max_df * documents)
        by_language = np.split(kept, self.offsets[1:-1])
        for place, part in enumerate(by_language):
            if not part.any():
                count = int(self.document_languages[:, place].sum())
                which = f"of {self.languages[place]} " if len(self.languages) > 1 else ""
                raise InputError(
                    f"{self.name}: no word {which}is in at least {min_df} and at most "
                    f"{max_df:.0%} of the {count} texts: set min_df and max_df"
                )
        renumbered = np.concatenate([np.cumsum(part) - 1 for part in by_language])
        is_kept = kept[self.token_rows]
        return replace(
            self,
            vocabularies=tuple(
                tuple(word for word, keep in zip(words, part.tolist(), strict=True) if keep)
                for words, part in zip(self.vocabularies, by_language, strict=True)
            ),
            starts=offsets(is_kept)[self.starts],
            words=renumbered[self.token_rows[is_kept]],
        )

    def split_tuples(self, parts: int) -> list[tuple[int, int]]:
        """Divide the tuples into parts that have about the same number of tokens."""
        ends = self.starts[:: len(self.languages)]
        tokens = np.arange(1, parts) * (int(ends[-1]) / parts)
        cuts = [0, *np.searchsorted(ends, tokens).tolist(), len(self)]
        return [(first, max(first, last)) for first, last in pairwise(cuts)]


# ------------------------------------------------------------------ reading


def read_texts(
    corpus: Corpus, pipeline: Pipeline, vocabulary: Sequence[str] | None = None
) -> TrainingTexts:
    """Read texts in one language into memory.

    The vocabulary is in alphabetical order; if one is given, other words are left out.

    >>> texts = read_texts(Corpus.of(["a cat", "a dog and a cat", "?"]), Pipeline.parse("words"))
    >>> texts.vocabularies
    (('a', 'and', 'cat', 'dog'),)
    >>> often = texts.limited(min_df=2)
    >>> [often.words_of(row) for row in range(3)]
    [[['a', 'cat']], [['a', 'a', 'cat']], [[]]]
    """
    numbers = _WordNumbers(pipeline, vocabulary)
    ids: list[str] = []
    languages: set[str] = set()
    labelled = False
    digest = hashlib.blake2b(digest_size=8)
    for document in corpus:
        numbers.add(document.text)
        ids.append(document.id)
        languages.add(document.language)
        labelled = labelled or bool(document.label)
        _update_digest(digest, document.id, document.text)
    numbers.check(f"{corpus.name}: the corpus")
    are_unique = all(ids) and len(set(ids)) == len(ids)
    return TrainingTexts(
        (_language_of(languages, pipeline),),
        (numbers.vocabulary,),
        starts=offsets(numbers.lengths),
        words=numbers.words,
        ids=tuple(ids) if are_unique else (),
        present=np.ones((len(ids), 1), dtype=np.bool_),
        tokens=(repr(pipeline),),
        signatures=(pipeline.signature,),
        name=corpus.name,
        digest=f"{len(ids)}#{digest.hexdigest()}",
        labelled=labelled,
    )


def read_tuples(
    paired: PairedCorpus,
    pipelines: Mapping[str, Pipeline],
    vocabularies: Mapping[str, Sequence[str]] | None = None,
) -> TrainingTexts:
    """Read the documents of all languages that have a pipeline, in the order of the corpus.

    Documents in other languages keep their rows, without words. Vocabularies are in alphabetical
    order; if they are given, other words are left out.
    """
    names = _TupleNames()
    sides = []
    for language in paired.languages:
        located = _locate(paired, language, names)
        if language not in pipelines:
            for _ in located:
                pass  # these documents only need rows
            continue
        vocabulary = None if vocabularies is None else vocabularies[language]
        numbers = _WordNumbers(pipelines[language], vocabulary)
        sides.append(_read_side(language, numbers, located))
        numbers.check(f"{paired.name}: the side {language}")
    starts, words, present = _interleave(sides, len(names))
    digest = hashlib.blake2b("".join(side.digest for side in sides).encode(), digest_size=8)
    return TrainingTexts(
        tuple(side.language for side in sides),
        tuple(side.numbers.vocabulary for side in sides),
        starts,
        words,
        ids=tuple(names.unique()),
        present=present,
        tokens=tuple(repr(side.numbers.pipeline) for side in sides),
        signatures=tuple(side.numbers.pipeline.signature for side in sides),
        name=paired.name,
        digest=f"{len(names)}#{digest.hexdigest()}",
    )


def _locate(
    paired: PairedCorpus, language: str, names: _TupleNames
) -> Iterator[tuple[int, str, Document]]:
    """Yield the row, key and text of each document in a language."""
    for number, (key, document) in enumerate(paired.keyed_documents(language), 1):
        yield names.find_row(key, f"{language}:{document.id or number}"), key, document


class _TupleNames:
    """The names of tuples, row by row: a key, or the name of a document without a key."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._rows_of_keys: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._names)

    def find_row(self, key: str, name: str) -> int:
        """Return the row of a key; a document without a key gets a new one."""
        if key in self._rows_of_keys:
            return self._rows_of_keys[key]
        if key:
            self._rows_of_keys[key] = len(self)
        self._names.append(key or name)
        return len(self) - 1

    def unique(self) -> Iterator[str]:
        """Yield a unique name for each row: keys stay as they are."""
        used = set(self._rows_of_keys)
        for row, name in enumerate(self._names):
            unique, number = name, 1
            while self._rows_of_keys.get(name) != row and unique in used:
                number += 1
                unique = f"{name}#{number}"
            used.add(unique)
            yield unique


class _WordNumbers:
    """Texts as numbers of words, one text after the other.

    If a vocabulary is given, other words are left out; if not, it is made of all words.
    """

    def __init__(self, pipeline: Pipeline, vocabulary: Sequence[str] | None) -> None:
        self.pipeline = pipeline
        self.lengths: list[int] = []
        self._tokenize = pipeline.tokenizer()
        self._numbers = array("i")
        self._grows = vocabulary is None
        self._known = defaultdict(int, {word: n for n, word in enumerate(vocabulary or ())})
        self._known.default_factory = self._known.__len__  # a new word has the next number

    def add(self, text: str) -> None:
        """Add a text; only the numbers of its words are kept."""
        before = len(self._numbers)
        tokens = self._tokenize(text)
        if len(tokens) >= self.pipeline.min_tokens:
            if not self._grows:
                tokens = [token for token in tokens if token in self._known]
            self._numbers.extend(list(map(self._known.__getitem__, tokens)))
        self.lengths.append(len(self._numbers) - before)

    def check(self, name: str) -> None:
        """Raise an error if a vocabulary was to be made and there are no words."""
        if self._grows and not self._known:
            count = len(self.lengths)
            why = f"none of its {count} documents has a token" if count else "it holds no documents"
            raise InputError(f"{name} is empty: {why}")

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The words in alphabetical order, or in the order in which they were given."""
        return tuple(sorted(self._known) if self._grows else self._known)

    @property
    def words(self) -> Integers32:
        """The numbers of all words in the vocabulary, text after text."""
        numbers = np.frombuffer(self._numbers, dtype=np.int32)
        if not self._grows:
            return numbers
        order = np.empty(len(self._known), dtype=np.int32)
        places = [self._known[word] for word in self.vocabulary]
        order[places] = np.arange(len(places), dtype=np.int32)
        return order[numbers]


class _LanguageTexts(NamedTuple):
    """The documents of one language of a paired corpus, and the row of each."""

    language: str
    numbers: _WordNumbers
    rows: list[int]
    digest: str


def _read_side(
    language: str, numbers: _WordNumbers, located: Iterable[tuple[int, str, Document]]
) -> _LanguageTexts:
    digest = hashlib.blake2b(digest_size=8)
    rows = []
    for row, key, document in located:
        rows.append(row)
        numbers.add(document.text)
        _update_digest(digest, key, document.id, document.text)
    return _LanguageTexts(language, numbers, rows, f"{language}:{len(rows)}#{digest.hexdigest()};")


def _interleave(sides: Sequence[_LanguageTexts], rows: int) -> tuple[Integers, Integers32, Bools]:
    """Return starts and words with the documents of each tuple next to each other.

    The third array says which documents are present.
    """
    lengths = np.zeros((rows, len(sides)), dtype=np.int64)
    present = np.zeros((rows, len(sides)), dtype=np.bool_)
    for place, side in enumerate(sides):
        lengths[side.rows, place] = side.numbers.lengths
        present[side.rows, place] = True
    starts = offsets(lengths)
    words = np.empty(int(starts[-1]), dtype=np.int32)
    for place, side in enumerate(sides):
        sizes = np.array(side.numbers.lengths, dtype=np.int64)
        shifts = starts[np.array(side.rows, dtype=np.int64) * len(sides) + place]
        shifts = shifts - (np.cumsum(sizes) - sizes)
        words[np.arange(int(sizes.sum())) + np.repeat(shifts, sizes)] = side.numbers.words
    return starts, words, present


def _update_digest(digest: hashlib.blake2b, *parts: str) -> None:
    """Add texts to a digest, each with its length, so that their borders count."""
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)


# ------------------------------------------------------------------ language and tokens


def _language_of(languages: Iterable[str], pipeline: Pipeline) -> str:
    """Return the code of the one language of texts; if they name none, that of the pipeline.

    It is empty where there are several languages, or none is known.
    """
    of_texts = {language_code(name) or name for name in languages if name.strip()}
    if len(of_texts) > 1:
        return ""
    stop_lists = (pipeline.stopwords or "").split("+")
    names = (*stop_lists, pipeline.lemmas, pipeline.language)
    of_tokens = {language_code(name) for name in names if name and not name.endswith(".txt")}
    for codes in (of_texts, of_tokens):
        if len(codes) == 1 and (code := language_code(min(codes))):
            return code
    return ""


def default_tokens(corpus: Corpus) -> str:
    """Return the tokens to train on: words without the stop words of the texts' languages.

    Stop words are only left out where texts name their language. A warning says so if a list of
    stop words is not installed.

    >>> default_tokens(Corpus.of(["a cat"]))
    'words'
    """
    languages = {document.language for document in islice(corpus, _INSPECTED)}
    if not languages or "" in languages:
        return "words"
    tokens = str(Expression("words", {"stopwords": "+".join(sorted(languages))}))
    try:
        Pipeline.stored(tokens, "the texts").stop_set()  # they say which language they are in
    except MissingExtraError as error:
        warnings.warn(f"stop words stay in the texts: {error}", TealeavesWarning, stacklevel=2)
        return "words"
    except InputError:  # a language without a list
        return "words"
    return tokens
