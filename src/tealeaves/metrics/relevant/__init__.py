"""Metrics of attention and relevance, which a classifier finds between the words of a topic."""

from tealeaves.metrics.relevant.asked import relevance

__all__ = ["relevance"]
