"""``Consensus``: a metric that asks all evidence at hand what people would say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import msgspec

from tealeaves.errors import InputError
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.wording import Wording
from tealeaves.memo import Identity
from tealeaves.metrics.base import Metric, Result, lack_of_two_words
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats
    from tealeaves.consensus.sources import ModelSources
    from tealeaves.metrics.base import AnyRequest, Extra

T = TypeVar("T")

RELEVANCE = "relevance"


class ConsensusSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How evidence is put together.

    Parameters
    ----------
    kind
        ``learned`` predicts what people would say, from 0 to 1; ``ranks`` is trained on nothing:
        the mean of the topics' ranks by each signal, among all topics that are scored together.
    """

    kind: Literal["learned", "ranks"] = "learned"


@dataclass(frozen=True, repr=False, eq=False)
class Consensus(Metric):
    """What all sources at hand say of a topic, put together."""

    settings: ConsensusSettings
    source: ClassVar[str] = "texts, reference, vectors: what is at hand"

    @property
    def uses(self) -> frozenset[Extra]:
        """A reference and embeddings; relevance too if topics are ranked."""
        if self.settings.kind == "ranks":
            return frozenset({"reference", "embeddings", "relevance"})
        return frozenset({"reference", "embeddings"})

    def why(self, model: Topics) -> str:
        """Say why a topic has no score."""
        alone = ", or no other topic is there to be ranked with"
        more = alone if self.settings.kind == "ranks" else ""
        return f"as no source that was asked knows two of their words{more}"

    def lacks(self, model: Topics) -> str:
        """Say that there must be two words at least."""
        return lack_of_two_words(model, self.top)

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[AnyRequest]:
        """Ask for everything, by optional requests."""
        from tealeaves.consensus.sources import wishes
        from tealeaves.evidence.requests import OptionalRequest

        yield from wishes(models, self.top, wording)
        if self.settings.kind == "ranks":
            yield OptionalRequest(self._relevance_request(models, wording))

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Judge the topics of models by the sources that may judge them."""
        judged = self.judged(models, evidence, wording)
        if self.settings.kind == "ranks":
            results = self._ranked(judged, evidence, wording)
        else:
            results = _learned(judged)
        known = by_model(judged, results)
        return [known.get(Identity(model)) or Result.undefined(model) for model in models]

    def odd_words(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> list[list[tuple[str, ...]]]:
        """Return for each model and topic the words that fit badly, the worst first."""
        from tealeaves.consensus.odd_words import fits, odd_words

        judged = self.judged(models, evidence, wording)
        known = by_model(judged, [[odd_words(fit) for fit in fits(one)] for one in judged])
        return [known.get(Identity(model)) or [()] * len(model) for model in models]

    def judged(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> list[ModelSources]:
        """Return the sources of each model that has any; that none has is an error."""
        from tealeaves.consensus.remarks import why_nothing

        found = [self.sources(model, evidence, wording) for model in models]
        if not any(sources.names for sources in found):
            raise InputError(why_nothing(found))
        return [sources for sources in found if sources.names]

    def _ranked(
        self, judged: Sequence[ModelSources], evidence: Evidence, wording: Wording
    ) -> list[Result]:
        """Return the mean ranks among the topics of all models, and the support."""
        import numpy as np

        from tealeaves.consensus.ranks import mean_ranks, signal_table

        signals, support = signal_table(judged)
        models = [sources.model for sources in judged]
        if (passed := self._relevance(models, evidence, wording)) is not None:
            signals[RELEVANCE] = passed
        ranks = mean_ranks(signals)
        said = (support > 0) & np.isfinite(ranks)  # a topic alone has no rank
        values, shares = np.where(said, ranks, np.nan), np.where(said, support, 0.0)
        return [Result(values[rows], shares[rows]) for _, rows in rows_of(models)]

    def sources(self, model: Topics, evidence: Evidence, wording: Wording) -> ModelSources:
        """Return what is at hand for a model; kept, for it is asked for more than once."""
        from tealeaves.consensus.judges import open_judges
        from tealeaves.consensus.sources import ModelSources

        return evidence.memo.once(
            ModelSources.of, model, self.top, evidence, wording, open_judges()
        )

    # ------------------------------------------------------------------ relevance

    def _relevance_request(self, models: Sequence[Topics], wording: Wording) -> Any:
        from tealeaves.evidence.requests import RelevanceRequest

        return RelevanceRequest(*wording.pairs(models, self.top))

    def _relevance(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> Floats | None:
        """Return what passes between the words of topics in a classifier, where that is given."""
        import numpy as np

        if not evidence.has(self._relevance_request(models, wording)):
            return None
        from tealeaves.metrics.catalogue.relevance import lrp_sum

        metric = lrp_sum if self.top is None else lrp_sum @ self.top
        found = metric.score(models, evidence, wording)
        return np.concatenate([result.values for result in found])

    @staticmethod
    def _relevance_provenance(evidence: Evidence) -> str:
        """Return what the relevance at hand is of, if there is any."""
        from tealeaves.evidence.requests import RelevanceRequest

        return evidence.relevance.provenance if evidence.has(RelevanceRequest()) else ""

    # ------------------------------------------------------------------ what it rests on

    def missing(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> list[list[str]]:
        """Return for each model the words that the corpus lacks, where there is one."""
        from tealeaves.consensus.remarks import absent_words

        return [absent_words(self.sources(model, evidence, wording)) for model in models]

    def caveats(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[str]:
        """Say which sources were asked, and what would help."""
        from tealeaves.consensus.remarks import remarks_on

        found = [self.sources(model, evidence, wording) for model in models]
        notes = remarks_on(found)
        if self.settings.kind == "ranks":
            number = sum(len(sources.model) for sources in found if sources.names)
            notes.append(
                f"consensus: ranks among {number} topics of this run: others beside them change "
                "the numbers"
            )
        return notes

    def origin(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return the judges and the sources; for ranks, a digest of all topics too."""
        from tealeaves.consensus.judges import open_judges
        from tealeaves.consensus.remarks import provenance

        judges = f"judges={open_judges().signature}"  # which know the scales of embeddings, too
        if self.settings.kind == "learned":
            return f"{judges}|{provenance(self.sources(model, evidence, evidence.wording))}"
        able = [one for one in models if not self.why_not(one)]
        sources = [self.sources(one, evidence, evidence.wording) for one in able]
        ranked = [one for one in sources if one.names]
        topics = [topic for one in ranked for topic in one.model.topics]
        words = [list(topic.words[: self.top]) for topic in topics]
        among = blake2b(msgspec.json.encode(words), digest_size=8).hexdigest()
        others = {provenance(one) for one in ranked}
        relevance = self._relevance_provenance(evidence)
        return "|".join(filter(None, [judges, *sorted(others), relevance, f"among={among}"]))


def _learned(judged: Sequence[ModelSources]) -> list[Result]:
    """Return what judges predict of each model, and the support."""
    from tealeaves.consensus.judges import open_judges
    from tealeaves.consensus.judging import verdicts

    judgments = [verdicts(sources, open_judges()) for sources in judged]
    return [Result(one.values, one.support) for one in judgments]


def by_model(judged: Sequence[ModelSources], values: Sequence[T]) -> dict[Identity, T]:
    """Return the value of each model that was judged, by the model itself."""
    models = [Identity(sources.model) for sources in judged]
    return dict(zip(models, values, strict=True))


def rows_of(models: Sequence[Topics]) -> Iterator[tuple[Topics, slice]]:
    """Yield models and where their topics stand among those of all."""
    start = 0
    for model in models:
        yield model, slice(start, start + len(model))
        start += len(model)
