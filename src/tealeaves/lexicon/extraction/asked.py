"""The lemmas that are asked for, and whether they occur."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from tealeaves.errors import InputError
from tealeaves.files import InputFile
from tealeaves.lexicon.bitext import Passages
from tealeaves.lexicon.seeds import hint_for

_NAMED = 10  # so many lemmas are named in an error


def listed(lemmas: str | Iterable[str]) -> tuple[str, ...]:
    """Return lemmas without repetition; a text may hold several with commas between them.

    >>> listed("hand, foot,hand"), listed(["hand", "foot"])
    (('hand', 'foot'), ('hand', 'foot'))
    """
    given = lemmas.split(",") if isinstance(lemmas, str) else lemmas
    found = dict.fromkeys(lemma.strip() for lemma in given)
    found.pop("", None)
    return tuple(found)


def read_lemmas(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Read lemmas from a file: one a line, or several with commas between them."""
    if not Path(path).is_file():
        raise InputError(f"{path}: no such file of lemmas")
    found = listed(",".join(InputFile(path).lines()))
    if not found:
        raise InputError(f"{path}: no lemmas in this file: write one a line")
    return found


def asked_lemmas(
    source: Passages, lemmas: str | Iterable[str], *, skip_missing: bool = False
) -> tuple[str, ...]:
    """Return the lemmas that occur; one that never does is an error, unless it may be left out."""
    wanted = listed(lemmas)
    if not wanted:
        raise InputError("no lemmas: name at least one word of the source")
    there = _occurring(source)
    known = there | {word.rpartition("/")[0] for word in there} - {""}
    missing = [lemma for lemma in wanted if lemma not in known]
    if not missing:
        return wanted
    here = [lemma for lemma in wanted if lemma in known]
    if skip_missing and here:
        return tuple(here)
    raise _never(source, missing, there)


def _occurring(source: Passages) -> set[str]:
    """Return the words of the source that occur."""
    import numpy as np

    words = source.words
    return {words.vocabulary[number] for number in np.unique(words.numbers)}


def _never(source: Passages, missing: list[str], there: set[str]) -> InputError:
    where = source.name or source.language
    if len(missing) == 1:
        return InputError(f"{missing[0]!r} never occurs in {where}{hint_for(missing[0], there)}")
    hints = {lemma: hint_for(lemma, there).removeprefix("; ") for lemma in missing[:_NAMED]}
    told = [f"{lemma} ({hint})" if hint else lemma for lemma, hint in hints.items()]
    more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
    return InputError(f"{len(missing)} lemmas never occur in {where}: {', '.join(told)}{more}")
