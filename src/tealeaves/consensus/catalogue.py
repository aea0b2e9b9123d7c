"""Consensus: what all evidence at hand says, put together as people would."""

from __future__ import annotations

from tealeaves.consensus.metric import Consensus, ConsensusSettings

consensus = Consensus(
    name="consensus",
    summary="what people would say of a topic, by all evidence at hand",
    better="higher",
    bounds=(0.0, 1.0),
    cite="tealeaves, docs/consensus.md",
    settings=ConsensusSettings(),
    formula=r"\min \left( 1, \max \left( 0, \bar{y} + \sum_{k} f_k(x_k) \right) \right)",
    misleads=(
        "It was taught in English, with ratings of topics of ARTM, LDA and two neural models; "
        "ratings of other languages and other kinds of topics were not at hand to try it with. Of "
        "a single topic it is rough: the interval in which people's mean lies is half of the "
        "scale in the mean. Words that a text writes alike (game, games where it is lemmatised) "
        "count as related."
    ),
    details="""\
    Each source at hand says of each pair of words how related they are: the corpus and a reference
    (--reference) by NPMI in documents and in windows of 10 and 110 tokens, shrunken where words are
    rare; embeddings by the cosine, compared with that of words at large. From these, texts and
    vectors apart and together, come signals of the topic: how related its best third of words is,
    its worst third, its first five, how strong a second theme is; how far the sources agree which
    words belong together; how common words are, and how long their vectors in wordllama. A model
    that was taught with people's judgments of topics of three corpora makes one number of them:
    from 0, the worst answer people could give, to 1, the best. ȳ is what an average topic has, x_k
    the signals, and f_k a line of three pieces for each, which says how far it moves the number.
    There is one for each combination of sources, and the notes say which judged. `tealeaves
    consensus` shows intervals, reasons and odd words.

    Defaults: kind=learned. consensus(kind=ranks) was taught with nothing: it is the mean of the
    topics' ranks by each signal (and by lrp_sum, where --relevance is given), among all topics that
    are scored together, from 0 to 1. Without --embeddings, minilm_static and wordllama are asked,
    where these are installed, about models that do not say they are of another language; where
    texts are at hand, not about words that do not look like usual English. What similar means in
    an embedding that `tealeaves embeddings` does not list is told by the words of the model, 50 or
    more. A reference that is not lemmatised finds lemmas less well: --reference-tokens
    "words(lemmas=en)". Ranks have no meaning outside of their run.
    """,
)
