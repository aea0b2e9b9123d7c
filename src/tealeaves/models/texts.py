"""The texts a model is trained on, as numbers of words."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.errors import InputError, MissingExtraError, TealeavesWarning
from tealeaves.expressions import Expression
from tealeaves.text.corpus import Corpus
from tealeaves.text.languages import language_code
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Integers32

_LOOKED_AT = 1000  # documents that are asked for their language


@dataclass(frozen=True, eq=False)
class TrainingTexts:
    """Texts as sequences of words of a vocabulary, a row a document of the corpus.

    The words of text d are ``numbers[starts[d]:starts[d + 1]]``. A document of which no word is
    left stays, without words, so that rows are those of the corpus. ``digest`` tells texts and
    ids, in their order, from any others; ``labelled`` whether any document has a label;
    ``language`` is the code of their one language, where it is known.

    >>> texts = read_texts(Corpus.of(["a cat", "a dog and a cat", "?"]), Pipeline.parse("words"))
    >>> texts.vocabulary
    ('a', 'and', 'cat', 'dog')
    >>> often = texts.limited(min_df=2)
    >>> [often.words(row) for row in often.rows()]
    [['a', 'cat'], ['a', 'a', 'cat'], []]
    """

    vocabulary: tuple[str, ...]
    starts: NDArray[np.int64]
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
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of each text."""
        return np.diff(self.starts)

    @property
    def term_frequency(self) -> NDArray[np.int64]:
        """How often each word of the vocabulary occurs."""
        return np.bincount(self.numbers, minlength=len(self.vocabulary))

    @property
    def document_ids(self) -> tuple[str, ...] | None:
        """The ids of the documents, where each has one of its own."""
        whole = all(self.ids) and len(set(self.ids)) == len(self.ids)
        return self.ids if whole else None

    def document_frequency(self) -> NDArray[np.int64]:
        """Return in how many texts each word occurs."""
        found = np.zeros(len(self.vocabulary), dtype=np.int64)
        for row in self.rows():
            found[np.unique(row)] += 1
        return found

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
        there = kept[self.numbers]
        starts = np.concatenate([[0], np.cumsum(there)])[self.starts]
        return TrainingTexts(
            tuple(word for word, keep in zip(self.vocabulary, kept, strict=True) if keep),
            starts.astype(np.int64),
            renumbered[self.numbers[there]],
            self.ids,
            self.name,
            self.digest,
            self.tokens,
            self.labelled,
            self.language,
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
        for part in (document.id, document.text):
            data = part.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "little") + data)
    if not known:
        why = f"none of its {len(rows)} documents has a token" if rows else "it holds no documents"
        raise InputError(f"{corpus.name}: the corpus is empty: {why}")
    vocabulary = sorted(known)
    order = np.empty(len(known), dtype=np.int32)
    order[[known[word] for word in vocabulary]] = np.arange(len(known), dtype=np.int32)
    starts = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in rows], out=starts[1:])
    numbers = order[np.concatenate(rows)]
    named = f"{len(rows)}#{digest.hexdigest()}"
    return TrainingTexts(
        tuple(vocabulary),
        starts,
        numbers,
        tuple(ids),
        corpus.name,
        named,
        repr(pipeline),
        labelled,
        language_of(languages, pipeline),
    )


def language_of(said: Iterable[str], pipeline: Pipeline) -> str:
    """Return the code of the one language that texts say; if they say none, that of the tokens.

    >>> language_of(["es", "", "es-MX"], Pipeline.parse("words"))
    'es'
    >>> language_of([""], Pipeline.parse("words(stopwords=es)"))
    'es'
    >>> language_of(["en", "es"], Pipeline.parse("words(stopwords=es)"))
    ''
    """
    texts = {language_code(one) or one for one in said if one.strip()}
    if len(texts) > 1:
        return ""
    lists = (pipeline.stopwords or "").split("+")
    named = (*lists, pipeline.lemmas, pipeline.language)
    tokens = {language_code(one) for one in named if one and not one.endswith(".txt")}
    for codes in (texts, tokens):
        if len(codes) == 1 and (code := language_code(min(codes))):
            return code
    return ""


def default_tokens(corpus: Corpus) -> str:
    """Return the tokens to train on: words, but the stop words of the languages of the texts.

    Only texts that say their language have stop words. Where their lists are not installed, a
    warning says that the stop words stay.

    >>> default_tokens(Corpus.of(["a cat"]))
    'words'
    """
    found = {document.language for document in islice(corpus, _LOOKED_AT)}
    if not found or "" in found:
        return "words"
    wanted = str(Expression("words", {"stopwords": "+".join(sorted(found))}))
    try:
        Pipeline.parse(wanted).stop_set()
    except MissingExtraError as error:
        warnings.warn(f"stop words stay in the texts: {error}", TealeavesWarning, stacklevel=2)
        return "words"
    except InputError:  # a language without a list
        return "words"
    return wanted
