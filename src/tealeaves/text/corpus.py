"""``Corpus``: a stream of documents that can be read as often as needed."""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from tealeaves.errors import InputError
from tealeaves.files import Meter
from tealeaves.text.blocks import BLOCK_BYTES, TextBlock, make_blocks
from tealeaves.text.document import Document, Fields
from tealeaves.text.files import FileOrFolder, check_no_tmx, find_files
from tealeaves.text.grouping import Grouping
from tealeaves.text.languages import same_language
from tealeaves.text.readers import parse_reader, read_blocks, read_documents

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
        files: Sequence[FileOrFolder] = (),
        *,
        fields: Fields | None = None,
        in_memory: Sequence[Document] = (),
        name: str = "",
        part: slice | None = None,
        transforms: Sequence[DocumentTransform] = (),
    ) -> None:
        self.files = list(files)
        self.fields = fields or Fields()
        self.name = name
        self._in_memory = in_memory
        self._part = part or slice(None)
        self._transforms = tuple(transforms)

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
            ``.txt`` (one document per line), ``.jsonl``, ``.csv``, ``.tsv``, ``.parquet``, each
            also with ``.gz``, ``.bz2`` or ``.zst`` (not Parquet), or folders of them. A plain file
            in a folder is one document, and its label is the name of its folder.
        reader
            ``lines``, ``file``, ``jsonl``, ``csv``, ``tsv``, ``parquet``, ``tmx`` or ``bible``, if
            the name of the file does not tell. A reader may have parameters:
            ``tsv(header=false)``, ``tmx(language=en)``.
        fields
            Names of the fields that hold the text, id, label and language.
        """
        if reader is not None:
            reader = parse_reader(reader)
        if isinstance(fields, Mapping):
            fields = Fields(**fields)
        fields = fields or Fields()
        files = find_files(paths, reader, fields.text)
        if reader is None:
            check_no_tmx(files)
        return cls(files, fields=fields, name=" ".join(map(str, paths)))

    @classmethod
    def of(cls, texts: Iterable[Text], *, name: str = "memory") -> Corpus:
        """Make a corpus of texts, token lists or documents that are already in memory.

        Parameters
        ----------
        texts
            The texts, lists of tokens, or documents.
        name
            The name of the corpus, for signatures.
        """
        if isinstance(texts, str):
            raise InputError("a corpus is a list of texts, not one text: write Corpus.of([text])")
        if hasattr(texts, "columns"):
            raise InputError("a data frame is not a list of texts: give its column, df['text']")
        given = [
            text if isinstance(text, Document) else _as_string(text, number)
            for number, text in enumerate(texts, 1)
        ]
        digest = hashlib.blake2b(digest_size=8)
        for one in given:
            text = one.text if isinstance(one, Document) else one
            data = text.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "little") + data)
        source = f"memory-{digest.hexdigest()}"
        in_memory = [
            Document(one, source=source, position=position)
            if isinstance(one, str)
            else one  # it was read from a file before
            if one.source
            else msgspec.structs.replace(one, source=source, position=position)
            for position, one in enumerate(given)
        ]
        return cls(in_memory=in_memory, name=name)

    def __iter__(self) -> Iterator[Document]:
        return self.documents()

    def __getitem__(self, part: slice | Any) -> Corpus:
        """Return the corpus of some consecutive documents; bounds must not be negative."""
        if (
            not isinstance(part, slice)
            or part.step not in (None, 1)
            or (part.start or 0) < 0
            or (part.stop or 0) < 0
        ):
            raise InputError(
                "a part of a corpus is corpus[start:stop], without a step or minus signs"
            )
        if self._part != slice(None):
            raise InputError(
                "this corpus is a part already: take the part of the whole corpus, not of a part"
            )
        return self._copy(self._transforms, part)

    def group(self, unit: str) -> Corpus:
        """Return a corpus of larger documents, each of which joins neighbouring documents.

        Parameters
        ----------
        unit
            ``verse`` changes nothing; ``chapter`` joins verses (ids such as ``GEN 1:1``);
            ``document`` joins rows with the same id; ``block(size=4)`` joins four verses, rows with
            the same id, or lines.

        >>> rows = [Document("a", id="x"), Document("b", id="x"), Document("c", id="y")]
        >>> [(d.id, d.text) for d in Corpus.of(rows).group("document")]
        [('x', 'a\\nb'), ('y', 'c')]
        """
        grouping = Grouping.parse(unit)
        return self if grouping.unit == "verse" else self.transform(grouping)

    @property
    def unit(self) -> str:
        """The unit that documents were joined to, such as ``chapter``; empty if they were not."""
        groupings = [step for step in self._transforms if isinstance(step, Grouping)]
        return str(groupings[-1]) if groupings else ""

    def transform(self, transform: DocumentTransform) -> Corpus:
        """Return a corpus whose documents go through a transform whenever they are read."""
        transforms = [*self._transforms]
        if self._part != slice(None):
            transforms.append(DocumentRange(self._part.start or 0, self._part.stop))
        return self._copy([*transforms, transform], None)

    def _copy(self, transforms: Sequence[DocumentTransform], part: slice | None) -> Corpus:
        return Corpus(
            self.files,
            fields=self.fields,
            in_memory=self._in_memory,
            name=self.name,
            part=part,
            transforms=transforms,
        )

    def documents(self, meter: Meter | None = None) -> Iterator[Document]:
        """Read the documents; the meter counts the bytes that were read."""
        documents = self._transformed_documents(meter or Meter())
        return itertools.islice(documents, self._part.start, self._part.stop)

    def _transformed_documents(self, meter: Meter) -> Iterator[Document]:
        """Read the documents of the whole corpus, of which this may be a part."""
        from_files = (read_documents(file, self.fields, meter) for file in self.files)
        documents: Iterator[Document] = itertools.chain(
            self._in_memory, itertools.chain.from_iterable(from_files)
        )
        for transform in self._transforms:
            documents = transform(documents, self._file_name)
        return documents

    def blocks(self, meter: Meter | None = None, size: int = BLOCK_BYTES) -> Iterator[TextBlock]:
        """Read the same documents in blocks of about ``size`` bytes, for counting."""
        start, stop = self._part.start or 0, self._part.stop
        position = 0
        for block in self._all_blocks(meter or Meter(), size):
            part = block.cut(start - position, block.count if stop is None else stop - position)
            if part.count:
                yield part
            position += block.count
            if stop is not None and position >= stop:
                return

    def _all_blocks(self, meter: Meter, size: int) -> Iterator[TextBlock]:
        if self._transforms:
            yield from make_blocks(self._transformed_documents(meter), size)
            return
        yield from make_blocks(self._in_memory, size)
        for file in self.files:
            yield from read_blocks(file, self.fields, meter, size)

    @property
    def size(self) -> int:
        """The number of bytes on disk that are read in all."""
        return sum(file.size for file in self.files)

    @property
    def identities(self) -> set[str]:
        """The sources of the documents, as they stand in fingerprints."""
        sources = {file.identity for file in self.files} | {d.source for d in self._in_memory}
        return set(map(self._transformed_source, sources))

    def _transformed_source(self, source: str) -> str:
        for transform in self._transforms:
            source = transform.source(source)
        return source

    def _file_name(self, source: str) -> str:
        """Return the name of the file that a source is, before or after transforms."""
        for file in self.files:
            if source == file.identity or source.startswith(f"{file.identity}:"):
                return file.name
        return self.name

    def name_sources(self, message: str) -> str:
        """Replace ``source HASH`` in a message by the name of the file."""
        names: dict[str, list[str]] = {}
        for file in self.files:
            names.setdefault(self._transformed_source(file.identity), []).append(file.name)
        for source, equal_files in names.items():
            message = message.replace(f"source {source}", " = ".join(equal_files))
        return message

    def __repr__(self) -> str:
        return f"Corpus({self.name})"


def _as_string(text: Any, number: int) -> str:
    """Return a text; tokens are joined by spaces."""
    if isinstance(text, str):
        return text
    if isinstance(text, list | tuple):
        with suppress(TypeError):  # not all tokens are strings
            return " ".join(text)
    raise InputError(
        f"text {number} is {text!r:.60}: a document must be a text or a list of tokens"
    )


# ---------------------------------------------------------------------- transforms


class DocumentTransform(Protocol):
    """A change to the documents of a corpus that happens while they are read."""

    def __call__(
        self, documents: Iterator[Document], file_name: Callable[[str], str]
    ) -> Iterator[Document]:
        """Yield the new documents; ``file_name`` returns the file of a source, for messages."""
        ...

    def source(self, source: str) -> str:
        """Return the source of the new documents, given that of the old ones."""
        ...


class _Filter:
    """A transform that leaves some documents out and does not change the others."""

    def source(self, source: str) -> str:
        """Return the source itself."""
        return source


@dataclass(frozen=True)
class DocumentRange(_Filter):
    """The documents from ``start`` to before ``stop``."""

    start: int
    stop: int | None

    def __call__(
        self, documents: Iterator[Document], file_name: Callable[[str], str]
    ) -> Iterator[Document]:
        """Yield the documents of the range."""
        return itertools.islice(documents, self.start, self.stop)


@dataclass(frozen=True)
class DocumentSelection(_Filter):
    """The documents at whose position ``is_selected`` is true."""

    is_selected: Sequence[bool]

    def __call__(
        self, documents: Iterator[Document], file_name: Callable[[str], str]
    ) -> Iterator[Document]:
        """Yield the selected documents."""
        return itertools.compress(documents, self.is_selected)


@dataclass(frozen=True)
class LanguageFilter:
    """The documents of one language, and those whose language is not given.

    The language becomes part of their source. So the documents of two languages are never taken
    for the same, even if both are read from the same file and do not state their language.
    """

    language: str

    def source(self, source: str) -> str:
        """Return the source with the language."""
        return f"{source}:{self.language}"

    def __call__(
        self, documents: Iterator[Document], file_name: Callable[[str], str]
    ) -> Iterator[Document]:
        """Yield the documents of the language."""
        for document in documents:
            if not document.language or same_language(document.language, self.language):
                yield msgspec.structs.replace(document, source=self.source(document.source))
