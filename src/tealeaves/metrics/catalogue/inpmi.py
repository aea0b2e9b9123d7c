"""INPMI: is the topic coherent inside each language?"""

from __future__ import annotations

from tealeaves.metrics.crosslingual.coherence import InnerPolicy, IntrinsicCoherence

inpmi = IntrinsicCoherence(
    name="inpmi",
    summary="intrinsic NPMI of a multilingual topic: words of each language in its own documents",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Hao, Boyd-Graber & Paul 2018",
    settings=InnerPolicy(),
    accepts=("never", "language"),
    details="""\
    The mean NPMI over the pairs of words inside one language, in its documents that are linked to
    the other, averaged over the languages; inpmi(language=en) is that of one. Of more than two
    languages, the mean over pairs of them.

    Defaults: all words of the topics (10 are usual: @10), and what cnpmi does of words that are
    never together (0) or not in the reference (0, and less support).
    Misleads: a topic may be coherent in each language and be about two things; cnpmi tells.
    """,
)
