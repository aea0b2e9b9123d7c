"""What the estimator adds to a Bible in 23 languages: ``RESULTS.md``."""
