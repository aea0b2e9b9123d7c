"""What metrics of relevance have in common: parts of formulas, and what is said of them."""

from __future__ import annotations

PAIRS = r"\sum_{s} \sum_{(i, j) \in P_s} "
IMPORTANT = r"\sum_{(l, h) \in H} R_{l,h}(i, j)"
RELEVANCE = (
    r", \quad R_{l,h}(i, j) = \frac{A_{l,h}(i, j)}{\lvert f \rvert} "
    r"\left( \frac{\partial f}{\partial O_{l,h}(i)} \cdot V_{l,h}(j) \right), \quad "
    r"H = \left\{ (l, h) \, : \, "
    r"\frac{r_{l,h}}{\lvert \sum_{g} r_{l,g} \rvert} > \frac{1}{N} \right\}"
)

LETTERS = "    P_s are the ordered pairs of positions of different words of the topic in text s."
HEADS = """\
    R_{l,h}(i, j) is what passes from i to j in head h of layer l, summed over the pieces of both
    words: A is the attention, V are the values, O = A V, f is the logit, and the derivative is that
    of the linearised network. r_{l,h} is the relevance of a head in the first sample of texts, N
    the number of heads of a layer."""
ERROR = """\
    The error is that of having taken these texts: how far other texts like these would have it
    otherwise. It is not known where heads are not the fixed ones, nor by text or pair where one
    text holds two of a topic's words; then not of the model."""
MISLEADS = (
    "Sums grow with the number of texts and with frequent words, so that only models that are "
    "scored on the same texts compare. Most of it is that the words occur together: always look at "
    "cooccurrence of the same texts beside it. "
)
