"""The rows of a sheet: the tokens of a sample, with both passages for people to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tealeaves.lexicon.bitext import Passages
from tealeaves.lexicon.dataset.annotation import Annotation
from tealeaves.text.tokenizers import normalize

if TYPE_CHECKING:
    from tealeaves.lexicon.dataset.sample import Sample

#: What stands before and after the token in its passage.
BEFORE, AFTER = "»", "«"


def sheet_of(sample: Sample, source: Passages, target: Passages) -> list[Annotation]:
    """Return what is to be annotated in a target: the tokens in passages that it has."""
    rows = {key: row for row, key in enumerate(source.keys)}
    there = {key: row for row, key in enumerate(target.keys)}
    return [
        Annotation(
            lemma=lemma.lemma,
            pos=lemma.pos,
            bin=lemma.bin,
            split=sample.split(lemma, target.language),
            source=source.language,
            target=target.language,
            key=token.key,
            place=token.place,
            form=source.forms.word(rows[token.key], token.place),
            passage=marked(source, rows[token.key], token.place),
            translation=written(target, there[token.key]),
        )
        for lemma in sample.lemmas
        for token in lemma.tokens
        if token.key in there and target.words.text(there[token.key])
    ]


def written(passages: Passages, row: int) -> str:
    """Return a passage for people to read: as it is written, or its forms."""
    return passages.texts[row] if passages.texts else " ".join(passages.forms.text(row))


def marked(passages: Passages, row: int, place: int) -> str:
    """Return a passage with one token marked.

    >>> from tealeaves.lexicon.words import Words
    >>> words = Words.of([["The", "hand", "the", "hand"]])
    >>> marked(Passages("en", ("1",), words, words, texts=("The hand, the hand!",)), 0, 3)
    'The hand, the »hand«!'
    """
    forms = passages.forms.text(row)
    if passages.texts and (found := _marked(passages.texts[row], forms, place)):
        return found
    forms[place] = f"{BEFORE}{forms[place]}{AFTER}"
    return " ".join(forms)


def _marked(text: str, forms: Sequence[str], place: int) -> str | None:
    """Find a token in the text by those before it; None if letters there are in no form."""
    plain = normalize(text, lower=False)
    end = 0
    for form in forms[: place + 1]:
        start = plain.find(form, end)
        if start < 0 or any(sign.isalpha() for sign in plain[end:start]):
            return None
        end = start + len(form)
    return f"{plain[:start]}{BEFORE}{plain[start:end]}{AFTER}{plain[end:]}"
