"""Which texts were read: the identity that makes double counting an error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from tealeaves.errors import EvidenceError
from tealeaves.text.digest import DIGESTS, text_digest
from tealeaves.text.identity import without_unit

Span = tuple[int, int]


class Fingerprint(msgspec.Struct, frozen=True):
    """The documents that some evidence is made of.

    ``spans`` maps each source (by a hash of its content) to the runs of document positions
    that were read, ``digests`` to the sum of the hashes of those documents' texts. Fingerprints
    of disjoint documents add, in any order and however the corpus was split; overlapping ones
    raise, and so do two sources that hold just the same texts, or the same ones joined to other
    units.

    >>> first = Fingerprint.of("s", 0, ["a text", "another"])
    >>> rest = Fingerprint.of("s", 2, ["a third"])
    >>> rest + first == Fingerprint.of("s", 0, ["a text", "another", "a third"])
    True
    >>> first + first
    Traceback (most recent call last):
    ...
    tealeaves.errors.EvidenceError: double counting: documents 1-2 of source s are there twice
    """

    spans: Mapping[str, tuple[Span, ...]] = {}
    digests: Mapping[str, int] = {}

    @classmethod
    def of(cls, source: str, start: int, texts: Iterable[str]) -> Fingerprint:
        """Fingerprint consecutive texts of one source, the first at position ``start``."""
        digests = [text_digest(text) for text in texts]
        if not digests:
            return cls()
        spans = {source: ((start, start + len(digests)),)}
        return cls(spans, {source: sum(digests) % DIGESTS})

    @property
    def documents(self) -> int:
        """The number of documents."""
        return sum(self._size(source) for source in self.spans)

    @property
    def digest(self) -> int:
        """The sum of the hashes of all texts."""
        return sum(self.digests.values()) % DIGESTS

    def _size(self, source: str) -> int:
        return sum(stop - start for start, stop in self.spans[source])

    def __add__(self, other: Fingerprint) -> Fingerprint:
        self._refuse_copies(other)
        return Fingerprint.joined([self, other])

    @classmethod
    def joined(cls, parts: Iterable[Fingerprint]) -> Fingerprint:
        """Join parts of one reading, each of which may have documents of all sources."""
        spans: dict[str, list[Span]] = {}
        digests: dict[str, int] = {}
        for part in parts:
            for source, runs in part.spans.items():
                spans.setdefault(source, []).extend(runs)
                digests[source] = (digests.get(source, 0) + part.digests[source]) % DIGESTS
        # sorted, for which thread came first must not show
        return cls(
            {source: merged(source, spans[source]) for source in sorted(spans)},
            {source: digests[source] for source in sorted(spans)},
        )

    def refuse_copies(self) -> None:
        """Refuse two sources with just the same texts: a file in two formats, say."""
        self._refuse_copies(Fingerprint())

    def _refuse_copies(self, other: Fingerprint) -> None:
        """Refuse another source of either with the texts of one of ours."""
        units: dict[str, str] = {}
        for source in (*self.spans, *other.spans):
            unit = units.setdefault(without_unit(source), source)
            if unit != source:  # verses and chapters, say
                raise _copies(unit, source)
        known: dict[tuple[str, int, int], str] = {}
        for one, another in ((self, other), (other, self)):
            for source in one.spans:
                if source in another.spans or one._size(source) <= 1:
                    continue
                # the same text may stand for two languages, whose names come before a slash
                language = source.partition(":")[0].rpartition("/")[0]
                key = language, one._size(source), one.digests[source]
                copy = known.setdefault(key, source)
                if copy != source:
                    raise _copies(copy, source)

    def runs(self, source: str) -> tuple[Span, ...]:
        """Return the runs of positions of this source that were read."""
        return self.spans.get(source, ())

    def __str__(self) -> str:
        return f"{self.documents}#{self.digest:016x}"


def _copies(one: str, other: str) -> EvidenceError:
    return EvidenceError(f"double counting: source {one} and source {other} hold the same texts")


def merged(source: str, runs: Iterable[Span]) -> tuple[Span, ...]:
    """Sort runs of positions; neighbouring runs become one, overlapping ones raise."""
    found: list[Span] = []
    for start, stop in sorted(runs):
        if found and start < found[-1][1]:
            last = min(stop, found[-1][1])
            raise EvidenceError(
                f"double counting: documents {start + 1}-{last} of source {source} are there twice"
            )
        if found and start == found[-1][1]:
            found[-1] = (found[-1][0], stop)
        else:
            found.append((start, stop))
    return tuple(found)
