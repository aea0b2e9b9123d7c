"""CNPMI by links, words and references in six languages: ``docs/crosslingual.md``."""
