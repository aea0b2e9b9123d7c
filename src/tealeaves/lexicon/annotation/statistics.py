"""``annotation_statistics``: how many expressions lemmas have, and how often none or several."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from tealeaves.errors import InputError
from tealeaves.lexicon.annotation.annotation import GAP, Annotation, in_split
from tealeaves.tables.numbers import DASH, number_text
from tealeaves.tables.table import Table, text_table
from tealeaves.tables.tidy import Tidy

ALL = "all"
_ORDER = ("N", "A", "V")


class AnnotationRow(msgspec.Struct, frozen=True, kw_only=True):
    """Statistics of a lemma, or the means of several lemmas.

    Parameters
    ----------
    target, pos, lemma
        What the row is about; ``all`` is the mean over all of them.
    lemmas, tokens, annotated
        The number of lemmas and tokens, and of tokens that are annotated.
    expressions
        The number of different expressions of a lemma, as mean over lemmas; NaN if none is
        annotated.
    zero, multiple, discontinuous
        The shares of annotated tokens without expression, with several expressions, and with an
        expression in several parts.
    """

    target: str
    pos: str = ALL
    lemma: str = ALL
    lemmas: int
    tokens: int
    annotated: int
    expressions: float
    zero: float
    multiple: float
    discontinuous: float


_MEANS = ("expressions", "zero", "multiple", "discontinuous")


class AnnotationStatistics(Tidy):
    """Rows for each target, part of speech and lemma: see :class:`AnnotationRow`.

    ``rows`` has all of them; ``by`` says which are shown: ``pos``, ``target`` or ``lemma``.
    """

    columns = AnnotationRow.__struct_fields__

    def __init__(self, rows: Sequence[AnnotationRow], by: str = "pos") -> None:
        self.rows: list[AnnotationRow] = list(rows)
        self.by = by
        self.notes = list(_notes(rows))

    @property
    def shown(self) -> list[AnnotationRow]:
        """The rows that are shown."""
        if self.by == "lemma":
            return [row for row in self.rows if row.lemma != ALL]
        means = [row for row in self.rows if row.lemma == ALL]
        return means if self.by == "pos" else [row for row in means if row.pos == ALL]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries."""
        return [msgspec.structs.asdict(row) for row in self.shown]

    def table(self) -> Table:
        """Return the table that is printed."""
        labels = ["target"] + ["pos"] * (self.by != "target") + ["lemma"] * (self.by == "lemma")
        rows = [([getattr(row, name) for name in labels], _cells(row)) for row in self.shown]
        columns = ("lemmas", "tokens", "annotated", *_MEANS)
        return text_table(labels, columns, rows)

    @property
    def legend(self) -> list[str]:
        """What the columns are."""
        return [
            "expressions: different ones of a lemma, the mean over lemmas; zero, multiple, "
            "discontinuous: shares of annotated tokens; all targets: the mean over them.",
        ]


def annotation_statistics(
    annotations: Iterable[Annotation], by: str = "pos", *, split: str | None = None
) -> AnnotationStatistics:
    """Return statistics of annotations by target language, part of speech and lemma.

    Parameters
    ----------
    annotations
        What :func:`read_sheets` reads.
    by
        The rows that are shown: ``target``, ``pos`` or ``lemma``.
    split
        Only the annotations of a split: ``dev``, ``test`` or ``mixed``.

    >>> rows = [
    ...     Annotation(lemma="hand", key=key, place=0, target="fin", expressions=frozenset(said))
    ...     for key, said in (("1", {"käsi"}), ("2", {"käsi", "koura"}), ("3", ()))
    ... ]
    >>> row = annotation_statistics(rows).rows[0]
    >>> row.expressions, round(row.zero, 2), round(row.multiple, 2)
    (2.0, 0.33, 0.33)
    """
    if by not in ("target", "pos", "lemma"):
        raise InputError(f"statistics are by target, pos or lemma, not by {by!r}")
    grouped: dict[tuple[str, str, str], list[Annotation]] = {}
    for one in in_split(annotations, split):
        grouped.setdefault((one.target, one.pos, one.lemma), []).append(one)
    lemmas = [_lemma_row(*names, tokens) for names, tokens in grouped.items()]
    targets = dict.fromkeys(row.target for row in lemmas)
    rows = [row for target in targets for row in _target_rows(target, lemmas)]
    return AnnotationStatistics([*rows, *_over_targets(rows)], by)


def _lemma_row(target: str, pos: str, lemma: str, tokens: Sequence[Annotation]) -> AnnotationRow:
    sets = [one.expressions for one in tokens if one.expressions is not None]
    return AnnotationRow(
        target=target,
        pos=pos,
        lemma=lemma,
        lemmas=1,
        tokens=len(tokens),
        annotated=len(sets),
        expressions=float(len(frozenset().union(*sets))) if sets else math.nan,
        zero=_mean([not one for one in sets]),
        multiple=_mean([len(one) > 1 for one in sets]),
        discontinuous=_mean([any(GAP in text for text in one) for one in sets]),
    )


def _target_rows(target: str, lemmas: Sequence[AnnotationRow]) -> Iterable[AnnotationRow]:
    """Yield the rows of a target: all of it, each part of speech, each lemma."""
    rows = [row for row in lemmas if row.target == target]
    yield _mean_over_lemmas(rows, target, ALL)
    parts = {row.pos for row in rows}
    if len(parts) > 1:
        known = [pos for pos in _ORDER if pos in parts]
        for pos in [*known, *sorted(parts - set(known))]:
            yield _mean_over_lemmas([row for row in rows if row.pos == pos], target, pos)
    yield from rows


def _mean_over_lemmas(rows: Sequence[AnnotationRow], target: str, pos: str) -> AnnotationRow:
    """Return the mean number of expressions over lemmas, and the shares over tokens."""
    annotated = [row for row in rows if row.annotated]
    tokens = sum(row.annotated for row in annotated)
    shares = {
        name: sum(getattr(row, name) * row.annotated for row in annotated) / tokens
        if tokens
        else math.nan
        for name in _MEANS[1:]
    }
    return AnnotationRow(
        target=target,
        pos=pos,
        lemma=ALL,
        lemmas=len(rows),
        tokens=sum(row.tokens for row in rows),
        annotated=tokens,
        expressions=_mean([row.expressions for row in annotated]),
        **shares,
    )


def _over_targets(rows: Sequence[AnnotationRow]) -> list[AnnotationRow]:
    """Return the means over target languages, if there are several."""
    means = [row for row in rows if row.lemma == ALL]
    if len({row.target for row in means}) < 2:
        return []
    return [
        _mean_over_targets([row for row in means if row.pos == pos])
        for pos in dict.fromkeys(row.pos for row in means)
    ]


def _mean_over_targets(rows: Sequence[AnnotationRow]) -> AnnotationRow:
    return AnnotationRow(
        target=ALL,
        pos=rows[0].pos,
        lemma=ALL,
        lemmas=max(row.lemmas for row in rows),
        tokens=sum(row.tokens for row in rows),
        annotated=sum(row.annotated for row in rows),
        **{name: _mean([getattr(row, name) for row in rows if row.annotated]) for name in _MEANS},
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else math.nan


def _notes(rows: Iterable[AnnotationRow]) -> Iterable[str]:
    for row in rows:
        if row.pos == row.lemma == ALL != row.target and row.annotated < row.tokens:
            missing = row.tokens - row.annotated
            yield f"{row.target or 'the sheet'}: {missing} of {row.tokens} tokens are not annotated"


def _cells(row: AnnotationRow) -> list[str]:
    counts = [str(row.lemmas), str(row.tokens), str(row.annotated)]
    shares = [getattr(row, name) for name in _MEANS[1:]]
    return [
        *counts,
        number_text(row.expressions, 2),
        *(DASH if math.isnan(share) else f"{100 * share:.1f} %" for share in shares),
    ]
