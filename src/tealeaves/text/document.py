"""``Document``: one text of a corpus; ``Fields``: the names of the columns that it is read from."""

from __future__ import annotations

import msgspec


class Document(msgspec.Struct, frozen=True, gc=False):
    """A text and what is known about it.

    ``id`` is empty if the file gives none. ``source`` (a hash of the file) and ``position``
    identify the document: a document that is counted twice is noticed, while two documents with the
    same text are still two. Several labels are joined by ``|``. ``link`` is a value that the
    document shares with its translations. ``parts`` is the number of documents it was joined from.
    """

    text: str
    id: str = ""
    label: str = ""
    language: str = ""
    source: str = ""
    position: int = 0
    link: str = ""
    parts: int = 1


class Fields(msgspec.Struct, frozen=True):
    """Names of the fields of JSONL, CSV and Parquet that hold the parts of a document.

    The field of the label may hold a list of labels. ``link`` is read only if it is named.
    """

    text: str = "text"
    id: str = "id"
    label: str = "label"
    language: str = "language"
    link: str = ""
