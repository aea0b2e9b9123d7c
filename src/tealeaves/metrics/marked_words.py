"""``MarkedWords``: the words of a topic, those that fit badly marked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Self

SHOWN_WORDS = 10
#: What the mark means, for legends.
LEGEND = "words that are marked, in brackets or struck through, fit their topic badly"


class MarkedWords(str):
    """The first words of a topic as text: odd ones are in brackets, and never left out.

    A table that can do better writes them its own way.

    >>> MarkedWords.of(["cat", "soup", "dog"], {"soup"})
    'cat [soup] dog'
    """

    _pieces: tuple[tuple[str, bool], ...]

    @classmethod
    def of(
        cls, words: Sequence[str], odd: Collection[str] = (), most: int | None = SHOWN_WORDS
    ) -> Self:
        """Write the first words of a topic, and three dots where there are more.

        All are written where ``most`` is None, and else as far as the last odd one at least.
        """
        last = max((place for place, word in enumerate(words, 1) if word in odd), default=0)
        shown = len(words) if most is None else max(most, last)
        marked = [(word, word in odd) for word in words[:shown]]
        pieces = (*marked, *[("…", False)] * (len(words) > shown))
        found = cls(" ".join(map(_bracketed, pieces)))
        found._pieces = pieces
        return found

    @property
    def words(self) -> list[str]:
        """The words as they are written, each whole: one may have spaces inside."""
        return list(map(_bracketed, self._pieces))

    def written(self, escape: Callable[[str], str], mark: str) -> str:
        """Write the words in a language of its own; ``mark`` has braces for an odd word."""
        return " ".join(
            mark.replace("{}", escape(word)) if is_odd else escape(word)
            for word, is_odd in self._pieces
        )


class Ready(str):
    """Text that is in the language of its table already, and is not escaped again."""


def _bracketed(piece: tuple[str, bool]) -> str:
    word, is_odd = piece
    return f"[{word}]" if is_odd else word


def words_of(text: str) -> list[str]:
    """Return what may stand on lines of its own of any text of a table."""
    return text.words if isinstance(text, MarkedWords) else text.split(" ")


def wrapped(text: str, room: float, width: Callable[[str], float] = len) -> list[str]:
    """Write any text of a table in lines, none wider than there is room; no word is cut.

    >>> wrapped(MarkedWords.of(["new york", "soup", "dog"], {"soup"}), 10)
    ['new york', '[soup] dog']
    """
    lines: list[str] = []
    for word in words_of(text):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def written(text: str, escape: Callable[[str], str], mark: str) -> str:
    """Write any text of a table, with odd words marked where it knows of some."""
    if isinstance(text, Ready):
        return text
    return text.written(escape, mark) if isinstance(text, MarkedWords) else escape(text)
