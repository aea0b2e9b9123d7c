"""Extraction: how each token of a lemma is expressed in other languages."""
