"""``LemmaError``: how well one model extracts one lemma in one target language."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import msgspec

from tealeaves.lexicon.error.clusters import bcubed_of, indices_of
from tealeaves.lexicon.error.extraction_error import extraction_error
from tealeaves.lexicon.error.kinds import Kinds, Series
from tealeaves.lexicon.error.parts import corrected, parts_of

#: The tokens of a lemma: what was extracted, and what people annotated.
Pair = tuple[Series, Series]


class Measures(msgspec.Struct, frozen=True, kw_only=True):
    """What is measured: see :class:`ErrorParts`, :func:`bcubed` and :func:`indices`.

    ``raw_forms`` is the error of an answer that has the annotated words as they stand in the text,
    where these are known. All but ``corrected`` and ``adjusted`` are averaged; these two are had
    from averages.
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

    @property
    def corrected(self) -> float:
        """1 - E / the lower of the lines all_same and all_different."""
        return corrected(self.error, min(self.all_same, self.all_different))

    @property
    def adjusted(self) -> float:
        """1 - E / chance."""
        return corrected(self.error, self.chance)


#: The names of what is averaged.
MEASURES = Measures.__struct_fields__


class LemmaError(msgspec.Struct, frozen=True, kw_only=True):
    """One model on one lemma; everything is NaN where it has fewer than two tokens.

    ``pairs`` and ``expressed_pairs`` count pairs of tokens, ``single`` the tokens that have one
    expression on both sides, which ``ari`` and ``v_measure`` rest on.
    """

    model: str
    lemma: str
    target: str = ""
    pos: str = ""
    tokens: int = 0
    pairs: int = 0
    expressed_pairs: int = 0
    single: int = 0
    measures: Measures = Measures()


def lemma_error(
    model: str,
    lemma: str,
    pair: Pair,
    *,
    target: str = "",
    pos: str = "",
    raw_forms: float = math.nan,
) -> LemmaError:
    """Measure one lemma.

    >>> row = lemma_error("l", "hand", ([{"a"}, {"a"}], [{"x"}, {"y"}]))
    >>> row.tokens, row.measures.error, row.measures.bcubed_f
    (2, 1.0, 0.666667)
    """
    kinds = Kinds.of(*pair)
    if kinds.pairs == 0:
        return LemmaError(model=model, lemma=lemma, target=target, pos=pos, tokens=kinds.tokens)
    parts, cubed, clusters = parts_of(kinds), bcubed_of(kinds), indices_of(kinds)
    return LemmaError(
        model=model,
        lemma=lemma,
        target=target,
        pos=pos,
        tokens=kinds.tokens,
        pairs=kinds.pairs,
        expressed_pairs=parts.expressed_pairs,
        single=clusters.tokens,
        measures=Measures(
            error=parts.error,
            expressed_error=parts.expressed_error,
            mismatched=parts.mismatched,
            all_same=parts.all_same,
            all_different=parts.all_different,
            raw_forms=raw_forms,
            chance=parts.chance,
            empty_extracted=parts.empty_extracted,
            empty_annotated=parts.empty_annotated,
            bcubed_precision=cubed.precision,
            bcubed_recall=cubed.recall,
            bcubed_f=cubed.f,
            ari=clusters.ari,
            v_measure=clusters.v_measure,
        ),
    )


def lemma_errors(
    series: Mapping[str, Mapping[str, Pair]],
    pos: Mapping[str, str] | None = None,
    *,
    forms: Mapping[str, Series] | None = None,
    target: str = "",
) -> Iterator[LemmaError]:
    """Measure each model on each of its lemmas, in one target language; see :func:`evaluate`."""
    parts, raw = pos or {}, forms or {}
    known: dict[str, float] = {}
    for model, lemmas in series.items():
        for lemma, pair in lemmas.items():
            if lemma in raw and lemma not in known:
                known[lemma] = extraction_error(raw[lemma], pair[1])
            yield lemma_error(
                model,
                lemma,
                pair,
                target=target,
                pos=parts.get(lemma, ""),
                raw_forms=known.get(lemma, math.nan),
            )
