"""CNPMI by links, words and references in six languages: ``RESULTS.md``."""
