"""``PairedCorpus``: documents of several languages, and which of them belong together."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from tealeaves.errors import InputError
from tealeaves.files import Meter
from tealeaves.text.corpus import Corpus, DocumentSelection, Text
from tealeaves.text.document import Document, Fields
from tealeaves.text.languages import same_language
from tealeaves.text.paired.links import (
    LinkById,
    LinkByLine,
    LinkRule,
    check_languages,
    duplicate_key,
    side_labels,
)

if TYPE_CHECKING:
    from tealeaves.text.paired.sides import PathName

KeyedDocuments = Iterator[tuple[str, Document]]
LinkedDocuments = tuple[str, dict[str, Document]]


class PairedCorpus:
    """Documents that are linked across languages.

    Each side is the corpus of one language. Linked documents have the same key and form a tuple,
    which has at most one document of each language and may lack some languages. Documents are read
    when they are needed; only their keys are kept in memory.

    >>> paired = PairedCorpus.of([{"en": "a king", "es": "un rey"}, {"en": "a house"}])
    >>> [(key, {name: d.text for name, d in sides.items()}) for key, sides in paired.tuples()]
    [('1', {'en': 'a king', 'es': 'un rey'}), ('2', {'en': 'a house'})]
    >>> paired.count_links("en", "es")
    1
    """

    def __init__(self, sides: Mapping[str, Corpus], *, links: LinkRule | None = None) -> None:
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
        paths: Mapping[str, PathName | Sequence[PathName]],
        *,
        unit: str | None = None,
        links: PathName | None = None,
        reader: str | Mapping[str, str] | None = None,
        fields: Fields | Mapping[str, str] | None = None,
    ) -> PairedCorpus:
        """Open the files of each language.

        Parameters
        ----------
        paths
            For each language, the paths that :meth:`Corpus.open` accepts: files, folders, globs.
            One file may hold several languages: TMX, or JSONL and tables with a field for the
            language.
        unit
            ``verse``, ``chapter``, ``document`` or ``block(size=4)``, as in :meth:`Corpus.group`.
            Default: ``chapter`` for Bibles, which are recognised by their content; other documents
            are not joined.
        links
            ``id`` links documents with the same id, ``line`` the nth documents, ``field:NAME``
            documents with the same value of a field, and a table (``.tsv``, ``.csv``, ``.jsonl``)
            documents whose ids are in the same row; its columns are called like the languages.
            Default: ``id`` if the first document of each language has one; a document without an
            id is then not linked. Else ``line``; then either all documents of a language have an
            id, or none. Files of folders are linked by their names without the language
            (``news.en.txt``).
        reader, fields
            As in :meth:`Corpus.open`; readers may differ between languages. A reader with a
            parameter ``language`` is given the language of its side.
        """
        from tealeaves.text.paired.sides import open_sides

        sides, rule = open_sides(paths, unit=unit, links=links, reader=reader, fields=fields)
        return cls(sides, links=rule)

    @classmethod
    def of(cls, tuples: Iterable[Mapping[str, Text]]) -> PairedCorpus:
        """Make a paired corpus of tuples in memory; a key is the number of the tuple, from 1."""
        texts: dict[str, list[Text]] = {}
        keys: dict[str, list[str]] = {}
        for number, sides in enumerate(tuples, 1):
            if not isinstance(sides, Mapping):
                raise InputError(
                    f"tuple {number} is {sides!r:.60}: give a mapping from languages to texts"
                )
            for language, text in sides.items():
                texts.setdefault(language, []).append(text)
                keys.setdefault(language, []).append(str(number))
        return cls._with_keys({name: Corpus.of(side) for name, side in texts.items()}, keys)

    @classmethod
    def _with_keys(cls, sides: Mapping[str, Corpus], keys: Mapping[str, list[str]]) -> PairedCorpus:
        """Make a paired corpus with known keys, which are not checked; there may be no links."""
        paired = cls(sides)
        paired._keys = dict(keys)
        return paired

    def side(self, language: str) -> Corpus:
        """Return the corpus of a language; ``eng`` finds ``en``."""
        return self.sides[self._side_name(language)]

    def _side_name(self, language: str) -> str:
        if language in self.sides:
            return language
        names = [name for name in self.languages if same_language(name, language)]
        if len(names) != 1:
            listed = ", ".join(self.languages)
            raise InputError(f"no texts in {language} (languages here: {listed})")
        return names[0]

    def keys(self, language: str) -> list[str]:
        """Return the key of each document of a language, "" if it has none.

        The first call reads all languages and checks their links.
        """
        name = self._side_name(language)
        for other in self.languages:
            if other not in self._keys:
                for _ in self.keyed_documents(other):
                    pass
        return list(self._keys[name])

    def keyed_documents(self, language: str, meter: Meter | None = None) -> KeyedDocuments:
        """Read the documents of a language with their keys; "" is a document without a link."""
        name = self._side_name(language)
        if self._links is None and name not in self._keys:
            self._choose_links()
        documents = self.sides[name].documents(meter)
        if name in self._keys:
            return self._with_known_keys(name, documents)
        return self._with_new_keys(name, documents)

    def _with_known_keys(self, name: str, documents: Iterator[Document]) -> KeyedDocuments:
        try:
            yield from zip(self._keys[name], documents, strict=True)
        except ValueError as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"{self.sides[name].name}: the texts were changed since they were first read"
            ) from error

    def _with_new_keys(self, name: str, documents: Iterator[Document]) -> KeyedDocuments:
        links = self._links or LinkByLine()
        keys: list[str] = []
        numbers: dict[str, int] = {}
        for number, document in enumerate(documents):
            key = links.key(name, document, number)
            if key and numbers.setdefault(key, number) != number:
                label = side_labels(self.sides)[name]
                raise duplicate_key(key, label, numbers[key] + 1, number + 1)
            keys.append(key)
            yield key, document
        self._keep_keys(name, keys, links)

    def _choose_links(self) -> None:
        """Link by ids if the first document of each language has one, else line by line.

        To look at all documents would mean to read everything twice.
        """
        first = [next(iter(side), None) for side in self.sides.values()]
        with_ids = all(document is not None and document.id for document in first)
        self._links = LinkById() if with_ids else LinkByLine(side_labels(self.sides))

    def _keep_keys(self, name: str, keys: list[str], links: LinkRule) -> None:
        """Keep the keys of a language; check all keys when those of the last language are known."""
        with self._lock:  # languages may be read in parallel
            all_keys = {**self._keys, name: keys}
            if len(all_keys) == len(self.sides):
                links.check(self.sides, {side: all_keys[side] for side in self.languages})
            self._keys = all_keys

    def tuples(self) -> Iterator[LinkedDocuments]:
        """Read the tuples: the key of each, and its documents by language.

        They come in the order of the first language, followed by those that only the next
        languages have. A document without a link is a tuple by itself, without a key.
        """
        keys = {name: self.keys(name) for name in self.languages}
        return _read_tuples(keys, self.keyed_documents)

    def count_links(self, one: str, other: str) -> int:
        """Return the number of tuples that have both languages."""
        return len(set(self.keys(one)) & set(self.keys(other)) - {""})

    def select(self, keys: Collection[str]) -> PairedCorpus:
        """Return only the tuples with these keys, in their order; "" is for unlinked documents."""
        key_set = frozenset(keys)
        sides, new_keys = {}, {}
        for name, side in self.sides.items():
            is_selected = [key in key_set for key in self.keys(name)]
            sides[name] = side.transform(DocumentSelection(is_selected))
            new_keys[name] = [key for key in self.keys(name) if key in key_set]
        return self._with_keys(sides, new_keys)

    def unlink(self, share: float, *, seed: int) -> PairedCorpus:
        """Keep the links of a random share of the tuples; the other documents stay, unlinked.

        The links of a larger share include those of a smaller share with the same seed.

        Parameters
        ----------
        share
            The share of tuples that keep their links, from 0 to 1.
        seed
            The seed of the draw.
        """
        if not 0 <= share <= 1:
            raise InputError(f"the share of links must be a number from 0 to 1, not {share}")
        keys = {name: self.keys(name) for name in self.languages}
        counts = Counter(key for side in keys.values() for key in side if key)
        linked = [key for key, count in counts.items() if count > 1]
        shuffled = sorted(linked, key=lambda key: _random_rank(key, seed))
        cut = frozenset(shuffled[round(share * len(shuffled)) :])
        new_keys = {
            name: ["" if key in cut else key for key in side] for name, side in keys.items()
        }
        return self._with_keys(self.sides, new_keys)

    def __repr__(self) -> str:
        return f"PairedCorpus({self.name})"


def _random_rank(key: str, seed: int) -> bytes:
    """Return a random number that depends only on the key and the seed, not on other tuples."""
    return blake2b(f"{seed}\0{key}".encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _read_tuples(
    keys: Mapping[str, Sequence[str]], read: Callable[[str], KeyedDocuments]
) -> Iterator[LinkedDocuments]:
    """Yield each tuple when the first of its languages comes to it; ``read`` reads a language.

    A document waits in memory only until its tuple comes, which is not long if the languages have
    the same order.
    """
    languages = list(keys)
    earlier: set[str] = set()
    for place, first in enumerate(languages):
        new_keys = {key for key in keys[first] if key} - earlier
        if new_keys or "" in keys[first]:
            others = [
                _SideReader(language, keys[language], new_keys, read)
                for language in languages[place + 1 :]
            ]
            for key, document in read(first):
                if not key:
                    yield "", {first: document}
                elif key in new_keys:
                    linked = {side.language: side.take(key) for side in others if key in side.keys}
                    yield key, {first: document, **linked}
        earlier |= new_keys


class _SideReader:
    """Reads a language only as far as its documents are needed."""

    def __init__(
        self,
        language: str,
        keys: Sequence[str],
        needed: set[str],
        read: Callable[[str], KeyedDocuments],
    ) -> None:
        self.language = language
        self.keys = needed.intersection(keys)
        self._documents = read(language) if self.keys else iter(())
        self._waiting: dict[str, Document] = {}

    def take(self, key: str) -> Document:
        """Read on to the document with this key; documents before it are kept for later."""
        while key not in self._waiting:
            next_key, document = next(self._documents)
            if next_key in self.keys:
                self._waiting[next_key] = document
        return self._waiting.pop(key)
