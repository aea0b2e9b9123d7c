"""Intruders: does a word of another topic stand out among a topic's words?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tealeaves.metrics.embedded.family import CANCELLED
from tealeaves.metrics.embedded.intruding import IntruderMetric, IntruderSettings
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats
    from tealeaves.metrics.embedded.intrusion import Meeting


@dataclass(frozen=True, repr=False, eq=False)
class IntruderSimilarity(IntruderMetric):
    """The mean cosine of the words to the intruder."""

    def of_meeting(self, meeting: Meeting) -> Floats:
        """Compare each word with the intruder."""
        from tealeaves.metrics.embedded.intrusion import similarity

        return similarity(meeting)


@dataclass(frozen=True, repr=False, eq=False)
class IntruderDetection(IntruderMetric):
    """The share of words whose least similar partner is the intruder."""

    @property
    def least(self) -> int:
        """Two: a word alone has no partner that the intruder could be less similar than."""
        return 2

    def of_meeting(self, meeting: Meeting) -> Floats:
        """See which words find the intruder."""
        from tealeaves.metrics.embedded.intrusion import detected

        return detected(meeting, ties=self.settings.compat == "stream")


@dataclass(frozen=True, repr=False, eq=False)
class IntruderShift(IntruderMetric):
    """The cosine of the topic's centroid before and after a word is replaced."""

    @property
    def why_undefined(self) -> str:
        """Why a topic may have no score: it needs a centroid."""
        return super().why_undefined + CANCELLED

    def remarks(self, models: Sequence[Topics]) -> list[str]:
        """Warn whoever would choose a model by it."""
        if len(models) < 2 or self.settings.compat == "stream":
            return []
        return [f"{self!r}: lower is declared better, but people prefer higher values"]

    def of_meeting(self, meeting: Meeting) -> Floats:
        """Replace each word by the intruder."""
        from tealeaves.metrics.embedded.intrusion import shift, to_centroid

        return (to_centroid if self.settings.compat == "stream" else shift)(meeting)


_ACCEPTS = ("embedding", "draws", "seed", "intruders", "compat")
_EXPECTED = r"\sum_{c} p(c) \, "
_LIKELY = (
    r"p(c) = \frac{1}{\lvert E \rvert} \sum_{s \in E} "
    r"\frac{[c \in W_s, c \notin T]}{\lvert \{w \in W_s \, : \, w \notin T\} \rvert}"
)
_DRAWN = """\
    ω are the vectors of the topic's n words that have one, and T is all that the topic lists. An
    intruder c comes from another topic of the model, drawn uniformly from E, those with a word
    outside of T; it is one of their first words W_s, drawn uniformly, but never one of T.
    Intruders without a vector are left out, and the p(c) of the others made to sum to 1. [...] is 1
    where that holds, else 0.

    Defaults: all words of the topics (10 are usual: @10), and the exact expectation over all
    intruders, which needs no random numbers. draws=10 draws so many for each topic and gives the
    standard error (one draw has none).
    intruders=matched takes intruders that are about as frequent in the texts as the topic's words.
    A model of one topic has no intruders, and so no score."""

isim = IntruderSimilarity(
    name="isim",
    summary="mean cosine of a topic's words to a word of another topic",
    better="lower",
    bounds=(-1.0, 1.0),
    cite="Thielmann et al. 2024 (Topics in the Haystack)",
    settings=IntruderSettings(),
    accepts=_ACCEPTS,
    aliases=("intruder_similarity",),
    formula=_EXPECTED + r"\frac{1}{n} \sum_{i=1}^{n} \cos(\omega_i, \omega_c), \quad " + _LIKELY,
    misleads=(
        "A model whose topics are all alike has similar intruders, one of far-apart topics has "
        "not, whether its topics are good or not: it judges the model's variety at least as much "
        "as the topic, and its agreement with people changes its sign with the embedding. "
        "Embeddings in which all words are similar give high values to all."
    ),
    details=f"""\
    The mean over the topic's words of the cosine between the word's vector and an intruder's.
    {_DRAWN.strip()}
    compat=stream also draws words that the topic has itself, whose cosine is 1.
    """,
)

int_ = IntruderDetection(
    name="int",
    summary="share of a topic's words whose least similar partner is an intruder",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Thielmann et al. 2024 (Topics in the Haystack)",
    settings=IntruderSettings(),
    accepts=_ACCEPTS,
    aliases=("intruder_accuracy",),
    formula=(
        _EXPECTED + r"\frac{1}{n} \sum_{i=1}^{n} \left[ \cos(\omega_i, \omega_c) < "
        r"\min_{j \ne i} \cos(\omega_i, \omega_j) \right], \quad " + _LIKELY
    ),
    misleads=(
        "One odd word in the topic hides the intruder from all others, so the value falls steeply "
        "with the number of words; topics of different lengths cannot be compared. Where all "
        "topics of a model are about the same, good ones have a low value too: their intruders do "
        "not stand out."
    ),
    details=f"""\
    The share of the topic's words that are strictly less similar to the intruder than to every
    other word of the topic. Cosines that differ by less than 1e-6 are equal.
    {_DRAWN.strip()}
    compat=stream also draws words that the topic has itself, and lets ties go to the intruder.
    """,
)

ish = IntruderShift(
    name="ish",
    summary="cosine of a topic's centroid before and after an intruder replaces a word",
    better="lower",
    bounds=(-1.0, 1.0),
    cite="Thielmann et al. 2024 (Topics in the Haystack)",
    settings=IntruderSettings(),
    accepts=_ACCEPTS,
    aliases=("intruder_shift",),
    formula=(
        _EXPECTED + r"\frac{1}{n} \sum_{j=1}^{n} "
        r"\cos \left( \mu, \mu + \frac{\omega_c - \omega_j}{n} \right), \quad "
        r"\mu = \frac{1}{n} \sum_{i=1}^{n} \omega_i, \quad " + _LIKELY
    ),
    misleads=(
        "People prefer topics with a high value, the reverse of what is declared: the words of a "
        "good topic point the same way, and an intruder turns their long mean less than the short "
        "mean of a mixed topic. Do not choose models by a low value. One of n words is replaced, "
        "so values are close to 1, and closer the more words there are: compare only the same "
        "number of words."
    ),
    details=f"""\
    The cosine between the mean of the topic's vectors and the mean after one of the words, drawn
    uniformly, has been replaced by the intruder.
    {_DRAWN.strip()}
    Where words cancel out, so that a mean has no direction, there is nothing to compare.
    compat=stream is another formula: the cosine of the mean to the intruder itself.
    """,
)
