"""Coherence by counts: the rows of the table. A new measure is a new row."""

from __future__ import annotations

from math import inf

from tealeaves.metrics.roeder.family import Coherence
from tealeaves.metrics.roeder.policy import Policy

_SIGNIFICANCE = ("window", "eps", "never", "oov", "aggregate", "compat")

npmi = Coherence(
    name="npmi",
    summary="normalised pointwise mutual information of word pairs, mean",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Bouma 2009; Aletras & Stevenson 2013; Lau, Newman & Baldwin 2014",
    settings=Policy(never=-1.0),
    accepts=_SIGNIFICANCE,
    details="""\
    NPMI(a, b) = log(p(a,b) / (p(a) p(b))) / -log p(a,b), averaged over the pairs of the top words.
    1: always together; 0: as chance would have it; -1: never together.

    Defaults: documents as units, no eps, never-together pairs at the limit -1, pairs with a word
    that the corpus lacks left out. npmi(window=10, eps=1e-12) is c_npmi.
    Misleads: on a small corpus rare words that meet once score high; look at the support.
    """,
)

pmi = Coherence(
    name="pmi",
    summary="pointwise mutual information of word pairs, mean",
    better="higher",
    bounds=(-inf, inf),
    cite="Church & Hanks 1990; Newman et al. 2010",
    settings=Policy(confirmation="log_ratio", eps=1e-12),
    accepts=("window", "eps", "never", "smooth", "oov", "base", "aggregate", "compat"),
    details="""\
    PMI(a, b) = log(p(a,b) / (p(a) p(b))), averaged over the pairs of the top words.

    Defaults: documents as units, natural logarithm (base=2 for bits), eps 1e-12: the limit for
    pairs that are never together is minus infinity. pmi(never=0) passes over them.
    Misleads: rare words score higher than frequent ones, and one never-together pair pulls the
    mean far down; npmi has neither fault.
    """,
)

ppmi = Coherence(
    name="ppmi",
    summary="positive pointwise mutual information of word pairs, mean",
    better="higher",
    bounds=(0.0, inf),
    cite="Newman et al. 2010; the coherence of BigARTM (Vorontsov et al. 2015)",
    settings=Policy(confirmation="positive_log_ratio", never=0.0),
    accepts=("window", "eps", "never", "smooth", "oov", "base", "aggregate"),
    details="""\
    max(0, PMI(a, b)), averaged over the pairs of the top words.

    Defaults: documents as units, natural logarithm, no eps; never-together pairs are 0.
    """,
)

lcp = Coherence(
    name="lcp",
    summary="log conditional probability of each word given each before it, mean",
    better="higher",
    bounds=(-inf, 0.0),
    cite="Lau, Newman & Baldwin 2014",
    settings=Policy(confirmation="log_conditional", segmentation="one_pre", eps=1e-12),
    accepts=("window", "eps", "never", "smooth", "oov", "base", "aggregate"),
    details="""\
    log((p(a,b) + eps) / p(b)) for each word a and each word b that precedes it.

    Defaults: documents as units, natural logarithm, eps 1e-12, mean.
    """,
)

umass = Coherence(
    name="umass",
    summary="log conditional probability of each word given each before it, documents",
    better="higher",
    bounds=(-inf, 0.0),
    cite="Mimno et al. 2011; Röder et al. 2015",
    settings=Policy(confirmation="log_conditional", segmentation="one_pre", eps=1e-12),
    accepts=("eps", "never", "smooth", "oov", "aggregate", "compat"),
    aliases=("u_mass", "c_umass"),
    details="""\
    log((p(a,b) + eps) / p(b)) for each word a and each word b that precedes it.

    Defaults: as in gensim and Röder et al.: eps 1e-12, mean. Mimno et al.'s own value is
    umass(smooth=1, aggregate=sum): log((D(a,b) + 1) / D(b)), summed.
    Misleads: it prefers frequent words, and depends on the order of the words.
    """,
)

c_npmi = Coherence(
    name="c_npmi",
    summary="npmi(window=10, eps=1e-12) under its name in gensim",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Aletras & Stevenson 2013; Röder et al. 2015",
    settings=Policy(window=10, eps=1e-12),
    accepts=_SIGNIFICANCE,
    details="""\
    The row npmi(window=10, eps=1e-12): the same computation, under the name that gensim gives it.

    Misleads: with eps a never-together pair scores -1 + log(p(a) p(b)) / log(eps), so that two
    rare words that never meet look neutral.
    """,
)

c_uci = Coherence(
    name="c_uci",
    summary="PMI in sliding windows of 10 tokens, mean",
    better="higher",
    bounds=(-inf, inf),
    cite="Newman et al. 2010; Röder et al. 2015",
    settings=Policy(confirmation="log_ratio", window=10, eps=1e-12),
    accepts=("window", "eps", "never", "smooth", "oov", "base", "aggregate", "compat"),
    aliases=("uci",),
    details="""\
    The row pmi(window=10, eps=1e-12): log((p(a,b) + eps) / (p(a) p(b))), averaged over pairs.

    Defaults: as in gensim and Röder et al.: natural logarithm (base=2 for bits), eps 1e-12, mean.
    Misleads: one never-together pair pulls the mean far down.
    """,
)

c_v = Coherence(
    name="c_v",
    summary="cosine of each word's NPMI vector with the topic's, windows of 110 tokens",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Röder, Both & Hinneburg 2015",
    settings=Policy(segmentation="one_set", similarity="cosine", window=110, eps=1e-12),
    accepts=_SIGNIFICANCE,
    details="""\
    Each word has a vector of its NPMI with every word of the topic, itself included; the topic's
    vector is their sum. C_V is the mean cosine between the words' vectors and the topic's.

    Defaults: as published: windows of 110 tokens, eps 1e-12, mean. c_v(never=0) gives pairs that
    are never together the value 0; on some corpora it agreed with people far better (.76 against
    .65).
    Misleads: its authors advise caution; through the cosine, words that share the same absences
    look alike.
    """,
)

c_p = Coherence(
    name="c_p",
    summary="Fitelson's confirmation of each word by each before it, windows of 70 tokens",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Fitelson 2003; Röder et al. 2015",
    settings=Policy(confirmation="fitelson", segmentation="one_pre", window=70, never=-1.0),
    accepts=("window", "eps", "never", "oov", "aggregate"),
    details="""\
    (p(a|b) - p(a|not b)) / (p(a|b) + p(a|not b)) for each word a and each word b before it.

    Defaults: as published: windows of 70 tokens, mean; never-together pairs are -1 by the formula.
    A word b that is in every window leaves p(a|not b) at 0, as in Palmetto.
    """,
)

c_a = Coherence(
    name="c_a",
    summary="cosine of word pairs' NPMI vectors, context windows of 5 tokens",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Aletras & Stevenson 2013; Röder et al. 2015",
    settings=Policy(similarity="cosine", context=5, never=0.0),
    accepts=("window", "context", "eps", "never", "oov", "aggregate"),
    details="""\
    Each word has a vector of its NPMI with every word of the topic; C_A is the mean cosine of the
    vectors of word pairs. Counted are occurrences at most 5 tokens apart, over all tokens; two
    words are together at most as often as the rarer of them occurs.

    Defaults: context and vectors as published; never-together pairs are 0. The published eps rule
    is c_a(eps=1e-12): most pairs never meet within 5 tokens, and words that share the same
    absences then look alike (on the demo corpus shuffled topics win). Palmetto's minimum
    frequency is not applied.
    """,
)

coherence = Coherence(
    name="coherence",
    summary="any combination of segmentation, unit, confirmation and aggregation",
    better="higher",
    bounds=(-inf, inf),
    cite="Röder, Both & Hinneburg 2015",
    settings=Policy(never=-1.0),
    accepts=(
        "segmentation",
        "confirmation",
        "similarity",
        "window",
        "context",
        "eps",
        "never",
        "smooth",
        "oov",
        "base",
        "aggregate",
    ),
    details="""\
    The whole space of Röder et al.; with its defaults it is npmi.
    segmentation: one_one, one_pre, one_suc (word pairs), one_all, one_any (a word and sets of
    others), one_set (a word and the whole topic; with similarity=cosine).
    confirmation: normalised_log_ratio (NPMI), log_ratio (PMI), positive_log_ratio, log_conditional,
    conditional, difference, fitelson, jaccard. similarity: cosine, of the words' vectors of
    confirmations. aggregate: mean, median, sum, min, max. For example
    coherence(segmentation=one_set, similarity=cosine, window=110, eps=1e-12) is c_v, and
    coherence(segmentation=one_any, confirmation=difference)@5 compares each word with every subset.
    """,
)
