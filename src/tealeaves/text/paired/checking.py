"""What cannot be meant: keys that stand twice on a side, sides that never meet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from tealeaves.errors import InputError
from tealeaves.text.corpus import Corpus
from tealeaves.text.languages import language_code

_OF_BIBLE = re.compile(r"[A-Z0-9]{3} \d+(?::\d+[-,\d]*)?\Z")  # GEN 1, GEN 1:1-4


class NoDocumentsError(InputError):
    """A side that holds nothing."""


def check_languages(languages: Iterable[str]) -> None:
    """Refuse two names of one language, such as en and eng; regions tell sides apart."""
    known: dict[tuple[str, str], str] = {}
    for language in languages:
        first, _, region = language.strip().lower().replace("_", "-").partition("-")
        other = known.setdefault((language_code(language) or first, region), language)
        if other != language:
            raise InputError(f"{other} and {language} are the same language: a side is given once")


def labels_of(sides: Mapping[str, Corpus]) -> dict[str, str]:
    """Return what errors call each side: its file, or the language where files do not tell."""
    names = {language: side.name for language, side in sides.items()}
    if len(set(names.values())) == len(names):
        return names
    return {language: f"{language}={name}" for language, name in names.items()}


def twice(key: str, label: str, first: int, second: int) -> InputError:
    """Say which documents of a side have the same key."""
    hint = 'rows of one text are joined with --unit document, in Python unit="document"'
    if _OF_BIBLE.match(key):
        hint = "a chapter must stand in one file, and once"
    return InputError(
        f"{label}: documents {first} and {second} both have {key!r:.60}, but a link has one "
        f"document of each language ({hint})"
    )


def check_meeting(
    sides: Mapping[str, Corpus], keys: Mapping[str, Sequence[str]], *, lacking: str, what: str
) -> None:
    """Refuse a side that is linked to no other."""
    labels = labels_of(sides)
    for language, label in labels.items():
        if not keys[language]:
            raise NoDocumentsError(f"{label}: no documents")
        if len(sides) > 1 and not any(keys[language]):
            raise InputError(f"{label}: no document {lacking}, so none is linked")
    for language in labels if len(sides) > 1 else ():
        others = {key for other in sides if other != language for key in keys[other]}
        if others.isdisjoint(filter(None, keys[language])):
            other = next(name for name in sides if name != language)
            raise InputError(
                f"no document of {labels[language]} is linked to one of {labels[other]}"
                f"{' or others' if len(sides) > 2 else ''}: their {what} are like "
                f"{_first(keys[language])!r:.60} and {_first(keys[other])!r:.60}"
            )


def _first(keys: Iterable[str]) -> str:
    return next(filter(None, keys))
