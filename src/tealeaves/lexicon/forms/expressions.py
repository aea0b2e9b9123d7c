"""The expressions of a seed's tokens: the linked words of each, named by the group of their forms.

In languages that are read by characters, neighbouring characters are one form, and the tokens of a
seed agree on where words begin and end. An aligner may link all characters of a word, or one of
them: 祭司, or 司 alone. The string that is linked most often where 祭司 occurs is the word, and is
used wherever it occurs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tealeaves.lexicon.alignment.links import Links
from tealeaves.lexicon.bitext import Bitext
from tealeaves.lexicon.extraction.result import Extracted
from tealeaves.lexicon.seeds import Seed
from tealeaves.lexicon.words import Words
from tealeaves.text.tokenizers import is_character

#: A function from forms and their frequencies to the groups of the forms.
Grouping = Callable[[Sequence[str], Sequence[int]], Sequence[int]]


class FormAt(NamedTuple):
    """A form, and the places of its words in a passage."""

    places: tuple[int, ...]
    form: str


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

    ``group`` gets forms, the most frequent first, and their frequencies, and returns the number of
    each form's group. ``several`` and ``least`` are as in :func:`linked_places`.
    """
    words = bitext.target.words
    rows, linked, confidences = seed.rows.tolist(), [], []
    for row, place in zip(rows, seed.places.tolist(), strict=True):
        token = int(bitext.source.words.starts[row]) + place
        places, confidence = linked_places(links, token, several, least)
        linked.append(joined_characters([(place, words.word(row, place)) for place in places]))
        confidences.append(confidence)
    tokens = agreed_characters(words, rows, linked)
    names = _group_names([one.form for forms in tokens for one in forms], group)
    return [
        Extracted(
            frozenset(names[one.form] for one in forms),
            tuple(sorted({place for one in forms for place in one.places})),
            confidence,
        )
        for forms, confidence in zip(tokens, confidences, strict=True)
    ]


def linked_places(
    links: Links, token: int, several: float, least: float
) -> tuple[list[int], float]:
    """Return the places that express a source token, and the probability of the best link.

    All places of at least the probability ``several`` count; if there are none, the best one does,
    if its probability is at least ``least``.

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


def _group_names(forms: Sequence[str], group: Grouping) -> dict[str, str]:
    """Return for each form the most frequent form of its group."""
    counts = Counter(forms)
    ordered = sorted(counts, key=lambda form: (-counts[form], form))
    groups = group(ordered, [counts[form] for form in ordered])
    return {form: ordered[number] for form, number in zip(ordered, groups, strict=True)}


# ---------------------------------------------------------------------- characters


def joined_characters(words: Sequence[tuple[int, str]]) -> list[FormAt]:
    """Join neighbouring characters of scripts without spaces; other words stay as they are.

    >>> joined = joined_characters([(0, "上"), (1, "帝"), (4, "神"), (5, "god"), (6, "is")])
    >>> [(one.places, one.form) for one in joined]
    [((0, 1), '上帝'), ((4,), '神'), ((5,), 'god'), ((6,), 'is')]
    """
    joined: list[FormAt] = []
    open_end = -2  # the last place, if it has a character
    for place, word in words:
        if open_end == place - 1 and is_character(word):
            places, before = joined[-1]
            joined[-1] = FormAt((*places, place), before + word)
        else:
            joined.append(FormAt((place,), word))
        open_end = place if is_character(word) else -2
    return joined


def agreed_characters(
    words: Words, rows: Sequence[int], tokens: Sequence[list[FormAt]]
) -> list[list[FormAt]]:
    """Let the tokens of a seed agree on words of characters; other forms stay as they are.

    Parameters
    ----------
    words
        The passages.
    rows
        The passage of each token.
    tokens
        The forms of each token, with neighbouring characters joined.

    >>> words = Words.of(["大祭司", "祭司长", "祭司"])
    >>> tokens = [[FormAt((1, 2), "祭司")], [FormAt((1,), "司")], [FormAt((0, 1), "祭司")]]
    >>> [[tuple(one) for one in forms] for forms in agreed_characters(words, [0, 1, 2], tokens)]
    [[((1, 2), '祭司')], [((0, 1), '祭司')], [((0, 1), '祭司')]]
    """
    spans = [
        [_span(one) for one in forms if is_character(words.word(row, one.places[0]))]
        for row, forms in zip(rows, tokens, strict=True)
    ]
    if not any(spans):
        return list(tokens)
    texts = [words.text(row) for row in rows]
    known = _known_words(texts, spans)
    return [
        _with_known_words(text, forms, known) if has_characters else forms
        for text, forms, has_characters in zip(texts, tokens, spans, strict=True)
    ]


def _span(form: FormAt) -> tuple[int, int]:
    """Return the first place of a form, and the place after it."""
    return form.places[0], form.places[-1] + 1


def _known_words(
    texts: Sequence[list[str]], spans: Sequence[list[tuple[int, int]]]
) -> dict[str, int]:
    """Return the strings that most tokens near them are linked with, and how many are."""
    pairs = list(zip(texts, spans, strict=True))
    linked = Counter("".join(text[a:b]) for text, some in pairs for a, b in some)
    longest = max(b - a for some in spans for a, b in some)
    near = Counter(
        word
        for text, some in pairs
        for word in {
            "".join(text[a:b]) for span in some for a, b in _overlapping(span, len(text), longest)
        }
        if word in linked
    )
    return {word: count for word, count in linked.items() if 2 * count > near[word]}


def _overlapping(span: tuple[int, int], end: int, longest: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of up to some length that share a place with one."""
    for a in range(max(0, span[0] - longest + 1), span[1]):
        for b in range(max(a, span[0]) + 1, min(end, a + longest) + 1):
            yield a, b


def _with_known_words(text: list[str], forms: list[FormAt], known: dict[str, int]) -> list[FormAt]:
    """Replace forms of characters by the longest, then most frequent, known word near them."""
    longest = max(map(len, known), default=0)
    chosen: dict[tuple[int, ...], str] = {}
    for one in forms:
        places, form = one
        if is_character(text[places[0]]):
            candidates = [
                (b - a, known[word], -a, word)
                for a, b in _overlapping(_span(one), len(text), longest)
                if (word := "".join(text[a:b])) in known
            ]
            if candidates:
                length, _, first, form = max(candidates)
                places = tuple(range(-first, -first + length))
        chosen[places] = form
    return [FormAt(places, form) for places, form in chosen.items()]
