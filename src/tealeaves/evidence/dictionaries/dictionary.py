"""``Dictionary``: which words of two languages translate each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import blake2b

from tealeaves.evidence.dictionaries.naming import Pair

_NONE: frozenset[str] = frozenset()
_TAB = "\t"  # no word holds one


class Dictionary:
    """Pairs of words of two languages, without a direction; ``names`` are those of its files.

    >>> found = Dictionary(("en", "sv"), ["king", "house", "house"], ["kung", "hus", "kammare"])
    >>> sorted(found.translations(0, "house")), found.translations(1, "kung")
    (['hus', 'kammare'], frozenset({'king'}))
    """

    def __init__(
        self,
        languages: Pair,
        words: Iterable[str],
        translations: Iterable[str],
        names: Sequence[str] = (),
    ) -> None:
        self.languages = languages
        self.names = tuple(names)
        # texts, not tuples and sets: a hundred thousand objects that hold others take long to make
        self._pairs = frozenset(map(_TAB.join, zip(words, translations, strict=True)))

    def __len__(self) -> int:
        return len(self._pairs)

    def __str__(self) -> str:
        return ", ".join(self.names) or "-".join(self.languages)

    def joined(self, other: Dictionary) -> Dictionary:
        """Return the pairs of both."""
        found = Dictionary(self.languages, (), (), (*self.names, *other.names))
        found._pairs = self._pairs | other._pairs
        return found

    def translations(self, column: int, word: str) -> frozenset[str]:
        """Return the translations of a word of the first language (0) or of the second (1)."""
        found = self._entries[column].get(word)
        return _NONE if found is None else frozenset(found.split(_TAB))

    @cached_property
    def _entries(self) -> tuple[dict[str, str], dict[str, str]]:
        """The translations of each word, with tabs between."""
        forth: dict[str, str] = {}
        back: dict[str, str] = {}
        for pair in self._pairs:
            one, _, other = pair.partition(_TAB)
            forth[one] = f"{forth[one]}{_TAB}{other}" if one in forth else other
            back[other] = f"{back[other]}{_TAB}{one}" if other in back else one
        return forth, back

    @cached_property
    def signature(self) -> str:
        """The languages, the number of pairs and a digest of them, whatever files they were in."""
        digest = blake2b("\n".join(sorted(self._pairs)).encode(), digest_size=8).hexdigest()
        return f"{'-'.join(self.languages)}:{len(self)}:{digest}"
