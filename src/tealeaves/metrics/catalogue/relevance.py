"""Attention sum, LRP sum, Improved LRP sum, Count, and co-occurrence, their control."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import msgspec

from tealeaves.errors import InputError
from tealeaves.metrics.relevant import formulas
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


attention_sum = AttentionSum(
    name="attention_sum",
    summary="attention between a topic's words in a classifier",
    better="higher",
    bounds=(0.0, INFINITE),
    cite=f"{PAPER}; Voita et al. 2019",
    settings=AttentionSettings(),
    accepts=("heads", "of", "reduction"),
    aliases=("attn_sum",),
    formula=formulas.PAIRS + r"\frac{1}{L} \sum_{l=1}^{L} A_{l,h_l}(i, j)",
    misleads=formulas.MISLEADS
    + (
        "Confident heads often attend to the word before or to the ends of the text, whatever "
        "the words mean: for single topics it added nothing to the control on 20 Newsgroups."
    ),
    details=f"""\
    The attention that positions of different words of the topic pay each other in a text, both
    ways: that of the most confident head h_l of each layer l, averaged over the L layers, summed
    over all pairs of positions and all texts. A head is as confident as its largest attention is
    high, on average. Attention to the pieces of a word is summed, attention of its pieces averaged.
{formulas.LETTERS}

    Defaults: heads=confident, as they were fixed by the first sample of texts; heads=all takes the
    mean over all heads; all words of the topics (10 or 15 are usual: @10).
{formulas.ERROR}
    """,
)

lrp_sum = LrpSum(
    name="lrp_sum",
    summary="relevance that passes between a topic's words in a classifier",
    better="higher",
    bounds=(-INFINITE, INFINITE),
    cite=f"{PAPER}; Voita et al. 2019; Ali et al. 2022",
    settings=LrpSettings(),
    accepts=("heads", "of", "reduction"),
    formula=formulas.PAIRS + formulas.IMPORTANT + formulas.RELEVANCE,
    misleads=formulas.MISLEADS
    + (
        "It is relevance for the classes of one classifier: words that tell none of them apart "
        "pass little of it on, however coherent they are."
    ),
    details=f"""\
    The relevance for the class of a text that passes in attention between positions of different
    words of the topic, both ways, summed over the important heads H of all layers and all texts.
{formulas.LETTERS}
{formulas.HEADS}
    A text has relevance 1, which layerwise relevance propagation shares out without loss; parts of
    it may be negative.

    Defaults: heads=important, those with more than an equal share of their layer's relevance, with
    its sign, as they were fixed by the first sample of texts; the predicted class; all words of the
    topics.
    With a classifier that reads the first token only, the last layer has no relevance between
    words: what is summed is of the layers before.
{formulas.ERROR}
    """,
)

improved_lrp_sum = ImprovedLrpSum(
    name="improved_lrp_sum",
    summary="relevance between a topic's words, rolled out over layers",
    better="higher",
    bounds=(0.0, INFINITE),
    cite=f"{PAPER}; Chefer, Gur & Wolf 2021",
    settings=RelevanceSettings(),
    accepts=("reduction",),
    formula=(
        formulas.PAIRS + r"C_s(i, j), \quad C_s = \bar{A}_L \cdots \bar{A}_1, \quad "
        r"\bar{A}_l = I + \frac{1}{N} \sum_{h=1}^{N} (\nabla A_{l,h} \odot R_{l,h})^{+}"
    ),
    misleads=formulas.MISLEADS
    + (
        "On 20 Newsgroups it added nothing to the control, neither for models nor for single "
        "topics."
    ),
    details=f"""\
    As lrp_sum, of one matrix C_s for each text: the product over the L layers of the identity I
    plus the mean over the N heads of the positive part of gradient times relevance R, by the rules
    of deep Taylor decomposition. Of the pieces of words it is the sum over j and the mean over i.
    Rows are not normalised.
{formulas.LETTERS}

    Defaults: all heads, all layers, the predicted class, all words of the topics. It is never
    negative, and small: 0.0001 is much.
{formulas.ERROR}
    """,
)

relevance_count = RelevanceCount(
    name="relevance_count",
    summary="pairs of a topic's words with relevance above 0",
    better="higher",
    bounds=(0.0, INFINITE),
    cite=f"{PAPER}; Voita et al. 2019; Ali et al. 2022",
    settings=CountSettings(),
    accepts=("heads", "of", "by", "reduction"),
    formula=formulas.PAIRS + r"\left[ " + formulas.IMPORTANT + r" > 0 \right]" + formulas.RELEVANCE,
    misleads=formulas.MISLEADS + "It correlates with cooccurrence by .95 and more.",
    details=f"""\
    Count: how many pairs of positions of different words of the topic, each both ways, have a
    relevance above 0, over all texts. [...] is 1 where that holds, else 0.
{formulas.LETTERS}
{formulas.HEADS}

    Defaults: the relevance is summed over the important heads H, as they were fixed by the first
    sample of texts, then its sign is taken; by=heads counts each of the heads by itself, and adds
    up. reduction=pair is the share of pairs with a relevance above 0.
{formulas.ERROR}
    """,
)

cooccurrence = Cooccurrence(
    name="cooccurrence",
    summary="pairs of a topic's words in the same texts: the control",
    better="higher",
    bounds=(0.0, INFINITE),
    cite="the control for metrics of attention and relevance",
    settings=ControlSettings(),
    accepts=("reduction",),
    formula=r"\sum_{s} \lvert P_s \rvert",
    misleads=(
        "It grows with the number of texts, and frequent words have it all: npmi divides by what "
        "their frequency alone would give. One text that repeats two words ten times each adds "
        "200."
    ),
    details=f"""\
    How many pairs of positions of different words of the topic, each both ways, are in the texts
    that the classifier read, within the word pieces that it read of them. No network is in it: what
    attention_sum, lrp_sum, improved_lrp_sum and relevance_count add to it is what the network adds.
{formulas.LETTERS}

    Defaults: all words of the topics.
    """,
)
