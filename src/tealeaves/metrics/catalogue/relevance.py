"""Attention sum, LRP sum, Improved LRP sum, Count, and co-occurrence, their control."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import msgspec

from tealeaves.errors import InputError
from tealeaves.metrics.attention.family import RelevanceMetric, RelevanceSettings
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Array, Bools
    from tealeaves.evidence.attention.relevance import Relevance
    from tealeaves.metrics.attention.family import RowValues

_INFINITE = float("inf")
_PAPER = "Kataeva & Khodorchenko"
_FIXED_HEADS = (
    "pairs are counted after summing the important heads, which are fixed: "
    "heads can be chosen with by=heads"
)


class HeadSettings(RelevanceSettings, frozen=True, kw_only=True):
    """The parameters of metrics that choose heads.

    Parameters
    ----------
    of
        The texts by which heads are chosen: the first ``sample``, which fixes them before the other
        texts are read, or all ``texts`` that were read.
    """

    of: Literal["sample", "texts"] = "sample"


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
        most important of each layer; a number: that many most important ones; or ``all``.
    """

    heads: Annotated[int, msgspec.Meta(ge=1)] | Literal["important", "top1", "all"] = "important"


class RelevanceCountSettings(LrpSettings, frozen=True, kw_only=True):
    """The parameters of Count.

    Parameters
    ----------
    by
        What must be above 0: the ``sum`` over the important heads, or each of the ``heads`` by
        itself.
    """

    by: Literal["sum", "heads"] = "sum"


class CooccurrenceSettings(RelevanceSettings, frozen=True, kw_only=True):
    """The parameters of co-occurrence.

    Parameters
    ----------
    reduction
        ``sum`` adds up over all texts; ``text`` divides by the number of texts that hold two of the
        topic's words.
    """

    reduction: Literal["sum", "text"] = "sum"


@dataclass(frozen=True, repr=False, eq=False)
class HeadMetric(RelevanceMetric):
    """A metric of heads that are chosen by a rule."""

    settings: HeadSettings

    def chosen_heads(self, relevance: Relevance, rule: str | int) -> Bools:
        """Return which heads a rule chooses, layers times heads."""
        from tealeaves.evidence.attention.heads import select_heads

        sample = self.settings.of == "sample"
        return select_heads(relevance.sample if sample else relevance.statistics, rule)

    def weighted_sum(self, values: Array | None, weights: Array, default: str) -> Array:
        """Sum over heads with weights; refuse if the values of single heads were not kept."""
        if values is None:
            raise InputError(
                f"{self!r}: the relevance holds only the sums of the heads that were fixed: take "
                f"heads={default} of=sample, or gather it again with each head by itself"
            )
        flat = values.reshape(len(values), weights.size)
        total: Array = flat @ weights.ravel().astype(values.dtype)
        return total


@dataclass(frozen=True, repr=False, eq=False)
class AttentionSum(HeadMetric):
    """The attention of the chosen heads, averaged over layers."""

    settings: AttentionSettings

    def numbers(self, relevance: Relevance) -> RowValues:
        """Take the sums of the fixed heads, or those of the heads that a rule chooses."""
        heads = self.chosen_heads(relevance, self.settings.heads)
        if (heads == (relevance.fixed.confident[:, None] == range(heads.shape[1]))).all():
            return relevance.sums[:, 0], relevance.text_values[:, 0]
        weights = heads / heads.sum(axis=1, keepdims=True) / len(heads)
        return self.weighted_sum(relevance.attention, weights, "confident"), None


@dataclass(frozen=True, repr=False, eq=False)
class LrpSum(HeadMetric):
    """The relevance that the chosen heads pass on."""

    settings: LrpSettings

    def numbers(self, relevance: Relevance) -> RowValues:
        """Take the sums of the fixed heads, or those of the heads that a rule chooses."""
        heads = self.chosen_heads(relevance, self.settings.heads)
        if (heads == relevance.fixed.important).all():
            return relevance.sums[:, 1], relevance.text_values[:, 1]
        return self.weighted_sum(relevance.lrp, heads, "important"), None


@dataclass(frozen=True, repr=False, eq=False)
class ImprovedLrpSum(RelevanceMetric):
    """The relevance of all layers rolled out."""

    improved: ClassVar[bool] = True

    def numbers(self, relevance: Relevance) -> RowValues:
        """Take the sums; refuse if they were not gathered."""
        if not relevance.stamp.improved:
            raise InputError(
                f"{self!r}: the relevance was gathered without Improved LRP: gather it again with "
                "it (`tealeaves relevance gather`)"
            )
        return relevance.sums[:, 2], relevance.text_values[:, 2]


@dataclass(frozen=True, repr=False, eq=False)
class RelevanceCount(HeadMetric):
    """The number of pairs of positions whose relevance is above 0."""

    settings: RelevanceCountSettings

    def lacks(self, model: Topics) -> str:
        """Say that signs are counted only for the sum over the fixed heads."""
        if self.settings.by == "heads" or self.settings.heads == "important":
            return super().lacks(model)
        return _FIXED_HEADS

    def numbers(self, relevance: Relevance) -> RowValues:
        """Take the counts of the summed heads, or those of each chosen head."""
        heads = self.chosen_heads(relevance, self.settings.heads)
        if self.settings.by == "heads":
            return self.weighted_sum(relevance.positive, heads, "important by=sum"), None
        if self.settings.heads != "important":
            raise InputError(f"{self!r}: {_FIXED_HEADS}")
        if not (heads == relevance.fixed.important).all():
            raise InputError(
                f"{self!r}: pairs were counted after summing the heads that are important in the "
                "first sample, not in all texts: take of=sample, or by=heads"
            )
        return relevance.counted, relevance.text_counted


@dataclass(frozen=True, repr=False, eq=False)
class Cooccurrence(RelevanceMetric):
    """The number of pairs of positions."""

    def numbers(self, relevance: Relevance) -> RowValues:
        """Take the pairs of positions."""
        return relevance.together, relevance.text_together


_PAIRS = r"\sum_{s} \sum_{(i, j) \in P_s} "
_IMPORTANT = r"\sum_{(l, h) \in H} R_{l,h}(i, j)"
_RELEVANCE = (
    r", \quad R_{l,h}(i, j) = \frac{A_{l,h}(i, j)}{\lvert f \rvert} "
    r"\left( \frac{\partial f}{\partial O_{l,h}(i)} \cdot V_{l,h}(j) \right), \quad "
    r"H = \left\{ (l, h) \, : \, "
    r"\frac{r_{l,h}}{\lvert \sum_{g} r_{l,g} \rvert} > \frac{1}{N} \right\}"
)

_LETTERS = "    P_s are the ordered pairs of positions of different words of the topic in text s."
_HEADS = """\
    R_{l,h}(i, j) is the relevance that passes from i to j in head h of layer l, summed over the
    pieces of both words: A is the attention, V are the values, O = A V, f is the logit, and the
    derivative is that of the linearised network. r_{l,h} is the relevance of a head in the first
    sample of texts, N the number of heads of a layer."""
_ERROR = """\
    The error says how much the value would vary with other texts like these. It is not known if
    heads other than the fixed ones are chosen, nor, with reduction=text or pair, if only one text
    holds two of a topic's words; then that of the model is not known either."""
_MISLEADS = (
    "Sums grow with the number of texts and with frequent words, so compare only models that are "
    "scored on the same texts. Most of a sum comes from how often the words occur together: always "
    "compare it with cooccurrence on the same texts. "
)

attention_sum = AttentionSum(
    name="attention_sum",
    summary="attention between a topic's words in a classifier",
    better="higher",
    bounds=(0.0, _INFINITE),
    cite=f"{_PAPER}; Voita et al. 2019",
    settings=AttentionSettings(),
    accepts=("heads", "of", "reduction"),
    aliases=("attn_sum",),
    formula=_PAIRS + r"\frac{1}{L} \sum_{l=1}^{L} A_{l,h_l}(i, j)",
    misleads=_MISLEADS
    + (
        "Confident heads often attend to the previous word or to the ends of the text, whatever "
        "the words mean: for single topics it added nothing to the control on 20 Newsgroups."
    ),
    details=f"""\
    The attention between positions of different words of the topic in a text, in both directions:
    that of the most confident head h_l of each layer l, averaged over the L layers, summed over all
    pairs of positions and all texts. The confidence of a head is its largest attention, on average.
    Attention to the pieces of a word is summed, attention of its pieces is averaged.
{_LETTERS}

    Defaults: heads=confident, as they were fixed by the first sample of texts; heads=all takes the
    mean over all heads; all words of the topics (10 or 15 are usual: @10).
{_ERROR}
    """,
)

lrp_sum = LrpSum(
    name="lrp_sum",
    summary="relevance that passes between a topic's words in a classifier",
    better="higher",
    bounds=(-_INFINITE, _INFINITE),
    cite=f"{_PAPER}; Voita et al. 2019; Ali et al. 2022",
    settings=LrpSettings(),
    accepts=("heads", "of", "reduction"),
    formula=_PAIRS + _IMPORTANT + _RELEVANCE,
    misleads=_MISLEADS
    + (
        "It is relevance for the classes of one classifier: words that do not help to tell these "
        "classes apart pass on little relevance, however coherent they are."
    ),
    details=f"""\
    The relevance for the class of a text that passes in attention between positions of different
    words of the topic, in both directions, summed over the important heads H of all layers and all
    texts.
{_LETTERS}
{_HEADS}
    A text has relevance 1, which layerwise relevance propagation distributes without loss; parts
    of it may be negative.

    Defaults: heads=important, those with more than an equal share of their layer's relevance, with
    its sign, as they were fixed by the first sample of texts; the predicted class; all words of the
    topics.
    With a classifier that reads only the first token, the last layer has no relevance between
    words: the sum is over the layers before it.
{_ERROR}
    """,
)

improved_lrp_sum = ImprovedLrpSum(
    name="improved_lrp_sum",
    summary="relevance between a topic's words, rolled out over layers",
    better="higher",
    bounds=(0.0, _INFINITE),
    cite=f"{_PAPER}; Chefer, Gur & Wolf 2021",
    settings=RelevanceSettings(),
    formula=(
        _PAIRS + r"C_s(i, j), \quad C_s = \bar{A}_L \cdots \bar{A}_1, \quad "
        r"\bar{A}_l = I + \frac{1}{N} \sum_{h=1}^{N} (\nabla A_{l,h} \odot R_{l,h})^{+}"
    ),
    misleads=_MISLEADS
    + (
        "On 20 Newsgroups it added nothing to the control, neither for models nor for single "
        "topics."
    ),
    details=f"""\
    Like lrp_sum, but with one matrix C_s for each text: the product over the L layers of the
    identity I plus the mean over the N heads of the positive part of gradient times relevance R, by
    the rules of deep Taylor decomposition. Over the pieces of words, it is summed over j and
    averaged over i. Rows are not normalised.
{_LETTERS}

    Defaults: all heads, all layers, the predicted class, all words of the topics. It is never
    negative, and small: 0.0001 is a large value.
{_ERROR}
    """,
)

relevance_count = RelevanceCount(
    name="relevance_count",
    summary="pairs of a topic's words with relevance above 0",
    better="higher",
    bounds=(0.0, _INFINITE),
    cite=f"{_PAPER}; Voita et al. 2019; Ali et al. 2022",
    settings=RelevanceCountSettings(),
    accepts=("heads", "of", "by", "reduction"),
    formula=_PAIRS + r"\left[ " + _IMPORTANT + r" > 0 \right]" + _RELEVANCE,
    misleads=_MISLEADS + "It correlates with cooccurrence by .95 and more.",
    details=f"""\
    Count: the number of pairs of positions of different words of the topic, in both directions,
    with a relevance above 0, over all texts. [...] is 1 if the condition holds, else 0.
{_LETTERS}
{_HEADS}

    Defaults: the relevance is summed over the important heads H, as they were fixed by the first
    sample of texts, and then its sign is taken; by=heads counts each head by itself and adds up the
    counts. reduction=pair is the share of pairs with a relevance above 0.
{_ERROR}
    """,
)

cooccurrence = Cooccurrence(
    name="cooccurrence",
    summary="pairs of a topic's words in the same texts: the control",
    better="higher",
    bounds=(0.0, _INFINITE),
    cite="the control for metrics of attention and relevance",
    settings=CooccurrenceSettings(),
    formula=r"\sum_{s} \lvert P_s \rvert",
    misleads=(
        "It grows with the number of texts, and frequent words dominate it: npmi divides by what "
        "their frequency alone would give. One text that repeats two words ten times each adds "
        "200."
    ),
    details=f"""\
    The number of pairs of positions of different words of the topic, in both directions, in the
    texts that the classifier read, as far as it read them. No network is involved: what
    attention_sum, lrp_sum, improved_lrp_sum and relevance_count tell beyond it comes from the
    network.
{_LETTERS}

    Defaults: all words of the topics.
    """,
)
