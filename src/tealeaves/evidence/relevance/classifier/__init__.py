"""Classifiers: what the relevance of words is measured for."""
