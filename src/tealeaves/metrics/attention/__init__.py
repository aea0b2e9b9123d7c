"""Metrics of attention and relevance between the words of a topic in a classifier."""

from tealeaves.metrics.attention.gathering import relevance

__all__ = ["relevance"]
