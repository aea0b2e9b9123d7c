"""Checkpoints: the state of an unfinished training in a file, from which it goes on exactly."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from tealeaves.artifacts import Artifact, ArtifactFormat
from tealeaves.errors import InputError
from tealeaves.models.polylingual.chain import GibbsChain, SamplerName
from tealeaves.version import __version__

if TYPE_CHECKING:
    from tealeaves.arrays import Array, Floats
    from tealeaves.models.texts import TrainingTexts

    Path = str | os.PathLike[str]

_CURE = "(--restart starts again)"


@dataclass
class EndedChain:
    """A chain that has ended: its number, the arrays of its last state, and samples of φ.

    Samples are S×K×W, W being the words of all languages, one language after the other.
    """

    number: int
    arrays: dict[str, Array]
    samples: Floats | None = None


@dataclass
class TrainingState:
    """The state of a training: the current chain, the traces of all chains, and the best ended.

    A trace has the log-likelihoods per token of a chain; ``samples`` are those of the current one.
    """

    chain: GibbsChain
    traces: list[list[float]] = field(default_factory=lambda: [[]])
    samples: list[Floats] = field(default_factory=list)
    best: EndedChain | None = None

    @property
    def number(self) -> int:
        """The number of the current chain, or of the last if all have ended."""
        return len(self.traces) - 1


class TrainingStamp(msgspec.Struct, frozen=True, kw_only=True):
    """What a training is made of: it only goes on from a checkpoint that has the same stamp."""

    model: str
    corpus: str
    tokens: tuple[str, ...]
    languages: tuple[str, ...]
    tealeaves: str = __version__

    def differs(self, other: TrainingStamp) -> str:
        """Return what differs, in a few words; empty if nothing does."""
        if self.languages != other.languages:
            return f"its languages are {', '.join(self.languages)}"
        if self.corpus != other.corpus:
            return f"its texts differ ({self.corpus}, not {other.corpus})"
        if self.tokens != other.tokens:
            return f"its tokens are {' '.join(self.tokens)}, not {' '.join(other.tokens)}"
        if self.model != other.model:
            return f"its model is {self.model}, not {other.model}"
        if self.tealeaves != other.tealeaves:
            return f"it was made with tealeaves {self.tealeaves}, not {other.tealeaves}"
        return ""


class TrainingDescription(msgspec.Struct):
    """What the header of a checkpoint says of the training; the arrays hold its chains."""

    stamp: TrainingStamp
    traces: list[list[float]]
    best: int | None


TRAINING = ArtifactFormat(
    "tealeaves-training", 2, TrainingDescription, holds="an unfinished training", compressed=False
)


def save_checkpoint(state: TrainingState, path: Path, stamp: TrainingStamp) -> None:
    """Write the state of a training, completely or not at all."""
    best = state.best
    arrays = {f"now/{name}": array for name, array in state.chain.arrays().items()}
    if state.samples:
        arrays["samples"] = np.stack(state.samples)
    if best is not None:
        arrays |= {f"best/{name}": array for name, array in best.arrays.items()}
        if best.samples is not None:
            arrays["best_samples"] = best.samples
    number = None if best is None else best.number
    TRAINING.save(path, TrainingDescription(stamp, state.traces, number), arrays)


def load_checkpoint(
    path: Path, stamp: TrainingStamp, texts: TrainingTexts, *, sampler: SamplerName = "auto"
) -> TrainingState:
    """Read the state of a training; refuse a damaged file, and that of another training."""
    try:
        artifact = TRAINING.load(path)
    except InputError as error:
        raise InputError(f"{error} {_CURE}") from error
    if difference := artifact.content.stamp.differs(stamp):
        raise InputError(f"{path} belongs to another training: {difference} {_CURE}")
    try:
        return _restore(artifact, texts, sampler)
    except (KeyError, ValueError) as error:
        raise InputError(
            f"{path}: not a complete file of {TRAINING.holds}: {error} {_CURE}"
        ) from error


def _restore(
    artifact: Artifact[TrainingDescription], texts: TrainingTexts, sampler: SamplerName
) -> TrainingState:
    content, arrays = artifact.content, artifact.arrays

    def chain_arrays(prefix: str) -> dict[str, Array]:
        names = [name for name in arrays if name.startswith(prefix)]
        return {name.removeprefix(prefix): arrays[name] for name in names}

    def restore_chain(parts: dict[str, Array]) -> GibbsChain:
        if parts["beta"].shape != (len(texts.languages),):
            raise ValueError("the languages differ")
        return GibbsChain.from_arrays(texts, parts, sampler=sampler)

    best = None
    if content.best is not None:
        best = EndedChain(content.best, chain_arrays("best/"), arrays.get("best_samples"))
        _check_samples(best.samples, restore_chain(best.arrays))  # fail now, not in the end
    chain = restore_chain(chain_arrays("now/"))
    _check_samples(arrays.get("samples"), chain)
    if not content.traces or (best is not None and not 0 <= best.number < len(content.traces)):
        raise ValueError("a chain has no trace")
    return TrainingState(chain, content.traces, list(arrays.get("samples", ())), best)


def _check_samples(samples: Floats | None, chain: GibbsChain) -> None:
    """Raise for samples that are not probabilities of the chain's words in its topics."""
    if samples is None:
        return
    if samples.dtype != np.float64 or samples.shape[1:] != chain.word_topics.T.shape:
        raise ValueError("the samples have the wrong size")
    if not (np.isfinite(samples).all() and (samples >= 0).all() and (samples <= 1).all()):
        raise ValueError("the samples are no probabilities")
