"""Extraction models and aligners against gold: ``docs/lexicon.md``."""
