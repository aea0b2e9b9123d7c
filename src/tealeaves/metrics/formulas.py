"""Parts of formulas that several metrics share, in LaTeX."""

from __future__ import annotations

#: The mean over the pairs P of a topic's words.
MEAN_OF_PAIRS = r"\frac{1}{\lvert P \rvert} \sum_{\{a, b\} \in P} "

PMI = r"\log \, \frac{p(a, b)}{p(a) \, p(b)}"
PMI_WITH_EPS = r"\log \, \frac{p(a, b) + \varepsilon}{p(a) \, p(b)}"


def npmi_formula(never: str) -> str:
    """Return the formula of NPMI; ``never`` is the value of words that are never together.

    >>> "-1 & p(a, b) = 0" in npmi_formula("-1")
    True
    """
    return (
        r"\mathrm{NPMI}(a, b) = \begin{cases} " + never + r" & p(a, b) = 0 \\ 1 & p(a, b) = 1 \\ "
        r"\frac{\mathrm{PMI}(a, b)}{-\log \, p(a, b)} & \text{otherwise} \end{cases}, \quad "
        r"\mathrm{PMI}(a, b) = " + PMI
    )


#: NPMI where eps decides the value of words that are never together.
NPMI_WITH_EPS = (
    r"\mathrm{NPMI}_{\varepsilon}(a, b) = \begin{cases} 1 & p(a, b) = 1 \\ "
    r"\frac{\mathrm{PMI}_{\varepsilon}(a, b)}{-\log \, (p(a, b) + \varepsilon)} "
    r"& \text{otherwise} \end{cases}, \quad \mathrm{PMI}_{\varepsilon}(a, b) = " + PMI_WITH_EPS
)

#: Rank-biased overlap of a list of s words and a list of l words, s <= l, by their agreement A_d.
RBO_AGREEMENT = r"A_d = \frac{1}{d} \left( X_d + \max(0, d - s) \, \frac{X_s}{s} \right)"
RBO_SUM = r"p^{l} A_l + (1 - p) \sum_{d=1}^{l} p^{d-1} A_d"
RBO = r"\mathrm{RBO} = " + RBO_SUM + r", \quad " + RBO_AGREEMENT

#: p(t|w), by Bayes.
TOPIC_OF_WORD = r"p(t \mid w) = \frac{p(w \mid t) \, p(t)}{\sum_{s} p(w \mid s) \, p(s)}"
KERNEL = r"W_t = \{w \, : \, p(t \mid w) \ge \tau\}, \quad " + TOPIC_OF_WORD
