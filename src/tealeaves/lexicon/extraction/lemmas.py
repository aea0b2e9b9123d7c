"""The lemmas and tokens that a user asks for, and whether they occur in the source."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from tealeaves.errors import InputError
from tealeaves.files import InputFile, decode_text
from tealeaves.lexicon.bitext import Passages
from tealeaves.lexicon.seeds import find_seed, hint_for
from tealeaves.tables.numbers import list_text

#: A token of the source: its lemma, the key of its passage, its position in it.
Place = tuple[str, str, int]

_MOST_NAMED = 10  # lemmas that an error message names


def split_lemmas(lemmas: str | Iterable[str]) -> tuple[str, ...]:
    """Return lemmas without repetition; in one string, commas separate them.

    >>> split_lemmas("hand, foot,hand"), split_lemmas(["hand", "foot"])
    (('hand', 'foot'), ('hand', 'foot'))
    """
    parts = lemmas.split(",") if isinstance(lemmas, str) else lemmas
    unique = dict.fromkeys(lemma.strip() for lemma in parts)
    unique.pop("", None)
    return tuple(unique)


def read_lemmas(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Read lemmas from a file: one per line, or several separated by commas."""
    if not Path(path).is_file():
        raise InputError(f"{path}: no such file of lemmas")
    lemmas = split_lemmas(decode_text(InputFile(path).read(), str(path)).replace("\n", ","))
    if not lemmas:
        raise InputError(f"{path}: no lemmas in this file: write one a line")
    return lemmas


def occurring_lemmas(
    source: Passages, lemmas: str | Iterable[str], *, skip_missing: bool = False
) -> tuple[str, ...]:
    """Return the lemmas that occur in the source.

    A lemma that never occurs is an error. With ``skip_missing`` it is left out, but one must occur.
    """
    wanted = split_lemmas(lemmas)
    if not wanted:
        raise InputError("no lemmas: name at least one word of the source")
    words = _occurring_words(source)
    known = words | {word.rpartition("/")[0] for word in words} - {""}
    missing = [lemma for lemma in wanted if lemma not in known]
    if not missing or (skip_missing and len(missing) < len(wanted)):
        return tuple(lemma for lemma in wanted if lemma in known)
    where = source.name or source.language
    if len(missing) == 1:
        raise InputError(f"{missing[0]!r} never occurs in {where}{hint_for(missing[0], words)}")
    hints = {lemma: hint_for(lemma, words).removeprefix("; ") for lemma in missing[:_MOST_NAMED]}
    names = [f"{lemma} ({hint})" if hint else lemma for lemma, hint in hints.items()]
    more = f" and {len(missing) - _MOST_NAMED} more" if len(missing) > _MOST_NAMED else ""
    raise InputError(f"{len(missing)} lemmas never occur in {where}: {', '.join(names)}{more}")


def _occurring_words(source: Passages) -> set[str]:
    import numpy as np

    words = source.words
    return {words.vocabulary[number] for number in np.unique(words.numbers)}


class TokenChoice:
    """Tokens of the source; a lemma matches with its part of speech or without.

    >>> tokens = TokenChoice([("hand/N", "EXO 3:2", 4), ("foot", "EXO 3:5", 1)])
    >>> ("hand", "EXO 3:2", 4) in tokens, ("foot/N", "EXO 3:5", 1) in tokens
    (True, True)
    >>> ("hand/V", "EXO 3:2", 4) in tokens, ("hand", "EXO 3:2", 5) in tokens
    (False, False)
    """

    def __init__(self, places: Collection[Place]) -> None:
        self._places = frozenset(places)
        self._bare = frozenset(map(_without_pos, self._places))

    def __contains__(self, place: Place) -> bool:
        return place in self._places or place in self._bare or _without_pos(place) in self._places

    def check(self, source: Passages, lemmas: Sequence[str]) -> None:
        """Raise if none of the chosen tokens is one of these lemmas."""
        if not self._places:
            raise InputError("no token is to be kept: name some, or leave it out to keep all")
        for lemma in lemmas:
            seed = find_seed(source.words, lemma)
            where = zip(seed.rows.tolist(), seed.places.tolist(), strict=True)
            if any((lemma, source.keys[row], place) in self for row, place in where):
                return
        lemma, key, place = min(self._places)
        raise InputError(
            f"no token that is to be kept is of {list_text(lemmas, 3)} in "
            f"{source.name or source.language}: they are such as {lemma}, token {place} of {key}"
        )


def _without_pos(place: Place) -> Place:
    lemma, key, at = place
    return lemma.rpartition("/")[0] or lemma, key, at
