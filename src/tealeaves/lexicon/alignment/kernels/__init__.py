"""Compiled loops of our own aligner and of symmetrization."""
