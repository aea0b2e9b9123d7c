"""From the links of a seed's tokens to what expresses them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tealeaves.lexicon.alignment.links import Links
from tealeaves.lexicon.bitext import Bitext
from tealeaves.lexicon.extraction.result import Extracted
from tealeaves.lexicon.seeds import Seed
from tealeaves.lexicon.stems.characters import joined_characters
from tealeaves.lexicon.stems.settling import settled
from tealeaves.lexicon.words import Words

if TYPE_CHECKING:
    #: the places that a form stands at, and the form
    Piece = tuple[tuple[int, ...], str]
    #: from forms and how often they occur to the groups of forms
    Grouping = Callable[[Sequence[str], Sequence[int]], Sequence[int]]


def express_tokens(
    bitext: Bitext,
    links: Links,
    seed: Seed,
    group: Grouping,
    *,
    several: float,
    least: float,
) -> list[Extracted]:
    """Return how each token of a seed is expressed.

    ``group`` is given forms, the most frequent first, and how often each occurs; it says which
    group each is of.
    """
    words = bitext.target.words
    rows, chosen, sure = seed.rows.tolist(), [], []
    for row, place in zip(rows, seed.places.tolist(), strict=True):
        token = int(bitext.source.words.starts[row]) + place
        places, best = linked_places(links, token, several, least)
        chosen.append(pieces(words, row, places))
        sure.append(best)
    found = settled(words, rows, chosen)
    names = _names([form for some in found for _, form in some], group)
    return [
        Extracted(
            frozenset(names[form] for _, form in some),
            tuple(sorted({place for where, _ in some for place in where})),
            best,
        )
        for some, best in zip(found, sure, strict=True)
    ]


def linked_places(
    links: Links, token: int, several: float, least: float
) -> tuple[list[int], float]:
    """Return the places that express a source token, and how sure the likeliest of them is.

    >>> links = Links.of(2, [(0, 1, 0.7), (0, 4, 0.6), (0, 5, 0.2), (1, 2, 0.05)])
    >>> linked_places(links, 0, 0.5, 0.1), linked_places(links, 1, 0.5, 0.1)
    (([1, 4], 0.7), ([], 0.05))
    """
    places, probabilities = links.of_token(token)
    if not len(places):
        return [], 0.0
    best = float(probabilities.max())
    chosen = (
        places[probabilities >= several] if best >= several else places[probabilities == best][:1]
    )
    return (chosen.tolist() if best >= least else []), best


def pieces(words: Words, row: int, places: Sequence[int]) -> list[Piece]:
    """Return the forms at some places of a passage; characters side by side are one form."""
    return joined_characters([(place, words.word(row, place)) for place in places])


def _names(forms: Sequence[str], group: Grouping) -> dict[str, str]:
    """Name each form by the commonest form of its group."""
    counted = Counter(forms)
    ordered = sorted(counted, key=lambda form: (-counted[form], form))
    groups = group(ordered, [counted[form] for form in ordered])
    return {form: ordered[number] for form, number in zip(ordered, groups, strict=True)}
