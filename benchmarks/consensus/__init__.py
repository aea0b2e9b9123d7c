"""Consensus: fitting, and trials on topics that it was not fitted to."""
