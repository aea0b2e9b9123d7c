"""``Estimators``: nested ones in one file, of which each topic has the best that it can have."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec
import numpy as np

from tealeaves.artifacts import check_json_header
from tealeaves.errors import InputError
from tealeaves.estimator.estimator import Estimator
from tealeaves.estimator.features.computing import Features, TopicFeatures
from tealeaves.estimator.features.names import FEATURES, in_order
from tealeaves.files import atomic_write
from tealeaves.version import __version__

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers

FORMAT: Literal["tealeaves-estimator"] = "tealeaves-estimator"
VERSION = 1
LEVEL = 0.9
_SHIPPED = "shipped/english.json"


class Estimates(NamedTuple):
    """The estimates of topics, with intervals; ``which`` is the estimator's number, -1 if none."""

    values: Floats
    low: Floats
    high: Floats
    which: Integers


class Estimators(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Estimators of the same target, the best first, and where they come from."""

    format: Literal["tealeaves-estimator"] = FORMAT
    version: int = VERSION
    made_with: str = __version__
    pivot: str
    learner: str
    source: str = ""
    estimators: tuple[Estimator, ...]

    def __repr__(self) -> str:
        spoken = len({name for one in self.estimators for name in one.languages})
        return (
            f"Estimators({len(self.estimators)} by {self.learner}, learned from {self.pivot} "
            f"beside {spoken} languages)"
        )

    @property
    def features(self) -> Features:
        """What has to be computed of topics."""
        return Features(more=self.more, pivot=self.pivot)

    @property
    def names(self) -> tuple[str, ...]:
        """The features that any of them needs."""
        return in_order(name for one in self.estimators for name in one.features)

    @property
    def more(self) -> tuple[str, ...]:
        """The features among them that are metrics, by their expressions."""
        return tuple(name for name in self.names if name not in FEATURES)

    @property
    def signature(self) -> str:
        """A digest of everything in them."""
        return blake2b(msgspec.json.encode(self), digest_size=8).hexdigest()

    def estimate(self, topics: TopicFeatures, level: float = LEVEL) -> Estimates:
        """Estimate each topic by the first estimator all of whose features it has.

        Of a topic no pair of whose words is in the reference nothing is said.
        """
        size = len(topics.support)
        values, width = np.full(size, np.nan), np.full(size, np.nan)
        which = np.full(size, -1, dtype=np.int64)
        for number, one in enumerate(self.estimators):
            found = one.predict(topics.matrix(one.features))
            mine = (which < 0) & ~np.isnan(found) & (topics.support > 0)
            which[mine], values[mine] = number, found[mine]
            for row in np.flatnonzero(mine):
                width[row] = one.half_width(topics.values["cardinality"][row], level)
        low, high = np.clip([values - width, values + width], -1.0, 1.0)  # what CNPMI can be
        return Estimates(values, low, high, which)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write them as JSON."""
        with atomic_write(path) as stream:
            stream.write(msgspec.json.encode(self) + b"\n")


def open_estimators(path: str | os.PathLike[str] | None = None) -> Estimators:
    """Read estimators that were saved; without a path, those that come with tealeaves."""
    if path is None:
        return _shipped()
    file = Path(path).expanduser()
    if file.is_dir():
        raise InputError(f"{path}: a folder, not a file of estimators")
    if not file.is_file():
        raise InputError(f"{path}: no such file of estimators (`tealeaves estimator fit` makes it)")
    state = file.stat()
    return _read(file, str(path), state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=4)
def _read(file: Path, name: str, changed: int, size: int) -> Estimators:  # noqa: ARG001
    """Read a file once while it is untouched: a metric asks for it at every step."""
    return _decoded(file.read_bytes(), name)


@cache
def _shipped() -> Estimators:
    content = resources.files("tealeaves.estimator").joinpath(_SHIPPED).read_bytes()
    return _decoded(content, "the estimators of tealeaves")


def _decoded(content: bytes, name: str) -> Estimators:
    made_by = "tealeaves estimator fit"
    check_json_header(content, name, holds="estimators", wanted=(FORMAT, VERSION), made_by=made_by)
    try:
        found = msgspec.json.decode(content, type=Estimators)
        _ = found.features  # each of which can be computed
    except (msgspec.DecodeError, RecursionError, InputError) as error:
        raise InputError(f"{name}: damaged: {error}") from error
    if not found.estimators:
        raise InputError(f"{name}: no estimators in it")
    return found


def worth_keeping(ordered: Sequence[Estimator]) -> tuple[Estimator, ...]:
    """Leave out estimators that another beats, or equals, which needs less: none would be asked.

    ``ordered`` are the best first.
    """
    kept: list[Estimator] = []
    for one in ordered:
        if not any(set(better.features) < set(one.features) for better in kept):
            kept.append(one)
    return tuple(kept)


def better_first(estimators: Sequence[Estimator]) -> tuple[Estimator, ...]:
    """Order estimators by how far they were off on languages that were left out."""
    return tuple(sorted(estimators, key=lambda one: (one.reached.error, len(one.features))))
