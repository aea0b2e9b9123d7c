"""The sample: which texts a network reads, all with two requested words or some of them."""

from __future__ import annotations

import hashlib
import heapq
import itertools
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tealeaves.evidence.attention.texts import Pairs, ReadText, TextReader, occurrence_pairs
from tealeaves.files import Meter
from tealeaves.jobs import progress_bar
from tealeaves.text.corpus import Corpus
from tealeaves.text.digest import DIGESTS, text_digest
from tealeaves.text.document import Document
from tealeaves.text.fingerprint import Fingerprint
from tealeaves.text.pipeline import Pipeline

if TYPE_CHECKING:
    from tealeaves.evidence.attention.frame import Frame


@dataclass(frozen=True, eq=False)
class SampledText:
    """A text that the network reads, and its pairs of requested words."""

    document: Document
    text: ReadText
    pairs: Pairs


class Sampler:
    """Reads a corpus and draws texts from it; it counts what became of the others.

    With a budget, each document has a random number of its own, made of the seed and of its
    position; the smallest are drawn. So a smaller budget draws some of the same texts, whatever the
    order of reading, and most documents are not tokenised. Without a budget (None) all texts are
    taken. If ``labels`` is not None, only texts with one of these labels are.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        reader: TextReader,
        frame: Frame,
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

    def sample(
        self,
        corpus: Corpus,
        meter: Meter | None = None,
        *,
        each: Callable[[], object] = lambda: None,
    ) -> Iterator[SampledText]:
        """Yield the texts, with a budget in the order of their random numbers.

        ``each`` is called for each document that was read, whether it is drawn or not.
        """
        if self.budget is None:
            for document in corpus.documents(meter):
                self.documents += 1
                each()
                if text := self._read(document):
                    yield text
            return
        drawn: list[tuple[int, int, SampledText]] = []  # the largest number first
        for document in corpus.documents(meter):
            self.documents += 1
            each()
            number = random_number(document, self._seed)
            if len(drawn) == self.budget and number >= -drawn[0][0]:
                self.left += 1
                continue
            if text := self._read(document):
                heapq.heappush(drawn, (-number, -self.documents, text))
            if len(drawn) > self.budget:
                heapq.heappop(drawn)
                self.left += 1
        for _, _, text in sorted(drawn, key=lambda entry: (-entry[0], -entry[1])):
            yield text

    def _read(self, document: Document) -> SampledText | None:
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
        return SampledText(document, text, pairs)


def random_number(document: Document, seed: int) -> int:
    """Return the random number of a document."""
    place = f"{seed} {document.source} {document.position}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(place, digest_size=8).digest(), "little")


def fingerprint_of(texts: Sequence[SampledText]) -> Fingerprint:
    """Return which texts these are."""
    documents = [sampled.document for sampled in texts]
    return Fingerprint.join(Fingerprint.of(d.source, d.position, [d.text]) for d in documents)


class TextSample:
    """The texts that a sampler draws from a corpus, with a progress bar.

    With a budget all are drawn before the first is needed, else each when it is needed. ``stop`` is
    called while texts are drawn; if it returns true, KeyboardInterrupt is raised.
    """

    def __init__(
        self,
        sampler: Sampler,
        corpus: Corpus,
        *,
        stop: Callable[[], bool] = lambda: False,
        progress: bool,
    ) -> None:
        self._meter = Meter(corpus.size)
        self._progress = progress
        self._number: int | None = None
        if sampler.budget is None:
            texts = sampler.sample(corpus, self._meter)
            # documents in memory may alternate between sources: they are compared at the end
            self._texts = _check_sources(texts) if corpus.files else texts
            return
        drawn = self._draw(sampler, corpus, stop)
        fingerprint_of(drawn).check_copies()  # before the network takes its time
        self._number = len(drawn)
        self._texts = iter(drawn)

    def _draw(
        self, sampler: Sampler, corpus: Corpus, stop: Callable[[], bool]
    ) -> list[SampledText]:
        with self._bar("choosing texts") as bar:

            def each() -> None:
                self._advance(bar, 1)
                if stop():
                    raise KeyboardInterrupt

            return list(sampler.sample(corpus, self._meter, each=each))

    def take(self, number: int) -> list[SampledText]:
        """Return the first texts."""
        return list(itertools.islice(self._texts, number))

    def in_chunks(self, first: Sequence[SampledText], size: int) -> Iterator[list[SampledText]]:
        """Yield chunks of texts: the first ones that were taken, then the others."""
        texts = itertools.chain(first, self._texts)
        with self._bar("relevance") as bar:
            while chunk := list(itertools.islice(texts, size)):
                yield chunk
                self._advance(bar, len(chunk))

    def _bar(self, what: str) -> Any:
        shown = self._progress
        if self._number is None:
            return progress_bar(self._meter.total, what, shown=shown, unit="B", unit_scale=True)
        return progress_bar(self._number, what, shown=shown, unit="text")

    def _advance(self, bar: Any, texts: int) -> None:
        done = min(self._meter.done, self._meter.total) - bar.n if self._number is None else texts
        bar.update(done)


def _check_sources(texts: Iterator[SampledText]) -> Iterator[SampledText]:
    """Raise for a source with exactly the texts of another one as soon as it has ended."""
    ended: dict[tuple[int, int], str] = {}
    for source, group in itertools.groupby(texts, lambda sampled: sampled.document.source):
        number = digest = 0
        for sampled in group:
            number, digest = number + 1, (digest + text_digest(sampled.document.text)) % DIGESTS
            yield sampled
        other = ended.setdefault((number, digest), source)
        both = dict.fromkeys((other, source), ((0, number),))
        Fingerprint(both, dict.fromkeys(both, digest)).check_copies()
