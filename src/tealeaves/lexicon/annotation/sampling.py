"""``draw_sample``: drawing the lemmas and tokens that people annotate.

Random order depends on the seed and on the drawn thing itself, not on what else could be drawn. So
the same seed draws the same sample, and a smaller sample is part of a larger one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from tealeaves.errors import InputError, did_you_mean
from tealeaves.lexicon.annotation.annotation import pos_of
from tealeaves.lexicon.annotation.sample import (
    FrequencyBin,
    Sample,
    SampledLemma,
    SampledToken,
    SamplePlan,
    bin_of,
    parse_bins,
)
from tealeaves.lexicon.bitext import Passages, shared_rows
from tealeaves.lexicon.extraction.lemmas import occurring_lemmas
from tealeaves.lexicon.seeds import Seed, find_seed

if TYPE_CHECKING:
    from tealeaves.kernels import I64

    #: The lemmas of each part of speech and bin.
    Strata = Mapping[tuple[str, str], Sequence[str]]

T = TypeVar("T")
K = TypeVar("K")

DEV, TEST = "dev", "test"


def draw_sample(
    source: Passages,
    targets: Sequence[Passages],
    plan: SamplePlan | None = None,
    *,
    lemmas: Sequence[str] | None = None,
    dev_languages: Sequence[str] | None = None,
) -> Sample:
    """Draw lemmas by part of speech and frequency, and tokens of each, the same for all targets.

    Parameters
    ----------
    source
        The source text, lemmatised and tagged: its words are ``hand/N``. Without parts of speech,
        lemmas are drawn by frequency alone.
    targets
        The texts in which people will look for what expresses the tokens.
    plan
        How many lemmas and tokens, of which frequency, and the seed.
    lemmas
        Lemmas to take instead of drawn ones. Each gives as many tokens as it has, up to those of
        the plan: first those in passages that all targets have, then those that most have.
    dev_languages
        The target languages to develop with, instead of drawn ones.
    """
    plan = plan or SamplePlan()
    languages = [target.language for target in targets]
    _check_languages(languages, dev_languages)
    candidates = Candidates.of(source, targets)
    if lemmas is None:
        strata = _drawn_strata(candidates, plan, targets)
    else:
        strata = _given_strata(candidates, plan, occurring_lemmas(source, lemmas))
    splits = split_strata(strata, plan.dev, plan.seed)
    sampled = tuple(_sampled_lemmas(candidates, plan, strata, splits))
    return Sample(
        source=source.language,
        targets=split_languages(languages, plan.dev, plan.seed, dev_languages),
        plan=plan,
        source_tokens=len(source.words.numbers),
        passages=len(source),
        shared=candidates.shared,
        lemmas=sampled,
        notes=tuple(_notes(candidates, plan, sampled, drawn=lemmas is None)),
    )


def _check_languages(languages: Sequence[str], dev: Sequence[str] | None) -> None:
    if not languages:
        raise InputError("no target to sample for")
    for language in languages:
        if languages.count(language) > 1:
            raise InputError(
                f"two targets are called {language}: name them, as in {language}2=PATH"
            )
    for language in dev or ():
        if language not in languages:
            hint = did_you_mean(language, languages)
            raise InputError(
                f"{language} is for dev, but no target{hint} (targets: {', '.join(languages)})"
            )


def _drawn_strata(candidates: Candidates, plan: SamplePlan, targets: Sequence[Passages]) -> Strata:
    strata = {
        (pos, str(frequency)): shuffled(words, plan.seed, "lemma")[: plan.lemmas]
        for (pos, frequency), words in candidates.strata(plan).items()
    }
    if not any(strata.values()):
        fewest = min(targets, key=len)
        raise InputError(
            f"no lemma of {plan.bins} per million has {plan.tokens} tokens in the "
            f"{candidates.shared} passages that all targets have: ask for fewer tokens, or leave "
            f"out {fewest.language} ({len(fewest)} passages)"
        )
    return strata


def _given_strata(candidates: Candidates, plan: SamplePlan, lemmas: Sequence[str]) -> Strata:
    bins = parse_bins(plan.bins)
    strata: dict[tuple[str, str], list[str]] = {}
    for lemma in lemmas:
        seed = find_seed(candidates.source.words, lemma)
        frequency = bin_of(candidates.per_million(len(seed)), bins)
        stratum = (pos_of(lemma), "" if frequency is None else str(frequency))
        strata.setdefault(stratum, []).append(lemma)
    return strata


def _sampled_lemmas(
    candidates: Candidates, plan: SamplePlan, strata: Strata, splits: Mapping[str, str]
) -> Iterator[SampledLemma]:
    for (pos, frequency), lemmas in strata.items():
        for lemma in lemmas:
            seed = find_seed(candidates.source.words, lemma)
            yield SampledLemma(
                lemma=lemma,
                pos=pos,
                bin=frequency,
                split=splits[lemma],
                count=len(seed),
                per_million=round(candidates.per_million(len(seed)), 2),
                tokens=_sampled_tokens(candidates, plan, seed),
            )


def _sampled_tokens(
    candidates: Candidates, plan: SamplePlan, seed: Seed
) -> tuple[SampledToken, ...]:
    """Draw tokens, those that most targets have first; return them in the order of the text."""
    targets, keys = candidates.targets_with, candidates.source.keys
    ranked = sorted(
        (-int(targets[row]), rank(plan.seed, "token", seed.lemma, keys[row], place), row, place)
        for row, place in zip(seed.rows.tolist(), seed.places.tolist(), strict=True)
        if targets[row]
    )
    chosen = sorted((row, place) for _, _, row, place in ranked[: plan.tokens])
    return tuple(SampledToken(keys[row], place) for row, place in chosen)


def _notes(
    candidates: Candidates, plan: SamplePlan, sampled: Sequence[SampledLemma], *, drawn: bool
) -> Iterator[str]:
    if not drawn:
        for one in sampled:
            if len(one.tokens) < plan.tokens:
                yield f"{one.lemma} has {len(one.tokens)} tokens in passages that a target has"
        return
    if not candidates.has_pos:
        yield (
            "the words of the source text have no part of speech: lemmas are drawn by frequency "
            "alone, function words too"
        )
    for pos, frequency in candidates.strata(plan):
        count = sum((one.pos, one.bin) == (pos, str(frequency)) for one in sampled)
        if count < plan.lemmas:
            yield f"{pos or 'lemmas'} of {frequency} per million: {count}, not {plan.lemmas}, fit"


@dataclass(frozen=True, eq=False)
class Candidates:
    """A source text, and for each of its passages the number of targets that have it.

    Parameters
    ----------
    source
        The source text, lemmatised and tagged.
    targets
        The number of target languages.
    targets_with
        For each passage the number of targets that have it.
    """

    source: Passages
    targets: int
    targets_with: I64

    @classmethod
    def of(cls, source: Passages, targets: Sequence[Passages]) -> Candidates:
        """Count the targets that have each passage."""
        targets_with = np.zeros(len(source), np.int64)
        for target in targets:
            targets_with[shared_rows(source, target)[0]] += 1
        return cls(source, len(targets), targets_with)

    @property
    def shared(self) -> int:
        """The number of passages that all targets have."""
        return int((self.targets_with == self.targets).sum())

    @cached_property
    def counts(self) -> I64:
        """The frequency of each word in the source text."""
        words = self.source.words
        return np.bincount(words.numbers, minlength=len(words.vocabulary)).astype(np.int64)

    @cached_property
    def shared_counts(self) -> I64:
        """The frequency of each word in passages that all targets have."""
        words = self.source.words
        shared = (self.targets_with == self.targets)[words.rows]
        return np.bincount(words.numbers[shared], minlength=len(words.vocabulary)).astype(np.int64)

    def per_million(self, count: int) -> float:
        """Return a frequency per million tokens of the source text."""
        return count * 1e6 / len(self.source.words.numbers)

    @cached_property
    def has_pos(self) -> bool:
        """Whether words are marked with their part of speech."""
        return any(pos_of(word) for word in self.source.words.vocabulary)

    def strata(self, plan: SamplePlan) -> dict[tuple[str, FrequencyBin], list[str]]:
        """Return the lemmas that may be drawn, by part of speech and bin, in alphabetical order.

        Each has enough tokens in passages that all targets have.
        """
        bins = parse_bins(plan.bins)
        parts = plan.pos if self.has_pos else ("",)
        strata: dict[tuple[str, FrequencyBin], list[str]] = {
            (p, b): [] for p in parts for b in bins
        }
        excluded = frozenset(plan.exclude)
        for number, word in enumerate(self.source.words.vocabulary):
            pos = pos_of(word)
            lemma = word.removesuffix(f"/{pos}")
            frequency = bin_of(self.per_million(int(self.counts[number])), bins)
            if frequency is None or (pos, frequency) not in strata or excluded & {word, lemma}:
                continue
            enough = self.shared_counts[number] >= plan.tokens
            if enough and len(lemma) >= plan.letters and lemma.replace("-", "").isalpha():
                strata[pos, frequency].append(word)
        return {stratum: sorted(words) for stratum, words in strata.items()}


# ---------------------------------------------------------------------- random order and splits


def rank(seed: int, *parts: object) -> bytes:
    """Return a random number for a thing, which its parts identify."""
    text = "\0".join(map(str, (seed, *parts)))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def shuffled(things: Iterable[T], seed: int, *purpose: object) -> list[T]:
    """Return things in random order; a subset is in the same order.

    >>> shuffled("abcde", 1), shuffled("edc", 1)
    (['d', 'a', 'e', 'c', 'b'], ['d', 'e', 'c'])
    """
    return sorted(things, key=lambda thing: rank(seed, *purpose, thing))


def split_strata(
    strata: Mapping[K, Sequence[str]], dev: float, seed: int, purpose: str = "lemmas"
) -> dict[str, str]:
    """Split the members of each stratum at random, a share of each for dev.

    If a share is not a whole number, it is rounded so that the share of all strata is right too.

    >>> splits = split_strata({1: "abc", 2: "def"}, 0.5, seed=0)
    >>> sum(splits[name] == "dev" for name in "abc"), list(splits.values()).count("dev")
    (2, 3)
    """
    splits: dict[str, str] = {}
    members = assigned = 0
    for names in strata.values():
        members += len(names)
        # the nearest whole number to what all strata so far should have
        share = min(max(int(dev * members + 0.5) - assigned, 0), len(names))
        assigned += share
        chosen = set(shuffled(names, seed, "split", purpose)[:share])
        splits |= {name: DEV if name in chosen else TEST for name in names}
    return splits


def split_languages(
    languages: Sequence[str], dev: float, seed: int, chosen: Sequence[str] | None = None
) -> dict[str, str]:
    """Split languages, at random or as they are chosen; a single language is in no split.

    >>> split_languages(["fin"], 0.5, seed=0)
    {'fin': ''}
    >>> split_languages(["fin", "zho"], 0.5, seed=0, chosen=["zho"])
    {'fin': 'test', 'zho': 'dev'}
    """
    if chosen is not None:
        return {language: DEV if language in chosen else TEST for language in languages}
    if len(languages) < 2:
        return dict.fromkeys(languages, "")
    return split_strata({"": list(languages)}, dev, seed, "languages")
