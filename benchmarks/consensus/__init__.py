"""Consensus: teaching, and trials on topics that were not taught."""
