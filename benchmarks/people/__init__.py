"""Every metric against people: ``RESULTS.md``."""
