"""Comparison: several models on several metrics, and whether the differences are more than chance.

The units are the topics of each model, or several runs of it. ``groups`` says what is compared,
``pairing`` which unit of one stands beside which of another, ``testing`` tests two samples.
"""

from tealeaves.judgments.comparison.comparing import compare, compare_scores
from tealeaves.judgments.comparison.comparison import Comparison, Pair, Summary
from tealeaves.judgments.comparison.judging import compare_judgments

__all__ = ["Comparison", "Pair", "Summary", "compare", "compare_judgments", "compare_scores"]
