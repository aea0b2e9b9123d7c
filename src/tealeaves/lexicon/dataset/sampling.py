"""Draw the lemmas and tokens that people are to annotate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from tealeaves.errors import InputError, did_you_mean
from tealeaves.lexicon.dataset.annotation import pos_of
from tealeaves.lexicon.dataset.bins import bin_of, read_bins
from tealeaves.lexicon.dataset.candidates import Candidates
from tealeaves.lexicon.dataset.ranking import rank, shuffled
from tealeaves.lexicon.dataset.sample import Sample, SampledLemma, SampledToken, SamplePlan
from tealeaves.lexicon.dataset.splitting import split_languages, split_strata
from tealeaves.lexicon.extraction.asked import asked_lemmas
from tealeaves.lexicon.seeds import Seed, find_seed

if TYPE_CHECKING:
    from tealeaves.lexicon.bitext import Passages

    # the lemmas of each part of speech and bin
    Strata = Mapping[tuple[str, str], Sequence[str]]


def draw_sample(
    source: Passages,
    targets: Sequence[Passages],
    plan: SamplePlan | None = None,
    *,
    lemmas: Sequence[str] | None = None,
    dev_languages: Sequence[str] | None = None,
) -> Sample:
    """Draw lemmas by part of speech and frequency, and tokens of each, for all targets alike.

    Parameters
    ----------
    source
        The source text, lemmatised and tagged: its words are ``hand/N``. Without parts of speech
        lemmas are drawn by frequency alone.
    targets
        The texts in which people will look for what expresses the tokens.
    plan
        How many, of which frequency, and the seed: the same seed draws the same sample, and a
        smaller sample is part of a larger one.
    lemmas
        Lemmas to take instead of drawn ones. Each gives as many tokens as it has, up to those of
        the plan: first those in passages that all targets have, then in most.
    dev_languages
        The target languages to develop with, instead of drawn ones.
    """
    plan = plan or SamplePlan()
    languages = [target.language for target in targets]
    _check_languages(languages, dev_languages)
    candidates = Candidates.of(source, targets)
    if lemmas is None:
        strata = _drawn(candidates, plan, targets)
    else:
        strata = _asked(candidates, plan, asked_lemmas(source, lemmas))
    split = split_strata(strata, plan.dev, plan.seed)
    found = tuple(_sampled(candidates, plan, strata, split))
    return Sample(
        source=source.language,
        targets=split_languages(languages, plan.dev, plan.seed, dev_languages),
        plan=plan,
        source_tokens=len(source.words.numbers),
        passages=len(source),
        shared=candidates.shared,
        lemmas=found,
        notes=tuple(_notes(candidates, plan, found, asked=lemmas is not None)),
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


def _drawn(candidates: Candidates, plan: SamplePlan, targets: Sequence[Passages]) -> Strata:
    found = {
        (pos, str(place)): shuffled(words, plan.seed, "lemma")[: plan.lemmas]
        for (pos, place), words in candidates.strata(plan).items()
    }
    if not any(found.values()):
        fewest = min(targets, key=len)
        raise InputError(
            f"no lemma of {plan.bins} per million has {plan.tokens} tokens in the "
            f"{candidates.shared} passages that all targets have: ask for fewer tokens, or leave "
            f"out {fewest.language} ({len(fewest)} passages)"
        )
    return found


def _asked(candidates: Candidates, plan: SamplePlan, lemmas: Sequence[str]) -> Strata:
    bins = read_bins(plan.bins)
    found: dict[tuple[str, str], list[str]] = {}
    for lemma in lemmas:
        seed = find_seed(candidates.source.words, lemma)
        place = bin_of(candidates.per_million(len(seed)), bins)
        found.setdefault((pos_of(lemma), "" if place is None else str(place)), []).append(lemma)
    return found


def _sampled(
    candidates: Candidates, plan: SamplePlan, strata: Strata, split: Mapping[str, str]
) -> Iterator[SampledLemma]:
    for (pos, place), lemmas in strata.items():
        for lemma in lemmas:
            seed = find_seed(candidates.source.words, lemma)
            yield SampledLemma(
                lemma=lemma,
                pos=pos,
                bin=place,
                split=split[lemma],
                count=len(seed),
                per_million=round(candidates.per_million(len(seed)), 2),
                tokens=_tokens(candidates, plan, seed),
            )


def _tokens(candidates: Candidates, plan: SamplePlan, seed: Seed) -> tuple[SampledToken, ...]:
    """Draw tokens, those that most targets have before others; they stand in the text's order."""
    having, keys = candidates.having, candidates.source.keys
    ranked = sorted(
        (-int(having[row]), rank(plan.seed, "token", seed.lemma, keys[row], place), row, place)
        for row, place in zip(seed.rows.tolist(), seed.places.tolist(), strict=True)
        if having[row]
    )
    chosen = sorted((row, place) for _, _, row, place in ranked[: plan.tokens])
    return tuple(SampledToken(keys[row], place) for row, place in chosen)


def _notes(
    candidates: Candidates, plan: SamplePlan, found: Sequence[SampledLemma], *, asked: bool
) -> Iterator[str]:
    if not candidates.has_pos and not asked:
        yield (
            "the words of the source text have no part of speech: lemmas are drawn by frequency "
            "alone, function words too"
        )
    if asked:
        for one in found:
            if len(one.tokens) < plan.tokens:
                yield f"{one.lemma} has {len(one.tokens)} tokens in passages that a target has"
        return
    for pos, place in candidates.strata(plan):
        count = sum((one.pos, one.bin) == (pos, str(place)) for one in found)
        if count < plan.lemmas:
            yield f"{pos or 'lemmas'} of {place} per million: {count}, not {plan.lemmas}, fit"
