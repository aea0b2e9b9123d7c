"""Coherence by the company words keep: the cosine of their vectors of NPMI."""

from __future__ import annotations

from tealeaves.metrics.formulas import NPMI_WITH_EPS
from tealeaves.metrics.formulas import npmi as npmi_formula
from tealeaves.metrics.roeder.family import Coherence
from tealeaves.metrics.roeder.policy import Policy

c_v = Coherence(
    name="c_v",
    summary="cosine of each word's NPMI vector with the topic's, windows of 110 tokens",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Röder, Both & Hinneburg 2015",
    settings=Policy(segmentation="one_set", similarity="cosine", window=110, eps=1e-12),
    accepts=("window", "eps", "never", "oov", "aggregate", "compat"),
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
    between the words' vectors and the topic's. p is the share of windows with a word, or with both.

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
    settings=Policy(similarity="cosine", context=5, never=0.0),
    accepts=("window", "context", "eps", "never", "oov", "aggregate"),
    formula=(
        r"\frac{2}{n (n - 1)} \sum_{i < j} \cos(v_i, v_j), \quad "
        r"v_{ik} = \mathrm{NPMI}(w_i, w_k), \quad " + npmi_formula("0") + r", \quad "
        r"p(a, b) = \frac{\min(c_{ab}, c_a, c_b)}{N}"
    ),
    misleads=(
        "Most words of a topic never meet within 5 tokens, so that on a small corpus the vectors "
        "are mostly 0 and a few meetings decide; fixed phrases (new york) count for more than "
        "themes."
    ),
    details="""\
    Each of the topic's n words that the corpus has, w_i, has a vector v_i of its NPMI with every
    word of the topic, itself included; C_A is the mean cosine of the vectors of word pairs. Of N
    tokens c_a are a, and p(a) = c_a / N; c_ab counts two occurrences at most 5 tokens apart, but
    two words are together at most as often as the rarer of them occurs (a word with itself: as
    often as it occurs).

    Defaults: context and vectors as published; never-together pairs are 0. The published eps rule
    is c_a(eps=1e-12): words that share the same absences then look alike (on the demo corpus
    shuffled topics win). Palmetto's minimum frequency is not applied.
    """,
)
