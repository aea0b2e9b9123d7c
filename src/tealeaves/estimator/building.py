"""``build``: the features of topics, and what a rich reference says of them, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tealeaves.errors import InputError
from tealeaves.estimator.features.computing import Features, TopicFeatures
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
        The texts at hand, such as Bibles: a ``PairedCorpus`` or a mapping from languages to paths.
    rich
        The texts that the target, CNPMI, is counted in; without them it is unknown.
    dictionary, years, modern
        What further features need: translations (mta), since when the pivot has its words (era),
        and texts of our time in the pivot (drift), as ``score`` takes them.
    tops
        How many first words of each topic are judged; a row each. A topic that has fewer has a row
        of all its words; numbers that no topic has are left out.
    more
        Further features: metrics of topics across languages, such as ``"cnpmi(never=-1)"``.
    pivot
        The language that all others are paired with, by default English; ``fit`` wants one pivot
        in all tables.
    texts
        Names of the texts that trained these topics, parts joined by ``+``, where the topics of
        other tables were trained on some of them too: ``fit`` then keeps such rows apart.
    counts
        Counts of the reference, instead of its texts.
    tokens, threads, progress
        As of ``score``.
    """
    judged = models_of(models)
    tops = tuple(dict.fromkeys(tops))
    if not tops:
        raise InputError("how many first words are judged? give tops, such as [5, 10, 20]")
    if rich is not None:  # before texts are read
        rich = Sources(rich).paired_corpus(judged)
    features = Features((more,) if isinstance(more, str) else tuple(more), pivot=pivot)
    years, modern = _of_pivot(judged, pivot, years, modern)
    sources = Sources(reference, counts, tokens, dictionary=dictionary, years=years, modern=modern)
    planned = plan_requests(judged, lambda wording: features.needs(judged, tops, wording), sources)
    evidence = gather(planned, threads=threads, progress=progress)
    targets = None
    if rich is not None:
        target_plan = plan_metrics(
            judged, [metric("cnpmi") @ max(tops)], Sources(rich, tokens=tokens)
        )
        targets = gather(target_plan, threads=threads, progress=progress)
        _refuse_same(evidence, targets)
    parts = [
        _part(found, top, targets)
        for model in judged
        for found, top in _of_tops(features, model, tops, evidence)
    ]
    judgeable = [part for part in parts if part.long_enough]
    if not judgeable:
        longest = max(int(part.sizes.max()) for part in parts)
        raise InputError(
            f"no topic has {min(tops)} words, but {longest} at most: give smaller tops (--tops)"
        )
    notes = [*evidence.notes, *_without(sources, parts), *_without_pivot(parts, pivot)]
    return _joined(judgeable, features.names, [*notes, *_too_short(parts, tops)], texts)


def _refuse_same(poor: Evidence, rich: Evidence) -> None:
    """Refuse a rich reference that is the reference itself: the target would be a feature."""
    texts = {one.unit: one.fingerprint for one in poor}
    for one in rich:
        if texts.get(one.unit) == one.fingerprint:
            raise InputError(
                "the rich reference (--rich) is the reference itself (--corpus): give other texts"
            )


class _Part(NamedTuple):
    """A model's topics in two languages, by so many of their words, and their targets."""

    found: TopicFeatures
    top: int
    target: Floats

    @property
    def sizes(self) -> Floats:
        """How many words each topic is judged by."""
        return self.found.values["cardinality"]

    @property
    def long_enough(self) -> bool:
        """Whether any topic has so many words."""
        return bool(self.sizes.max() >= self.top)

    @property
    def name(self) -> str:
        """The model, and the pair of languages."""
        return f"{self.found.model.model} ({'-'.join(self.found.pair)})"


def _of_pivot(judged: Sequence[Topics], pivot: str, years: Any, modern: Any) -> tuple[Any, Any]:
    """Return years and modern texts, which are of the pivot unless they say otherwise."""
    from tealeaves.evidence.drift import Drift
    from tealeaves.evidence.years import WordYears

    languages = languages_of(judged)
    if find_language(pivot, languages) is None:
        raise InputError(
            f"no topics in {pivot}, the pivot: they are in {', '.join(languages)}; which of these "
            "is it? (--pivot)"
        )
    if years is not None:
        years = WordYears.open(years, language=pivot)
    if modern is not None and not isinstance(modern, Mapping | Drift):
        modern = {pivot: modern}
    return years, modern


def _of_tops(
    features: Features, model: Topics, tops: Sequence[int], evidence: Evidence
) -> Iterator[tuple[TopicFeatures, int]]:
    """Yield a model's topics by each number of words, up to the first that none of them has."""
    for top in sorted(tops):
        found = features.of(model, top, evidence, evidence.wording)
        yield from ((one, top) for one in found)
        if all(one.values["cardinality"].max() < top for one in found):
            return


def _part(found: TopicFeatures, top: int, targets: Evidence | None) -> _Part:
    """Join the features of topics with what the rich reference says of the same words."""
    target = np.full(len(found.model), np.nan)
    if targets is not None:
        [result] = (metric("cnpmi") @ top).score([found.model], targets, targets.wording)
        target = result.values
    return _Part(found, top, target)


def _joined(
    parts: Sequence[_Part], names: Sequence[str], notes: list[str], texts: str
) -> FeatureTable:
    """Make one table of all; features that nobody could compute are left out of it."""
    known = [name for name in names if any(name in part.found.values for part in parts)]
    rows = [
        (part.found.pair, part.found.model.model, topic.id, int(size))
        for part in parts
        for topic, size in zip(part.found.model.topics, part.sizes, strict=True)
    ]
    table = FeatureTable(
        pivots=tuple(pair[0] for pair, _, _, _ in rows),
        languages=tuple(pair[1] for pair, _, _, _ in rows),
        models=tuple(name for _, name, _, _ in rows),
        topics=tuple(topic for _, _, topic, _ in rows),
        cardinalities=np.array([size for _, _, _, size in rows], dtype=np.int64),
        names=tuple(known),
        values=np.vstack([part.found.matrix(known) for part in parts]),
        target=np.concatenate([part.target for part in parts]),
        notes=notes,
        texts=(texts,) * len(rows),
    )
    # a topic with fewer words than asked for is the same by any larger number: it counts once
    first = {row: number for number, row in reversed(list(enumerate(rows))) if row[-1] > 0}
    return table.select(sorted(first.values()))


def _without(given: Sources, parts: Sequence[_Part]) -> list[str]:
    """Say what was not given, or is of no use, and which features that costs."""
    costs = {"dictionary": "mta", "years": "era_mean era_sd", "modern": "drift_mean drift_sd"}
    known = {name for part in parts for name in part.found.values}
    pivots = ", ".join(dict.fromkeys(part.found.pair[0] for part in parts))
    notes = []
    for name, features in costs.items():
        if getattr(given, name) is None:
            notes.append(f"without {name} (--{name}) there is no {features}")
        elif known.isdisjoint(features.split()):
            notes.append(f"{name} (--{name}) is not of {pivots}: there is no {features}")
    return notes


def _without_pivot(parts: Sequence[_Part], pivot: str) -> list[str]:
    """Name pairs that the pivot is none of: tables of several pivots are not fitted as one."""
    pairs = dict.fromkeys(part.found.pair for part in parts)
    return [
        f"{'-'.join(pair)}: {pivot} is none of them, and {pair[0]} is the pivot of their rows"
        for pair in pairs
        if not any(same_language(name, pivot) for name in pair)
    ]


def _too_short(parts: Sequence[_Part], tops: Sequence[int]) -> list[str]:
    """Say which numbers of words were asked for, but are those of no topic."""
    short: dict[int, dict[str, None]] = {}
    for part in parts:
        if not part.long_enough:
            short.setdefault(int(part.sizes.max()), {})[part.name] = None
    return [
        f"topics of {longest} words at most, so without rows of "
        f"{', '.join(str(top) for top in sorted(tops) if top > longest)}: {list_text([*names])}"
        for longest, names in short.items()
    ]


def models_of(given: Any) -> list[Topics]:
    """Read models whose topics are in several languages."""
    judged = read_models(given)
    if not are_multilingual(judged):
        raise InputError(f"{judged[0].model}: its topics are in one language, two are compared")
    return judged
