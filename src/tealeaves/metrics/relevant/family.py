"""``RelevanceMetric``: metrics of what passes between the words of topics in a classifier."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import msgspec

from tealeaves.errors import InputError
from tealeaves.evidence.relevance.request import RelevanceRequest
from tealeaves.metrics.base import Metric, Result
from tealeaves.metrics.two_words import lack_of_two_words
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.relevance.relevance import Relevance
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.base import Need
    from tealeaves.metrics.relevant.rows import TopicRows

    # a number of each row, and of each row in each text, where that is known
    Numbers = tuple[NDArray[Any], NDArray[Any] | None]

CONTROL = "cooccurrence"
_FEW_TEXTS = 50


class RelevanceSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of all metrics of relevance.

    Parameters
    ----------
    reduction
        ``sum`` adds up over all texts; ``text`` divides by the number of texts that hold two of the
        topic's words, ``pair`` by the number of pairs of their positions in the texts.
    """

    reduction: Literal["sum", "text", "pair"] = "sum"


@dataclass(frozen=True, repr=False, eq=False)
class RelevanceMetric(Metric):
    """A sum over all texts, and over all pairs of different words of a topic, both ways."""

    settings: RelevanceSettings

    #: Whether it needs Improved LRP, which takes most of the time.
    improved: ClassVar[bool] = False
    reads_relevance: ClassVar[bool] = True
    control: ClassVar[str] = CONTROL

    @property
    def source(self) -> str:
        """A classifier that reads the texts."""
        return "relevance in a classifier"

    @property
    def why_undefined(self) -> str:
        """Why a topic may have no score."""
        return "as no text that was read holds two of its words"

    def lacks(self, model: Topics) -> str:
        """Say that there must be two words at least."""
        return lack_of_two_words(model, self.top)

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[Need]:
        """Ask for the relevance of the first words, and of the pairs within each topic."""
        yield RelevanceRequest(*wording.pairs(models, self.top), improved=self.improved)

    @abstractmethod
    def numbers(self, relevance: Relevance) -> Numbers:
        """Return the number of each row, and of each row in each text."""

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Score all models at once."""
        from tealeaves.metrics.relevant.reducing import results

        relevance = evidence.relevance
        values, entries = self.numbers(relevance)
        topics = self._rows(models, relevance, wording)
        if not topics.seen.any():
            raise InputError(
                f"{self!r} cannot be computed: none of the {relevance.texts} texts that were read "
                "holds two words of a topic: give more texts, or topics of these texts"
            )
        bounds = [0, *accumulate(len(model) for model in models)]
        return results(topics, values, entries, self.settings.reduction, bounds)

    def _rows(self, models: Sequence[Topics], relevance: Relevance, wording: Wording) -> TopicRows:
        """Return where the words of topics are; the same for all metrics of these models."""
        from tealeaves.metrics.relevant.rows import TopicRows

        key = (TopicRows, *(id(model) for model in models), id(relevance), self.top)
        found = wording.kept.get(key)
        if found is None:
            rows = TopicRows.of(wording.lists(models), relevance, self.top)
            # the models and the relevance are kept with it, so that their ids stay taken
            found = wording.kept[key] = (rows, list(models), relevance)
        known: TopicRows = found[0]
        return known

    def provenance(self, evidence: Evidence) -> str:
        """Name the classifier, the tokens and the texts."""
        return evidence.relevance.provenance

    def caveats(
        self,
        models: Sequence[Topics],  # noqa: ARG002
        evidence: Evidence,
        wording: Wording,  # noqa: ARG002
    ) -> list[str]:
        """Say which texts the classifier read."""
        return [read_texts(evidence.relevance), *_other_texts(evidence)]


def read_texts(relevance: Relevance) -> str:
    """Say what became of the texts."""
    totals, stamp = relevance.totals, relevance.stamp
    said = f"relevance: {stamp.classifier} read {_texts(totals.used)}"
    if totals.left:
        said += f", drawn at random, and left {totals.left}"
    if totals.cut:
        said += f"; {_texts(totals.cut)} cut at {stamp.longest} word pieces"
    if totals.undecided:
        said += f"; {_texts(totals.undecided)} without relevance (a logit of 0)"
    return said + ": the numbers are rough" * (totals.used < _FEW_TEXTS)


def _other_texts(evidence: Evidence) -> list[str]:
    """Say that what was counted and what the classifier read are not of the same sources."""
    read = set(evidence.relevance.fingerprint.spans)
    counted = {source for one in evidence for source in one.fingerprint.spans}
    if not counted or read <= counted:  # of the counted sources some may have no text that is used
        return []
    return [
        "relevance is of other texts than those that were counted (--corpus, --counts): the "
        "metrics in this table do not rest on the same texts"
    ]


def _texts(number: int) -> str:
    return "1 text" if number == 1 else f"{number} texts"
