"""Texts that are chosen on their way to the network, with a bar that shows how far they are."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tealeaves.evidence.relevance.collecting import fingerprint_of
from tealeaves.evidence.relevance.sampling import Chosen, Sampler
from tealeaves.files import Meter
from tealeaves.jobs import progress_bar
from tealeaves.text.corpus import Corpus
from tealeaves.text.digest import DIGESTS, text_digest
from tealeaves.text.fingerprint import Fingerprint


class Followed:
    """The chosen texts of a corpus.

    With a budget all are chosen before the first is needed, else each when it is wanted.

    Parameters
    ----------
    sampler
        Chooses them.
    corpus
        Where they are.
    stop
        Asked while they are chosen; where it says so, KeyboardInterrupt is raised.
    progress
        Show a bar on standard error.
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
            texts = sampler.chosen(corpus, self._meter)
            # documents in memory may be of several sources in turn: copies are told in the end
            self._texts = _without_copies(texts) if corpus.files else texts
            return
        drawn = self._drawn(sampler, corpus, stop)
        fingerprint_of(drawn).check_copies()  # before the network has taken its time
        self._number = len(drawn)
        self._texts = iter(drawn)

    def _drawn(self, sampler: Sampler, corpus: Corpus, stop: Callable[[], bool]) -> list[Chosen]:
        with self._bar("choosing texts") as bar:

            def each() -> None:
                self._advance(bar, 1)
                if stop():
                    raise KeyboardInterrupt

            return list(sampler.chosen(corpus, self._meter, each=each))

    def take(self, number: int) -> list[Chosen]:
        """Return the first texts."""
        return list(itertools.islice(self._texts, number))

    def in_chunks(self, first: Sequence[Chosen], size: int) -> Iterator[list[Chosen]]:
        """Yield texts so many at a time: the first ones that were taken, then the others."""
        whole = itertools.chain(first, self._texts)
        with self._bar("relevance") as bar:
            while chunk := list(itertools.islice(whole, size)):
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


def _without_copies(texts: Iterator[Chosen]) -> Iterator[Chosen]:
    """Refuse a source with just the texts of another one as soon as it has ended."""
    ended: dict[tuple[int, int], str] = {}
    for source, ones in itertools.groupby(texts, lambda one: one.document.source):
        number = digest = 0
        for one in ones:
            number, digest = number + 1, (digest + text_digest(one.document.text)) % DIGESTS
            yield one
        other = ended.setdefault((number, digest), source)
        both = dict.fromkeys((other, source), ((0, number),))
        Fingerprint(both, dict.fromkeys(both, digest)).check_copies()
