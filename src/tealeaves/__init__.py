"""tealeaves: how good topics are, and how far the numbers can be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tealeaves.lazy_names import lazy_names

if TYPE_CHECKING:
    from tealeaves.comparison import compare
    from tealeaves.evidence import Counts, Embeddings, Sources, add, load_counts
    from tealeaves.evidence.attention import Classifier, Relevance, fit_classifier
    from tealeaves.evidence.attention.topic_relevance import relevance
    from tealeaves.judgments import (
        Judgments,
        agreement,
        correlate,
        read_judgments,
        separation,
    )
    from tealeaves.metrics import (
        Metric,
        Scores,
        count,
        evaluate,
        gather,
        metric,
        plan,
        read_scores,
        score,
    )
    from tealeaves.models import infer, make_scorer, select, train
    from tealeaves.text import Corpus, Document, Fields, PairedCorpus, Pipeline
    from tealeaves.topics import (
        MultilingualTopics,
        Topic,
        Topics,
        adapt,
        read_multilingual,
        read_topics,
    )
    from tealeaves.version import __version__ as __version__

# The public names of each package. They are imported on first use, so that ``import tealeaves`` is
# fast.
_PUBLIC_NAMES = {
    "text": ("Corpus", "Document", "Fields", "PairedCorpus", "Pipeline"),
    "topics": (
        "MultilingualTopics",
        "Topic",
        "Topics",
        "adapt",
        "read_multilingual",
        "read_topics",
    ),
    "evidence": ("Counts", "Embeddings", "Sources", "add", "load_counts"),
    "evidence.attention": ("Classifier", "Relevance", "fit_classifier"),
    "evidence.attention.topic_relevance": ("relevance",),
    "metrics": (
        "Metric",
        "Scores",
        "count",
        "evaluate",
        "gather",
        "metric",
        "plan",
        "read_scores",
        "score",
    ),
    "models": ("infer", "make_scorer", "select", "train"),
    "comparison": ("compare",),
    "judgments": ("Judgments", "agreement", "correlate", "read_judgments", "separation"),
    "version": ("__version__",),
}
# The packages and modules that are attributes, as in tealeaves.consensus.explain.
_PACKAGES = (
    "comparison",
    "consensus",
    "demo",
    "errors",
    "estimator",
    "evidence",
    "judgments",
    "learners",
    "lexicon",
    "metrics",
    "models",
    "report",
    "statistics",
    "tables",
    "text",
    "topics",
)

__all__ = [
    "Classifier",
    "Corpus",
    "Counts",
    "Document",
    "Embeddings",
    "Fields",
    "Judgments",
    "Metric",
    "MultilingualTopics",
    "PairedCorpus",
    "Pipeline",
    "Relevance",
    "Scores",
    "Sources",
    "Topic",
    "Topics",
    "adapt",
    "add",
    "agreement",
    "compare",
    "correlate",
    "count",
    "evaluate",
    "fit_classifier",
    "gather",
    "infer",
    "load_counts",
    "make_scorer",
    "metric",
    "plan",
    "read_judgments",
    "read_multilingual",
    "read_scores",
    "read_topics",
    "relevance",
    "score",
    "select",
    "separation",
    "train",
]

__getattr__, __dir__ = lazy_names(__name__, _PUBLIC_NAMES, modules=_PACKAGES)
