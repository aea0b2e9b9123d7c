"""Which texts go through the network: those with two asked words, all or drawn at random."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tealeaves.evidence.relevance.texts import Pairs, ReadText, TextReader, occurrence_pairs
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.files import Meter


@dataclass(frozen=True, eq=False)
class Chosen:
    """A text that goes through the network."""

    document: Document
    text: ReadText
    pairs: Pairs


class Sampler:
    """Reads a corpus and chooses texts; what became of the others is counted.

    With a budget, each document has a random number of its own, made of the seed and of where it
    stands; the smallest are drawn. So a smaller budget draws some of the same texts, whatever the
    order of reading, and most documents need not be looked into.

    Parameters
    ----------
    pipeline
        From a text to tokens.
    reader
        From tokens to word pieces.
    frame
        What pairs are asked for.
    budget
        The largest number of texts; None for all.
    seed
        Of the draw.
    labels
        Only texts with one of these labels are used; None for all texts.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        reader: TextReader,
        frame: Any,
        *,
        budget: int | None,
        seed: int,
        labels: Container[str] | None = None,
    ) -> None:
        self._tokenize = pipeline.tokenizer()
        self._least = pipeline.min_tokens
        self._reader = reader
        self._frame = frame
        self.budget = budget
        self._seed = seed
        self._labels = labels
        self.documents = self.dropped = self.without = self.left = self.unlabelled = 0

    def chosen(
        self,
        corpus: Corpus,
        meter: Meter | None = None,
        *,
        each: Callable[[], object] = lambda: None,
    ) -> Iterator[Chosen]:
        """Yield the texts, with a budget in the order of their random numbers.

        ``each`` is called for each document that was read, be it chosen or not.
        """
        if self.budget is None:
            for document in corpus.documents(meter):
                self.documents += 1
                each()
                found = self._looked_into(document)
                if found:
                    yield found
            return
        drawn: list[tuple[int, int, Chosen]] = []  # the largest number first
        for document in corpus.documents(meter):
            self.documents += 1
            each()
            number = drawn_number(document, self._seed)
            if len(drawn) == self.budget and number >= -drawn[0][0]:
                self.left += 1
                continue
            found = self._looked_into(document)
            if found:
                heapq.heappush(drawn, (-number, -self.documents, found))
            if len(drawn) > self.budget:
                heapq.heappop(drawn)
                self.left += 1
        for _, _, found in sorted(drawn, key=lambda one: (-one[0], -one[1])):
            yield found

    def _looked_into(self, document: Document) -> Chosen | None:
        tokens = self._tokenize(document.text)
        if not tokens or len(tokens) < self._least:
            self.dropped += 1
            return None
        if self._labels is not None and document.label not in self._labels:
            self.without += 1
            self.unlabelled += 1
            return None
        text = self._reader.read(tokens)
        pairs = occurrence_pairs(text, self._frame)
        if not len(pairs):
            self.without += 1
            return None
        return Chosen(document, text, pairs)


def drawn_number(document: Document, seed: int) -> int:
    """Return the random number of a document."""
    place = f"{seed} {document.source} {document.position}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(place, digest_size=8).digest(), "little")
