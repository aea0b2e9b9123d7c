"""Texts as a model sees them: its own words, and what its topics say of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tealeaves.evidence.encoded import EncodedTexts, TextRequest
from tealeaves.evidence.wording import Wording
from tealeaves.topics.distributions import phi
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.arrays import Floats
    from tealeaves.evidence.terms import Term

BLOCK = 2**22  # numbers that are at hand at a time


@dataclass(frozen=True, eq=False)
class ModelTexts:
    """The texts without the tokens that are no words of the model.

    The words of text d stand at ``words[starts[d]:starts[d + 1]]``; they are rows of ``by_word``,
    which is p(w|t), a column a topic. Words of the vocabulary that are the same term in the text
    are one row, the sum of theirs; words that no text can hold have none.
    """

    starts: NDArray[np.int64]
    words: NDArray[np.int32]
    by_word: Floats

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of the model's words in each text."""
        return np.diff(self.starts)

    @property
    def text_of_token(self) -> NDArray[np.int64]:
        """The text that each token stands in."""
        return np.repeat(np.arange(len(self)), self.lengths)


def request_for(models: Iterable[Topics], wording: Wording) -> TextRequest:
    """Ask for the texts, and for all words of the models' vocabularies in them."""
    known = {(model.vocabulary, model.tokens): model for model in models}
    terms = {
        wording.term_of(model, word) for model in known.values() for word in model.vocabulary or ()
    }
    return TextRequest(frozenset(term for term in terms if term.tokens))


def model_texts(model: Topics, texts: EncodedTexts, wording: Wording) -> ModelTexts:
    """Leave of the texts what the model has words for."""
    number_of: dict[Term, int] = {term: number for number, term in enumerate(texts.terms)}
    terms = (wording.term_of(model, word) for word in model.vocabulary or ())
    numbers = np.array([number_of.get(term, -1) for term in terms], dtype=np.int64)
    there = numbers >= 0
    known, rows = np.unique(numbers[there], return_inverse=True)
    by_word = np.zeros((len(known), len(model)))
    np.add.at(by_word, rows, phi(model).T[there])
    row_of = np.full(len(texts.terms), -1, dtype=np.int32)
    row_of[known] = np.arange(len(known))
    words = row_of[texts.numbers]
    kept = words >= 0
    before = np.concatenate([[0], np.cumsum(kept)])
    return ModelTexts(before[texts.starts], words[kept], by_word)


def spans(size: int, width: int) -> Iterator[slice]:
    """Cut many rows of some width into pieces that fit into memory."""
    step = max(1, BLOCK // max(1, width))
    for start in range(0, size, step):
        yield slice(start, min(size, start + step))
