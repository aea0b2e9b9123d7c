"""Fingerprints: which documents were read, so that double counting is noticed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from tealeaves.errors import EvidenceError, InputError
from tealeaves.text.digest import DIGESTS, text_digest
from tealeaves.text.grouping import without_unit

Span = tuple[int, int]


class Fingerprint(msgspec.Struct, frozen=True):
    """The documents that some evidence is made of.

    ``spans`` maps each source (a hash of a file's content) to the spans of document positions that
    were read, and ``digests`` maps it to the sum of the hashes of those documents' texts.
    Fingerprints of different documents can be added, in any order and however the corpus was split.
    To add fingerprints that overlap is an error, as is to add two sources with the same texts, or
    with the same texts joined to other units.

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
        """The sum of the hashes of all texts, modulo 2**64."""
        return sum(self.digests.values()) % DIGESTS

    def _size(self, source: str) -> int:
        return sum(stop - start for start, stop in self.spans[source])

    def __add__(self, other: Fingerprint) -> Fingerprint:
        self.check_copies(other)
        return Fingerprint.join([self, other])

    @classmethod
    def join(cls, parts: Iterable[Fingerprint]) -> Fingerprint:
        """Join parts of one reading, each of which may have documents of all sources."""
        spans: dict[str, list[Span]] = {}
        digests: dict[str, int] = {}
        for part in parts:
            for source, runs in part.spans.items():
                spans.setdefault(source, []).extend(runs)
                digests[source] = (digests.get(source, 0) + part.digests[source]) % DIGESTS
        # sorted, so that the result does not depend on which thread was first
        return cls(
            {source: merge_spans(source, spans[source]) for source in sorted(spans)},
            {source: digests[source] for source in sorted(spans)},
        )

    def check_copies(self, other: Fingerprint | None = None) -> None:
        """Raise if two sources have the same texts, such as one file in two formats.

        Each may be of this fingerprint or of the other.
        """
        other = other or Fingerprint()
        sources: dict[str, str] = {}
        for source in (*self.spans, *other.spans):
            other_unit = sources.setdefault(without_unit(source), source)
            if other_unit != source:  # verses and chapters of the same file
                raise _copies(other_unit, source)
        sources_by_texts: dict[tuple[str, int, int], str] = {}
        for fingerprint, rest in ((self, other), (other, self)):
            for source in fingerprint.spans:
                size = fingerprint._size(source)
                if source in rest.spans or size <= 1:
                    continue
                # two languages may have the same text; their names stand before a slash
                language = source.partition(":")[0].rpartition("/")[0]
                key = language, size, fingerprint.digests[source]
                copy = sources_by_texts.setdefault(key, source)
                if copy != source:
                    raise _copies(copy, source)

    def check(self) -> None:
        """Raise for a fingerprint of a file that no documents have."""
        if self.spans.keys() != self.digests.keys():
            raise InputError("the fingerprint has not the same sources twice")
        for source, spans in self.spans.items():
            places = [place for span in spans for place in span]
            ends = zip(places[1::2], places[2::2], strict=False)
            if (
                not places
                or places[0] < 0
                or any(start >= stop for start, stop in spans)
                or any(stop > start for stop, start in ends)
                or not 0 <= self.digests[source] < DIGESTS
            ):
                raise InputError(f"the fingerprint of source {source} is of no documents")

    def runs(self, source: str) -> tuple[Span, ...]:
        """Return the spans of positions of a source that were read."""
        return self.spans.get(source, ())

    def __str__(self) -> str:
        return f"{self.documents}#{self.digest:016x}"


def _copies(one: str, other: str) -> EvidenceError:
    return EvidenceError(f"double counting: source {one} and source {other} hold the same texts")


def merge_spans(source: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Sort spans of positions and merge neighbouring ones; overlapping ones are an error."""
    merged: list[Span] = []
    for start, stop in sorted(spans):
        if merged and start < merged[-1][1]:
            last = min(stop, merged[-1][1])
            raise EvidenceError(
                f"double counting: documents {start + 1}-{last} of source {source} are there twice"
            )
        if merged and start == merged[-1][1]:
            merged[-1] = (merged[-1][0], stop)
        else:
            merged.append((start, stop))
    return tuple(merged)
