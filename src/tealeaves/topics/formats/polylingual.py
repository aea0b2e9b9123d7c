"""What the polylingual outputs of MALLET have in common: languages that have but numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tealeaves.errors import InputError
from tealeaves.topics.adapters.given import warn
from tealeaves.topics.adapters.parts import Parts
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.topics import Topics


def named_languages(count: int, parts: Parts, name: str) -> list[str]:
    """Return the names of languages 0, 1, …: those that ``languages=`` says, else the numbers."""
    said = parts.languages
    if said is None:
        return [str(number) for number in range(count)]
    names = [one.strip() for one in (said.split(",") if isinstance(said, str) else said)]
    if len(names) != count:
        raise InputError(
            f"{name}: languages= names {len(names)} ({', '.join(names)}), but there are {count} in "
            "it"
        )
    if len(set(names)) < count:
        raise InputError(f"{name}: languages= names one twice: {', '.join(names)}")
    return names


def with_all_words(words: Sequence[Sequence[Sequence[str]]], parts: Parts) -> list[int]:
    """Return the topics that have words in every language; the others are left out, aloud."""
    topics = range(len(words[0]))
    kept = [k for k in topics if all(side[k] for side in words)]
    if not kept:
        raise InputError(f"{parts.name}: no topic has words in every language")
    gone = [str(k) for k in topics if k not in set(kept)]
    if gone:
        which = f"topics {', '.join(gone)} have" if len(gone) > 1 else f"topic {gone[0]} has"
        warn(f"{parts.name}: {which} no words in some language, and so no place among the topics")
    return kept


def aligned(sides: Sequence[Mapping[str, Any]], parts: Parts, name: str, **known: Any) -> Topics:
    """Make one model of what is known of each language and of the tuples.

    Of one language these are plain topics.
    """
    names = named_languages(len(sides), parts, name)
    made = {
        language: Topics(model=parts.name, language=language, **side)
        for language, side in zip(names, sides, strict=True)
    }
    if len(made) == 1:
        known.pop("document_languages", None)
        language = "" if parts.languages is None else names[0]
        return Topics(**({"model": parts.name, "language": language} | dict(sides[0]) | known))
    return MultilingualTopics.of_languages(made, model=parts.name, **known)
