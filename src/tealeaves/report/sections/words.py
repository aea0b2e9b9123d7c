"""The words of a topic as a report shows them: odd ones marked, and why."""

from __future__ import annotations

from collections.abc import Sequence

from tealeaves.consensus.explanations import Explanation
from tealeaves.report.run.run import Run
from tealeaves.report.sections.parts import Word

#: The first words of a topic that are shown.
SHOWN = 10
_SEPARATOR = "|"


def words_of(run: Run, model: str, topic: str) -> tuple[Word, ...]:
    """Return the first words of a topic; those that fit badly are marked."""
    if run.multilingual and (sides := _sides(run, model, topic)):
        return sides
    explained = run.explained.get((model, topic))
    if explained is not None and explained.words:
        return _explained(explained)
    shown = _shown(run, model, topic)
    odd = run.odd_words.get((model, topic), ())
    last = max((place for place, word in enumerate(shown, 1) if word in odd), default=0)
    return tuple(Word(word, word in odd) for word in shown[: max(SHOWN, last)])


def _sides(run: Run, model: str, topic: str) -> tuple[Word, ...]:
    """Return the first words of each language, with a stroke between languages."""
    for sides in run.side_by_side:
        for row in sides.topics:
            if (row.model, str(row.topic)) != (model, topic):
                continue
            shown: list[Word] = []
            for words in row.columns.values():
                shown += [Word(_SEPARATOR)] * bool(shown)
                shown += [Word(one.word, match=one.match) for one in words[:SHOWN]]
            return tuple(shown)
    return ()


def plain_words(run: Run, model: str, topic: str) -> tuple[Word, ...]:
    """Return the first words of a topic without marks, for long tables."""
    return tuple(Word(word) for word in _shown(run, model, topic)[:SHOWN])


def _shown(run: Run, model: str, topic: str) -> Sequence[str]:
    return run.first_words.get((model, topic), ())


def _explained(row: Explanation) -> tuple[Word, ...]:
    odd = set(row.odd)
    return tuple(Word(word, word in odd, why_odd(row, word) * (word in odd)) for word in row.words)


def why_odd(row: Explanation, word: str) -> str:
    """Say how badly a word fits, and to which word it is least related.

    >>> from tealeaves.consensus.words import WeakPair
    >>> pair = WeakPair("cat", "soup", 0.1)
    >>> row = Explanation(model="m", topic=1, value=0.4, support=1.0, fits={"soup": 0.2},
    ...                   weakest=[pair])
    >>> why_odd(row, "soup")
    'fit 0.20, where an average word has 1; least related to cat (0.10)'
    """
    fit = row.fits.get(word)
    reasons = [] if fit is None else [f"fit {fit:.2f}, where an average word has 1"]
    for one, other, related in row.weakest:
        if word in (one, other):
            reasons.append(f"least related to {other if word == one else one} ({related:.2f})")
            break
    return "; ".join(reasons)
