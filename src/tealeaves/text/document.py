"""``Document``: one text of a corpus; ``Fields``: the names of the columns that it is read from."""

from __future__ import annotations

import msgspec


class Document(msgspec.Struct, frozen=True, gc=False):
    """A text and what is known about it.

    ``source`` and ``position`` identify the document: a document that is counted twice is noticed,
    while two documents with the same text are still two.

    Parameters
    ----------
    text
        The text.
    id
        Its id; empty if the file gives none.
    label
        Its label; several labels are joined by ``|``.
    language
        Its language.
    source
        A hash of its file.
    position
        Its position in the file.
    link
        A value that it shares with its translations.
    parts
        The number of documents that it was joined from.
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

    Parameters
    ----------
    text
        The field of the text, or of a list of tokens.
    id
        The field of the id.
    label
        The field of the label, or of a list of labels.
    language
        The field of the language.
    link
        The field of the value that linked documents share. It is read only if it is named.
    """

    text: str = "text"
    id: str = "id"
    label: str = "label"
    language: str = "language"
    link: str = ""
