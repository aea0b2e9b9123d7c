"""People: their judgments, how far they agree, and how well metrics agree with them."""

from tealeaves.judgments.agreeing.agreement import Agreement, agreement
from tealeaves.judgments.comparison import compare_judgments
from tealeaves.judgments.correlation.correlate import correlate
from tealeaves.judgments.correlation.correlations import Correlations
from tealeaves.judgments.correlation.separation import separation
from tealeaves.judgments.correlation.separations import Separations
from tealeaves.judgments.correlation.tradeoff import tradeoff
from tealeaves.judgments.correlation.tradeoffs import Tradeoff
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
    "TopicKey",
    "Tradeoff",
    "agreement",
    "compare_judgments",
    "correlate",
    "read_judgments",
    "separation",
    "tradeoff",
]
