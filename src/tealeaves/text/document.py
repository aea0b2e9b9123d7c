"""One text of a corpus, and where a reader finds its parts."""

from __future__ import annotations

import msgspec


class Document(msgspec.Struct, frozen=True, gc=False):
    """A text with what is known of it; ``id`` is empty where the source gives none.

    ``source`` and ``position`` say where it was read: they make its identity, so that a text
    counted twice is noticed while two equal texts are still two. Several labels stand in ``label``
    with ``|`` between them. ``link`` is what it has in common with its translations. ``parts`` is
    how many documents it was joined of.
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
    """Names of the fields that hold a document's parts in JSONL, CSV and Parquet.

    The label may be a list of labels. ``link`` is not looked for unless it is named.
    """

    text: str = "text"
    id: str = "id"
    label: str = "label"
    language: str = "language"
    link: str = ""
