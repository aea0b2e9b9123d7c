"""Annotation: lemmas and tokens are sampled, and people annotate what expresses each token."""
