"""Whether models differ by more than chance, on each of several metrics.

``compare`` scores models and tests their differences. What is tested are values of units: the
topics of each model, or several runs of it.
"""

from tealeaves.comparison.comparison import compare, compare_scores
from tealeaves.comparison.result import ComparedModel, Comparison, Pair

__all__ = ["ComparedModel", "Comparison", "Pair", "compare", "compare_scores"]
