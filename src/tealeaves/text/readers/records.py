"""From a record (a mapping of field names to values) to a document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tealeaves.errors import InputError, did_you_mean
from tealeaves.text.document import Document, Fields

_LONGEST_NAME = 40  # what is longer may be text, where a header was forgotten


class HeaderError(InputError):
    """A table whose header lacks the field of the text: it may be no header."""


def document_of(
    record: Mapping[str, object], fields: Fields, *, where: str, source: str, position: int
) -> Document:
    """Make a document of a record; its text must be there, the rest may be missing."""
    if fields.text not in record:
        raise missing_field(fields.text, record, where)
    return Document(
        _text(record[fields.text], fields.text, where),
        id=_plain(record.get(fields.id)),
        label=_label(record.get(fields.label)),
        language=_plain(record.get(fields.language)),
        source=source,
        position=position,
        link=_plain(record.get(fields.link)) if fields.link else "",
    )


def missing_field(name: str, known: Iterable[str], where: str) -> InputError:
    """Say which field is missing and which there are."""
    there = [str(key) for key in known]
    listed = ", ".join(map(_short, there)) or "none"
    return InputError(
        f"{where}: no field {name!r}{did_you_mean(name, there)} (fields here: {listed}; "
        "say which holds the text: --text-field NAME, in Python fields=Fields(text=NAME))"
    )


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _text(value: object, field: str, where: str) -> str:
    """Accept a string or a list of tokens."""
    if isinstance(value, str):
        return value
    if value is None:  # as an empty cell of a CSV file
        return ""
    if isinstance(value, list) and all(isinstance(token, str) for token in value):
        return " ".join(value)
    kind = type(value).__name__
    raise InputError(f"{where}: the field {field!r} must be text or a list of tokens, not {kind}")


def _label(value: object) -> str:
    """Write several labels as one."""
    if isinstance(value, list):
        return "|".join(filter(None, map(_plain, value)))
    return _plain(value)


def _plain(value: object) -> str:
    return "" if value is None else str(value)
