"""CNPMI: do the words of two languages speak of the same?"""

from __future__ import annotations

from tealeaves.metrics.crosslingual.coherence import CrosslingualCoherence, CrossPolicy

cnpmi = CrosslingualCoherence(
    name="cnpmi",
    summary="crosslingual NPMI: words of two languages in linked documents",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Hao, Boyd-Graber & Paul 2018",
    settings=CrossPolicy(),
    accepts=("never",),
    details="""\
    The mean NPMI over all pairs of a word of one language and a word of another:
    log(P(a,b) / P(a)P(b)) / -log P(a,b), where P(a,b) is the share of linked documents with a on
    its own side and b on the other. Of more than two languages, the mean over pairs of them. The
    equations as printed lack a minus; the published numbers have it, and so has this.

    Defaults: all words of the topics (10 are usual: @10); two words that are never in linked
    documents count 0, as in the paper (never=-1 is the limit). A pair with a word that the
    reference lacks counts 0 and lowers the support; a topic without one pair that can be judged has
    no number. A pair that is in every document counts 1.
    Misleads: references of fewer than about 5,000 links move it; the Bible has no words of our
    time; it falls with the number of words, so compare topics at the same @n. Numbers of scripts
    that divide counts of tokens by counts of documents are not this one, and may leave [-1, 1].
    """,
)
