"""The tokens that alone are kept, and whether lemmas have any of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tealeaves.errors import InputError
from tealeaves.lexicon.bitext import Passages
from tealeaves.lexicon.extraction.signing import Place
from tealeaves.lexicon.seeds import find_seed
from tealeaves.tables.numbers import list_text


class Chosen:
    """Tokens of the source; a lemma is found with its part of speech or without.

    >>> chosen = Chosen([("hand/N", "EXO 3:2", 4), ("foot", "EXO 3:5", 1)])
    >>> ("hand", "EXO 3:2", 4) in chosen, ("foot/N", "EXO 3:5", 1) in chosen
    (True, True)
    >>> ("hand/V", "EXO 3:2", 4) in chosen, ("hand", "EXO 3:2", 5) in chosen
    (False, False)
    """

    def __init__(self, places: Collection[Place]) -> None:
        self._places = frozenset(places)
        self._bare = frozenset(map(_bare, self._places))

    def __contains__(self, place: Place) -> bool:
        return place in self._places or place in self._bare or _bare(place) in self._places


def _bare(place: Place) -> Place:
    lemma, key, at = place
    return lemma.rpartition("/")[0] or lemma, key, at


def check_chosen(source: Passages, lemmas: Sequence[str], only: Collection[Place]) -> None:
    """Refuse tokens of which none is one of these lemmas in the source."""
    chosen = Chosen(only)
    for lemma in lemmas:
        seed = find_seed(source.words, lemma)
        where = zip(seed.rows.tolist(), seed.places.tolist(), strict=True)
        if any((lemma, source.keys[row], place) in chosen for row, place in where):
            return
    if not only:
        raise InputError("no token is to be kept: name some, or leave it out to keep all")
    lemma, key, place = min(only)
    raise InputError(
        f"no token that is to be kept is of {list_text(lemmas, 3)} in "
        f"{source.name or source.language}: they are such as {lemma}, token {place} of {key}"
    )
