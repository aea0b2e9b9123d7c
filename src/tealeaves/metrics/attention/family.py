"""``RelevanceMetric``: base class of metrics of attention and relevance in a classifier."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar, Literal

import msgspec

from tealeaves.errors import InputError
from tealeaves.evidence.requests import RelevanceRequest
from tealeaves.metrics.attention.topic_sums import TopicRows, reduced_results
from tealeaves.metrics.base import Metric, Result, lack_of_two_words
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Array
    from tealeaves.evidence.attention.relevance import Relevance
    from tealeaves.evidence.evidence import Evidence
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.base import AnyRequest

    # the value of each row, and of each row in each text, if that is known
    RowValues = tuple[Array, Array | None]

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
    """A sum over all texts and all ordered pairs of different words of a topic."""

    settings: RelevanceSettings

    #: Whether it needs Improved LRP, which takes most of the time.
    improved: ClassVar[bool] = False
    reads_relevance: ClassVar[bool] = True
    control: ClassVar[str] = "cooccurrence"
    source: ClassVar[str] = "relevance in a classifier"
    why_undefined: ClassVar[str] = "because no text that was read holds two of its words"

    def lacks(self, model: Topics) -> str:
        """Say that a topic needs two words or more."""
        return lack_of_two_words(model, self.top)

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[AnyRequest]:
        """Ask for the relevance of the first words, and of the pairs within each topic."""
        yield RelevanceRequest(*wording.pairs(models, self.top), improved=self.improved)

    @abstractmethod
    def numbers(self, relevance: Relevance) -> RowValues:
        """Return the value of each row (an ordered pair of words), and of each row in each text."""

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Score all models at once."""
        relevance = evidence.relevance
        values, entries = self.numbers(relevance)
        # all metrics of these models share the rows
        topics = wording.memo.once(_topic_rows, models, relevance, self.top, wording)
        if not topics.seen.any():
            raise InputError(
                f"{self!r} cannot be computed: none of the {relevance.texts} texts that were read "
                "holds two words of a topic; give more texts, or topics of these texts"
            )
        bounds = [0, *accumulate(len(model) for model in models)]
        return reduced_results(topics, values, entries, self.settings.reduction, bounds)

    def provenance(self, evidence: Evidence) -> str:
        """Name the classifier, the tokens and the texts."""
        return evidence.relevance.provenance

    def caveats(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[str]:
        """Say which texts the classifier read."""
        return [_texts_note(evidence.relevance), *_source_notes(evidence)]


def _topic_rows(
    models: Sequence[Topics], relevance: Relevance, top: int | None, wording: Wording
) -> TopicRows:
    return TopicRows.of(wording.lists(models), relevance, top)


def _texts_note(relevance: Relevance) -> str:
    """Say how many texts were read, left out, cut, and without relevance."""
    totals, stamp = relevance.totals, relevance.stamp
    note = f"relevance: {stamp.classifier} read {_texts(totals.used)}"
    if totals.left:
        note += f", drawn at random, and left {totals.left}"
    if totals.cut:
        note += f"; {_texts(totals.cut)} cut at {stamp.longest} word pieces"
    if totals.undecided:
        note += f"; {_texts(totals.undecided)} without relevance (a logit of 0)"
    return note + ": the numbers are rough" * (totals.used < _FEW_TEXTS)


def _source_notes(evidence: Evidence) -> list[str]:
    """Say that the classifier read other texts than those that were counted."""
    read = set(evidence.relevance.fingerprint.spans)
    counted = {source for counts in evidence for source in counts.fingerprint.spans}
    if not counted or read <= counted:  # some counted sources may have no text that is used
        return []
    return [
        "relevance is of other texts than those that were counted (--corpus, --counts): the "
        "metrics in this table do not rest on the same texts"
    ]


def _texts(number: int) -> str:
    return "1 text" if number == 1 else f"{number} texts"
