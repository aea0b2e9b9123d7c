"""``Judges``: the learned models in one file, one for each kind of evidence there may be."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import blake2b
from importlib import resources
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
import numpy as np

from tealeaves.arrays import Floats
from tealeaves.artifacts import check_json_header
from tealeaves.consensus.additive import Additive
from tealeaves.consensus.cosines import Cosines
from tealeaves.consensus.relations import TEXTS
from tealeaves.consensus.signals import VECTOR, names_of
from tealeaves.errors import InputError
from tealeaves.files import atomic_write
from tealeaves.version import __version__

FORMAT: Literal["tealeaves-consensus"] = "tealeaves-consensus"
VERSION = 1
LEVEL = 0.9
_SHIPPED = "shipped/english.json"

#: Parts of the evidence, by which a judge is found.
SEVERAL, LENGTH_PART = "several", "length"
PARTS = (*TEXTS, VECTOR, SEVERAL, LENGTH_PART)


class Judge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A model for some parts of the evidence.

    ``errors`` are percentiles of people's score less the prediction, on topics that the model had
    not seen, nor any that resemble them: a row for each of the predictions ``BANDS``, a column for
    each of ``PERCENTILES``. Very good and very bad topics are judged more surely than others.
    """

    parts: tuple[str, ...]
    model: Additive
    errors: tuple[tuple[float, ...], ...]

    def interval(self, values: Floats, level: float = LEVEL) -> tuple[Floats, Floats]:
        """Return where people's scores lie, in so many of a hundred cases."""
        check_level(level)
        tail = 50 * (1 - level)
        ends = [
            np.interp(values, BANDS, [np.interp(end, PERCENTILES, band) for band in self.errors])
            for end in (tail, 100 - tail)
        ]
        low, high = (np.clip(values + end, 0.0, 1.0) for end in ends)
        return low, high


BANDS = (0.1, 0.3, 0.5, 0.7, 0.9)
PERCENTILES = (1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 97.5, 99.0)
HIGHEST_LEVEL = 0.98


def check_level(level: float) -> None:
    """Refuse a level of which no interval is known: errors are kept by percentiles."""
    number: object = level
    if not isinstance(number, int | float) or not 0 < number <= HIGHEST_LEVEL:
        raise InputError(f"level={level}: must be above 0, and at most {HIGHEST_LEVEL}")


class Lengths(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mean and standard deviation of the lengths of an embedding's vectors of words."""

    mean: float
    deviation: float


class Taught(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An embedding whose scale judges know; ``weights`` is the fingerprint of its own.

    Lengths are there where they say something of words.
    """

    weights: str
    cosines: Cosines
    lengths: Lengths | None = None


class Judges(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The judges, and what they know of embeddings, those that they were taught with and others."""

    format: Literal["tealeaves-consensus"] = FORMAT
    version: int = VERSION
    made_with: str = __version__
    source: str = ""
    embeddings: Mapping[str, Taught]
    judges: tuple[Judge, ...]

    def __repr__(self) -> str:
        return f"Judges({len(self.judges)}: {self.source})"

    @property
    def signature(self) -> str:
        """A digest of everything in them."""
        return blake2b(msgspec.json.encode(self), digest_size=8).hexdigest()

    def taught(self, name: str, weights: str) -> Taught | None:
        """Return what is known of an embedding, if it is one whose scale judges know."""
        known = self.embeddings.get(name)
        return known if known is not None and known.weights == weights else None

    def judge(self, parts: Iterable[str]) -> Judge:
        """Return the judge of some parts of the evidence."""
        wanted = in_order(parts)
        for one in self.judges:
            if one.parts == wanted:
                return one
        raise InputError(f"no judge of {' + '.join(wanted) or 'nothing'}")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write them as JSON, indented so that they can be read."""
        content = msgspec.json.format(msgspec.json.encode(self), indent=1)
        with atomic_write(path) as stream:
            stream.write(content + b"\n")


def in_order(parts: Iterable[str]) -> tuple[str, ...]:
    """Return parts of the evidence in the order of tables."""
    given = set(parts)
    return tuple(part for part in PARTS if part in given)


class _Kind(NamedTuple):
    """One way to have vectors: the parts, and the embeddings that such judges are taught with."""

    parts: tuple[str, ...]
    taught_with: tuple[str, ...]


STATIC, WORDLLAMA = "minilm_static", "wordllama"

#: The embeddings that are asked where the user names none.
EMBEDDINGS = (STATIC, WORDLLAMA)

#: One embedding of any kind, wordllama, several of any kind, several with wordllama.
VECTOR_KINDS = (
    _Kind((), ()),
    _Kind((VECTOR,), (STATIC,)),
    _Kind((VECTOR, LENGTH_PART), (WORDLLAMA,)),
    _Kind((VECTOR, SEVERAL), EMBEDDINGS),
    _Kind((VECTOR, SEVERAL, LENGTH_PART), EMBEDDINGS),
)
TEXT_KINDS = ((), (TEXTS[0],), (TEXTS[1],), TEXTS)


def all_parts() -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the parts of the evidence that there are judges of, and the embeddings of each."""
    return [
        (in_order([*texts, *kind.parts]), kind.taught_with)
        for texts in TEXT_KINDS
        for kind in VECTOR_KINDS
        if texts or kind.parts
    ]


def open_judges(path: str | os.PathLike[str] | None = None) -> Judges:
    """Read judges that were saved; without a path, those that come with tealeaves."""
    if path is None:
        return _shipped()
    try:
        content = Path(path).expanduser().read_bytes()
    except OSError as error:
        raise InputError(f"{path}: no file of judges: {error.strerror}") from error
    return _decoded(content, str(path))


@cache
def _shipped() -> Judges:
    content = resources.files("tealeaves.consensus").joinpath(_SHIPPED).read_bytes()
    return _decoded(content, "the judges of tealeaves")


def _decoded(content: bytes, name: str) -> Judges:
    check_json_header(content, name, holds="judges", wanted=(FORMAT, VERSION))
    try:
        found = msgspec.json.decode(content, type=Judges)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"{name}: damaged: {error}") from error
    for judge in found.judges:
        if not _is_whole(judge):
            raise InputError(f"{name}: damaged: the judge of {' + '.join(judge.parts)}")
    for known, taught in found.embeddings.items():
        deviations = [one.deviation for one in (taught.cosines, taught.lengths) if one is not None]
        if min(deviations) <= 0:
            raise InputError(f"{name}: damaged: the embedding {known}")
    return found


def _is_whole(judge: Judge) -> bool:
    """Tell whether a judge reads the signals of its parts, and all that has an order is in it."""
    rising: list[tuple[float, ...]] = [*judge.errors]
    rising += [(line.lowest, line.highest) for line in judge.model.lines]
    rising += [line.knots for line in judge.model.lines]
    return (
        judge.parts == in_order(judge.parts)
        and judge.model.signals == names_of(judge.parts)
        and [len(band) for band in judge.errors] == [len(PERCENTILES)] * len(BANDS)
        and all(tuple(sorted(some)) == some for some in rising)
    )
