"""``PairedCorpus``: documents of several languages, and which of them belong together."""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b

from tealeaves.errors import InputError
from tealeaves.text.changes import Chosen
from tealeaves.text.compression import Meter
from tealeaves.text.corpus import Corpus, Text
from tealeaves.text.document import Document, Fields
from tealeaves.text.languages import same_language
from tealeaves.text.paired.checking import check_languages, labels_of, twice
from tealeaves.text.paired.links import ById, ByLine, Links
from tealeaves.text.paired.walking import walk

Path = str | os.PathLike[str]


class PairedCorpus:
    """Documents linked across languages.

    Each side is the corpus of a language. Linked documents have the same key and make a tuple,
    which has at most one document of each language and may lack some. Documents are read when
    they are wanted; only their keys are kept.

    >>> paired = PairedCorpus.of([{"en": "a king", "es": "un rey"}, {"en": "a house"}])
    >>> [(key, {name: d.text for name, d in sides.items()}) for key, sides in paired.tuples()]
    [('1', {'en': 'a king', 'es': 'un rey'}), ('2', {'en': 'a house'})]
    >>> paired.linked("en", "es")
    1
    """

    def __init__(self, sides: Mapping[str, Corpus], *, links: Links | None = None) -> None:
        if not sides:
            raise InputError("paired texts need a corpus for each language")
        self.sides = dict(sides)
        self.languages = tuple(self.sides)
        check_languages(self.languages)
        self.name = " ".join(f"{language}={side.name}" for language, side in sides.items())
        self._links = links
        self._keys: dict[str, list[str]] = {}
        self._lock = threading.Lock()

    @classmethod
    def open(
        cls,
        paths: Mapping[str, Path | Sequence[Path]],
        *,
        unit: str | None = None,
        links: Path | None = None,
        reader: str | Mapping[str, str] | None = None,
        fields: Fields | Mapping[str, str] | None = None,
    ) -> PairedCorpus:
        """Open the files of each language.

        Parameters
        ----------
        paths
            For each language what :meth:`Corpus.open` takes: files, folders, globs. One file may
            serve several languages: TMX, or JSONL and tables with a field for the language.
        unit
            ``verse``, ``chapter``, ``document`` or ``block(size=4)``, as in :meth:`Corpus.grouped`.
            Default: ``chapter`` for Bibles, which are told by their content, else as it is read.
        links
            ``id`` links documents with the same id, ``line`` the nth documents, ``field:NAME``
            those with the same value of a field, and a table (``.tsv``, ``.csv``, ``.jsonl``)
            those whose ids stand in the same row: its columns are called as the languages.
            Default: ``id`` where the first document of each language has one, and a document
            without is then linked to none; else ``line``, but no side may then have ids here and
            there. Files of folders are linked by their names without the language
            (``news.en.txt``).
        reader, fields
            As in :meth:`Corpus.open`; readers may differ by language. A reader that takes a
            language is given that of the side.
        """
        from tealeaves.text.paired.opening import open_sides

        sides, how = open_sides(paths, unit=unit, links=links, reader=reader, fields=fields)
        return cls(sides, links=how)

    @classmethod
    def of(cls, tuples: Iterable[Mapping[str, Text]]) -> PairedCorpus:
        """Make paired texts of tuples in memory; a key is the number of the tuple, from 1."""
        texts: dict[str, list[Text]] = {}
        keys: dict[str, list[str]] = {}
        for number, sides in enumerate(tuples, 1):
            if not isinstance(sides, Mapping):
                raise InputError(f"tuple {number} is {sides!r:.60}: give each language its text")
            for language, text in sides.items():
                texts.setdefault(language, []).append(text)
                keys.setdefault(language, []).append(str(number))
        sides_of = {language: Corpus.of(side) for language, side in texts.items()}
        return cls._with_keys(sides_of, keys)

    @classmethod
    def _with_keys(cls, sides: Mapping[str, Corpus], keys: Mapping[str, list[str]]) -> PairedCorpus:
        """Pair what is known to belong together; there may be no link at all."""
        paired = cls(sides)
        paired._keys = dict(keys)
        return paired

    def side(self, language: str) -> Corpus:
        """Return the corpus of a language; ``eng`` finds ``en``."""
        return self.sides[self._called(language)]

    def _called(self, language: str) -> str:
        if language in self.sides:
            return language
        alike = [name for name in self.languages if same_language(name, language)]
        if len(alike) != 1:
            listed = ", ".join(self.languages)
            raise InputError(f"no texts in {language} (languages here: {listed})")
        return alike[0]

    def keys(self, language: str) -> list[str]:
        """Return the key of each document of a language, "" where it has none.

        All languages are read once, and their links checked.
        """
        name = self._called(language)
        for other in self.languages:
            if other not in self._keys:
                documents = self.keyed(other)
                while other not in self._keys:
                    next(documents, None)
        return list(self._keys[name])

    def keyed(self, language: str, meter: Meter | None = None) -> Iterator[tuple[str, Document]]:
        """Read the documents of a language with their keys; "" has no link."""
        name = self._called(language)
        if self._links is None and name not in self._keys:
            self._choose_links()
        documents = self.sides[name].documents(meter)
        if name in self._keys:
            return self._with_known_keys(name, documents)
        return self._with_new_keys(name, documents)

    def _with_known_keys(
        self, name: str, documents: Iterator[Document]
    ) -> Iterator[tuple[str, Document]]:
        try:
            yield from zip(self._keys[name], documents, strict=True)
        except ValueError as error:
            if isinstance(error, InputError):
                raise
            label = self.sides[name].name
            raise InputError(
                f"{label}: the texts were changed since their first reading"
            ) from error

    def _with_new_keys(
        self, name: str, documents: Iterator[Document]
    ) -> Iterator[tuple[str, Document]]:
        links = self._links or ByLine()
        keys: list[str] = []
        seen: dict[str, int] = {}
        for number, document in enumerate(documents):
            key = links.key(name, document, number)
            if key and seen.setdefault(key, number) != number:
                raise twice(key, labels_of(self.sides)[name], seen[key] + 1, number + 1)
            keys.append(key)
            yield key, document
        self._know({name: keys}, links)

    def _choose_links(self) -> None:
        """Link by ids where the first document of each language has one, else line by line.

        To look at all documents would be to read everything twice.
        """
        first = [next(iter(side), None) for side in self.sides.values()]
        with_ids = all(document is not None and document.id for document in first)
        self._links = ById() if with_ids else ByLine(labels_of(self.sides))

    def _know(self, keys: dict[str, list[str]], links: Links) -> None:
        with self._lock:  # languages may be read side by side
            known = self._keys | keys
            if len(known) == len(self.sides):
                links.check(self.sides, {name: known[name] for name in self.languages})
            self._keys = known

    def tuples(self) -> Iterator[tuple[str, dict[str, Document]]]:
        """Read the tuples: each one's key, and its documents by language.

        They come in the order of the first language, then those that only the next ones have.
        Documents without a link are tuples by themselves, without a key.
        """
        return walk({name: self.keys(name) for name in self.languages}, self.keyed)

    def linked(self, one: str, other: str) -> int:
        """Return the number of tuples that have both languages."""
        return len(set(self.keys(one)) & set(self.keys(other)) - {""})

    def select(self, keys: Collection[str]) -> PairedCorpus:
        """Return only the tuples with these keys, in their order; "" stands for the unlinked."""
        wanted = frozenset(keys)
        sides, kept = {}, {}
        for name, side in self.sides.items():
            known = self.keys(name)
            sides[name] = side.changed(Chosen([key in wanted for key in known]))
            kept[name] = [key for key in known if key in wanted]
        return self._with_keys(sides, kept)

    def unlink(self, share: float, *, seed: int) -> PairedCorpus:
        """Keep the links of a random share of the tuples; the other documents stay without.

        Of a larger share, the links contain those of a smaller one with the same seed.
        """
        if not 0 <= share <= 1:
            raise InputError(f"the share of links to keep is {share}: give a number from 0 to 1")
        known = {name: self.keys(name) for name in self.languages}
        linked = _linked(known.values())
        shuffled = sorted(linked, key=lambda key: _rank(key, seed))
        cut = frozenset(shuffled[round(share * len(shuffled)) :])
        keys = {name: ["" if key in cut else key for key in side] for name, side in known.items()}
        return self._with_keys(self.sides, keys)

    def __repr__(self) -> str:
        return f"PairedCorpus({self.name})"


def _linked(sides: Iterable[Iterable[str]]) -> list[str]:
    """Return the keys that two sides or more have."""
    seen: dict[str, int] = {}
    for side in sides:
        for key in side:
            seen[key] = seen.get(key, 0) + 1
    return [key for key, count in seen.items() if key and count > 1]


def _rank(key: str, seed: int) -> bytes:
    """Return a random number that depends on key and seed alone, not on other tuples."""
    return blake2b(f"{seed}\0{key}".encode("utf-8", "surrogatepass"), digest_size=16).digest()
