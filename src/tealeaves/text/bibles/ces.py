"""Bibles in the Corpus Encoding Standard: the corpus of a hundred languages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from tealeaves.text.bibles.reference import Verse, is_part, parse_reference, reference_at
from tealeaves.text.xml import XmlEvent, parse_xml


def verses_of_ces(stream: BinaryIO, name: str) -> Iterator[Verse]:
    """Read the verses of a CES file, ``<seg id="b.GEN.1.1" type="verse">``, without markup.

    >>> import io
    >>> data = b"<cesDoc><seg id='b.MAR.1.2' type='verse'>  In the\\n beginning </seg></cesDoc>"
    >>> [(str(v.reference), v.text) for v in verses_of_ces(io.BytesIO(data), "a.xml")]
    [('MRK 1:2', 'In the beginning')]
    """
    verse: Verse | None = None
    pieces: list[str] = []
    inside = 0  # segments of the verse that are open
    for event in parse_xml(stream, name):
        if event.kind == "text":
            if verse is not None:
                pieces.append(event.name)
        elif event.name != "seg":
            continue
        elif verse is None:
            verse = _begun(event, name)  # an end tag begins none
        elif event.kind == "start" or inside:
            inside += 1 if event.kind == "start" else -1
        else:
            yield verse._replace(text=" ".join("".join(pieces).split()))
            verse, pieces = None, []


def _begun(event: XmlEvent, name: str) -> Verse | None:
    """Return the verse that a segment begins, if it is a verse."""
    written = event.attributes.get("id", "").strip()
    if event.attributes.get("type", "").strip().lower() == "verse":
        reference = reference_at(written, name, event.line, example="b.GEN.1.1")
        return Verse(reference, "", event.line, is_part(written))
    found = parse_reference(written)  # a few files leave the type out
    if found is None or "type" in event.attributes:
        return None
    return Verse(found, "", event.line, is_part(written))
