"""All measures of a lemma: the error E, and measures of clusters, of each model.

E compares pairs of tokens. Measures of clusters take the tokens that are expressed alike as a
cluster: BCubed, and for tokens with one expression the adjusted Rand index and the V-measure.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from tealeaves.lexicon.error.extraction_error import (
    Corrected,
    Kinds,
    Series,
    Side,
    extraction_error,
    parts_of,
)

if TYPE_CHECKING:
    from tealeaves.kernels import F64

#: The tokens of a lemma: what was extracted, and what was annotated.
Pair = tuple[Series, Series]


class ErrorMeasures(Corrected, msgspec.Struct, frozen=True, kw_only=True):
    """The measures of a lemma, or their means: see ErrorParts, :func:`bcubed`, :func:`indices`.

    ``raw_forms`` is the error of an answer with the annotated words as they stand in the text, if
    these are known. ``corrected`` and ``adjusted`` of means are computed from the other means.
    """

    error: float = math.nan
    expressed_error: float = math.nan
    mismatched: float = math.nan
    all_same: float = math.nan
    all_different: float = math.nan
    raw_forms: float = math.nan
    chance: float = math.nan
    empty_extracted: float = math.nan
    empty_annotated: float = math.nan
    bcubed_precision: float = math.nan
    bcubed_recall: float = math.nan
    bcubed_f: float = math.nan
    ari: float = math.nan
    v_measure: float = math.nan


#: The names of the measures that are averaged.
MEASURES = ErrorMeasures.__struct_fields__


class LemmaError(msgspec.Struct, frozen=True, kw_only=True):
    """The measures of one model on one lemma; all are NaN if it has fewer than two tokens.

    ``pairs`` and ``expressed_pairs`` count pairs of tokens, ``single`` the tokens with one
    expression on both sides, from which ``ari`` and ``v_measure`` are computed.
    """

    model: str
    lemma: str
    target: str = ""
    pos: str = ""
    tokens: int = 0
    pairs: int = 0
    expressed_pairs: int = 0
    single: int = 0
    measures: ErrorMeasures = ErrorMeasures()


def lemma_errors(
    series: Mapping[str, Mapping[str, Pair]],
    pos: Mapping[str, str] | None = None,
    *,
    forms: Mapping[str, Series] | None = None,
    target: str = "",
) -> Iterator[LemmaError]:
    """Measure each model on each of its lemmas, in one target language; see :func:`evaluate`.

    >>> row, = lemma_errors({"l": {"hand": ([{"a"}, {"a"}], [{"x"}, {"y"}])}})
    >>> row.tokens, row.measures.error, row.measures.bcubed_f
    (2, 1.0, 0.666667)
    """
    raw_errors: dict[str, float] = {}
    for model, lemmas in series.items():
        for lemma, pair in lemmas.items():
            if lemma in (forms or {}) and lemma not in raw_errors:
                raw_errors[lemma] = extraction_error((forms or {})[lemma], pair[1])
            part = (pos or {}).get(lemma, "")
            row = LemmaError(model=model, lemma=lemma, target=target, pos=part)
            yield _measured(row, Kinds.of(*pair), raw_errors.get(lemma, math.nan))


def _measured(row: LemmaError, kinds: Kinds, raw_forms: float) -> LemmaError:
    """Return a row with the measures of its tokens."""
    if not kinds.pairs:
        return msgspec.structs.replace(row, tokens=kinds.tokens)
    parts, cubed, clusters = parts_of(kinds), bcubed_of(kinds), indices_of(kinds)
    measures = ErrorMeasures(
        **{name: getattr(parts, name) for name in MEASURES if hasattr(parts, name)},
        raw_forms=raw_forms,
        bcubed_precision=cubed.precision,
        bcubed_recall=cubed.recall,
        bcubed_f=cubed.f,
        ari=clusters.ari,
        v_measure=clusters.v_measure,
    )
    return msgspec.structs.replace(
        row,
        tokens=kinds.tokens,
        pairs=kinds.pairs,
        expressed_pairs=parts.expressed_pairs,
        single=clusters.tokens,
        measures=measures,
    )


# ---------------------------------------------------------------------- measures of clusters


class BCubed(NamedTuple):
    """Precision, recall and their harmonic mean; NaN without tokens."""

    precision: float
    recall: float
    f: float


class Indices(NamedTuple):
    """Indices of two clusterings, and the number of their tokens; NaN for fewer than two tokens."""

    ari: float
    v_measure: float
    tokens: int


def bcubed(extracted: Series, annotated: Series) -> BCubed:
    """Return extended BCubed, in which a token may have several expressions or none.

    A token is compared with all tokens that share an extracted expression with it, and with itself:
    the share of their common extracted expressions for which they have common annotated ones, at
    most 1. The mean over tokens is precision; recall is the same with the sides exchanged. Tokens
    without expression have that in common.

    References
    ----------
    Amigó, Gonzalo, Artiles and Verdejo (2009). A comparison of extrinsic clustering evaluation
    metrics based on formal constraints. Information Retrieval 12. doi:10.1007/s10791-008-9066-8

    >>> bcubed([{"a"}, {"a"}, {"b"}], [{"x"}, {"x"}, {"x"}])  # recall: (2/3 + 2/3 + 1/3) / 3
    BCubed(precision=1.0, recall=0.555556, f=0.714286)
    """
    return bcubed_of(Kinds.of(extracted, annotated))


def bcubed_of(kinds: Kinds) -> BCubed:
    """Return extended BCubed of tokens as kinds."""
    if not kinds.tokens:
        return BCubed(math.nan, math.nan, math.nan)
    e, a = (_shared(side) for side in (kinds.extracted, kinds.annotated))
    confirmed = np.minimum(e, a)
    precision, recall = (_mean_share(confirmed, shared, kinds.counts) for shared in (e, a))
    return BCubed(precision, recall, 2 * precision * recall / (precision + recall))


def _shared(side: Side) -> F64:
    """Return the number of common expressions; kinds without expression have one in common."""
    shared: F64 = side.shared + np.outer(side.empty, side.empty)
    return shared


def _mean_share(confirmed: F64, shared: F64, counts: F64) -> float:
    shares = confirmed / np.maximum(shared, 1)
    by_kind = (shares @ counts) / ((shared > 0) @ counts)
    return float(by_kind @ counts / counts.sum())


def indices(extracted: Series, annotated: Series) -> Indices:
    """Return the adjusted Rand index and the V-measure of tokens with one expression on each side.

    Other tokens belong to no cluster, or to several, and are left out. Both indices are 1 if the
    two sides are the same clustering, even if that is one cluster.

    References
    ----------
    Hubert and Arabie (1985). Comparing partitions. Journal of Classification 2.
    Rosenberg and Hirschberg (2007). V-measure. EMNLP.

    >>> indices([{"a"}, {"a"}, {"b"}, set()], [{"x"}, {"y"}, {"y"}, {"y"}])
    Indices(ari=-0.5, v_measure=0.274018, tokens=3)
    """
    return indices_of(Kinds.of(extracted, annotated))


def indices_of(kinds: Kinds) -> Indices:
    """Return the indices of tokens as kinds."""
    cells: Counter[tuple[str, str]] = Counter()
    for e, a, count in zip(
        kinds.extracted.sets, kinds.annotated.sets, kinds.counts.tolist(), strict=True
    ):
        if len(e) == len(a) == 1:
            cells[min(e), min(a)] += int(count)
    tokens = cells.total()
    if tokens < 2:
        return Indices(math.nan, math.nan, tokens)
    rows: Counter[str] = Counter()
    columns: Counter[str] = Counter()
    for (e_label, a_label), count in cells.items():
        rows[e_label] += count
        columns[a_label] += count
    sizes = (list(cells.values()), list(rows.values()), list(columns.values()))
    return Indices(_ari(*sizes), _v_measure(*sizes), tokens)


def _ari(cells: list[int], rows: list[int], columns: list[int]) -> float:
    both, in_rows, in_columns = (
        sum(math.comb(n, 2) for n in some) for some in (cells, rows, columns)
    )
    expected = in_rows * in_columns / math.comb(sum(cells), 2)
    most = (in_rows + in_columns) / 2
    # they are equal only if all tokens are one cluster, or each its own, on both sides
    return (both - expected) / (most - expected) if most != expected else 1.0


def _v_measure(cells: list[int], rows: list[int], columns: list[int]) -> float:
    joint, of_rows, of_columns = (_entropy(some) for some in (cells, rows, columns))
    shared = max(0.0, of_rows + of_columns - joint)
    # 2 h c / (h + c) with h = I / H(columns) and c = I / H(rows)
    total = of_rows + of_columns
    return min(1.0, 2 * shared / total) if total else 1.0


def _entropy(sizes: Iterable[int]) -> float:
    counts = np.array(list(sizes), np.float64)
    shares = counts / counts.sum()
    return float(-(shares * np.log(shares)).sum())
