"""``Annotation``: what a person says expresses a token, and how that is written in a cell."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

import msgspec

from tealeaves.errors import InputError

#: What parts the expressions of a cell, and the parts of one that is discontinuous.
BETWEEN, GAP = " | ", " … "
#: What a cell says where nothing expresses the token.
NOTHING = "-"

# people write dashes of all kinds, and editors make them longer
_NOTHINGS = frozenset({"-", "–", "—", "−", "∅"})
_GAPS = re.compile(r"\s*(?:…|\.\.\.)\s*")
_MISTAKEN = re.compile(r"#(?:NAME|REF|VALUE|DIV/0|N/A|NULL|NUM|ERROR)[?!]?|Err:\d+")


class Annotation(msgspec.Struct, frozen=True, kw_only=True):
    """A token of a source text, and what expresses it in a target text.

    Parameters
    ----------
    lemma
        The lemma that was sampled: ``hand``, or ``hand/N`` where parts of speech are known.
    key, place
        The passage, and the token in it, from 0.
    expressions
        What expresses the token: several, one, none if nothing does. None is not annotated yet.
    words
        The target tokens that bear them, from 0, where somebody noted them.
    pos, bin, split
        The part of speech, the frequency bin, and whether the lemma is for ``dev`` or ``test``.
    source, target
        The languages.
    form, passage, translation
        The token as it stands, its passage with the token marked, and the target passage.
    where
        The file and line that it was read from; no column of a sheet.
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
        """Whether somebody has said what expresses the token, or that nothing does."""
        return self.expressions is not None


def pos_of(lemma: str) -> str:
    """Return the part of speech of a lemma that has one.

    >>> pos_of("hand/N"), pos_of("hand")
    ('N', '')
    """
    stem, _, pos = lemma.rpartition("/")
    return pos if stem and pos.isalpha() else ""


def expressions_of(cell: str) -> frozenset[str] | None:
    """Read the expressions of a cell; a blank one is not annotated yet.

    >>> sorted(expressions_of("ottaa...kiinni | käsi") or ())
    ['käsi', 'ottaa … kiinni']
    >>> expressions_of("-"), expressions_of(" ")
    (frozenset(), None)
    """
    text = " ".join(cell.split())
    if not text:
        return None
    if text in _NOTHINGS:
        return frozenset()
    if found := _MISTAKEN.search(text):
        raise InputError(
            f"{found[0]} is what a spreadsheet makes of a formula: write an apostrophe before an "
            "expression that begins with - = + or @"
        )
    return checked_expressions(text.split("|"))


def checked_expressions(expressions: Iterable[str]) -> frozenset[str]:
    """Return expressions in one spelling; refuse those that say nothing."""
    found = [expression_of(one) for one in expressions]
    if "" in found:
        raise InputError("an expression is empty: expressions have | between them, nothing is -")
    nothing = next((one for one in found if one in _NOTHINGS), None)
    if nothing:
        raise InputError(f"{nothing} says that nothing expresses the token, but others do")
    return frozenset(found)


def expression_of(text: str) -> str:
    """Bring an expression to one spelling: normal form C, single spaces, ``…`` where it is parted.

    >>> expression_of("ottaa ...  kiinni")
    'ottaa … kiinni'
    """
    parts = _GAPS.split(" ".join(unicodedata.normalize("NFC", text).split()))
    return GAP.join(part for part in parts if part)


def cell_of(expressions: Iterable[str] | None) -> str:
    """Write expressions as a cell.

    >>> cell_of({"käsi", "ottaa … kiinni"}), cell_of([]), cell_of(None)
    ('käsi | ottaa … kiinni', '-', '')
    """
    if expressions is None:
        return ""
    found = checked_expressions(expressions)
    for one in found:
        if "|" in one:
            raise InputError(f"{one!r}: a bar parts expressions in a cell: write JSONL instead")
    return BETWEEN.join(sorted(found)) or NOTHING
