"""``consensus``: people's rating of a topic, predicted from all evidence."""

from __future__ import annotations

from tealeaves.consensus.metric import Consensus, ConsensusSettings

consensus = Consensus(
    name="consensus",
    summary="what people would say of a topic, predicted from all evidence",
    better="higher",
    bounds=(0.0, 1.0),
    cite="tealeaves, docs/consensus.md",
    settings=ConsensusSettings(),
    formula=r"\min \left( 1, \max \left( 0, \bar{y} + \sum_{k} f_k(x_k) \right) \right)",
    misleads=(
        "It was fitted to ratings of English topics of ARTM, LDA and two neural models; it was not "
        "tested in other languages or on other kinds of topics. For a single topic it is rough: "
        "the interval of people's mean rating is half of the scale on average. Words with the same "
        "token (game, games where the text is lemmatised) count as related."
    ),
    details="""\
    Each source says how related each pair of words is: the corpus and a reference (--reference) by
    NPMI in documents and in windows of 10 and 110 tokens, shrunken where words are rare; embeddings
    by the cosine, compared with that of random words. From these, for texts and vectors alone and
    together, signals of the topic are computed: how related its best third of words is,
    its worst third, its first five, how strong a second theme is; how far the sources agree which
    words belong together; how common words are, and how long their vectors in wordllama. A model
    that was fitted to people's ratings of topics of three corpora makes one number of them: from 0,
    the worst answer people could give, to 1, the best. ȳ is the value of an average topic, x_k are
    the signals, and f_k is a line of three pieces for each, which says how far it moves the number.
    There is a model for each combination of sources, and the notes say which sources judged.
    `tealeaves consensus` shows intervals, reasons and odd words.

    Defaults: kind=learned. consensus(kind=ranks) needs no training: it is the mean of the topics'
    ranks by each signal (and by lrp_sum, if --relevance is given), among all topics that are scored
    together, from 0 to 1. Without --embeddings, minilm_static and wordllama are used if they are
    installed, unless a model names another language than English or, if there are texts, its words
    do not look like usual English. For an embedding that `tealeaves embeddings` does not list, the
    usual cosines are those of the words of the model, which must be 50 or more. A reference that is
    not lemmatised finds lemmas less well: --reference-tokens "words(lemmas=en)". Ranks have no
    meaning outside of their run.
    """,
)
