"""``IntruderMetric``: what becomes of a topic when a word of another topic comes in."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.evidence.request import Request
from tealeaves.evidence.units import Unit
from tealeaves.expressions import Value
from tealeaves.metrics.base import Result
from tealeaves.metrics.embedded.family import EmbeddingMetric, EmbeddingSettings
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats, Integers
    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.base import Need
    from tealeaves.metrics.embedded.intrusion import Meeting
    from tealeaves.metrics.embedded.space import Space

_MOST_DRAWS = 1_000_000
_MOST_KEPT = 4_000_000  # probabilities of intruders that are kept for other metrics: 32 MB


class IntruderSettings(EmbeddingSettings, frozen=True, kw_only=True):
    """How intruders are drawn.

    Parameters
    ----------
    draws
        ``all``: the exact expectation over all intruders; or how many are drawn for each topic.
    seed
        Where random numbers start, for ``draws`` that are a number; none: 0.
    intruders
        ``uniform``: any topic, any of its words; ``matched``: about as frequent in the texts as
        the topic's words.
    compat
        ``stream``: as STREAM computes it.
    """

    draws: Annotated[int, Meta(ge=1, le=_MOST_DRAWS)] | Literal["all"] = "all"
    seed: Annotated[int, Meta(ge=0)] | None = None
    intruders: Literal["uniform", "matched"] = "uniform"
    compat: Literal["stream"] | None = None


@dataclass(frozen=True, repr=False, eq=False)
class IntruderMetric(EmbeddingMetric):
    """The mean over intruders from other topics."""

    settings: IntruderSettings

    @property
    def source(self) -> str:
        """Vectors, and texts where intruders are matched by frequency."""
        texts = ", document counts" if self.settings.intruders == "matched" else ""
        return super().source + texts

    @property
    def why_undefined(self) -> str:
        """Why a topic may have no score."""
        matched = self.settings.intruders == "matched"
        known = ", whose frequency in the texts is known" if matched else ""
        return f"for lack of words with vectors, or of words that could intrude{known}"

    def why(self, model: Topics) -> str:
        """Why a topic of this model may have no score."""
        if len(model) == 1:
            return "as there is no other topic that a word could intrude from"
        if self.top is not None and self.top < self.least:
            return f"as it compares {self.least} words or more"
        return self.why_undefined

    def provenance(self, evidence: Evidence) -> str:
        """Return the tokens and texts by which intruders are matched."""
        matched = self.settings.intruders == "matched"
        return evidence.counts(Unit()).provenance if matched else ""

    def missing(
        self, models: Sequence[Topics], evidence: Evidence, wording: Wording
    ) -> list[list[str]]:
        """Return the words that the texts lack, by which intruders cannot be matched."""
        if self.settings.intruders != "matched":
            return [[] for _ in models]
        found = []
        for model in models:
            words = self.space(model, evidence, wording).words
            absent = self._frequencies(model, evidence, wording) == 0
            found.append([words[row] for row in absent.nonzero()[0]])
        return found

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[Need]:
        """Ask for vectors, and for frequencies where intruders are matched."""
        yield from super().needs(models, wording)
        if self.settings.intruders == "matched":
            words = {(m, w) for m in models for t in m.topics for w in t.words[: self.top]}
            terms = {wording.term_of(model, word) for model, word in words}
            yield Request(Unit(), frozenset(term for term in terms if term.tokens))

    def of_space(self, space: Space, model: Topics, evidence: Evidence, wording: Wording) -> Result:
        """Average over intruders, topic by topic."""
        import numpy as np

        classes = self._classes(model, evidence, wording)
        usable = space.known if classes is None else space.known & (classes >= 0)
        values, errors = np.full(len(space), np.nan), np.full(len(space), np.nan)
        support = np.zeros(len(space))
        drawn = self.settings.draws != "all"
        products = repeat(None, len(space)) if drawn else space.products()
        for t, (rows, to) in enumerate(zip(space.known_topics, products, strict=True)):
            base = self._uniform(space, t, wording)
            likely = self._likely(space, t, np.where(usable, base, 0.0), classes)
            if len(rows) >= self.least and likely.any():
                likely /= likely.sum()
                if to is None:
                    values[t], errors[t], share = self._drawn(space, rows, likely)
                else:
                    values[t], share = self._expected(space, rows, to, likely)
                # of base.sum, not of 1, so that where all are known it is 1, not a rounding less
                mass = base[usable].sum() / base.sum()
                words = usable[space.topics[t]].sum() / space.asked[t]
                support[t] = min(words, 1.0) * min(mass, 1.0) * share
        if not drawn:
            return Result(values, support)
        # random numbers come of the words: topics of the same words have the same draws
        shared = [frozenset(rows.tolist()) for rows in space.known_topics]
        return Result(values, support, error=errors, shared_draws=shared)

    @property
    def least(self) -> int:
        """How many words with vectors a topic must have."""
        return 1

    @abstractmethod
    def of_meeting(self, meeting: Meeting) -> Floats:
        """Return a column for each intruder; rows are the words it may take the place of."""

    def _uniform(self, space: Space, t: int, wording: Wording) -> Floats:
        """Return how likely each word is the intruder of a topic; kept for the other metrics."""
        from tealeaves.metrics.embedded.intruders import uniform

        own = self.settings.compat == "stream"
        if len(space) * len(space.words) > _MOST_KEPT:
            return uniform(space, t, own=own)
        # the space itself is kept there too, so that its id stays taken
        kept: dict[int, Floats] = wording.kept.setdefault((uniform, id(space), own), {})
        if t not in kept:
            kept[t] = uniform(space, t, own=own)
        return kept[t]

    def _likely(self, space: Space, t: int, base: Floats, classes: Floats | None) -> Floats:
        """Return how likely each of the usable words is the intruder of a topic."""
        from tealeaves.metrics.embedded.intruders import matched

        if classes is None:
            return base
        return matched(base, classes[space.known_topics[t]], classes)

    def _classes(self, model: Topics, evidence: Evidence, wording: Wording) -> Floats | None:
        """Return the frequency class of each word, where intruders are matched."""
        if self.settings.intruders != "matched":
            return None
        from tealeaves.metrics.embedded.intruders import frequency_classes

        return frequency_classes(self._frequencies(model, evidence, wording))

    def _frequencies(self, model: Topics, evidence: Evidence, wording: Wording) -> Integers:
        import numpy as np

        counts, words = evidence.counts(Unit()), self.space(model, evidence, wording).words
        terms = [wording.term_of(model, word) for word in words]
        return np.array([counts.single(term) if term.tokens else 0 for term in terms])

    def _expected(
        self, space: Space, rows: Integers, to: Floats, likely: Floats
    ) -> tuple[float, float]:
        """Return the mean over all intruders, and the share of them that has a value.

        ``to`` are the products of the topic's words with all, those too that cannot intrude: sooner
        than a copy of the others.
        """
        from tealeaves.metrics.embedded.intruders import expected
        from tealeaves.metrics.embedded.intrusion import Meeting

        return expected(self.of_meeting(Meeting(to[:, rows], to, space.squares)), likely)

    def _drawn(self, space: Space, rows: Integers, likely: Floats) -> tuple[float, float, float]:
        """Return the mean over drawn intruders, its error, and the share that has a value."""
        import numpy as np

        from tealeaves.metrics.embedded.intruders import generator_of, sampled
        from tealeaves.metrics.embedded.intrusion import Meeting

        rows = np.sort(rows)  # as the words of the space are: the order of words changes nothing
        random = generator_of([space.words[row] for row in rows], self.settings.seed or 0)
        at = np.flatnonzero(likely)
        # each intruder once, however often it is drawn
        drawn, where = np.unique(
            at[random.choice(len(at), size=int(self.settings.draws), p=likely[at])],
            return_inverse=True,
        )
        meeting = Meeting.of(space.vectors[rows], space.vectors[drawn])
        return sampled(self.of_meeting(meeting), where, random)

    def _changed(self, changes: dict[str, Value]) -> Any:
        draws = changes.get("draws", self.settings.draws)
        if draws == "all" and changes.get("seed") is not None:
            raise InputError(f"{self.name}: seed is for draws=N alone; draws=all draws nothing")
        seed = changes.get("seed", self.settings.seed)
        if draws == "all":
            seed = None
        elif seed is None:
            seed = 0
        return super()._changed(changes | {"seed": seed})

    def _shown(self, changed: dict[str, Value]) -> dict[str, Value]:
        return {n: v for n, v in changed.items() if n != "seed" or v not in (None, 0)}
