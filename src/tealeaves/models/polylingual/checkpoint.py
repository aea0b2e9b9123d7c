"""A run on the way, in a file: enough to go on with it to the same bits."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from tealeaves.archives import (
    array_bytes,
    array_of,
    arrays_of,
    checksum,
    read_archive,
    write_archive,
)
from tealeaves.errors import InputError
from tealeaves.models.polylingual.training import Ended, Standing
from tealeaves.version import __version__

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.models.polylingual.state import SamplerName
    from tealeaves.models.polylingual.texts import PolylingualTexts

    Path = str | os.PathLike[str]

_HEADER = "header.json"
_CHECKSUM = "checksum.txt"
_WHAT = "an unfinished training"
_FORMAT = ("tealeaves-training", 1)


class Stamp(msgspec.Struct, frozen=True, kw_only=True):
    """What is trained on what: a run only goes on with its own file."""

    model: str
    corpus: str
    tokens: tuple[str, ...]
    languages: tuple[str, ...]
    tealeaves: str = __version__

    def differs(self, other: Stamp) -> str:
        """Say what is not the same, in a few words; nothing if all is."""
        if self.languages != other.languages:
            return f"its languages are {', '.join(self.languages)}"
        if self.corpus != other.corpus:
            return f"its texts are others ({self.corpus}, not {other.corpus})"
        if self.tokens != other.tokens:
            return f"its tokens are {' '.join(self.tokens)}, not {' '.join(other.tokens)}"
        if self.model != other.model:
            return f"its model is {self.model}, not {other.model}"
        if self.tealeaves != other.tealeaves:
            return f"it is of tealeaves {self.tealeaves}, not {other.tealeaves}"
        return ""


class _Header(msgspec.Struct, kw_only=True):
    stamp: Stamp
    traces: list[list[float]]
    best: int | None
    format: str = _FORMAT[0]
    version: int = _FORMAT[1]


def save(standing: Standing, path: Path | None, stamp: Stamp | None) -> None:
    """Write where a run stands, atomically."""
    if path is None or stamp is None:
        return
    best = standing.best
    arrays = {f"now/{name}": array for name, array in standing.state.arrays().items()}
    if standing.samples:
        arrays["samples"] = np.stack(standing.samples)
    if best is not None:
        arrays |= {f"best/{name}": array for name, array in best.arrays.items()}
        if best.samples is not None:
            arrays["best_samples"] = best.samples
    header = msgspec.json.encode(
        _Header(stamp=stamp, traces=standing.traces, best=None if best is None else best.chain)
    )
    members = {
        f"{name}.npy": array_bytes(array, np.asarray(array).dtype.str)
        for name, array in arrays.items()
    }
    digest = checksum(header, members).encode() + b"\n"
    write_archive(path, {_HEADER: header, **members, _CHECKSUM: digest}, compressed=False)


def load(
    path: Path, stamp: Stamp, texts: PolylingualTexts, *, sampler: SamplerName = "auto"
) -> Standing:
    """Read where a run stands; a file of another run, or a damaged one, is refused."""
    members = read_archive(path, _WHAT)
    raw = arrays_of(members)
    if _HEADER not in members:
        raise InputError(f"{path}: not a whole file of {_WHAT}: there is no {_HEADER} in it")
    if members.get(_CHECKSUM, b"").strip() != checksum(members[_HEADER], raw).encode():
        raise InputError(f"{path}: the checksum is wrong: the file is damaged (--restart begins)")
    try:
        header = msgspec.json.decode(members[_HEADER], type=_Header)
        if (header.format, header.version) != _FORMAT:
            raise ValueError(f"it is {header.format} {header.version}")
        arrays = {name.removesuffix(".npy"): array_of(data) for name, data in raw.items()}
    except ValueError as error:
        raise InputError(f"{path}: not a whole file of {_WHAT}: {error}") from error
    if why := header.stamp.differs(stamp):
        raise InputError(f"{path} is of another run: {why} (--restart begins anew)")
    try:
        return _standing(header, arrays, texts, sampler)
    except (KeyError, ValueError) as error:
        raise InputError(f"{path}: not a whole file of {_WHAT}: {error}") from error


def _standing(
    header: _Header,
    arrays: dict[str, NDArray[Any]],
    texts: PolylingualTexts,
    sampler: SamplerName,
) -> Standing:
    from tealeaves.models.polylingual.state import State

    def made(kept: dict[str, NDArray[Any]]) -> State:
        if kept["beta"].shape != (len(texts.languages),):
            raise ValueError("the languages are others")
        return State.from_arrays(texts, kept, sampler=sampler)

    best = None
    if header.best is not None:
        best = Ended(header.best, _of(arrays, "best/"), arrays.get("best_samples"))
        made(best.arrays)  # refused now if it cannot be used in the end
    samples = arrays.get("samples")
    return Standing(
        made(_of(arrays, "now/")),
        header.traces,
        [] if samples is None else list(samples),
        best,
    )


def _of(arrays: dict[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    return {
        name.removeprefix(prefix): array
        for name, array in arrays.items()
        if name.startswith(prefix)
    }
