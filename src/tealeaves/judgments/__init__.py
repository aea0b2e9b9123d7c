"""People: their judgments, how far they agree, and how well metrics agree with them."""

from tealeaves.judgments.agreement.agreement import Agreement, agreement
from tealeaves.judgments.agreement.careless import Thresholds
from tealeaves.judgments.comparison import compare_judgments
from tealeaves.judgments.correlation.correlation import correlate, score_judged_topics
from tealeaves.judgments.correlation.result import Correlations
from tealeaves.judgments.correlation.separation import Separations, separation
from tealeaves.judgments.correlation.tradeoff import Tradeoff, tradeoff
from tealeaves.judgments.judgments import Judgments, TopicKey
from tealeaves.judgments.ratings import Ratings
from tealeaves.judgments.reading import read_judgments
from tealeaves.judgments.scales import Scale

__all__ = [
    "Agreement",
    "Correlations",
    "Judgments",
    "Ratings",
    "Scale",
    "Separations",
    "Thresholds",
    "TopicKey",
    "Tradeoff",
    "agreement",
    "compare_judgments",
    "correlate",
    "read_judgments",
    "score_judged_topics",
    "separation",
    "tradeoff",
]
