"""Records: documents of mappings from field names to values (rows, JSON objects)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tealeaves.errors import InputError, did_you_mean
from tealeaves.text.document import Document, Fields

_LONGEST_NAME = 40  # a longer name may be a text, if the header is missing


class HeaderError(InputError):
    """The first row of a table does not name the field of the text: it may not be a header."""


def make_document(
    record: Mapping[str, object], fields: Fields, *, where: str, source: str, position: int
) -> Document:
    """Make a document of a record; only the text is required."""
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


def missing_field(name: str, fields: Iterable[str], where: str) -> InputError:
    """Return the error that says which field is missing and which there are."""
    names = [str(field) for field in fields]
    short = [
        field if len(field) <= _LONGEST_NAME else f"{field[: _LONGEST_NAME - 1]}…"
        for field in names
    ]
    return InputError(
        f"{where}: no field {name!r}{did_you_mean(name, names)} (fields here: "
        f"{', '.join(short) or 'none'}; say which holds the text: --text-field NAME, in Python "
        "fields=Fields(text=NAME))"
    )


def _text(value: object, field: str, where: str) -> str:
    """Return a text, which may be a list of tokens."""
    if isinstance(value, str):
        return value
    if value is None:  # like an empty cell of a CSV file
        return ""
    if isinstance(value, list) and all(isinstance(token, str) for token in value):
        return " ".join(value)
    kind = type(value).__name__
    raise InputError(f"{where}: the field {field!r} must be text or a list of tokens, not {kind}")


def _label(value: object) -> str:
    """Return a label, or several labels joined by ``|``."""
    if isinstance(value, list):
        return "|".join(filter(None, map(_plain, value)))
    return _plain(value)


def _plain(value: object) -> str:
    return "" if value is None else str(value)
