"""Attention sum, LRP sum, Improved LRP sum, Count, and co-occurrence, their control."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import msgspec

from tealeaves.errors import InputError
from tealeaves.metrics.relevant.choosing import HeadMetric, HeadSettings
from tealeaves.metrics.relevant.family import RelevanceMetric, RelevanceSettings
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.evidence.relevance.relevance import Relevance
    from tealeaves.metrics.relevant.family import Numbers

INFINITE = float("inf")
PAPER = "Kataeva & Khodorchenko"
_SIGNS = (
    "pairs are counted after summing the important heads, which are fixed: "
    "heads can be chosen with by=heads"
)


class AttentionSettings(HeadSettings, frozen=True, kw_only=True):
    """The parameters of the attention sum.

    Parameters
    ----------
    heads
        The most ``confident`` head of each layer, or the mean of ``all``.
    """

    heads: Literal["confident", "all"] = "confident"


class LrpSettings(HeadSettings, frozen=True, kw_only=True):
    """The parameters of sums of relevance.

    Parameters
    ----------
    heads
        ``important``: those with more than an equal share of their layer's relevance; ``top1``: the
        most important of each layer; a number: so many most important ones; or ``all``.
    """

    heads: Annotated[int, msgspec.Meta(ge=1)] | Literal["important", "top1", "all"] = "important"


class CountSettings(LrpSettings, frozen=True, kw_only=True):
    """The parameters of Count.

    Parameters
    ----------
    by
        What must be above 0: the ``sum`` over the important heads, or each of the ``heads`` by
        itself.
    """

    by: Literal["sum", "heads"] = "sum"


class ControlSettings(RelevanceSettings, frozen=True, kw_only=True):
    """The parameters of co-occurrence.

    Parameters
    ----------
    reduction
        ``sum`` adds up over all texts; ``text`` divides by the number of texts that hold two of the
        topic's words.
    """

    reduction: Literal["sum", "text"] = "sum"


@dataclass(frozen=True, repr=False, eq=False)
class AttentionSum(HeadMetric):
    """The mean over layers of the attention that the chosen heads pay."""

    settings: AttentionSettings

    def numbers(self, relevance: Relevance) -> Numbers:
        """Take the fixed heads' sums, or those of the heads of a rule."""
        heads = self.chosen(relevance, self.settings.heads)
        if (heads == (relevance.fixed.confident[:, None] == range(heads.shape[1]))).all():
            return relevance.sums[:, 0], relevance.text_values[:, 0]
        weights = heads / heads.sum(axis=1, keepdims=True) / len(heads)
        return self.by_head(relevance.attention, weights, "confident"), None


@dataclass(frozen=True, repr=False, eq=False)
class LrpSum(HeadMetric):
    """The relevance that the chosen heads pass on."""

    settings: LrpSettings

    def numbers(self, relevance: Relevance) -> Numbers:
        """Take the fixed heads' sums, or those of the heads of a rule."""
        heads = self.chosen(relevance, self.settings.heads)
        if (heads == relevance.fixed.important).all():
            return relevance.sums[:, 1], relevance.text_values[:, 1]
        return self.by_head(relevance.lrp, heads, "important"), None


@dataclass(frozen=True, repr=False, eq=False)
class ImprovedLrpSum(RelevanceMetric):
    """The relevance of all layers rolled out."""

    improved: ClassVar[bool] = True

    def numbers(self, relevance: Relevance) -> Numbers:
        """Take the sums, where they were gathered."""
        if not relevance.stamp.improved:
            raise InputError(
                f"{self!r}: the relevance was gathered without Improved LRP: gather it again with "
                "it (`tealeaves relevance gather`)"
            )
        return relevance.sums[:, 2], relevance.text_values[:, 2]


@dataclass(frozen=True, repr=False, eq=False)
class RelevanceCount(HeadMetric):
    """The number of pairs of positions whose relevance is above 0."""

    settings: CountSettings

    def lacks(self, model: Topics) -> str:
        """Say that signs are counted only for the sum over the fixed heads."""
        if self.settings.by == "heads" or self.settings.heads == "important":
            return super().lacks(model)
        return _SIGNS

    def numbers(self, relevance: Relevance) -> Numbers:
        """Take the counts of the summed heads, or those of each chosen head."""
        heads = self.chosen(relevance, self.settings.heads)
        if self.settings.by == "heads":
            return self.by_head(relevance.positive, heads, "important by=sum"), None
        if self.settings.heads != "important":
            raise InputError(f"{self!r}: {_SIGNS}")
        if not (heads == relevance.fixed.important).all():
            raise InputError(
                f"{self!r}: pairs were counted after summing the heads that are important in the "
                "first sample, not in all texts: take of=sample, or by=heads"
            )
        return relevance.counted, relevance.text_counted


@dataclass(frozen=True, repr=False, eq=False)
class Cooccurrence(RelevanceMetric):
    """The number of pairs of positions."""

    def numbers(self, relevance: Relevance) -> Numbers:
        """Take the pairs of positions."""
        return relevance.together, relevance.text_together


_MISLEADS = """\
    Misleads: sums grow with the number of texts and with frequent words, so compare only models
    that are scored on the same texts. Most of it is that the words occur together: always look at
    cooccurrence of the same texts beside it. The error is that of having taken these texts: how far
    other texts like these would have it otherwise. It is not known where heads are not the fixed
    ones, nor by text or pair where one text holds two of a topic's words; then not of the model.
"""

attention_sum = AttentionSum(
    name="attention_sum",
    summary="attention between a topic's words in a classifier",
    better="higher",
    bounds=(0.0, INFINITE),
    cite=f"{PAPER}; Voita et al. 2019",
    settings=AttentionSettings(),
    accepts=("heads", "of", "reduction"),
    aliases=("attn_sum",),
    details=f"""\
    The attention that positions of different words of the topic pay each other in a text, both
    ways: that of the most confident head of each layer, averaged over layers, summed over all
    pairs of positions and all texts. A head is as confident as its largest attention is high, on
    average. Attention to the pieces of a word is summed, attention of its pieces averaged.

    Defaults: heads=confident, as they were fixed by the first sample of texts; heads=all takes the
    mean over all heads; all words of the topics (10 or 15 are usual: @10).
{_MISLEADS}""",
)

lrp_sum = LrpSum(
    name="lrp_sum",
    summary="relevance that passes between a topic's words in a classifier",
    better="higher",
    bounds=(-INFINITE, INFINITE),
    cite=f"{PAPER}; Voita et al. 2019; Ali et al. 2022",
    settings=LrpSettings(),
    accepts=("heads", "of", "reduction"),
    details=f"""\
    The relevance for the class of a text that passes in attention between positions of different
    words of the topic, both ways, summed over the important heads of all layers and all texts. A
    text has relevance 1, which layerwise relevance propagation shares out without loss; parts of it
    may be negative.

    Defaults: heads=important, those with more than an equal share of their layer's relevance, with
    its sign, as they were fixed by the first sample of texts; the predicted class; all words of the
    topics.
    With a classifier that reads the first token only, the last layer has no relevance between
    words: what is summed is of the layers before.
{_MISLEADS}""",
)

improved_lrp_sum = ImprovedLrpSum(
    name="improved_lrp_sum",
    summary="relevance between a topic's words, rolled out over layers",
    better="higher",
    bounds=(0.0, INFINITE),
    cite=f"{PAPER}; Chefer, Gur & Wolf 2021",
    settings=RelevanceSettings(),
    accepts=("reduction",),
    details=f"""\
    As lrp_sum, of one matrix for each text: the product over layers of the identity plus the mean
    over heads of the positive part of gradient times relevance, by the rules of deep Taylor
    decomposition. Rows are not normalised.

    Defaults: all heads, all layers, the predicted class, all words of the topics. It is never
    negative, and small: 0.0001 is much.
{_MISLEADS}""",
)

relevance_count = RelevanceCount(
    name="relevance_count",
    summary="pairs of a topic's words with relevance above 0",
    better="higher",
    bounds=(0.0, INFINITE),
    cite=f"{PAPER}; Voita et al. 2019; Ali et al. 2022",
    settings=CountSettings(),
    accepts=("heads", "of", "by", "reduction"),
    details=f"""\
    Count: how many pairs of positions of different words of the topic, each both ways, have a
    relevance above 0, over all texts.

    Defaults: the relevance is summed over the important heads, as they were fixed by the first
    sample of texts, then its sign is taken; by=heads counts each of the heads by itself, and adds
    up. reduction=pair is the share of pairs with a relevance above 0.
    It correlates with cooccurrence by .95 and more.
{_MISLEADS}""",
)

cooccurrence = Cooccurrence(
    name="cooccurrence",
    summary="pairs of a topic's words in the same texts: the control",
    better="higher",
    bounds=(0.0, INFINITE),
    cite="the control for metrics of attention and relevance",
    settings=ControlSettings(),
    accepts=("reduction",),
    details="""\
    How many pairs of positions of different words of the topic, each both ways, are in the texts
    that the classifier read, within the word pieces that it read of them. No network is in it: what
    attention_sum, lrp_sum, improved_lrp_sum and relevance_count add to it is what the network adds.

    Defaults: all words of the topics.
    Misleads: it grows with the number of texts, and frequent words have it all: npmi divides by
    what their frequency alone would give.
    """,
)
