"""The options that name the fields of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tealeaves.text.document import Fields

FIELDS = ("text_field", "id_field", "label_field", "language_field")


def fields_of(given: dict[str, Any]) -> Fields:
    """Return what the fields of texts are called."""
    from tealeaves.text.document import Fields

    return Fields(*(given[name] for name in FIELDS))
