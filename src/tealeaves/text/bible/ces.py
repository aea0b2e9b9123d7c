"""Bibles in CES, the Corpus Encoding Standard (the corpus of Bibles in a hundred languages)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from tealeaves.text.bible.verses import Verse, is_part, parse_reference, require_reference
from tealeaves.text.xml import XmlEvent, parse_xml


def read_ces(stream: BinaryIO, name: str, size: int | None = None) -> Iterator[Verse]:
    """Read the verses of a CES file, ``<seg id="b.GEN.1.1" type="verse">``, without markup.

    >>> import io
    >>> data = b"<cesDoc><seg id='b.MAR.1.2' type='verse'>  In the\\n beginning </seg></cesDoc>"
    >>> [(str(v.reference), v.text) for v in read_ces(io.BytesIO(data), "a.xml")]
    [('MRK 1:2', 'In the beginning')]
    """
    verse: Verse | None = None
    pieces: list[str] = []
    depth = 0  # how many segments inside of the verse are open
    for event in parse_xml(stream, name, size):
        if event.kind == "text":
            if verse is not None:
                pieces.append(event.name)
        elif event.name != "seg":
            continue
        elif verse is None:
            verse = _begin_verse(event, name)  # None for an end tag
        elif event.kind == "start" or depth:
            depth += 1 if event.kind == "start" else -1
        else:
            yield verse._replace(text=" ".join("".join(pieces).split()))
            verse, pieces = None, []


def _begin_verse(event: XmlEvent, name: str) -> Verse | None:
    """Return the verse that a tag begins, without its text; None if it begins none."""
    reference_text = event.attributes.get("id", "").strip()
    kind = event.attributes.get("type")
    reference = None
    if kind is None:  # a few files have no types
        reference = parse_reference(reference_text)
    elif kind.strip().lower() == "verse":
        reference = require_reference(reference_text, name, event.line, example="b.GEN.1.1")
    return None if reference is None else Verse(reference, "", event.line, is_part(reference_text))
