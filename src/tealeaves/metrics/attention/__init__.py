"""Metrics of attention and relevance between the words of a topic in a classifier."""
