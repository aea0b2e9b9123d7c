"""CNPMI, estimated: what would a rich reference say, when only a Bible is at hand?"""

from __future__ import annotations

from tealeaves.estimator.metric import EstimatedCoherence, EstimatorChoice

cnpmi_estimated = EstimatedCoherence(
    name="cnpmi_estimated",
    summary="the CNPMI that a rich reference would give, estimated from a Bible",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Hao, Boyd-Graber & Paul 2018",
    settings=EstimatorChoice(),
    formula=(
        r"\max \left( -1, \min \left( 1, b_0 + \sum_{j} b_j z_j + \sum_{j \le k} b_{jk} z_j z_k "
        r"\right) \right), \quad z_j = \frac{\min(\max(x_j, l_j), h_j) - m_j}{s_j}"
    ),
    misleads=(
        "An estimate is no evidence: where a rich reference is at hand, use cnpmi. It is on the "
        "scale of the reference it was learned from, not on that of the Bible's own CNPMI, and "
        "knows pairs with English, topics of 5 to 50 words, and Bibles; notes say where it is "
        "asked for more. Without a dictionary it ranks the topics of a model, but compares models "
        "less well than cnpmi itself."
    ),
    details="""\
    An estimator learned, from languages with rich references, which topics a small one misjudges.
    From the reference at hand it reads CNPMI, INPMI, the shares of words that it has (TWC), and how
    the coherence inside each language compares with that across (MC, ICC); with a dictionary
    (--dictionary) MTA too, with years of words (--years) how old the topic's words are, with modern
    texts (--modern) whether the reference uses them as we do. These are the x of the formula, each
    cut to the range from l to h that it had in learning, less its mean m there, divided by its
    deviation s; b are what was learned, by ridge regression (squares and products only where they
    helped, else b_jk is 0). Each topic is judged by the estimator that did best, on languages it
    had never seen, among those whose features the topic has. Of more than two languages, the mean
    over pairs of them. (The estimators that come with tealeaves did no better with years of words,
    and leave them out.)

    Defaults: the estimators that come with tealeaves, learned from English beside 23 languages:
    chapters of Bibles against news, encyclopedic sentences and human rights. `tealeaves estimator
    fit` makes others: cnpmi_estimated(estimator="my.json"). `tealeaves estimator predict` shows
    intervals, `explain` what moved a number.
    """,
)
