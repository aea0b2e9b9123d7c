"""``Corpus``: documents that are read when they are wanted, as often as they are wanted."""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tealeaves.errors import InputError
from tealeaves.text.changes import Change, Part
from tealeaves.text.compression import Meter
from tealeaves.text.document import Document, Fields
from tealeaves.text.grouping import Grouped
from tealeaves.text.readers import parse_reader, read, read_blocks
from tealeaves.text.sources import Source, find_sources, refuse_markup
from tealeaves.text.textblock import BLOCK_BYTES, TextBlock, batched

Text = str | Sequence[str] | Document


class Corpus:
    """A stream of documents that can be read again.

    Files are read document by document and never held in memory.

    >>> corpus = Corpus.of(["the cat sat", "the dog barked"])
    >>> [document.text for document in corpus]
    ['the cat sat', 'the dog barked']
    >>> len(list(corpus)), len(list(corpus[:1]))
    (2, 1)
    """

    def __init__(
        self,
        sources: Sequence[Source] = (),
        *,
        fields: Fields | None = None,
        held: Sequence[Document] = (),
        name: str = "",
        part: slice | None = None,
        changes: Sequence[Change] = (),
    ) -> None:
        self.sources = list(sources)
        self.fields = fields or Fields()
        self.name = name
        self._held = held
        self._part = part or slice(None)
        self._changes = tuple(changes)

    @classmethod
    def open(
        cls,
        *paths: str | os.PathLike[str],
        reader: str | None = None,
        fields: Fields | Mapping[str, str] | None = None,
    ) -> Corpus:
        """Open files, folders, globs or ``-`` (standard input).

        Parameters
        ----------
        paths
            ``.txt`` (one document a line), ``.jsonl``, ``.csv``, ``.tsv``, ``.parquet``, each
            also with ``.gz``, ``.bz2`` or ``.zst`` (not Parquet), or folders of them; a plain
            file in a folder is one document, its folder's name the label.
        reader
            lines, file, jsonl, csv, tsv, parquet, tmx or bible, where the name does not tell; it
            may have parameters: ``tsv(header=false)``, ``tmx(language=en)``.
        fields
            Names of the fields that hold text, id, label and language.
        """
        if reader is not None:
            reader = parse_reader(reader)
        if isinstance(fields, Mapping):
            fields = Fields(**fields)
        fields = fields or Fields()
        sources = find_sources(paths, reader, fields.text)
        if reader is None:
            refuse_markup(sources)
        return cls(sources, fields=fields, name=" ".join(map(str, paths)))

    @classmethod
    def of(cls, texts: Iterable[Text], *, name: str = "memory") -> Corpus:
        """Make a corpus of texts, token lists or documents that are already in memory."""
        if isinstance(texts, str):
            raise InputError("a corpus is a list of texts, not one text")
        if hasattr(texts, "columns"):
            raise InputError("a data frame is not a list of texts: give its column, df['text']")
        documents = [_document(text, number) for number, text in enumerate(texts, 1)]
        source = f"memory-{_hash(documents)}"
        held = [
            d
            if d.source  # it knows where it comes from
            else Document(d.text, d.id, d.label, d.language, source, i)
            for i, d in enumerate(documents)
        ]
        return cls(held=held, name=name)

    def __iter__(self) -> Iterator[Document]:
        return self.documents()

    def __getitem__(self, part: slice | Any) -> Corpus:
        """Return the corpus of some consecutive documents; bounds are not negative."""
        if (
            not isinstance(part, slice)
            or part.step not in (None, 1)
            or (part.start or 0) < 0
            or (part.stop or 0) < 0
        ):
            raise InputError("a part of a corpus is corpus[start:stop], neither of them negative")
        if self._part != slice(None):
            raise InputError("take the part of the whole corpus, not of a part")
        return self._copy(self._changes, part)

    def grouped(self, unit: str) -> Corpus:
        """Return the corpus of larger documents, each made of neighbours.

        Parameters
        ----------
        unit
            ``verse`` leaves the documents as they are; ``chapter`` joins verses (ids such as
            ``GEN 1:1``); ``document`` joins rows with the same id; ``block(size=4)`` joins so many
            verses, rows with the same id, or lines.

        >>> rows = [Document("a", id="x"), Document("b", id="x"), Document("c", id="y")]
        >>> [(d.id, d.text) for d in Corpus.of(rows).grouped("document")]
        [('x', 'a\\nb'), ('y', 'c')]
        """
        grouped = Grouped.parse(unit)
        return self if grouped.unit == "verse" else self.changed(grouped)

    @property
    def unit(self) -> str:
        """What documents were joined into: ``chapter``, say; nothing if they are as read."""
        return next((str(one) for one in reversed(self._changes) if isinstance(one, Grouped)), "")

    def changed(self, change: Change) -> Corpus:
        """Return the corpus of these documents with a change, made whenever they are read."""
        changes = [*self._changes]
        if self._part != slice(None):
            changes.append(Part(self._part.start or 0, self._part.stop))
        return self._copy([*changes, change], None)

    def _copy(self, changes: Sequence[Change], part: slice | None) -> Corpus:
        return Corpus(
            self.sources,
            fields=self.fields,
            held=self._held,
            name=self.name,
            part=part,
            changes=changes,
        )

    def documents(self, meter: Meter | None = None) -> Iterator[Document]:
        """Read the documents; the meter follows how many bytes of the sources were read."""
        return itertools.islice(self._whole(meter), self._part.start, self._part.stop)

    def _whole(self, meter: Meter | None) -> Iterator[Document]:
        documents: Iterator[Document] = itertools.chain(self._held, self._read(meter or Meter()))
        for change in self._changes:
            documents = change(documents, self._source_name)
        return documents

    def blocks(self, meter: Meter | None = None, size: int = BLOCK_BYTES) -> Iterator[TextBlock]:
        """Read the same documents in blocks of about so many bytes: what counting asks for."""
        start, stop = self._part.start or 0, self._part.stop
        here = 0
        for block in self._read_blocks(meter or Meter(), size):
            part = block.cut(start - here, block.count if stop is None else stop - here)
            if part.count:
                yield part
            here += block.count
            if stop is not None and here >= stop:
                return

    def _read_blocks(self, meter: Meter, size: int) -> Iterator[TextBlock]:
        if self._changes:
            yield from batched(self._whole(meter), size)
            return
        yield from batched(self._held, size)
        for source in self.sources:
            yield from read_blocks(source, self.fields, meter, size)

    @property
    def size(self) -> int:
        """Bytes on disk that a whole reading takes."""
        return sum(source.size for source in self.sources)

    @property
    def identities(self) -> set[str]:
        """What identifies the sources, as in fingerprints."""
        known = {source.identity for source in self.sources} | {d.source for d in self._held}
        return set(map(self._changed_source, known))

    def _changed_source(self, source: str) -> str:
        for change in self._changes:
            source = change.source(source)
        return source

    def _source_name(self, identity: str) -> str:
        """Return the names of a source as it is read, before the last changes or after them."""
        for source in self.sources:
            if identity == source.identity or identity.startswith(f"{source.identity}:"):
                return source.name
        return self.name

    def named(self, message: str) -> str:
        """Put the names of sources in the place of what identifies them."""
        names: dict[str, list[str]] = {}
        for source in self.sources:
            identity = self._changed_source(source.identity)
            names.setdefault(identity, []).append(source.name)
        for identity, known in names.items():
            message = message.replace(f"source {identity}", " = ".join(known))
        return message

    def _read(self, meter: Meter) -> Iterator[Document]:
        for source in self.sources:
            yield from read(source, self.fields, meter)

    def __repr__(self) -> str:
        return f"Corpus({self.name})"


def _hash(documents: Iterable[Document]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for document in documents:
        text = document.text.encode("utf-8", "surrogatepass")
        digest.update(len(text).to_bytes(8, "little") + text)
    return digest.hexdigest()


def _document(text: Text, number: int) -> Document:
    if isinstance(text, Document):
        return text
    if isinstance(text, str):
        return Document(text)
    if isinstance(text, list | tuple) and all(isinstance(token, str) for token in text):
        return Document(" ".join(text))
    raise InputError(
        f"text {number} is {text!r:.60}: a document must be a text or a list of tokens"
    )
