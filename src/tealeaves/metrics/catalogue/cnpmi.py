"""CNPMI: do the words of two languages speak of the same?"""

from __future__ import annotations

from tealeaves.metrics.crosslingual.coherence import CrosslingualCoherence, CrossPolicy
from tealeaves.metrics.formulas import npmi

cnpmi = CrosslingualCoherence(
    name="cnpmi",
    summary="crosslingual NPMI: words of two languages in linked documents",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Hao, Boyd-Graber & Paul 2018",
    settings=CrossPolicy(),
    accepts=("never",),
    formula=(
        r"\frac{1}{\lvert W_1 \rvert \, \lvert W_2 \rvert} \sum_{a \in W_1} \sum_{b \in W_2} "
        r"\mathrm{NPMI}(a, b), \quad " + npmi("0")
    ),
    misleads=(
        "A reference of fewer than about 5,000 links moves it, and the Bible has no words of our "
        "time: words that it lacks count 0, as if they were unrelated. It falls with the number "
        "of words, so compare topics at the same @n."
    ),
    details="""\
    The mean NPMI over all pairs of a word a of one language and a word b of another, W_1 and W_2.
    p(a,b) is the share of linked documents with a on its own side and b on the other, p(a) the
    share of the same documents with a. Of more than two languages, the mean over pairs of them. The
    equations as printed lack a minus; the published numbers have it, and so has this.

    Defaults: all words of the topics (10 are usual: @10); two words that are never in linked
    documents count 0, as in the paper (never=-1 is the limit). A pair with a word that the
    reference lacks counts 0 and lowers the support; a topic without one pair that can be judged has
    no number. A pair that is in every document counts 1. Numbers of scripts that divide counts of
    tokens by counts of documents are not this one, and may leave [-1, 1].
    """,
)
