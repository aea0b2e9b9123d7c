"""Texts as a model sees them: its own words in them, and p(w|t) of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from tealeaves.arrays import offsets
from tealeaves.errors import EvidenceError
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import TextRequest
from tealeaves.evidence.texts import EncodedTexts
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Metric
from tealeaves.topics.distributions import phi
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers, Integers32
    from tealeaves.evidence.requests import Term

BLOCK = 2**22  # numbers in memory at a time


@dataclass(frozen=True, repr=False, eq=False)
class PerTextMetric(Metric):
    """A metric for which each model reads the texts with its own words."""

    source: ClassVar[str] = "the model's own pass over the texts"

    def reads_texts(self, model: Topics) -> bool:
        """Return whether the texts are needed for this model."""
        return True

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[TextRequest]:
        """Ask for the texts, and for the models' vocabularies in them."""
        reading = [model for model in models if self.reads_texts(model)]
        if reading:
            yield vocabulary_request(reading, wording)

    def provenance_of(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return the tokens and texts that were read for this model, if any were."""
        return provenance_of_texts(evidence) if self.reads_texts(model) else ""


def vocabulary_request(models: Iterable[Topics], wording: Wording) -> TextRequest:
    """Ask for the texts, and for all words of the models' vocabularies in them."""
    distinct = {(model.vocabulary, model.tokens): model for model in models}
    terms = {
        wording.term_of(model, word)
        for model in distinct.values()
        for word in model.vocabulary or ()
    }
    return TextRequest(frozenset(term for term in terms if term.tokens))


def provenance_of_texts(evidence: Evidence) -> str:
    """Return the tokens and texts that were read; nothing if no text was."""
    try:
        texts = evidence.texts
    except EvidenceError:
        return ""
    return f"tokens={texts.pipeline.signature}|texts={texts.fingerprint}"


@dataclass(frozen=True, eq=False)
class ModelTexts:
    """The texts without the tokens that are not words of the model.

    The words of text d are ``words[starts[d]:starts[d + 1]]``; they are rows of ``by_word``, which
    is p(w|t), one column per topic. Words of the vocabulary that are the same term in the text
    share one row, the sum of their rows; words that no text can contain have none.
    """

    starts: Integers
    words: Integers32
    by_word: Floats

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Integers:
        """The number of the model's words in each text."""
        return np.diff(self.starts)

    @property
    def text_of_token(self) -> Integers:
        """The number of the text that each token is in."""
        return np.repeat(np.arange(len(self)), self.lengths)


def model_texts(model: Topics, texts: EncodedTexts, wording: Wording) -> ModelTexts:
    """Return the texts with only those tokens that are words of the model."""
    number_of: dict[Term, int] = {term: number for number, term in enumerate(texts.terms)}
    terms = (wording.term_of(model, word) for word in model.vocabulary or ())
    numbers = np.array([number_of.get(term, -1) for term in terms], dtype=np.int64)
    in_texts = numbers >= 0
    known, rows = np.unique(numbers[in_texts], return_inverse=True)
    by_word = np.zeros((len(known), len(model)))
    np.add.at(by_word, rows, phi(model).T[in_texts])
    row_of = np.full(len(texts.terms), -1, dtype=np.int32)
    row_of[known] = np.arange(len(known))
    words = row_of[texts.numbers]
    kept = words >= 0
    return ModelTexts(offsets(kept)[texts.starts], words[kept], by_word)


def row_blocks(size: int, width: int) -> Iterator[slice]:
    """Cut many rows of some width into slices that fit into memory."""
    step = max(1, BLOCK // max(1, width))
    for start in range(0, size, step):
        yield slice(start, min(size, start + step))
