"""What the estimator adds to a Bible in 23 languages: ``benchmarks/estimator/RESULTS.md``."""
