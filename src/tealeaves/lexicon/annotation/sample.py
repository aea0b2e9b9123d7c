"""``Sample``: the lemmas and tokens that people annotate, and how they were drawn."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.files import atomic_write
from tealeaves.json_data import decode_json
from tealeaves.json_files import with_checksum, without_checksum

Natural = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Share = Annotated[float, Meta(ge=0, le=1)]


#: The frequency bins of Beekhuizen (2020), per million tokens of the source text.
BINS = "30-100,100-300,300+"

_BIN = re.compile(r"(\d+(?:\.\d+)?)\s*(?:[-–]\s*(\d+(?:\.\d+)?)|\+)")


@dataclass(frozen=True, repr=False)
class FrequencyBin:
    """Lemmas that occur at least ``least`` times per million tokens, and fewer than ``below``.

    >>> FrequencyBin(30, 100), 99.9 in FrequencyBin(30, 100), 100 in FrequencyBin(30, 100)
    (30-100, True, False)
    """

    least: float
    below: float = math.inf

    def __contains__(self, per_million: object) -> bool:
        return isinstance(per_million, int | float) and self.least <= per_million < self.below

    def __repr__(self) -> str:
        return f"{self.least:g}+" if math.isinf(self.below) else f"{self.least:g}-{self.below:g}"


def parse_bins(text: str) -> tuple[FrequencyBin, ...]:
    """Read frequency bins, in ascending order.

    >>> parse_bins("30-100,100-300,300+")
    (30-100, 100-300, 300+)
    """
    bins = []
    for part in text.split(","):
        match = _BIN.fullmatch(part.strip())
        if match is None:
            raise InputError(f"{part.strip()!r} is no frequency bin: write 30-100, or 300+")
        bins.append(FrequencyBin(float(match[1]), float(match[2] or math.inf)))
    for one, after in zip(bins, [*bins[1:], FrequencyBin(math.inf)], strict=True):
        if one.least >= one.below or one.below > after.least:
            raise InputError(f"{text}: bins must ascend and not overlap, as in {BINS}")
    return tuple(bins)


def bin_of(per_million: float, bins: tuple[FrequencyBin, ...]) -> FrequencyBin | None:
    """Return the bin of a frequency; None if it is in none."""
    return next((one for one in bins if per_million in one), None)


class SamplePlan(msgspec.Struct, frozen=True, kw_only=True):
    """How a sample is drawn.

    Parameters
    ----------
    lemmas
        The number of lemmas for each part of speech and bin.
    tokens
        The number of tokens of each lemma.
    bins
        Frequency bins, per million tokens of the source text.
    pos
        The parts of speech of drawn lemmas.
    letters
        The fewest letters of a lemma.
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
        # the limits of the fields are checked only in files
        for name in ("lemmas", "tokens", "letters"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be 1 or more, not {getattr(self, name)}")
        if not 0 <= self.dev <= 1:
            raise InputError(f"the share of dev is from 0 to 1, not {self.dev}")
        if self.seed < 0:
            raise InputError(f"the seed must be 0 or more, not {self.seed}")
        parse_bins(self.bins)
        if not self.pos:
            raise InputError("no part of speech to draw lemmas of: N, A, V")


class SampledToken(msgspec.Struct, frozen=True, array_like=True):
    """A token: the key of its passage, and its position in it."""

    key: str
    place: int


class SampledLemma(msgspec.Struct, frozen=True, kw_only=True):
    """A lemma and its tokens; ``count`` is its frequency in the source text."""

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
        """Return the split of a lemma in a language; ``mixed`` if the two have different splits.

        So what is reported on ``test`` is of unseen lemmas in unseen languages.
        """
        language_split = self.targets[target]
        return lemma.split if language_split in ("", lemma.split) else "mixed"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the sample as JSON."""
        with atomic_write(path) as stream:
            stream.write(self.to_bytes())

    def to_bytes(self) -> bytes:
        """Return the content of the file."""
        content = with_checksum(msgspec.json.encode(self))
        return bytes(msgspec.json.format(content, indent=1)) + b"\n"


def read_sample(path: str | os.PathLike[str]) -> Sample:
    """Read a sample."""
    try:
        sample = decode_json(without_checksum(Path(path).read_bytes(), str(path)), Sample)
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file") from error
    except msgspec.DecodeError as error:
        raise InputError(f"{path}: not a sample (`tealeaves lexicon sample`): {error}") from error
    if (sample.tealeaves, sample.version) != ("sample", 1):
        raise InputError(
            f"{path}: {sample.tealeaves} of version {sample.version}; this tealeaves reads sample "
            "of version 1"
        )
    return sample
