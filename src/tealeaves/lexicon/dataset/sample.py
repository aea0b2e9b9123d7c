"""``Sample``: the lemmas and tokens that people are to annotate, and how they were drawn."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.files import atomic_write
from tealeaves.lexicon.dataset.bins import BINS, read_bins

Natural = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Share = Annotated[float, Meta(ge=0, le=1)]


class SamplePlan(msgspec.Struct, frozen=True, kw_only=True):
    """How a sample is drawn.

    Parameters
    ----------
    lemmas
        How many are drawn for each part of speech and bin.
    tokens
        How many tokens of each lemma.
    bins
        Frequency bins, per million tokens of the source text.
    pos
        The parts of speech; words of others are never drawn.
    letters
        The fewest letters that a lemma has.
    exclude
        Lemmas that are not drawn, with their part of speech (``hand/N``) or without.
    dev
        The share of lemmas, and of target languages, to develop with; the others are to test.
    seed
        Where random numbers start.
    """

    lemmas: Natural = 11
    tokens: Natural = 30
    bins: str = BINS
    pos: tuple[str, ...] = ("N", "A", "V")
    letters: Natural = 3
    exclude: tuple[str, ...] = ()
    dev: Share = 0.5
    seed: Annotated[int, Meta(ge=0)] = 0

    def __post_init__(self) -> None:
        # whoever makes a plan in Python passes by the limits of the fields
        for name in ("lemmas", "tokens", "letters"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be 1 or more, not {getattr(self, name)}")
        if not 0 <= self.dev <= 1:
            raise InputError(f"the share of dev is from 0 to 1, not {self.dev}")
        if self.seed < 0:
            raise InputError(f"the seed must be 0 or more, not {self.seed}")
        read_bins(self.bins)
        if not self.pos:
            raise InputError("no part of speech to draw lemmas of: N, A, V")


class SampledToken(msgspec.Struct, frozen=True, array_like=True):
    """A token: the key of its passage, and its place there."""

    key: str
    place: int


class SampledLemma(msgspec.Struct, frozen=True, kw_only=True):
    """A lemma and its tokens; ``count`` is how often it occurs in the source text."""

    lemma: str
    pos: str = ""
    bin: str = ""
    split: str = ""
    count: int
    per_million: float
    tokens: tuple[SampledToken, ...]


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """Lemmas with their tokens, the splits of lemmas and languages, and how they were drawn.

    ``source_tokens`` is the length of the source text, ``shared`` the number of passages that all
    targets have, ``targets`` the split of each target language ("" where there is one only).
    """

    tealeaves: str = "sample"
    version: int = 1
    source: str
    targets: Mapping[str, str]
    plan: SamplePlan
    source_tokens: int
    passages: int
    shared: int
    lemmas: tuple[SampledLemma, ...]
    notes: tuple[str, ...] = ()

    def split(self, lemma: SampledLemma, target: str) -> str:
        """Return the split of a lemma in a language: ``mixed`` is known on one side only.

        To tune on ``dev`` and report on ``test`` means unseen lemmas in unseen languages.
        """
        side = self.targets[target]
        return lemma.split if side in ("", lemma.split) else "mixed"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the sample as JSON."""
        data = msgspec.json.format(msgspec.json.encode(self), indent=1)
        with atomic_write(path) as stream:
            stream.write(data + b"\n")


def read_sample(path: str | os.PathLike[str]) -> Sample:
    """Read a sample."""
    try:
        found = msgspec.json.decode(Path(path).read_bytes(), type=Sample)
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file") from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"{path}: not a sample (`tealeaves lexicon sample`): {error}") from error
    if (found.tealeaves, found.version) != ("sample", 1):
        raise InputError(
            f"{path}: {found.tealeaves} of version {found.version}; this tealeaves reads sample "
            "of version 1"
        )
    return found
