"""CNPMI by links, words and references in six languages: ``benchmarks/crosslingual/RESULTS.md``."""
