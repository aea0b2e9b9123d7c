"""INPMI: is the topic coherent inside each language?"""

from __future__ import annotations

from tealeaves.metrics.crosslingual.coherence import InnerPolicy, IntrinsicCoherence
from tealeaves.metrics.formulas import npmi

inpmi = IntrinsicCoherence(
    name="inpmi",
    summary="intrinsic NPMI of a multilingual topic: words of each language in its own documents",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Hao, Boyd-Graber & Paul 2018",
    settings=InnerPolicy(),
    accepts=("never", "language"),
    formula=(
        r"\frac{1}{2} \sum_{\ell=1}^{2} \frac{1}{\lvert P_{\ell} \rvert} "
        r"\sum_{\{a, b\} \in P_{\ell}} \mathrm{NPMI}(a, b), \quad " + npmi("0")
    ),
    misleads=(
        "A topic may be coherent in each language and be about two things; cnpmi tells. Words "
        "that the reference lacks count 0, so that a small or old reference makes topics of our "
        "time look incoherent."
    ),
    details="""\
    The mean NPMI over P, the pairs of words inside one language, in its documents that are linked
    to the other, averaged over the two languages; inpmi(language=en) is that of one. p is the share
    of these documents with a word, or with both. Of more than two languages, the mean over pairs of
    them.

    Defaults: all words of the topics (10 are usual: @10), and what cnpmi does of words that are
    never together (0) or not in the reference (0, and less support).
    """,
)
