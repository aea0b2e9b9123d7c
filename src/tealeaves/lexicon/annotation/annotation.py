"""``Annotation``: what expresses a token, as people say, and how that is written in a cell."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

import msgspec

from tealeaves.errors import InputError, did_you_mean

#: Separates the parts of an expression that is discontinuous.
GAP = " … "

# people write dashes of all kinds, and editors make them longer
_NOTHING = frozenset({"-", "–", "—", "−", "∅"})
_GAPS = re.compile(r"\s*(?:…|\.\.\.)\s*")
_SPREADSHEET_ERROR = re.compile(r"#(?:NAME|REF|VALUE|DIV/0|N/A|NULL|NUM|ERROR)[?!]?|Err:\d+")


class Annotation(msgspec.Struct, frozen=True, kw_only=True):
    """A token of a source text, and what expresses it in a target text.

    Parameters
    ----------
    lemma
        The lemma that was sampled: ``hand``, or ``hand/N`` where parts of speech are known.
    key, place
        The passage, and the position of the token in it, from 0.
    expressions
        What expresses the token; an empty set if nothing does, None if it is not annotated yet.
    words
        The positions of the target words that express it, from 0, if they were noted.
    pos, bin, split
        The part of speech, the frequency bin, and whether the lemma is for ``dev`` or ``test``.
    source, target
        The languages.
    form, passage, translation
        The token as it is written, its passage with the token marked, and the target passage.
    where
        The file and line that it was read from, for messages; it is no column of a sheet.
    """

    lemma: str
    pos: str = ""
    bin: str = ""
    split: str = ""
    source: str = ""
    target: str = ""
    key: str
    place: int
    form: str = ""
    passage: str = ""
    translation: str = ""
    expressions: frozenset[str] | None = None
    words: tuple[int, ...] = ()
    where: str = ""

    @property
    def is_annotated(self) -> bool:
        """Whether it is annotated what expresses the token, or that nothing does."""
        return self.expressions is not None


def pos_of(lemma: str) -> str:
    """Return the part of speech of a lemma that has one.

    >>> pos_of("hand/N"), pos_of("hand")
    ('N', '')
    """
    stem, _, pos = lemma.rpartition("/")
    return pos if stem and pos.isalpha() else ""


def in_split(annotations: Iterable[Annotation], split: str | None) -> list[Annotation]:
    """Return the annotations of a split, of which there must be some; all if it is None."""
    every = list(annotations)
    chosen = [one for one in every if split in (None, one.split)]
    if split is not None and not chosen:
        known = sorted({one.split for one in every} - {""})
        splits = f"they have {', '.join(known)}" if known else "they have no column split"
        hint = did_you_mean(split, known)
        raise InputError(f"no lemma of the sheets is in the split {split!r}, {splits}{hint}")
    return chosen


# ---------------------------------------------------------------------- cells


def parse_expressions(cell: str) -> frozenset[str] | None:
    """Read the expressions of a cell; a blank cell is not annotated yet.

    >>> sorted(parse_expressions("ottaa...kiinni | käsi") or ())
    ['käsi', 'ottaa … kiinni']
    >>> parse_expressions("-"), parse_expressions(" ")
    (frozenset(), None)
    """
    text = " ".join(cell.split())
    if not text:
        return None
    if text in _NOTHING:
        return frozenset()
    if error := _SPREADSHEET_ERROR.search(text):
        raise InputError(
            f"{error[0]} is what a spreadsheet makes of a formula: write an apostrophe before an "
            "expression that begins with - = + or @"
        )
    return normalized_expressions(text.split("|"))


def normalized_expressions(expressions: Iterable[str]) -> frozenset[str]:
    """Return expressions in one spelling; an empty one, or a dash among others, is an error."""
    normalized = [normalized_expression(one) for one in expressions]
    if "" in normalized:
        raise InputError("an expression is empty: expressions have | between them, nothing is -")
    nothing = next((one for one in normalized if one in _NOTHING), None)
    if nothing:
        raise InputError(f"{nothing} says that nothing expresses the token, but others do")
    return frozenset(normalized)


def normalized_expression(text: str) -> str:
    """Return an expression in one spelling: normal form C, single spaces, ``…`` between parts.

    >>> normalized_expression("ottaa ...  kiinni")
    'ottaa … kiinni'
    """
    parts = _GAPS.split(" ".join(unicodedata.normalize("NFC", text).split()))
    return GAP.join(part for part in parts if part)


def expressions_text(expressions: Iterable[str] | None) -> str:
    """Return expressions as a cell.

    >>> expressions_text({"käsi", "ottaa … kiinni"}), expressions_text([]), expressions_text(None)
    ('käsi | ottaa … kiinni', '-', '')
    """
    if expressions is None:
        return ""
    normalized = normalized_expressions(expressions)
    for one in normalized:
        if "|" in one:
            raise InputError(f"{one!r}: a bar separates expressions in a cell: write JSONL instead")
    return " | ".join(sorted(normalized)) or "-"
