"""``Predictors``: learned models of people's ratings, one for each combination of evidence."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import ClassVar, Literal, NamedTuple

import msgspec
import numpy as np

from tealeaves.arrays import Floats
from tealeaves.consensus.relations import TEXTS, Moments
from tealeaves.consensus.signals import VECTOR, names_of
from tealeaves.errors import InputError
from tealeaves.learners.additive import Additive
from tealeaves.learners.results import LEVEL, check_level
from tealeaves.learners.storage import LearnedFile, open_learned
from tealeaves.version import __version__

BANDS = (0.1, 0.3, 0.5, 0.7, 0.9)
PERCENTILES = (1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 97.5, 99.0)
HIGHEST_LEVEL = 0.98  # errors are kept by percentiles

#: Parts of the evidence, for whose combinations there are predictors.
SEVERAL, LENGTH_PART = "several", "length"
PARTS = (*TEXTS, VECTOR, SEVERAL, LENGTH_PART)


class Predictor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A model of people's ratings for some parts of the evidence.

    ``errors`` are percentiles of people's rating less the prediction, on topics that the model had
    not seen, nor similar ones: a row for each of the predictions ``BANDS``, a column for each of
    ``PERCENTILES``. Very good and very bad topics have smaller errors than others.
    """

    parts: tuple[str, ...]
    model: Additive
    errors: tuple[tuple[float, ...], ...]

    def interval(self, values: Floats, level: float = LEVEL) -> tuple[Floats, Floats]:
        """Return the ends of the intervals that hold people's ratings with a probability."""
        check_level(level, HIGHEST_LEVEL)
        tail = 50 * (1 - level)
        ends = [
            np.interp(values, BANDS, [np.interp(end, PERCENTILES, band) for band in self.errors])
            for end in (tail, 100 - tail)
        ]
        low, high = (np.clip(values + end, 0.0, 1.0) for end in ends)
        return low, high

    @property
    def is_whole(self) -> bool:
        """Whether it has the signals of its parts, and all that must be sorted is sorted."""
        rising: list[tuple[float, ...]] = [*self.errors]
        rising += [(line.lowest, line.highest) for line in self.model.lines]
        rising += [line.knots for line in self.model.lines]
        return (
            self.parts == in_order(self.parts)
            and self.model.signals == names_of(self.parts)
            and [len(band) for band in self.errors] == [len(PERCENTILES)] * len(BANDS)
            and all(tuple(sorted(some)) == some for some in rising)
        )


class EmbeddingScale(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The usual cosines of an embedding; ``weights`` is the fingerprint of its weights.

    It has the lengths of vectors if these say something about words.
    """

    weights: str
    cosines: Moments
    lengths: Moments | None = None


class Predictors(LearnedFile, frozen=True, kw_only=True):
    """Predictors, and the scales of embeddings, those that they were fitted with and others."""

    holds: ClassVar[str] = "predictors"
    file_format: ClassVar[tuple[str, int]] = ("tealeaves-consensus", 1)
    indent: ClassVar[int] = 1

    format: Literal["tealeaves-consensus"] = "tealeaves-consensus"
    version: int = 1
    made_with: str = __version__
    source: str = ""
    embeddings: Mapping[str, EmbeddingScale]
    predictors: tuple[Predictor, ...] = msgspec.field(name="judges")  # as files have called them

    def __repr__(self) -> str:
        return f"Predictors({len(self.predictors)}: {self.source})"

    def scale_of(self, embedding: str, weights: str) -> EmbeddingScale | None:
        """Return the scale of an embedding; None if it, or its weights, are unknown."""
        known = self.embeddings.get(embedding)
        return known if known is not None and known.weights == weights else None

    def of_parts(self, parts: Iterable[str]) -> Predictor:
        """Return the predictor for some parts of the evidence."""
        wanted = in_order(parts)
        for one in self.predictors:
            if one.parts == wanted:
                return one
        raise InputError(f"no predictor for {' + '.join(wanted) or 'nothing'}")

    def check(self) -> None:
        """Raise for predictors that are not whole, and for scales without a deviation."""
        for one in self.predictors:
            if not one.is_whole:
                raise InputError(f"the predictor for {' + '.join(one.parts)}")
        for name, scale in self.embeddings.items():
            deviations = [
                one.deviation for one in (scale.cosines, scale.lengths) if one is not None
            ]
            if min(deviations) <= 0:
                raise InputError(f"the embedding {name}")


def open_predictors(path: str | os.PathLike[str] | None = None) -> Predictors:
    """Read saved predictors; without a path, those that come with tealeaves.

    Parameters
    ----------
    path
        The file.
    """
    return open_learned(Predictors, path)


def in_order(parts: Iterable[str]) -> tuple[str, ...]:
    """Return parts of the evidence in their order."""
    present = set(parts)
    return tuple(part for part in PARTS if part in present)


class _VectorKind(NamedTuple):
    """One way to have vectors: the parts, and the embeddings that predictors are fitted with."""

    parts: tuple[str, ...]
    fitted_with: tuple[str, ...]


STATIC, WORDLLAMA = "minilm_static", "wordllama"

#: The embeddings that are used unless the user names others.
EMBEDDINGS = (STATIC, WORDLLAMA)

#: One embedding of any kind, wordllama, several of any kind, several with wordllama.
VECTOR_KINDS = (
    _VectorKind((), ()),
    _VectorKind((VECTOR,), (STATIC,)),
    _VectorKind((VECTOR, LENGTH_PART), (WORDLLAMA,)),
    _VectorKind((VECTOR, SEVERAL), EMBEDDINGS),
    _VectorKind((VECTOR, SEVERAL, LENGTH_PART), EMBEDDINGS),
)
TEXT_KINDS = ((), (TEXTS[0],), (TEXTS[1],), TEXTS)


def all_parts() -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the combinations of parts that have predictors, and the embeddings of each."""
    return [
        (in_order([*texts, *kind.parts]), kind.fitted_with)
        for texts in TEXT_KINDS
        for kind in VECTOR_KINDS
        if texts or kind.parts
    ]
