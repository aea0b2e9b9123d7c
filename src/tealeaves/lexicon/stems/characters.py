"""Words of languages that are read by characters: characters that stand side by side are one."""

from __future__ import annotations

from collections.abc import Sequence

from tealeaves.text.tokenizers import is_character


def joined_characters(found: Sequence[tuple[int, str]]) -> list[tuple[tuple[int, ...], str]]:
    """Join neighbouring characters of scripts without spaces; other words stay as they are.

    >>> joined_characters([(0, "上"), (1, "帝"), (4, "神"), (5, "god"), (6, "is")])
    [((0, 1), '上帝'), ((4,), '神'), ((5,), 'god'), ((6,), 'is')]
    """
    joined: list[tuple[tuple[int, ...], str]] = []
    open_end = -2  # the place that ended in a character
    for place, word in found:
        if open_end == place - 1 and is_character(word):
            places, before = joined[-1]
            joined[-1] = ((*places, place), before + word)
        else:
            joined.append(((place,), word))
        open_end = place if is_character(word) else -2
    return joined
