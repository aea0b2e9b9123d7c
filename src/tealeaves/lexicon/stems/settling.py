"""Where words of characters begin and end: the tokens of a seed agree on it.

An aligner finds now all characters of a word, now one of them: 祭司, or 司 alone. What it finds
most often where 祭司 stands is the word, and is taken wherever it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tealeaves.lexicon.words import Words
from tealeaves.text.tokenizers import is_character

if TYPE_CHECKING:
    #: the places that a form stands at, and the form
    Piece = tuple[tuple[int, ...], str]
    #: the first place of a word of characters, and the place after it
    Span = tuple[int, int]


def settled(words: Words, rows: Sequence[int], found: Sequence[list[Piece]]) -> list[list[Piece]]:
    """Let tokens agree on words of characters; other forms stay as they are.

    Parameters
    ----------
    words
        The passages.
    rows
        The passage of each token.
    found
        The forms of each token, as characters side by side were joined.

    >>> words = Words.of(["大祭司", "祭司长", "祭司"])
    >>> settled(words, [0, 1, 2], [[((1, 2), "祭司")], [((1,), "司")], [((0, 1), "祭司")]])
    [[((1, 2), '祭司')], [((0, 1), '祭司')], [((0, 1), '祭司')]]
    """
    spans = [[_span(piece) for piece in some if _is_of_characters(words, row, piece)]
             for row, some in zip(rows, found, strict=True)]  # fmt: skip
    if not any(spans):
        return list(found)
    texts = [words.text(row) for row in rows]
    known = _agreed(texts, spans)
    return [
        _settle(text, some, known) if own else some
        for text, some, own in zip(texts, found, spans, strict=True)
    ]


def _is_of_characters(words: Words, row: int, piece: Piece) -> bool:
    return is_character(words.word(row, piece[0][0]))


def _span(piece: Piece) -> Span:
    return piece[0][0], piece[0][-1] + 1


def _agreed(texts: Sequence[list[str]], spans: Sequence[list[Span]]) -> dict[str, int]:
    """Return the words that most tokens have of those where they stand, and how many have each."""
    pairs = list(zip(texts, spans, strict=True))
    chosen = Counter("".join(text[a:b]) for text, some in pairs for a, b in some)
    longest = max(b - a for some in spans for a, b in some)
    standing = Counter(
        word
        for text, some in pairs
        for word in {
            "".join(text[a:b]) for span in some for a, b in _about(span, len(text), longest)
        }
        if word in chosen
    )
    return {word: count for word, count in chosen.items() if 2 * count > standing[word]}


def _about(span: Span, end: int, longest: int) -> Iterator[Span]:
    """Yield the spans that share a place with one."""
    for a in range(max(0, span[0] - longest + 1), span[1]):
        for b in range(max(a, span[0]) + 1, min(end, a + longest) + 1):
            yield a, b


def _settle(text: list[str], some: list[Piece], known: dict[str, int]) -> list[Piece]:
    """Take the longest known word about each form of characters, the commonest of those."""
    longest = max(map(len, known), default=0)
    taken: dict[tuple[int, ...], str] = {}
    for places, form in some:
        best, best_form = places, form
        if is_character(text[places[0]]):
            about = [
                (b - a, known[word], -a, word)
                for a, b in _about(_span((places, form)), len(text), longest)
                if (word := "".join(text[a:b])) in known
            ]
            if about:
                length, _, first, best_form = max(about)
                best = tuple(range(-first, -first + length))
        taken[best] = best_form
    return list(taken.items())
