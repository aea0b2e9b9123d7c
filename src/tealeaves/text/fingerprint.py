"""Which texts were read: the identity that makes double counting an error."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

import msgspec

from tealeaves.errors import EvidenceError

Span = tuple[int, int]

DIGESTS = 1 << 64  # digests are added modulo this


def text_digest(text: str) -> int:
    """Return 64 bits of the text's BLAKE2 hash."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


class Fingerprint(msgspec.Struct, frozen=True):
    """The documents that some evidence is made of.

    ``spans`` maps each source (by a hash of its content) to the runs of document positions
    that were read, ``digests`` to the sum of the hashes of those documents' texts. Fingerprints
    of disjoint documents add, in any order and however the corpus was split; overlapping ones
    raise, and so do two sources that hold just the same texts.

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
        spans, digests = dict(self.spans), dict(self.digests)
        for source, runs in other.spans.items():
            spans[source] = merged(source, [*spans.get(source, ()), *runs])
            digests[source] = (digests.get(source, 0) + other.digests[source]) % DIGESTS
        return Fingerprint(spans, digests)

    def _refuse_copies(self, other: Fingerprint) -> None:
        """Refuse another source with just the same texts: a file in another format, say."""
        fewer, more = sorted([self, other], key=lambda one: len(one.spans))
        new = {
            (fewer._size(source), fewer.digests[source]): source
            for source in fewer.spans
            if source not in more.spans and fewer._size(source) > 1
        }
        for source in more.spans if new else ():
            copy = new.get((more._size(source), more.digests[source]))
            if copy is not None and source not in fewer.spans:
                raise EvidenceError(
                    f"double counting: source {source} and source {copy} hold the same texts"
                )

    def runs(self, source: str) -> tuple[Span, ...]:
        """Return the runs of positions of this source that were read."""
        return self.spans.get(source, ())

    def __str__(self) -> str:
        return f"{self.documents}#{self.digest:016x}"


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
