"""``build``: a table of the features of topics, and of their CNPMI in a rich reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.errors import InputError
from tealeaves.estimator.features import Features, TopicFeatures
from tealeaves.estimator.table import FeatureTable
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.sources import PIVOT, Sources
from tealeaves.metrics.gathering import gather
from tealeaves.metrics.planning import plan_metrics, plan_requests
from tealeaves.metrics.registry import metric
from tealeaves.tables.numbers import list_text
from tealeaves.text.languages import find_language, same_language
from tealeaves.topics.multilingual import are_multilingual, languages_of
from tealeaves.topics.reading import read_models
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

#: The cardinalities of the paper.
TOPS = (5, 10, 15, 20, 30, 40, 50)


def build(
    models: Any,
    reference: Any = None,
    *,
    rich: Any = None,
    dictionary: Any = None,
    years: Any = None,
    modern: Any = None,
    tops: Sequence[int] = TOPS,
    more: Iterable[str] = (),
    pivot: str = PIVOT,
    texts: str = "",
    counts: Any = None,
    tokens: Any = None,
    threads: int | None = None,
    progress: bool = False,
) -> FeatureTable:
    """Compute the features of topics in several languages; with ``rich``, their targets too.

    Parameters
    ----------
    models
        Topics in several languages, as ``score`` takes them.
    reference
        The small reference, such as Bibles: a ``PairedCorpus``, or paths by language. A ``Sources``
        holds the reference and all other sources.
    rich
        The texts that the target, CNPMI, is counted in; without them the target is unknown.
    dictionary, years, modern
        The sources of further features, as for ``score``: translations (mta), the years of words of
        the pivot (era), and modern texts in the pivot (drift).
    tops
        The numbers of first words that topics are judged by; each is a row. A topic with fewer
        words has one row of all its words; numbers that no topic has are left out.
    more
        Further features: metrics of topics across languages, such as ``"cnpmi(never=-1)"``.
    pivot
        The language that all others are paired with, by default English; ``fit`` needs the same
        pivot in all tables.
    texts
        Names of the texts that trained these topics, joined by ``+``, if topics of other tables
        were trained on some of them too: ``fit`` then does not learn from rows that share texts.
    counts
        Counts of the reference, instead of its texts.
    tokens, threads, progress
        As for ``score``.
    """
    judged = read_multilingual_models(models)
    tops = tuple(dict.fromkeys(tops))
    if not tops:
        raise InputError("tops is empty: give numbers of first words, such as [5, 10, 20]")
    if rich is not None:  # before texts are read
        rich = Sources(rich).paired_corpus(judged)
    features = Features((more,) if isinstance(more, str) else tuple(more), pivot=pivot)
    sources = _with_pivot(
        Sources.of(
            reference,
            counts=counts,
            tokens=tokens,
            dictionary=dictionary,
            years=years,
            modern=modern,
        ),
        pivot,
        languages_of(judged),
    )
    planned = plan_requests(judged, lambda wording: features.needs(judged, tops, wording), sources)
    evidence = gather(planned, threads=threads, progress=progress)
    targets = None
    if rich is not None:
        target_plan = plan_metrics(
            judged, [metric("cnpmi") @ max(tops)], Sources(rich, tokens=sources.tokens)
        )
        targets = gather(target_plan, threads=threads, progress=progress)
        _check_different(evidence, targets)
    blocks = [
        _block(topics, top, targets)
        for model in judged
        for topics, top in _at_tops(features, model, tops, evidence)
    ]
    long_enough = [block for block in blocks if block.long_enough]
    if not long_enough:
        longest = max(int(block.sizes.max()) for block in blocks)
        raise InputError(
            f"no topic has {min(tops)} words, but {longest} at most: give smaller tops (--tops)"
        )
    notes = [
        *evidence.notes,
        *_unused_sources(sources, blocks),
        *_without_pivot(blocks, pivot),
        *_too_short(blocks, tops),
    ]
    return _joined(long_enough, features.names, notes, texts)


def _check_different(poor: Evidence, rich: Evidence) -> None:
    """Raise if the rich reference is the reference itself: the target would be a feature."""
    texts = {counts.unit: counts.fingerprint for counts in poor}
    for counts in rich:
        if texts.get(counts.unit) == counts.fingerprint:
            raise InputError(
                "the rich reference (--rich) is the reference itself (--corpus): give other texts"
            )


class _FeatureBlock(NamedTuple):
    """The topics of a model in two languages, by their first ``top`` words, and their targets."""

    topics: TopicFeatures
    top: int
    target: Floats

    @property
    def sizes(self) -> Floats:
        return self.topics.values["cardinality"]

    @property
    def long_enough(self) -> bool:
        return bool(self.sizes.max() >= self.top)

    @property
    def name(self) -> str:
        return f"{self.topics.model.model} ({'-'.join(self.topics.pair)})"


def _with_pivot(sources: Sources, pivot: str, languages: Sequence[str]) -> Sources:
    """Return sources whose years and modern texts are of the pivot, unless they name a language."""
    from tealeaves.evidence.drift import Drift
    from tealeaves.evidence.years import WordYears

    if find_language(pivot, languages) is None:
        raise InputError(
            f"no topics in {pivot}, the pivot: they are in {', '.join(languages)}; name one of "
            "these (--pivot)"
        )
    years, modern = sources.years, sources.modern
    if years is not None:
        years = WordYears.open(years, language=pivot)
    if modern is not None and not isinstance(modern, Mapping | Drift):
        modern = {pivot: modern}
    return replace(sources, years=years, modern=modern)


def _at_tops(
    features: Features, model: Topics, tops: Sequence[int], evidence: Evidence
) -> Iterator[tuple[TopicFeatures, int]]:
    """Yield the topics of a model by each number of words, up to the first that no topic has."""
    for top in sorted(tops):
        pairs = features.of(model, top, evidence, evidence.wording)
        yield from ((topics, top) for topics in pairs)
        if all(topics.values["cardinality"].max() < top for topics in pairs):
            return


def _block(topics: TopicFeatures, top: int, targets: Evidence | None) -> _FeatureBlock:
    """Add the CNPMI of the same words in the rich reference."""
    target = np.full(len(topics.model), np.nan)
    if targets is not None:
        [result] = (metric("cnpmi") @ top).score([topics.model], targets, targets.wording)
        target = result.values
    return _FeatureBlock(topics, top, target)


def _joined(
    blocks: Sequence[_FeatureBlock], names: Sequence[str], notes: list[str], texts: str
) -> FeatureTable:
    """Return one table of all blocks, without features that no block has."""
    known = [name for name in names if any(name in block.topics.values for block in blocks)]
    rows = [
        (block.topics.pair, block.topics.model.model, topic.id, int(size))
        for block in blocks
        for topic, size in zip(block.topics.model.topics, block.sizes, strict=True)
    ]
    table = FeatureTable(
        pivots=tuple(pair[0] for pair, _, _, _ in rows),
        languages=tuple(pair[1] for pair, _, _, _ in rows),
        models=tuple(name for _, name, _, _ in rows),
        topics=tuple(topic for _, _, topic, _ in rows),
        cardinalities=np.array([size for _, _, _, size in rows], dtype=np.int64),
        names=tuple(known),
        values=np.vstack([block.topics.matrix(known) for block in blocks]),
        target=np.concatenate([block.target for block in blocks]),
        notes=notes,
        texts=(texts,) * len(rows),
    )
    # a topic with fewer words than a number is the same for all larger numbers, and counts once
    first = {row: number for number, row in reversed(list(enumerate(rows))) if row[-1] > 0}
    return table.select(sorted(first.values()))


def _unused_sources(sources: Sources, blocks: Sequence[_FeatureBlock]) -> list[str]:
    """Say which sources are missing or not of the pivot, and which features that costs."""
    costs = {"dictionary": "mta", "years": "era_mean era_sd", "modern": "drift_mean drift_sd"}
    known = {name for block in blocks for name in block.topics.values}
    pivots = ", ".join(dict.fromkeys(block.topics.pair[0] for block in blocks))
    notes = []
    for name, features in costs.items():
        if getattr(sources, name) is None:
            notes.append(f"without {name} (--{name}) there is no {features}")
        elif known.isdisjoint(features.split()):
            notes.append(f"{name} (--{name}) is not of {pivots}: there is no {features}")
    return notes


def _without_pivot(blocks: Sequence[_FeatureBlock], pivot: str) -> list[str]:
    """Name pairs of languages without the pivot: tables of several pivots cannot be fitted."""
    pairs = dict.fromkeys(block.topics.pair for block in blocks)
    return [
        f"{'-'.join(pair)}: {pivot} is none of them, and {pair[0]} is the pivot of their rows"
        for pair in pairs
        if not any(same_language(name, pivot) for name in pair)
    ]


def _too_short(blocks: Sequence[_FeatureBlock], tops: Sequence[int]) -> list[str]:
    """Say which numbers of words no topic has."""
    short: dict[int, dict[str, None]] = {}
    for block in blocks:
        if not block.long_enough:
            short.setdefault(int(block.sizes.max()), {})[block.name] = None
    return [
        f"topics of {longest} words at most, so without rows of "
        f"{', '.join(str(top) for top in sorted(tops) if top > longest)}: {list_text([*names])}"
        for longest, names in short.items()
    ]


def read_multilingual_models(models: Any) -> list[Topics]:
    """Read models whose topics are in several languages."""
    judged = read_models(models)
    if not are_multilingual(judged):
        raise InputError(
            f"{judged[0].model} has topics in one language; an estimator compares two "
            "(en=FILE am=FILE are one model in two)"
        )
    return judged
