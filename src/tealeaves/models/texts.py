"""The texts that a model is trained on, their words numbered."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from tealeaves.errors import InputError, MissingExtraError, TealeavesWarning
from tealeaves.expressions import Expression
from tealeaves.text.corpus import Corpus
from tealeaves.text.languages import language_code
from tealeaves.text.paired import PairedCorpus
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.arrays import Integers, Integers32

_INSPECTED = 1000  # documents whose language decides which stop words are left out


@dataclass(frozen=True, eq=False)
class TrainingTexts:
    """Texts as sequences of words of a vocabulary, one row per document of the corpus.

    The words of text d are ``numbers[starts[d]:starts[d + 1]]``. A document that has no words left
    keeps its row, so that rows are those of the corpus. ``digest`` identifies the texts and ids in
    their order; ``labelled`` says whether any document has a label; ``language`` is the code of
    their language, if they have one and it is known.

    >>> texts = read_texts(Corpus.of(["a cat", "a dog and a cat", "?"]), Pipeline.parse("words"))
    >>> texts.vocabulary
    ('a', 'and', 'cat', 'dog')
    >>> often = texts.limited(min_df=2)
    >>> [often.words(row) for row in often.rows()]
    [['a', 'cat'], ['a', 'a', 'cat'], []]
    """

    vocabulary: tuple[str, ...]
    starts: Integers
    numbers: Integers32
    ids: tuple[str, ...]
    name: str
    digest: str
    tokens: str = ""
    labelled: bool = False
    language: str = ""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def rows(self) -> Iterator[Integers32]:
        """Yield the numbers of each text's words."""
        for start, stop in pairwise(self.starts.tolist()):
            yield self.numbers[start:stop]

    def words(self, row: Integers32) -> list[str]:
        """Return the words of one text."""
        return [self.vocabulary[number] for number in row.tolist()]

    @property
    def lengths(self) -> Integers:
        """The number of words of each text."""
        return np.diff(self.starts)

    @property
    def term_frequency(self) -> Integers:
        """How often each word of the vocabulary occurs."""
        return np.bincount(self.numbers, minlength=len(self.vocabulary))

    @property
    def document_ids(self) -> tuple[str, ...] | None:
        """The ids of the documents, or None unless each document has a different id."""
        unique = all(self.ids) and len(set(self.ids)) == len(self.ids)
        return self.ids if unique else None

    def document_frequency(self) -> Integers:
        """Return in how many texts each word occurs."""
        frequency = np.zeros(len(self.vocabulary), dtype=np.int64)
        for row in self.rows():
            frequency[np.unique(row)] += 1
        return frequency

    def limited(self, *, min_df: int = 1, max_df: float = 1.0) -> TrainingTexts:
        """Leave out words that are in too few documents, or in too large a share of them."""
        frequency = self.document_frequency()
        kept = (frequency >= min_df) & (frequency <= max_df * len(self))
        if not kept.any():
            raise InputError(
                f"{self.name}: no word is in at least {min_df} and at most {max_df:.0%} of the "
                f"{len(self)} texts: set min_df and max_df"
            )
        renumbered = (np.cumsum(kept) - 1).astype(np.int32)
        is_kept = kept[self.numbers]
        starts = np.concatenate([[0], np.cumsum(is_kept)])[self.starts]
        return replace(
            self,
            vocabulary=tuple(
                word for word, keep in zip(self.vocabulary, kept, strict=True) if keep
            ),
            starts=starts.astype(np.int64),
            numbers=renumbered[self.numbers[is_kept]],
        )


def read_texts(corpus: Corpus, pipeline: Pipeline) -> TrainingTexts:
    """Read a corpus into memory; its vocabulary is in alphabetical order."""
    tokenize = pipeline.tokenizer()
    known: dict[str, int] = {}
    rows: list[Integers32] = []
    ids: list[str] = []
    labelled = False
    languages = set()
    digest = hashlib.blake2b(digest_size=8)
    for document in corpus:
        labelled = labelled or bool(document.label)
        languages.add(document.language)
        tokens = tokenize(document.text)
        if len(tokens) < pipeline.min_tokens:
            tokens = []
        rows.append(np.array([known.setdefault(t, len(known)) for t in tokens], dtype=np.int32))
        ids.append(document.id)
        update_digest(digest, document.id, document.text)
    if not known:
        why = f"none of its {len(rows)} documents has a token" if rows else "it holds no documents"
        raise InputError(f"{corpus.name}: the corpus is empty: {why}")
    vocabulary = sorted(known)
    order = np.empty(len(known), dtype=np.int32)
    order[[known[word] for word in vocabulary]] = np.arange(len(known), dtype=np.int32)
    starts = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in rows], out=starts[1:])
    return TrainingTexts(
        vocabulary=tuple(vocabulary),
        starts=starts,
        numbers=order[np.concatenate(rows)],
        ids=tuple(ids),
        name=corpus.name,
        digest=f"{len(rows)}#{digest.hexdigest()}",
        tokens=repr(pipeline),
        labelled=labelled,
        language=language_of(languages, pipeline),
    )


def update_digest(digest: hashlib.blake2b, *parts: str) -> None:
    """Add texts to a digest, each with its length, so that their borders count."""
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)


def language_of(languages: Iterable[str], pipeline: Pipeline) -> str:
    """Return the code of the one language of texts; if they name none, that of the pipeline.

    It is empty where there are several languages, or none is known.

    >>> language_of(["es", "", "es-MX"], Pipeline.parse("words"))
    'es'
    >>> language_of([""], Pipeline.parse("words(stopwords=es)"))
    'es'
    >>> language_of(["en", "es"], Pipeline.parse("words(stopwords=es)"))
    ''
    """
    of_texts = {language_code(one) or one for one in languages if one.strip()}
    if len(of_texts) > 1:
        return ""
    lists = (pipeline.stopwords or "").split("+")
    names = (*lists, pipeline.lemmas, pipeline.language)
    of_tokens = {language_code(one) for one in names if one and not one.endswith(".txt")}
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
        Pipeline.parse(tokens).stop_set()
    except MissingExtraError as error:
        warnings.warn(f"stop words stay in the texts: {error}", TealeavesWarning, stacklevel=2)
        return "words"
    except InputError:  # a language without a list
        return "words"
    return tokens


def as_corpus(corpus: Any) -> Corpus:
    """Return a corpus: a path is opened, and texts in memory are wrapped."""
    if isinstance(corpus, Corpus):
        return corpus
    if isinstance(corpus, PairedCorpus):
        raise InputError("texts in one language are needed, not paired texts: give one side")
    if isinstance(corpus, str) or hasattr(corpus, "__fspath__"):
        return Corpus.open(corpus)
    return Corpus.of(corpus)
