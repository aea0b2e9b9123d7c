"""Coherence by counts: one instance per measure. A new measure is a new instance."""

from __future__ import annotations

from math import inf

from tealeaves.metrics.coherence_by_counts.family import Coherence
from tealeaves.metrics.coherence_by_counts.settings import CoherenceSettings
from tealeaves.metrics.formulas import (
    MEAN_OF_PAIRS,
    NPMI_WITH_EPS,
    PMI,
    PMI_WITH_EPS,
    npmi_formula,
)

_NPMI_ACCEPTS = ("window", "eps", "never", "oov", "aggregate", "compat")
_PMI_ACCEPTS = ("window", "eps", "never", "smooth", "oov", "base", "aggregate")

_MEAN_OF_ORDERED = r"\frac{1}{\lvert P \rvert} \sum_{(a, b) \in P} "
_GIVEN_EARLIER = _MEAN_OF_ORDERED + r"\log \, \frac{p(a, b) + \varepsilon}{p(b)}"

npmi = Coherence(
    name="npmi",
    summary="normalised pointwise mutual information of word pairs, mean",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Bouma 2009; Aletras & Stevenson 2013; Lau, Newman & Baldwin 2014",
    settings=CoherenceSettings(never=-1.0),
    accepts=_NPMI_ACCEPTS,
    formula=MEAN_OF_PAIRS + r"\mathrm{NPMI}(a, b), \quad " + npmi_formula("-1"),
    misleads=(
        "On a small corpus rare words that occur together once score high, and related words that "
        "happen never to occur together score -1. Words that are together in many texts for "
        "another reason than their meaning (headers, signatures, quotations) look coherent."
    ),
    details="""\
    The mean NPMI over P, the pairs of the topic's words that the corpus has; p is the share of
    documents with a word, or with both words. 1: always together; 0: as often as by chance; -1:
    never together.

    Defaults: documents as units, no eps, never-together pairs at the limit -1, pairs with a word
    that the corpus lacks left out. npmi(window=10, eps=1e-12) is c_npmi.
    """,
)

pmi = Coherence(
    name="pmi",
    summary="pointwise mutual information of word pairs, mean",
    better="higher",
    bounds=(-inf, inf),
    cite="Church & Hanks 1990; Newman et al. 2010",
    settings=CoherenceSettings(confirmation="log_ratio", eps=1e-12),
    accepts=(*_PMI_ACCEPTS, "compat"),
    formula=MEAN_OF_PAIRS + PMI_WITH_EPS,
    misleads=(
        "Rare words score higher than frequent ones, and one never-together pair pulls the mean "
        "far down: two words of probability 0.01 have -18 if they are never together, 4.6 if "
        "always. npmi is bounded, and suffers less from both."
    ),
    details="""\
    The mean PMI over P, the pairs of the topic's words that the corpus has; p is the share of
    documents with a word, or with both words.

    Defaults: documents as units, natural logarithm (base=2 for bits), eps ε = 1e-12: without it,
    pairs that are never together would be at minus infinity. pmi(never=0) counts them as 0.
    """,
)

ppmi = Coherence(
    name="ppmi",
    summary="positive pointwise mutual information of word pairs, mean",
    better="higher",
    bounds=(0.0, inf),
    cite="Newman et al. 2010; the coherence of BigARTM (Vorontsov et al. 2015)",
    settings=CoherenceSettings(confirmation="positive_log_ratio", never=0.0),
    accepts=_PMI_ACCEPTS,
    formula=MEAN_OF_PAIRS + r"\max \left( 0, " + PMI + r" \right)",
    misleads=(
        "Words that avoid each other cost no more than words that are together by chance, so that "
        "some strong pairs make up for intruders; and rare words score higher than frequent ones. "
        "It compares models poorly: of 50 models of 20 Newsgroups, counted in their own texts, it "
        "agreed with people by .30, npmi by .90."
    ),
    details="""\
    The mean over P, the pairs of the topic's words that the corpus has, of their PMI, or of 0 where
    it is negative; p is the share of documents with a word, or with both words.

    Defaults: documents as units, natural logarithm, no eps; never-together pairs are 0.
    """,
)

lcp = Coherence(
    name="lcp",
    summary="log conditional probability of each word given each before it, mean",
    better="higher",
    bounds=(-inf, 0.0),
    cite="Lau, Newman & Baldwin 2014",
    settings=CoherenceSettings(confirmation="log_conditional", segmentation="one_pre", eps=1e-12),
    accepts=_PMI_ACCEPTS,
    formula=_GIVEN_EARLIER,
    misleads=(
        "It rewards frequent words: a word that is in most texts is likely given any other word. "
        "It depends on the order of the words, and one never-together pair pulls the mean far "
        "down."
    ),
    details="""\
    The mean over P, the pairs of a word a and a word b that precedes it in the topic, both of which
    the corpus has; p is the share of documents with a word, or with both words.

    Defaults: documents as units, natural logarithm, eps ε = 1e-12, mean.
    """,
)

umass = Coherence(
    name="umass",
    summary="log conditional probability of each word given each before it, documents",
    better="higher",
    bounds=(-inf, 0.0),
    cite="Mimno et al. 2011; Röder et al. 2015",
    settings=CoherenceSettings(confirmation="log_conditional", segmentation="one_pre", eps=1e-12),
    accepts=("eps", "never", "smooth", "oov", "aggregate", "compat"),
    aliases=("u_mass", "c_umass"),
    formula=_GIVEN_EARLIER,
    misleads=(
        "It rewards frequent words, so that topics of stop words come close to 0, the best value; "
        "and it depends on the order of the words. One never-together pair pulls the mean far "
        "down."
    ),
    details="""\
    The mean over P, the pairs of a word a and a word b that precedes it in the topic, both of which
    the corpus has; p is the share of documents with a word, or with both words.

    Defaults: as in gensim and Röder et al.: natural logarithm, eps ε = 1e-12, mean. Mimno et al.'s
    own value is umass(smooth=1, aggregate=sum): log((D(a,b) + 1) / D(b)), summed.
    """,
)

c_npmi = Coherence(
    name="c_npmi",
    summary="npmi(window=10, eps=1e-12) under its name in gensim",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Aletras & Stevenson 2013; Röder et al. 2015",
    settings=CoherenceSettings(window=10, eps=1e-12),
    accepts=_NPMI_ACCEPTS,
    formula=MEAN_OF_PAIRS + r"\mathrm{NPMI}_{\varepsilon}(a, b), \quad " + NPMI_WITH_EPS,
    misleads=(
        "With eps a never-together pair scores -1 + log(p(a) p(b)) / log(eps), so that two rare "
        "words that are never together look neutral. Windows of 10 tokens capture phrases rather "
        "than themes: related words that are further apart count as never together."
    ),
    details="""\
    The same as npmi(window=10, eps=1e-12), under the name that gensim gives it. P are the pairs of
    the topic's words that the corpus has, p is the share of sliding windows of 10 tokens with a
    word, or with both words, and ε is eps.
    """,
)

c_uci = Coherence(
    name="c_uci",
    summary="PMI in sliding windows of 10 tokens, mean",
    better="higher",
    bounds=(-inf, inf),
    cite="Newman et al. 2010; Röder et al. 2015",
    settings=CoherenceSettings(confirmation="log_ratio", window=10, eps=1e-12),
    accepts=(*_PMI_ACCEPTS, "compat"),
    aliases=("uci",),
    formula=MEAN_OF_PAIRS + PMI_WITH_EPS,
    misleads=(
        "One never-together pair pulls the mean far down, and on a small corpus even the words of "
        "good topics are often never together within 10 tokens. Rare words score higher than "
        "frequent ones."
    ),
    details="""\
    The same as pmi(window=10, eps=1e-12). P are the pairs of the topic's words that the corpus has,
    p is the share of sliding windows of 10 tokens with a word, or with both words.

    Defaults: as in gensim and Röder et al.: natural logarithm (base=2 for bits), eps ε = 1e-12,
    mean.
    """,
)

c_p = Coherence(
    name="c_p",
    summary="Fitelson's confirmation of each word by each before it, windows of 70 tokens",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Fitelson 2003; Röder et al. 2015",
    settings=CoherenceSettings(
        confirmation="fitelson", segmentation="one_pre", window=70, never=-1.0
    ),
    accepts=("window", "eps", "never", "oov", "aggregate"),
    formula=(
        _MEAN_OF_ORDERED + r"\frac{p(a \mid b) - p(a \mid \neg b)}"
        r"{p(a \mid b) + p(a \mid \neg b)}, \quad "
        r"p(a \mid \neg b) = \frac{p(a) - p(a, b)}{1 - p(b)}"
    ),
    misleads=(
        "A word that occurs only together with another has the full 1, however rare it is: one "
        "joint occurrence by chance counts as much as a firm association. It depends on the order "
        "of the words."
    ),
    details="""\
    The mean over P, the pairs of a word a and a word b that precedes it in the topic, both of which
    the corpus has, of Fitelson's confirmation. p is the share of windows with a word, or with both
    words, and p(a|b) = p(a,b) / p(b).

    Defaults: as published: sliding windows of 70 tokens, mean; never-together pairs are -1 by the
    formula. Where the word b is in every window, p(a|not b) is 0, as in Palmetto.
    """,
)

c_v = Coherence(
    name="c_v",
    summary="cosine of each word's NPMI vector with the topic's, windows of 110 tokens",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Röder, Both & Hinneburg 2015",
    settings=CoherenceSettings(segmentation="one_set", similarity="cosine", window=110, eps=1e-12),
    accepts=_NPMI_ACCEPTS,
    formula=(
        r"\frac{1}{n} \sum_{i=1}^{n} \cos \left( v_i, \sum_{j=1}^{n} v_j \right), \quad "
        r"v_{ik} = \mathrm{NPMI}_{\varepsilon}(w_i, w_k), \quad " + NPMI_WITH_EPS
    ),
    misleads=(
        "Its authors advise caution: through the cosine, words that share the same absences look "
        "alike, so that on a small corpus topics of shuffled words come close to real ones. "
        "c_v(never=0) suffers less from it."
    ),
    details="""\
    Each of the topic's n words that the corpus has, w_i, has a vector v_i of its NPMI with every
    word of the topic, itself included; the topic's vector is their sum. C_V is the mean cosine
    between the words' vectors and the topic's. p is the share of windows with a word, or with both
    words.

    Defaults: as published: sliding windows of 110 tokens, eps ε = 1e-12, mean. c_v(never=0) gives
    pairs that are never together the value 0; on some corpora it agreed with people far better (.76
    against .65).
    """,
)

c_a = Coherence(
    name="c_a",
    summary="cosine of word pairs' NPMI vectors, context windows of 5 tokens",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Aletras & Stevenson 2013; Röder et al. 2015",
    settings=CoherenceSettings(similarity="cosine", context=5, never=0.0),
    accepts=("window", "context", "eps", "never", "oov", "aggregate"),
    formula=(
        r"\frac{2}{n (n - 1)} \sum_{i < j} \cos(v_i, v_j), \quad "
        r"v_{ik} = \mathrm{NPMI}(w_i, w_k), \quad " + npmi_formula("0") + r", \quad "
        r"p(a, b) = \frac{\min(c_{ab}, c_a, c_b)}{N}"
    ),
    misleads=(
        "Most words of a topic are never together within 5 tokens, so that on a small corpus the "
        "vectors are mostly 0 and a few joint occurrences decide; fixed phrases (new york) count "
        "for more than themes."
    ),
    details="""\
    Each of the topic's n words that the corpus has, w_i, has a vector v_i of its NPMI with every
    word of the topic, itself included; C_A is the mean cosine of the vectors of word pairs. Of N
    tokens c_a are a, and p(a) = c_a / N; c_ab counts pairs of occurrences that are at most 5 tokens
    apart, but no more than the rarer word occurs (a word with itself: as often as it occurs).

    Defaults: context and vectors as published; never-together pairs are 0. The published eps rule
    is c_a(eps=1e-12): words that share the same absences then look alike (on the demo corpus
    shuffled topics win). Palmetto's minimum frequency is not applied.
    """,
)

coherence = Coherence(
    name="coherence",
    summary="any combination of segmentation, unit, confirmation and aggregation",
    better="higher",
    bounds=(-inf, inf),
    cite="Röder, Both & Hinneburg 2015",
    settings=CoherenceSettings(never=-1.0),
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
    formula=(
        r"\frac{1}{\lvert S \rvert} \sum_{(W', W^{*}) \in S} m(W', W^{*}), \quad "
        r"m(\{a\}, \{b\}) = " + npmi_formula("-1")
    ),
    misleads=(
        "Each combination has the faults of its parts: rare words score high under log_ratio, "
        "frequent ones under log_conditional, and cosines favour words that share the same "
        "absences. Values of different combinations cannot be compared, and to try many until one "
        "favours your model proves nothing."
    ),
    details="""\
    The whole space of Röder et al.: the aggregate (mean) over the segments S, each a set of words
    W' that is confirmed by a set W*, of a measure m; with its defaults it is npmi: S are the pairs
    of words, and p is the share of documents with a word, or with both words.
    segmentation: one_one, one_pre, one_suc (word pairs), one_all, one_any (a word and sets of
    others), one_set (a word and the whole topic; with similarity=cosine).
    confirmation: normalised_log_ratio (NPMI), log_ratio (PMI), positive_log_ratio, log_conditional,
    conditional, difference, fitelson, jaccard. similarity: cosine, of the words' vectors of
    confirmations. aggregate: mean, median, sum, min, max. For example
    coherence(segmentation=one_set, similarity=cosine, window=110, eps=1e-12) is c_v, and
    coherence(segmentation=one_any, confirmation=difference)@5 compares each word with every subset.
    """,
)
